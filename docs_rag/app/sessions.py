"""A project as a server keeps it open: config, index and model, each taken up again when it has changed.

All of it belongs to one thread; others may read `Session.overview`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from docs_rag.app.answering import during_a_run, may_lack
from docs_rag.app.patience import PatientEmbedder
from docs_rag.app.upkeep import Upkeep
from docs_rag.core.cleaning import one_line
from docs_rag.core.description import Overview, top_folders
from docs_rag.core.storage import Store
from docs_rag.errors import EmbedderUnavailable, IndexMissing, IndexOutdated, NotThere, UsageError, VaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager

    from docs_rag.app.answering import Answerer
    from docs_rag.app.library import Library
    from docs_rag.core.answers import Answer
    from docs_rag.core.arguments import Asked
    from docs_rag.core.catchup import CaughtUp
    from docs_rag.core.identity import StoredModel
    from docs_rag.core.indexstate import IndexState
    from docs_rag.core.notelist import NoteList
    from docs_rag.core.ports import Embedder
    from docs_rag.core.reading import Reading

Found = TypeVar("Found", "Reading", "NoteList", "IndexState", "CaughtUp")
"""What a library gives."""
RETRY_SECONDS: Final = 5.0
"""How long a model that could not be asked is left alone."""
BEGIN_SECONDS: Final = 60.0
"""How long after a look whether some model could make an index's first vectors another look is worth it."""
BEING_MADE: Final = "there is no index yet: docs-rag index is making one in the background"
BEING_RENEWED: Final = "an older docs-rag made the index: docs-rag index brings it up to date in the background"
ADDED_CHARS: Final = 800
"""What may be added to an answer's notices, in characters: an answer leaves that much of a reply's size."""
CHANGED_WEIGHTS: Final = (
    "searched by words only: {model} is not the model that the index was made with (same name, other weights);"
    " run: docs-rag index"
)


class Index(Store, Protocol):
    """An open index as a session uses it."""

    def was_replaced(self) -> bool:
        """True when another file lies at its path by now, or none."""
        ...

    def guarded(self) -> AbstractContextManager[None]:
        """Faults of the file that happen in the block become known errors."""
        ...

    def close(self) -> None:
        """Give the file back."""
        ...


class Opening(Protocol):
    """An open index with what answers from it."""

    @property
    def index(self) -> Index:
        """The open index; the session closes it."""
        ...

    def choose_embedder(self) -> tuple[Embedder | None, str]:
        """The model for questions, and why there is none where one is wanted."""
        ...

    def open_answerer(self, embedder: Embedder | None, failure: str) -> Answerer:
        """The use case that answers questions from the index; `failure` says why a wanted model is not there."""
        ...

    def open_library(self, embedder: Embedder | None, failure: str) -> Library:
        """The use cases of the reading tools, on the same index."""
        ...

    def is_being_indexed(self) -> bool:
        """True while a run of `index` is at work, which embeds sections itself."""
        ...

    def embedding_turn(self) -> AbstractContextManager[bool]:
        """Whether this server is the one that embeds sections; held until the block is left."""
        ...

    def may_have_vectors(self) -> bool:
        """Whether an index without a model could have one now: one is wanted, and it can be asked."""
        ...


class Project(Protocol):
    """A project whose config was read and approved."""

    @property
    def name(self) -> str:
        """The server's name."""
        ...

    @property
    def told(self) -> str | None:
        """What agents are told about its notes, where its user has said so."""
        ...

    @property
    def tools(self) -> str:
        """Which tools are served: `search` or `reader`."""
        ...

    @property
    def limit(self) -> int:
        """Hits when the caller names no limit."""
        ...

    @property
    def notices(self) -> Sequence[str]:
        """What is wrong with the config."""
        ...

    def is_current(self) -> bool:
        """False when the config file is no longer what was read."""
        ...

    def open(self) -> Opening:
        """Open the index; raises `IndexMissing`, `IndexDamaged`, `Busy`."""
        ...

    def begin_indexing(self) -> str | None:
        """Have a run of `index` at work in the background, begun now if need be; why not, where there can be none.

        None where nothing may happen by itself.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """A model as it was chosen for one state of the index."""

    chosen_for: StoredModel | None
    """The model whose vectors answered then."""
    embedder: PatientEmbedder | None
    failure: str
    """Why there is none although one is wanted."""
    answerer: Answerer
    valid_until: float
    """When to choose again, on the session's clock."""

    def holds(self, active: StoredModel | None, now: float) -> bool:
        """True while there is no reason to choose again."""
        return now < self.valid_until and _key(active) == _key(self.chosen_for)


