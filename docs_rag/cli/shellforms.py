"""An answer for other programs: paths alone, or a line for each hit that editors can jump to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from docs_rag.core.answers import Answer, Hit
from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.documents import note_path
from docs_rag.core.labels import brackets, reason
from docs_rag.errors import UsageError

Place = Callable[[str], str]
"""From a note's path in the vault to a path that a shell can open."""


class Form(NamedTuple):
    """One way to write an answer."""

    lines: Callable[[Answer, Place], Iterator[str]]
    end: str
    """What follows each line."""
    counts_lines: bool = False
    """True where a path must be that of the text, not of the document that it was made of."""


def _paths(answer: Answer, place: Place) -> Iterator[str]:
    """Every note with a hit, once, the best first."""
    yield from dict.fromkeys(place(note_path(hit.section.path)) for hit in answer.hits)


def _shown_paths(answer: Answer, place: Place) -> Iterator[str]:
    yield from map(shown_path, _paths(answer, place))


def _jumps(answer: Answer, place: Place) -> Iterator[str]:
    """`path:line:column:text`, as `rg --vimgrep` has it; the text says why the hit is there and what it is."""
    for hit in answer.hits:
        path = shown_path(place(note_path(hit.section.path)))
        yield f"{path}:{hit.section.lines[0]}:1:{_summary(hit)}"


def _summary(hit: Hit) -> str:
    heading = " > ".join(hit.section.headings) or hit.section.title
    return one_line(" ".join([reason(hit), *brackets(hit), heading]))


FORMS: Final = {
    "files": Form(_shown_paths, "\n"),
    "null": Form(_paths, "\0"),
    "vimgrep": Form(_jumps, "\n", counts_lines=True),
}
"""By the option that asks for it. A path is written as it is only where a zero byte ends it: elsewhere a name could
hold a line of its own, or move the cursor."""


def chosen(*, files: bool, null: bool, vimgrep: bool, as_json: bool) -> Form | None:
    """The form that options ask for, None for none. Raises `UsageError` where they ask for two."""
    if (files or null) + vimgrep + as_json > 1:
        raise UsageError("an answer has one form", "take one of -l (or -0), --vimgrep and --json")
    names = (name for name, is_wanted in (("null", null), ("files", files), ("vimgrep", vimgrep)) if is_wanted)
    return FORMS.get(next(names, ""))
