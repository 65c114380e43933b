"""Disks that are full or read-only, logs that readers hold, clocks that jump, files that change while they are read."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from commandline import CommandLine, spawn, write_config, write_notes
from crash.indexdump import copied, dump
from crash.stories import EDITED, NOTES

from docs_rag import trust, wiring
from docs_rag.adapters.sqlite import connection
from docs_rag.adapters.sqlite.store import open_store
from docs_rag.app.background import Background, Ended
from docs_rag.core.hookstate import LastRun
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.errors import Busy, DocsRagError, IndexDamaged

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="modes, limits and signals of POSIX"),
]
LARGE = {f"large/{number}.md": f"# Large {number}\n\n" + f"word{number} " * 4000 for number in range(25)}


@pytest.fixture
def docs_rag(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.fixture
def project(tmp_path: Path, docs_rag: CommandLine) -> Path:
    folder = tmp_path / "project"
    write_notes(folder, NOTES)
    write_config(folder)
    assert docs_rag("-C", folder, "index").status == 0
    return folder


def paths(project: Path) -> set[str]:
    found = dump(copied(project / ".rag" / "index.db", project.parent / "scratch"))
    return set() if found is None else set(found.notes)


def refused(said: str) -> bool:
    return "docs-rag: " in said and "this is a bug" not in said and "Traceback" not in said


@pytest.mark.parametrize("size", [1, 3, 6])
def test_case_62_files_that_may_grow_no_further(size: int, project: Path) -> None:
    """A quota on the size of a file: the run says so, the notes that were in stay, and it goes on where it may."""
    write_notes(project, LARGE)
    most = size * 100_000
    done = spawn("-C", project, "index", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    assert done.status == 1
    assert refused(done.err), done.err
    assert "damaged" not in done.err
    assert set(NOTES) <= paths(project)
    found = spawn("-C", project, "search", "--json", "where does a session live")
    assert found.status == 0, found.err
    assert spawn("-C", project, "index").status == 0
    assert paths(project) == {*NOTES, *LARGE}


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """A file system of its own, where this user may make one."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)]
    if not sys.platform.startswith("linux") or os.geteuid() or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("this user may mount nothing")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_case_62_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "4m") as disk:
        project = disk / "project"
        write_notes(project, NOTES)
        write_config(project)
        assert spawn("-C", project, "index").status == 0
        write_notes(project, LARGE)
        fill(disk / "filler")
        done = spawn("-C", project, "index")
        assert done.status == 1
        assert refused(done.err), done.err
        assert "damaged" not in done.err
        assert spawn("-C", project, "search", "where does a session live").status == 0
        done = spawn("-C", project, "supersede", "--yes", "adr/0001-cookies.md", "adr/0002-tokens.md")
        assert done.status == 1
        assert refused(done.err), done.err
        assert (project / "adr/0001-cookies.md").read_text(encoding="utf-8") == NOTES["adr/0001-cookies.md"]
        (disk / "filler").unlink()
        assert spawn("-C", project, "index").status == 0
        assert paths(project) == {*NOTES, *LARGE}


def fill(place: Path) -> None:
    """Write until nothing more fits."""
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(descriptor, b"x" * 4096):
            continue
    except OSError:
        return
    finally:
        os.close(descriptor)


def test_case_62_a_read_only_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "20m") as disk:
        project = disk / "project"
        write_notes(project, NOTES)
        write_config(project)
        assert spawn("-C", project, "index").status == 0
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        found = spawn("-C", project, "search", "--json", "where does a session live")
        assert found.status == 0, found.err
        assert found.json["hits"]
        assert any("read-only" in notice for notice in found.json["notices"])
        for reading in ("status", "list", "doctor"):
            assert "this is a bug" not in spawn("-C", project, reading).err
        for writing in (("index",), ("supersede", "--yes", "adr/0001-cookies.md", "adr/0002-tokens.md")):
            done = spawn("-C", project, *writing)
            assert done.status == 1
            assert refused(done.err), done.err


def test_case_62_an_error_of_the_system_is_no_damage(tmp_path: Path) -> None:
    """SQLite names both `disk I/O error`; only one of them costs an index under `--full`."""

    class Failing(sqlite3.OperationalError):
        sqlite_errorname = "SQLITE_IOERR_WRITE"

    class Short(sqlite3.OperationalError):
        sqlite_errorname = "SQLITE_IOERR_SHORT_READ"

    with pytest.raises(DocsRagError, match="SQLITE_IOERR_WRITE") as told, connection.faults("x"):
        raise Failing("disk I/O error")
    assert not isinstance(told.value, IndexDamaged)
    with pytest.raises(IndexDamaged), connection.faults("x"):
        raise Short("disk I/O error")


def test_a_log_that_readers_held_is_cut_off_when_they_are_gone(tmp_path: Path) -> None:
    path = str(tmp_path / "index.db")
    log = Path(f"{path}-wal")
    with open_store(path, UnicodeAnalyser(), create=True) as store, closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM notes").fetchone()
        with store.batch():
            for number in range(30):
                store._set_meta(f"large {number}", "x" * 1_000_000)
        assert log.stat().st_size > connection.LOG_BYTES  # the reader may still need what was before
        reader.execute("COMMIT")
        store.set_updated_at("2026-01-01")
        assert log.stat().st_size < connection.LOG_BYTES
        assert store.updated_at() == "2026-01-01"


