"""Which entries of clients start our server, and how they are named."""

from __future__ import annotations

import pytest

from docs_rag.core.registrations import Served, entry_name, free_name, renewed, served


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"command": "docs-rag", "args": ["serve"]}, Served()),
        ({"type": "stdio", "command": "/opt/bin/docs-rag", "args": ["serve", "--config", "/p/.rag/config.json"]},
         Served("/p/.rag/config.json")),
        ({"command": "C:\\Tools\\docs-rag.exe", "args": ["serve", "--vault=D:\\notes"]}, Served(None, "D:\\notes")),
        ({"type": "local", "command": ["docs-rag", "-C", "/p", "serve"]}, Served(None, None, "/p")),
        ({"command": "uvx", "args": ["--from", "git+https://example.org/x@1", "docs-rag", "serve"]}, Served()),
        ({"command": "python3", "args": ["-m", "docs_rag", "serve"]}, Served()),
        ({"command": "docs-rag", "args": ["serve", "--config", "${CLAUDE_PROJECT_DIR:-.}/.rag/config.json"]},
         Served("./.rag/config.json")),
        ({"command": "docs-rag", "args": ["hook"]}, None),
        ({"command": "other", "args": ["serve"]}, None),
        ({"command": "other-docs-rag", "args": ["serve"]}, None),
        ({"url": "https://example.org/mcp"}, None),
        ({"command": 3, "args": {"a": 1}}, None),
        ("docs-rag serve", None),
        (None, None),
    ],
)  # fmt: skip
def test_an_entry_is_ours_or_not(entry: object, expected: Served | None) -> None:
    assert served(entry) == expected


def test_what_its_user_added_to_an_entry_stays() -> None:
    former = {"command": "old", "args": ["serve"], "timeout": 9, "env": {"A": "1", "B": "2"}}
    new = {"command": "new", "args": ["serve", "--config", "x"], "env": {"B": "3"}, "timeout": 30, "enabled": True}
    assert renewed(former, new) == {**new, "timeout": 9, "env": {"A": "1", "B": "3"}}
    assert renewed({"command": "old", "args": ["x"]}, {"command": ["new"]}) == {"command": ["new"]}
    assert renewed("nonsense", new) == new


@pytest.mark.parametrize(
    ("name", "expected"),
    [("pay-docs", "pay-docs"), ("my notes.v2-docs", "my-notes-v2-docs"), ("문서-docs", "docs"), ("문서", "docs"),
     ("x" * 60, "x" * 40)],
)  # fmt: skip
def test_every_client_takes_the_name(name: str, expected: str) -> None:
    assert entry_name(name) == expected


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert free_name("docs", []) == "docs"
    assert free_name("docs", ["Docs", "docs-2"]) == "docs-3"
    assert free_name("workspace", []) == "workspace-2"
    assert len(free_name("x" * 40, ["x" * 40])) <= 40
