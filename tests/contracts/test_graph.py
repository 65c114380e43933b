"""What a change of some notes makes of the standings must be what the whole vault makes of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs_rag.adapters.sqlite.graph import MOST_TOUCHED, GraphRows
from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.core.chunks import Chunk
from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath, Document, FileStamp, Part
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.recompute import recompute
from docs_rag.core.status import Status
from docs_rag.core.succession import Record, Standing, resolve
from docs_rag.core.terms import UnicodeAnalyser


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True) as opened:
        yield opened


class HeardGraph(GraphRows):
    """Remembers whose standings were worked out."""

    def __init__(self, store: SqliteStore) -> None:
        super().__init__(store.graph._db)
        self.heard: set[DocPath] = set()

    def set_standings(self, standings: Mapping[DocPath, Standing], heard: Collection[DocPath] | None = None) -> None:
        self.heard = set(heard or ())
        super().set_standings(standings, heard)


@dataclass(frozen=True)
class Edit:
    """A note as it is now, or gone."""

    path: str
    life: Lifecycle | None = None
    title: str = "T"
    aliases: tuple[str, ...] = ()
    parts: tuple[tuple[str, Lifecycle], ...] = ()
    links: tuple[str, ...] = ()


def make(store: SqliteStore, edit: Edit) -> None:
    path = DocPath(edit.path)
    if edit.life is None:
        store.notes.remove(path)
        return
    parts = tuple(
        Part(anchor=anchor, title=f"{anchor} Title", lines=(n + 2, n + 2), lifecycle=life)
        for n, (anchor, life) in enumerate(edit.parts)
    )
    document = Document(
        path=path, title=edit.title, aliases=edit.aliases, text="", lifecycle=edit.life, parts=parts, links=edit.links
    )
    chunks = [Chunk(ordinal=n, headings=(), lines=(n + 1, n + 1), text="t") for n in range(len(parts) + 1)]
    store.notes.put(FileStamp(path, 1, 1, 1), False, bytes_digest(b""), document, chunks, [None] * len(chunks))


def standing_of(store: SqliteStore) -> dict[str, tuple[object, ...]]:
    """Every record's standing as the index has it."""
    return {
        each.path: (
            each.status, each.superseded_by, each.current_end, each.superseded_on, each.supersedes, each.partial,
            {(problem.code, problem.message) for problem in each.problems},
        )
        for each in store.notes.listing()
    }  # fmt: skip


def expected(store: SqliteStore) -> dict[str, tuple[object, ...]]:
    """Every record's standing as the whole vault has it."""
    records = list(store.graph.records())
    standings = resolve(records)
    return {record.path: _told(record, standings.get(record.path)) for record in records}


def _told(record: Record, standing: Standing | None) -> tuple[object, ...]:
    life = record.lifecycle
    if standing is None:
        standing = Standing(status=life.status, superseded_on=life.superseded_on)
    return (
        standing.status, standing.superseded_by, standing.current_end, standing.superseded_on, standing.supersedes,
        standing.partial, {(problem.code, problem.message) for problem in standing.problems},
    )  # fmt: skip


def old(by: str) -> Lifecycle:
    return Lifecycle(status=Status.SUPERSEDED, status_text="superseded", successors=(by,))


PLAIN = Lifecycle()


def test_a_successor_that_arrives_is_found(store: SqliteStore) -> None:
    make(store, Edit("adr/0001-a.md", old("ADR-2")))
    recompute(store.graph)
    assert [problem.code for problem in next(store.notes.listing()).problems] == ["dangling"]
    make(store, Edit("adr/0002-b.md", PLAIN))
    assert store.graph.touched() == {"adr/0002-b.md"}
    recompute(store.graph)
    assert not store.graph.is_unresolved()
    assert standing_of(store)["adr/0001-a.md"][1:3] == (("adr/0002-b.md",), ("adr/0002-b.md",))
    make(store, Edit("adr/0002-b.md"))
    recompute(store.graph)
    assert standing_of(store) == expected(store)


def test_a_change_at_the_end_of_a_chain_reaches_its_beginning(store: SqliteStore) -> None:
    for n in range(5):
        make(store, Edit(f"{n:04}-x.md", old(f"{n + 1:04}")))
    make(store, Edit("0005-x.md", PLAIN))
    recompute(store.graph)
    assert standing_of(store)["0000-x.md"][2] == ("0005-x.md",)
    make(store, Edit("0005-x.md", Lifecycle(status=Status.REJECTED)))
    recompute(store.graph)
    assert standing_of(store)["0000-x.md"][2] == ()
    assert standing_of(store) == expected(store)


