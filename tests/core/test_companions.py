"""Which note speaks for which document, and what of it counts."""

from __future__ import annotations

import pytest

from docs_rag.core.companions import as_companion, companion_of, owner_of, spoken_for
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.parsing import parse_document
from docs_rag.core.status import Status


@pytest.mark.parametrize(
    ("document", "companion"),
    [
        ("a/manual.pdf", "a/manual.pdf.md"),
        ("x.TXT", "x.TXT.md"),
        ("a.md", None),
        ("a.markdown", None),
        ("LICENSE", None),
    ],
)
def test_the_companion_of_a_document(document: str, companion: str | None) -> None:
    assert companion_of(document) == companion
    if companion is not None:
        assert owner_of(companion) == document


@pytest.mark.parametrize("path", ["a.md", "a/b c.md", "v1.2 notes.md", "a.md.md", "manual.pdf"])
def test_other_notes_speak_for_none(path: str) -> None:
    assert owner_of(path) is None


def spoken(own: str, said: str) -> Document:
    path = DocPath("manual.pdf")
    return spoken_for(parse_document(path, own), parse_document(path, said), "")


def test_the_companions_word_counts() -> None:
    found = spoken("# Manual\n", "---\nstatus: superseded\nsuperseded_by: new.pdf\ndate: 2026-01-02\ntags: [x]\n---\n")
    life = found.lifecycle
    assert (life.status, life.successors, life.date) == (Status.SUPERSEDED, ("new.pdf",), "2026-01-02")
    assert (found.title, found.tags) == ("Manual", ("x",))


def test_a_companion_that_says_nothing_of_the_state_leaves_it() -> None:
    found = spoken("# Manual\n\nStatus: rejected\n", "---\ndate: 2026-01-02\n---\nMy notes.\n")
    assert (found.lifecycle.status, found.lifecycle.date) == (Status.REJECTED, "2026-01-02")


def test_a_companion_claims_nothing_for_itself() -> None:
    note = parse_document(DocPath("new.pdf.md"), "---\nid: M-2\nsupersedes: old.pdf\naliases: [M]\n---\n")
    assert note.lifecycle.claims == ("old.pdf",)
    plain = as_companion(note)
    assert (plain.lifecycle.claims, plain.lifecycle.ids, plain.aliases) == ((), (), ())


def test_the_companion_of_a_superseded_document_is_hidden_and_not_in_its_line() -> None:
    note = parse_document(DocPath("old.pdf.md"), "---\nstatus: superseded\nsuperseded_by: new.pdf\n---\n")
    life = as_companion(note).lifecycle
    assert life.status.is_hidden
    assert life.successors == ()
