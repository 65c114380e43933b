"""The answer object: what `search --json` prints and `search_notes` returns.

Hosts show a model only this object, so everything that the text form says is in it. The keys of the JSON stand in
the order of the fields here: what matters most comes first, so that a reply that is cut short still says it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.digests import short_digest

if TYPE_CHECKING:
    from docs_rag.core.asof import Force
    from docs_rag.core.confidence import Confidence
    from docs_rag.core.sections import Section
    from docs_rag.core.status import Status
    from docs_rag.core.why import Why


@dataclass(frozen=True, slots=True)
class Via:
    """Which superseded record a hit stands in for."""

    path: str
    score: float | None
    """The superseded record's own best score."""
    chain: tuple[str, ...]
    """From the superseded record down to the hit's note, both included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One section that answers."""

    section: Section
    label: str
    """`both`, `semantic` or `exact`."""
    score: float | None
    """On the scale of the floor; None for `exact`."""
    text: str
    """The section as written, or a passage of it around the match."""
    text_path: str = ""
    """Absolute path of the file that the section's lines count in: the note, or the converted text of a document."""
    truncated: bool = False
    standing: str = ""
    """What a reader must know first of a record that is not current; empty for a current one."""
    chain: tuple[str, ...] = ()
    """For a superseded record: from it down to the live end, as far as that is known."""
    excluded: str | None = None
    """The entry of `defaultExclude` that would have kept it out of a default search."""
    via: Via | None = None
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenRecord:
    """A record that would have been a hit, or was named by the question, but is not in force."""

    path: str
    title: str
    status: Status
    superseded_by: tuple[str, ...] = ()
    current_end: tuple[str, ...] = ()
    superseded_on: str | None = None
    chain: tuple[str, ...] = ()
    """Of a superseded record: from it down to the live end, as far as that is known."""
    force: Force | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFacts:
    """What an answer was drawn from."""

    name: str
    vault: str
    updated_at: str | None
    documents: int
    chunks: int
    embedded: int
    pending: int
    model: str
    score: str
    threshold_source: str | None
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Everything that one search found, and why it found no more."""

    query: str
    message: str
    notices: tuple[str, ...]
    hits: tuple[Hit, ...]
    hidden_records: tuple[HiddenRecord, ...]
    hidden: dict[str, int]
    best_rejected: float | None
    threshold: float | None
    index: IndexFacts
    confidence: Confidence | None = None
    """How far the best of what may answer can be believed; None where words alone decide."""
    why: Why | None = None
    """For a question that asks for it."""
    as_of: str | None = None
    """The day that the question names, ISO: states and standings are those of that day."""


def as_json(answer: Answer) -> dict[str, object]:
    """The answer with the keys of the contract, every key present."""
    return {
        "query": answer.query,
        "asOf": answer.as_of,
        "noRelevantResults": not answer.hits,
        "message": answer.message,
        "notices": list(answer.notices),
        "hits": [_hit(hit) for hit in answer.hits],
        "hiddenRecords": [_hidden_record(record) for record in answer.hidden_records],
        "hidden": dict(answer.hidden),
        "bestRejected": answer.best_rejected,
        "threshold": answer.threshold,
        "confidence": _confidence(answer.confidence),
        "index": _index(answer.index),
        **({} if answer.why is None else {"explain": _why(answer.why)}),
    }


def _why(found: Why) -> dict[str, object]:
    from docs_rag.core.why import as_json as why_as_json  # noqa: PLC0415  # few answers are explained

    return why_as_json(found)


def _confidence(found: Confidence | None) -> dict[str, object] | None:
    return None if found is None else {"value": round(found.value, 3) + 0.0, "needed": round(found.needed, 3)}


def _hit(hit: Hit) -> dict[str, object]:
    section = hit.section
    via = hit.via
    return {
        "id": hit_id(section),
        "path": section.path,
        "heading": list(section.headings),
        "lines": list(section.lines),
        "location": section.location,
        "textPath": hit.text_path,
        "label": hit.label,
        "score": hit.score,
        "standing": hit.standing,
        "status": str(section.status),
        "statusText": section.status_text,
        "date": section.date,
        "dateSource": section.date_source,
        "supersededBy": list(section.superseded_by),
        "currentEnd": list(section.current_end),
        "supersededOn": section.superseded_on,
        "partial": section.partial,
        **_in_force(section.force),
        "via": None if via is None else {"path": via.path, "score": via.score, "chain": list(via.chain)},
        "stale": section.stale,
        "alsoIn": list(hit.also_in),
        "text": hit.text,
        "truncated": hit.truncated,
    }


def hit_id(section: Section) -> str:
    """`path#ordinal@digest`: names a section and, by its text, which version of it."""
    return f"{section.path}#{section.ordinal}@{short_digest(section.text)}"


def _hidden_record(record: HiddenRecord) -> dict[str, object]:
    return {
        "path": record.path,
        "title": record.title,
        "status": str(record.status),
        "supersededBy": list(record.superseded_by),
        "currentEnd": list(record.current_end),
        "supersededOn": record.superseded_on,
        **_in_force(record.force),
    }


def _in_force(force: Force | None) -> dict[str, object]:
    """From when to when a record was in force, for a question that names a day; null where that is not known."""
    if force is None or not force.was_in_force:
        return {"inForceFrom": None, "inForceUntil": None}
    return {"inForceFrom": force.since, "inForceUntil": force.until}


def _index(facts: IndexFacts) -> dict[str, object]:
    return {
        "name": facts.name,
        "vault": facts.vault,
        "updatedAt": facts.updated_at,
        "documents": facts.documents,
        "chunks": facts.chunks,
        "embedded": facts.embedded,
        "pending": facts.pending,
        "model": facts.model,
        "score": facts.score,
        "thresholdSource": facts.threshold_source,
        "mode": facts.mode,
    }


def without_empty(value: dict[str, object]) -> dict[str, object]:
    """The object with null and empty fields left out, as MCP replies carry it; numbers and booleans stay."""
    return {key: _slim(each) for key, each in value.items() if not _is_empty(each)}


def _slim(value: object) -> object:
    if isinstance(value, dict):
        return without_empty(value)
    if isinstance(value, list):
        return [_slim(each) for each in value]
    return value


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)
