"""The undo journal: what every change of notes replaced, a line of JSON each, written before the change is made.

A change is one line with its inverses, and further lines that say how far it came. A line that a crash cut off was
never acted upon and is passed over. The file is private, opened without following links, and believed for the one
vault that it was written for: what came with somebody else's project is no word on these notes.
"""

# ruff: noqa: PTH105, PTH108, PTH116, PTH120

from __future__ import annotations

import base64
import binascii
import errno
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final

from docs_rag.core.digests import Digest
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import Batch, Edit, MoveFile, WriteFile
from docs_rag.errors import DocsRagError

_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FLAGS: Final = os.O_RDWR | os.O_APPEND | _NO_LINK | getattr(os, "O_NONBLOCK", 0)
_CHUNK: Final = 1 << 20

KEPT_BYTES: Final = 32_000_000
"""Size from which on the oldest changes are forgotten; the newest is always kept."""
_MOST_BYTES: Final = 10 * KEPT_BYTES
"""A larger file is none of ours."""


class Mark(StrEnum):
    """How far a change came."""

    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"


class Journal:
    """The changes of one vault's notes, the newest last. Its caller holds the lock."""

    def __init__(self, path: str, vault: str) -> None:
        """`path` need not exist, its folder must; `vault` is the real path of the folder of notes."""
        self._path = path
        self._vault = vault

    def batches(self) -> list[Batch]:
        """The changes that were not taken back, oldest first. Raises `DocsRagError` for a file not to be believed."""
        try:
            descriptor = os.open(self._path, _FLAGS)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._trouble(error) from error
        try:
            return list(self._read(descriptor).values())
        finally:
            os.close(descriptor)

    def begin(self, batch: Batch) -> None:
        """Keep what takes a change back, on disk when it returns. Raises `DocsRagError`; then nothing was kept."""
        line = _line(_as_json(batch, self._vault))
        self._make_room(len(line))
        self._append(line)

    def mark(self, batch: Batch, mark: Mark) -> None:
        """Say how far a change came, on disk when it returns."""
        self._append(_line({"id": batch.id, "mark": mark}))

    def _append(self, line: bytes) -> None:
        try:
            descriptor = os.open(self._path, _FLAGS | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._trouble(error) from error
        try:
            size = self._size(descriptor)
            try:
                _write(descriptor, line if not size or _ends_a_line(descriptor, size) else b"\n" + line)
                os.fsync(descriptor)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(descriptor, size)
                raise
            if not size:
                _sync_folder(os.path.dirname(self._path))
        except OSError as error:
            raise self._trouble(error) from error
        finally:
            os.close(descriptor)

    def _make_room(self, needed: int) -> None:
        """Forget what was taken back, and the oldest changes, once the file grows too large."""
        try:
            if os.stat(self._path, follow_symlinks=False).st_size + needed <= KEPT_BYTES:
                return
        except FileNotFoundError:
            return
        kept: list[bytes] = []
        for batch in reversed(self.batches()):
            line = _line(_as_json(batch, self._vault)) + (b"" if batch.interrupted else _done(batch))
            needed += len(line)
            if needed > KEPT_BYTES:
                break
            kept.append(line)
        self._rewrite(b"".join(reversed(kept)))

    def _rewrite(self, data: bytes) -> None:
        temporary = f"{self._path}.tmp"
        try:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o600)
            try:
                _write(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(temporary, self._path)
            _sync_folder(os.path.dirname(self._path))
        except OSError as error:
            raise self._trouble(error) from error

    def _read(self, descriptor: int) -> dict[str, Batch]:
        try:
            if self._size(descriptor) > _MOST_BYTES:
                raise OSError(errno.EFBIG, "larger than docs-rag writes it")
            parts = []
            while part := os.read(descriptor, _CHUNK):
                parts.append(part)
        except OSError as error:
            raise self._trouble(error) from error
        return self._batches(b"".join(parts).split(b"\n")[:-1])

    def _batches(self, lines: Iterable[bytes]) -> dict[str, Batch]:
        known: dict[str, Batch] = {}
        for line in lines:
            try:
                value = json.loads(line)
                if value.get("vault") == self._vault:
                    known[value["id"]] = _batch(value)
                elif (former := known.get(value["id"])) is not None and "mark" in value:
                    _apply(Mark(value["mark"]), former, known)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue
        return known

    def _size(self, descriptor: int) -> int:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if os.name == "posix" and status.st_uid != os.geteuid():
            raise OSError(errno.EPERM, "another user's file")
        return status.st_size

    def _trouble(self, error: OSError) -> DocsRagError:
        why = (error.strerror or type(error).__name__).lower()
        return DocsRagError(
            f"the undo journal {self._path} cannot be used: {why}", "look at it and its folder; no note was changed"
        )


def _apply(mark: Mark, batch: Batch, known: dict[str, Batch]) -> None:
    if mark is Mark.UNDONE:
        del known[batch.id]
    else:
        known[batch.id] = Batch(
            id=batch.id, at=batch.at, what=batch.what, inverses=batch.inverses, interrupted=mark is Mark.UNDOING
        )


def _as_json(batch: Batch, vault: str) -> dict[str, Any]:
    inverses = [_edit_json(each) for each in batch.inverses]
    return {"id": batch.id, "at": batch.at, "what": batch.what, "vault": vault, "inverses": inverses}


def _edit_json(edit: Edit) -> dict[str, Any]:
    before = None if edit.before is None else edit.before.hex()
    if isinstance(edit, MoveFile):
        return {"path": edit.path, "before": before, "to": edit.to}
    after = None if edit.after is None else base64.b64encode(edit.after).decode("ascii")
    return {"path": edit.path, "before": before, "after": after}


def _batch(value: dict[str, Any]) -> Batch:
    """Raises `ValueError`, `KeyError` or `TypeError` for what this module did not write."""
    edits = tuple(_edit(each) for each in value["inverses"])
    if not all(isinstance(value[key], str) for key in ("id", "at", "what")) or not edits:
        raise ValueError("no change")
    return Batch(id=value["id"], at=value["at"], what=value["what"], inverses=edits, interrupted=True)


def _edit(value: dict[str, Any]) -> Edit:
    path = _path(value["path"])
    before = None if value["before"] is None else Digest(bytes.fromhex(value["before"]))
    if "to" in value:
        if before is None:
            raise ValueError("a move of nothing")
        return MoveFile(path, before, _path(value["to"]))
    try:
        after = None if value["after"] is None else base64.b64decode(value["after"], validate=True)
    except binascii.Error as error:
        raise ValueError("no content") from error
    return WriteFile(path, before, after)


def _path(value: object) -> DocPath:
    """Raises `ValueError` also for what the disk cannot hold, such as half of a surrogate pair."""
    if not isinstance(value, str):
        raise TypeError("no path")
    value.encode("utf-8")
    return DocPath(value)


def _done(batch: Batch) -> bytes:
    return _line({"id": batch.id, "mark": Mark.DONE})


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


def _ends_a_line(descriptor: int, size: int) -> bool:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _sync_folder(path: str) -> None:
    """Make a new name outlast a power cut; Windows cannot open a folder, and needs no such."""
    if os.name != "posix":
        return
    descriptor = os.open(path or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