def test_who_cannot_wait_for_a_writer_is_told_so(project: Path) -> None:
    index = project / ".rag" / "index.db"
    with (
        closing(sqlite3.connect(index, isolation_level=None)) as writer,
        open_store(str(index), UnicodeAnalyser()) as store,
    ):
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy), store.hurried():
            store.set_updated_at("2026-01-01")


def test_an_index_that_was_emptied_a_moment_ago_is_waited_for(project: Path) -> None:
    """Between the commit that makes a new token and its being known, a question must not call the index foreign."""
    config, _ = wiring.open_project(wiring.Options(folder=str(project)), strict=True)
    lock = wiring.index_lock(config)
    assert lock.acquire()
    try:
        store, _ = wiring.open_index_for_writing(config)
        with store:
            store.rebuild()
            later = threading.Timer(0.3, lambda: trust.remember_index(config.index_path, token))
            token = store.token()
            later.start()
            wiring.open_index(config).close()
            later.join()
            store.rebuild()
    finally:
        lock.release()
    with pytest.raises(IndexDamaged, match="made elsewhere"):
        wiring.open_index(config)


class Clock:
    """A wall clock that is set while docs-rag works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        real, real_ns = time.time, time.time_ns
        monkeypatch.setattr(time, "time", lambda: real() + self.ahead)
        monkeypatch.setattr(time, "time_ns", lambda: real_ns() + int(self.ahead * 1e9))


@pytest.mark.parametrize("jump", [-400 * 86400.0, -3600.0, 3600.0, 400 * 86400.0])
def test_no_edit_is_lost_when_the_clock_is_set(
    jump: float, project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    for number, ahead in enumerate((0.0, jump, 0.0, jump)):
        clock.ahead = ahead
        note = project / "guide.md"
        note.write_text(f"# Guide\n\nThe oven has run {number} times.\n", encoding="utf-8")
        at = time.time()
        os.utime(note, (at, at))
        found = docs_rag("-C", project, "index", "--json")
        assert (found.status, found.json["modified"]) == (0, 1)
        found = docs_rag("-C", project, "search", "--json", "how often has the oven run")
        assert f"run {number} times" in found.json["hits"][0]["text"]


def test_a_clock_that_was_set_back_holds_up_no_background_run(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    marks = iter([True, True, False, False])

    class Marks:
        def is_set(self) -> bool:
            return next(marks)

        def is_new(self) -> bool:
            return False

        def take(self) -> list[str]:
            return []

        def done(self) -> None:
            return

    class Lock:
        def acquire(self) -> bool:
            return True

        def release(self) -> None:
            return

    class Records:
        def last(self) -> tuple[LastRun | None, float]:
            return None, 5_000_000.0  # written before the clock was set back

        def keep(self, run: LastRun) -> None:
            return

        def log(self, line: str) -> None:
            return

    work = Background(
        Marks(), Lock(), Records(), lambda edited: Ended(ok=True, message=""), now=lambda: 1_000.0, sleep=slept.append
    )
    work.work()
    assert slept == []


def test_files_that_change_while_they_are_read_end_up_as_they_are(project: Path, docs_rag: CommandLine) -> None:
    """An editor that saves in place, in pieces, all the time: a run may see any of it, and a later one the last."""
    note, over = project / "guide.md", threading.Event()

    def write(number: int) -> None:
        with note.open("w", encoding="utf-8") as file:
            file.write(f"# Guide\n\nThe oven has run {number} times.\n")
            file.flush()
            file.write(f"\n## Again\n\nIt has run {number} times.\n")

    def keep_writing() -> None:
        number = 0
        while not over.is_set():
            number += 1
            write(number)

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        for _ in range(10):
            assert docs_rag("-C", project, "index").status == 0
            assert docs_rag("-C", project, "search", "--json", "how often has the oven run").status == 0
    finally:
        over.set()
        writer.join()
    write(-1)
    assert docs_rag("-C", project, "index").status == 0
    found = dump(copied(project / ".rag" / "index.db", project.parent / "scratch"))
    assert found is not None
    assert "run -1 times" in str(found.notes["guide.md"])


def test_killed_runs_do_not_grow_the_index(project: Path, tmp_path: Path) -> None:
    """Edits and kills by turns; another project gets the same edits in peace."""
    calm = tmp_path / "calm"
    shutil.copytree(project, calm, ignore=shutil.ignore_patterns("index.db*"))
    program = "import sys, os; from docs_rag.cli import run; sys.exit(run(sys.argv[1:]))"
    for number in range(int(os.environ.get("DOCS_RAG_KILLED_RUNS", "5"))):
        for folder in (project, calm):
            text = {path: f"{note}\nRound {number}. {'more ' * (number % 5) * 50}\n" for path, note in EDITED.items()}
            write_notes(folder, text)
        command = [sys.executable, "-c", program, "-C", str(project), "index"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                process.wait(0.25 + number % 7 * 0.05)
            except subprocess.TimeoutExpired:
                process.kill()
        assert spawn("-C", calm, "index").status == 0
    assert spawn("-C", project, "index").status == 0
    sizes = [(folder / ".rag" / "index.db").stat().st_size for folder in (project, calm)]
    assert sizes[0] <= 1.5 * sizes[1]
    assert not list((project / ".rag").glob("*.tmp"))
    assert not list((project / ".rag").glob("index.db-*"))
    assert paths(project) == paths(calm)
