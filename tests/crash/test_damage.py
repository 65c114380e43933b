"""Every kind of damage to an index: no command breaks, `doctor` names it, and `index --full` mends it."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import sqlite3
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes
from crash.indexdump import Dump, copied, dump
from crash.stories import NOTES
from fakes import FakeEmbedder

from docs_rag import wiring
from docs_rag.adapters.sqlite import connection, schema, signs, store

pytestmark = pytest.mark.slow

PAGE = 8192
COMMANDS = (
    ("search", "where does a session live"), ("status",), ("list",), ("history", "guide.md"), ("index",),
)  # fmt: skip


@pytest.fixture
def docs_rag(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


@pytest.fixture(autouse=True)
def _fake_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "choose_embedder", lambda config, store: FakeEmbedder())
    monkeypatch.setattr(wiring, "choose_search_embedder", lambda config, store: (FakeEmbedder(), ""))
    monkeypatch.setattr(signs, "KEPT_FROM", 1)


@pytest.fixture
def project(tmp_path: Path, docs_rag: CommandLine) -> Path:
    """A project whose index lies in one file, with everything written out."""
    folder = tmp_path / "project"
    replaced = NOTES["adr/0001-cookies.md"].replace("---\n", "---\nstatus: superseded by 0002\n", 1)
    many = {f"more/{number}.md": f"# Page {number}\n\n" + f"Words of page {number}. " * 40 for number in range(60)}
    write_notes(folder, {**NOTES, **many, "adr/0001-cookies.md": replaced})
    write_config(folder, embedModel="auto", autoRefresh=False)
    assert docs_rag("-C", folder, "index").status == 0
    with closing(sqlite3.connect(index_of(folder))) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def index_of(project: Path) -> Path:
    return project / ".rag" / "index.db"


def dumped(project: Path) -> Dump:
    found = dump(copied(index_of(project), project.parent / "scratch"))
    assert found is not None
    return found


def outlives(project: Path, docs_rag: CommandLine, sound: Dump) -> str:
    """Assert what must hold whatever was done to the index; returns what `doctor` said of it before."""
    told = docs_rag("-C", project, "doctor", "--json")
    assert told.status in (0, 1), told.err
    checks = [each for each in told.json["checks"] if each["check"] == "index"]
    said = " ".join(each["message"] for each in checks if each["verdict"] == "broken")
    for command in COMMANDS:
        done = docs_rag("-C", project, *command)
        assert done.status in (0, 1), (command, done.err)
        assert done.status == 0 or done.err.startswith("docs-rag: "), done.err
    mended = docs_rag("-C", project, "index", "--full")
    assert mended.status == 0, mended.err
    found = dumped(project)
    assert (found.notes, found.standings, found.is_resolved) == (sound.notes, sound.standings, True)
    assert found.vectors == sound.vectors
    after = docs_rag("-C", project, "doctor", "--json").json["checks"]
    assert [each for each in after if each["check"] == "index" and each["verdict"] != "ok"] == []
    return said


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def sql(*statements: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for statement in ("PRAGMA writable_schema = ON", *statements):
                db.execute(statement)

    return damage


def cut(share: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, int(path.stat().st_size * share))


def put_vector(path: Path, number: float) -> None:
    """Let one vector hold this number throughout."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE vectors SET vector = ? WHERE id = 3", (array("f", [number] * 256).tobytes(),))


DAMAGE: dict[str, Callable[[Path], None]] = {
    "cut in half": cut(0.5),
    "cut within the first page": lambda path: os.truncate(path, 100),
    "emptied": cut(0),
    "header overwritten": lambda path: overwrite(path, 0, b"\0" * 100),
    "first page overwritten": lambda path: overwrite(path, 0, b"\xa5" * PAGE),
    "another kind of file": lambda path: overwrite(path, 0, b"%PDF-1.7\n" * 999),
    "only zeros": lambda path: overwrite(path, 0, b"\0" * path.stat().st_size),
    "table of notes gone": sql("DROP TABLE parts", "DROP TABLE names", "DROP TABLE notes"),
    "table of sections gone": sql("DROP VIEW searchable", "DROP TABLE chunks"),
    "mirror of the words gone": sql("DROP TABLE words"),
    "mirror emptied": sql("INSERT INTO words(words) VALUES ('delete-all')"),
    "mirror's data gone": sql("DELETE FROM words_data"),
    "words of another section": sql("UPDATE chunks SET text = 'another text' WHERE id = (SELECT max(id) FROM chunks)"),
    "sections of no note": sql("PRAGMA foreign_keys = OFF", "DELETE FROM notes WHERE path = 'guide.md'"),
    "keys of no note": sql("PRAGMA foreign_keys = OFF", "INSERT INTO handles VALUES (1, 999, 0)"),
    "a folder of other notes": sql("INSERT OR REPLACE INTO folders VALUES ('adr', x'00', 99, '', '')"),
    "a folder that is none": sql("INSERT OR REPLACE INTO folders VALUES ('nowhere', x'00', 0, '', '[')"),
    "a state that is none": sql("UPDATE notes SET status = 'supersedd' WHERE path = 'adr/0001-cookies.md'"),
    "a list that is none": sql("UPDATE notes SET superseded_by = '[\"' WHERE path = 'adr/0001-cookies.md'"),
    "headings that are none": sql("UPDATE chunks SET headings = 'x'"),
    "a vector cut short": sql("UPDATE vectors SET vector = substr(vector, 1, 40) WHERE id = 3"),
    "a vector that is text": sql("UPDATE vectors SET vector = CAST(vector AS TEXT) WHERE id = 3"),
    "a vector of NaN": lambda path: put_vector(path, math.nan),
    "a vector that has grown": lambda path: put_vector(path, 1.0),
    "signs cut short": sql("UPDATE sketches SET data = substr(data, 1, 100)"),
    "signs of no vector": sql("UPDATE sketches SET data = zeroblob(length(data))"),
    "table of signs gone": sql("DROP TABLE sketches"),
    "no token": sql("DELETE FROM meta WHERE key = 'token'"),
    "no models": sql("DELETE FROM models"),
    "a calibration that is none": sql("UPDATE meta SET value = '{' WHERE key = 'calibration'"),
    "an index out of step": sql(
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'chunks_digest')"
        " WHERE name = 'notes_folder'"
    ),
    "a schema that is none": sql("UPDATE sqlite_master SET sql = 'CREATE TABLE notes (' WHERE name = 'notes'"),
    "marked as of a newer version": sql("PRAGMA user_version = 99"),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_case_62_damage_is_found_and_mended(kind: str, project: Path, docs_rag: CommandLine) -> None:
    sound = dumped(project)
    DAMAGE[kind](index_of(project))
    assert outlives(project, docs_rag, sound)