class Session:
    """Answers questions about one project for as long as a server runs."""

    def __init__(
        self,
        find: Callable[[], Project],
        may_embed: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is read yet. `find` reads the config; `may_embed` is False while somebody waits for an answer."""
        self._find = find
        self._clock = clock
        self._upkeep = Upkeep(may_embed)
        self._project: Project | None = None
        self._opening: Opening | None = None
        self._model: _Model | None = None
        self._library: tuple[_Model, Library] | None = None
        self._is_choosing = False
        self._begin_from = -math.inf
        self.overview = Overview()
        """What was last seen of the project; always replaced as a whole."""

    def look(self) -> None:
        """Open what there is, without a model; raises every kind of `DocsRagError`."""
        self._open()

    def answer(self, asked: Asked) -> Answer:
        """The answer to one call, from config, index and notes as they are now.

        Raises every kind of `DocsRagError`; the next question then looks at everything afresh.
        """
        project, opening, model = self._ready()
        try:
            with opening.index.guarded():
                answer = model.answerer.answer(asked.query(project.limit))
        except (EmbedderUnavailable, UsageError):
            raise
        except BaseException:
            self.close()
            raise
        self._upkeep.after(answer)
        if may_lack(answer, self.overview.documents) and opening.is_being_indexed():
            answer = during_a_run(answer)
        return with_notices(answer, (*asked.notices, *project.notices))

    def consult(self, work: Callable[[Library], Found]) -> Found:
        """What a reading tool finds, in config, index and notes as they are now; raises as `answer` does."""
        project, opening, model = self._ready()
        return self._told(self._found(work, opening, model), project.notices)

    def _told(self, found: Found, notices: Sequence[str]) -> Found:
        """The same with the project's notices first."""
        if getattr(found, "changed", False):
            self._upkeep.restart()
        return replace(found, notices=(*notices, *found.notices))

    def _found(self, work: Callable[[Library], Found], opening: Opening, model: _Model) -> Found:
        try:
            with opening.index.guarded():
                return work(self._library_of(opening, model))
        except (NotThere, UsageError, VaultError):
            raise
        except BaseException:
            self.close()
            raise

    def _library_of(self, opening: Opening, model: _Model) -> Library:
        if self._library is None or self._library[0] is not model:
            self._library = model, opening.open_library(model.embedder, model.failure)
        return self._library[1]

    def upkeep(self) -> bool:
        """One round of work that no question should wait for; True when there may be more.

        The first round makes a question's way warm. Raises every kind of `DocsRagError`; there is then nothing to do
        before the next question.
        """
        if not (self._upkeep.is_due or self._looks_for_a_model()):
            return False
        try:
            project, opening, model = self._ready()
            with opening.index.guarded():
                if self._looks_for_a_model():
                    self._begin_vectors(project, opening)
                if not self._upkeep.is_due:
                    return False
                may_be_more = self._upkeep.round(opening.index, model.answerer, model.embedder, opening)
                if not may_be_more:
                    self.overview = _with_counts(self.overview, opening.index)
        except BaseException:
            self._upkeep.give_up()
            raise
        return may_be_more

    def _looks_for_a_model(self) -> bool:
        """Whether no model has worked on the index yet, as when none could be asked, and it is time to ask again."""
        return self._model is not None and self._model.chosen_for is None and self._clock() >= self._begin_from

    def _begin_vectors(self, project: Project, opening: Opening) -> None:
        """The first vectors of an index take a whole run."""
        self._begin_from = self._clock() + BEGIN_SECONDS
        if opening.may_have_vectors():
            project.begin_indexing()

    def close(self) -> None:
        """Give the index back; the next question opens it again."""
        opening, self._opening, self._model, self._library = self._opening, None, None, None
        if opening is not None:
            opening.index.close()

    def close_from_outside(self) -> None:
        """Give the index back from another thread when this one waits for a model, just before the process ends.

        A thread that is at work on the index is left alone: SQLite keeps the file whole without our help.
        """
        opening, model = self._opening, self._model
        embedder = None if model is None else model.embedder
        if opening is not None and (self._is_choosing or (embedder is not None and embedder.is_waiting)):
            opening.index.close()

    def _ready(self) -> tuple[Project, Opening, _Model]:
        project, opening = self._open()
        with opening.index.guarded():
            active = opening.index.vectors.active()
            if self._model is None or not self._model.holds(active, self._clock()):
                self._is_choosing = True
                try:
                    self._model = self._choose(opening, active)
                finally:
                    self._is_choosing = False
                self._upkeep.restart()
        return project, opening, self._model

    def _open(self) -> tuple[Project, Opening]:
        """What is open, if it is still what the disk holds; else what the disk holds now."""
        if self._opening is not None and self._project is not None:
            if self._project.is_current() and not self._opening.index.was_replaced():
                return self._project, self._opening
            self.close()
        seen = Overview()
        try:
            project = self._project = self._find()
            seen = Overview(name=project.name, told=project.told, tools=project.tools)
            opening = self._opening = _open(project)
            with opening.index.guarded():
                seen = _with_counts(seen, opening.index)
        finally:
            self.overview = seen
        return project, opening

    def _choose(self, opening: Opening, active: StoredModel | None) -> _Model:
        embedder, failure = opening.choose_embedder()
        patient = None if embedder is None else PatientEmbedder(embedder, self._upkeep.may_go_on)
        is_sure = not failure
        if patient is not None and active is not None:
            try:
                if _is_other(patient, active):
                    patient, failure = None, CHANGED_WEIGHTS.format(model=active.name)
            except EmbedderUnavailable:
                is_sure = False
        return _Model(
            chosen_for=active,
            embedder=patient,
            failure=failure,
            answerer=opening.open_answerer(patient, failure),
            valid_until=math.inf if is_sure else self._clock() + RETRY_SECONDS,
        )


def _open(project: Project) -> Opening:
    """Open a project's index, or have one made, or one of an older version made anew."""
    try:
        return project.open()
    except (IndexMissing, IndexOutdated) as error:
        refused = project.begin_indexing()
        if refused is None:
            raise
        if refused:
            told = f"{error.message}, and making one in the background failed: {refused}"
            raise type(error)(told, error.hint) from None
        told = BEING_MADE if isinstance(error, IndexMissing) else BEING_RENEWED
        raise type(error)(told, "ask again in a moment") from None


def with_notices(answer: Answer, notices: Iterable[str]) -> Answer:
    """The answer with more notices before its own, as far as there is room for them."""
    added: list[str] = []
    room = ADDED_CHARS
    for notice in dict.fromkeys(map(one_line, notices)):
        if room > 1:
            added.append(notice if len(notice) <= room else notice[: room - 1] + "…")
            room -= len(notice)
    return replace(answer, notices=(*added, *answer.notices)) if added else answer


def _with_counts(overview: Overview, index: Index) -> Overview:
    return replace(overview, documents=index.lookup.counts()[0], folders=top_folders(index.notes.stamps()))


def _is_other(embedder: PatientEmbedder, active: StoredModel) -> bool:
    """True when a model of the same name has other weights than those that made the index's vectors."""
    if embedder.model.name != active.name or not active.digest:
        return False
    digest = embedder.digest()
    return bool(digest) and digest != active.digest


def _key(active: StoredModel | None) -> tuple[int, str] | None:
    return None if active is None else (active.id, active.digest)
