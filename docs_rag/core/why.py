"""Why an answer is as it is: what `search --explain` adds to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_rag.core.confidence import Backing, Confidence


@dataclass(frozen=True, slots=True)
class TermWhy:
    """A term of the question."""

    text: str
    sections: int
    """How many sections in force hold it; of a common term at least so many."""
    kind: str
    """`rare` (it may bring sections in by itself), `uncommon`, `common`, or `absent`."""
    weight: float
    """How much it says; 0.0 for an everyday word that stands nowhere and for a compound whose parts count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitWhy:
    """What put a hit where it is."""

    score: float | None
    """As the model gave it, also where the hit is there for its words."""
    percentile: float | None
    """Share of the sections that may answer and score below it, 0 to 100: its place in this question's background."""
    backing: Backing
    factors: tuple[tuple[str, float], ...]
    """What its place, and nothing else, was multiplied with: (name, factor)."""
    order: float | None
    """What it was ordered by; None where words alone decide."""
    rare: tuple[tuple[str, int], ...]
    """The rare terms that it holds, with the number of sections that do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A section that is no hit."""

    path: str
    headings: tuple[str, ...]
    score: float | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What decided about an answer as a whole."""

    sections: int
    """How many sections may answer."""
    best: float | None
    """Best score among them."""
    cutoff: float | None
    """Score below which a section is too far behind the best one; None where that is off."""
    confidence: Confidence | None
    terms: tuple[TermWhy, ...]
    hits: tuple[HitWhy, ...]
    """By hit."""
    next: Passed | None
    """The section that came nearest to being one more hit."""
    hidden: tuple[Passed, ...]
    """Sections that would have been hits, the best first."""


def as_json(why: Why) -> dict[str, object]:
    """The value of `explain` in the answer object."""
    return {
        "sections": why.sections,
        "best": _rounded(why.best),
        "cutoff": _rounded(why.cutoff),
        "confidence": None if why.confidence is None else _confidence(why.confidence),
        "terms": [
            {"term": each.text, "sections": each.sections, "kind": each.kind, "weight": round(each.weight, 2)}
            for each in why.terms
        ],
        "hits": [_hit(each) for each in why.hits],
        "next": None if why.next is None else _passed(why.next),
        "hidden": [_passed(each) for each in why.hidden],
    }


def _confidence(found: Confidence) -> dict[str, object]:
    return {
        "value": _rounded(found.value),
        "needed": _rounded(found.needed),
        "score": _rounded(found.score),
        "words": _backing(found.backing),
        "known": _rounded(found.known),
        "absent": list(found.absent),
        "missing": _rounded(found.missing),
        "alone": _rounded(found.alone),
        "namedInVain": found.is_named_in_vain,
    }


def _hit(why: HitWhy) -> dict[str, object]:
    return {
        "score": _rounded(why.score),
        "percentile": None if why.percentile is None else round(why.percentile, 1),
        "words": _backing(why.backing),
        "factors": {name: factor for name, factor in why.factors},
        "order": _rounded(why.order),
        "rareTerms": [{"term": term, "sections": count} for term, count in why.rare],
    }


def _passed(found: Passed) -> dict[str, object]:
    return {
        "path": found.path,
        "heading": list(found.headings),
        "score": _rounded(found.score),
        "reason": found.reason,
    }


def _backing(found: Backing) -> dict[str, object]:
    return {"section": _rounded(found.section), "note": _rounded(found.note)}


def _rounded(value: float | None) -> float | None:
    """Three digits, and no minus before a zero."""
    return None if value is None else round(value, 3) + 0.0
