"""`serve` as a command: it hands over what was said; the server itself is tested with its package."""

from __future__ import annotations

import pytest
from commandline import CommandLine

from docs_rag import mcp_server
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
    started: list[Options] = []

    def serve(given: Options) -> int:
        started.append(given)
        return status

    monkeypatch.setattr(mcp_server, "serve", serve)
    assert docs_rag(*arguments).status == status
    assert started == [options]
