"""Putting an answer into words: hits with their passages, what was hidden, why there is no more."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from docs_rag.core.answers import Answer, HiddenRecord, Hit, IndexFacts
from docs_rag.core.budget import fit
from docs_rag.core.cleaning import one_line, shown, shown_path
from docs_rag.core.labels import hidden_notice, no_relevant, no_relevant_words, record_name, standing
from docs_rag.core.lineage import lineage
from docs_rag.core.pathrules import PathRules
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docs_rag.core.calibration import Floor
    from docs_rag.core.confidence import Confidence
    from docs_rag.core.models import Model
    from docs_rag.core.queries import Query
    from docs_rag.core.ranking import Ranked
    from docs_rag.core.sections import Section
    from docs_rag.core.storage import Records, Store
    from docs_rag.core.terms import Term

_Path = TypeVar("_Path", bound=str)

MOST_PATHS = 8
"""Notes that one field of a hit or of a hidden record names."""
NEARLY_ALL = 0.05
"""Share of sections without a vector from which on every answer says so."""
QUERY_CHARS = 300
"""As much of the question as an answer repeats."""
UNTESTED = "the floor was never tested for {model}; set minScore when answers look too strict or too loose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What happened before a search."""

    notices: tuple[str, ...] = ()
    unread: int = 0
    """Changed notes that could not be read in the time there was."""
    gone: frozenset[str] = frozenset()
    """Notes that may not answer: their files are not there, or are no longer what the index holds."""


class Wording:
    """Builds the answer to one query from what the tracks found."""

    def __init__(
        self,
        store: Store,
        records: Records,
        name: str,
        vault: str,
        query: Query,
        before: Before,
        text_place: Callable[[str], str],
    ) -> None:
        """`records` tells the states that count; `before` is what the refresh before the search has to say.

        `text_place` tells where the text of a note lies.
        """
        self._store = store
        self._records = records
        self._name = name
        self._vault = vault
        self._text_place = text_place
        self._query = query
        self._notices = list(before.notices)
        self._unread = before.unread
        self._model = "none"
        self._mode = "lexical"

    def without_model(self, model: str, failure: str) -> Wording:
        """Words alone decide; `failure` says why a configured model could not help."""
        self._model = model
        if failure:
            self._mode = "lexical (embedder unavailable)"
            self._notices.append(f"searched by words only: {failure}")
        return self

    def semantic(
        self,
        *,
        hits: Sequence[Ranked],
        terms: Sequence[Term],
        hidden: dict[str, int],
        records: tuple[list[HiddenRecord], int],
        threshold: Floor,
        confidence: Confidence,
        best_rejected: float | None,
        model: Model,
        default_exclude: Sequence[str],
    ) -> Answer:
        """The answer where a model scored the sections."""
        self._model, self._mode = model.name, "semantic+lexical"
        facts = self._facts(model, threshold.source)
        if threshold.source == "fallback" and not model.known:
            self._notices.append(UNTESTED.format(model=model.name))
        if hits and facts.pending > NEARLY_ALL * facts.chunks and facts.embedded < facts.chunks:
            self._notices.append(
                f"only {facts.embedded} of {facts.chunks} sections are searchable by meaning yet; run: docs-rag index"
            )
        rejected = None if best_rejected is None else round(best_rejected, 3) + 0.0
        sentence = no_relevant(best_rejected, threshold.value, confidence)
        message = "" if hits else self._silence(sentence, facts, records[0], hidden)
        return replace(
            self._answer(hits, terms, hidden, records, message, rejected, threshold.value, facts, default_exclude),
            confidence=confidence,
        )

    def lexical(
        self,
        *,
        hits: Sequence[Ranked],
        terms: Sequence[Term],
        hidden: dict[str, int],
        records: tuple[list[HiddenRecord], int],
        words: tuple[int, int],
        default_exclude: Sequence[str],
    ) -> Answer:
        """The answer where words alone decided; `words` is (known to what is in force, asked for)."""
        facts = self._facts(None, None)
        sentence = no_relevant_words(*words, in_force=bool(records[0]))
        message = "" if hits else self._silence(sentence, facts, records[0], hidden)
        return self._answer(hits, terms, hidden, records, message, None, None, facts, default_exclude)

    def _facts(self, model: Model | None, source: str | None) -> IndexFacts:
        documents, chunks = self._store.lookup.counts()
        active = self._store.vectors.active() if model is not None else None
        matrix = self._store.matrix(active.id) if active is not None else None
        return IndexFacts(
            name=self._name,
            vault=self._vault,
            updated_at=self._store.updated_at(),
            documents=documents,
            chunks=chunks,
            embedded=0 if matrix is None else len(matrix),
            pending=self._unread + (0 if matrix is None else matrix.waiting),
            model=self._model,
            score=model.score if model is not None else "none",
            threshold_source=source,
            mode=self._mode,
        )

    def _silence(
        self, sentence: str, facts: IndexFacts, records: Sequence[HiddenRecord], hidden: dict[str, int]
    ) -> str:
        """Why there is nothing: the scores or words, then what was kept out and what is not there yet."""
        if facts.chunks == 0:
            return "No relevant results: the index is empty."
        parts = [sentence]
        if records:
            names = ", ".join(_with_successor(each) for each in records)
            parts.append(f"Hidden records would have matched: {names}.")
        elif hidden.get("excluded"):
            sections = "1 section" if hidden["excluded"] == 1 else f"{hidden['excluded']} sections"
            parts.append(f"{sections} in excluded folders would have matched.")
        if facts.mode == "semantic+lexical" and facts.pending and facts.embedded < facts.chunks:
            parts.append(f"Only {facts.embedded} of {facts.chunks} sections are searchable by meaning yet.")
        return " ".join(parts)

    def _answer(
        self,
        hits: Sequence[Ranked],
        terms: Sequence[Term],
        hidden: dict[str, int],
        records: tuple[list[HiddenRecord], int],
        message: str,
        best_rejected: float | None,
        threshold: float | None,
        facts: IndexFacts,
        default_exclude: Sequence[str],
    ) -> Answer:
        found, named = records
        names = self._names_of(found)
        said = [hidden_notice(record, names) for record in found[:named]]
        self._notices += self._of_the_day([ranked.candidate.section for ranked in hits])
        excluded = PathRules(default_exclude if self._query.search_all else ())
        answer = Answer(
            query=one_line(self._query.text)[:QUERY_CHARS],
            message=one_line(message),
            notices=tuple(one_line(notice) for notice in [*said, *self._notices]),
            hits=tuple(self._hit(ranked, excluded) for ranked in hits),
            hidden_records=tuple(_safe_record(record) for record in found),
            hidden=hidden,
            best_rejected=best_rejected,
            threshold=threshold,
            index=facts,
            as_of=self._query.as_of,
        )
        return fit(answer, [term.text for term in terms])

    def _names_of(self, records: Sequence[HiddenRecord]) -> dict[str, str]:
        """What the records that replaced them are called, by path."""
        paths = [path for record in records for path in (*record.superseded_by, *record.current_end)]
        known = self._store.lookup.records(list(self._store.lookup.places(paths).values()))
        return {each.path: record_name(each.title, each.path) for each in known.values()}

    def _of_the_day(self, hits: Sequence[Section]) -> list[str]:
        """What is to be said of hits as they stood on the day that the question names."""
        if self._query.as_of is None:
            return []
        from docs_rag.core import asof  # noqa: PLC0415  # few questions name a day

        return asof.notices(hits, self._query.as_of, time.strftime("%Y-%m-%d"))

    def _hit(self, ranked: Ranked, excluded: PathRules) -> Hit:
        candidate = ranked.candidate
        section = _safe_section(candidate.section)
        label = candidate.label
        return Hit(
            section=section,
            label=label,
            score=None if label == "exact" or candidate.score is None else round(candidate.score, 3),
            text=section.text,
            text_path=shown_path(self._text_place(candidate.section.path)),
            standing=standing(section),
            chain=self._chain(candidate.section),
            excluded=excluded.matches(candidate.section.path),
            via=candidate.via,
            also_in=_few([shown_path(path) for path in ranked.also_in]),
        )

    def _chain(self, section: Section) -> tuple[str, ...]:
        if section.status is not Status.SUPERSEDED:
            return ()
        return lineage(section.standing_of, self._records.successors, next(iter(section.current_end), None))


