"""Answering a question: both tracks, the floor, succession. Only the `Searcher` sees all steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docs_rag.app.evidence import Evidence, sufficient
from docs_rag.app.succeeding import Succession
from docs_rag.app.track import LexicalTrack
from docs_rag.app.weighing import LEAST_RANKED, SPARE, weigh
from docs_rag.app.wording import Before, Wording
from docs_rag.core.names import names_asked, whole_names
from docs_rag.core.queries import Hidden, Query, Scope
from docs_rag.core.ranking import Candidate, Rules, followed, rank
from docs_rag.core.terms import MAX_QUERY_CHARS, Term, is_identifier, query_terms
from docs_rag.errors import EmbedderUnavailable, IndexMismatch, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docs_rag.app.explaining import Explainer
    from docs_rag.app.weighing import Weighed
    from docs_rag.core.answers import Answer, Via
    from docs_rag.core.models import Model
    from docs_rag.core.pathrules import Boosts
    from docs_rag.core.ports import Analyser, Embedder, Vector
    from docs_rag.core.queries import Admission
    from docs_rag.core.scoring import Scores
    from docs_rag.core.sections import Place
    from docs_rag.core.storage import Records, Store

MOST_RANKED = 1000
"""Sections, of those that may answer by words alone, that BM25 is worked out for."""
MOST_FOLDERS = 8
MOST_LEXICAL = 200
"""Sections of the lexical track that ranking looks at."""
NOTHING_BEFORE = Before()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRules:
    """What the config says about searching."""

    min_score: float | None
    relative_cutoff: float | None
    """None leaves it to the model, 0.0 is off."""
    max_doc_freq: float
    lexical_slots: int
    default_exclude: tuple[str, ...]
    boosts: Boosts
    follow_succession: bool
    name: str
    vault: str
    text_place: Callable[[str], str] = str
    """A note's path -> absolute path of the file that its sections' lines count in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query with everything that both tracks need to know of it."""

    query: Query
    terms: tuple[Term, ...]
    admission: Admission
    records: Records
    """The states that count: today's, or those of the day that the question names."""
    named: tuple[Place, ...]
    """Records that the question calls by one of their names."""
    equals: tuple[Place, ...]
    """Records whose title, alias, file name or number the whole question is."""
    identifier: Term | None
    """The whole question is one identifier."""


