"""Writing a file of our own: whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

from docs_rag.statefiles import sweep, temporary_name


def write_new(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write `text` in UTF-8 to `path`, never over another file; raises `FileExistsError`, `OSError`."""
    write_new_bytes(path, text.encode("utf-8"), mode=mode)


def write_new_bytes(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write `data` to `path`, never over another file; raises `FileExistsError`, `OSError`."""
    _write(path, data, mode, _name)


def write_over(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write `text` in UTF-8 to `path`, in place of what is there; raises `OSError`."""
    _write(path, text.encode("utf-8"), mode, lambda temporary, named: temporary.replace(named))


def _write(path: Path, data: bytes, mode: int, name: Callable[[Path, Path], object]) -> None:
    """Write a file beside `path`, on disk, and give it its name."""
    sweep(str(path))
    temporary = Path(temporary_name(str(path)))
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        name(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _name(temporary: Path, path: Path) -> None:
    """Give the file its name. A link, unlike a rename, never replaces what is there; not every disk has links."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "file exists", str(path)) from None
        temporary.rename(path)
