"""`search` for other programs: paths alone, lines to jump to, and the first hit opened."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from commandline import CommandLine, spawn, write_notes

posix = pytest.mark.skipif(os.name != "posix", reason="names that other systems do not allow")


@pytest.fixture
def indexed(vault: Path, docs_rag: CommandLine) -> Path:
    write_notes(vault, {"deep/pots.md": "# Pots\n\n## Tea pots\n\nA pot of tea.\n\n## Care\n\nTea leaves stains.\n"})
    assert docs_rag("index").status == 0
    return vault


def test_l_writes_each_note_once_the_best_first(indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("search", "-l", "tea")
    shown = [hit["path"] for hit in docs_rag("search", "--json", "tea").json["hits"]]
    assert result.out.splitlines() == list(dict.fromkeys(shown))
    assert len(shown) == 4
    assert result.err == ""


def test_paths_lead_from_the_working_folder(
    indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(indexed / "deep")
    assert docs_rag("search", "-l", "pots").out == "pots.md\n"
    assert docs_rag("search", "-l", "cups").out == f"{indexed / 'cups.md'}\n"
    assert docs_rag("-C", tmp_path, "search", "--vault", indexed, "-l", "pots").out == "vault/deep/pots.md\n"


@posix
def test_paths_lead_there_through_a_link(
    indexed: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(indexed)
    monkeypatch.chdir(tmp_path)
    assert docs_rag("search", "--vault", "link", "-l", "pots").out == "link/deep/pots.md\n"
    monkeypatch.chdir(tmp_path / "link")
    assert docs_rag("search", "-l", "pots").out == "deep/pots.md\n"


@posix
def test_a_zero_byte_ends_names_as_they_are_on_disk(indexed: Path) -> None:
    names = ["two\nlines.md", "esc\x1b[2J.md", unicodedata.normalize("NFD", "é.md"), "-n.md", "a b.md"]
    write_notes(indexed, {name: "# Jam\n\nStrawberry jam.\n" for name in names})
    spawn("index")
    result = spawn("search", "-0", "-n", "9", "strawberry jam")
    found = result.out.split("\0")
    assert found.pop() == ""
    assert {os.path.normpath(name) for name in found} <= {each.name for each in indexed.iterdir()}
    listed = subprocess.run(["xargs", "-0", "ls", "-d"], input=result.out.encode(), capture_output=True, check=False)
    assert listed.returncode == 0, listed.stderr


@posix
@pytest.mark.parametrize("option", ["-l", "--vimgrep"])
def test_without_a_zero_byte_no_name_can_write_a_line_of_its_own(option: str, indexed: Path) -> None:
    write_notes(indexed, {"two\nlines.md": "# Jam\n\nStrawberry jam.\n", "e\x1b[2J.md": "# Plum jam\n\nStrawberry.\n"})
    spawn("index")
    found = spawn("search", option, "strawberry").out
    assert len(found.splitlines()) == 2
    assert "\x1b" not in found


def test_vimgrep_says_where_and_why(orchard: Path, docs_rag: CommandLine) -> None:
    docs_rag("index")
    lines = docs_rag("search", "--vimgrep", "--all", "waterproof", "labels", "printer").out.splitlines()
    hits = docs_rag("search", "--json", "--all", "waterproof", "labels", "printer").json["hits"]
    assert [line.split(":")[:3] for line in lines] == [[hit["path"], str(hit["lines"][0]), "1"] for hit in hits]
    superseded = next(line for line in lines if line.startswith("decisions/0004"))
    assert "[exact match] [superseded → decisions/0009-rfid-crates.md; 2026-04-02] " in superseded


def test_a_decision_of_a_log_is_in_the_logs_file(vault: Path, docs_rag: CommandLine) -> None:
    log = "# Log\n\n## D-001 Red jam → Superseded by D-002\n\nStrawberry.\n\n## D-002 Blue jam\n\nBlueberry.\n"
    write_notes(vault, {"log.md": log})
    docs_rag("index")
    assert docs_rag("search", "-l", "blueberry").out == "log.md\n"
    assert docs_rag("search", "--vimgrep", "blueberry").out.startswith("log.md:7:1:")


def test_no_hit_leaves_stdout_empty(indexed: Path, docs_rag: CommandLine) -> None:
    for option in ("-l", "-0", "-l0", "--vimgrep"):
        result = docs_rag("search", option, "submarine")
        assert (result.status, result.out) == (0, "")
        assert result.err.startswith("note: No relevant results")
        assert docs_rag("search", option, "--exit-code", "submarine").status == 1


@pytest.mark.parametrize("options", [["-l", "--json"], ["-0", "--vimgrep"], ["--vimgrep", "--json"]])
def test_an_answer_has_one_form(options: list[str], indexed: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("search", *options, "tea")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("docs-rag: an answer has one form; ")


EDITOR = "import sys; print('EDITOR', *sys.argv[1:])"


@pytest.mark.parametrize("options", [[], ["-l"], ["--json"]])
def test_open_hands_the_first_hit_to_the_editor(options: list[str], indexed: Path, tmp_path: Path) -> None:
    script = tmp_path / "an editor.py"
    script.write_text(EDITOR, encoding="utf-8")
    editor = f"'{sys.executable}' '{script}' --wait" if os.name == "posix" else f"{sys.executable} {script} --wait"
    result = spawn("search", "--open", *options, "pots", env={"EDITOR": editor})
    assert result.status == 0, result.err
    place = 0 if "--json" in options else -1
    assert result.out.splitlines()[place] == f"EDITOR --wait {indexed / 'deep' / 'pots.md'}"
    assert len(result.out.splitlines()) > 1


@pytest.mark.parametrize(
    ("editor", "complaint"),
    [
        (f"{sys.executable} -c raise(SystemExit(3))", "ended with status 3"),
        ("/no/such/editor", "cannot start the editor /no/such/editor: no such file or directory; set EDITOR"),
    ],
)
def test_an_editor_that_fails_is_told(editor: str, complaint: str, indexed: Path) -> None:
    result = spawn("search", "--open", "pots", env={"EDITOR": editor})
    assert result.status == 1
    assert complaint in result.err
    assert "Pots" in result.out


def test_where_nothing_opens_notes_that_is_said(indexed: Path) -> None:
    result = spawn("search", "--open", "pots", env={"PATH": str(indexed)})
    assert result.status == 1
    assert result.err.endswith("pots.md; set EDITOR to your editor\n")
    result = spawn("search", "--open", "--json", "pots", env={"PATH": str(indexed)})
    assert (result.status, result.out) == (1, "")


def test_with_no_hit_nothing_is_opened(indexed: Path) -> None:
    result = spawn("search", "--open", "submarine", env={"EDITOR": "/no/such/editor"})
    assert (result.status, result.err) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="other desktops have other commands")
@pytest.mark.parametrize("status", [0, 1])
def test_a_note_of_obsidian_goes_to_obsidian_else_to_the_editor(status: int, indexed: Path, tmp_path: Path) -> None:
    (indexed / ".obsidian").mkdir()
    write_notes(indexed, {"deep/pots & pans.md": "# Strainers\n\nStrainers.\n"})
    programs = tmp_path / "programs"
    write_notes(programs, {
        "xdg-open": f'#!/bin/sh\necho "$@" > {tmp_path}/opened\nexit {status}\n',
        "ed": f'#!/bin/sh\necho "$@" > {tmp_path}/edited\n',
    })  # fmt: skip
    for program in programs.iterdir():
        program.chmod(0o755)
    env = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "EDITOR": "ed", "DISPLAY": ":9"}
    assert spawn("search", "--open", "strainers", env=env).status == 0
    note = f"{indexed}/deep/pots & pans.md"
    quoted = note.replace("/", "%2F").replace(" ", "%20").replace("&", "%26")
    assert (tmp_path / "opened").read_text(encoding="utf-8") == f"obsidian://open?path={quoted}\n"
    assert (tmp_path / "edited").exists() == bool(status)
