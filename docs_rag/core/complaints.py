"""The problems of notes as warnings at the end of a run: each kind once, and not more than a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from docs_rag.core.cleaning import one_line
from docs_rag.core.documents import Skipped
from docs_rag.core.listing import ListedNote

MOST: Final = 10
"""Warnings of one run; `list --problems` has them all."""
_SAID_ELSEWHERE: Final = frozenset({"embed-failed", "truncated"})
"""Codes that the embedding itself warns of."""


def complaints(notes: Iterable[ListedNote], failed: Sequence[Skipped]) -> list[str]:
    """One warning for each problem, with a count where several notes share it; `failed` is listed elsewhere."""
    known = {(each.path, each.code) for each in failed}
    found: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        for problem in note.problems if note.indexed else ():
            if problem.code not in _SAID_ELSEWHERE and (note.path, problem.code) not in known:
                found.setdefault((problem.code, problem.message), []).append(note.path)
    lines = [_line(code, message, paths) for (code, message), paths in found.items()]
    if len(lines) > MOST:
        lines[MOST:] = [f"{len(lines) - MOST} more problems; docs-rag list --problems shows them"]
    return lines


def _line(code: str, message: str, paths: Sequence[str]) -> str:
    more = f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
    return one_line(f"{paths[0]}{more}: {code}: {message}")
