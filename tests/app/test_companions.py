"""Notes and tables that speak for documents: states, successors, dates and tags as if the document could say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from converting import ROW, converted, odd_worker
from reading import read
from workbench import START_NS, Workbench, workbench

from docs_rag.adapters.converters import CONVERTERS
from docs_rag.adapters.converters.documents import DocumentConverter
from docs_rag.app.intake import Intake
from docs_rag.core.documents import DocPath
from docs_rag.core.labels import standing
from docs_rag.core.status import Status
from docs_rag.errors import NotThere

V1 = b"# Pump manual/The pump is oiled monthly."
V2 = b"# Pump manual 2/The pump is oiled weekly."
SUPERSEDED = (
    "---\nstatus: superseded\nsuperseded_by: v2.odd\ndate: 2026-01-02\ntags: [pumps]\n---\nKept for the warranty.\n"
)
TABLE = (
    "---\ndocuments:\n  v1.odd:\n    status: superseded\n    superseded_by: v2.odd\n---\n# Manuals\n\nAll of them.\n"
)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setitem(CONVERTERS, ".odd", ROW)
    bench = workbench(tmp_path, {"man/v1.odd": V1, "man/v2.odd": V2}, None)
    converter = DocumentConverter(str(tmp_path / "converted"), bench.store.token, odd_worker(tmp_path))
    bench.converter = converter
    yield bench
    converter.close()
    bench.store.close()


def test_a_companion_says_what_became_of_its_document(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    assert bench.listed("man/v1.odd").status is Status.CURRENT
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.index()
    listed = bench.listed("man/v1.odd")
    assert (listed.status, listed.superseded_by, listed.date) == (Status.SUPERSEDED, ("man/v2.odd",), "2026-01-02")
    assert (listed.title, listed.problems) == ("Pump manual", ())
    assert bench.paths("pump oiled") == ["man/v2.odd"]
    assert bench.paths("pump oiled", search_all=True, tags=("pumps",))[0] == "man/v1.odd"
    assert len(converted(tmp_path)) == 2
    bench.vault.delete("man/v1.odd.md")
    bench.index()
    assert bench.listed("man/v1.odd").status is Status.CURRENT


def test_a_change_of_the_companion_counts_with_the_next_question(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.seconds += 10
    assert bench.paths("pump oiled") == ["man/v2.odd"]
    assert len(converted(tmp_path)) == 2


def test_a_claim_of_the_newer_ones_companion_counts_once(bench: Workbench) -> None:
    bench.vault.write("man/v2.odd.md", "---\nsupersedes: v1.odd\n---\nWeekly since the accident.\n")
    bench.index()
    assert bench.listed("man/v1.odd").superseded_by == ("man/v2.odd",)
    assert bench.listed("man/v2.odd").supersedes == ("man/v1.odd",)
    assert bench.listed("man/v2.odd.md").supersedes == ()
    assert bench.paths("accident") == ["man/v2.odd.md"]


def test_a_companion_that_came_before_its_document_claims_nothing_afterwards(bench: Workbench) -> None:
    bench.vault.delete("man/v2.odd")
    bench.vault.write("man/v2.odd.md", "---\nsupersedes: v1.odd\n---\nWeekly since the accident.\n")
    bench.index()
    assert bench.listed("man/v1.odd").superseded_by == ("man/v2.odd.md",)
    bench.vault.write("man/v2.odd", V2)
    bench.index()
    assert bench.listed("man/v1.odd").superseded_by == ("man/v2.odd",)


def test_a_link_to_a_document_means_the_document(bench: Workbench) -> None:
    bench.vault.write("man/v2.odd.md", "---\nstatus: accepted\n---\nNotes.\n")
    bench.vault.write("log.md", "---\nstatus: superseded\nsuperseded_by: '[[v2.odd]]'\n---\nOld.\n")
    bench.index()
    listed = bench.listed("log.md")
    assert (listed.superseded_by, listed.problems) == (("man/v2.odd",), ())


def test_a_table_in_the_readme_does_the_same(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    bench.vault.write("man/README.md", TABLE)
    bench.index()
    listed = bench.listed("man/v1.odd")
    assert (listed.status, listed.superseded_by) == (Status.SUPERSEDED, ("man/v2.odd",))
    bench.vault.write("man/README.md", "# Manuals\n\nAll of them.\n")
    bench.index()
    assert bench.listed("man/v1.odd").status is Status.CURRENT
    assert len(converted(tmp_path)) == 2


def test_a_companion_goes_before_the_table(bench: Workbench) -> None:
    bench.vault.write("man/README.md", TABLE)
    bench.vault.write("man/v1.odd.md", "---\nstatus: rejected\n---\n")
    bench.index()
    assert bench.listed("man/v1.odd").status is Status.REJECTED


def test_a_table_that_is_gone_says_nothing_any_more(bench: Workbench) -> None:
    bench.vault.write("man/README.md", TABLE)
    bench.index()
    bench.vault.delete("man/README.md")
    bench.seconds += 10
    assert bench.paths("pump oiled monthly")[0] == "man/v1.odd"
    assert bench.listed("man/v1.odd").status is Status.CURRENT


def test_a_companion_whose_document_is_gone_is_a_note_again(bench: Workbench) -> None:
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.index()
    assert bench.listed("man/v1.odd.md").status is Status.ARCHIVED
    bench.vault.delete("man/v1.odd")
    bench.seconds += 10
    bench.ask("pump oiled")
    listed = bench.listed("man/v1.odd.md")
    assert (listed.status, listed.superseded_by) == (Status.SUPERSEDED, ("man/v2.odd",))


def stopped(bench: Workbench, *paths: str) -> None:
    """A run that takes these in, or forgets them, and is killed before it has come to what they speak for."""
    intake = Intake(bench.vault, bench.store, now_ns=lambda: START_NS, converter=bench.converter)
    for path in map(DocPath, paths):
        if bench.vault.stamp(path) is None:
            intake.forget(path)
        else:
            intake.take(path)


def test_what_a_table_says_counts_after_a_run_that_was_stopped(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("man/README.md", TABLE)
    stopped(bench, "man/README.md")
    bench.index()
    assert bench.listed("man/v1.odd").status is Status.SUPERSEDED
    bench.vault.delete("man/README.md")
    stopped(bench, "man/README.md")
    bench.ask("pump oiled")
    assert bench.listed("man/v1.odd").status is Status.CURRENT


def test_a_companion_hears_of_its_document_after_a_run_that_was_stopped(bench: Workbench) -> None:
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.index()
    bench.vault.delete("man/v1.odd")
    stopped(bench, "man/v1.odd")
    bench.index()
    assert bench.listed("man/v1.odd.md").status is Status.SUPERSEDED
    bench.vault.write("man/v1.odd", V1)
    stopped(bench, "man/v1.odd")
    bench.index()
    assert bench.listed("man/v1.odd.md").status is Status.ARCHIVED


def test_a_companion_is_a_note_again_when_documents_are_asked_for_no_more(bench: Workbench) -> None:
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.index()
    bench.vault.delete("man/v1.odd")
    converter, bench.converter = bench.converter, None
    bench.index()
    assert bench.listed("man/v1.odd.md").status is Status.SUPERSEDED
    bench.converter = converter


def test_case_21_nothing_is_listed_of_a_companion_that_was_taken_back(bench: Workbench) -> None:
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.index()
    bench.vault.delete("man/v1.odd.md")
    intake = Intake(bench.vault, bench.store, converter=bench.converter)
    intake.take(DocPath("man/v1.odd.md"))  # as a command does that has changed it
    bench.seconds += 10
    bench.ask("pump oiled")
    assert [each.path for each in bench.store.notes.listing()] == ["man/v1.odd", "man/v2.odd"]


def test_a_reader_hears_the_companion_even_where_the_index_knows_nothing_of_it(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.store.writable = False
    found = read(bench, "man/v1.odd")
    assert not found.index_is_current
    assert standing(found.record).startswith("SUPERSEDED")
    bench.store.writable = True
    found = read(bench, "man/v1.odd")
    assert found.index_is_current
    assert standing(found.record) == "SUPERSEDED: no longer in force, replaced by man/v2.odd"


def test_a_reader_hears_the_table_too(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("man/README.md", TABLE)
    bench.vault.write("man/v1.odd", V1)
    bench.store.writable = False
    assert standing(read(bench, "man/v1.odd").record).startswith("SUPERSEDED")


def test_case_21_a_companion_never_stands_in_for_its_document(bench: Workbench) -> None:
    bench.vault.write("man/v1.odd.md", SUPERSEDED)
    bench.index()
    bench.vault.delete("man/v1.odd")
    bench.seconds += 10
    for typed in ("man/v1.odd", "man/v1.odd#0@96667e", "man/v1.odd:1"):
        with pytest.raises(NotThere, match=r"there is no note 'man/v1.odd'") as missing:
            read(bench, typed)
        assert "man/v1.odd.md" in missing.value.hint
