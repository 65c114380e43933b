"""Documents of other formats in an index: indexed like notes, converted once, and no question waits for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from converting import ROW, converted, odd_worker
from desks import Others
from fakes import FakeEmbedder
from workbench import START_NS, Workbench, workbench

from docs_rag.adapters.converters import CONVERTERS
from docs_rag.adapters.converters.documents import DocumentConverter
from docs_rag.app.answering import Answerer
from docs_rag.app.diagnosing import index_facts, see
from docs_rag.app.refreshing import Refresher
from docs_rag.app.searching import Searcher
from docs_rag.app.upkeep import Upkeep
from docs_rag.core.documents import DocPath
from docs_rag.core.ports import Interrupted
from docs_rag.core.terms import UnicodeAnalyser

WHALES = b"# Whales/The humpback sings for hours.|## Food/Krill and herring are what it eats."


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setitem(CONVERTERS, ".odd", ROW)
    bench = workbench(tmp_path, {"sea.odd": WHALES, "tea.md": "# Tea\n\nTea is brewed hot.\n"}, FakeEmbedder())
    converter = DocumentConverter(str(tmp_path / "converted"), bench.store.token, odd_worker(tmp_path))
    bench.converter = converter
    yield bench
    converter.close()
    bench.store.close()


def test_a_document_is_found_with_its_page(bench: Workbench) -> None:
    report = bench.index()
    assert (report.added, report.failed) == (2, ())
    hit = bench.ask("herring krill").hits[0].section
    assert (hit.path, hit.headings, hit.location) == ("sea.odd", ("Whales", "Food"), "p. 2")
    assert hit.lines == (3, 4)
    assert bench.ask("humpback sings").hits[0].section.location == "p. 1"
    assert bench.ask("brewed tea").hits[0].section.location == ""


def test_a_second_run_converts_nothing(bench: Workbench, tmp_path: Path) -> None:
    bench.vault.write("locked.odd", b"locked")
    bench.index()
    assert sorted(converted(tmp_path)) == ["locked.odd", "sea.odd"]
    reads = len(bench.vault.reads)
    report = bench.index()
    assert (report.added, report.modified, report.unchanged) == (0, 0, 2)
    assert len(converted(tmp_path)) == 2
    assert len(bench.vault.reads) == reads


def test_a_full_run_converts_all_again(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    bench.index(full=True)
    assert converted(tmp_path) == ["sea.odd", "sea.odd"]
    bench.index()
    assert len(converted(tmp_path)) == 2


def test_a_failure_is_listed_and_stops_nothing(bench: Workbench) -> None:
    for name in ("crash", "locked", "odd", "deep"):
        bench.vault.write(f"{name}.odd", name)
    report = bench.index()
    assert {each.path: each.code for each in report.failed} == {
        "crash.odd": "damaged",
        "locked.odd": "encrypted",
        "odd.odd": "damaged",
        "deep.odd": "damaged",
    }
    assert bench.paths("herring krill")[0] == "sea.odd"
    listed = bench.listed("locked.odd")
    assert not listed.indexed
    assert [(each.code, each.message) for each in listed.problems] == [("encrypted", "it has a password")]


def test_a_document_read_in_part_says_so(bench: Workbench) -> None:
    bench.vault.write("part.odd", b"Half of it? Perhaps.")
    bench.index()
    assert [(each.code, each.message) for each in bench.listed("part.odd").problems] == [("incomplete", "one")]


def test_the_title_comes_from_heading_then_metadata_then_name(bench: Workbench) -> None:
    bench.vault.write("plain.odd", b"No heading here.")
    bench.index()
    assert bench.listed("sea.odd").title == "Whales"
    assert bench.listed("plain.odd").title == "T"


def test_a_changed_document_that_fails_keeps_its_former_text(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("sea.odd", b"locked")
    report = bench.index()
    assert [each.code for each in report.failed] == ["encrypted"]
    listed = bench.listed("sea.odd")
    assert (listed.indexed, listed.stale) == (True, True)
    bench.vault.write("sea.odd", WHALES)
    bench.index()
    assert not bench.listed("sea.odd").stale


def test_a_new_version_of_the_converter_reads_documents_again(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.index()
    monkeypatch.setitem(CONVERTERS, ".odd", ROW._replace(version=2))
    assert bench.index().modified == 1
    assert len(converted(tmp_path)) == 2


def test_the_text_of_a_removed_document_goes(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    kept = tmp_path / "converted" / "sea.odd"
    assert kept.is_dir()
    bench.vault.delete("sea.odd")
    bench.vault.write("other.md", "# Other\n\nSomething else.\n")
    bench.index()
    assert not kept.exists()


def test_no_question_waits_for_a_new_document(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    bench.vault.write("seal.odd", b"# Seals/The walrus dives for clams.")
    bench.seconds += 10
    answer = bench.ask("walrus clams")
    assert "seal.odd" not in [hit.section.path for hit in answer.hits]
    assert answer.index.pending == 1
    assert any("documents of other formats" in notice for notice in answer.notices)
    assert converted(tmp_path) == ["sea.odd"]
    assert bench.refresher is not None
    assert bench.refresher.convert_one(lambda: True)
    assert not bench.refresher.convert_one(lambda: True)
    bench.seconds += 10
    assert bench.paths("walrus clams")[0] == "seal.odd"


def test_a_conversion_between_questions_gives_way(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("slow.odd", b"hang")
    bench.seconds += 10
    bench.ask("walrus")
    assert bench.refresher is not None
    with pytest.raises(Interrupted):
        bench.refresher.convert_one(lambda: False)
    assert bench.refresher.unread == 1


def test_a_document_that_waits_is_no_section_without_a_vector(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("new.odd", b"# Seals/The walrus dives for clams.")
    bench.seconds += 10
    found = bench.ask("tea")
    assert (bool(found.hits), found.index.embedded == found.index.chunks, found.index.pending) == (True, True, 1)
    refused = bench.ask("completely different question")
    assert refused.message
    for answer in (found, refused):
        assert not any("by meaning" in said for said in (answer.message, *answer.notices))


def test_a_document_that_is_known_to_fail_is_no_pending_work(bench: Workbench) -> None:
    bench.vault.write("locked.odd", b"locked")
    bench.index()
    bench.seconds += 10
    assert bench.ask("tea").index.pending == 0


def test_documents_read_in_the_moment_of_their_change_are_no_pending_work(bench: Workbench, tmp_path: Path) -> None:
    bench.vault.write("sea.odd", WHALES, mtime_ns=START_NS)
    bench.vault.write("locked.odd", b"locked", mtime_ns=START_NS)
    bench.index()
    for _ in range(2):
        bench.seconds += 10
        answer = bench.ask("herring krill")
        assert (answer.index.pending, answer.notices) == (0, ())
    assert sorted(converted(tmp_path)) == ["locked.odd", "sea.odd"]
    bench.vault.files["sea.odd"] = WHALES.replace(b"Krill", b"Squid")  # under the same stamp
    bench.seconds += 10
    answer = bench.ask("brewed tea")
    assert answer.index.pending == 1
    assert any("documents of other formats that are new or changed: 1" in notice for notice in answer.notices)


def test_a_failure_is_known_by_its_stamp_once_that_proves_it(bench: Workbench) -> None:
    bench.vault.write("locked.odd", b"locked", mtime_ns=START_NS)
    bench.index()
    bench.vault.mtimes["locked.odd"] = 1
    bench.index()
    reads = len(bench.vault.reads)
    facts = index_facts("/index.db", bench.store, bench.own_make(), see(bench.vault))
    assert (facts.changed, facts.failed) == (0, ("locked.odd: it has a password",))
    report = bench.index()
    assert [each.code for each in report.failed] == ["encrypted"]
    assert len(bench.vault.reads) == reads


def rename(bench: Workbench, old: str, new: str) -> None:
    bench.vault.write(new, bench.vault.files[old], mtime_ns=bench.vault.mtimes[old])
    bench.vault.delete(old)


def test_case_21_a_renamed_document_is_found_at_once_and_not_converted_again(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    rename(bench, "sea.odd", "deep/ocean.odd")
    bench.seconds += 10
    answer = bench.ask("herring krill")
    assert [(hit.section.path, hit.section.location) for hit in answer.hits] == [("deep/ocean.odd", "p. 2")]
    assert answer.notices == ()
    rename(bench, "deep/ocean.odd", "sea.odd")
    report = bench.index()
    assert (report.added, report.removed, report.failed) == (1, 1, ())
    assert converted(tmp_path) == ["sea.odd"]
    assert [path.name for path in (tmp_path / "converted").rglob("*.odd")] == ["sea.odd"]


def test_another_document_in_the_place_of_one_that_is_gone_is_converted(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    rename(bench, "sea.odd", "seal.odd")
    bench.vault.files["seal.odd"] = WHALES.replace(b"humpback", b"porpoise")
    bench.index()
    assert bench.paths("porpoise sings") == ["seal.odd"]
    assert sorted(converted(tmp_path)) == ["sea.odd", "seal.odd"]


def test_a_document_whose_clock_alone_moved_on_does_not_wait(bench: Workbench, tmp_path: Path) -> None:
    bench.vault.write("locked.odd", b"locked")
    bench.index()
    bench.vault.write("sea.odd", WHALES)
    bench.vault.write("locked.odd", b"locked")
    bench.seconds += 10
    assert (bench.ask("brewed tea").index.pending, bench.ask("brewed tea").notices) == (0, ())
    assert len(converted(tmp_path)) == 2


def test_what_a_new_companion_says_counts_with_the_next_question(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    bench.vault.write("sea.odd.md", "---\nstatus: archived\n---\n\nOld.\n")
    bench.seconds += 10
    assert bench.ask("brewed tea").index.pending == 0
    assert bench.listed("sea.odd").status == "archived"
    assert len(converted(tmp_path)) == 1


def test_a_cited_document_that_changed_is_converted_at_once(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("sea.odd", b"# Whales/The humpback is silent.")
    bench.seconds += 10
    answer = bench.ask("humpback")
    assert "silent" in answer.hits[0].text
    assert bench.refresher is not None
    assert bench.refresher.unread == 0


def test_without_a_converter_such_a_file_is_read_as_a_note(bench: Workbench) -> None:
    bench.converter = None
    bench.vault.delete("sea.odd")
    bench.vault.write("plain.odd", "# Plain\n\nThe walrus dives.\n")
    bench.index()
    assert bench.store.notes.digest(DocPath("plain.odd")) is not None
    assert bench.paths("walrus")[0] == "plain.odd"


def rounds(bench: Workbench, may_go_on: Callable[[], bool]) -> list[bool]:
    """Upkeep until there is no more to do, five rounds at most: for each whether another one was due."""
    upkeep = Upkeep(may_go_on)
    done: list[bool] = []
    searcher = Searcher(bench.store, None, UnicodeAnalyser(), bench.rules)
    refresher = Refresher(
        bench.vault, bench.store, None, automatic=True, converter=bench.converter, clock=lambda: bench.seconds
    )
    while len(done) < 5 and (not done or done[-1]):
        bench.seconds += 10
        done.append(upkeep.round(bench.store, Answerer(searcher, refresher), None, Others()))
    return done


def test_a_server_converts_between_questions(bench: Workbench, tmp_path: Path) -> None:
    bench.index()
    for name in ("seal", "crab"):
        bench.vault.write(f"{name}.odd", f"# {name}/It dives for clams.".encode())
    assert rounds(bench, lambda: True) == [True, True, False]
    assert sorted(converted(tmp_path)) == ["crab.odd", "sea.odd", "seal.odd"]
    assert bench.store.notes.digest(DocPath("crab.odd")) is not None


def test_a_server_goes_on_with_a_conversion_that_gave_way(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("slow.odd", b"hang")
    answers = iter([False, False])
    assert rounds(bench, lambda: next(answers, False))[:2] == [True, True]
