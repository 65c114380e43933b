"""Which notes references mean, as text cases."""

from __future__ import annotations

import pytest
from casefiles import Case, cases
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.references import NamedNote, Names, Resolution


def _note(line: str) -> NamedNote:
    path, title, aliases, ids = [*(part.strip() for part in line.split(";")), "", "", ""][:4]
    lists = [tuple(filter(None, (part.strip() for part in text.split(",")))) for text in (aliases, ids)]
    return NamedNote(DocPath(path), title, lists[0], lists[1])


def _shown(resolution: Resolution) -> str:
    if resolution.ambiguous:
        return "? " + " | ".join(resolution.ambiguous)
    return " | ".join(resolution.paths) or "-"


@pytest.mark.parametrize("case", cases("references.txt"))
def test_resolve(case: Case) -> None:
    notes, _, asked = case.given.partition("\n\n")
    names = Names(map(_note, notes.split("\n")))
    found = []
    for line in asked.rstrip("\n").split("\n"):
        source, _, reference = line.partition(": ")
        found.append(_shown(names.resolve(reference, DocPath(source))))
    assert found == case.expected.split("\n")


def test_case_26_paths_that_differ_in_case_only() -> None:
    names = Names([NamedNote(DocPath("README.md"), "A"), NamedNote(DocPath("readme.md"), "B")])
    assert names.resolve("[x](readme.md)", DocPath("x.md")).paths == ("readme.md",)
    assert names.resolve("[x](Readme.md)", DocPath("x.md")).ambiguous == ("README.md", "readme.md")


def test_decomposed_letters_in_a_reference() -> None:
    names = Names([NamedNote(DocPath("인증.md"), "Auth")])
    assert names.resolve("[[\u110b\u1175\u11ab\u110c\u1173\u11bc]]", DocPath("x.md")).paths == ("인증.md",)


_parts = st.sampled_from(
    ["a", "b", "README", "0001-x", "adr-2", "2026-01-14", "..", "Auth", "ü", "", "#", "x y", "[[", "]("]
)
_paths = st.lists(_parts.filter(lambda part: part not in ("", "..")), min_size=1, max_size=3).map("/".join)


@given(st.lists(_paths, unique=True, max_size=6), st.lists(_parts, max_size=5).map("/".join), st.text(max_size=20))
def test_a_note_is_never_its_own_and_order_does_not_matter(paths: list[str], reference: str, text: str) -> None:
    notes = [NamedNote(DocPath(f"{path}.md"), path.title(), (path.upper(),), (path,)) for path in paths]
    for source in [note.path for note in notes] or [DocPath("x.md")]:
        for asked in (reference, text, f"[[{reference}]]", f"[t]({reference})"):
            found = Names(notes).resolve(asked, source)
            again = Names(notes[::-1]).resolve(asked, source)
            assert source not in found.paths + found.ambiguous
            assert set(found.paths) == set(again.paths)
            assert set(found.ambiguous) == set(again.ambiguous)
