"""Answers follow the files without anybody running `index`."""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import START_NS, Workbench, benches, note

from docs_rag.adapters.sqlite.graph import GraphRows
from docs_rag.adapters.sqlite.store import open_store
from docs_rag.app.answering import Answerer
from docs_rag.app.intake import Intake, Taken
from docs_rag.app.refreshing import UNSETTLED, Refresher
from docs_rag.app.searching import NOTHING_BEFORE, Searcher
from docs_rag.app.wording import Before
from docs_rag.core.answers import Answer
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.queries import Query
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.succession import Record
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.errors import Busy

Bench = Callable[..., Workbench]
LIGHTHOUSE = "# Keepers\n\nlighthouse keepers sleep at noon\n"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with benches(tmp_path) as make:
        yield lambda files: make(files, FakeEmbedder())


def test_a_note_marked_superseded_is_gone_from_the_next_answer(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE, "b.md": "# B\n\nbread is baked\n"})
    assert the.paths("lighthouse keepers sleep") == ["a.md"]
    the.vault.write("a.md", note(LIGHTHOUSE, status="superseded", superseded_by="b.md"))
    answer = the.ask("lighthouse keepers sleep")
    assert answer.hits == (), "although the last walk is younger than two seconds"
    assert [record.path for record in answer.hidden_records] == ["a.md"]


def test_new_and_deleted_notes_are_taken_in_with_the_next_walk(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE, "x.md": "# X\n\nx\n", "y.md": "# Y\n\ny\n"})
    the.ask("anything")
    the.vault.write("new.md", "# New\n\nzebras graze near the lighthouse\n")
    the.vault.delete("x.md")
    the.seconds = 3.0
    assert "new.md" in the.paths("zebras graze near the lighthouse")
    assert the.store.lookup.counts()[0] == 3


def test_case_21_a_deleted_note_is_dropped_with_a_notice(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE, "b.md": "# B\n\nlighthouse keepers wake\n"})
    the.automatic = False
    the.vault.delete("a.md")
    answer = the.ask("lighthouse keepers")
    assert [hit.section.path for hit in answer.hits] == ["b.md"]
    assert any("a.md was left out" in notice for notice in answer.notices)


def test_lines_follow_an_edit_above_the_section(bench: Bench) -> None:
    the = bench({"a.md": "# Top\n\nwords of the head of this note\n\n## Keepers\n\nlighthouse keepers sleep at noon\n"})
    the.automatic = False
    before = the.ask("lighthouse keepers sleep at noon").hits[0].section.lines
    the.vault.write(
        "a.md",
        "# Top\n\nwords of the head of this note\n\nand more\n\n## Keepers\n\nlighthouse keepers sleep at noon\n",
    )
    after = the.ask("lighthouse keepers sleep at noon").hits[0].section.lines
    assert after == (before[0] + 2, before[1] + 2)


def test_a_successor_that_fell_in_the_meantime_does_not_answer(bench: Bench) -> None:
    the = bench({
        "old.md": note("# Old\n\nlighthouse keepers sleep at noon", superseded_by="new.md"),
        "new.md": "# New\n\nlighthouse keepers sleep at dusk\n",
    })  # fmt: skip
    the.automatic = False
    assert the.paths("lighthouse keepers sleep at noon") == ["new.md"]
    the.vault.write("new.md", note("# New\n\nlighthouse keepers sleep at dusk", status="archived"))
    assert the.paths("lighthouse keepers sleep at noon") == []


def test_an_edited_section_gets_its_vector_before_the_answer(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE})
    the.seconds = 3.0
    the.vault.write("a.md", "# Keepers\n\nzebras graze near the harbour\n")
    (hit,) = the.ask("zebras graze near the harbour").hits
    assert hit.label == "both"


