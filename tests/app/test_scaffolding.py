"""Plans over files in memory: whatever they held comes back when what was written is taken out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.app.drafts import Target
from docs_rag.app.scaffolding import Answers, Plan, plan
from docs_rag.app.unscaffolding import plan_removal
from docs_rag.core.filechanges import FileChange
from docs_rag.core.hookentry import SETTINGS_FILE, hook_entry
from docs_rag.core.installed import Installed

ROOT = "/p/pay"
TARGET = Target(
    project=ROOT,
    state_dir=f"{ROOT}/.rag",
    config=f"{ROOT}/.rag/config.json",
    platform="linux",
    folders={"HOME": "/home/u"},
)
HERE = Installed(program="/opt/docs-rag", on_path="/opt/docs-rag", uvx=None, origin=None)


class MemoryFiles:
    """Answers the `ProjectFiles` port."""

    def __init__(self, held: dict[str, bytes]) -> None:
        self.held = {f"{ROOT}/{name}": data for name, data in held.items()}

    def read(self, path: str, *, within: str | None = None) -> bytes | None:
        return self.held.get(path)

    def exists(self, path: str) -> bool:
        return path in self.held or path == HERE.program

    def real(self, path: str) -> str:
        return path

    def is_link(self, path: str) -> bool:
        return False

    def names(self, folder: str) -> tuple[str, ...]:
        return tuple(PurePosixPath(path).name for path in self.held if str(PurePosixPath(path).parent) == folder)

    def missing_folders(self, path: str) -> tuple[str, ...]:
        return ()

    def apply(self, changes: Sequence[FileChange], *, leave: Sequence[str] = ()) -> None:
        for change in changes:
            assert self.held.get(change.path) == change.before
            if change.after is None:
                del self.held[change.path]
            else:
                self.held[change.path] = change.after


def answers(**more: object) -> Answers:
    given: dict[str, object] = {
        "settings": {}, "defaults": {"vaultPath": ".."}, "name": "pay-docs", "clients": ("claude-code", "codex"),
        "hook": True, "agents": True,
    }  # fmt: skip
    return Answers(**{**given, **more})  # type: ignore[arg-type]


def scaffold(files: MemoryFiles, **more: object) -> Plan:
    made = plan(files, TARGET, HERE, answers(**more))
    assert made.refusals == ()
    files.apply(made.changes)
    return made


def take_out(files: MemoryFiles) -> None:
    made = plan_removal(files, TARGET)
    assert made.refusals == ()
    files.apply(made.changes, leave=made.leave)


names = st.sampled_from(["other", "docs", "pay-docs", "pay docs", "문서", "a.b"])
entries = st.sampled_from([{}, {"command": "x", "args": ["serve"]}, {"url": "https://example.org"}])
mcp = st.fixed_dictionaries({}, optional={
    "a": st.just([1, {"b": None}]), "mcpServers": st.dictionaries(names, entries, max_size=3), "z": st.just(1.5)
})  # fmt: skip
items = st.sampled_from([{"matcher": "Bash", "hooks": []}, {"hooks": [{"type": "command", "command": "mine"}]}])
settings = st.fixed_dictionaries({}, optional={
    "hooks": st.fixed_dictionaries({}, optional={"PostToolUse": st.lists(items, max_size=2), "Stop": st.just([])}),
    "permissions": st.just({"allow": []}),
})  # fmt: skip
texts = st.lists(st.sampled_from(["# A", "", "b = 1", "build/"]), max_size=3)


def in_json(value: object, indent: int | str | None, end: str, bom: bool) -> bytes:
    text = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", end or "\n") + end
    return (b"\xef\xbb\xbf" if bom else b"") + text.encode()


@given(mcp, settings, texts, st.sampled_from([None, 2, 4, "\t"]), st.sampled_from(["", "\n", "\r\n"]), st.booleans())
def test_what_was_there_comes_back(
    servers: dict[str, object],
    hooks: dict[str, object],
    lines: list[str],
    indent: int | str | None,
    end: str,
    bom: bool,
) -> None:
    text = (end or "\n").join(lines).encode()
    held = {
        ".mcp.json": in_json(servers, indent, end, bom),
        SETTINGS_FILE: in_json(hooks, indent, end, bom),
        ".gitignore": text,
        "AGENTS.md": text,
    }
    files = MemoryFiles(held)
    before = dict(files.held)
    scaffold(files)
    once = dict(files.held)
    assert plan(files, TARGET, HERE, answers()).changes == ()
    scaffold(files, name="money", is_named=True, clients=("claude-code", "gemini", "opencode"))
    take_out(files)
    assert files.held == before
    for name in (".mcp.json", SETTINGS_FILE):
        was, is_now = json.loads(held[name].decode("utf-8-sig")), json.loads(once[f"{ROOT}/{name}"].decode("utf-8-sig"))
        assert list(is_now)[: len(was)] == list(was)
    kept = json.loads(once[f"{ROOT}/.mcp.json"].decode("utf-8-sig"))["mcpServers"]
    assert {**kept, **dict(servers.get("mcpServers", {}))} == kept  # type: ignore[call-overload]


def test_a_file_that_is_refused_is_told_with_what_to_paste() -> None:
    files = MemoryFiles({".mcp.json": b"// mine\n{}", SETTINGS_FILE: b"/* mine */ {}"})
    made = plan(files, TARGET, HERE, answers())
    first, second = made.refusals
    assert first.error.message.startswith(".mcp.json is not valid JSON: comments")
    assert json.loads(first.snippet)["mcpServers"]["pay-docs"]["command"] == "docs-rag"
    assert json.loads(second.snippet)["hooks"]["PostToolUse"] == [hook_entry("docs-rag", ())]


def test_a_hook_whose_program_is_gone_gets_a_new_one() -> None:
    entry = hook_entry("/gone/docs-rag", ())
    entry["hooks"][0]["timeout"] = 20  # type: ignore[index]
    held = json.dumps({"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": []}, entry]}}, indent=1).encode()
    files = MemoryFiles({SETTINGS_FILE: held})
    scaffold(files)
    assert files.held[f"{ROOT}/{SETTINGS_FILE}"] == held.replace(b"/gone/docs-rag", b"docs-rag")


@pytest.mark.parametrize(("name", "is_told"), [(".mcp.json", False), (".cursor/mcp.json", True)])
def test_a_file_that_names_paths_of_this_machine_is_told(name: str, is_told: bool) -> None:
    made = plan(MemoryFiles({}), TARGET, HERE, answers(clients=("claude-code", "cursor")))
    assert any(notice.startswith(f"{name} names paths") for notice in made.notices) is is_told


def test_a_record_that_was_made_up_takes_nothing_out_that_is_not_ours() -> None:
    record = {
        "entries": [{"file": ".mcp.json", "keys": ["mcpServers", "other"], "kept": 0}],
        "created": ["notes.md", ".mcp.json"], "blank": ["a.md"], "folders": ["/"], "config": None,
    }  # fmt: skip
    held = {
        ".mcp.json": b'{"mcpServers": {"other": {"command": "x"}}}',
        "notes.md": b"",
        "a.md": b"text",
        ".rag/scaffold.json": json.dumps(record).encode(),
    }
    files = MemoryFiles(held)
    take_out(files)
    assert files.held == {f"{ROOT}/{name}": data for name, data in held.items() if name != ".rag/scaffold.json"}
