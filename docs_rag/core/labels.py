"""The words that an answer puts on a hit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docs_rag.core.cleaning import one_line
from docs_rag.core.documents import note_path
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.answers import HiddenRecord, Hit
    from docs_rag.core.confidence import Confidence
    from docs_rag.core.sections import Section

MOST_ABSENT = 3
"""Names that stand nowhere which a message lists."""

_STANDING = {
    Status.REJECTED: ("REJECTED", "describes what was not done"),
    Status.DRAFT: ("DRAFT", "not decided"),
    Status.SUPERSEDED: ("SUPERSEDED", "no longer in force"),
    Status.ARCHIVED: ("ARCHIVED", "no longer in force"),
}


def standing(section: Section) -> str:
    """What a reader must know first; empty for a current record: `REJECTED 2026-01-02: describes what was not done`."""
    if section.force is not None and (said := section.force.standing(section.superseded_by)):
        return said
    if section.status is Status.CURRENT:
        return ""
    word, meaning = _STANDING[section.status]
    day = section.superseded_on if section.status.is_hidden else dated(section.date, section.date_source)
    if section.status is Status.SUPERSEDED:
        meaning += _replaced(section.superseded_by, section.current_end)
    return f"{word} {day}: {meaning}" if day else f"{word}: {meaning}"


def _replaced(direct: Sequence[str], ends: Sequence[str]) -> str:
    if ends:
        return f", replaced by {', '.join(ends)}"
    return f", replaced by {', '.join(direct)}, not in force either" if direct else ", successor unknown"


def reason(hit: Hit) -> str:
    """The first bracket: `[both 0.688]`, `[exact match]`, `[semantic 0.48 via superseded old/auth.md 0.70]`."""
    via = ""
    if hit.via is not None:
        via = f" via superseded {hit.via.path}" + ("" if hit.via.score is None else f" {hit.via.score:.2f}")
    if hit.label == "exact":
        return f"[exact match{via}]"
    shown = f"{hit.score:.2f}" if hit.via is not None else f"{hit.score:.3f}"
    return f"[{hit.label} {shown}{via}]"


def brackets(hit: Hit) -> list[str]:
    """The brackets after a hit's heading, in order: state, date, stale, excluded; each only when it says something.

    Where the question names a day, the days between which the record was in force stand for its date.
    """
    section = hit.section
    found: list[str] = []
    if section.status is Status.SUPERSEDED:
        found.append(superseded(hit.chain, section.superseded_by, section.superseded_on, section.current_end))
    elif section.status is not Status.CURRENT:
        found.append(f"[{section.status}]")
    if section.force is not None and section.force.was_in_force:
        found.append(section.force.bracket())
    elif section.date and section.status is not Status.SUPERSEDED:
        found.append(f"[{dated(section.date, section.date_source)}]")
    if section.stale:
        found.append("[stale]")
    if hit.excluded:
        found.append(f"[excluded: {hit.excluded}]")
    return found


def dated(day: str | None, source: str | None) -> str:
    """A record's date with where it comes from, if that is not its own word: `2026-01-14 (git)`; empty for none."""
    return f"{day} (git)" if day and source == "git" else day or ""


def superseded(chain: Sequence[str], direct: Sequence[str], on: str | None, ends: Sequence[str] = ()) -> str:
    """`[superseded → B; 2026-03-01]`, a long chain `[superseded → B → … → E]`, unknown `[superseded → ?]`.

    Several successors stand side by side, and the live ends of their lines after them where those are others.
    """
    way = list(chain[1:])
    if len(direct) > 1:
        steps = ", ".join(direct)
        if not set(ends) <= set(direct):
            steps += f" → … → {', '.join(ends)}"
    elif len(way) > 2:
        steps = f"{way[0]} → … → {way[-1]}"
    else:
        steps = " → ".join(way or direct) or "?"
    return f"[superseded → {steps}; {on}]" if on else f"[superseded → {steps}]"


def record_name(title: str, path: str) -> str:
    """A record as people call it: its number where its title or file name begins with one, else its title.

    A part of a note is called by its anchor: `D-013` of `log.md#D-013`.
    """
    note = note_path(path)
    if note != path:
        return path[len(note) + 1 :]
    for text in (title, path.rpartition("/")[2]):
        if found := re.match(r"[A-Za-z]{2,12}[-_ ]?\d{1,6}(?!\d)", text):
            return found.group()
    return title or path


def hidden_notice(record: HiddenRecord, names: dict[str, str]) -> str:
    """`ADR-0012 is superseded by ADR-0034 (2026-03-01)`; `names` has the names of its line's records by path.

    Where the successor does not hold itself, what its line leads to is told too.
    """
    name = record_name(record.title, record.path)
    force = record.force
    if force is not None and force.is_later:
        return f"{name} was not there on {force.day}: it is of {dated(force.since, force.source)}"
    said = f"{name} is" if force is None else f"on {force.day} {name} was already"
    day = f" ({record.superseded_on})" if record.superseded_on else ""
    if record.status is not Status.SUPERSEDED:
        return f"{said} archived{day}"
    if not record.superseded_by:
        return f"{said} superseded{day}, by what is unknown"
    successors, ends = (
        ", ".join(names.get(path, path) for path in paths) for paths in (record.superseded_by, record.current_end)
    )
    said = f"{said} superseded by {successors}{day}"
    if not ends:
        return f"{said}; its line leads to no record in force"
    return said if set(record.current_end) <= set(record.superseded_by) else f"{said}; its line leads to {ends}"


def no_relevant(best: float | None, threshold: float, confidence: Confidence | None = None) -> str:
    """`No relevant results (best score 0.41, threshold 0.55).`, three digits when two would look equal.

    Where the score would do and confidence is what fails, both are told, and the names that stand nowhere; an exact
    name is told in any case.
    """
    if best is None:
        return f"No relevant results (threshold {threshold:.2f})."
    found = f"best score {_pair(best, threshold, 'threshold')}"
    is_doubted = confidence is not None and not confidence.is_enough and best >= threshold
    if confidence is not None and is_doubted and confidence.value < confidence.needed:
        found += f"; confidence {_pair(confidence.value, confidence.needed, 'needed')}"
    sentence = f"No relevant results ({found})."
    if confidence is not None and confidence.absent and (is_doubted or confidence.is_named_in_vain):
        sentence += f" Nothing is called {', '.join(map(one_line, confidence.absent[:MOST_ABSENT]))}."
    return sentence


def _pair(value: float, other: float, name: str) -> str:
    """`0.41, threshold 0.55`."""
    value = value if round(value, 3) else 0.0  # no minus before a zero
    digits = 2 if f"{value:.2f}" != f"{other:.2f}" else 3
    return f"{value:.{digits}f}, {name} {other:.{digits}f}"


def no_relevant_words(held: int, words: int, *, in_force: bool = False) -> str:
    """What a lexical search says when it finds nothing; `in_force` when only records out of force would answer."""
    if not words:
        return "No relevant results (lexical search only; the question holds no word to look for)."
    who = "the notes in force hold" if in_force else "the vault holds"
    return f"No relevant results (lexical search only; {who} {held} of {words} words)."
