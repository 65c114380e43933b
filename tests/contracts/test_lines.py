"""What an index gives of lines of descent, and of the days on which notes first came into git."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import MemoryVault
from workbench import Workbench

from docs_rag.adapters.sqlite.store import open_store
from docs_rag.core.documents import DocPath
from docs_rag.core.history.tree import Relative
from docs_rag.core.status import Status
from docs_rag.core.terms import UnicodeAnalyser

NOTES = {
    "0001-a.md": "---\nstatus: superseded by 0002, ADR-0099 and twin.md\ndate: 2024-01-02\n---\n# A\n",
    "0002-b.md": "---\nstatus: accepted\n---\n# B\n",
    "x/twin.md": "# Twin\n",
    "y/twin.md": "# Twin\n",
    "log.md": "# Log\n\n## D-001 Tea → Superseded by D-002\n\nx\n\n## D-002 Coffee\n\ny\n",
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True) as store:
        bench = Workbench(store, MemoryVault(NOTES), None)
        bench.index()
        yield bench


def relative(bench: Workbench, path: str) -> Relative:
    return bench.store.lines.relatives([DocPath(path)])[DocPath(path)]


def test_a_record_with_what_stands_beside_it(bench: Workbench) -> None:
    older, newer = relative(bench, "0001-a.md"), relative(bench, "0002-b.md")
    assert (older.status, older.title, older.date, older.date_source) == (Status.SUPERSEDED, "A", "2024-01-02", "note")
    assert older.superseded_by == older.current_end == ("0002-b.md",)
    assert newer.supersedes == ("0001-a.md",)
    assert (newer.date, newer.date_source, newer.lost) == (None, None, ())


def test_a_dead_record_ends_on_its_own_day_else_on_that_of_its_successor(tmp_path: Path) -> None:
    notes = {
        "0001-a.md": "---\nstatus: superseded by 0002\ndate: 2024-01-02\n---\n# A\n",
        "0002-b.md": "---\nstatus: superseded by 0003\ndate: 2024-05-06\nsuperseded_on: 2025-02-03\n---\n# B\n",
        "0003-c.md": "---\nstatus: accepted\ndate: 2025-01-01\n---\n# C\n",
    }
    with open_store(str(tmp_path / "other.db"), UnicodeAnalyser(), create=True) as store:
        bench = Workbench(store, MemoryVault(notes), None)
        bench.index()
        first, second, third = (relative(bench, path) for path in notes)
    assert (first.superseded_on, first.in_force_until) == (None, "2024-05-06")
    assert second.superseded_on == second.in_force_until == "2025-02-03"
    assert third.in_force_until is None


def test_references_that_lead_nowhere_or_to_no_one_in_particular_are_lost(bench: Workbench) -> None:
    assert relative(bench, "0001-a.md").lost == ("ADR-0099", "twin.md")


def test_decisions_of_a_log_are_records_like_others(bench: Workbench) -> None:
    assert relative(bench, "log.md#D-001").superseded_by == ("log.md#D-002",)
    assert relative(bench, "log.md#D-002").supersedes == ("log.md#D-001",)


def test_records_that_are_not_there_are_left_out(bench: Workbench) -> None:
    assert bench.store.lines.relatives([DocPath("gone.md")]) == {}
    assert bench.store.lines.relatives([]) == {}


def test_names_lead_to_notes_and_to_parts(bench: Workbench) -> None:
    names = set(bench.store.lines.names())
    assert {
        ("twin.md", "x/twin.md"),
        ("twin.md", "y/twin.md"),
        ("d-001", "log.md#D-001"),
        ("log.md", "log.md"),
    } <= names


def test_first_days_are_for_notes_that_have_no_date(bench: Workbench) -> None:
    days = bench.store.first_days
    undated = ["0002-b.md", "log.md", "x/twin.md", "y/twin.md"]
    assert days.unknown("") == undated
    days.put("c1", days.unknown("")[:2], {DocPath("0002-b.md"): "2023-01-02"})
    assert days.unknown("c1") == undated[2:]
    days.put("c1", days.unknown(""), {})
    assert days.unknown("") == undated[1:]
    assert days.unknown("c1") == []
    assert days.unknown("c2") == undated[1:]
    assert (relative(bench, "0002-b.md").date, relative(bench, "0002-b.md").date_source) == ("2023-01-02", "git")
    assert days.forget()
    assert not days.forget()
    assert relative(bench, "0002-b.md").date is None
    assert days.unknown("c1") == undated[:1]