def test_a_vault_that_vanished_keeps_its_index_and_says_so(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE})
    the.vault.missing = True
    answer = the.ask("lighthouse keepers")
    assert any("the vault is missing" in notice for notice in answer.notices)
    assert the.store.lookup.counts()[0] == 1
    the.vault.missing, the.vault.files = False, {}
    the.seconds = 3.0
    answer = the.ask("lighthouse keepers")
    assert answer.hits == ()
    assert the.store.lookup.counts()[0] == 1


def test_what_there_was_no_time_to_read_is_counted_and_read_later(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE})
    for n in range(5):
        the.vault.write(f"n{n}.md", f"# N{n}\n\nzebra{n} grazes near harbour{n}\n")
    ticks = iter([x * 0.1 for x in range(20, 2000)])
    the.refresher = Refresher(the.vault, the.store, the.embedder, automatic=True, clock=lambda: next(ticks))
    first = the.ask("anything").index.pending
    assert first > 0
    for _ in range(25):
        the.ask("anything")
    assert the.ask("anything").index.pending == 0


def test_without_auto_refresh_only_the_files_of_the_answer_are_looked_at(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE})
    the.automatic = False
    the.vault.write("new.md", "# New\n\nlighthouse keepers sleep at night\n")
    assert the.paths("lighthouse keepers") == ["a.md"]


def test_case_43_a_long_writer_holds_up_no_question(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE, "b.md": "# B\n\nlighthouse keepers wake\n"})
    with sqlite3.connect(the.store.path, isolation_level=None) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE notes SET title = title")
        assert set(the.paths("lighthouse keepers")) == {"a.md", "b.md"}
        the.vault.write("a.md", note(LIGHTHOUSE, status="archived"))
        the.seconds = 3.0
        answer = the.ask("lighthouse keepers")
        assert [hit.section.path for hit in answer.hits] == ["b.md"], "what cannot be written down may not answer"
        assert any("another process is writing" in notice for notice in answer.notices)
        writer.execute("ROLLBACK")
    writer.close()
    the.seconds = 6.0
    answer = the.ask("lighthouse keepers")
    assert [record.path for record in answer.hidden_records] == ["a.md"]
    assert answer.notices == ()


@pytest.mark.parametrize("automatic", [True, False])
def test_an_answer_quotes_nothing_of_a_vault_that_was_swept(bench: Bench, automatic: bool) -> None:
    the = bench({f"n{n}.md": f"# N{n}\n\nthe zebra number{n} walks\n" for n in range(60)})
    the.automatic = automatic
    for n in range(59):
        the.vault.delete(f"n{n}.md")
    assert set(the.paths("the zebra walks")) <= {"n59.md"}
    the.vault.files = {}
    assert the.paths("the zebra walks") == []


def test_an_answer_quotes_nothing_of_a_vault_that_was_rewritten(bench: Bench) -> None:
    the = bench({f"n{n}.md": f"# N{n}\n\nthe zebra number{n} walks\n" for n in range(60)})
    the.automatic = False
    for n in range(60):
        the.vault.write(f"n{n}.md", note(f"# N{n}\n\nthe zebra number{n} walks", status="superseded"))
    assert the.ask("the zebra walks").hits == ()


def test_a_folder_that_was_renamed_is_found_under_its_new_name(bench: Bench) -> None:
    the = bench({f"a/n{n}.md": f"# N{n}\n\nthe zebra number{n} walks\n" for n in range(10)})
    for n in range(10):
        the.vault.write(f"b/n{n}.md", the.vault.files[f"a/n{n}.md"])
        the.vault.delete(f"a/n{n}.md")
    answer = the.ask("the zebra walks")
    assert answer.hits and all(hit.section.path.startswith("b/") for hit in answer.hits)
    assert the.store.lookup.counts()[0] == 10


def test_case_24_notes_below_a_folder_that_cannot_be_listed_stay(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE, "sec/x.md": "# X\n\nzebras graze\n", "b.md": "# B\n\nb\n"})
    the.vault.delete("sec/x.md")
    the.vault.skipped = [Skipped(DocPath("sec"), "unreadable", "permission denied")]
    the.ask("lighthouse keepers")
    assert the.store.lookup.counts()[0] == 3


