"""Which entries of a settings file are ours."""

from __future__ import annotations

import json

import pytest

from docs_rag.core.hookentry import HOOK_COMMAND, HOOK_ENTRY, holds_hook, hook_entry, is_hook_entry

OTHER = {"type": "command", "command": "prettier", "args": ["--write"]}


def test_the_entry_is_exec_form_with_a_short_time() -> None:
    assert json.loads(json.dumps(HOOK_ENTRY)) == {
        "matcher": "Write|Edit",
        "hooks": [{"type": "command", "command": "docs-rag", "args": ["hook"], "timeout": 10}],
    }


@pytest.mark.parametrize(
    "handler",
    [
        HOOK_COMMAND,
        {"type": "command", "command": "/home/u/.local/bin/docs-rag", "args": ["hook"]},
        {"type": "command", "command": "C:\\tools\\docs-rag.exe", "args": ["hook"], "timeout": 30},
        {"type": "command", "command": "docs-rag hook"},
        {"type": "command", "command": '"/opt/my tools/docs-rag" hook'},
        {"type": "command", "command": "docs-rag", "args": ["hook", "--config", "/p/.rag/config.json"]},
        hook_entry("uvx", ["--from", "git+https://example.org/r@abc", "docs-rag"])["hooks"][0],  # type: ignore[index]
    ],
)
def test_it_is_known_however_it_is_started(handler: object) -> None:
    assert is_hook_entry({"matcher": "Write|Edit", "hooks": [handler]})


@pytest.mark.parametrize(
    "item",
    [
        None,
        "docs-rag hook",
        {},
        {"hooks": []},
        {"hooks": "docs-rag"},
        {"hooks": [OTHER]},
        {"hooks": [{"type": "command", "command": "docs-rag", "args": ["index"]}]},
        {"hooks": [{"type": "command", "command": "docs-rag", "args": "hook"}]},
        {"hooks": [{"type": "command", "command": "echo docs-ragged hook"}]},
        {"hooks": [{"type": "http", "url": "http://localhost"}]},
    ],
)
def test_others_are_not_ours(item: object) -> None:
    assert not is_hook_entry(item)
    assert not holds_hook(item)


def test_an_entry_shared_with_another_handler_is_not_taken_out_whole() -> None:
    shared = {"matcher": "Edit", "hooks": [OTHER, HOOK_COMMAND]}
    assert holds_hook(shared)
    assert not is_hook_entry(shared)
