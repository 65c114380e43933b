"""An answer as a tool's reply: the object for hosts that show a model only that, and a text that says the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_rag.core.answers import Answer, as_json, without_empty
from docs_rag.errors import DocsRagError, NotThere, Unapproved
from docs_rag.render import answer_lines

MOST_CHARS: Final = 24_000
MOST_BYTES: Final = 60_000
BUG: Final = "docs-rag failed on this question; that is a bug, and the server's log has its traceback"

_SAID_TO_AGENTS: Final = {
    "see: docs-rag list": "list_notes names all that are there",
    "see: docs-rag list --problems": "list_notes with problems says more",
}
"""What takes the place of a hint that names a command: whoever reads notes through tools may have no shell."""

_PASSAGE_LINES: Final = (None, 60, 24, 12, 4, 0)
"""How many lines of a passage the text shows: it indents each, so many short lines make it longer than the object."""

_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
_HIT: Final = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "heading": _STRINGS,
        "lines": {"type": "array", "items": {"type": "integer"}},
        "location": {"type": "string"},
        "textPath": {"type": "string"},
        "label": {"type": "string"},
        "score": {"type": "number"},
        "standing": {"type": "string"},
        "status": {"type": "string"},
        "text": {"type": "string"},
    },
    "required": ["path", "label", "status"],
}
OUTPUT_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "asOf": {"type": "string"},
        "noRelevantResults": {"type": "boolean"},
        "message": {"type": "string"},
        "notices": _STRINGS,
        "hits": {"type": "array", "items": _HIT},
        "hiddenRecords": {"type": "array", "items": {"type": "object"}},
        "hidden": {"type": "object"},
        "bestRejected": {"type": "number"},
        "threshold": {"type": "number"},
        "index": {"type": "object"},
    },
    "required": ["query", "noRelevantResults", "index"],
}
"""JSON Schema of the object: what a reader can rely on. Null and empty fields are left out, and new ones may come."""


def as_object(answer: Answer) -> dict[str, object]:
    """The answer as `search --json` prints it, less its null and empty fields."""
    return without_empty(as_json(answer))


def as_text(answer: Answer) -> str:
    """The same in lines; every line of a note is indented, so that none can be taken for ours."""
    before = [f"note: {notice}" for notice in answer.notices]
    after = ["", "; ".join(_facts(answer))]
    for most_lines in _PASSAGE_LINES:
        hits = answer_lines(answer, most_lines=most_lines, see_hidden="searchAll")
        text = "\n".join([*before, *hits, *after])
        if len(text) <= MOST_CHARS and len(text.encode("utf-8", "replace")) <= MOST_BYTES:
            break
    return text


def failure(error: DocsRagError) -> str:
    """A known error as the model reads it.

    What an unapproved config asks for is not repeated: its words are the very thing that nobody has approved.
    """
    if isinstance(error, Unapproved):
        return (
            "nothing is served: the config of this project asks for what its user has not approved;"
            f" the user can look at it and approve it with: {error.hint}"
        )
    if isinstance(error, NotThere):
        return str(NotThere(error.message, _SAID_TO_AGENTS.get(error.hint, error.hint)))
    return str(error)


def _facts(answer: Answer) -> Iterator[str]:
    """What the answer was drawn from and what it leaves out, part by part."""
    index = answer.index
    waiting = f", {index.pending} pending" if index.pending else ""
    yield f"index {index.name} of {index.vault}: {index.documents} notes, {index.chunks} sections{waiting}"
    yield f"{index.mode}, model {index.model}, {index.embedded} embedded, score {index.score}"
    if answer.threshold is not None:
        yield f"threshold {answer.threshold} ({index.threshold_source})"
    if answer.best_rejected is not None:
        yield f"best below it {answer.best_rejected}"
    hidden = ", ".join(f"{count} {reason}" for reason, count in answer.hidden.items() if count)
    if hidden:
        yield f"left out: {hidden}"
    if index.updated_at:
        yield f"updated {index.updated_at}"
