"""`hook` and `index --background` as people call them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes

from docs_rag.adapters.background.marks import Marks
from docs_rag.adapters.locks import FileLock
from docs_rag.core.hookfiles import EDITS_IN_WORK, LOG, OUTCOME, WORKER_LOCK
from docs_rag.hook import claim_worker, understands


def background(vault: Path, docs_rag: CommandLine) -> dict[str, object]:
    """One call that finds an edit marked; returns the outcome it wrote."""
    Marks(str(vault / ".rag")).mark(str(vault / "tea.md"))
    result = docs_rag("index", "--background")
    assert (result.status, result.out) == (0, "")
    found: dict[str, object] = json.loads((vault / ".rag" / OUTCOME).read_text(encoding="utf-8"))
    return found


def test_marked_edits_are_taken_in(vault: Path, docs_rag: CommandLine) -> None:
    found = background(vault, docs_rag)
    assert (found["ok"], found["message"], found["since"]) == (True, "2 added, 0 modified, 0 removed", "")
    assert not Marks(str(vault / ".rag")).is_set()
    assert (vault / ".rag" / LOG).read_text(encoding="utf-8").endswith("tea.md: 2 added, 0 modified, 0 removed\n")


def test_without_a_mark_there_is_nothing_to_do(vault: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("index", "--background").status == 0
    assert not (vault / ".rag" / "index.db").exists()


def test_what_a_run_could_not_read_is_in_the_log(vault: Path, docs_rag: CommandLine) -> None:
    (vault / "odd.md").write_bytes(b"\xff\xfe\x00\xd8")
    assert "odd.md: " in str(background(vault, docs_rag)["message"])


def test_a_mistake_in_the_config_is_told_and_the_edit_waits(vault: Path, docs_rag: CommandLine) -> None:
    write_config(vault, minscore=1)
    found = background(vault, docs_rag)
    assert found["ok"] is False
    assert "did you mean minScore?" in str(found["message"])
    assert (vault / ".rag" / EDITS_IN_WORK).exists()


def test_a_vault_that_vanished_is_never_accepted(vault: Path, docs_rag: CommandLine) -> None:
    write_notes(vault, {f"n{number}.md": f"# {number}\n\ntext {number}\n" for number in range(9)})
    docs_rag("index")
    for note in vault.glob("n*.md"):
        note.unlink()
    found = background(vault, docs_rag)
    assert found["ok"] is False
    assert "--accept-removals" in str(found["message"])
    assert len(docs_rag("list", "--json").json) > 9


def test_a_bug_is_told_and_logged(vault: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from docs_rag.cli import indexrun

    def broken(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(indexrun, "run", broken)
    found = background(vault, docs_rag)
    assert found["message"] == "this is a bug: ZeroDivisionError: by zero"
    assert "ZeroDivisionError" in (vault / ".rag" / "docs-rag.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("more", [["a.md"], ["--full"], ["--json"], ["--strict"], ["--no-wait"], ["--accept-removals"]])
def test_it_goes_with_no_other_option(more: list[str], vault: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("index", "--background", *more)
    assert result.status == 2
    assert "--background" in result.err


def test_it_needs_a_config_and_its_folder(vault: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("index", "--background", "--vault", vault).status == 2
    result = docs_rag("index", "--background", "--config", vault / "gone" / "config.json")
    assert result.status == 1
    assert "no state folder" in result.err


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_folder_in_the_place_of_a_mark_is_a_known_error(vault: Path, docs_rag: CommandLine) -> None:
    (vault / ".rag" / EDITS_IN_WORK).mkdir()
    (vault / ".rag" / EDITS_IN_WORK / "x").touch()
    result = docs_rag("index", "--background")
    assert result.status == 1
    assert "cannot use" in result.err


def test_the_help_says_who_calls_the_hook(docs_rag: CommandLine) -> None:
    assert "Claude Code" in docs_rag("hook", "--help").out
    assert docs_rag("hook", "--nonsense").status == 2


def test_the_hosts_own_calls_need_no_parser() -> None:
    assert understands([])
    assert understands(["--config", "/p/.rag/config.json"])
    assert not any(map(understands, (["--help"], ["--config"], ["--config", ""], ["x"], ["-C", "/p"])))


def test_only_one_process_gets_the_worker_lock(vault: Path) -> None:
    config = str(vault / ".rag" / "config.json")
    call = ["index", "--background", "--config", config]
    lock = claim_worker(call)
    assert isinstance(lock, FileLock)
    with pytest.raises(BlockingIOError):
        claim_worker(call)
    lock.release()
    assert claim_worker(["index", "--background"]) is None
    assert claim_worker([*call[:3], str(vault / "gone" / "x.json")]) is None
    assert (vault / ".rag" / WORKER_LOCK).exists()
