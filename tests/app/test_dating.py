"""Dates of notes that have none of their own: from the first commit, asked as seldom as can be."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from fakes import MemoryVault
from workbench import Workbench

from docs_rag.adapters.sqlite.store import open_store
from docs_rag.app.intake import Intake
from docs_rag.core.documents import DocPath
from docs_rag.core.listing import ListedNote
from docs_rag.core.terms import UnicodeAnalyser


class FakeOrigins:
    """A history that is told to the test: which notes it was asked for."""

    def __init__(self, **days: str) -> None:
        self.days = {DocPath(f"{name}.md"): day for name, day in days.items()}
        self.commit = "c1"
        self.warning = ""
        self.versions_asked = 0
        self.asked: list[list[str]] = []

    def version(self) -> str:
        self.versions_asked += 1
        return self.commit

    def first_days(self, paths: Collection[DocPath]) -> dict[DocPath, str]:
        self.asked.append(sorted(paths))
        return {path: self.days[path] for path in paths if path in self.days}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True) as store:
        yield Workbench(store, MemoryVault({}), None)


def note(bench: Workbench, name: str) -> ListedNote:
    return next(each for each in bench.store.notes.listing() if each.path == f"{name}.md")


def dated(bench: Workbench, name: str) -> tuple[str | None, str | None]:
    found = note(bench, name)
    return found.date, found.date_source


def test_only_notes_without_a_date_are_asked_for(bench: Workbench) -> None:
    bench.vault.write("own.md", "---\ndate: 2024-01-02\n---\n# Own\n")
    bench.vault.write("2024-03-04-named.md", "# Named\n")
    bench.vault.write("plain.md", "# Plain\n")
    origins = bench.origins = FakeOrigins(plain="2023-05-06", own="2020-01-01")
    bench.index()
    assert origins.asked == [["plain.md"]]
    assert dated(bench, "own") == ("2024-01-02", "note")
    assert dated(bench, "2024-03-04-named") == ("2024-03-04", "note")
    assert dated(bench, "plain") == ("2023-05-06", "git")


class SlowOrigins(FakeOrigins):
    """Another process takes a note in while git is asked for others."""

    def __init__(self, bench: Workbench, **days: str) -> None:
        super().__init__(**days)
        self.bench = bench

    def first_days(self, paths: Collection[DocPath]) -> dict[DocPath, str]:
        self.bench.vault.write("late.md", "# Late\n")
        Intake(self.bench.vault, self.bench.store).take(DocPath("late.md"))
        return super().first_days(paths)


def test_a_note_that_came_while_git_was_asked_for_others_is_asked_for_by_the_next_run(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n")
    origins = bench.origins = SlowOrigins(bench, plain="2023-05-06", late="2023-07-08")
    bench.index()
    assert dated(bench, "late") == (None, None)
    bench.index()
    assert dated(bench, "late") == ("2023-07-08", "git")
    assert origins.asked == [["plain.md"], ["late.md"]]


def test_a_vault_whose_notes_all_have_dates_never_asks(bench: Workbench) -> None:
    bench.vault.write("own.md", "---\ndate: 2024-01-02\n---\n# Own\n")
    origins = bench.origins = FakeOrigins()
    bench.index()
    assert (origins.versions_asked, origins.asked) == (0, [])


def test_a_run_with_nothing_new_asks_for_the_version_at_most(bench: Workbench) -> None:
    bench.vault.write("old.md", "# Old\n")
    bench.vault.write("draft.md", "# Not committed\n")
    origins = bench.origins = FakeOrigins(old="2023-05-06")
    bench.index()
    bench.vault.write("draft.md", "# Not committed, but changed\n")
    bench.index()
    assert (origins.versions_asked, len(origins.asked)) == (2, 1)
    origins.days[DocPath("draft.md")] = "2024-01-01"
    origins.commit = "c2"
    bench.index()
    assert origins.asked[1:] == [["draft.md"]], "what has its date is not asked for again"
    bench.index()
    assert origins.versions_asked == 3, "no note lacks a date any more"
    assert dated(bench, "draft") == ("2024-01-01", "git")


def test_a_new_note_is_asked_for_at_the_same_version_too(bench: Workbench) -> None:
    bench.vault.write("old.md", "# Old\n")
    origins = bench.origins = FakeOrigins(new="2023-05-06")
    bench.index()
    bench.vault.write("new.md", "# Was left out before\n")
    bench.index()
    assert dated(bench, "new") == ("2023-05-06", "git")
    assert len(origins.asked) == 2


def test_a_date_of_its_own_goes_first_and_leaves_the_other_behind(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n")
    bench.origins = FakeOrigins(plain="2023-05-06")
    bench.index()
    bench.vault.write("plain.md", "---\ndate: 2024-01-02\n---\n# Plain\n")
    bench.index()
    assert dated(bench, "plain") == ("2024-01-02", "note")
    bench.vault.write("plain.md", "# Plain again\n")
    bench.index()
    assert dated(bench, "plain") == ("2023-05-06", "git")


def test_a_question_asks_no_history_and_keeps_what_is_known(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n\nTea is hot.\n")
    origins = bench.origins = FakeOrigins(plain="2023-05-06", new="2024-01-01")
    bench.index()
    bench.vault.write("plain.md", "# Plain\n\nTea is very hot.\n")
    bench.vault.write("new.md", "# New\n\nTea is cold.\n")
    hits = {hit.section.path: hit.section for hit in bench.ask("tea").hits}
    assert (hits[DocPath("plain.md")].date, hits[DocPath("plain.md")].date_source) == ("2023-05-06", "git")
    assert (hits[DocPath("new.md")].date, hits[DocPath("new.md")].date_source) == (None, None)
    assert (origins.versions_asked, len(origins.asked)) == (1, 1)


def test_turned_off_the_dates_go(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n")
    bench.origins = FakeOrigins(plain="2023-05-06")
    bench.index()
    bench.origins = None
    bench.index()
    assert dated(bench, "plain") == (None, None)
    bench.origins = FakeOrigins(plain="2023-05-06")
    bench.index()
    assert dated(bench, "plain") == ("2023-05-06", "git")


def test_the_successors_first_commit_dates_the_supersession(bench: Workbench) -> None:
    bench.vault.write("old.md", "---\nstatus: superseded by new.md\n---\n# Old\n")
    bench.vault.write("new.md", "---\nstatus: accepted\n---\n# New\n")
    bench.index()
    assert note(bench, "old").superseded_on is None
    bench.origins = FakeOrigins(old="2023-05-06", new="2024-01-01")
    bench.index()
    assert (note(bench, "old").superseded_on, dated(bench, "old")) == ("2024-01-01", ("2023-05-06", "git"))


def test_the_records_own_word_on_its_end_goes_before_the_first_commits(bench: Workbench) -> None:
    bench.vault.write("old.md", "---\nstatus: superseded by new.md\nsuperseded_on: 2022-02-02\n---\n# Old\n")
    bench.vault.write("new.md", "---\nstatus: accepted\n---\n# New\n")
    bench.origins = FakeOrigins(old="2023-05-06", new="2024-01-01")
    bench.index()
    old = note(bench, "old")
    assert (old.superseded_on, old.date) == ("2022-02-02", None), "it was there before it came into this repository"


def test_a_first_commit_dates_no_decision_of_a_log(bench: Workbench) -> None:
    bench.vault.write(
        "log.md", "# Decisions\n\n## D-001 Tea\n\nStatus: accepted\n\n## D-002 Cups\n\nStatus: accepted\n"
    )
    bench.origins = FakeOrigins(log="2023-05-06")
    bench.index()
    dates = {each.path: each.date for each in bench.store.notes.listing()}
    assert dates == {"log.md": "2023-05-06", "log.md#D-001": None, "log.md#D-002": None}


def test_the_warning_reaches_the_report_and_is_not_repeated(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n")
    origins = bench.origins = FakeOrigins()
    origins.warning = "a shallow clone"
    assert bench.index().warnings == ("a shallow clone",)
    assert bench.index().warnings == ()


def test_what_stands_in_the_way_of_the_version_is_told_each_time(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n")
    origins = bench.origins = FakeOrigins(plain="2023-05-06")
    origins.commit, origins.warning = "", "git does not trust it"
    assert bench.index().warnings == bench.index().warnings == ("git does not trust it",)
    origins.commit, origins.warning = "c1", ""
    bench.index()
    assert dated(bench, "plain") == ("2023-05-06", "git")


def test_new_dates_count_as_a_change_of_the_index(bench: Workbench) -> None:
    bench.vault.write("plain.md", "# Plain\n")
    bench.index()
    bench.store.set_updated_at("before")
    bench.origins = FakeOrigins()
    bench.index()
    assert bench.store.updated_at() == "before"
    origins = bench.origins = FakeOrigins(plain="2023-05-06")
    origins.commit = "c2"
    bench.index()
    assert bench.store.updated_at() != "before"
