"""The use case of `check` on a vault in memory, with and without an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakes import FakeEmbedder, MemoryVault
from workbench import Workbench, note, workbench

from docs_rag.adapters.sqlite.store import SqliteStore
from docs_rag.app.checking import Checker, CheckRequest
from docs_rag.app.mending import plan
from docs_rag.app.neighbours import Neighbours
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import WriteFile
from docs_rag.core.linting.corpus import Close
from docs_rag.core.linting.findings import choose
from docs_rag.core.statusrules import PLAIN
from docs_rag.errors import IndexMissing

SAME = "the train to the coast leaves in the morning and returns at night"
NOTES: dict[str, str | bytes] = {
    "rules/a.md": note(f"# Trains\n\n{SAME} on weekdays"),
    "rules/b.md": note(f"# Coast\n\n{SAME} on all days"),
    "rules/c.md": note("# Bread\n\nflour, water, salt"),
    "rules/d.md": note(f"# Old trains\n\n{SAME} on weekdays", status="superseded", superseded_by="a.md"),
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    made = workbench(tmp_path, NOTES, FakeEmbedder())
    yield made
    made.store.close()


def suspects(bench: Workbench, only: tuple[str, ...] | None = None) -> list[str]:
    @contextmanager
    def opened() -> Iterator[SqliteStore]:
        yield bench.store

    checker = Checker(bench.vault, PLAIN, Neighbours(opened))
    paths = None if only is None else tuple(map(DocPath, only))
    outcome = checker.run(CheckRequest(selection=choose(["DR031"]), only=paths)).outcome
    return [f"{each.path}: {each.message}" for each in outcome.findings]


def test_suspects_come_from_the_vectors_of_an_index(bench: Workbench) -> None:
    bench.index()
    (found,) = suspects(bench)
    assert found.startswith("rules/b.md: it is close in meaning to rules/a.md (0.")
    assert suspects(bench, ("rules/a.md",)) == []  # told at the newer one, which is what a commit adds
    assert suspects(bench, ("rules/b.md",)) == [found]


def test_without_vectors_nothing_is_close(tmp_path: Path) -> None:
    bench = workbench(tmp_path, NOTES, None)
    bench.index()
    assert suspects(bench) == []
    bench.store.close()


def test_a_note_that_has_changed_since_is_no_suspect(bench: Workbench) -> None:
    bench.index()
    bench.vault.write("rules/b.md", note("# Coast\n\nsand"))
    assert suspects(bench) == []


def test_without_an_index_nothing_is_close(bench: Workbench) -> None:
    def missing() -> SqliteStore:
        raise IndexMissing("there is no index", "run: docs-rag index")

    outcome = Checker(bench.vault, PLAIN, Neighbours(missing)).run(CheckRequest(selection=choose())).outcome
    assert (outcome.findings, len(outcome.checked)) == ((), 4)


def test_notes_that_nest_too_deep_or_are_no_text_are_told_of() -> None:
    vault = MemoryVault({"a.md": b"\xff\xfe\xff", "b.md": b"a\0b"})
    outcome = Checker(vault, PLAIN, _Nothing()).run(CheckRequest(selection=choose())).outcome
    assert [(each.path, each.code.id) for each in outcome.findings] == [("a.md", "DR001"), ("b.md", "DR001")]


def edits(notes: dict[str, str | bytes]) -> tuple[Sequence[WriteFile], Sequence[str]]:
    vault = MemoryVault(notes)
    checked = Checker(vault, PLAIN, _Nothing()).run(CheckRequest(selection=choose()))
    mends = plan(checked.outcome.findings, checked.corpus, vault)
    return mends.edits, mends.notices


def test_two_mends_of_one_file_are_one_edit() -> None:
    old = "---\r\nstatus: Acepted\r\n---\r\n\r\n# Old\r\n"
    made, notices = edits({"old.md": old, "new.md": note("# New", status="accepted", supersedes="old.md")})
    assert notices == ()
    assert [each.after for each in made] == [
        b"---\r\nstatus: Superseded\r\nsuperseded_by: new.md\r\n---\r\n\r\n# Old\r\n"
    ]


def test_a_part_of_a_log_is_mended_where_it_stands() -> None:
    log = "# Log\n\n## D-1: Files\n\nStatus: Accepted\n\n## D-2: Tables\n\nStatus: Accepted\nSupersedes: D-1\n"
    made, notices = edits({"log.md": log})
    assert notices == ()
    assert [each.after for each in made] == [log.replace("Accepted", "Superseded by D-2", 1).encode()]


class _Nothing:
    def closest(self, *_: object) -> list[Close]:
        return []