class Searcher:
    """Answers questions from one index. Not for use from two threads at once."""

    def __init__(
        self, store: Store, embedder: Embedder | None, analyser: Analyser, rules: SearchRules, failure: str = ""
    ) -> None:
        """`embedder` None means that words alone decide; `failure` says why a configured one is not there."""
        self._failure = failure
        self._store = store
        self._embedder = embedder
        self._analyser = analyser
        self._rules = rules

    def search(self, query: Query, before: Before = NOTHING_BEFORE) -> Answer:
        """The answer to one question, drawn from one committed state of the index.

        Raises `UsageError` for an empty question, `IndexMismatch` when another model made the index.
        """
        if not query.text.strip():
            raise UsageError("the query is empty", "ask for something, for example: docs-rag search 'session expiry'")
        query = replace(query, text=query.text.encode("utf-8", "replace").decode("utf-8"))
        vector, failure = self._embed(query.text[:MAX_QUERY_CHARS])
        with self._store.snapshot():
            question = self._question(query, before.gone)
            before = replace(before, notices=(*before.notices, *self._mismatches(query)))
            wording = Wording(
                self._store,
                question.records,
                self._rules.name,
                self._rules.vault,
                query,
                before,
                self._rules.text_place,
            )
            if vector is None or self._embedder is None:
                return self._lexical(question, wording.without_model(self._model_name(), failure))
            return self._both(question, vector, self._embedder.model, wording)

    def _mismatches(self, query: Query) -> Iterator[str]:
        """Parts of a scope that no note fits: silence would look like an answer about the notes."""
        for entry in dict.fromkeys((*query.within, *query.exclude)):
            if not self._store.lookup.any_within(entry):
                folders = ", ".join(self._store.lookup.top_folders(MOST_FOLDERS))
                yield f"no folder or note is called {entry!r}" + (f"; folders: {folders}" if folders else "")
        for tag in query.tags:
            if not self._store.lookup.any_tagged(tag.lstrip("#").casefold()):
                yield f"no note has the tag {tag!r}"

    def _model_name(self) -> str:
        return "none" if self._embedder is None else self._embedder.model.name

    def _embed(self, text: str) -> tuple[Vector | None, str]:
        """The question's vector; None with the reason where words alone must do."""
        if self._embedder is None:
            return None, self._failure
        active = self._store.vectors.active()
        model = self._embedder.model
        if active is None:
            return None, "the index holds no vectors yet; run: docs-rag index"
        if active.name != model.name:
            raise IndexMismatch(
                f"the index was made with {active.name}, the config asks for {model.name}",
                "run: docs-rag index",
            )
        if active.prefixes != (model.query_prefix, model.document_prefix):
            return None, f"the index holds {model.name}'s vectors in another form; run: docs-rag index"
        try:
            return self._embedder.embed_query(text), ""
        except EmbedderUnavailable as error:
            return None, str(error)

    def _question(self, query: Query, gone: frozenset[str]) -> Question:
        terms = query_terms(query.text, self._analyser)
        lookup = self._store.lookup
        single = [term for term in terms if term.is_identifier]
        words = query.text.split()
        return Question(
            query=query,
            terms=terms,
            admission=self._admission(query, gone),
            records=self._records(query),
            named=tuple(lookup.named(names_asked(query.text, terms))),
            equals=tuple(lookup.named(whole_names(query.text))),
            identifier=single[0] if len(words) == 1 and single and is_identifier(words[0].strip("`\"'")) else None,
        )

    def _records(self, query: Query) -> Records:
        if query.as_of is None:
            return self._store.lookup
        from docs_rag.app.past import Past  # noqa: PLC0415  # few questions name a day

        return Past(self._store.lookup, query.as_of)

    def _admission(self, query: Query, gone: frozenset[str]) -> Admission:
        admission = self._store.lookup.admission(Scope(query, self._rules.default_exclude))
        if not gone:
            return admission
        notes = self._store.lookup.note_ids(list(gone)).values()
        return replace(admission, hidden={**admission.hidden, **dict.fromkeys(notes, Hidden.GONE)})

    def _both(self, question: Question, vector: Vector, model: Model, wording: Wording) -> Answer:
        from docs_rag.app.semantics import semantic_track  # noqa: PLC0415  # words alone do without it

        rules = self._rules
        semantic = semantic_track(
            self._store, question.admission, vector, model, (rules.min_score, rules.relative_cutoff)
        )
        track = self._track(question)
        weighed = weigh(semantic, track, question.terms, question.admission, question.query.limit)
        waiting = self._store.matrix(semantic.model).waiting
        candidates = self._candidates(question, weighed)
        if waiting:
            candidates += self._unscored(question, track, semantic.scores, candidates)
        slots = MOST_LEXICAL if waiting else rules.lexical_slots
        order = self._ranking(question, semantic.floor.value, semantic.cutoff, slots)
        hits = rank(candidates, order)
        succession = self._succession(question)
        lexical = self._admitted_hidden(weighed.evidence, bool(hits))
        dead = succession.would_be(weighed.hidden, lexical)
        stand_ins = followed(hits, succession.stand_ins(dead, semantic.scores.best_of, semantic.noise))
        if stand_ins:
            hits = rank([*candidates, *stand_ins], order)
        answer = wording.semantic(
            hits=hits,
            terms=question.terms,
            hidden=succession.counts(weighed.hidden, lexical),
            records=succession.records(question.named, dead),
            threshold=semantic.floor,
            confidence=weighed.confidence,
            best_rejected=weighed.best_rejected(question.admission),
            model=model,
            default_exclude=self._rules.default_exclude,
        )
        if question.query.explain:
            answer = replace(
                answer, why=self._explainer(question, order, track).semantic(weighed, hits[: len(answer.hits)])
            )
        return answer

    def _explainer(self, question: Question, rules: Rules, track: LexicalTrack) -> Explainer:
        from docs_rag.app.explaining import Explainer  # noqa: PLC0415  # few questions ask for it

        return Explainer(
            admission=question.admission,
            records=question.records,
            rules=rules,
            sections=track.sections,
            ratio=self._rules.max_doc_freq,
        )

    def _track(self, question: Question) -> LexicalTrack:
        return LexicalTrack(
            self._store.lookup,
            question.admission,
            self._rules.max_doc_freq,
            text=question.query.text[:MAX_QUERY_CHARS],
            as_of=question.query.as_of,
        )

    def _succession(self, question: Question) -> Succession:
        return Succession(self._store.lookup, question.records, question.admission, self._rules.follow_succession)

    def _candidates(self, question: Question, weighed: Weighed) -> list[Candidate]:
        """Sections that clear the floor, those that the question names, and those that words alone speak for."""
        evidence, all_scores = weighed.evidence, weighed.semantic.scores
        clearing = weighed.clearing(question.query.limit)
        named = self._named(question, all_scores)
        pinned = [*named, *self._holding(question)]
        lexical = self._lexical_only(question, evidence, clearing)
        wanted = list(dict.fromkeys([*clearing, *pinned, *lexical]))
        scores = {**weighed.scores, **all_scores.of([key for key in wanted if key not in weighed.scores])}
        sections = question.records.sections(wanted)
        backing = weighed.backing_of(wanted)
        return [
            Candidate(
                section=sections[key],
                score=scores.get(key),
                backing=backing[key],
                clears=weighed.clears(scores.get(key)),
                held=_held(evidence, key),
                weight=evidence.visible_weight(key),
                pinned=key in pinned,
                named=key in named,
                via=named.get(key),
            )
            for key in wanted
            if key in sections
        ]

    def _unscored(
        self, question: Question, track: LexicalTrack, scores: Scores, taken: Sequence[Candidate]
    ) -> list[Candidate]:
        """Sections without a vector yet: words alone speak for them, as they would without a model."""
        evidence = track.all(question.terms)
        strong = sufficient(evidence, evidence.visible, self._store.lookup)
        best = sorted(strong, key=lambda key: -evidence.weight(strong[key]))[:MOST_LEXICAL]
        scored = scores.of(best).keys() | {each.section.id for each in taken}
        sections = question.records.sections([key for key in best if key not in scored])
        return [
            Candidate(
                section=section,
                score=None,
                clears=False,
                held=_held(evidence, key),
                weight=evidence.visible_weight(key),
            )
            for key, section in sections.items()
        ]

    def _named(self, question: Question, scores: Scores | None) -> dict[int, Via | None]:
        """Of each record whose name the question is, or of its live end, the section that fits best."""
        admits = question.admission.admits
        live = dict.fromkeys(filter(question.admission.admits_record, question.equals))
        found: dict[int, Via | None] = {}
        for place, via in {**self._succession(question).named_ends(question.equals), **live}.items():
            best = scores.best_of(place, question.admission) if scores is not None else None
            own = [best[0]] if best else list(filter(admits, self._store.lookup.section_ids(place)))[:1]
            found |= dict.fromkeys(own, via)
        return found

    def _holding(self, question: Question) -> list[int]:
        """The sections that hold the identifier that the question is."""
        if question.identifier is None:
            return []
        term = question.identifier
        held = self._store.lookup.holding(term.match, term.literal, MOST_LEXICAL)
        return list(filter(question.admission.admits, held))

    def _lexical_only(self, question: Question, evidence: Evidence, clearing: Sequence[int]) -> list[int]:
        """Sections that hold rare terms and do not clear the floor; fewer may speak when nothing clears."""
        taken = frozenset(clearing)
        rest = {key: mask for key, mask in evidence.visible.items() if key not in taken}
        if not clearing:
            words = [term.match for term in question.terms if term.is_word]
            complete = self._store.lookup.holding_all(words, list(rest))
            rest = {key: mask for key, mask in rest.items() if evidence.overrules(mask) or key in complete}
        most = max(LEAST_RANKED, SPARE * (self._rules.lexical_slots if clearing else question.query.limit))
        return sorted(rest, key=lambda key: (-evidence.weight(rest[key]), key))[:most]

    def _admitted_hidden(self, evidence: Evidence, any_hits: bool) -> dict[int, float]:
        """Hidden sections that words would have brought in, with their weights."""
        hidden = evidence.hidden.items()
        return {key: evidence.weight(mask) for key, mask in hidden if any_hits or evidence.overrules(mask)}

    def _ranking(self, question: Question, floor: float, cutoff: float | None, slots: int) -> Rules:
        return Rules(
            floor=floor,
            relative_cutoff=cutoff,
            lexical_slots=slots,
            limit=question.query.limit,
            boost=self._rules.boosts.factor,
        )

    def _lexical(self, question: Question, wording: Wording) -> Answer:
        """Words alone decide what answers; BM25 and the share of the question that a section holds order it."""
        track = self._track(question)
        evidence = track.all(question.terms)
        strong = sufficient(evidence, evidence.visible, self._store.lookup)
        keys = sorted(strong, key=lambda key: -evidence.weight(strong[key]))[:MOST_RANKED]
        bm25 = self._store.lookup.bm25([term.match for term in question.terms], keys)
        share = {key: evidence.weight(strong[key]) / (evidence.total or 1.0) for key in keys}
        keys = sorted(keys, key=lambda key: -bm25.get(key, 0.0) * share[key])[:MOST_LEXICAL]
        named = self._named(question, None)
        pinned = [*named, *self._holding(question)]
        sections = question.records.sections(list(dict.fromkeys([*keys, *pinned])))
        candidates = [
            Candidate(
                section=section,
                score=None,
                clears=False,
                held=_held(evidence, key),
                weight=bm25.get(key, 0.0) * share.get(key, 1.0),
                pinned=key in pinned,
                named=key in named,
                via=named.get(key),
            )
            for key, section in sections.items()
        ]
        rules = self._ranking(question, 0.0, None, MOST_LEXICAL)
        hits = rank(candidates, rules)
        succession = self._succession(question)
        dead_masks = sufficient(evidence, evidence.hidden, self._store.lookup)
        hidden = {key: evidence.weight(mask) for key, mask in dead_masks.items()}
        dead = succession.would_be({}, hidden)
        stand_ins = followed(
            hits, succession.stand_ins_by_words(dead, lambda key: evidence.weight(evidence.visible.get(key, 0)))
        )
        if stand_ins:
            hits = rank([*candidates, *stand_ins], rules)
        answer = wording.lexical(
            hits=hits,
            terms=question.terms,
            hidden=succession.counts({}, hidden),
            records=succession.records(question.named, dead),
            words=(evidence.known, evidence.words),
            default_exclude=self._rules.default_exclude,
        )
        if question.query.explain:
            answer = replace(
                answer, why=self._explainer(question, rules, track).lexical(evidence, hits[: len(answer.hits)], hidden)
            )
        return answer


def _held(evidence: Evidence, section: int) -> tuple[str, ...]:
    return tuple(term.text for term in evidence.held(evidence.visible.get(section, 0)))
