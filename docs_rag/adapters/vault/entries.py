"""What single entries of a folder are: names, kinds of files, and how a fault is told."""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable

from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.sidecars import LAST_DIGITS

VENDOR_FOLDERS = frozenset(
    ("node_modules", "venv", "env", "site-packages", "vendor", "target", "dist", "build", "__pycache__")
)
"""Folders of other people's or generated files, which are never read."""

OWN_FOLDERS = frozenset((".git", ".rag"))
"""Hidden folders that everybody has: not worth counting."""

# Bits that mark a file whose content is still in the cloud: reading it would fetch it, or hang offline.
_ATTRIBUTES_ONLINE = 0x1000 | 0x40000 | 0x400000
"""Windows: FILE_ATTRIBUTE_OFFLINE, _RECALL_ON_OPEN, _RECALL_ON_DATA_ACCESS (winnt.h)."""
_FLAG_DATALESS = 0x40000000
"""macOS: SF_DATALESS (sys/stat.h)."""
_MAY_BE_ONLINE = hasattr(os.stat_result, "st_file_attributes") or hasattr(os.stat_result, "st_flags")

_HAS_CHANGE_TIME = os.name != "nt"
"""On Windows `st_ctime` is when the file was made."""

_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)

_FAULTS: dict[int, tuple[str, str]] = {
    errno.ENOENT: ("unreadable", "it is no longer there"),
    errno.EACCES: ("unreadable", "permission denied"),
    errno.EPERM: ("unreadable", "permission denied"),
    errno.ELOOP: ("not-a-file", "a link that leads in a circle"),
    errno.ENXIO: ("not-a-file", "a socket or a device, not a file"),
}


def fault(error: OSError) -> tuple[str, str]:
    """The problem code and the words for what the system said."""
    said = error.strerror or type(error).__name__
    return _FAULTS.get(error.errno or 0) or ("unreadable", said[:1].lower() + said[1:])


def stamp_of(path: str, status: os.stat_result) -> FileStamp:
    """The stamp that a file's status makes.

    Files that were unpacked together may share all their times: where folders change places, only the file's own number
    (inode) tells that it is another one.
    """
    changed = status.st_ctime_ns ^ (status.st_ino & LAST_DIGITS) if _HAS_CHANGE_TIME else 0
    return FileStamp(DocPath(path), status.st_mtime_ns, changed, status.st_size)


def why_not_read(status: os.stat_result, max_bytes: int) -> tuple[str, str] | None:
    """The problem code and the words for a file that is not to be opened; None for one that is."""
    if not stat.S_ISREG(status.st_mode):
        return "not-a-file", f"{_kind(status.st_mode)}, not a file"
    if status.st_size > max_bytes:
        return "too-large", f"{_megabytes(status.st_size)}; the limit is {_megabytes(max_bytes)}"
    if _MAY_BE_ONLINE and is_online_only(status):
        return "not-downloaded", "its content is still in the cloud; make it available on this machine"
    return None


def is_online_only(status: object) -> bool:
    """Whether a file's status says that only its name is on this machine."""
    attributes = getattr(status, "st_file_attributes", 0)
    return bool(attributes & _ATTRIBUTES_ONLINE or getattr(status, "st_flags", 0) & _FLAG_DATALESS)


def online_only_name(name: str) -> str | None:
    """The file for which `.name.icloud` stands, as older macOS leaves them; None for other names."""
    return name[1:-7] if name.startswith(".") and name.endswith(".icloud") else None


def is_link(entry: os.DirEntry[str]) -> bool:
    """True for a symbolic link and for a junction, which Python 3.11 takes for a folder."""
    if entry.is_symlink():
        return True
    return os.name == "nt" and getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == _JUNCTION


def never_entered(segments: Iterable[str]) -> str | None:
    """The first segment that makes a path one that is never read: hidden, or a vendor folder."""
    return next((name for name in segments if name.startswith(".") or name in VENDOR_FOLDERS), None)


def chosen_spellings(names: Iterable[str]) -> dict[str, str]:
    """For each identity (NFC) among names that are not ASCII, the one spelling that has it.

    Two names on disk may differ in Unicode form alone; the composed one wins, else the first in order.
    """
    chosen: dict[str, str] = {}
    for name in sorted(name for name in names if not name.isascii()):
        identity = unicodedata.normalize("NFC", name)
        if name == identity or identity not in chosen:
            chosen[identity] = name
    return chosen


def is_utf8(name: str) -> bool:
    """False for a name whose bytes are not valid UTF-8 (Python keeps them as lone surrogates)."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def printable(name: str) -> str:
    """A name that is not valid UTF-8 made fit to be shown and stored."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _kind(mode: int) -> str:
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a FIFO"), (stat.S_ISSOCK, "a socket"))
    return next((name for test, name in kinds if test(mode)), "a device")


def _megabytes(count: int) -> str:
    return f"{count / 1_048_576:.4g} MB"
