"""What a run of `docs-rag check` came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from docs_rag.core.linting.baseline import Entry
from docs_rag.core.linting.codes import Level
from docs_rag.core.linting.findings import Finding
from docs_rag.core.rootpaths import split_root


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The findings that are left, and what was looked at."""

    findings: tuple[Finding, ...]
    """By note and line."""
    checked: tuple[str, ...]
    """Every note whose findings were wanted, by path, those that could not be read included."""
    suppressed: int = 0
    """How many findings a comment in their note keeps out."""
    known: int = 0
    """How many findings the baseline knows."""
    stale: tuple[Entry, ...] = ()
    """Entries of the baseline that nothing answers to any more."""
    below: str = ""
    """Where the vault lies, seen from the folder that paths of a report count from; empty for that folder itself."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """The same of each root by its name; empty for one that is not below that folder."""
    version: str = ""
    """Of docs-rag."""

    @cached_property
    def counts(self) -> Mapping[Level, int]:
        """Findings by level; every level has its number."""
        found = Counter(each.level for each in self.findings)
        return {level: found[level] for level in Level}

    @property
    def failed(self) -> bool:
        """True when an error is left."""
        return self.counts[Level.ERROR] > 0

    def place(self, path: str) -> str:
        """A note's path as the reader of a report needs it."""
        name, rest = split_root(path, self.elsewhere)
        below = self.elsewhere[name] if name else self.below
        return f"{below}/{rest}" if below else path
