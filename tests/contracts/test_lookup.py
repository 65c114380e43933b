"""What a store must tell a search of states: today's and a day's, of notes and of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.core.asof import Life, span
from docs_rag.core.chunks import Chunk
from docs_rag.core.digests import bytes_digest, text_digest
from docs_rag.core.documents import DocPath, Document, FileStamp, Part
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.queries import Facts, Hidden, Query, Scope
from docs_rag.core.sections import Place, section_id, whole
from docs_rag.core.status import Status
from docs_rag.core.succession import Standing
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.core.vectors import normalise

ANALYSER = UnicodeAnalyser()
LOG = DocPath("log.md")
OLD, NEW, PLAIN = DocPath("log.md#D-1"), DocPath("log.md#D-2"), DocPath("log.md#D-3")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "index.db"), ANALYSER, create=True) as opened:
        yield opened


def put(
    store: SqliteStore, path: str, life: Lifecycle, parts: tuple[Lifecycle, ...] = (), *, head: bool = True
) -> DocPath:
    """A note of one section, or a log with two sections for each decision; its head is a section of its own."""
    name = DocPath(path)
    first = 2 if head else 1
    document = Document(
        path=name, title="Log" if parts else path, lifecycle=life, text="",
        parts=tuple(
            Part(anchor=f"D-{n}", title=f"D-{n} Title", lines=(first + 2 * n - 2, first + 2 * n - 1), lifecycle=each)
            for n, each in enumerate(parts, 1)
        ),
    )  # fmt: skip
    count = 2 * len(parts) + (first - 1) or 1
    chunks = [Chunk(ordinal=n, headings=(), lines=(n + 1, n + 1), text=f"{path} {n}") for n in range(count)]
    digests = [text_digest(each.text) for each in chunks]
    store.notes.put(FileStamp(name, 1, 1, 1), False, bytes_digest(name.encode()), document, chunks, digests)
    return name


def log(store: SqliteStore, status: Status = Status.CURRENT, *, head: bool = True) -> int:
    """A log whose first decision its second one replaced; the third says nothing of itself."""
    put(
        store, LOG, Lifecycle(status=status, status_text=str(status), date="2020-01-01"),
        (
            Lifecycle(status=Status.SUPERSEDED, status_text="superseded", date="2024-01-01"),
            Lifecycle(status_text="accepted", date="2025-01-01"),
            Lifecycle(),
        ),
        head=head,
    )  # fmt: skip
    store.graph.set_standings({
        OLD: Standing(
            status=Status.SUPERSEDED, superseded_by=(NEW,), current_end=(NEW,), superseded_on="2025-01-01",
            partial=None,
        ),
        NEW: Standing(status=Status.CURRENT, supersedes=(OLD,), partial="partly superseded by x.md"),
    })  # fmt: skip
    return store.lookup.note_ids([LOG])[LOG]


def query(**more: object) -> Query:
    return Query(text="q", limit=8, **more)  # type: ignore[arg-type]


def admitted(store: SqliteStore, note: int, **more: object) -> list[int]:
    """The ordinals of a note's sections that may answer."""
    admission = store.lookup.admission(Scope(query(**more), ()))
    ids = store.lookup.section_ids(whole(note))
    return [key - ids[0] for key in ids if admission.admits(key)]


def test_a_dead_part_is_hidden_while_its_siblings_stay(store: SqliteStore) -> None:
    note = log(store)
    assert admitted(store, note) == [0, 3, 4, 5, 6]
    assert admitted(store, note, search_all=True) == list(range(7))
    assert store.lookup.dead_sections() == {section_id(note, 1), section_id(note, 2)}
    admission = store.lookup.admission(Scope(query(), ()))
    place = Place(section_id(note, 1), section_id(note, 3))
    assert admission.hides(section_id(note, 2)) is Hidden.SUPERSEDED
    assert admission.hidden_record(section_id(note, 2)) == place
    assert (admission.hides_record(place), admission.admits_record(whole(note))) == (Hidden.SUPERSEDED, True)


