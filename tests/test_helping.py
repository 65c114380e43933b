"""Notes that other processes parse: the same index, row for row, whatever becomes of these processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from workbench import MAKE

from docs_rag import wiring
from docs_rag.adapters.helpers.pool import HelperPool
from docs_rag.adapters.sqlite.store import open_store
from docs_rag.adapters.vault import FolderVault
from docs_rag.app import indexing, intake
from docs_rag.app.drafting import Beside, Raw, pack_notes, unpack_drafts
from docs_rag.app.indexing import Indexer, IndexRequest
from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.ports import Helpers
from docs_rag.core.report import IndexReport
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.helping import ANALYSER, MODULE, open_helpers, prepare

TABLES = ("notes", "parts", "names", "handles", "wanted", "chunks", "skipped")
NEVER = 1 << 62
"""A clock by which no note is racy."""
RULES = StatusRules(words={"compost": Status.ARCHIVED}, within=("a/**",), folders={"old": Status.SUPERSEDED})


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    for n in range(60):
        place = folder / ("a", "b", "old")[n % 3] / f"{n:03}-note.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text(n), encoding="utf-8")
    (folder / "log.md").write_text(
        "# Log\n\n## D-1 Use x\n\nStatus: accepted\n\ntext\n\n## D-2 y\n\nStatus: draft\n", "utf-8"
    )
    (folder / "a" / "broken.md").write_bytes(b"# Broken \xff\xfe\n")
    (folder / "a" / "kep.yaml").write_text("title: From beside\nstatus: implemented\n", encoding="utf-8")
    (folder / "a" / "README.md").write_text("# Read me\n\ntext\n", encoding="utf-8")
    return folder


def text(n: int) -> str:
    status = ("accepted", "compost", "superseded", "draft")[n % 4]
    long = " ".join(f"word{k * n % 89}" for k in range(600)) if n % 7 == 0 else "short"
    head = f"---\nstatus: {status}\nsuperseded_by: {n + 1:03}\ntags: [x, y]\n---\n"
    return f"{head}# Note {n} 한글\n\n- {long}\n\n## B\n\n`c` |\n"


def indexed(
    folder: Path, path: Path, helpers: Callable[[], Helpers | None] = lambda: None, rules: StatusRules = RULES
) -> tuple[IndexReport, list[list[tuple[object, ...]]]]:
    """A first run, and all rows that it wrote."""
    with open_store(str(path), ANALYSER, create=True) as store:
        indexer = Indexer(Folder(folder), store, None, MAKE, rules=rules, helpers=helpers, now_ns=lambda: NEVER)
        report = indexer.run(IndexRequest())
        store.check()
    with closing(sqlite3.connect(path)) as db:
        return report, [sorted(db.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES]


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few notes are many, and a task is three."""
    monkeypatch.setattr(indexing, "MANY", 10)
    monkeypatch.setattr(intake, "TASK_NOTES", 3)


