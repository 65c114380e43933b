"""A vault as its linter sees it: every note as it is read, and what all of them together make of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from docs_rag.core.documents import DocPath, Document, Part, Problem, Skipped, part_path
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.references import NamedNote, Names
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.succession import Record, Standing, resolve


class Subject(NamedTuple):
    """A record: a note, or one of the decisions in it."""

    path: DocPath
    """A part's with its anchor."""
    note: Document
    title: str
    lifecycle: Lifecycle
    problems: tuple[Problem, ...]
    part: Part | None = None

    @property
    def line(self) -> int:
        """Where it begins in the file: below the frontmatter, or at a part's heading."""
        return 1 if self.part is None else self.part.lines[0]

    @property
    def folder(self) -> str:
        """The note's folder; empty at the top."""
        return self.note.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The note's file name without its suffix."""
        file = self.note.path.rpartition("/")[2]
        return file.rpartition(".")[0] or file


class Close(NamedTuple):
    """Two notes that mean nearly the same."""

    score: float
    """Cosine of both notes' meanings, in [-1, 1]."""
    first: DocPath
    second: DocPath


def _no_vectors(_: Sequence[DocPath]) -> Sequence[Close]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Everything that the rules look at."""

    documents: Sequence[Document]
    skipped: Sequence[Skipped] = ()
    """Files that were asked for and could not be read."""
    rules: StatusRules = PLAIN
    """What the documents were read with."""
    close: Callable[[Sequence[DocPath]], Sequence[Close]] = _no_vectors
    """The closest pairs of some records, best first; asked for when a rule needs it."""

    @cached_property
    def subjects(self) -> Mapping[DocPath, Subject]:
        """Every note and every part, by path, in the order of paths."""
        ordered = sorted(self.documents, key=lambda each: each.path)
        return {subject.path: subject for document in ordered for subject in _subjects(document)}

    @cached_property
    def homes(self) -> Mapping[DocPath, DocPath]:
        """The note that each record lies in."""
        return {path: subject.note.path for path, subject in self.subjects.items()}

    @cached_property
    def standings(self) -> Mapping[DocPath, Standing]:
        """What the vault makes of its records; those that stand as they say themselves are left out."""
        return resolve(
            Record(
                each.path,
                each.title,
                () if each.part else each.note.aliases,
                each.lifecycle,
                links=() if each.part else each.note.links,
            )
            for each in self.subjects.values()
        )

    @cached_property
    def names(self) -> Names:
        """What everything is called."""
        return Names(
            NamedNote(each.path, each.title, () if each.part else each.note.aliases, each.lifecycle.ids)
            for each in self.subjects.values()
        )

    def status(self, path: DocPath) -> Status:
        """A record's state once all have been heard."""
        standing = self.standings.get(path)
        return self.subjects[path].lifecycle.status if standing is None else standing.status

    def in_force(self) -> Iterator[Subject]:
        """The records that are current; templates are no records."""
        for path, subject in self.subjects.items():
            if not subject.lifecycle.template and self.status(path) is Status.CURRENT:
                yield subject

    def related(self, first: DocPath, second: DocPath) -> bool:
        """True when one of two records descends from the other, or says that it replaced parts of it."""
        return second in self.line_of(first) or first in self.line_of(second)

    def line_of(self, path: DocPath) -> frozenset[DocPath]:
        """Everything that came before a record: what it replaced, what that replaced, and so on."""
        seen: dict[DocPath, None] = {}
        queue = list(self._before(path))
        for each in queue:
            if each not in seen:
                seen[each] = None
                queue.extend(self._before(each))
        return frozenset(seen)

    def _before(self, path: DocPath) -> Iterable[DocPath]:
        standing = self.standings.get(path)
        return () if standing is None else standing.supersedes


def _subjects(document: Document) -> Iterator[Subject]:
    yield Subject(document.path, document, document.title, document.lifecycle, document.problems)
    for part in document.parts:
        path = part_path(document.path, part.anchor)
        yield Subject(path, document, part.title, part.lifecycle, part.problems, part)
