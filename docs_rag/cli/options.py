"""The options that many commands have, and the project that they name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import click

from docs_rag import wiring
from docs_rag.cli.session import Session
from docs_rag.config import Config

CONFIG: Final = click.option("--config", metavar="PATH", help="The config file, instead of the nearest one.")
FOLDER: Final = click.option("-C", "folder", metavar="DIR", help="Run as if started in DIR.")
VAULT: Final = click.option(
    "--vault", metavar="DIR", help="A folder of notes that needs no config; its index lies in DIR/.rag."
)
TRUST_ONCE: Final = click.option(
    "--trust-once", is_flag=True, help="Grant what the config asks for, for this call alone; for CI."
)
JSON: Final = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
YES: Final = click.option("--yes", is_flag=True, help="Ask nothing.")


@dataclass(frozen=True, slots=True)
class Project:
    """The project that a command is for; nothing of it is looked at before it is opened."""

    options: wiring.Options
    session: Session

    def open(self, *, strict: bool = False) -> tuple[Config, tuple[str, ...]]:
        """Its config and notices on it. Raises `ConfigError`; `strict` for any mistake in it."""
        config, notices = wiring.open_project(self.options, strict=strict)
        self.session.state_dir = config.state_dir
        return config, notices


def in_project(*, vault: bool = False, trusted: bool = True) -> Callable[[Callable[..., int]], Any]:
    """Give a command the options that say which project it is for; it gets a `Project` as its first argument.

    `vault`: with `--vault`. `trusted`: the command opens the project, so that approval can be given by option.
    """
    options = [CONFIG, FOLDER, *([VAULT] if vault else []), *([TRUST_ONCE] if trusted else [])]

    def decorate(function: Callable[..., int]) -> Any:
        @functools.wraps(function)
        @click.pass_obj
        def call(session: Session, /, config: str | None, folder: str | None, **rest: Any) -> int:
            said = wiring.Options(
                config=config or session.config,
                folder=folder or session.folder,
                vault=rest.pop("vault", None),
                trust_once=rest.pop("trust_once", False),
            )
            return function(Project(said, session), **rest)

        return functools.reduce(lambda wrapped, option: option(wrapped), reversed(options), call)

    return decorate


def split_list(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Callback of options that take `a,b` and may be given more than once."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())
