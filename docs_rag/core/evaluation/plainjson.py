"""An evaluation as JSON, and the outcomes of a former one read back from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docs_rag.core.evaluation.figures import Evaluation, by_kind, curve, estimates
from docs_rag.core.evaluation.outcomes import Outcome, Shown
from docs_rag.core.jsontext import read_object
from docs_rag.errors import ConfigError

if TYPE_CHECKING:
    from docs_rag.core.metrics import Estimate, Point


def as_json(evaluation: Evaluation) -> dict[str, object]:
    """The document of `eval --json`; figures first, each question last."""
    index = evaluation.index
    answerable = sum(each.is_answerable for each in evaluation.outcomes)
    return {
        "questions": {"answerable": answerable, "unanswerable": len(evaluation.outcomes) - answerable},
        "limit": evaluation.limit,
        "threshold": evaluation.threshold,
        "needed": evaluation.needed,
        "index": {
            "name": index.name,
            "documents": index.documents,
            "chunks": index.chunks,
            "embedded": index.embedded,
            "model": index.model,
            "score": index.score,
            "thresholdSource": index.threshold_source,
            "mode": index.mode,
        },
        "figures": {key: _estimate(each) for key, each in estimates(evaluation.outcomes).items()},
        "kinds": [
            {
                "kind": kind,
                "answerable": is_answerable,
                "questions": len(outcomes),
                "figures": {key: _estimate(each) for key, each in estimates(outcomes).items()},
            }
            for (is_answerable, kind), outcomes in by_kind(evaluation.outcomes).items()
        ],
        "curve": [_point(point) for point in curve(evaluation.outcomes)],
        "milliseconds": round(evaluation.milliseconds, 1),
        "notices": list(evaluation.notices),
        "outcomes": [_outcome(each) for each in evaluation.outcomes],
    }


def _estimate(estimate: Estimate) -> dict[str, object]:
    return {
        "value": _short(estimate.value),
        "low": _short(estimate.low),
        "high": _short(estimate.high),
        "count": estimate.count,
        "of": estimate.of,
    }


def _point(point: Point) -> dict[str, object]:
    return {
        "threshold": _short(point.threshold),
        "coverage": _short(point.coverage),
        "risk": _short(point.risk),
        "refused": _short(point.refused),
        "wronglyRefused": _short(point.wrongly),
    }


def _short(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "id": outcome.id,
        "question": outcome.text,
        "kind": outcome.kind,
        "answerable": outcome.is_answerable,
        "trap": outcome.is_trap,
        "wantsSection": outcome.wants_section,
        "rank": outcome.rank,
        "sectionRank": outcome.section_rank,
        "ndcg5": outcome.ndcg,
        "refused": outcome.refused,
        "leaks": list(outcome.leaks),
        "confidence": outcome.confidence,
        "openRank": outcome.open_rank,
        "hits": [{"path": hit.path, "label": hit.label, "score": hit.score} for hit in outcome.hits],
    }


def read_outcomes(text: str) -> tuple[Outcome, ...]:
    """The outcomes in a document of `eval --json`.

    Raises `ConfigError`, whose message goes on after the file's name.
    """
    listed = read_object(text)[0].get("outcomes")
    if not isinstance(listed, list):
        raise ConfigError("is no document of docs-rag eval --json")
    try:
        return tuple(_read(each) for each in listed)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"holds an outcome that is not complete: {error}") from error


def _read(entry: Mapping[str, Any]) -> Outcome:
    return Outcome(
        id=str(entry["id"]),
        text=str(entry["question"]),
        kind=str(entry["kind"]),
        is_answerable=bool(entry["answerable"]),
        is_trap=bool(entry["trap"]),
        wants_section=bool(entry["wantsSection"]),
        rank=_rank(entry["rank"]),
        section_rank=_rank(entry["sectionRank"]),
        ndcg=float(entry["ndcg5"]),
        refused=bool(entry["refused"]),
        leaks=tuple(map(str, entry["leaks"])),
        confidence=None if entry["confidence"] is None else float(entry["confidence"]),
        open_rank=_rank(entry["openRank"]),
        hits=tuple(Shown(hit["path"], hit["label"], hit["score"]) for hit in entry["hits"]),
    )


def _rank(value: Any) -> int | None:
    if value is None:
        return None
    if int(value) < 1:
        raise ValueError(f"{value} is no place")
    return int(value)
