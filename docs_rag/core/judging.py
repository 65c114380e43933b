"""What the statements of one record amount to: its state, its successors, its dates, and what contradicts what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from docs_rag.core.citations import cited, split_references, take_apart
from docs_rag.core.dates import date_in_name, find_date, parse_date
from docs_rag.core.documents import Problem
from docs_rag.core.forms import Statement
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.spellings import BOOLEANS, DATE_RANK, DECIDED_KEYS, FLAGS, NO, YES, Role
from docs_rag.core.status import FINALITY, Status
from docs_rag.core.statusrules import StatusRules
from docs_rag.core.values import names_nothing
from docs_rag.core.wording import Reading, is_partial, read_reason, read_status

_IN_FORCE: Final = (Status.CURRENT, Status.DRAFT)
_PLACES: Final = ("frontmatter", "sidecar", "text", "folder")
"""Where a note can speak; of two that name different successors the earlier one is believed."""


def judge(statements: Sequence[Statement], name: str, rules: StatusRules) -> tuple[Lifecycle, tuple[Problem, ...]]:
    """The record's lifecycle and its problems; `name` is what may begin with its date: a file's stem, a heading."""
    return _Judge(statements, name, rules).verdict()


class _Judge:
    """Weighs the statements of one record."""

    def __init__(self, statements: Sequence[Statement], name: str, rules: StatusRules) -> None:
        self._name = name
        self._statements = statements
        self._rules = rules
        self._problems: list[Problem] = []
        self._readings = [(each, self._read(each)) for each in statements if each.role is Role.STATUS]
        self._flags = [(each, _read_flag(each)) for each in statements if each.role is Role.FLAG]

    def verdict(self) -> tuple[Lifecycle, tuple[Problem, ...]]:
        """The record's lifecycle and its problems."""
        best = self._best()
        flags = [reading.status for _, reading in self._flags if reading.known]
        states = [*([best.status] if self._readings else []), *flags]
        status = max(states, key=FINALITY.__getitem__, default=Status.CURRENT)
        in_force = status in _IN_FORCE
        successors, partial = self._name_successors(in_force, status)
        since = self._since(best)
        ended = any(each.role is Role.SINCE for each in self._statements) and since is not None
        if successors or (ended and not partial):
            status = Status.SUPERSEDED
        if status not in _IN_FORCE:
            self._report_contradiction(status)
        date, decided = self._date()
        lifecycle = Lifecycle(
            status=status,
            status_text=self._status_text(),
            known=best.known,
            successors=tuple(successors),
            claims=tuple(dict.fromkeys(self._claims())),
            partial=tuple(partial),
            partial_claims=tuple(dict.fromkeys(self._partial_claims())),
            date=date,
            decided=decided,
            superseded_on=since,
            ids=tuple(value for each in self._of(Role.ID) for value in each.values),
        )
        return lifecycle, tuple(self._problems)

    def _of(self, *roles: Role) -> Iterator[Statement]:
        return (each for each in self._statements if each.role in roles)

    def _read(self, statement: Statement) -> Reading:
        """A status statement by the project's own words, else by the tables; an unknown word is reported."""
        own = self._rules.look_up(statement.text)
        if own is not None:
            return Reading(status=own)
        reading = read_status(statement.text)
        if not reading.known:
            self._report(statement, "unknown-status", f"unknown status '{_short(statement)}', counted as current")
        elif reading.mentions:
            told = f"'{_short(statement)}' does not begin with '{reading.mentions}', counted as {reading.status}"
            self._report(statement, "unknown-status", told)
        return reading

    def _best(self) -> Reading:
        """The most final of the status statements; of equals the one that speaks of parts, then the first."""
        return max((reading for _, reading in self._readings), key=_weight, default=Reading())

    def _name_successors(self, in_force: bool, status: Status) -> tuple[list[str], list[str]]:
        """(what replaced the record, what replaced parts of it), by the first place that names any."""
        successors: list[str] = []
        partial: list[str] = []
        believed: Statement | None = None
        for place in _PLACES:
            named, parts = self._named_in(place, in_force, status)
            partial.extend(parts)
            references = [reference for _, reference in named]
            if named and believed is None:
                believed, successors = named[0][0], references
            elif named and believed is not None and not all(_alike(each, successors) for each in references):
                told = f"it names {references[0]} as its successor here, but {successors[0]} in line {believed.line}"
                self._report(named[0][0], "conflict", told)
        return list(dict.fromkeys(successors)), list(dict.fromkeys(partial))

    def _named_in(self, place: str, in_force: bool, status: Status) -> tuple[list[tuple[Statement, str]], list[str]]:
        """The successors that one place names, each with its statement, and what replaced parts.

        A key that is there for them goes before a phrase in the status.
        """
        named: list[tuple[Statement, str]] = []
        parts: list[str] = []
        for statement in self._statements:
            if _place(statement) == place:
                found, is_part = self._named_by(statement, in_force, status)
                parts.extend(found if is_part else ())
                named.extend((statement, reference) for reference in ([] if is_part else found))
        if not named:
            for statement, reading in (*self._readings, *self._flags):
                if _place(statement) == place and reading.partial:
                    parts.extend(reading.successors)
                elif _place(statement) == place:
                    named.extend((statement, reference) for reference in reading.successors)
        return named, parts

    def _named_by(self, statement: Statement, in_force: bool, status: Status) -> tuple[list[str], bool]:
        """The references in a key of its own, and whether they replaced parts only."""
        role, values = statement.role, statement.values
        if role is Role.PARTIAL:
            return list(_references(values)), True
        if role is Role.SUCCESSOR:
            return list(_references(values)), in_force and all(map(is_partial, values))
        if role is Role.PROPOSED and not in_force:
            return list(_references(values)), False
        if role is Role.REASON and status in (Status.REJECTED, Status.ARCHIVED):
            return [found for value in values for found in read_reason(value)], False
        return [], False

    def _report_contradiction(self, status: Status) -> None:
        """A status that says that the record is in force, beside a successor or a status that ends it."""
        said = next((each for each, reading in self._readings if reading.known and reading.status in _IN_FORCE), None)
        if said is None:
            return
        ended = next((each for each, reading in self._readings if reading.status not in _IN_FORCE), None)
        named = next(self._of(Role.SUCCESSOR), None)
        if ended is not None:
            told = f"'{_short(said)}' in line {said.line}, but '{_short(ended)}' here; counted as {status}"
            self._report(ended, "conflict", told)
        elif named is not None:
            told = f"the status says '{_short(said)}', but `{named.label}` names {_short(named)}; counted as {status}"
            self._report(named, "conflict", told)

    def _since(self, best: Reading) -> str | None:
        """The day on which the record ended: its own key, the day in a flag, the date in the status."""
        for statement in self._of(Role.SINCE):
            if (day := self._day(statement)) is not None:
                return day
        return next((reading.since for _, reading in self._flags if reading.since), best.since)

    def _claims(self) -> Iterator[str]:
        for statement in self._of(Role.CLAIM):
            yield from _references(tuple(value for value in statement.values if not is_partial(value)))
        for _, reading in self._readings:
            yield from reading.claims

    def _partial_claims(self) -> Iterator[str]:
        """What it replaced parts of, by a key for that or by a remark: `supersedes: ADR-7 (partially)`."""
        for statement in self._of(Role.PARTIAL_CLAIM):
            yield from _references(statement.values)
        for statement in self._of(Role.CLAIM):
            for value in filter(is_partial, statement.values):
                yield from cited(value) or _references((value,))

    def _date(self) -> tuple[str | None, bool]:
        """The record's date from the strongest key that has one, else from its name; whether it was decided then."""
        days = [
            (DATE_RANK[statement.key], place, day)
            for place, statement in enumerate(self._of(Role.DATE))
            if (day := self._day(statement)) is not None
        ]
        if days:
            rank, _, day = min(days)
            return day, rank < len(DECIDED_KEYS)
        return date_in_name(self._name), True

    def _day(self, statement: Statement) -> str | None:
        day, warn = parse_date(statement.values[0])
        if warn:
            self._report(statement, "date", f"`{statement.label}: {_short(statement)}` is no date that can be read")
        return day

    def _status_text(self) -> str:
        if self._readings:
            statement = max(self._readings, key=lambda each: _weight(each[1]))[0]
            return " ".join(", ".join(statement.values).split())
        flags = [f"{each.label}: {each.values[0]}" for each in self._of(Role.FLAG)]
        return (flags or [""])[0]

    def _report(self, statement: Statement, code: str, message: str) -> None:
        self._problems.append(Problem(code, message, statement.line))


