"""Which note has a metadata file beside it, and how both count as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.sidecars import joined, sidecar_of


@pytest.mark.parametrize(
    ("path", "sidecar"),
    [
        ("keps/sig-x/12-y/README.md", "keps/sig-x/12-y/kep.yaml"),
        ("README.md", "kep.yaml"),
        ("readme.md", "kep.yaml"),
        ("keps/12-y/notes.md", None),
        ("README.md/a.md", None),
        ("MY-README.md", None),
    ],
)
def test_the_place_of_the_sidecar(path: str, sidecar: str | None) -> None:
    assert sidecar_of(path) == sidecar


_numbers = st.integers(0, 10)
_stamps = st.builds(FileStamp, st.just(DocPath("README.md")), _numbers, _numbers, _numbers)


@given(_stamps, st.none() | _stamps)
def test_a_joined_stamp_tells_presence_and_is_no_older_than_either(note: FileStamp, sidecar: FileStamp | None) -> None:
    both = joined(note, sidecar)
    assert (both == note) is (sidecar is None)
    assert both.path == note.path
    for stamp in filter(None, (note, sidecar)):
        assert both.mtime_ns >= stamp.mtime_ns
        assert both.ctime_ns >= stamp.ctime_ns


def test_a_change_of_either_moves_the_joined_stamp_whichever_is_newer() -> None:
    note, sidecar = FileStamp(DocPath("README.md"), 5, 5, 5), FileStamp(DocPath("kep.yaml"), 9_000_000, 9_000_000, 5)
    edited = note._replace(mtime_ns=6, ctime_ns=6)  # the clock was set back in between
    assert joined(edited, sidecar) != joined(note, sidecar)
    assert joined(sidecar, edited) != joined(sidecar, note)


@given(_stamps, _stamps)
def test_a_later_change_of_either_moves_the_joined_stamp(note: FileStamp, sidecar: FileStamp) -> None:
    later = max(note.ctime_ns, sidecar.ctime_ns) + 1
    assert joined(note._replace(ctime_ns=later), sidecar) != joined(note, sidecar)
    assert joined(note, sidecar._replace(ctime_ns=later)) != joined(note, sidecar)
