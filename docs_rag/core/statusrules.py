"""What a project says of its own status words: which words, which key, which notes, which folders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from docs_rag.core.globs import Globs
from docs_rag.core.pathrules import PathRules
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from docs_rag.core.ownwords import OwnWords

FOLDERS: Final[Mapping[str, Status]] = {
    "archived": Status.ARCHIVED,
    "deprecated": Status.ARCHIVED,
    "obsolete": Status.ARCHIVED,
    "superseded": Status.SUPERSEDED,
    "rejected": Status.REJECTED,
    "withdrawn": Status.REJECTED,
}
"""Folders whose name is the state of what lies in them; `statusFolders` replaces the table."""


@dataclass(frozen=True, kw_only=True)
class StatusRules:
    """How the notes of one vault are read; part of what an index was made with."""

    words: Mapping[str, Status] = field(default_factory=dict)
    """Status words of one's own, as the config writes them; they go before the built-in ones."""
    key: str = "status"
    """The metadata key that holds the status, beside the ones that always do."""
    within: tuple[str, ...] = ("**",)
    """Globs of the notes whose status counts; all others are current."""
    folders: Mapping[str, Status] = field(default_factory=lambda: FOLDERS)
    """Path entries, matched as `defaultExclude` is, and the state of what lies below them."""

    def look_up(self, text: str) -> Status | None:
        """The state of the own word that a status is, or begins with; None where there is none."""
        return self._own.look_up(text) if self.words else None

    def counts(self, path: str) -> bool:
        """Whether what a note says of its status is heard."""
        return self.within == ("**",) or self._within.matches(path)

    def folder_status(self, path: str) -> Status | None:
        """The state that the folders above a note give it."""
        entry = self._folders.matches_folder(path.rpartition("/")[0])
        return None if entry is None else self.folders[entry]

    @cached_property
    def digest(self) -> str:
        """Twelve signs that stand for these rules in what an index was made with; empty for the default rules."""
        said = self._said()
        if said == StatusRules()._said():
            return ""
        from docs_rag.core.digests import text_digest  # noqa: PLC0415  # most projects need no hash

        return text_digest(json.dumps(said)).hex()[:12]

    def packed(self) -> str:
        """These rules as JSON in ASCII, for another process."""
        return json.dumps(self._said())

    @classmethod
    def unpacked(cls, text: str) -> StatusRules:
        """The rules that `packed` made a text of."""
        words, key, within, folders = json.loads(text)
        return cls(
            words={word: Status(state) for word, state in words},
            key=key,
            within=tuple(within),
            folders={folder: Status(state) for folder, state in folders},
        )

    def _said(self) -> list[object]:
        """The rules as JSON can hold them; of words the order is no matter."""
        return [sorted(self.words.items()), self.key, self.within, list(self.folders.items())]

    @cached_property
    def _own(self) -> OwnWords:
        from docs_rag.core.ownwords import OwnWords  # noqa: PLC0415  # every command has rules, few have words

        return OwnWords(self.words)

    @cached_property
    def _within(self) -> Globs:
        return Globs(self.within, key="lifecycleIn")

    @cached_property
    def _folders(self) -> PathRules:
        return PathRules(tuple(self.folders))


PLAIN: Final = StatusRules()
"""The rules of a project that says nothing of its own."""
