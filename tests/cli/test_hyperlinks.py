"""Which terminals get links, and where these lead."""

from __future__ import annotations

import re
import socket
import sys
from pathlib import Path

import pytest
from commandline import CommandLine, write_notes

from docs_rag.cli import hyperlinks, output
from docs_rag.cli.opening import editor_command

LINK = re.compile(r"\x1b]8;;(?P<target>[!-~]+)\x1b\\\x1b\[1m(?P<text>[^\x1b]*)\x1b\[0m\x1b]8;;\x1b\\")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM_PROGRAM": "vscode", "TERM": "xterm-256color"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "foot-extra"}, True),
        ({"WT_SESSION": "1"}, True),
        ({"VTE_VERSION": "4902"}, False),
        ({"VTE_VERSION": "5000"}, False),
        ({"VTE_VERSION": "5002"}, True),
        ({"VTE_VERSION": "7600"}, True),
        ({"VTE_VERSION": "10000"}, True),
        ({"KONSOLE_VERSION": "200401"}, False),
        ({"KONSOLE_VERSION": "201203"}, True),
        ({"KONSOLE_VERSION": "230800"}, True),
        ({"VTE_VERSION": "7600", "TMUX": "/tmp/tmux"}, False),
        ({"VTE_VERSION": "7600", "TMUX": "/tmp/tmux", "FORCE_HYPERLINK": "1"}, True),
        ({"VTE_VERSION": "7600", "FORCE_HYPERLINK": "0"}, False),
        ({"FORCE_HYPERLINK": "1"}, True),
        ({"FORCE_HYPERLINK": ""}, False),
    ],
)
def test_terminals_are_known_by_their_variables(environment: dict[str, str], expected: bool) -> None:
    assert hyperlinks.has_hyperlinks(environment) is expected


@pytest.fixture
def terminal(vault: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault, and a stdout that passes for a terminal with links."""
    write_notes(vault, {"deep/100% › pots.md": "# Pots\n\n## Care\n\nStrainers.\n"})
    assert docs_rag("index").status == 0
    monkeypatch.setattr(output, "is_terminal", lambda stream: True)
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    monkeypatch.setenv("TERM", "xterm-kitty")
    return vault


@pytest.mark.skipif(sys.platform == "win32", reason="paths of another form")
def test_paths_are_links_to_files(terminal: Path, docs_rag: CommandLine) -> None:
    found = LINK.search(docs_rag("search", "strainers").out)
    assert found is not None
    assert found["text"] == "deep/100% › pots.md"
    path = f"{terminal}/deep/100%25%20%E2%80%BA%20pots.md"
    assert found["target"] == f"file://{socket.gethostname()}{path}"


def test_in_a_vault_of_obsidian_they_lead_there(terminal: Path, docs_rag: CommandLine) -> None:
    (terminal / ".obsidian").mkdir()
    found = LINK.search(docs_rag("search", "cups").out)
    assert found is not None
    assert found["target"].startswith("obsidian://open?path=")
    assert found["target"].endswith("cups.md")


@pytest.mark.parametrize(("name", "value"), [("FORCE_HYPERLINK", "0"), ("NO_COLOR", "1"), ("TERM", "dumb")])
def test_without_links_the_line_is_the_same(
    name: str, value: str, terminal: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = docs_rag("search", "strainers").out
    monkeypatch.setenv(name, value)
    plain = docs_rag("search", "strainers").out
    assert "\x1b]8" in linked
    assert "\x1b]8" not in plain
    assert bare(linked) == bare(plain)


@pytest.mark.parametrize("options", [[], ["--problems"]])
def test_lists_of_notes_have_them_too(options: list[str], terminal: Path, docs_rag: CommandLine) -> None:
    write_notes(terminal, {"cups.md": "---\nsuperseded_by: gone.md\n---\n# Cups\n"})
    lines = docs_rag("list", *options).out.splitlines()
    found = next(line for line in lines if "cups.md" in line)
    assert re.match(rf"\x1b]8;;file://[^\x1b]*{terminal.name}/cups\.md\x1b\\cups\.md\x1b]8;;\x1b\\", found)


def test_other_forms_hold_no_links(terminal: Path, docs_rag: CommandLine) -> None:
    for option in ("-l", "-0", "--vimgrep", "--json"):
        assert "\x1b" not in docs_rag("search", option, "strainers").out


def bare(text: str) -> str:
    return re.sub(r"\x1b](.*?)\x1b\\|\x1b\[[\d;]*m", "", text)


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        ({}, []),
        ({"EDITOR": "  "}, []),
        ({"EDITOR": "vi"}, ["vi", "+7", "/a b.md"]),
        ({"EDITOR": "vi", "VISUAL": "/usr/bin/nvim -p"}, ["/usr/bin/nvim", "-p", "+7", "/a b.md"]),
        ({"EDITOR": "code --wait"}, ["code", "--wait", "--goto", "/a b.md:7"]),
        ({"EDITOR": "hx"}, ["hx", "/a b.md:7"]),
        ({"EDITOR": "my-editor"}, ["my-editor", "/a b.md"]),
        ({"EDITOR": "'broken"}, ["'broken", "/a b.md"]),
    ],
)
def test_editors_are_told_the_line_as_they_take_it(editor: dict[str, str], command: list[str]) -> None:
    assert editor_command(editor, "/a b.md", 7) == command


def test_a_vault_may_lie_below_the_one_that_obsidian_knows(tmp_path: Path) -> None:
    (tmp_path / "all/.obsidian").mkdir(parents=True)
    assert hyperlinks.is_obsidian_vault(str(tmp_path / "all" / "notes"))
    assert not hyperlinks.is_obsidian_vault(str(tmp_path))


def test_the_folder_of_its_settings_may_have_another_name(tmp_path: Path) -> None:
    write_notes(tmp_path, {".settings/app.json": "{}", ".settings/workspace.json": "{}", ".git/config": ""})
    assert hyperlinks.is_obsidian_vault(str(tmp_path))
    assert not hyperlinks.is_obsidian_vault(str(tmp_path / ".git"))
    assert not hyperlinks.is_obsidian_vault(str(tmp_path / "gone"))