def test_on_a_day_each_part_is_judged_by_its_own_date(store: SqliteStore) -> None:
    note = log(store)
    assert admitted(store, note, as_of="2024-06-01") == [0, 1, 2, 5, 6]
    assert admitted(store, note, as_of="2025-01-01") == [0, 3, 4, 5, 6]
    assert admitted(store, note, as_of="2019-01-01") == [5, 6], "undated decisions may have been there before"
    assert store.lookup.dead_sections("2024-06-01") == {section_id(note, 3), section_id(note, 4)}


def test_a_dead_log_hides_all_its_parts(store: SqliteStore) -> None:
    note = log(store, Status.ARCHIVED)
    assert admitted(store, note) == []
    admission = store.lookup.admission(Scope(query(), ()))
    assert admission.hidden_record(section_id(note, 1)) == whole(note)
    assert admission.hides_record(Place(section_id(note, 3), section_id(note, 5))) is Hidden.ARCHIVED


def test_a_section_stands_as_its_part_does(store: SqliteStore) -> None:
    note = log(store)
    sections = store.lookup.sections([section_id(note, n) for n in (0, 2, 3, 5)])
    head, old, new, plain = (sections[section_id(note, n)] for n in (0, 2, 3, 5))
    assert {each.path for each in sections.values()} == {LOG}
    assert {each.title for each in sections.values()} == {"Log"}
    assert (head.record, head.status_text, head.date) == (None, "current", "2020-01-01")
    assert (old.record, old.status, old.date) == (OLD, Status.SUPERSEDED, "2024-01-01")
    assert (old.superseded_by, old.current_end, old.superseded_on) == ((NEW,), (NEW,), "2025-01-01")
    assert (new.record, new.status_text, new.partial) == (NEW, "accepted", "partly superseded by x.md")
    assert (plain.record, plain.date) == (PLAIN, None)


@pytest.mark.parametrize(
    ("note", "part", "speaks", "counts"),
    [
        (Status.CURRENT, Status.DRAFT, True, True),
        (Status.DRAFT, Status.CURRENT, True, True),
        (Status.DRAFT, Status.CURRENT, False, False),
        (Status.CURRENT, Status.CURRENT, False, True),
        (Status.REJECTED, Status.CURRENT, True, False),
        (Status.ARCHIVED, Status.DRAFT, True, False),
        (Status.ARCHIVED, Status.SUPERSEDED, False, True),
        (Status.SUPERSEDED, Status.ARCHIVED, True, False),
    ],
)
def test_the_more_final_word_counts(store: SqliteStore, note: Status, part: Status, speaks: bool, counts: bool) -> None:
    put(store, LOG, Lifecycle(status=note), (Lifecycle(status=part, status_text="x" if speaks else ""),))
    key = section_id(store.lookup.note_ids([LOG])[LOG], 1)
    section = store.lookup.sections([key])[key]
    assert (section.status, section.record) == ((part, OLD) if counts else (note, None))


@pytest.mark.parametrize("head", [True, False])
def test_records_are_found_by_path_and_place(store: SqliteStore, head: bool) -> None:
    note = log(store, head=head)
    places = store.lookup.places([LOG, OLD, NEW, "log.md#D-9", "gone.md"])
    assert set(places) == {LOG, OLD, NEW}
    assert places[OLD] == Place(section_id(note, head), section_id(note, head + 2))
    records = store.lookup.records([places[NEW], places[LOG], places[OLD]])
    assert {path: records[place].title for path, place in places.items()} == {
        LOG: "Log", OLD: "D-1 Title", NEW: "D-2 Title",
    }  # fmt: skip
    assert records[places[OLD]].path == OLD
    assert records[places[OLD]].superseded_by == (NEW,)
    assert records[places[LOG]].status is Status.CURRENT
    assert store.lookup.section_ids(places[NEW]) == [section_id(note, head + 2), section_id(note, head + 3)]
    assert store.lookup.successors(OLD) == (NEW,)
    assert store.lookup.successors(LOG) == store.lookup.successors("gone.md") == ()


def test_a_part_of_a_dead_log_is_told_as_dead(store: SqliteStore) -> None:
    log(store, Status.ARCHIVED)
    place = store.lookup.places([NEW])[NEW]
    record = store.lookup.records([place])[place]
    assert (record.path, record.title, record.status) == (NEW, "D-2 Title", Status.ARCHIVED)


