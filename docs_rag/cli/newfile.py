"""Writing a file that is not there yet: whole or not at all, and never over another."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def write_new(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write `text` in UTF-8 to `path`, on disk when it returns. Raises `FileExistsError`, `OSError`."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        _name(temporary, path)
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
