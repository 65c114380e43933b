"""Names and texts of notes: no command hands marks of theirs to a terminal, and no line of theirs passes for ours."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from commandline import CommandLine, write_config
from hypothesis import given
from hypothesis import strategies as st
from security.hostile import EVIL, FORGED, UNSAFE, make, notes

from docs_rag.cli import COMMANDS
from docs_rag.core.cleaning import escaped_json, one_line, shown, shown_path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="such names exist on POSIX alone")

NAMED = f"a{EVIL}.md"
RUNS: Sequence[tuple[str, ...]] = (
    ("index",),
    ("index", "--full", "--json"),
    ("index", EVIL),
    ("search", "zebra"),
    ("search", "zebra", "--all", "--explain", "--full"),
    ("search", "zebra", "--all", "--json"),
    ("search", "zebra", "-l"),
    ("search", "zebra", "--vimgrep"),
    ("search", EVIL),
    ("search", EVIL, "--json"),
    ("search", "zebra", "--within", EVIL, "--tag", EVIL, "--exclude", EVIL),
    ("search", "zebra", "--as-of", EVIL),
    ("list",),
    ("list", "--json"),
    ("list", "--problems"),
    ("list", EVIL),
    ("status",),
    ("status", "--json"),
    ("check",),
    ("check", "--json"),
    ("check", "--format", "github"),
    ("check", "--format", "sarif"),
    ("check", "--format", "junit"),
    ("check", "--select", EVIL),
    ("history", NAMED),
    ("history", NAMED, "--json"),
    ("history", NAMED, "--mermaid"),
    ("history", "b.md"),
    ("history", EVIL),
    ("read", NAMED),
    ("read", NAMED, "--json"),
    ("read", "b.md", "--heading", EVIL),
    ("read", "b.md", "--full"),
    ("read", f"link{EVIL}.md"),
    ("read", f"bad{EVIL}.md"),
    ("supersede", NAMED, "b.md", "--dry-run", "--force"),
    ("supersede", "b.md", f"f{EVIL}/e.md", "--dry-run", "--force"),
    ("supersede", "b.md", EVIL),
    ("eval", "--bootstrap"),
    ("eval", EVIL),
    ("convert", EVIL),
    ("doctor",),
    ("doctor", "--json"),
    ("trust",),
    ("undo", "--yes"),
    ("clients", EVIL),
    ("bundle", f"{EVIL}/x.mcpb"),
    ("completion", EVIL),
    (EVIL,),
    ("search", "zebra", f"--{EVIL}"),
    ("--config", EVIL, "status"),
    ("-C", EVIL, "status"),
)
APART = {
    "init": "asks questions; what it finds is shown by `output.say`, as here",
    "scaffold": "shows paths of settings files alone",
    "serve": "speaks JSON-RPC; tests/test_mcp_server.py looks at its texts",
    "hook": "speaks JSON, ASCII alone",
    "demo": "shows a vault of its own",
}
"""Commands without a run above, and why."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the hostile vault; nothing is indexed yet."""
    folder = tmp_path_factory.mktemp("hostile")
    make(folder / "notes")
    write_config(folder, vaultPath="../notes")
    return folder


@pytest.fixture
def docs_rag(hostile: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line in the hostile vault, whose index is this test's own user's."""
    monkeypatch.chdir(hostile / "notes")
    command = CommandLine(capsys)
    command("index")
    return command


def test_every_command_is_tried() -> None:
    assert {name for name in COMMANDS if not any(run[0] == name for run in RUNS)} == set(APART)


@pytest.mark.parametrize("arguments", RUNS, ids=lambda run: ascii(" ".join(run))[1:40])
def test_case_57_nothing_reaches_the_terminal(arguments: tuple[str, ...], docs_rag: CommandLine) -> None:
    result = docs_rag(*arguments)
    assert result.status in (0, 1, 2), result.err
    for stream in (result.out, result.err):
        assert UNSAFE.search(stream) is None, ascii(stream[:2000])
    ours = [line for stream in (result.out, result.err) for line in stream.split("\n") if line.startswith(FORGED)]
    # `read` prints a note as it is: that is what it was asked for.
    assert arguments[0] == "read" or ours == []


def test_json_has_the_paths_as_they_are(docs_rag: CommandLine) -> None:
    listed = {each["path"] for each in docs_rag("list", "--json").json}
    assert set(notes()) <= listed


@given(text=st.text())
def test_json_means_the_same_after_the_escapes(text: str) -> None:
    written = json.dumps({text: [text]}, ensure_ascii=False)
    assert json.loads(escaped_json(written)) == {text: [text]}
    assert UNSAFE.search(escaped_json(written)) is None


@given(text=st.text(alphabet=st.characters(blacklist_categories=[])))
def test_what_is_shown_is_safe_and_stays_so(text: str) -> None:
    for show in (shown, shown_path, one_line):
        safe = show(text)
        assert UNSAFE.search(safe) is None
        assert show(safe) == safe
        safe.encode("utf-8")
    assert len(shown_path(text)) == len(text)
    assert "\n" not in shown_path(text) + one_line(text)
