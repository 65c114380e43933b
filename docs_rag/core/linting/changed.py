"""Whether a file still is what git knows it as."""

from __future__ import annotations

import hashlib


def is_blob(data: bytes, id_: str) -> bool:
    """Whether a file's bytes have this id as a git blob, as they are or with the line ends that git stores.

    Format: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects; ids of 64 digits are SHA-256.
    """
    return id_ == _blob_id(data, id_) or (b"\r\n" in data and id_ == _blob_id(data.replace(b"\r\n", b"\n"), id_))


def _blob_id(data: bytes, like: str) -> str:
    made = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return made(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