def test_a_log_of_another_file_is_no_damage(project: Path, docs_rag: CommandLine) -> None:
    sound = dumped(project)
    Path(f"{index_of(project)}-wal").write_bytes(b"\x37\x7f\x06\x82" * 999)
    assert outlives(project, docs_rag, sound) == ""


def test_case_62_a_log_that_is_gone_costs_what_was_in_it_and_no_more(project: Path, docs_rag: CommandLine) -> None:
    before, path = dumped(project), index_of(project)
    write_notes(project, {"guide.md": "# Guide\n\nThe oven is out.\n"})
    with closing(sqlite3.connect(path)) as reader:  # keeps the log from being written back
        reader.execute("SELECT * FROM notes").fetchone()
        assert docs_rag("-C", project, "index").status == 0
        after = dumped(project)
        kept = path.read_bytes()
    path.write_bytes(kept)
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    assert dumped(project).notes["guide.md"] in (before.notes["guide.md"], after.notes["guide.md"])
    assert docs_rag("-C", project, "index").status == 0
    assert dumped(project).notes == after.notes


def test_the_database_of_another_program_is_left_alone(project: Path, docs_rag: CommandLine) -> None:
    sql("PRAGMA application_id = 7")(index_of(project))
    before = index_of(project).read_bytes()
    for command in (*COMMANDS, ("index", "--full"), ("doctor",)):
        done = docs_rag("-C", project, *command)
        assert done.status == 1
        assert "is not an index of docs-rag" in done.err + done.out
    assert index_of(project).read_bytes() == before


def pages(path: Path, most: int) -> Iterator[int]:
    count = path.stat().st_size // PAGE
    yield from random.Random(7).sample(range(1, count), min(most, count - 1))


@pytest.mark.parametrize("way", ["zeros", "noise", "another page"])
def test_case_62_pages_that_were_lost_are_found_and_mended(way: str, project: Path, docs_rag: CommandLine) -> None:
    sound, path = dumped(project), index_of(project)
    kept, state = project.parent / "kept.db", project / ".rag"
    shutil.copyfile(path, kept)
    dice = random.Random(way)
    most = int(os.environ.get("DOCS_RAG_DAMAGED_PAGES", "4"))
    for page in pages(path, most):
        for left in state.glob("index.db*"):
            left.unlink()
        shutil.copyfile(kept, path)
        assert docs_rag("-C", project, "index").status == 0
        data = {
            "zeros": b"\0" * PAGE,
            "noise": dice.randbytes(PAGE),
            "another page": kept.read_bytes()[-PAGE:] if page != kept.stat().st_size // PAGE - 1 else b"\1" * PAGE,
        }[way]
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        overwrite(path, page * PAGE, data)
        try:
            is_harmed = dumped(project) != sound
        except (sqlite3.Error, AssertionError, ValueError):
            is_harmed = True
        said = outlives(project, docs_rag, sound)
        assert said or not is_harmed, (way, page)


def test_case_62_a_newer_index_is_left_as_it_is(
    project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")(index_of(project))
    before = index_of(project).read_bytes()
    for command in (("search", "session"), ("index",), ("status",), ("list",), ("eval", "none.json")):
        done = docs_rag("-C", project, *command)
        assert done.status in (1, 2), command
        assert "newer docs-rag" in done.err or command[0] == "eval", (command, done.err)
        assert "upgrade docs-rag" in done.err or command[0] == "eval", done.err
    assert index_of(project).read_bytes() == before
    assert docs_rag("-C", project, "index", "--full").status == 0
    assert [each.name for each in (project / ".rag").glob("*.damaged-*")]


def test_up_and_down_between_two_schemas(project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version after this one keeps the vectors; this one refuses what that made, and `--full` leads back."""
    sound = dumped(project)
    with monkeypatch.context() as newer:
        for module in (connection, schema, store):
            newer.setattr(module, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)
        refused = docs_rag("-C", project, "search", "session")
        assert (refused.status, "older docs-rag" in refused.err) == (1, True)
        done = docs_rag("-C", project, "index", "--json")
        assert done.status == 0
        assert dumped(project).notes == sound.notes
        assert dumped(project).vectors == sound.vectors
    refused = docs_rag("-C", project, "search", "session")
    assert (refused.status, "newer docs-rag" in refused.err) == (1, True)
    assert docs_rag("-C", project, "index", "--full").status == 0
    assert dumped(project).standings == sound.standings
    found = json.loads(docs_rag("-C", project, "search", "--json", "where does a session live").out)
    assert found["hits"]
