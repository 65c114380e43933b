"""Answers and outcomes for tests of the evaluation, with only what matters said."""

from __future__ import annotations

from dataclasses import replace

from docs_rag.core.answers import Answer, Hit, IndexFacts
from docs_rag.core.confidence import NO_BACKING, Confidence
from docs_rag.core.documents import DocPath
from docs_rag.core.evaluation.figures import Evaluation
from docs_rag.core.evaluation.outcomes import Outcome
from docs_rag.core.sections import Section
from docs_rag.core.status import Status

FACTS = IndexFacts(
    name="test-docs",
    vault="/vault",
    updated_at=None,
    documents=3,
    chunks=9,
    embedded=9,
    pending=0,
    model="fake",
    score="cosine",
    threshold_source="registry",
    mode="semantic+lexical",
)


def hit(
    path: str, score: float | None = 0.5, *, headings: tuple[str, ...] = (), text: str = "t", **more: object
) -> Hit:
    """A hit on a section; `log.md#D-013` stands for a decision of a log."""
    note, part = path.partition("#")[::2]
    section = Section(
        id=1, path=DocPath(note), title="A", ordinal=0, headings=headings, lines=(1, 2), text=text,
        status=Status.CURRENT, record=DocPath(path) if part else None,
    )  # fmt: skip
    label = "exact" if score is None else "semantic"
    return Hit(section=section, label=label, score=score, text=text, **more)  # type: ignore[arg-type]


def answer(*hits: Hit, confidence: float | None = 0.5, threshold: float | None = 0.4) -> Answer:
    """An answer of these hits."""
    return Answer(
        query="q", message="", notices=(), hits=hits, hidden_records=(), hidden={}, best_rejected=None,
        threshold=threshold, index=FACTS, confidence=None if confidence is None else believed(confidence),
    )  # fmt: skip


def believed(value: float, needed: float = 0.5, absent: tuple[str, ...] = ()) -> Confidence:
    """How far an answer can be believed, all of it by a score."""
    return Confidence(
        value=value, needed=needed, score=value, backing=NO_BACKING, known=0.0, absent=absent, missing=0.0
    )


def outcome(name: str, **more: object) -> Outcome:
    """An answerable question that found nothing, unless `more` says otherwise."""
    plain = Outcome(
        id=name, text=name, kind="", is_answerable=True, is_trap=False, wants_section=False, rank=None,
        section_rank=None, ndcg=0.0, refused=False, leaks=(), confidence=0.5, open_rank=None, hits=(),
    )  # fmt: skip
    return replace(plain, **more)  # type: ignore[arg-type]


def evaluation(*outcomes: Outcome, **more: object) -> Evaluation:
    """A run that ended with these outcomes."""
    plain = Evaluation(outcomes=outcomes, index=FACTS, threshold=0.4, limit=8, seconds=(0.003,))
    return replace(plain, **more)  # type: ignore[arg-type]
