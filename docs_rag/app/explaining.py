"""Working out why an answer is as it is; only for a question that asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.ranking import PER_NOTE, Ranked, Rules, factors, strength
from docs_rag.core.terms import is_rare
from docs_rag.core.why import HitWhy, Passed, TermWhy, Why

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docs_rag.app.evidence import Evidence
    from docs_rag.app.weighing import Weighed
    from docs_rag.core.queries import Admission
    from docs_rag.core.sections import Section
    from docs_rag.core.storage import Records

MOST_HIDDEN: Final = 5
"""Hidden sections that an explanation names."""
LEXICAL_SHARE: Final = "it holds {:.0%} of the question by weight, half of it is needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explainer:
    """Explains the answers to one question."""

    admission: Admission
    records: Records
    rules: Rules
    sections: int
    """How many sections are in force."""
    ratio: float
    """`lexicalMaxDocFreq`."""

    def semantic(self, weighed: Weighed, hits: Sequence[Ranked]) -> Why:
        """Why an answer with a model's scores is as it is."""
        semantic = weighed.semantic
        scores = [each.candidate.score for each in hits]
        places = semantic.scores.percentiles(self.admission, [score or 0.0 for score in scores])
        best = semantic.best or None
        return Why(
            sections=semantic.scores.count(self.admission),
            best=best,
            cutoff=None if semantic.cutoff is None or best is None else semantic.cutoff * best,
            confidence=weighed.confidence,
            terms=self._terms(weighed.evidence),
            hits=tuple(
                self._hit(hits, at, weighed.evidence, None if score is None else places[at])
                for at, score in enumerate(scores)
            ),
            next=self._next(weighed, hits),
            hidden=self._hidden(weighed.hidden),
        )

    def lexical(self, evidence: Evidence, hits: Sequence[Ranked], hidden: Mapping[int, float]) -> Why:
        """Why an answer by words alone is as it is; `hidden`: section to the weight of its words."""
        return Why(
            sections=self.sections,
            best=None,
            cutoff=None,
            confidence=None,
            terms=self._terms(evidence),
            hits=tuple(self._hit(hits, at, evidence, None) for at in range(len(hits))),
            next=self._next_by_words(evidence, hits),
            hidden=self._hidden(dict.fromkeys(sorted(hidden, key=lambda key: -hidden[key]))),
        )

    def _terms(self, evidence: Evidence) -> tuple[TermWhy, ...]:
        return tuple(
            TermWhy(one_line(term.text), count, self._kind(count), weight)
            for term, count, weight in zip(evidence.terms, evidence.frequencies, evidence.weights, strict=True)
        )

    def _kind(self, count: int) -> str:
        if count == 0:
            return "absent"
        if is_rare(count, self.sections, self.ratio):
            return "rare"
        from docs_rag.app.track import MOST_HELD, UNCOMMON  # noqa: PLC0415

        return "uncommon" if count <= min(MOST_HELD, UNCOMMON * self.sections) else "common"

    def _hit(self, hits: Sequence[Ranked], at: int, evidence: Evidence, percentile: float | None) -> HitWhy:
        candidate = hits[at].candidate
        again = any(each.candidate.section.note == candidate.section.note for each in hits[:at])
        known = dict(zip((term.text for term in evidence.terms), evidence.frequencies, strict=True))
        return HitWhy(
            score=candidate.score,
            percentile=percentile,
            backing=candidate.backing,
            factors=tuple(factors(candidate, self.rules, again=again)),
            order=strength(candidate, self.rules, again=again) if candidate.is_scored else None,
            rare=tuple((one_line(text), known[text]) for text in candidate.held if self._kind(known[text]) == "rare"),
        )

    def _next(self, weighed: Weighed, hits: Sequence[Ranked]) -> Passed | None:
        taken = {each.candidate.section.id for each in hits}
        rest = [key for key in weighed.scores if key not in taken]
        best = max(rest, key=lambda key: weighed.scores[key] + weighed.backing[key].aid, default=None)
        if best is None:
            return None
        score = weighed.scores[best]
        return self._passed(best, score, lambda section: self._shortfall(weighed, score, section, hits))

    def _shortfall(self, weighed: Weighed, score: float, section: Section, hits: Sequence[Ranked]) -> str:
        """Why a section that was looked at is no hit."""
        floor, cutoff = weighed.semantic.floor.value, weighed.semantic.cutoff
        if not weighed.confidence.is_enough:
            return "nothing is believed"
        if score <= 0 or score < floor:
            return f"under the floor {floor:.2f}"
        if cutoff is not None and score < cutoff * weighed.semantic.best:
            return f"under {cutoff:g} of the best score"
        if sum(each.candidate.section.note == section.note for each in hits) >= PER_NOTE:
            return f"{PER_NOTE} sections of its note are there"
        if any(section.path in each.also_in for each in hits):
            return "the same passage is there"
        return "there is no place left" if len(hits) >= self.rules.limit else "the same passage is there"

    def _next_by_words(self, evidence: Evidence, hits: Sequence[Ranked]) -> Passed | None:
        taken = {each.candidate.section.id for each in hits}
        best = max((key for key in evidence.visible if key not in taken), key=evidence.visible_weight, default=None)
        if best is None:
            return None
        share = evidence.visible_weight(best) / (evidence.total or 1.0)
        full = len(hits) >= self.rules.limit
        return self._passed(
            best, None, lambda section: "there is no place left" if full else LEXICAL_SHARE.format(share)
        )

    def _hidden(self, sections: Mapping[int, float | None]) -> tuple[Passed, ...]:
        best = list(sections.items())[:MOST_HIDDEN]
        found = (self._passed(key, score, self._why_hidden) for key, score in best)
        return tuple(each for each in found if each is not None)

    def _why_hidden(self, section: Section) -> str:
        return str(self.admission.hides(section.id) or "kept out")

    def _passed(self, key: int, score: float | None, reason: Callable[[Section], str]) -> Passed | None:
        section = self.records.sections([key]).get(key)
        if section is None:
            return None
        return Passed(
            path=shown_path(section.path),
            headings=tuple(map(one_line, section.headings)),
            score=score,
            reason=reason(section),
        )
