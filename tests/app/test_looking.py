"""Runs that pass over folders which are as they were: whatever happens to a vault, they end as one that forgot all."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.adapters.vault import FolderVault
from docs_rag.app.indexing import Indexer, IndexRequest
from docs_rag.app.looking import look
from docs_rag.app.refreshing import Refresher
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.identity import Make
from docs_rag.core.report import IndexReport
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.errors import VaultError

MAKE = Make(parser=1, chunker=1, analyser="unicode-1")
OTHER = Make(parser=2, chunker=1, analyser="unicode-1")
LATER_NS = 60_000_000_000
"""By so much runs are ahead of the files' clock, so that no note counts as read in the moment of its change."""

NAMES = ("a.md", "b.md", "B.md", "README.md", "kep.yaml", ".gitignore", "o\u0308.md", "\u00f6.md", "x.txt", ".x.md")
FOLDERS = ("", "one", "one/deep", "two", "node_modules", "o\u0308", ".git")
IGNORED = ("b.md\n", "one/\n", "*.md\n!a.md\n", "deep\n", "")


@dataclass
class Desk:
    """A vault on disk with two indexes: `store` remembers folders, `other` is made to forget them before each run."""

    root: Path
    store: SqliteStore
    other: SqliteStore
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ("**/*.md",)

    def vault(self) -> FolderVault:
        return FolderVault(str(self.root), include=self.include, exclude=self.exclude, gitignore=True, max_bytes=200)

    def index(self, store: SqliteStore | None = None, **request: object) -> IndexReport:
        indexer = Indexer(self.vault(), store or self.store, None, MAKE, now_ns=lambda: time.time_ns() + LATER_NS)
        return indexer.run(IndexRequest(**request))  # type: ignore[arg-type]

    def both(self, *only: DocPath) -> tuple[IndexReport, IndexReport]:
        """A run for each of the two."""
        self.forget()
        mine = self.index(accept_removals=True, only=only)
        return mine, self.index(self.other, accept_removals=True, only=only)

    def forget(self) -> None:
        self.other.folders.remember({}, [*self.other.folders.known()])

    def write(self, path: str, text: str = "# Title\n\nSome words.\n") -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place


@contextmanager
def desk_in(folder: Path) -> Iterator[Desk]:
    root = folder / "vault"
    root.mkdir()
    with (
        open_store(str(folder / "store.db"), UnicodeAnalyser(), create=True) as store,
        open_store(str(folder / "other.db"), UnicodeAnalyser(), create=True) as other,
    ):
        yield Desk(root, store, other)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_in(tmp_path) as made:
        yield made


def content(store: SqliteStore) -> tuple[object, ...]:
    """What an index holds of its notes, by path."""
    with closing(sqlite3.connect(store.path)) as db:
        notes = db.execute("SELECT path, mtime_ns, ctime_ns, size, racy, stale, digest, title FROM notes ORDER BY path")
        texts = db.execute("SELECT n.path, c.text FROM chunks c JOIN notes n ON n.id = c.id >> 20 ORDER BY 1, c.id")
        skipped = db.execute("SELECT path, code, message FROM skipped ORDER BY path")
        ignored = db.execute("SELECT reason, count FROM ignored ORDER BY reason")
        return tuple(rows.fetchall() for rows in (notes, texts, skipped, ignored))


def figures(report: IndexReport) -> tuple[object, ...]:
    return report.added, report.modified, report.removed, report.unchanged, sorted(report.failed)


Step = tuple[str, str, str, str]


def identity(path: str) -> DocPath:
    """What a path is called in the vault."""
    return DocPath(unicodedata.normalize("NFC", path))


def touch(desk: Desk, first: str, second: str, lines: str) -> None:
    """An edit under the former time."""
    status = (desk.root / first).stat()
    desk.write(first, "#" * status.st_size)
    os.utime(desk.root / first, ns=(status.st_atime_ns, status.st_mtime_ns))


def replace(desk: Desk, first: str, second: str, lines: str) -> None:
    """Another file under the former name, time and size."""
    status = (desk.root / first).stat()
    made = desk.write("new.part", "%" * status.st_size)
    os.utime(made, ns=(status.st_atime_ns, status.st_mtime_ns))
    made.replace(desk.root / first)


def rename(desk: Desk, first: str, second: str, lines: str) -> None:
    """A note, or the folder that it lies in."""
    one, two = desk.root / first, desk.root / second
    (one.parent if lines else one).rename(two.parent if lines else two)


def link(desk: Desk, first: str, second: str, lines: str) -> None:
    """To a note, or to the folder that it lies in."""
    one, two = desk.root / first, desk.root / second
    one.parent.mkdir(parents=True, exist_ok=True)
    one.symlink_to(two if lines else two.parent)


