"""What every store must do; SQLite's is the one there is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.core.chunks import Chunk
from docs_rag.core.digests import bytes_digest, text_digest
from docs_rag.core.documents import DocPath, Document, FileStamp, Part, Problem, Skipped
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.queries import Facts, Query, Scope
from docs_rag.core.sections import note_of, section_id, whole
from docs_rag.core.status import Status
from docs_rag.core.succession import Standing
from docs_rag.core.terms import UnicodeAnalyser, query_terms
from docs_rag.core.vectors import Mean, normalise, pack
from docs_rag.errors import IndexDamaged

ANALYSER = UnicodeAnalyser()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "index.db"), ANALYSER, create=True) as opened:
        yield opened


def put(
    store: SqliteStore, path: str, *texts: str, status: Status = Status.CURRENT, tags: tuple[str, ...] = (),
    template: bool = False, embed: bool = True, title: str = "", date: str | None = None,
) -> DocPath:  # fmt: skip
    name = DocPath(path)
    document = Document(
        path=name, title=title or path, tags=tags, text="\n".join(texts),
        lifecycle=Lifecycle(status=status, template=template, date=date),
    )  # fmt: skip
    chunks = [
        Chunk(ordinal=n, headings=(title or path, f"H{n} {path}"), lines=(n + 1, n + 1), text=text,
              names=path if n == 0 else "")
        for n, text in enumerate(texts)
    ]  # fmt: skip
    digests = [text_digest(text) if embed else None for text in texts]
    store.notes.put(
        FileStamp(name, 1, 1, 10), False, bytes_digest(name.encode()), document, chunks, digests,
    )  # fmt: skip
    return name


def holding(store: SqliteStore, query: str) -> list[int]:
    term = query_terms(query, ANALYSER)[0]
    return list(store.lookup.holding(term.match, term.literal, -1))


def embed(store: SqliteStore, vectors: dict[str, list[float]]) -> int:
    model = store.vectors.register("m", "", ("", ""), 2)
    store.vectors.put(model.id, {text_digest(text): normalise(values) for text, values in vectors.items()})
    return model.id


def query(**more: object) -> Query:
    return Query(text="q", limit=8, **more)  # type: ignore[arg-type]


def test_a_note_comes_back_as_it_was_put(store: SqliteStore) -> None:
    put(store, "a/n.md", "first text", "second text", title="My Note")
    note = store.lookup.note_ids(["a/n.md"])[DocPath("a/n.md")]
    second = store.lookup.sections([section_id(note, 1)])[section_id(note, 1)]
    assert (second.path, second.title, second.ordinal, second.text) == ("a/n.md", "My Note", 1, "second text")
    assert second.headings == ("My Note", "H1 a/n.md")
    assert store.lookup.counts() == (1, 2)
    assert store.notes.stamps()[DocPath("a/n.md")].stamp == FileStamp(DocPath("a/n.md"), 1, 1, 10)
    assert store.notes.digest(DocPath("a/n.md")) == bytes_digest(b"a/n.md")


def put_log(store: SqliteStore, *anchors: str, status: Status = Status.CURRENT) -> DocPath:
    """A log whose head is one section and whose decisions are two each."""
    path = DocPath("log.md")
    parts = tuple(
        Part(anchor=anchor, title=f"{anchor} Title", lines=(4 * n + 4, 4 * n + 7), lifecycle=Lifecycle(status=status))
        for n, anchor in enumerate(anchors)
    )
    document = Document(path=path, title="Log", text="", lifecycle=Lifecycle(), parts=parts)
    lines = [1, *(line for part in parts for line in (part.lines[0], part.lines[0] + 2))]
    chunks = [Chunk(ordinal=n, headings=(), lines=(line, line + 1), text=f"t{line}") for n, line in enumerate(lines)]
    store.notes.put(FileStamp(path, 1, 1, 10), False, bytes_digest(b"log"), document, chunks, [None] * len(chunks))
    return path


def rows(store: SqliteStore, question: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(store.path) as db:
        found = db.execute(question).fetchall()
    db.close()
    return found


def test_parts_are_records_of_their_own(store: SqliteStore) -> None:
    put_log(store, "D-1", "D-2")
    records = {each.path: each for each in store.graph.records()}
    assert list(records) == ["log.md", "log.md#D-1", "log.md#D-2"]
    assert records[DocPath("log.md#D-2")].title == "D-2 Title"
    assert rows(store, "SELECT anchor, first & 1023, stop & 1023 FROM parts ORDER BY 1") == [
        ("D-1", 1, 3),
        ("D-2", 3, 5),
    ]
    old, new = DocPath("log.md#D-1"), DocPath("log.md#D-2")
    store.graph.set_standings({old: Standing(status=Status.SUPERSEDED, superseded_by=(new,), current_end=(new,))})
    listed = {note.path: note for note in store.notes.listing()}
    assert (listed[old].status, listed[old].superseded_by) == (Status.SUPERSEDED, (new,))
    assert {listed[path].status for path in (DocPath("log.md"), new)} == {Status.CURRENT}


def test_a_part_keeps_its_standing_until_the_graph_is_resolved_again(store: SqliteStore) -> None:
    path = put_log(store, "D-1", "D-2")
    store.graph.set_standings({DocPath("log.md#D-1"): Standing(status=Status.SUPERSEDED)})
    put_log(store, "D-3", "D-1")
    assert {note.path: note.status for note in store.notes.listing()} == {
        "log.md": "current", "log.md#D-1": "superseded", "log.md#D-3": "current",
    }  # fmt: skip
    put_log(store, "D-1", status=Status.REJECTED)
    assert [note.status for note in store.notes.listing()] == [Status.CURRENT, Status.REJECTED]
    store.notes.remove(path)
    assert rows(store, "SELECT id FROM parts UNION ALL SELECT note FROM names") == []


def test_replacing_a_note_leaves_nothing_of_the_old_text(store: SqliteStore) -> None:
    put(store, "n.md", "alpha", "beta", "gamma")
    put(store, "n.md", "delta")
    assert holding(store, "alpha") == holding(store, "gamma") == []
    assert len(holding(store, "delta")) == 1
    assert store.lookup.counts() == (1, 1)
    store.check()


def test_case_21_a_removed_note_leaves_no_row(store: SqliteStore, tmp_path: Path) -> None:
    put(store, "n.md", "alpha")
    store.notes.mark_stale(Skipped(DocPath("n.md"), "unreadable", "no"))
    store.notes.remove(DocPath("n.md"))
    with sqlite3.connect(tmp_path / "index.db") as db:
        for table in ("notes", "names", "chunks"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    db.close()
    assert holding(store, "alpha") == []
    store.check()


def test_case_22_a_hundred_rewrites_do_not_grow_the_file(store: SqliteStore, tmp_path: Path) -> None:
    def size() -> int:
        with sqlite3.connect(tmp_path / "index.db") as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        return (tmp_path / "index.db").stat().st_size

    texts = [f"section {n} " + "several words of text " * 40 for n in range(20)]
    put(store, "n.md", *texts)
    for n in range(20):
        put(store, "n.md", f"round {n}", *texts)
        store.compact(0)
    settled = size()
    for n in range(100):
        put(store, "n.md", f"round {n + 20}", *texts)
        store.compact(0)
    assert size() <= 1.5 * settled
    store.check()


def test_after_many_changes_the_words_are_in_one_piece(store: SqliteStore, tmp_path: Path) -> None:
    def pieces() -> int:
        with sqlite3.connect(tmp_path / "index.db") as db:
            found: int = db.execute("SELECT count(DISTINCT segid) FROM words_idx").fetchone()[0]
        db.close()
        return found

    for n in range(12):
        put(store, f"{n}.md", *(" ".join(f"word{n}x{k}x{j}" for j in range(300)) for k in range(60)))
    store.compact(1)
    assert pieces() > 1
    store.compact(2)
    assert pieces() == 1
    store.check()


def test_a_failing_replacement_keeps_the_old_note(store: SqliteStore) -> None:
    put(store, "n.md", "alpha")
    twice = [Chunk(ordinal=0, headings=(), lines=(1, 1), text="beta")] * 2
    document = Document(path=DocPath("n.md"), title="n", lifecycle=Lifecycle(), text="")
    with pytest.raises(sqlite3.IntegrityError):
        store.notes.put(FileStamp(DocPath("n.md"), 2, 2, 2), False, bytes_digest(b""), document, twice, [None] * 2)
    assert holding(store, "beta") == []
    assert len(holding(store, "alpha")) == 1
    store.check()


def test_words_are_found_by_text_and_names_whatever_the_script(store: SqliteStore) -> None:
    put(store, "token.md", "인증 토큰은 30분마다", "我们决定使用队列")
    assert len(holding(store, "토큰")) == len(holding(store, "队列")) == 1
    assert len(holding(store, "token.md")) == 1
    store.check()


def test_a_symbol_must_stand_in_the_text(store: SqliteStore) -> None:
    put(store, "a.md", "written in C++ today", "vitamin C is good", "C# it is not")
    assert [key & 0xFFFFF for key in holding(store, "C++")] == [0]


def test_holding_all_and_bm25(store: SqliteStore) -> None:
    put(store, "a.md", "apple pear", "apple apple apple", "pear")
    ids = holding(store, "apple")
    assert store.lookup.holding_all(['"apple"', '"pear"'], ids) == {ids[0]}
    ranks = store.lookup.bm25(['"apple"'], ids)
    assert ranks[ids[1]] > ranks[ids[0]] > 0
    assert store.lookup.bm25([], ids) == {}


def test_some_notes_are_searched_alone(store: SqliteStore) -> None:
    put(store, "a.md", "apple pear", "pear in C", "apples in C++")
    put(store, "b.md", "apple")
    put(store, "c.md", "quince", "apple")
    first, third = note_of(holding(store, "pear")[0]), note_of(holding(store, "quince")[0])
    assert [key & 0xFFFFF for key in store.lookup.holding_in('"apple"', "", [first])] == [0, 2]
    assert store.lookup.holding_in('"apple"', "", [first, third]) == [
        section_id(first, 0),
        section_id(first, 2),
        section_id(third, 1),
    ]
    assert [key & 0xFFFFF for key in store.lookup.holding_in('"c"', "c++", [first, third])] == [2]
    assert store.lookup.holding_in('"quince"', "", [first]) == []
    assert store.lookup.lengths([first, 9_999, third]) == {first: 3, 9_999: 0, third: 2}


def test_case_48_thousands_of_ids_are_one_statement(store: SqliteStore) -> None:
    put(store, "a.md", "apple")
    assert len(store.lookup.sections(list(range(section_id(1, 0), section_id(1, 0) + 40_000)))) == 1


def test_names(store: SqliteStore) -> None:
    put(store, "adr/0012-use-kafka.md", "x", title="Use Kafka")
    for name in ("use kafka", "0012-use-kafka", "adr12", "12"):
        assert len(store.lookup.named([name])) == 1, name
    assert store.lookup.named(["kafka"]) == []


def test_standings_are_written_and_taken_back(store: SqliteStore) -> None:
    old, new = put(store, "old.md", "x"), put(store, "new.md", "y")
    assert store.graph.is_unresolved()
    problem = Problem("one-sided", "new.md says so")
    standing = Standing(
        status=Status.SUPERSEDED, superseded_by=(new,), current_end=(new,), superseded_on="2026-03-01", supersedes=(),
        partial=None, template=False, problems=(problem,),
    )  # fmt: skip
    store.graph.set_standings({old: standing})
    assert not store.graph.is_unresolved()
    listed = {note.path: note for note in store.notes.listing()}
    assert listed[old].status is Status.SUPERSEDED
    assert listed[old].superseded_by == (new,)
    assert problem in listed[old].problems
    assert store.lookup.successors(old) == (new,)
    store.graph.set_standings({})
    assert {note.status for note in store.notes.listing()} == {Status.CURRENT}


def test_an_edit_that_keeps_its_word_does_not_bring_a_retired_record_back(store: SqliteStore) -> None:
    old = put(store, "old.md", "x")
    standing = Standing(
        status=Status.SUPERSEDED, superseded_by=(), current_end=(), superseded_on=None, supersedes=(), partial=None,
        template=False, problems=(),
    )  # fmt: skip
    store.graph.set_standings({old: standing})
    put(store, "old.md", "x edited")
    assert len(store.lookup.dead_sections()) == 1


def test_a_stale_note_is_listed_and_looked_at_again(store: SqliteStore) -> None:
    path = put(store, "n.md", "alpha")
    store.notes.mark_stale(Skipped(path, "unreadable", "permission denied"))
    (listed,) = store.notes.listing()
    assert listed.stale
    assert [problem.code for problem in listed.problems] == ["unreadable"]
    assert store.notes.stamps()[path].racy
    store.notes.touch(FileStamp(path, 1, 1, 10), False)
    (listed,) = store.notes.listing()
    assert not listed.stale
    assert listed.problems == ()


def test_files_that_could_not_be_had_are_listed(store: SqliteStore) -> None:
    store.notes.set_walk([Skipped(DocPath("x.md"), "encoding", "not UTF-8")], {"hidden": 3})
    (listed,) = store.notes.listing()
    assert (listed.path, listed.indexed, listed.problems[0].code) == ("x.md", False, "encoding")
    assert store.ignored() == {"hidden": 3}
    store.notes.set_walk([], {})
    assert list(store.notes.listing()) == []


def test_vectors_are_keyed_by_text(store: SqliteStore) -> None:
    put(store, "a.md", "same", "other")
    put(store, "b.md", "same")
    model = embed(store, {"same": [1.0, 0.0]})
    assert store.vectors.coverage(model) == (2, 1)
    assert [store.vectors.pending_texts([first])[0].text for _, first in store.vectors.pending(model)] == ["other"]
    put(store, "a.md", "changed", "other")
    assert store.vectors.coverage(model) == (1, 2)


def test_texts_of_the_newest_records_are_embedded_first(store: SqliteStore) -> None:
    put(store, "a.md", "undated", "undated too")
    for name, day in (("b", "2024-01-05"), ("c", "2026-02-01"), ("d", "2026-03-01")):
        put(store, f"{name}.md", f"of {day}", date=day, status=Status.ARCHIVED if name == "d" else Status.CURRENT)
    model = store.vectors.register("m", "", ("", ""), 2).id
    order = [store.vectors.pending_texts([first])[0].text for _, first in store.vectors.pending(model)]
    assert order == ["of 2026-02-01", "of 2024-01-05", "undated", "undated too", "of 2026-03-01"]


def test_vectors_of_removed_text_stay_thirty_days(store: SqliteStore) -> None:
    path = put(store, "a.md", "text")
    model = embed(store, {"text": [1.0, 0.0]})
    store.notes.remove(path)
    store.vectors.sweep(1000)
    put(store, "b.md", "text")
    assert store.vectors.coverage(model) == (1, 0)
    store.notes.remove(DocPath("b.md"))
    store.vectors.sweep(2000)
    store.vectors.sweep(2000 + 31 * 86400)
    put(store, "c.md", "text")
    assert store.vectors.coverage(model) == (0, 1)


def test_what_went_and_came_between_two_sweeps_is_known(store: SqliteStore) -> None:
    path = put(store, "a.md", "text", "other")
    model = embed(store, {"text": [1.0, 0.0], "other": [0.0, 1.0]})
    store.vectors.sweep(1000, model)
    store.notes.remove(path)
    store.vectors.sweep(2000, model)
    put(store, "b.md", "text")
    store.vectors.sweep(2000 + 29 * 86400, model)
    store.vectors.sweep(2000 + 31 * 86400, model)
    put(store, "c.md", "other")
    assert store.vectors.coverage(model) == (1, 1)
    assert len(store.matrix(model)) == 1
    put(store, "b.md", "yet another")
    store.vectors.sweep(2000 + 60 * 86400, model)
    store.vectors.sweep(2000 + 91 * 86400, model)
    put(store, "b.md", "text")
    assert store.vectors.coverage(model) == (0, 2)


def test_a_vector_whose_text_went_before_it_came_is_swept(store: SqliteStore) -> None:
    put(store, "a.md", "text")
    model = embed(store, {"text": [1.0, 0.0]})
    store.vectors.sweep(1000, model)
    embed(store, {"of no section": [1.0, 0.0]})
    store.vectors.sweep(2000, model)
    store.vectors.sweep(2000 + 31 * 86400, model)
    put(store, "a.md", "of no section")
    assert store.vectors.coverage(model) == (0, 1)


def test_texts_without_a_vector_are_found_again_after_a_search_for_all(store: SqliteStore) -> None:
    put(store, "a.md", "one", "refused")
    put(store, "b.md", "two", "refused")
    model = embed(store, {"one": [1.0, 0.0], "two": [0.0, 1.0]})

    def pending() -> list[str]:
        firsts = [first for _, first in store.vectors.pending(model)]
        return [store.vectors.pending_texts([first])[0].text for first in firsts]

    for _ in range(2):
        assert pending() == ["refused"]
        store.vectors.sweep(1000, model)
    store.notes.remove(DocPath("a.md"))
    assert pending() == ["refused"]
    put(store, "c.md", "three")
    assert pending() == ["refused", "three"]
    assert store.vectors.coverage(model) == (1, 2)
    other = store.vectors.register("other", "", ("", ""), 2).id
    assert len(store.vectors.pending(other)) == 3


def test_refusals_are_listed_until_a_vector_comes(store: SqliteStore) -> None:
    put(store, "a.md", "text")
    model = store.vectors.register("m", "", ("", ""), 2)
    store.vectors.note_refusals(model.id, {text_digest("text"): ("embed-failed", "NaN")})
    (listed,) = store.notes.listing()
    assert [problem.code for problem in listed.problems] == ["embed-failed"]
    embed(store, {"text": [1.0, 0.0]})
    (listed,) = store.notes.listing()
    assert listed.problems == ()
    assert listed.embedded


def test_the_first_model_answers_at_once_another_when_it_is_activated(store: SqliteStore) -> None:
    first = store.vectors.register("m", "", ("", ""), 2)
    second = store.vectors.register("n", "d", ("q: ", ""), 3)
    assert store.vectors.active() == first
    store.vectors.activate(second.id)
    assert store.vectors.active() == second
    assert store.vectors.register("n", "d", ("q: ", ""), 3).id == second.id


def test_scores_and_what_is_kept_out(store: SqliteStore) -> None:
    put(store, "a.md", "east", "north")
    put(store, "old.md", "southeast", status=Status.SUPERSEDED)
    put(store, "zero.md", "nothing")
    model = embed(store, {"east": [1, 0], "north": [0, 1], "southeast": [1, -1], "nothing": [0, 0]})
    scores = store.matrix(model).scores(normalise([1, 0]), None)
    admission = store.lookup.admission(Scope(query(), ()))
    top = scores.top(admission, 10)
    assert [round(score, 3) for _, score in top] == [1.0, 0.0]
    assert [round(score, 3) for _, score in scores.hidden(admission, 0.5, 10)] == [0.707]
    assert scores.best_below(admission, 0.5) == pytest.approx(0.0, abs=1e-6)
    assert scores.of([top[0][0]]) == {top[0][0]: pytest.approx(1.0)}
    best = scores.best_of(whole(note_of(top[0][0])), admission)
    assert best is not None and best[0] == top[0][0]


def test_centred_scores_are_cosines_of_what_is_left(store: SqliteStore) -> None:
    put(store, "a.md", "one", "two", "mean")
    vectors = {"one": [3.0, 1.0, 0.0], "two": [3.0, 0.0, 1.0], "mean": [1.0, 0.0, 0.0]}
    model = embed(store, vectors)
    documents, queries = Mean(pack([1.0, 0.0, 0.0])), Mean(pack([0.5, 0.5, 0.0]))
    scores = store.matrix(model).scores(normalise([1.0, 1.0, 0.0]), (documents, queries))
    found = dict(scores.top(store.lookup.admission(Scope(query(), ())), 10))

    def expected(vector: list[float]) -> float:
        left = [a - b for a, b in zip(vector, [1.0, 0.0, 0.0], strict=True)]
        product = sum(a * b for a, b in zip(left, [1.0, 1.0, 0.0], strict=True))
        return product / float(sum(a * a for a in left) ** 0.5 * 2**0.5)

    unit = [x / 10**0.5 for x in vectors["one"]]
    assert max(found.values()) == pytest.approx(expected(unit), abs=1e-3)
    assert len(found) == 2, "a vector that is the mean has no direction left and never ranks"


def test_the_matrix_follows_another_connection(store: SqliteStore, tmp_path: Path) -> None:
    put(store, "a.md", "east")
    model = embed(store, {"east": [1, 0]})
    assert len(store.matrix(model)) == 1
    with open_store(str(tmp_path / "index.db"), ANALYSER) as other:
        put(other, "b.md", "north")
        embed(other, {"north": [0, 1]})
    assert len(store.matrix(model)) == 2
    assert store.matrix(model).waiting == 0
    store.notes.remove(DocPath("a.md"))
    assert len(store.matrix(model)) == 1


FOLDERS = ["", "archive", "4 Archives", "docs/plans", "docs/reference", "Plan", "archived stuff"]
scopes = st.fixed_dictionaries({
    "within": st.sampled_from([(), ("docs",), ("archive",), ("docs/plans", "Plan"), ("a.md",)]),
    "exclude": st.sampled_from([(), ("reference",), ("docs/plans",), ("b.md",)]),
    "tags": st.sampled_from([(), ("x",), ("X/y",), ("none",)]),
    "search_all": st.booleans(),
})  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scopes)
def test_admission_comes_to_what_the_scope_says(
    tmp_path_factory: pytest.TempPathFactory, fields: dict[str, object]
) -> None:
    facts: list[Facts] = []
    with open_store(str(tmp_path_factory.mktemp("s") / "i.db"), ANALYSER, create=True) as store:
        for n, folder in enumerate(FOLDERS):
            for name, status, template in (
                ("a.md", Status.CURRENT, False), ("b.md", Status.SUPERSEDED, False), ("c.md", Status.ARCHIVED, False),
                ("d.md", Status.REJECTED, True),
            ):  # fmt: skip
                path = f"{folder}/{name}" if folder else name
                tags = (("x",), ("X/y",), ())[n % 3]
                put(store, path, "t", status=status, tags=tags, template=template)
                facts.append(Facts(path, status, tags, template))
        scope = Scope(query(**fields), ("archive", "plans"))
        admission = store.lookup.admission(scope)
        ids = store.lookup.note_ids([each.path for each in facts])
        for each in facts:
            note = ids[DocPath(each.path)]
            section = section_id(note, 0)
            assert admission.admits(section) is scope.admits(each), (each, fields)
            if scope.in_scope(each):
                assert (admission.hides(section) is None) is (scope.hides(each) is None)


def test_sections_without_words_of_their_own_wait_for_no_vector(store: SqliteStore) -> None:
    put(store, "a.md", "text", embed=False)
    model = store.vectors.register("m", "", ("", ""), 2)
    assert store.vectors.coverage(model.id) == (0, 0)
    assert store.vectors.pending(model.id) == []


def test_an_index_of_unknown_origin_keeps_nothing_but_vectors(store: SqliteStore, tmp_path: Path) -> None:
    put(store, "a.md", "text")
    model = embed(store, {"text": [1.0, 0.0]})
    token = store.token()
    with sqlite3.connect(tmp_path / "index.db") as db:
        db.execute("CREATE TRIGGER planted AFTER INSERT ON notes BEGIN UPDATE chunks SET text = 'evil'; END")
    db.close()
    store.distrust()
    assert store.lookup.counts() == (0, 0)
    assert store.token() != token
    put(store, "a.md", "text")
    put(store, "b.md", "other")
    assert store.vectors.coverage(model) == (1, 1)
    assert holding(store, "evil") == []
    store.check()


def test_an_index_of_an_older_schema_is_laid_down_anew_and_keeps_its_vectors(tmp_path: Path) -> None:
    path = str(tmp_path / "older.db")
    with open_store(path, UnicodeAnalyser(), create=True) as store:
        put(store, "a.md", "apple")
        model = store.vectors.register("fake", "", ("", ""), 2)
        store.vectors.put(model.id, {text_digest("apple"): normalise([1.0, 2.0])})
    older = sqlite3.connect(path)
    older.executescript("ALTER TABLE notes ADD COLUMN gone TEXT; PRAGMA user_version = 1;")
    older.close()
    with pytest.raises(IndexDamaged, match="made by an older docs-rag"):
        open_store(path, UnicodeAnalyser())
    with open_store(path, UnicodeAnalyser(), create=True) as store:
        assert store.lookup.counts() == (0, 0)
        put(store, "a.md", "apple")
        assert store.vectors.coverage(store.vectors.register("fake", "", ("", ""), 2).id) == (1, 0)
        store.check()