def _with_successor(record: HiddenRecord) -> str:
    name = record_name(record.title, record.path)
    ends = ", ".join(record.current_end or record.superseded_by)
    if record.force is not None and record.force.is_later:
        return f"{name} ({record.path}), of {record.force.since}"
    if record.status is Status.SUPERSEDED:
        return f"{name} ({record.path}), superseded → {ends or '?'}"
    return f"{name} ({record.path}), {record.status}"


def _safe_section(section: Section) -> Section:
    """The section with nothing in it that could deceive a terminal or a reader."""
    return replace(
        section,
        path=type(section.path)(shown_path(section.path)),
        location=one_line(section.location),
        superseded_by=_few(section.superseded_by),
        current_end=_few(section.current_end),
        partial_by=_few(section.partial_by),
        title=one_line(section.title),
        headings=tuple(map(one_line, section.headings)),
        text=shown(section.text),
        status_text=one_line(section.status_text),
        partial=None if section.partial is None else one_line(section.partial),
    )


def _safe_record(record: HiddenRecord) -> HiddenRecord:
    return replace(
        record,
        path=shown_path(record.path),
        title=one_line(record.title),
        superseded_by=_few(record.superseded_by),
        current_end=_few(record.current_end),
        chain=tuple(map(shown_path, record.chain)),
    )


def _few(paths: Sequence[_Path]) -> tuple[_Path, ...]:
    """As many as a reply has room for."""
    return tuple(paths[:MOST_PATHS])
