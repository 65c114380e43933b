"""What a reference can mean shares a key with it: looked up among those few it means the same as among all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.handles import NamedNote, handles, keys_wanted
from docs_rag.core.references import Names


def test_keys_of_a_record() -> None:
    note = NamedNote(DocPath("adr/0012-x.md"), "Use X", ("The X",), ("ADR-12", "12"))
    assert handles(note) == {"s0012-x", "tuse x", "tthe x", "tadr-12", "n12"}
    assert handles(NamedNote(DocPath("keps/2133-a/README.md"), "A")) == {"f2133-a", "ta", "n2133"}
    assert handles(NamedNote(DocPath("log.md#D-013"), "D-013 Queues")) == {"plog", "td-013 queues", "td-013", "n13"}


@pytest.mark.parametrize(
    ("reference", "keys"),
    [
        ("ADR-12", {"sadr-12", "fadr-12", "tadr-12", "n12"}),
        ("[x](../b/0034-y.md#d-1)", {"s0034-y.md", "s0034-y", "f0034-y.md", "n34", "p0034-y", "tx", "t../b/0034-y.md"}),
        ("#d-013", {"plog"}),
        ("[PR](https://github.com/o/r/pull/7)", {"tpr", "n7"}),
    ],
)
def test_keys_that_a_reference_asks_for(reference: str, keys: set[str]) -> None:
    assert keys_wanted(reference, DocPath("a/log.md")) == keys


_PATHS = st.sampled_from(
    ["a/0001-x.md", "b/0001-x.md", "a/README.md", "README.md", "a/0002/index.md", "log.md", "log.md#D-1", "log.md#D-2",
     "b/log.md#D-1", "adr/ADR-3-y.md", "a/x y.md", "readme/z.md"]
)  # fmt: skip
_NOTES = st.lists(
    st.builds(
        NamedNote,
        path=_PATHS.map(DocPath),
        title=st.sampled_from(["T", "0002", "Caching", "D-2 Title"]),
        aliases=st.lists(st.sampled_from(["Alias", "3"]), max_size=1).map(tuple),
        ids=st.lists(st.sampled_from(["1", "ADR-2", "D-2"]), max_size=1).map(tuple),
    ),
    unique_by=lambda note: note.path,
    max_size=8,
)
_WRITTEN = st.one_of(
    st.sampled_from(
        ["1", "ADR-2", "0001-x", "../a/", ".", "..", "a", "[[log#D-1]]", "#d-2-title", "D-2", "Caching, Alias",
         "[t](./)",
         "[D-1](https://github.com/o/a/pull/1)", "https://github.com/o/r/blob/main/b/0001-x.md", "[[README]]", "index",
         "log.md#d-1", "[ADR-3](gone.md)", "readme", "a/README.md"]
    ),
    st.text(st.sampled_from("aA01-./#[]()DR "), max_size=12),
)  # fmt: skip


@given(_NOTES, _WRITTEN, _PATHS)
def test_among_few_as_among_all(notes: list[NamedNote], reference: str, path: str) -> None:
    source = DocPath(path)
    asked = keys_wanted(reference, source)
    few = [note for note in notes if asked & handles(note)]
    assert Names(few).resolve(reference, source) == Names(notes).resolve(reference, source)
