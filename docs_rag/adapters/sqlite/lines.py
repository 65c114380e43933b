"""Lines of descent, read from the index: records with what stands beside them, and what they are called."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from docs_rag.adapters.sqlite.columns import load, load_problems
from docs_rag.adapters.sqlite.states import lives
from docs_rag.core.asof import span
from docs_rag.core.documents import DocPath
from docs_rag.core.history.tree import Relative
from docs_rag.core.status import Status

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from docs_rag.core.asof import Life

_COLUMNS: Final = (
    "path, title, status, date, date_source, superseded_on, superseded_by, supersedes, current_end, partial,"
    " successors, link_problems"
)
_WHERE: Final = "WHERE path IN (SELECT value FROM json_each(:paths))"
_NAMES: Final = """
SELECT s.name, n.path FROM names s JOIN notes n ON n.id = s.note WHERE s.part = 0
UNION ALL
SELECT s.name, p.path FROM names s JOIN parts p ON p.id = s.part
ORDER BY 1, 2
"""
_LEAD_NOWHERE: Final = ("dangling", "ambiguous")


class LineRows:
    """Reads of one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Work on an open connection."""
        self._db = connection

    def relatives(self, paths: Sequence[DocPath]) -> dict[DocPath, Relative]:
        """The records at these paths; unknown ones are left out."""
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM notes {_WHERE} UNION ALL SELECT {_COLUMNS} FROM parts {_WHERE}",
            {"paths": json.dumps(list(paths), ensure_ascii=False)},
        )
        found = {relative.path: relative for relative in map(_relative, rows)}
        dead = [each for each in found.values() if each.status.is_hidden]
        known = lives(self._db, [path for each in dead for path in (each.path, *each.superseded_by)])
        return found | {each.path: replace(each, in_force_until=_until(each, known)) for each in dead}

    def names(self) -> Iterator[tuple[str, DocPath]]:
        """Every folded name with the record that is called so."""
        return ((name, DocPath(path)) for name, path in self._db.execute(_NAMES))


def _until(record: Relative, known: Mapping[DocPath, Life]) -> str | None:
    """The day from which a dead record was not in force, by the rule that `search --as-of` goes by."""
    return span(known[record.path], [known[path] for path in record.superseded_by if path in known]).until


def _relative(row: tuple[Any, ...]) -> Relative:
    path, title, status, date, source, on, by, supersedes, end, partial, successors, problems = row
    return Relative(
        path=DocPath(path),
        title=title,
        status=Status(status),
        date=date,
        date_source=source,
        superseded_on=on,
        superseded_by=tuple(map(DocPath, load(by))),
        supersedes=tuple(map(DocPath, load(supersedes))),
        current_end=tuple(map(DocPath, load(end))),
        partial=partial,
        lost=_lost(load(successors), problems),
    )


def _lost(successors: Sequence[str], problems: str) -> tuple[str, ...]:
    """The references to successors that a problem says lead nowhere; its message begins with the reference."""
    if not successors:
        return ()
    told = [each.message for each in load_problems(problems) if each.code in _LEAD_NOWHERE]
    return tuple(each for each in successors if any(message.startswith(f"'{each}' ") for message in told))