def refresh(desk: Desk, first: str, second: str, lines: str) -> None:
    """What a question does."""
    desk.forget()
    for store in (desk.store, desk.other):
        Refresher(desk.vault(), store, None, automatic=True, make=MAKE).before_query()


ACTS: dict[str, Callable[[Desk, str, str, str], object]] = {
    "write": lambda desk, first, second, lines: desk.write(first, f"# {second}\n\n{lines}\n"),
    "large": lambda desk, first, second, lines: desk.write(first, "word " * 50),
    "ignore": lambda desk, first, second, lines: desk.write(str(Path(first).parent / ".gitignore"), lines),
    "remove": lambda desk, first, second, lines: (desk.root / first).unlink(),
    "folder": lambda desk, first, second, lines: (desk.root / first).mkdir(parents=True),
    "mode": lambda desk, first, second, lines: (desk.root / first).chmod(0o400 if lines else 0o600),
    "config": lambda desk, first, second, lines: setattr(desk, "exclude", (second,) if lines else ()),
    "named": lambda desk, first, second, lines: desk.both(identity(first)),
    "touch": touch,
    "replace": replace,
    "rename": rename,
    "link": link,
    "refresh": refresh,
}
places = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(NAMES)).map(lambda pair: "/".join(filter(None, pair)))
steps = st.tuples(st.sampled_from(sorted(ACTS)), places, places, st.sampled_from(IGNORED))


def act(desk: Desk, step: Step) -> None:
    """Do one thing to the vault, its config or the index that remembers; what cannot be done is not."""
    kind, *places = step
    with suppress(OSError):
        ACTS[kind](desk, *places)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(steps, max_size=6), min_size=1, max_size=6))
def test_a_run_that_remembers_ends_as_one_that_forgot(rounds: list[list[Step]]) -> None:
    with tempfile.TemporaryDirectory() as folder, desk_in(Path(folder)) as desk:
        desk.write("a.md")
        desk.write("one/deep/b.md")
        desk.write("two/a.md")
        for round_ in rounds:
            for step in round_:
                act(desk, step)
            mine, others = desk.both()
            assert content(desk.store) == content(desk.other)
            assert figures(mine) == figures(others)


