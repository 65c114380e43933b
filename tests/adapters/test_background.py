"""Marks, log and records of the background runs, as files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_rag.adapters.background.log import open_log
from docs_rag.adapters.background.marks import Marks
from docs_rag.adapters.background.records import RunRecords, read_state_file, replace_state_file
from docs_rag.core.hookfiles import EDITS, EDITS_IN_WORK, LOG, MOST_LOG_BYTES, OUTCOME
from docs_rag.core.hookstate import following

posix = pytest.mark.skipif(os.name != "posix", reason="needs links and modes")
RUN = following(None, at="2026-11-30T09:00:00Z", ok=True, message="1 added")


def test_an_edit_waits_until_a_run_has_taken_it_in(tmp_path: Path) -> None:
    marks = Marks(str(tmp_path))
    assert (marks.is_set(), marks.is_new(), marks.take()) == (False, False, [])
    marks.mark("/v/a.md")
    marks.mark("/v/b.md")
    marks.mark("/v/a.md")
    assert (marks.is_set(), marks.is_new()) == (True, True)
    assert marks.take() == ["/v/a.md", "/v/b.md"]
    assert (marks.is_set(), marks.is_new()) == (True, False)
    marks.mark("/v/c.md")
    marks.done()
    assert (marks.is_set(), marks.is_new()) == (True, True)
    assert marks.take() == ["/v/c.md"]
    marks.done()
    marks.done()
    assert not marks.is_set()


def test_what_a_killed_run_had_taken_over_still_waits(tmp_path: Path) -> None:
    Marks(str(tmp_path)).mark("/v/a.md")
    Marks(str(tmp_path)).take()
    after = Marks(str(tmp_path))
    assert after.is_set()
    assert after.take() == ["/v/a.md"]


def test_a_mark_is_a_line_whatever_the_path(tmp_path: Path) -> None:
    marks = Marks(str(tmp_path))
    marks.mark("/v/a\nb\udcff.md" + "x" * 10_000)
    assert len(marks.take()) == 1


def test_a_mark_does_not_grow_without_end(tmp_path: Path) -> None:
    (tmp_path / EDITS).write_bytes(b"x" * 1_000_000)
    Marks(str(tmp_path)).mark("/v/a.md")
    assert (tmp_path / EDITS).stat().st_size == 1_000_000


@posix
def test_neither_marks_nor_log_follow_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("keep", encoding="utf-8")
    for name in (EDITS, EDITS_IN_WORK, LOG, OUTCOME):
        (tmp_path / name).symlink_to(precious)
    marks = Marks(str(tmp_path))
    with pytest.raises(OSError, match="symbolic"):
        marks.mark("/v/a.md")
    with pytest.raises(OSError, match="symbolic"):
        open_log(str(tmp_path))
    RunRecords(str(tmp_path)).log("a line")
    assert RunRecords(str(tmp_path)).last()[0] is None
    assert marks.take() == []
    RunRecords(str(tmp_path)).keep(RUN)
    assert precious.read_text(encoding="utf-8") == "keep"
    assert not (tmp_path / OUTCOME).is_symlink()


@posix
def test_a_fifo_in_their_place_keeps_nobody_waiting(tmp_path: Path) -> None:
    for name in (EDITS, LOG, OUTCOME):
        os.mkfifo(tmp_path / name)
    with pytest.raises(OSError, match=r"No such device|not a regular file"):
        Marks(str(tmp_path)).mark("/v/a.md")
    RunRecords(str(tmp_path)).log("a line")
    assert read_state_file(str(tmp_path), OUTCOME) is None


@posix
def test_all_files_are_the_users_own(tmp_path: Path) -> None:
    Marks(str(tmp_path)).mark("/v/a.md")
    RunRecords(str(tmp_path)).keep(RUN)
    RunRecords(str(tmp_path)).log("a line")
    assert {place.name: place.stat().st_mode & 0o777 for place in tmp_path.iterdir()} == dict.fromkeys(
        (EDITS, OUTCOME, LOG), 0o600
    )


def test_the_last_outcome_is_kept_with_its_time(tmp_path: Path) -> None:
    records = RunRecords(str(tmp_path))
    assert records.last() == (None, 0.0)
    records.keep(RUN)
    run, written = records.last()
    assert run == RUN
    assert written == (tmp_path / OUTCOME).stat().st_mtime


def test_a_file_that_cannot_be_replaced_stays(tmp_path: Path) -> None:
    (tmp_path / OUTCOME).mkdir()
    with pytest.raises(OSError, match=r"."):
        replace_state_file(str(tmp_path), OUTCOME, b"x")
    assert [place.name for place in tmp_path.iterdir()] == [OUTCOME]


def test_the_log_is_bounded(tmp_path: Path) -> None:
    records = RunRecords(str(tmp_path))
    for number in range(10):
        records.log(f"{number} " + "x\n" * (MOST_LOG_BYTES // 8))
    assert (tmp_path / LOG).stat().st_size < 2 * MOST_LOG_BYTES
    assert (tmp_path / LOG).read_text(encoding="utf-8").splitlines()[-1].startswith("9 ")


def test_a_folder_that_is_gone_costs_no_log_line_its_run(tmp_path: Path) -> None:
    RunRecords(str(tmp_path / "gone")).log("a line")
    assert read_state_file(str(tmp_path / "gone"), OUTCOME) is None
