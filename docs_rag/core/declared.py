"""What a note declares of its own state, whatever form it chose.

A form finds statements in a note: which role each plays (a status, a successor, a date), its text and its line. The
statements of all forms are judged together, so that adding a form adds one row to `FORMS` and no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.citations import split_references
from docs_rag.core.dates import date_in_name, find_date, parse_date
from docs_rag.core.documents import Problem
from docs_rag.core.frontmatter import Frontmatter
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.spellings import BOOLEANS, DATE_RANK, DECIDED_KEYS, FLAGS, KEYS, NO, YES, Role
from docs_rag.core.status import FINALITY, Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.values import holds_placeholder, is_empty, is_placeholder
from docs_rag.core.wording import Reading, is_partial, known_words, read_reason, read_status


class Source(NamedTuple):
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


class Statement(NamedTuple):
    """One thing that a note says of its state."""

    role: Role
    key: str
    """Folded."""
    label: str
    """The key as written."""
    values: tuple[str, ...]
    """As written, those that say nothing left out."""
    line: int
    """First line in the file, 1-based."""
    form: str = "frontmatter"
    """Which row of `FORMS` found it."""

    @property
    def text(self) -> str:
        """The values on lines of their own."""
        return "\n".join(self.values)


def _from_frontmatter(source: Source) -> Iterator[Statement]:
    for key, entry in source.frontmatter.entries.items():
        role = KEYS.get(key)
        if role is not None:
            values = tuple(value for value in entry.values if not is_empty(value) or is_placeholder(value))
            if values:
                yield Statement(role, key, entry.key, values, entry.line)


FORMS: Final[tuple[Callable[[Source], Iterable[Statement]], ...]] = (_from_frontmatter,)
"""The forms in which a note can speak of its state; where two disagree, the earlier one's successor comes first."""


def read_lifecycle(source: Source) -> tuple[Lifecycle, tuple[Problem, ...]]:
    """What the note says of its state, and what its author should know about how it says it. Never raises."""
    statements = [statement for form in FORMS for statement in form(source)]
    if _is_template(source, statements):
        return _template(statements)
    if not statements:
        day = date_in_name(source.stem)
        return (_PLAIN if day is None else Lifecycle(date=day)), ()
    return _Judge(source, statements).verdict()


_PLAIN: Final = Lifecycle()


def _is_template(source: Source, statements: Sequence[Statement]) -> bool:
    """True for a form to be filled in: placeholders for values, or a choice of statuses."""
    if any(_is_choice(each.text) for each in statements if each.role is Role.STATUS):
        return True
    if holds_placeholder(source.frontmatter.text) and any(map(is_placeholder, _values(source.frontmatter))):
        return True
    return "template" in source.stem.casefold() and _is_unfilled(source.frontmatter)


def _is_choice(text: str) -> bool:
    return "|" in text and known_words(text) > 1


def _is_unfilled(frontmatter: Frontmatter) -> bool:
    """True when a value, or a line commented out, is there to be replaced."""
    return holds_placeholder(frontmatter.text) or any(map(is_empty, _values(frontmatter)))


def _values(frontmatter: Frontmatter) -> Iterator[str]:
    return (value for each in frontmatter.entries.values() for value in each.values)


def _template(statements: Sequence[Statement]) -> tuple[Lifecycle, tuple[Problem, ...]]:
    text = next((", ".join(each.values) for each in statements if each.role is Role.STATUS), "")
    problem = Problem("template", "a template: its values are still to be filled in; kept out of answers")
    return Lifecycle(status_text=text, template=True), (problem,)


