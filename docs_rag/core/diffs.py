"""What changes in a file, for people: the unified form that `diff -u` and git print."""

from __future__ import annotations

import difflib

from docs_rag.core.cleaning import one_line, shown
from docs_rag.core.edits import MoveFile, WriteFile
from docs_rag.core.exact import decode_exact
from docs_rag.core.ports import Unreadable

_NOTHING = "/dev/null"


def unified(path: str, before: str | None, after: str | None) -> list[str]:
    """The lines of a unified diff, made safe to show; empty when nothing changes. None stands for no file."""
    old, new = _lines(before or ""), _lines(after or "")
    source, target = [
        _NOTHING if text is None else f"{side}/{one_line(path)}" for side, text in (("a", before), ("b", after))
    ]
    found = list(difflib.unified_diff(old, new, source, target, lineterm=""))
    return [shown(line) for line in found] or _empty(source, target)


def edit_lines(edit: WriteFile | MoveFile, held: bytes | None) -> list[str]:
    """What an edit does to a file that holds `held`."""
    if isinstance(edit, MoveFile):
        return [f"rename from {one_line(edit.path)}", f"rename to {one_line(edit.to)}"]
    texts = [_text(data) for data in (held, edit.after)]
    if any(data is not None and text is None for data, text in zip((held, edit.after), texts, strict=True)):
        return [f"Binary file {one_line(edit.path)} differs"]
    return unified(edit.path, *texts)


def _lines(text: str) -> list[str]:
    """Lines as a person sees them, without their ends; a last line that has none says so."""
    parts = text.split("\n")
    last = [f"{parts[-1]} \\ no newline at end of file"] if parts[-1] else []
    return [part.removesuffix("\r") for part in parts[:-1]] + last


def _empty(source: str, target: str) -> list[str]:
    """A file that is made or goes without a line in it."""
    return [f"--- {source}", f"+++ {target}"] if _NOTHING in (source, target) else []


def _text(data: bytes | None) -> str | None:
    try:
        return None if data is None else decode_exact(data)[0].removeprefix("\ufeff")
    except Unreadable:
        return None
