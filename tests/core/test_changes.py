"""What has to be done: stamps of both sides compared."""

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.changes import RACY_NS, StoredStamp, diff, is_racy, vanished
from docs_rag.core.documents import DocPath, FileStamp


def stamp(path: str, mtime: int = 1, size: int = 1) -> FileStamp:
    return FileStamp(DocPath(path), mtime, mtime, size)


def stored(*stamps: FileStamp, racy: bool = False) -> dict[DocPath, StoredStamp]:
    return {each.path: StoredStamp(each, racy) for each in stamps}


def test_added_modified_removed_unchanged() -> None:
    index = stored(stamp("same"), stamp("edited"), stamp("x"))
    changes = diff([stamp("same"), stamp("new"), stamp("edited", 2)], index)
    assert [each.path for each in changes.added] == ["new"]
    assert [each.path for each in changes.modified] == ["edited"]
    assert changes.removed == ("x",)
    assert changes.unchanged == 1


def test_neighbours_in_another_order_are_not_taken_for_removed() -> None:
    left = [stamp("dir1 a/a.md"), stamp("dir1/a.md")]
    assert not diff(left, stored(*reversed(left))).any


def test_a_racy_stamp_is_looked_at_again() -> None:
    assert diff([stamp("a")], stored(stamp("a"), racy=True)).modified == (stamp("a"),)
    assert is_racy(stamp("a", 10 * RACY_NS), 10 * RACY_NS + 1)
    assert not is_racy(stamp("a", 10 * RACY_NS), 12 * RACY_NS)


def test_a_copy_that_keeps_size_and_mtime_is_seen_by_its_change_time() -> None:
    before, after = FileStamp(DocPath("a"), 1, 1, 5), FileStamp(DocPath("a"), 1, 2, 5)
    assert diff([after], stored(before)).modified == (after,)


def test_reread_takes_every_note() -> None:
    assert diff([stamp("a")], stored(stamp("a")), reread=True).modified == (stamp("a"),)


def test_a_vault_that_is_not_what_it_was() -> None:
    assert vanished(10, 10, 0)
    assert vanished(10, 6, 4)
    assert vanished(1, 1, 0)
    assert not vanished(10, 5, 5)
    assert not vanished(0, 0, 0)


paths = st.sets(st.sampled_from([f"{a}{b}" for a in "xyz" for b in ("", "/1", " 2")]))


@given(paths, paths)
def test_every_path_is_counted_once(vault: set[str], index: set[str]) -> None:
    changes = diff([stamp(path) for path in vault], stored(*(stamp(path) for path in index)))
    assert {each.path for each in changes.added} == vault - index
    assert set(changes.removed) == index - vault
    assert changes.unchanged == len(vault & index)