class Folder(FolderVault):
    """A vault with the usual settings."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), include=["**/*.md"], exclude=[], gitignore=True, max_bytes=10_000_000)


class FailingFolder(Folder):
    """One that breaks down at one note."""

    def read(self, path: DocPath) -> tuple[FileStamp, bytes]:
        if "050" in path:
            raise OSError("the disk is gone")
        return super().read(path)


class Breaking:
    """Helpers of which some replies are lost or garbled."""

    def __init__(self) -> None:
        self._work = prepare(RULES.packed().encode())

    def work(self, tasks: Iterable[bytes]) -> Generator[bytes | None]:
        for number, task in enumerate(tasks):
            reply = self._work(task)
            yield (reply, None, b"", reply[: len(reply) // 2], b"[\x00\x00\x00\x00")[number % 5]

    def close(self) -> None:
        """Nothing runs."""


def started(rules: StatusRules) -> HelperPool:
    return HelperPool(MODULE, rules.packed().encode(), 2)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("rules", [RULES, PLAIN])
def test_an_index_made_with_helpers_is_the_same_row_for_row(vault: Path, tmp_path: Path, rules: StatusRules) -> None:
    alone, rows = indexed(vault, tmp_path / "alone.db", rules=rules)
    report, found = indexed(vault, tmp_path / "helped.db", lambda: started(rules), rules)
    assert found == rows
    assert (report.added, report.failed, report.chunks) == (alone.added, alone.failed, alone.chunks)
    assert [each.code for each in report.failed] == ["encoding"]


@pytest.mark.usefixtures("many")
def test_what_helpers_lose_is_parsed_here(vault: Path, tmp_path: Path) -> None:
    _, rows = indexed(vault, tmp_path / "alone.db")
    assert indexed(vault, tmp_path / "helped.db", Breaking)[1] == rows


def test_a_few_notes_need_no_helpers(vault: Path, tmp_path: Path) -> None:
    def never() -> Helpers:
        raise AssertionError("helpers for a few notes")

    assert indexed(vault, tmp_path / "index.db", never)[0].added == 62


@pytest.mark.usefixtures("many")
def test_a_run_that_fails_ends_its_helpers(vault: Path, tmp_path: Path) -> None:
    pools: list[HelperPool] = []

    def helpers() -> HelperPool:
        pools.append(started(RULES))
        return pools[-1]

    with open_store(str(tmp_path / "index.db"), ANALYSER, create=True) as store, pytest.raises(OSError, match="gone"):
        Indexer(FailingFolder(vault), store, None, MAKE, helpers=helpers).run(IndexRequest())
    assert pools[0]._helpers == []


def test_a_note_that_was_written_meanwhile_is_read_again(vault: Path, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "index.db"), ANALYSER, create=True) as store:
        ours, path = intake.Intake(Folder(vault), store, now_ns=lambda: NEVER), DocPath("a/000-note.md")
        (ready,) = ours.ready([(path, False)])
        (vault / path).write_text("# Newer\n\ntext of later\n", encoding="utf-8")
        ours.take(path)
        ours.settle(ready)
        with closing(sqlite3.connect(tmp_path / "index.db")) as db:
            assert db.execute("SELECT title FROM notes").fetchall() == [("Newer",)]


def test_rules_come_through_as_they_are() -> None:
    for rules in (RULES, PLAIN):
        assert StatusRules.unpacked(rules.packed()).digest == rules.digest


def test_one_processor_has_no_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_rag.adapters.helpers.pool.processors", lambda: 1)
    assert open_helpers(PLAIN) is None


def test_a_folder_that_is_called_like_us_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs_rag").mkdir()
    (tmp_path / "docs_rag" / "__init__.py").write_text("open('taken in', 'w').close()\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    raw = Raw(DocPath("n.md"), b"# N\n\ntext\n", Beside(), is_companion=False)
    (reply,) = started(PLAIN).work([pack_notes([raw])])
    assert reply is not None
    assert isinstance(unpack_drafts(reply, [raw])[0], tuple)
    assert not (tmp_path / "taken in").exists()


def test_a_note_that_brings_a_bug_to_light_is_left_to_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("docs_rag.app.drafting.parse_source", breaks)
    raw = Raw(DocPath("n.md"), b"# N\n", Beside(), is_companion=False)
    reply = prepare(PLAIN.packed().encode())(pack_notes([raw, raw]))
    assert unpack_drafts(reply, [raw, raw]) == [None, None]


@pytest.mark.usefixtures("many")
def test_index_asks_for_helpers_with_the_rules_of_the_config(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[StatusRules] = []
    monkeypatch.setattr("docs_rag.wiring.open_helpers", asked.append)
    found, _ = wiring.open_project(wiring.Options(vault=str(vault)), strict=True)
    config = replace(found, embed_model="none")
    store, _ = wiring.open_index_for_writing(config)
    with store:
        assert wiring.open_indexer(config, store, None).run(IndexRequest()).added == 62
    assert asked == [config.status_rules]
