"""A long section cut into parts of a readable size, without losing, repeating or reordering anything.

Cuts fall between blocks, outer ones first: paragraphs, then list items, table rows and nested blocks; a block that
is still too long is cut between sentences (code: lines), then at white space, then anywhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from docs_rag.core.markdown import Block
from docs_rag.core.plaincuts import plain_cuts

LONGEST: Final = 1200
"""Weight above which a section is cut: what a hit shows of one, about 300 tokens."""
_SHORTEST: Final = 200
"""A part lighter than this takes the next piece along, however long: a lead-in stays with what it leads to."""
_LONGEST_FENCE: Final = 12_000
"""Characters of a code block that is kept whole: its parts would no longer be known as code."""

Span = tuple[int, int]


def weight(text: str) -> int:
    """Length as a model feels it: a Chinese, Japanese or Korean character is about a token, else four are."""
    return len(text) if text.isascii() else len(text) + sum(map(len, _WIDE.findall(text)))


def split(text: str, blocks: Callable[[], Iterable[Block]], first: int) -> list[Span]:
    """Ranges of characters of `text` that follow one another and cover it.

    `blocks` gives those that begin within it, counted from `first`, the index of its first line in the note; only a
    long text is asked for them.
    """
    if weight(text) <= LONGEST:
        return [(0, len(text))]
    pieces = list(pairwise((0, *filter(None, plain_cuts(text) or ()), len(text))))
    if all(weight(text[start:end]) <= LONGEST for start, end in pieces):
        return _pack(text, pieces)
    return _pack(text, list(_units(_Layout.of(text, blocks(), first), 0, len(text), 0)))


class _Layout(NamedTuple):
    """A text and where its blocks begin."""

    text: str
    cuts: list[list[int]]
    """For each depth the offsets at which a block begins; none right behind a heading."""
    verbatim: dict[int, bool]
    """Offset of each block whose lines must stay as they are -> whether it is a fence."""

    @classmethod
    def of(cls, text: str, blocks: Iterable[Block], first: int) -> _Layout:
        """Turn the blocks' lines into offsets."""
        starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
        cuts: list[list[int]] = []
        verbatim: dict[int, bool] = {}
        behind_heading = -1
        for block in blocks:
            offset = starts[block.start - first]
            while len(cuts) <= block.depth:
                cuts.append([])
            if block.kind == "heading":
                behind_heading = block.end
            if block.start != behind_heading:
                cuts[block.depth].append(offset)
            if block.kind in ("fence", "code", "html"):
                verbatim[offset] = block.kind == "fence"
        return cls(text, cuts, verbatim)


def _units(layout: _Layout, start: int, end: int, depth: int) -> Iterator[Span]:
    """The pieces of a range that are light enough, as coarse as they can be; `depth` is the first to cut at."""
    if weight(layout.text[start:end]) <= LONGEST:
        yield start, end
        return
    for level in range(depth, len(layout.cuts)):
        offsets = layout.cuts[level]
        inner = offsets[bisect_right(offsets, start) : bisect_left(offsets, end)]
        if inner:
            for piece in pairwise((start, *inner, end)):
                yield from _units(layout, *piece, level + 1)
            return
    yield from _leaf(layout, start, end)


def _leaf(layout: _Layout, start: int, end: int) -> Iterator[Span]:
    """The pieces of one long block."""
    text = layout.text
    is_fence = layout.verbatim.get(start)
    if is_fence and end - start <= _LONGEST_FENCE:
        yield start, end
        return
    for cut in (_SENTENCE_END if is_fence is None else _LINE_END).finditer(text, start, end):
        yield from _chopped(text, start, cut.end())
        start = cut.end()
    if start < end:
        yield from _chopped(text, start, end)


def _chopped(text: str, start: int, end: int) -> Iterator[Span]:
    """Pieces of a text without structure: cut at white space if there is some in the second half of a piece."""
    load = weight(text[start:end])
    longest = LONGEST if load <= LONGEST else LONGEST * (end - start) // load
    while end - start > longest:
        middle, limit = start + longest // 2, start + longest
        cut = max(text.rfind(space, middle, limit) for space in " \t\n") + 1 or limit
        yield start, cut
        start = cut
    yield start, end


def _pack(text: str, units: Sequence[Span]) -> list[Span]:
    """Neighbouring pieces joined to parts of about equal weight."""
    weights = [weight(text[start:end]) for start, end in units]
    total = sum(weights)
    target = total / -(-total // LONGEST)
    parts: list[Span] = []
    start, load = 0, 0
    for (begin, _), piece in zip(units, weights, strict=True):
        if load >= target or (load >= _SHORTEST and load + piece > LONGEST):
            parts.append((start, begin))
            start, load = begin, 0
        load += piece
    if parts and load < _SHORTEST // 2:
        start = parts.pop()[0]
    return [*parts, (start, len(text))]


_WIDE: Final = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+"
)
_LINE_END: Final = re.compile(r"\n")
_SENTENCE_END: Final = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’)\]*_`]))\s+|[。！？][」』）”]?|\n")