def test_parts_are_called_by_their_names(store: SqliteStore) -> None:
    note = log(store)
    assert store.lookup.named(["d-1"]) == [Place(section_id(note, 1), section_id(note, 3))]
    assert store.lookup.named(["log"]) == [whole(note)]
    assert len(store.lookup.named(["log", "d-1", "d-2"])) == 3


def test_lives_of_notes_and_parts(store: SqliteStore) -> None:
    log(store)
    put(store, "n.md", Lifecycle(date="2022-01-01", decided=False))
    assert store.lookup.lives([OLD, "n.md", "gone.md"]) == {
        OLD: Life(Status.SUPERSEDED, "2024-01-01", True, "2025-01-01", (NEW,)),
        DocPath("n.md"): Life(Status.CURRENT, "2022-01-01", False, None, ()),
    }


def test_scores_leave_dead_parts_out(store: SqliteStore) -> None:
    note = log(store)
    model = store.vectors.register("m", "", ("", ""), 2).id
    vectors = {text_digest(f"{LOG} {n}"): normalise([1.0, n / 10]) for n in range(7)}
    store.vectors.put(model, vectors)
    scores = store.matrix(model).scores(normalise([1.0, 0.15]), None)
    admission = store.lookup.admission(Scope(query(), ()))
    assert [key - section_id(note, 0) for key, _ in scores.top(admission, 3)] == [3, 0, 4]
    assert {key - section_id(note, 0) for key, _ in scores.hidden(admission, 0.1, 9)} == {1, 2}
    best = scores.best_of(whole(note), admission)
    assert best is not None and best[0] == section_id(note, 3)
    assert scores.best_below(admission, 1.1) == pytest.approx(best[1])


states = st.sampled_from(Status)
days = st.sampled_from([None, "2024-01-01", "2025-01-01", "2026-01-01"])
lives = st.builds(
    Lifecycle, status=states, date=days, superseded_on=days, decided=st.booleans(), template=st.booleans()
)  # fmt: skip
asked = st.sampled_from([None, "2023-06-01", "2024-01-01", "2024-06-01", "2025-06-01", "2026-06-01"])


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(lives, min_size=2, max_size=5), st.lists(lives, max_size=3), asked, st.booleans())
def test_admission_comes_to_what_the_scope_says_on_any_day(
    tmp_path_factory: pytest.TempPathFactory,
    notes: list[Lifecycle],
    parts: list[Lifecycle],
    day: str | None,
    search_all: bool,
) -> None:
    with open_store(str(tmp_path_factory.mktemp("s") / "i.db"), ANALYSER, create=True) as store:
        put(store, LOG, notes[0], tuple(parts))
        records = {LOG: notes[0], **{DocPath(f"{LOG}#D-{n + 1}"): each for n, each in enumerate(parts)}}
        records |= {put(store, f"n{n}.md", each): each for n, each in enumerate(notes[1:])}
        store.graph.set_standings({
            path: Standing(
                status=life.status, superseded_by=(DocPath("n0.md"),) if path != "n0.md" else (),
                superseded_on=life.superseded_on, template=life.template,
            )
            for path, life in records.items() if life.status is Status.SUPERSEDED
        })  # fmt: skip
        scope = Scope(query(as_of=day, search_all=search_all), ())
        admission = store.lookup.admission(scope)
        first = records[DocPath("n0.md")]
        after = Life(first.status, first.date, first.decided, first.superseded_on)
        for path, place in store.lookup.places(list(records)).items():
            record = records[path]
            by = ("n0.md",) if record.status is Status.SUPERSEDED and path != "n0.md" else ()
            dated = None if path == LOG and parts else record.date
            known = span(Life(record.status, dated, True, record.superseded_on, by), [after] if by else [])
            reason = scope.hides(Facts(str(LOG), record.status, (), record.template, known))
            if path.startswith(f"{LOG}#"):
                note = admission.hides_record(whole(place.note))
                reason = note or reason
            assert admission.hides_record(place) is reason, (path, day)
            own = store.lookup.section_ids(place)
            if path == LOG:
                own = own[:1]
                if not search_all and day is not None and (record.date or "") > day:
                    reason = Hidden.LATER
            for section in own:
                assert admission.admits(section) is (reason is None)