def _namesakes(store: SqliteStore) -> None:
    """`r.md` names one of two; which, only a claim on `Same` could tell, and two notes are called so."""
    make(store, Edit("a/Auth.md", PLAIN))
    make(store, Edit("b/Auth.md", Lifecycle(status=Status.DRAFT, claims=("Same",))))
    make(store, Edit("x.md", PLAIN, title="Same"))
    make(store, Edit("r.md", old("[[Auth]]"), title="Same"))
    recompute(store.graph)
    assert standing_of(store)["r.md"][1] == ()


def test_a_note_that_goes_can_tell_two_others_apart(store: SqliteStore) -> None:
    _namesakes(store)
    make(store, Edit("x.md"))
    recompute(store.graph)
    assert standing_of(store)["r.md"][1] == ("b/Auth.md",)
    assert standing_of(store) == expected(store)


def test_a_claim_that_may_mean_two_does_not_tell_candidates_apart(store: SqliteStore) -> None:
    _namesakes(store)
    make(store, Edit("a/Auth.md", Lifecycle(status=Status.DRAFT, claims=("r.md",))))
    recompute(store.graph)
    assert standing_of(store)["r.md"][1] == ("a/Auth.md",)
    assert standing_of(store) == expected(store)


def test_what_it_does_not_reach_is_left_alone(store: SqliteStore) -> None:
    for n in (0, 2, 4):
        make(store, Edit(f"{n:04}-x.md", old(f"{n + 1:04}")))
        make(store, Edit(f"{n + 1:04}-x.md", PLAIN))
    recompute(store.graph)
    make(store, Edit("0003-x.md", Lifecycle(status=Status.REJECTED)))
    graph = HeardGraph(store)
    recompute(graph)
    assert graph.heard == {"0002-x.md", "0003-x.md"}
    assert standing_of(store) == expected(store)


def test_many_changes_are_worked_out_as_a_whole(store: SqliteStore) -> None:
    make(store, Edit("x.md", PLAIN))
    recompute(store.graph)
    store.graph.touch(f"{n}.md" for n in range(MOST_TOUCHED + 1))
    assert store.graph.touched() is None
    make(store, Edit("y.md", old("x")))
    recompute(store.graph)
    assert store.graph.touched() == set()
    assert standing_of(store) == expected(store)


_REFERENCES = st.sampled_from(
    ["1", "0002", "ADR-3", "b/0001-x.md", "[[log#D-1]]", "D-2", "#d-1", "T2", "Alias", "[[0003-x]]", "gone", "../a/",
     "[3](a/0009-y.md)", "README"]
)  # fmt: skip
_FEW = st.lists(_REFERENCES, max_size=2).map(tuple)
_LIVES = st.builds(
    Lifecycle,
    status=st.sampled_from([Status.CURRENT, Status.CURRENT, Status.SUPERSEDED, Status.DRAFT, Status.REJECTED]),
    successors=_FEW, claims=_FEW, partial=_FEW, partial_claims=_FEW,
    date=st.sampled_from([None, "2026-01-14", "2026-02-01"]),
    template=st.sampled_from([False, False, False, True]),
    ids=st.sampled_from([(), (), ("3",), ("ADR-1",)]),
)  # fmt: skip
_PARTS = st.lists(st.tuples(st.sampled_from(["D-1", "D-2", "D-3"]), _LIVES), max_size=3, unique_by=lambda each: each[0])
_PATHS = ["a/0001-x.md", "b/0001-x.md", "a/0002-x.md", "0003-x.md", "a/README.md", "log.md", "b/log.md"]
_EDITS = st.builds(
    Edit,
    path=st.sampled_from(_PATHS),
    life=st.one_of(_LIVES, st.none()),
    title=st.sampled_from(["T", "T2", "3 things"]),
    aliases=st.sampled_from([(), ("Alias",)]),
    parts=_PARTS.map(tuple),
    links=st.sampled_from([(), ("../a/0001-x.md", "[[log]]")]),
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(_EDITS, min_size=1, max_size=3), min_size=1, max_size=7))
def test_step_by_step_comes_to_the_same_as_all_at_once(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[Edit]]
) -> None:
    with open_store(str(tmp_path_factory.mktemp("g") / "i.db"), UnicodeAnalyser(), create=True) as store:
        for edits in rounds:
            for edit in edits:
                make(store, edit)
            recompute(store.graph)
            assert standing_of(store) == expected(store)
            assert store.graph.touched() == set()
