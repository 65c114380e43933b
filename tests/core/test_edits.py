"""Edits as values, and what takes them back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import MoveFile, WriteFile, inverse, touched, write

PATH = DocPath("a.md")
contents = st.none() | st.binary(max_size=20)


@given(contents, contents)
def test_the_inverse_of_a_write_expects_what_it_wrote_and_restores_what_was_there(
    old: bytes | None, new: bytes | None
) -> None:
    edit = write(PATH, old, new)
    back = inverse(edit, old)
    assert isinstance(back, WriteFile)
    assert (back.before, back.after) == (None if new is None else bytes_digest(new), old)
    assert inverse(back, new) == edit


def test_the_inverse_of_a_move_leads_back() -> None:
    edit = MoveFile(PATH, bytes_digest(b"x"), DocPath("b/c.md"))
    assert inverse(edit, None) == MoveFile(DocPath("b/c.md"), bytes_digest(b"x"), PATH)
    assert inverse(inverse(edit, None), None) == edit


def test_touched_names_both_ends_of_a_move_once() -> None:
    move = MoveFile(PATH, bytes_digest(b""), DocPath("b.md"))
    assert touched([write(PATH, b"", b"x"), move]) == ("a.md", "b.md")