GARDEN = StatusRules(words={"compost": Status.ARCHIVED})


def test_other_status_rules_count_with_the_next_question(bench: Bench) -> None:
    the = bench({"a.md": note(LIGHTHOUSE, status="compost"), "b.md": "# B\n\nlighthouse keepers wake\n"})
    assert set(the.paths("lighthouse keepers")) == {"a.md", "b.md"}
    assert the.under(GARDEN).paths("lighthouse keepers") == ["b.md"]
    assert the.ask("lighthouse keepers").notices == ()
    assert set(the.under(PLAIN).paths("lighthouse keepers")) == {"a.md", "b.md"}


def test_rules_without_auto_refresh_change_nothing_but_are_told(bench: Bench) -> None:
    the = bench({"a.md": note(LIGHTHOUSE, status="compost"), "b.md": "# B\n\nlighthouse keepers wake\n"})
    the.automatic = False
    answer = the.under(GARDEN).ask("lighthouse keepers")
    assert {hit.section.path for hit in answer.hits} == {"a.md", "b.md"}
    assert any("other status rules" in notice and "docs-rag index" in notice for notice in answer.notices)
    the.vault.write("a.md", note(LIGHTHOUSE, status="compost", owner="me"))
    assert the.paths("lighthouse keepers") == ["b.md"], "nothing is written under rules that the index does not have"
    assert the.under(PLAIN).store.make() == str(the.make)


def test_notes_that_wait_to_be_read_under_new_rules_are_told_and_never_answer_by_the_old(bench: Bench) -> None:
    files: dict[str, str | bytes] = {f"n{n:02}.md": f"# N{n}\n\nzebra{n} grazes\n" for n in range(30)}
    the = bench({**files, "a.md": note(LIGHTHOUSE, status="compost"), "b.md": "# B\n\nlighthouse keepers wake\n"})
    the.under(GARDEN)
    ticks = iter([x * 0.2 for x in range(20, 4000)])
    make = the.own_make()
    the.refresher = Refresher(
        the.vault, the.store, the.embedder, automatic=True, make=make, rules=GARDEN, clock=lambda: next(ticks)
    )
    answer = the.ask("lighthouse keepers")
    assert [hit.section.path for hit in answer.hits] == ["b.md"], "what would answer is read again first"
    assert answer.index.pending > 0
    assert any("wait to be read again" in notice for notice in answer.notices)
    other = the.under(GARDEN).ask("zebra7 grazes")
    assert other.index.pending == 0, "another process goes on where this one stopped"


def test_two_processes_with_different_rules_do_not_read_in_turn_for_ever(bench: Bench) -> None:
    the = bench({"a.md": note(LIGHTHOUSE, status="compost"), "b.md": "# B\n\nlighthouse keepers wake\n"})
    the.ask("lighthouse keepers")
    ours = the.refresher
    the.under(GARDEN).ask("lighthouse keepers")
    theirs, the.refresher = the.refresher, ours
    for _ in range(3):
        the.status_rules = PLAIN
        the.seconds += 3
        the.ask("lighthouse keepers")
    assert the.store.make() == str(the.make)
    the.refresher = theirs
    the.seconds += 3
    answer = the.ask("lighthouse keepers")
    assert any("other status rules" in notice for notice in answer.notices)
    assert the.store.make() == str(the.make)


OLD, NEW = note("# ADR-0001\n\nlighthouse keepers sleep\n"), note("# ADR-0002\n\nno lamps\n", supersedes="ADR-0001")


def stopped_before_the_states(the: Workbench) -> None:
    """A run that takes in what replaces a.md, and is killed before it has worked the states out."""
    the.vault.write("b.md", NEW)
    intake = Intake(the.vault, the.store, now_ns=lambda: START_NS)
    assert isinstance(intake.take(DocPath("b.md")), Taken)
    assert the.store.graph.is_unresolved()


