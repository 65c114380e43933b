"""Who is a hit, and in which order: pure decisions over scored candidates.

The floor and the cutoff look at the score alone. Order may use more (the question's words, path boosts, standing), but
never changes the score that is shown, and never lets a section over the floor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from docs_rag.core.confidence import NO_BACKING, Backing
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from docs_rag.core.answers import Via
    from docs_rag.core.sections import Section

PER_NOTE = 2
"""Hits of one note, unless no other note clears the floor."""
_MARKUP = dict.fromkeys(map(ord, "*_`~|>[]()"), " ")
_POINTS = ".,;:!?\"'“”‘’…"
SAME_PASSAGE_CHARS = 30
"""A shorter text under another heading may be the same by chance."""
AGAIN = 0.7
"""A note's second section counts this much for the order, so that one note does not fill the first places."""
UNDECIDED = 0.9
"""A draft's score counts this much for the order: of two that are close the decided one comes first."""
MAX_FOLLOWED = 2
"""Successors that may take their predecessors' places in one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the config and the model say about ranking."""

    floor: float
    relative_cutoff: float | None
    lexical_slots: int
    limit: int
    boost: Callable[[str], float]
    """Path to a factor > 0; order only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A section that may become a hit."""

    section: Section
    score: float | None
    clears: bool
    """Whether the score clears floor and cutoff."""
    backing: Backing = NO_BACKING
    """How far the question's words speak for it."""
    held: tuple[str, ...] = ()
    """The question's rare terms (texts) that the section holds."""
    weight: float = 0.0
    """How much its words speak for it: order among sections that no score speaks for."""
    pinned: bool = False
    """It holds the identifier that the question is, or is named."""
    named: bool = False
    """The question is its title, alias, file name or number."""
    via: Via | None = None

    @property
    def scored_by(self) -> float | None:
        """The score that ranks it: its own, or that of the record that it stands in for."""
        return self.score if self.via is None else self.via.score

    @property
    def is_scored(self) -> bool:
        """Whether it is there for a score."""
        return self.clears or (self.via is not None and self.via.score is not None)

    @property
    def label(self) -> str:
        """`both`, `semantic` or `exact`; a successor is there for its score."""
        if self.clears or (self.via is not None and self.score is not None):
            return "both" if self.held and self.clears else "semantic"
        return "exact"


@dataclass(slots=True)
class Ranked:
    """A chosen candidate with the other notes that hold the same passage."""

    candidate: Candidate
    also_in: list[str] = field(default_factory=list)


def clears(score: float, best: float, floor: float, relative_cutoff: float | None) -> bool:
    """Whether a score is a hit's: positive, at or above the floor, and not far behind the best visible one."""
    return score > 0 and score >= floor and (relative_cutoff is None or score >= relative_cutoff * best)


def rank(candidates: Iterable[Candidate], rules: Rules) -> list[Ranked]:
    """The hits, best first, at most `rules.limit`: named ones, those that clear the floor, the lexical ones."""
    ordered = _by_notes(sorted(candidates, key=lambda each: _order(each, rules)), rules)
    chosen: list[Ranked] = []
    spare: list[Ranked] = []
    passages: dict[str, Ranked] = {}
    per_note: dict[int, int] = {}
    slots = rules.lexical_slots
    beside_semantic = any(each.clears or each.via for each in ordered)
    for candidate in ordered:
        key = _passage_key(candidate.section)
        if key in passages:
            _join(candidate, passages[key])
            continue
        ranked = passages[key] = Ranked(candidate)
        if candidate.label == "exact" and not candidate.pinned and beside_semantic:
            if slots == 0:
                continue
            slots -= 1
        note = candidate.section.note
        per_note[note] = per_note.get(note, 0) + 1
        (spare if per_note[note] > PER_NOTE else chosen).append(ranked)
    if len(per_note) == 1:
        chosen += spare
    return chosen[: rules.limit]


def _by_notes(ordered: Sequence[Candidate], rules: Rules) -> list[Candidate]:
    """The same with a note's further sections put back a little, those alone that are there for their score."""
    seen: set[int] = set()
    keyed: list[tuple[tuple[object, ...], Candidate]] = []
    for candidate in ordered:
        again = candidate.section.note in seen and candidate.via is None and not candidate.pinned
        seen.add(candidate.section.note)
        keyed.append((_order(candidate, rules, again=again), candidate))
    return [candidate for _, candidate in sorted(keyed, key=lambda pair: pair[0])]


def strength(candidate: Candidate, rules: Rules, *, again: bool) -> float:
    """What a section that is there for its score is ordered by; `again`: another section of its note comes before."""
    value = (candidate.scored_by or 0.0) + candidate.backing.aid
    for _, factor in factors(candidate, rules, again=again):
        value *= factor
    return value


def factors(candidate: Candidate, rules: Rules, *, again: bool) -> Iterator[tuple[str, float]]:
    """What moves a section up or down beside its score and the question's words."""
    boost = rules.boost(candidate.section.path)
    if boost != 1.0:
        yield "pathBoosts", boost
    if candidate.section.status is Status.DRAFT:
        yield "draft", UNDECIDED
    if again:
        yield "second section", AGAIN


def _order(candidate: Candidate, rules: Rules, *, again: bool = False) -> tuple[object, ...]:
    section = candidate.section
    group = 0 if candidate.pinned else 1 if candidate.is_scored else 2
    boosted = strength(candidate, rules, again=again) if group < 2 else 0.0
    unsure = section.force is not None and section.force.is_doubtful
    below = (section.status is Status.REJECTED or unsure) and not candidate.named
    return (group == 2, below, group, not candidate.named, -boosted, -candidate.weight, section.id)


def _join(candidate: Candidate, twin: Ranked) -> None:
    """Fold the same passage of another note into the hit that is there already."""
    path = candidate.section.path
    if path != twin.candidate.section.path and path not in twin.also_in:
        twin.also_in.append(path)


def _passage_key(section: Section) -> str:
    return _passage(section.text) or f"{section.id}"


@lru_cache(maxsize=1024)
def _passage(text: str) -> str:
    """The text without its headings, which differ where a passage was copied; with them where little else is left.

    Case, markup and punctuation do not count; every word does: one other number may be another decision.
    """
    body = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    kept = body if len(body.strip()) >= SAME_PASSAGE_CHARS else text
    words = (word.strip(_POINTS) for word in kept.casefold().translate(_MARKUP).split())
    return " ".join(filter(None, words))


def followed(hits: Sequence[Ranked], successors: Iterable[Candidate]) -> list[Candidate]:
    """The successors that take their predecessors' places: one a record, none that is a hit already, at most two."""
    present = {name for each in hits for name in _records(each.candidate.section)}
    chosen: list[Candidate] = []
    for candidate in successors:
        end = candidate.section.path if candidate.via is None else candidate.via.chain[-1]
        if end not in present:
            present.add(end)
            chosen.append(candidate)
        if len(chosen) == MAX_FOLLOWED:
            break
    return chosen


def _records(section: Section) -> tuple[str, str]:
    """What a section speaks for: its note, and the part of it that it lies in."""
    return section.path, section.standing_of
