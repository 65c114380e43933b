"""Notes beside documents that cannot say themselves what became of them: `manual.pdf.md` speaks for `manual.pdf`.

People who keep PDFs in a vault write such notes. Where there is one, its metadata are the document's: status,
successor, date, tags. The note itself stays a note that can be found, but makes no claims of its own: they are the
document's, and would count twice.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from docs_rag.core.documents import DocPath, Document, Problem
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from docs_rag.core.lifecycle import Lifecycle

NOTES: Final = (".md", ".markdown")
"""Suffixes of files that carry their metadata themselves."""
_OWNER: Final = re.compile(r"(?P<owner>.+\.\w{1,10})\.md", re.IGNORECASE | re.DOTALL)


def companion_of(path: str) -> DocPath | None:
    """Where the note that speaks for a file would lie; None for a note, and for a file without a suffix."""
    name = path.rpartition("/")[2]
    return None if name.lower().endswith(NOTES) or "." not in name[1:] else DocPath(f"{path}.md")


def owner_of(path: str) -> DocPath | None:
    """The document that a note would speak for by its name; None for most notes."""
    found = _OWNER.fullmatch(path)
    return None if found is None or found["owner"].lower().endswith(NOTES) else DocPath(found["owner"])


def spoken_for(document: Document, said: Document, title: str) -> Document:
    """A document with what its companion says of it; `said` is the companion read as if it were the document.

    `title` is the companion's own word on that; empty for none.
    """
    return replace(
        document,
        title=title or document.title,
        aliases=tuple(dict.fromkeys((*said.aliases, *document.aliases))),
        tags=tuple(dict.fromkeys((*said.tags, *document.tags))),
        lifecycle=_together(document.lifecycle, said.lifecycle),
        problems=document.problems + tuple(map(_beside, said.problems)),
    )


def as_companion(note: Document) -> Document:
    """A note that speaks for a document, as a record of its own: it is hidden with it, and has no place in any line."""
    life = note.lifecycle
    status = Status.ARCHIVED if life.status is Status.SUPERSEDED else life.status
    own = replace(life, status=status, successors=(), claims=(), partial=(), partial_claims=(), ids=())
    return replace(note, aliases=(), lifecycle=own, problems=())


def _together(own: Lifecycle, said: Lifecycle) -> Lifecycle:
    """The companion's word where it says anything of the state, and its date where it has one."""
    if said.status_text or said.successors or said.claims or said.partial or said.partial_claims or said.superseded_on:
        return said if said.date else replace(said, date=own.date, decided=own.decided, is_git_date=own.is_git_date)
    ids = said.ids or own.ids
    if said.date:
        return replace(own, date=said.date, decided=said.decided, is_git_date=False, ids=ids)
    return replace(own, ids=ids)


def _beside(problem: Problem) -> Problem:
    line = "" if problem.line is None else f", line {problem.line}"
    return Problem(problem.code, f"the note beside it{line}: {problem.message}")
