"""What a note declares of its own state, whatever form it chose.

A form finds statements in a note: which role each plays (a status, a successor, a date), its text and its line. The
statements of all forms are judged together, so that adding a form adds one row to a table and no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from docs_rag.core import forms
from docs_rag.core.body import Body
from docs_rag.core.dates import date_in_name
from docs_rag.core.decisionlog import parts_of
from docs_rag.core.documents import Part, Problem
from docs_rag.core.forms import Statement as Statement
from docs_rag.core.frontmatter import Frontmatter, fold_key, read_frontmatter
from docs_rag.core.judging import judge
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.outline import Heading, Outline, outline
from docs_rag.core.spellings import KEYS, Role
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.unfilled import is_template, template
from docs_rag.core.values import is_empty, is_placeholder


@dataclass(frozen=True)
class Source:
    """What the forms read."""

    path: str
    frontmatter: Frontmatter
    text: str = ""
    """The whole file."""
    rules: StatusRules = PLAIN
    sidecar: Frontmatter | None = None
    """The metadata file beside the note, such as `kep.yaml`."""

    @property
    def stem(self) -> str:
        """The file name without its suffix; never empty for a path that is not."""
        name = self.path.rpartition("/")[2]
        return name.rpartition(".")[0] or name

    @cached_property
    def outline(self) -> Outline:
        """Headings and fences of the body."""
        return outline(self.text, self.frontmatter.lines)

    @cached_property
    def whole(self) -> Body:
        """All that follows the metadata block."""
        lines = self.text.split("\n")
        return Body(self.text, lines, self.outline, self.frontmatter.lines, len(lines))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The decisions of a log with their states; empty for any other note."""
        return parts_of(self.whole, self._read_part) if self.rules.counts(self.path) else ()

    @cached_property
    def body(self) -> Body:
        """What speaks of the note as a whole: in a log what stands before its first decision."""
        return replace(self.whole, end=self.parts[0].lines[0] - 1) if self.parts else self.whole

    def _read_part(self, section: Body, heading: Heading) -> tuple[Sequence[Statement], Lifecycle, tuple[Problem, ...]]:
        said = list(body_statements(section, self.status_keys))
        return said, *judge(said, heading.words, self.rules)

    @cached_property
    def status_keys(self) -> tuple[str, ...]:
        """Folded keys that hold the status by the project's own rules."""
        key = fold_key(self.rules.key)
        return () if KEYS.get(key) is Role.STATUS else (key,)


def _from_frontmatter(source: Source) -> Iterator[Statement]:
    yield from _from_entries(source, source.frontmatter, "frontmatter")


def _from_sidecar(source: Source) -> Iterator[Statement]:
    if source.sidecar is not None:
        yield from _from_entries(source, source.sidecar, "sidecar")


def _from_entries(source: Source, block: Frontmatter, form: str) -> Iterator[Statement]:
    for key, entry in block.entries.items():
        role = Role.STATUS if key in source.status_keys else KEYS.get(key)
        if role is not None:
            values = tuple(value for value in entry.values if not is_empty(value) or is_placeholder(value))
            if values:
                yield Statement(role, key, entry.key, values, entry.line if form == "frontmatter" else 1, form)


def _from_folder(source: Source) -> Iterator[Statement]:
    """`archived/old.md`: the folder is the state."""
    status = source.rules.folder_status(source.path)
    if status is not None:
        yield Statement(Role.STATUS, "folder", "folder", (status.value,), 1, "folder")


def _from_tags(source: Source) -> Iterator[Statement]:
    """`tags: [status/superseded]`."""
    for key in ("tags", "tag"):
        entry = source.frontmatter.entries.get(key)
        if entry is not None:
            said = [found["word"] for value in entry.values for found in _STATUS_TAG.finditer(value)]
            if said:
                yield Statement(Role.STATUS, key, entry.key, tuple(said), entry.line, "tag")


_STATUS_TAG: Final = re.compile(
    r"(?:^|[\s,#])(?:status|state|stage|상태|状态|ステータス)/(?P<word>[^\s,/#]+)", re.IGNORECASE
)

BODY_FORMS: Final[tuple[Callable[[Body, Sequence[str]], Iterable[Statement]], ...]] = (
    forms.from_preambles,
    forms.from_fields,
    forms.from_tables,
    forms.from_sections,
    forms.from_spans,
    forms.from_title,
    forms.from_callouts,
    forms.from_prose,
)
"""The forms in which a note's own text can speak of its state; each may be used beside the others."""


def _from_body(source: Source) -> Iterator[Statement]:
    return body_statements(source.body, source.status_keys)


def body_statements(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """What a stretch of text says of its state, in every form of the table; never raises."""
    for form in BODY_FORMS:
        yield from form(body, keys)


FORMS: Final[tuple[Callable[[Source], Iterable[Statement]], ...]] = (
    _from_frontmatter,
    _from_tags,
    _from_sidecar,
    _from_body,
    _from_folder,
)
"""Where a note can speak of its state; where two disagree, the earlier one's successor counts."""


def statements(source: Source) -> list[Statement]:
    """Everything that a note says of its state, in every form."""
    return [statement for form in FORMS for statement in form(source)]


def statements_in(path: str, text: str, rules: StatusRules = PLAIN) -> list[Statement]:
    """The same of a note's file by itself, without a metadata file beside it."""
    return statements(Source(path, read_frontmatter(text), text, rules))


def read_lifecycle(source: Source) -> tuple[Lifecycle, tuple[Problem, ...]]:
    """What the note says of its state, and what its author should know about how it says it. Never raises."""
    said = statements(source)
    if not source.rules.counts(source.path):
        said = [each for each in said if each.role in (Role.DATE, Role.ID)]
    if is_template(source.path, source.frontmatter, source.body, said):
        return template(said)
    if not said:
        day = date_in_name(source.stem)
        return (_PLAIN if day is None else Lifecycle(date=day)), ()
    return judge(said, source.stem, source.rules)


_PLAIN: Final = Lifecycle()
