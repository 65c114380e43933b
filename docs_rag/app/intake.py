"""Taking single notes into the index: read, parse, cut, store. Text and status only; vectors follow elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.changes import KEPT_WHEN, is_racy
from docs_rag.core.digests import Digest, bytes_digest, text_digest
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.ports import Unreadable, Vault
from docs_rag.core.statusrules import PLAIN, StatusRules

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.core.storage import Store


@dataclass(frozen=True, slots=True)
class Taken:
    """A note is in the index as its file is now."""

    path: DocPath
    changed: bool
    digest: Digest


class Intake:
    """Reads notes of one vault into one index."""

    def __init__(
        self,
        vault: Vault,
        store: Store,
        rules: StatusRules = PLAIN,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`rules` say what a status means here; `now_ns` is the wall clock, in nanoseconds since 1970."""
        self._vault = vault
        self._store = store
        self._rules = rules
        self._now_ns = now_ns

    def take(self, path: DocPath, *, force: bool = False) -> Taken | Skipped:
        """Bring one note up to its file. Unchanged content is not parsed again unless `force` is set.

        A file that cannot be read is an outcome, not an exception; a former text of it stays, marked stale.
        """
        notes = self._store.notes
        try:
            read_at = self._now_ns()
            stamp, data = self._vault.read(path)
            digest = bytes_digest(data)
            if not force and notes.digest(path) == digest:
                notes.touch(stamp, is_racy(stamp, read_at))
                return Taken(path, False, digest)
            text = _decode(data)
        except Unreadable as error:
            return self._give_up(Skipped(path, error.code, str(error)))
        try:
            self._put(stamp, is_racy(stamp, read_at), digest, text)
        except RecursionError:  # nesting no person writes; it must not cost the other notes their run
            return self._give_up(Skipped(path, "unreadable", "nested too deep to be read"))
        return Taken(path, True, digest)

    def _put(self, stamp: FileStamp, racy: bool, digest: Digest, text: str) -> None:
        from docs_rag.core.chunks import chunk  # noqa: PLC0415
        from docs_rag.core.embedtext import embed_text  # noqa: PLC0415
        from docs_rag.core.parsing import parse_document  # noqa: PLC0415

        document = parse_document(stamp.path, text, self._rules)
        chunks = chunk(document)
        texts = [embed_text(document.title, each.headings, each.text) for each in chunks]
        digests = [text_digest(each) if each else None for each in texts]
        self._store.notes.put(stamp, racy, digest, document, chunks, digests)

    def resolve(self) -> bool:
        """Work the succession graph out again if a note changed since; True when it was done."""
        if not self._store.notes.is_unresolved():
            return False
        from docs_rag.core.succession import resolve  # noqa: PLC0415

        self._store.notes.set_standings(resolve(self._store.notes.records()))
        return True

    def _give_up(self, skipped: Skipped) -> Skipped:
        if skipped.code in KEPT_WHEN:
            self._store.notes.mark_stale(skipped)
        return skipped


def _decode(data: bytes) -> str:
    from docs_rag.core.parsing import decode  # noqa: PLC0415  # YAML and markdown load only for changed notes

    return decode(data)
