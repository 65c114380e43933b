"""`serve` as a command: it hands over what was said; the server itself is tested with its package."""

from __future__ import annotations

import pytest
from commandline import CommandLine

from docs_rag import mcp_server
from docs_rag.cli import output
from docs_rag.wiring import Options


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["serve"], Options()),
        (["serve", "--config", "c.json", "--trust-once"], Options(config="c.json", trust_once=True)),
        (["-C", "a", "serve", "--vault", "v"], Options(folder="a", vault="v")),
    ],
)
@pytest.mark.parametrize("status", [0, 1])
def test_it_starts_the_server_for_the_named_project(
    arguments: list[str], options: Options, status: int, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Options, str | None]] = []

    def serve(given: Options, tools: str | None) -> int:
        started.append((given, tools))
        return status

    monkeypatch.setattr(mcp_server, "serve", serve)
    assert docs_rag(*arguments).status == status
    assert docs_rag(*arguments, "--tools", "reader").status == status
    assert started == [(options, None), (options, "reader")]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_person_who_starts_it_is_told_what_it_is(
    is_terminal: bool, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_server, "serve", lambda options, tools: 0)
    monkeypatch.setattr(output, "is_terminal", lambda stream: is_terminal)
    result = docs_rag("serve")
    assert (result.status, result.out) == (0, "")
    assert result.err.startswith("note: this speaks with an MCP client") == is_terminal
