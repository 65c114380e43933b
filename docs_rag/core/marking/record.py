"""The record that is to be marked: a note, or one decision of a log, and what it says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from docs_rag.core.declared import Source, body_statements, statements
from docs_rag.core.documents import DocPath, Document, Part, note_path
from docs_rag.core.forms import Statement
from docs_rag.core.frontmatter import read_frontmatter
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.marking.habits import Habits
from docs_rag.core.marking.links import Style, refer
from docs_rag.core.marking.page import Page
from docs_rag.core.parsing import parse_document
from docs_rag.core.references import NamedNote, Names
from docs_rag.core.statusrules import StatusRules


class Said(NamedTuple):
    """A record as it reads."""

    document: Document
    part: Part | None
    """The decision of a log that is meant; None for a note as a whole."""
    statements: Sequence[Statement]

    @property
    def lifecycle(self) -> Lifecycle:
        """The record's own."""
        return self.document.lifecycle if self.part is None else self.part.lifecycle

    def apart(self) -> tuple[object, ...]:
        """What the file says beside this record's state: a mark leaves it alone."""
        document = self.document
        kept = [(each.anchor, each.title, each.lifecycle) for each in document.parts if each is not self.part]
        whole = None if self.part is None else document.lifecycle
        title = document.title if self.part is None else (document.title, self.part.title)
        return title, document.aliases, document.tags, whole, *kept

    def contradictions(self) -> int:
        """How often the record says one thing here and another there."""
        told = self.document.problems if self.part is None else self.part.problems
        return sum(each.code == "conflict" for each in told)

    def faults(self) -> int:
        """How many faults of the file would be a mark's own, if it made one more."""
        found = [*self.document.problems, *(problem for each in self.document.parts for problem in each.problems)]
        return sum(each.code in ("yaml", "date", "unknown-status") for each in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A record that is to say something of another one."""

    path: DocPath
    """A note's, or a decision's in a log: `log.md#D-013`."""
    text: str
    """The file as it is on disk, byte order mark and line ends included."""
    other: NamedNote
    names: Names
    habits: Habits
    rules: StatusRules

    @property
    def note(self) -> DocPath:
        """The file."""
        return note_path(self.path)

    @property
    def anchor(self) -> str:
        """The decision within the file; empty for the note as a whole."""
        return self.path[len(self.note) + 1 :]

    @property
    def is_within(self) -> bool:
        """Whether the other record stands in the same file."""
        return note_path(self.other.path) == self.note

    def reference(self, style: Style) -> str:
        """A reference to the other record, in this style if that names it without doubt; empty when none does."""
        return refer(self.other, self.path, style, self.names)

    def names_other(self, reference: str) -> bool:
        """Whether a reference in this record means the other one."""
        return self.other.path in self.names.resolve(reference, self.path).paths

    def read(self, text: str) -> Said:
        """What the record says in a version of the file; a decision that is no longer there says nothing."""
        plain = Page(text).plain()
        source = Source(self.note, read_frontmatter(plain), plain, self.rules)
        document = parse_document(self.note, plain, self.rules)
        if not self.anchor:
            return Said(document, None, statements(source))
        part = next((each for each in document.parts if each.anchor == self.anchor), None)
        if part is None:
            return Said(replace(document, lifecycle=Lifecycle()), None, ())
        section = replace(source.whole, first=part.lines[0] - 1, end=part.lines[1])
        return Said(document, part, list(body_statements(section, source.status_keys)))