@settings(max_examples=20, deadline=None)
@given(st.lists(steps, max_size=12), st.lists(places, min_size=1, max_size=3))
def test_a_look_at_a_path_finds_what_a_scan_finds_there(changes: list[Step], paths: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, desk_in(Path(folder)) as desk:
        desk.write("one/deep/a.md")
        for step in changes:
            act(desk, step)
        for path in map(identity, [*paths, "one", "one/deep", "two"]):
            vault = desk.vault()
            found = vault.look_at(path)
            if found is not None:
                wanted = {each for each in desk.vault().scan() if f"{each.path}/".startswith(f"{path}/")}
                assert {each for listing in found for each in listing.found} == wanted


def recognised(desk: Desk) -> set[str]:
    """The folders that a run would pass over now."""
    found = desk.vault().survey(desk.store.folders.known())
    return {each.path for each in found if each.recognised is not None}


def test_what_did_not_change_is_passed_over(desk: Desk) -> None:
    for path in ("a.md", "one/b.md", "two/c.md", "two/.hidden.md", "node_modules/d.md"):
        desk.write(path)
    desk.index()
    assert recognised(desk) == {"", "one", "two"}
    assert desk.store.ignored() == {"hidden": 1, "vendor": 1}
    assert desk.index().unchanged == 3
    assert desk.store.ignored() == {"hidden": 1, "vendor": 1}
    assert desk.index(full=True).added == 3
    assert recognised(desk) == {"", "one", "two"}


@pytest.mark.parametrize(
    ("change", "left"),
    [
        pytest.param(lambda desk: desk.write("one/b.md", "other"), {"", "two"}, id="an edit"),
        pytest.param(lambda desk: (desk.root / "one/b.md").unlink(), {"", "two"}, id="a removal"),
        pytest.param(lambda desk: desk.write("one/x.txt", "no note"), {"", "two"}, id="another name"),
        pytest.param(lambda desk: desk.write("one/.gitignore", "c*\n"), {"", "two"}, id="own ignore file"),
        pytest.param(lambda desk: desk.write(".gitignore", "zzz\n"), set(), id="ignore file of all"),
        pytest.param(lambda desk: (desk.root / "one/l").symlink_to("b.md"), {"", "two"}, id="a link"),
        pytest.param(lambda desk: (desk.root / "one").rename(desk.root / "three"), {"two"}, id="another folder"),
        pytest.param(lambda desk: setattr(desk, "exclude", ("zzz.md",)), set(), id="another config"),
        pytest.param(lambda desk: desk.store.notes.remove(DocPath("one/b.md")), {"", "two"}, id="a note that went"),
        pytest.param(lambda desk: desk.store.set_make(OTHER), set(), id="another version"),
        pytest.param(lambda desk: desk.store.rebuild(), set(), id="an empty index"),
        pytest.param(
            lambda desk: desk.store.notes.mark_stale(Skipped(DocPath("one/b.md"), "unreadable", "?")),
            {"", "two"}, id="a stale note",
        ),
    ],
)  # fmt: skip
def test_what_may_have_changed_is_not(desk: Desk, change: Callable[[Desk], object], left: set[str]) -> None:
    for path in ("a.md", "one/b.md", "two/c.md"):
        desk.write(path)
    desk.index()
    change(desk)
    assert recognised(desk) == left


def test_a_note_read_in_the_moment_of_its_change_is_looked_at_again(desk: Desk) -> None:
    desk.write("one/a.md")
    Indexer(desk.vault(), desk.store, None, MAKE).run(IndexRequest())
    assert recognised(desk) == {""}
    desk.index()
    assert recognised(desk) == {"", "one"}


def test_an_edit_under_a_decomposed_name_is_found_whatever_the_suffix(desk: Desk) -> None:
    desk.include = ("**/*.\u00e9",)
    desk.write("one/a.e\u0301", "# First\n")
    assert desk.index().added == 1
    desk.write("one/a.e\u0301", "# Other\n")
    assert desk.index().modified == 1


def test_a_note_that_cannot_be_had_is_told_by_every_run(desk: Desk) -> None:
    desk.write("one/a.md", "word " * 50)
    desk.write("one/b.md")
    for _ in range(3):
        assert [each.code for each in desk.index().failed] == ["too-large"]


def test_a_folder_that_vanished_is_missed_though_all_others_are_known(desk: Desk) -> None:
    for number in range(9):
        desk.write(f"{number}/a.md", f"# Note {number}\n")
    desk.index()
    for number in range(6):
        (desk.root / f"{number}/a.md").unlink()
    with pytest.raises(VaultError, match="6 of 9 indexed notes"):
        desk.index()
    assert desk.index(accept_removals=True).removed == 6


def test_a_named_note_costs_no_look_at_the_others(desk: Desk) -> None:
    for path in ("one/a.md", "one/b.md", "two/c.md"):
        desk.write(path)
    desk.index()
    desk.write("one/a.md", "# Other\n")
    desk.write("two/c.md", "# Other\n")
    report = desk.index(only=(DocPath("one"),))
    assert (report.modified, report.unchanged) == (1, 1)
    report = desk.index(only=(DocPath("two/c.md"),))
    assert (report.modified, report.unchanged) == (1, 0)
    assert desk.index().modified == 0


def test_of_a_named_note_that_is_gone_the_whole_vault_tells(desk: Desk) -> None:
    desk.write("one/a.md")
    desk.index()
    (desk.root / "one/a.md").unlink()
    with pytest.raises(VaultError):
        desk.index(only=(DocPath("one/a.md"),))
    desk.write("b.md")
    desk.write("c.md")
    desk.index(only=(DocPath("b.md"), DocPath("c.md")))
    assert desk.index(only=(DocPath("one/a.md"),)).removed == 1


def test_what_was_hinted_at_is_counted_once(desk: Desk) -> None:
    desk.write("one/a.md")
    desk.write("one/b.md")
    desk.index()
    desk.write("one/a.md", "# Other\n")
    desk.write("one/c.md", "# New\n")
    (desk.root / "one/b.md").unlink()
    report = desk.index(hints=tuple(map(DocPath, ("one/a.md", "one/c.md", "one/b.md", "no/such.md"))))
    assert figures(report) == (1, 1, 1, 0, [])


def test_a_question_remembers_too(desk: Desk) -> None:
    desk.write("one/a.md")
    desk.index()
    desk.store.folders.remember({}, ["", "one"])
    assert recognised(desk) == set()
    refresher = Refresher(desk.vault(), desk.store, None, automatic=True, make=MAKE)
    refresher.before_query()
    assert recognised(desk) == {"", "one"}
    assert refresher.outdated() == frozenset()
    desk.write("one/a.md", "other")
    assert refresher.outdated() == {"one/a.md"}


def test_another_process_that_reads_a_note_meanwhile_is_heard(desk: Desk) -> None:
    desk.write("one/a.md")
    found = look(desk.vault(), desk.store)
    desk.index()
    desk.store.folders.remember({}, ["", "one"])
    desk.write("one/a.md", "other words")
    desk.index()
    found.remember()
    assert recognised(desk) == {"", "one"}