class _Judge:
    """Weighs the statements of one note."""

    def __init__(self, source: Source, statements: Sequence[Statement]) -> None:
        self._source = source
        self._statements = statements
        self._problems: list[Problem] = []
        self._successors: list[str] = []
        self._partial: list[str] = []
        self._since: str | None = None

    def verdict(self) -> tuple[Lifecycle, tuple[Problem, ...]]:
        """The record's lifecycle and its problems."""
        reading = self._read_status()
        states = [*([reading.status] if self._of(Role.STATUS) else []), *self._read_flags()]
        status = max(states, key=FINALITY.__getitem__, default=Status.CURRENT)
        self._read_successors(reading, status)
        if self._successors or self._since is not None:
            status = Status.SUPERSEDED
        date, decided = self._read_date()
        lifecycle = Lifecycle(
            status=status,
            status_text=self._status_text(),
            known=reading.known,
            successors=tuple(dict.fromkeys(self._successors)),
            claims=tuple(dict.fromkeys((*self._claims(), *reading.claims))),
            partial=tuple(dict.fromkeys(self._partial)),
            date=date,
            decided=decided,
            superseded_on=self._since or reading.since,
            ids=tuple(value for each in self._of(Role.ID) for value in each.values),
        )
        return lifecycle, tuple(self._problems)

    def _of(self, role: Role) -> list[Statement]:
        return [each for each in self._statements if each.role is role]

    def _read_status(self) -> Reading:
        """The most final of the status statements; an unknown word is reported, not guessed at."""
        readings: list[Reading] = []
        for statement in self._of(Role.STATUS):
            reading = read_status(statement.text)
            readings.append(reading)
            if not reading.known:
                self._report(statement, "unknown-status", f"unknown status '{_short(statement)}', counted as current")
            elif reading.mentions:
                told = f"'{_short(statement)}' does not begin with '{reading.mentions}', counted as {reading.status}"
                self._report(statement, "unknown-status", told)
        if not readings:
            return Reading()
        best = max(readings, key=lambda each: (each.known, FINALITY[each.status]))
        (self._partial if best.partial else self._successors).extend(best.successors)
        return best

    def _read_flags(self) -> list[Status]:
        """The states that are keys of their own; `superseded: ADR-7` and `superseded: 2026-01-14` count as well."""
        states: list[Status] = []
        for statement in self._of(Role.FLAG):
            status, value = FLAGS[statement.key], statement.values[0]
            day = find_date(value)
            if value.casefold() in YES or day is not None:
                states.append(status)
            elif status is Status.SUPERSEDED and value.casefold() not in NO:
                self._successors.extend(split_references(value))
            if status is Status.SUPERSEDED:
                self._since = day
        return states

    def _read_successors(self, reading: Reading, status: Status) -> None:
        """The keys that name what came instead, and when; each supersedes, whatever the status says."""
        in_force = status in (Status.CURRENT, Status.DRAFT)
        for statement in self._statements:
            if statement.role is Role.SUCCESSOR:
                self._add_successors(statement, in_force)
            elif statement.role is Role.PARTIAL:
                self._partial.extend(_references(statement.values))
            elif statement.role is Role.PROPOSED and not in_force:
                self._successors.extend(_references(statement.values))
            elif statement.role is Role.REASON and status in (Status.REJECTED, Status.ARCHIVED):
                self._successors.extend(found for value in statement.values for found in read_reason(value))
            elif statement.role is Role.SINCE:
                self._since = self._day(statement) or self._since
        if in_force and reading.known and self._successors and self._of(Role.STATUS):
            self._report_conflict()

    def _add_successors(self, statement: Statement, in_force: bool) -> None:
        for value in statement.values:
            partial = in_force and is_partial(value)
            (self._partial if partial else self._successors).extend(_references((value,)))

    def _report_conflict(self) -> None:
        statement = next((each for each in self._statements if each.role is Role.SUCCESSOR), None)
        if statement is not None:
            said = _short(self._of(Role.STATUS)[0])
            told = f"the status says '{said}', but `{statement.label}` names {_short(statement)}; counted as superseded"
            self._report(statement, "conflict", told)

    def _claims(self) -> Iterator[str]:
        for statement in self._of(Role.CLAIM):
            yield from _references(tuple(value for value in statement.values if not is_partial(value)))

    def _read_date(self) -> tuple[str | None, bool]:
        """The record's date from the strongest key that has one, else from its file name; whether it was decided."""
        days = [
            (DATE_RANK[statement.key], day)
            for statement in self._of(Role.DATE)
            if (day := self._day(statement)) is not None
        ]
        if days:
            rank, day = min(days)
            return day, rank < len(DECIDED_KEYS)
        return date_in_name(self._source.stem), True

    def _day(self, statement: Statement) -> str | None:
        day, warn = parse_date(statement.values[0])
        if warn:
            self._report(statement, "date", f"`{statement.label}: {_short(statement)}` is no date that can be read")
        return day

    def _status_text(self) -> str:
        said = [", ".join(each.values) for each in self._of(Role.STATUS)]
        flags = [f"{each.label}: {each.values[0]}" for each in self._of(Role.FLAG)]
        return (said or flags or [""])[0]

    def _report(self, statement: Statement, code: str, message: str) -> None:
        self._problems.append(Problem(code, message, statement.line))


def _references(values: tuple[str, ...]) -> Iterator[str]:
    for value in values:
        if value.casefold() not in BOOLEANS:
            yield from split_references(value)


def _short(statement: Statement) -> str:
    text = " ".join(statement.text.split())
    return text if len(text) <= 80 else text[:77] + "..."
