"""What a check says: whether it is well, in a sentence, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from docs_rag.errors import DocsRagError


class Verdict(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARN = "warn"
    """It works, but not as well as it could, or not for long."""
    BROKEN = "broken"
    """Something that the user relies on does not work."""


class Fault(NamedTuple):
    """A known error as a value: why a fact could not be had."""

    message: str
    hint: str

    @classmethod
    def of(cls, error: DocsRagError) -> Fault:
        """The two parts of an error."""
        return cls(error.message, error.hint)


class Said(NamedTuple):
    """What one check says, once or more often."""

    verdict: Verdict
    message: str
    """One sentence, without a full stop."""
    mend: str = ""
    """The command or step that mends it; empty where nothing has to be done."""


class Finding(NamedTuple):
    """What a check said, under its name."""

    check: str
    verdict: Verdict
    message: str
    mend: str


def ok(message: str) -> Said:
    """It is well."""
    return Said(Verdict.OK, message)


def warn(message: str, mend: str) -> Said:
    """It could be better."""
    return Said(Verdict.WARN, message, mend)


def broken(message: str, mend: str) -> Said:
    """It does not work."""
    return Said(Verdict.BROKEN, message, mend)


def as_json(findings: Iterable[Finding], config: str | None) -> dict[str, object]:
    """The findings with the keys of the JSON document."""
    found = list(findings)
    return {
        "ok": not is_broken(found),
        "config": config,
        "checks": [
            {"check": each.check, "verdict": str(each.verdict), "message": each.message, "mend": each.mend or None}
            for each in found
        ],
    }


def is_broken(findings: Iterable[Finding]) -> bool:
    """True when something does not work."""
    return any(each.verdict is Verdict.BROKEN for each in findings)
