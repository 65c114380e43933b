"""Which command a host gets, and what is never written into a file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from docs_rag.app.clients import CLIENTS, Launch, Scope
from docs_rag.app.launching import doubts, launch_for, source
from docs_rag.core.installed import Installed
from docs_rag.errors import DocsRagError

COMMIT = "9a0e6b1"
GIT = json.dumps(
    {
        "url": "https://example.org/docs-rag.git",
        "vcs_info": {"vcs": "git", "commit_id": COMMIT, "requested_revision": "main"},
    }
)
FOLDER = json.dumps({"url": "file:///src/docs%20rag", "dir_info": {"editable": True}})
HERE = Installed(program="/venv/bin/docs-rag", on_path="/usr/bin/docs-rag", uvx="/usr/bin/uvx", origin=GIT)
CONFIG = "/p/.rag/config.json"


@pytest.mark.parametrize(
    ("name", "scope", "expected"),
    [
        ("claude-code", "project", Launch("docs-rag", ("serve",))),
        ("claude-code", "user", Launch("docs-rag", ("serve", "--config", CONFIG))),
        ("codex", "project", Launch("docs-rag", ("serve",))),
        ("cursor", "project", Launch("/venv/bin/docs-rag", ("serve", "--config", CONFIG))),
        ("claude-desktop", "user", Launch("/venv/bin/docs-rag", ("serve", "--config", CONFIG))),
    ],
)
def test_the_program_is_named_as_the_host_can_find_it(name: str, scope: Scope, expected: Launch) -> None:
    assert launch_for(CLIENTS[name], HERE, scope=scope, config=CONFIG) == expected


def test_local_names_the_script_of_this_copy() -> None:
    found = launch_for(CLIENTS["claude-code"], HERE, scope="project", config=CONFIG, local=True)
    assert found == Launch("/venv/bin/docs-rag", ("serve",))


def test_uvx_fetches_the_commit_that_runs_here() -> None:
    found = launch_for(CLIENTS["claude-code"], HERE, scope="project", config=CONFIG, runner="uvx")
    assert found == Launch("uvx", ("--from", f"git+https://example.org/docs-rag.git@{COMMIT}", "docs-rag", "serve"))
    assert launch_for(CLIENTS["zed"], HERE, scope="user", config=CONFIG, runner="uvx").command == "/usr/bin/uvx"


def test_a_host_without_a_search_path_needs_a_program_that_is_there() -> None:
    with pytest.raises(DocsRagError, match="the docs-rag program was not found"):
        launch_for(CLIENTS["zed"], replace(HERE, program=None, on_path=None), scope="user", config=CONFIG)
    with pytest.raises(DocsRagError, match="uvx is not on the search path"):
        launch_for(CLIENTS["zed"], replace(HERE, uvx=None), scope="user", config=CONFIG, runner="uvx")


def said(url: str, **more: object) -> str:
    return json.dumps({"url": url, **more})


SOURCES = {
    "git": (GIT, f"git+https://example.org/docs-rag.git@{COMMIT}"),
    "git over ssh": (
        said("ssh://git:pw@example.org/x.git", vcs_info={"vcs": "git", "commit_id": COMMIT}),
        f"git+ssh://git@example.org/x.git@{COMMIT}",
    ),
    "a folder of a repository": (
        said("https://example.org/x.git", vcs_info={"vcs": "git", "commit_id": COMMIT}, subdirectory="py"),
        f"git+https://example.org/x.git@{COMMIT}#subdirectory=py",
    ),
    "a token": (
        said("https://me:secret@example.org/x.git", vcs_info={"vcs": "git", "commit_id": COMMIT}),
        f"git+https://example.org/x.git@{COMMIT}",
    ),
    "an archive": (said("https://example.org/docs_rag.whl", archive_info={}), "https://example.org/docs_rag.whl"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_source_is_the_one_that_the_installer_wrote_down(name: str) -> None:
    origin, expected = SOURCES[name]
    assert source(origin) == expected


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "not json",
        "[]",
        "{}",
        said("https://example.org/x"),
        said("https://example.org/x", vcs_info="git"),
        said("https://example.org/x", vcs_info={"vcs": "hg", "commit_id": COMMIT}),
        said("https://example.org/x", vcs_info={"vcs": "git"}),
        said("http://example.org/x.git", vcs_info={"vcs": "git", "commit_id": COMMIT}),
        said("ext::sh -c x", vcs_info={"vcs": "git", "commit_id": COMMIT}),
    ],
)
def test_a_bare_name_is_never_the_answer(origin: str | None) -> None:
    with pytest.raises(DocsRagError, match="it is not known where this copy of docs-rag was installed from"):
        source(origin, local=True)


@pytest.mark.parametrize(
    ("origin", "path"),
    [
        (FOLDER, "/src/docs rag"),
        (said("file:///C:/src/docs-rag", dir_info={}), "C:/src/docs-rag"),
        (said("file:///dl/docs_rag.whl", archive_info={}), "/dl/docs_rag.whl"),
        (
            said("file:///src/docs-rag", vcs_info={"vcs": "git", "commit_id": COMMIT}),
            f"git+file:///src/docs-rag@{COMMIT}",
        ),
    ],
)
def test_a_folder_of_this_machine_needs_a_word(origin: str, path: str) -> None:
    with pytest.raises(DocsRagError, match="which others do not have; add --local"):
        source(origin)
    assert source(origin, local=True) == path


@pytest.mark.parametrize(
    ("client", "runner", "here", "doubt"),
    [
        ("claude-code", "path", replace(HERE, on_path=None), "on the search path, where it is not"),
        ("claude-code", "path", HERE, "another copy than this one: /usr/bin/docs-rag"),
        ("claude-code", "uvx", replace(HERE, uvx=None), "uvx is not on the search path"),
    ],
)
def test_what_may_go_wrong_is_said(client: str, runner: str, here: Installed, doubt: str) -> None:
    launch = launch_for(
        CLIENTS[client], here, scope="project", config=CONFIG, runner="uvx" if runner == "uvx" else "path"
    )
    assert [doubt in each for each in doubts(CLIENTS[client], here, launch)] == [True]


def test_there_is_nothing_to_say_when_all_is_well() -> None:
    same = replace(HERE, on_path=HERE.program)
    for name in ("claude-code", "cursor"):
        launch = launch_for(CLIENTS[name], same, scope="project", config=CONFIG)
        assert list(doubts(CLIENTS[name], same, launch)) == []