def _weight(reading: Reading) -> tuple[bool, int, bool]:
    return reading.known, FINALITY[reading.status], reading.partial


def _place(statement: Statement) -> str:
    return statement.form if statement.form in _PLACES else "text"


def _read_flag(statement: Statement) -> Reading:
    """A state that is a key of its own; `superseded: ADR-7` and `superseded: 2026-01-14 by ADR-7` count as well."""
    status, value = FLAGS[statement.key], statement.values[0]
    day = find_date(value)
    raised = value.casefold() in YES or day is not None
    if value.casefold() in (YES | NO):
        return Reading(status=status, known=raised)
    if status is not Status.SUPERSEDED:
        reading = read_status(f"{statement.key} {value}")
        return reading if reading.successors else Reading(status=status, known=raised, since=day)
    successors = read_status(f"superseded {value}").successors or (tuple(_references((value,))) if day is None else ())
    return Reading(status=status, known=raised or bool(successors), successors=successors, since=day)


def _references(values: Iterable[str]) -> Iterator[str]:
    for value in values:
        if value.casefold() not in BOOLEANS and not names_nothing(value):
            yield from split_references(value)


def _alike(reference: str, others: Sequence[str]) -> bool:
    """Whether a reference may well mean what one of the others means: by its path's end, its number or its words."""
    mine = _gist(reference)
    return any(mine & _gist(other) for other in others)


def _gist(reference: str) -> set[str]:
    target = take_apart(reference)
    stem = target.path.rstrip("/").rpartition("/")[2].casefold().removesuffix(".md")
    words = {stem, target.text.casefold()} - {""}
    return words | {number.lstrip("0") for word in words for number in re.findall(r"\d{1,9}", word)[:1]}


def _short(statement: Statement) -> str:
    text = " ".join(statement.text.split())
    return text if len(text) <= 80 else text[:77] + "..."
