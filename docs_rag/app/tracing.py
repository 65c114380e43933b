"""`history NOTE`: find the record that is meant, and follow its line both ways."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from docs_rag.core.documents import DocPath
from docs_rag.core.handles import NamedNote, keys_wanted
from docs_rag.core.history.tree import History, trace
from docs_rag.core.numbering import says_behind_number
from docs_rag.core.references import Names
from docs_rag.core.terms import fold
from docs_rag.errors import DocsRagError

if TYPE_CHECKING:
    from docs_rag.core.storage import Store

_MOST_NAMED: Final = 5
"""Candidates listed for a name that fits several records, or none."""
_NOWHERE: Final = DocPath("")
"""Where a name that is typed stands: in no note."""


def history(store: Store, typed: str) -> History:
    """The line of the record that `typed` means: a path, a file name, an id, a title, an alias, a part of a log.

    Raises `DocsRagError` that names the nearest ones when there is none, and the candidates when there are several.
    """
    path = _find(store, typed)
    return trace(store.lines.relatives([path])[path], store.lines.relatives)


def _find(store: Store, typed: str) -> DocPath:
    if DocPath(typed) in store.lines.relatives([DocPath(typed)]):
        return DocPath(typed)
    called = store.graph.called(keys_wanted(typed, _NOWHERE))
    names = Names(NamedNote(each.path, each.title, each.aliases, each.lifecycle.ids) for each in called.values())
    found = names.resolve(typed, _NOWHERE)
    candidates = (*found.paths, *found.ambiguous) or _without_number(store, typed)
    if not candidates:
        near = _nearest(store, typed)
        raise DocsRagError(f"no note is called '{typed}'", f"did you mean {near}?" if near else "see: docs-rag list")
    if len(candidates) > 1:
        raise DocsRagError(f"'{typed}' may be any of {_listed(candidates)}", "name its path")
    return candidates[0]


def _without_number(store: Store, typed: str) -> tuple[DocPath, ...]:
    """The records whose names are a number and what was typed."""
    found = (path for name, path in store.lines.names() if says_behind_number(name, typed))
    return tuple(dict.fromkeys(found))


def _listed(candidates: Sequence[str]) -> str:
    more = f" and {len(candidates) - _MOST_NAMED} more" if len(candidates) > _MOST_NAMED else ""
    return ", ".join(candidates[:_MOST_NAMED]) + more


def _nearest(store: Store, typed: str) -> str:
    """The records whose names hold what was typed, else those with names like it."""
    names: dict[str, DocPath] = {}
    for name, path in store.lines.names():
        names.setdefault(name, path)
    asked = fold(typed).strip()
    holding = [name for name in names if asked in name] if len(asked) > 1 else []
    near = sorted(holding, key=len) or difflib.get_close_matches(asked, names, n=3)
    return " or ".join(list(dict.fromkeys(names[each] for each in near))[:3])
