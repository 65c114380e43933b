"""Work grows with the size of a note, not with its square, whatever the note holds.

Compared are two sizes of one shape in one process, in processor time, the best of six: no promise of seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from docs_rag.core.chunks import chunk
from docs_rag.core.documents import DocPath
from docs_rag.core.embedtext import embed_text
from docs_rag.core.parsing import parse_document
from docs_rag.core.succession import Record, resolve

ASKED = "DOCS_RAG_GROWTH" in os.environ
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not ASKED, reason="compares processor times: DOCS_RAG_GROWTH=1 pytest tests/fuzz/test_growth.py"
    ),
]

SMALL = 20_000
"""Characters of the smaller note; the larger has four times as many."""
LINEAR = 9.0
"""Four times the size may take so many times as long: 4 and room for noise; the square would be 16."""
SQUARE = 28.0
"""For names that many records share: each of them has to be compared with each; the cube would be 64."""

NOTES: dict[str, tuple[str, str, str]] = {
    "one long word": ("", "a", ""),
    "one long line of words": ("", "zebra ", ""),
    "open brackets": ("", "[", ""),
    "open wikilinks": ("", "[[a", ""),
    "closed brackets": ("", "]", "["),
    "many links": ("", "[a](b) ", ""),
    "many wikilinks": ("", "[[a#b|c]] ", ""),
    "open pictures": ("", "![", ""),
    "backticks of one length": ("", "`a", ""),
    "backticks of many lengths": ("", "` `` ``` ```` ", ""),
    "stars": ("", "*a **b ", ""),
    "underscores": ("", "_a __b ", ""),
    "open tags": ("", "<a ", ""),
    "open comments": ("", "<!-- ", ""),
    "percent comments": ("", "%% a\n", ""),
    "deep quotes": ("", "> ", "a"),
    "deep lists": ("", "- ", "a"),
    "nested list": ("", "- a\n  ", ""),
    "many items": ("", "- a\n", ""),
    "a huge table": ("| a | b |\n|-|-|\n", "| a | b |\n", ""),
    "a wide table": ("", "| a ", "|\n"),
    "tables without a body": ("", "| a |\n|-|\n\n", ""),
    "headings": ("", "# a\n", ""),
    "headings with words": ("", "## a b c\n\nSome words of its own.\n\n", ""),
    "setext headings": ("", "a\n---\n", ""),
    "lines without an end": ("", "a\n", ""),
    "blank lines": ("a", "\n", "a"),
    "spaces": ("a", " ", "a"),
    "spaces after a bold key": ("**a", " ", "**b"),
    "spaces in an inline field": ("(a::", " \t", "-"),
    "spaces after a key": ("Status", " ", "x"),
    "no-break spaces": ("a", "\u00a0", "a"),
    "fences": ("", "```\na\n", ""),
    "an open fence": ("```\n", "a\n", ""),
    "footnotes": ("", "[^1]: a\n", ""),
    "definitions": ("", "[a]: b\n", ""),
    "status lines": ("", "Status: accepted\n", ""),
    "status items": ("", "- Status: superseded by [x](x.md)\n", ""),
    "status sections": ("", "## Status\n\nSuperseded by [x](x.md)\n\n", ""),
    "a long status": ("---\nstatus: ", "superseded by not ", "\n---\n"),
    "many successors": ("---\nsuperseded_by: [", "a.md, ", "b]\n---\n"),
    "open metadata": ("---\n", "a: b\n", ""),
    "deep metadata": ("---\na: ", "[", "\n---\n"),
    "metadata on one line": ("---\na: ", "{a: ", "\n---\n"),
    "anchors in metadata": ("---\n", "a: &a [*a, *a]\n", "---\n"),
    "a log": ("# Decisions\n\n", "## D-001: x\n\nStatus: superseded by D-002\n\n", ""),
    "entities": ("", "&amp;", ""),
    "backslashes": ("", "\\", ""),
    "Hangul": ("", "회의실을", ""),
    "accents": ("e", "\u0301", ""),
    "html": ("", "<div>\n", ""),
    "callouts": ("", "> [!note] a\n", ""),
    "inline fields": ("", "[a:: b] ", ""),
    "maths": ("", "$$ a\n", ""),
}
"""What comes first, what is repeated, what comes last."""


def _read(text: str) -> None:
    document = parse_document(DocPath("decisions/0001-a.md"), text)
    for each in chunk(document):
        embed_text(document.title, each.headings, each.text)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _growth(small: Callable[[], object], large: Callable[[], object], bound: float) -> float:
    """How many times as long the larger takes; tried again while something else may have been in the way."""
    ratios = []
    for _ in range(6):
        ratios.append(_seconds(large) / max(_seconds(small), 0.005))
        if ratios[-1] < bound:
            break
    return min(ratios)


@pytest.mark.parametrize("shape", NOTES)
def test_a_note_takes_time_like_its_size(shape: str) -> None:
    first, middle, last = NOTES[shape]

    def of(size: int) -> str:
        return f"{first}{middle * (size // len(middle))}{last}\n"

    small, large = of(SMALL), of(4 * SMALL)
    assert _growth(lambda: _read(small), lambda: _read(large), LINEAR) < LINEAR


def _record(path: str, text: str) -> Record:
    document = parse_document(DocPath(path), text)
    return Record(document.path, document.title, document.aliases, document.lifecycle, document.links)


def _note(title: str, **keys: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in keys.items()) + f"---\n# {title}\n\n[[Same]]\n"


VAULTS: dict[str, tuple[Callable[[int, int], tuple[str, str]], float]] = {
    "a chain": (lambda n, _: (f"n{n}.md", _note(f"T{n}", superseded_by=f"n{n + 1}.md")), LINEAR),
    "a ring": (lambda n, of: (f"n{n}.md", _note(f"T{n}", superseded_by=f"n{(n + 1) % of}.md")), LINEAR),
    "all claim one": (lambda n, _: (f"n{n}.md", _note(f"T{n}", status="accepted", supersedes="n0.md")), LINEAR),
    "a mesh": (lambda n, _: (f"n{n}.md", _note(f"T{n}", superseded_by=f"[n{n + 1}.md, n{n + 2}.md]")), LINEAR),
    "one file name": (lambda n, _: (f"d{n}/same.md", _note("Same", superseded_by="'[[same]]'")), SQUARE),
    "one title": (lambda n, _: (f"n{n}.md", _note("Same", superseded_by="Same")), SQUARE),
    "one alias": (lambda n, _: (f"n{n}.md", _note(f"T{n}", aliases="[q]", superseded_by="q")), SQUARE),
    "one number": (lambda n, _: (f"d{n}/0001-x.md", _note("Same", status="accepted", supersedes="ADR-1")), SQUARE),
}
"""The note of a number in a vault of so many, and how fast the work for all may grow."""


@pytest.mark.parametrize("shape", VAULTS)
def test_a_vault_takes_time_like_its_size(shape: str) -> None:
    make, bound = VAULTS[shape]
    few, many = ([_record(*make(number, count)) for number in range(count)] for count in (60, 240))
    assert _growth(lambda: resolve(few), lambda: resolve(many), bound) < bound
