from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from reading import library_of
from workbench import Workbench, workbench

from docs_rag.app.catchup import MOST_FILES, MOST_SECONDS, READ_ONLY
from docs_rag.app.refreshing import FOREIGN
from docs_rag.core.catchup import MOST_NAMED, CaughtUp, as_json, lines
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.storage import Store
from docs_rag.errors import NotThere, VaultError


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = workbench(tmp_path, {f"a/{number}.md": f"# Note {number}\n" for number in range(4)}, None)
    bench.index()
    yield bench
    bench.store.close()


def refresh(bench: Workbench, path: str = "") -> CaughtUp:
    return library_of(bench).refresh(path)


def stored(store: Store) -> set[str]:
    return set(store.notes.stamps())


def test_nothing_to_do(bench: Workbench) -> None:
    found = refresh(bench)
    assert (found.changed, found.unchanged, found.left) == (False, 4, 0)
    assert list(lines(found)) == ["0 added, 0 modified, 0 removed, 4 unchanged"]


def test_what_changed_is_told_and_taken_in(bench: Workbench) -> None:
    bench.vault.write("b/new.md", "# New\n")
    bench.vault.write("a/1.md", "---\nstatus: archived\n---\n# Note\n")
    bench.vault.write("a/3.md", "# Note 3\n")
    bench.vault.delete("a/2.md")
    bench.vault.write("b/odd.md", b"\xe9")
    found = refresh(bench)
    assert (found.added, found.modified, found.removed) == (("b/new.md",), ("a/1.md",), ("a/2.md",))
    assert [(each.path, each.code) for each in found.failed] == [("b/odd.md", "encoding")]
    assert found.unchanged == 2
    assert stored(bench.store) == {"a/0.md", "a/1.md", "a/3.md", "b/new.md"}
    assert bench.listed("a/1.md").status == "archived"
    assert not bench.store.graph.is_unresolved()


def test_a_folder_or_a_note_alone(bench: Workbench) -> None:
    bench.vault.write("b/new.md", "# New\n")
    bench.vault.write("bb.md", "# Else\n")
    assert refresh(bench, "/b/").added == ("b/new.md",)
    assert refresh(bench, "bb.md").added == ("bb.md",)
    with pytest.raises(NotThere, match="there is no note 'c'"):
        refresh(bench, "c")


def test_at_most_so_many_files_and_so_many_seconds(bench: Workbench) -> None:
    for number in range(MOST_FILES + 5):
        bench.vault.write(f"many/{number}.md", f"# Number {number}\n")
    found = refresh(bench)
    assert (len(found.added), found.left) == (MOST_FILES, 5)
    assert as_json(found)["message"] == (
        f"{MOST_FILES} added, 0 modified, 0 removed, 4 unchanged; 5 changed notes left: call refresh again"
    )
    library = library_of(bench)
    library.catch_up._clock = iter([0.0, 1.0, MOST_SECONDS + 1]).__next__
    assert (len(library.refresh("").added), refresh(bench).left) == (1, 0)


def test_a_vault_that_lost_most_of_its_notes_keeps_them_in_the_index(bench: Workbench) -> None:
    for path in list(bench.vault.files)[:3]:
        bench.vault.delete(path)
    found = refresh(bench)
    assert found.removed == ()
    assert "3 of 4 notes are missing" in found.notices[0]
    bench.vault.missing = True
    with pytest.raises(VaultError):
        refresh(bench)
    assert len(stored(bench.store)) == 4


def test_what_is_left_to_index(bench: Workbench) -> None:
    bench.store.writable = False
    assert refresh(bench).notices == (READ_ONLY,)
    bench.store.writable = True
    bench.make = replace(bench.make, parser=99)
    assert refresh(bench).notices == (FOREIGN,)


def test_long_lists_are_counted() -> None:
    paths = tuple(f"{number}\x1b.md" for number in range(MOST_NAMED + 7))
    found = CaughtUp(added=paths, failed=(Skipped(DocPath("x.md"), "unreadable", "a\nb"),))
    assert len(as_json(found)["added"]) == MOST_NAMED  # type: ignore[arg-type]
    text = list(lines(found))
    assert "and 7 more" in text
    assert "    x.md  unreadable: a b" in text
    assert "\x1b" not in "".join(text)
