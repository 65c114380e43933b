"""Finding the record that somebody means: by path, file name, id, title, alias, or a part of a log."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.documents import DocPath
from docs_rag.core.handles import SUFFIXES, NamedNote, keys_wanted
from docs_rag.core.numbering import says_behind_number
from docs_rag.core.references import Names
from docs_rag.core.terms import fold
from docs_rag.errors import NotThere

if TYPE_CHECKING:
    from docs_rag.core.storage import Store

_MOST_NAMED: Final = 5
"""Candidates listed for a name that fits several records, or none."""
_SUFFIX: Final = re.compile(r"\.(?!\d)[a-z0-9]{2,9}$")
_NOWHERE: Final = DocPath("")
"""Where a name that is typed stands: in no note."""


def find_record(store: Store, typed: str) -> DocPath:
    """The record that `typed` means.

    Raises `NotThere` that names the nearest ones when there is none, and the candidates when there are several.
    """
    if _is_record(store, typed):
        return DocPath(typed)
    candidates = records_called(store, typed)
    if not candidates:
        near = nearest(store, typed)
        hint = f"did you mean {' or '.join(near)}?" if near else "see: docs-rag list"
        raise NotThere(f"no note is called '{one_line(typed)}'", hint)
    if len(candidates) > 1:
        raise NotThere(f"'{one_line(typed)}' may be any of {_listed(candidates)}", "name its path")
    return candidates[0]


def records_called(store: Store, typed: str) -> tuple[DocPath, ...]:
    """The records that a name may mean."""
    records = store.graph.called(keys_wanted(typed, _NOWHERE))
    names = Names(NamedNote(each.path, each.title, each.aliases, each.lifecycle.ids) for each in records.values())
    found = names.resolve(typed, _NOWHERE)
    return (*found.paths, *found.ambiguous) or _without_number(store, typed)


def find_note(store: Store, path: str) -> DocPath | None:
    """The note, or the decision of a log, that a path means: another note never stands in for it.

    The path counts from the vault. Case, and the suffix of a note, may be left to us where only one note fits; what
    has neither folder nor suffix is a name as `find_record` takes it. Raises `NotThere` for a name of several.
    """
    if _is_record(store, path):
        return DocPath(path)
    fitting = list(_fitting(store, path))
    if len(fitting) == 1 or not path:
        return fitting[0] if fitting else None
    is_name = not fitting and not _is_path(path)
    return find_record(store, path) if is_name and records_called(store, path) else None


def no_such_note(store: Store, path: str, typed: str) -> NotThere:
    """What to say of a path that is none of a note: why, and which notes are near it."""
    said = one_line(shown_path(typed))[:300]
    inside = sorted(each for each in store.notes.stamps() if each.startswith(f"{path}/") or not path)
    if inside:
        return NotThere(f"'{said}' is a folder", f"name a note in it: {_listed(list(map(shown_path, inside)))}")
    for note in store.notes.listing():
        if note.path == path and not note.indexed:
            why = "; ".join(f"{each.code}: {one_line(each.message)}" for each in note.problems)
            return NotThere(f"{said} is not indexed: {why}", "see: docs-rag list --problems")
    near = _moved(store, path) or nearest(store, path)
    hint = f"the nearest are {_listed(list(map(shown_path, near)))}" if near else "see: docs-rag list"
    return NotThere(f"there is no note '{said}' in the index", hint)


def nearest(store: Store, typed: str) -> list[DocPath]:
    """At most three records whose names hold what was typed, else with names like it."""
    names: dict[str, DocPath] = {}
    for name, path in store.lines.names():
        names.setdefault(name, path)
    asked = fold(typed).strip()
    holding = [name for name in names if asked in name] if len(asked) > 1 else []
    near = sorted(holding, key=len) or difflib.get_close_matches(asked, names, n=3)
    return list(dict.fromkeys(names[each] for each in near))[:3]


def _is_record(store: Store, path: str) -> bool:
    return DocPath(path) in store.lines.relatives([DocPath(path)])


def _fitting(store: Store, path: str) -> Iterator[DocPath]:
    """Notes whose paths differ in case, in a suffix that was left out, or in signs that are not shown.

    A path with a suffix has none to be left out: `manual.pdf.md` is not `manual.pdf`.
    """
    has_suffix = _SUFFIX.search(path.lower()) is not None
    asked = {fold(path)} if has_suffix else {fold(path + suffix) for suffix in SUFFIXES}
    hidden = "\ufffd" in path
    for note in store.notes.stamps():
        if fold(note) in asked or (hidden and shown_path(note) == path):
            yield note


def _is_path(text: str) -> bool:
    return "/" in text or _SUFFIX.search(text.lower()) is not None


def _moved(store: Store, path: str) -> list[DocPath]:
    """The notes elsewhere that have the same file name."""
    name = fold(path.rpartition("/")[2])
    return sorted(note for note in store.notes.stamps() if name and fold(note.rpartition("/")[2]) == name)


def _without_number(store: Store, typed: str) -> tuple[DocPath, ...]:
    """The records whose names are a number and what was typed."""
    found = (path for name, path in store.lines.names() if says_behind_number(name, typed))
    return tuple(dict.fromkeys(found))


def _listed(candidates: Sequence[str]) -> str:
    more = f" and {len(candidates) - _MOST_NAMED} more" if len(candidates) > _MOST_NAMED else ""
    return ", ".join(candidates[:_MOST_NAMED]) + more
