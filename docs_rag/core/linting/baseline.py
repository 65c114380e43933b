"""Findings that an old corpus is allowed to keep: a file of fingerprints, written once and shrinking from then on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docs_rag.core.jsontext import read_object
from docs_rag.core.linting.findings import Finding
from docs_rag.errors import ConfigError

VERSION = 1
"""Of the file's format."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One finding that is known."""

    code: str
    path: str
    fingerprint: str
    message: str
    """For people who read the file; the fingerprint decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Findings held against a baseline."""

    fresh: tuple[Finding, ...]
    """Those that it does not know."""
    known: int
    stale: tuple[Entry, ...]
    """Entries that nothing in the vault answers to any more."""


def compare(findings: Iterable[Finding], baseline: Sequence[Entry]) -> Compared:
    """Take away what the baseline knows; a fault that stands there once excuses one finding, not two."""
    left = Counter(entry.fingerprint for entry in baseline)
    fresh: list[Finding] = []
    known = 0
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
            known += 1
        else:
            fresh.append(finding)
    stale: list[Entry] = []
    for entry in baseline:
        if left[entry.fingerprint] > 0:
            left[entry.fingerprint] -= 1
            stale.append(entry)
    return Compared(fresh=tuple(fresh), known=known, stale=tuple(stale))


def write_baseline(findings: Iterable[Finding]) -> str:
    """The text of a baseline file: one entry a line, in the order of the findings, so that it can be compared."""
    rows = [
        {"code": each.code.id, "path": each.path, "fingerprint": each.fingerprint, "message": each.message}
        for each in findings
    ]
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
    body = f"[\n{lines}\n  ]" if rows else "[]"
    return f'{{\n  "version": {VERSION},\n  "findings": {body}\n}}\n'


def read_baseline(text: str) -> tuple[Entry, ...]:
    """The entries of a baseline file. Raises `ConfigError`, whose message goes on after the file's name."""
    raw, _ = read_object(text.removeprefix("\ufeff"))
    rows = raw.get("findings")
    if raw.get("version") != VERSION or not isinstance(rows, list):
        raise ConfigError(f"is no baseline of version {VERSION}")
    return tuple(map(_entry, rows))


def _entry(row: object) -> Entry:
    fields = ("code", "path", "fingerprint", "message")
    if not isinstance(row, dict) or not all(isinstance(row.get(each), str) for each in fields):
        raise ConfigError("holds an entry that is none: code, path, fingerprint and message are texts")
    return Entry(*(row[each] for each in fields))