@pytest.mark.parametrize(("automatic", "seconds"), [(True, 0.0), (True, 3.0), (False, 0.0)])
def test_states_that_a_stopped_run_left_open_are_worked_out_by_the_next_question(
    bench: Bench, automatic: bool, seconds: float
) -> None:
    the = bench({"a.md": OLD})
    the.automatic = automatic
    assert the.paths("lighthouse keepers sleep") == ["a.md"]
    stopped_before_the_states(the)
    the.seconds = seconds
    answer = the.ask("lighthouse keepers sleep")
    assert "a.md" not in [hit.section.path for hit in answer.hits]
    assert [record.path for record in answer.hidden_records] == ["a.md"]
    assert UNSETTLED not in answer.notices


@pytest.mark.parametrize("automatic", [True, False])
def test_states_that_cannot_be_worked_out_are_told(bench: Bench, tmp_path: Path, automatic: bool) -> None:
    the = bench({"a.md": OLD})
    stopped_before_the_states(the)
    the.automatic = automatic
    with closing(sqlite3.connect(tmp_path / "index.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert any(UNSETTLED in notice for notice in the.ask("lighthouse keepers sleep").notices)
    the.store.writable = False
    assert any(UNSETTLED in notice for notice in the.ask("lighthouse keepers sleep").notices)


class Overtaken(Searcher):
    """Another process takes a note in while a question is being answered."""

    then: Callable[[], object]

    def search(self, query: Query, before: Before = NOTHING_BEFORE) -> Answer:
        self.then()
        return super().search(query, before)


def test_a_record_replaced_while_a_question_is_answered_is_not_current(bench: Bench) -> None:
    the = bench({"a.md": OLD})
    assert the.paths("lighthouse keepers sleep") == ["a.md"]
    assert the.refresher is not None
    searcher = Overtaken(the.store, the.embedder, UnicodeAnalyser(), the.rules)
    searcher.then = lambda: stopped_before_the_states(the) if the.vault.stamp(DocPath("b.md")) is None else None
    answer = Answerer(searcher, the.refresher).answer(Query(text="lighthouse keepers sleep", limit=8))
    assert [record.path for record in answer.hidden_records] == ["a.md"]
    assert "a.md" not in [hit.section.path for hit in answer.hits]


class Meddling(GraphRows):
    """Somebody else writes a note while the states are worked out, as soon as he can."""

    then: Callable[[], None]

    def records_at(self, paths: Collection[DocPath]) -> dict[DocPath, Record]:
        found = super().records_at(paths)
        with suppress(Busy):
            self.then()
        return found


def test_a_note_that_another_process_wrote_while_the_states_were_worked_out_counts(
    bench: Bench, tmp_path: Path
) -> None:
    the = bench({"a.md": OLD, "c.md": "# C\n"})
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser()) as other:
        theirs = Intake(the.vault, other, now_ns=lambda: START_NS)

        def write() -> None:
            with other.hurried():
                theirs.take(DocPath("b.md"))

        the.vault.write("b.md", NEW)
        the.vault.write("c.md", "# C, edited\n")
        ours = Intake(the.vault, the.store, now_ns=lambda: START_NS)
        ours.take(DocPath("c.md"))
        the.store.graph = Meddling(the.store._db)
        the.store.graph.then = write
        assert ours.resolve()
        write()
        theirs.resolve()
    assert the.listed("a.md").status is Status.SUPERSEDED


def test_a_file_that_was_written_again_as_it_was_answers_at_once(bench: Bench) -> None:
    the = bench({"a.md": LIGHTHOUSE, "b.md": "# B\n\nbread is baked\n"})
    assert the.paths("lighthouse keepers sleep") == ["a.md"]
    the.vault.write("a.md", LIGHTHOUSE)
    assert the.embedder is not None
    before = len(the.embedder.queries)
    assert the.paths("lighthouse keepers sleep") == ["a.md"]
    assert len(the.embedder.queries) == before + 1, "the question is asked once"
