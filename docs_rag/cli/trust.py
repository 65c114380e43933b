"""`docs-rag trust`: what a config asks for beyond its own project, and its user's word on it."""

from __future__ import annotations

import json
import textwrap

import click

from docs_rag import config as configs
from docs_rag import trust
from docs_rag.cli import output
from docs_rag.cli.options import YES, Project, in_project
from docs_rag.core.cleaning import one_line
from docs_rag.errors import EXIT_DONE, DocsRagError


@click.command()
@YES
@in_project(trusted=False)
def command(project: Project, yes: bool) -> int:
    """Show what the config asks for that needs your approval, and approve it.

    A config may have come with a cloned project: nothing that it names outside of it is opened before.
    """
    options = project.options
    config, notices = configs.find(strict=False, config=options.config, folder=options.folder)
    for notice in notices:
        output.note(notice)
    asked = trust.requests(config)
    if not asked:
        output.write([f"{config.path} asks for nothing that needs approval."])
        return EXIT_DONE
    output.write([f"{config.path} asks for:", *(line for request in asked for line in _lines(request))])
    if trust.is_approved(config):
        output.write(["You have approved this."])
        return EXIT_DONE
    if not yes:
        output.require_terminal("run it with --yes to approve")
        if not click.confirm("Approve?", default=False, err=True):
            raise DocsRagError("not approved", "nothing was opened")
    trust.approve(config)
    output.write(["Approved."])
    return EXIT_DONE


def _lines(request: trust.Request) -> list[str]:
    """The whole value, however long it is: what is approved must have been seen."""
    return [f"  {request.key}: {request.reason}", *textwrap.wrap(
        json.dumps(one_line(request.value), ensure_ascii=False), 100, initial_indent="    ", subsequent_indent="    "
    )]  # fmt: skip
