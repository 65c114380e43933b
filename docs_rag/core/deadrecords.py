"""The list of records that no longer hold, for a reader that has no time to open the index: the editor's hook.

A JSON list of objects: `path`; `name`, as people call the record; `state`; `by`, names of the records in force in its
place; `kin`, paths of records that may speak of it; `called`, what links call it, folded, each meant by it alone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Final

from docs_rag.core.documents import note_path
from docs_rag.core.handles import is_folder_note
from docs_rag.core.numbering import spoken
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docs_rag.core.listing import ListedNote

MOST_RECORDS: Final = 2000
"""Superseded ones go first: of those there is more to say."""
_LONGEST_NAME: Final = 60
_NUMBER: Final = re.compile(r"(?:[A-Za-z]{1,10}[-_ ]?)?\d{1,6}(?=$|[-_. ])")
_DATE: Final = re.compile(r"\d{4}[-_.]?\d{2}[-_.]?\d{2}")


def dead_records(notes: Iterable[ListedNote]) -> bytes:
    """The list for these records of a vault, parts of notes left out."""
    whole = [note for note in notes if note.indexed and note_path(note.path) == note.path]
    uses = Counter(name for note in whole for name in _called(note))
    names = Counter(short_name(note.path) for note in whole)
    dead = sorted((note for note in whole if note.status.is_hidden), key=lambda each: each.status is Status.ARCHIVED)

    def shown(path: str) -> str:
        short = short_name(path)
        return short if names[short] < 2 else _plain(_stem(path))

    return _dumped([_entry(note, shown(note.path), [*map(shown, note.current_end or note.superseded_by)], uses)
                    for note in dead[:MOST_RECORDS]])  # fmt: skip


def short_name(path: str) -> str:
    """What a record is called in a sentence: its number if its name begins with one, else its name."""
    stem = _stem(path)
    number = _NUMBER.match(stem) if spoken(stem) is not None and not _DATE.match(stem) else None
    return _plain(number[0] if number else stem)


def _entry(note: ListedNote, name: str, by: Sequence[str], uses: Counter[str]) -> dict[str, object]:
    return {
        "path": note.path,
        "name": name,
        "state": str(note.status),
        "by": list(by) if note.status is Status.SUPERSEDED else [],
        "kin": [*dict.fromkeys((*note.superseded_by, *note.current_end, *note.supersedes))],
        "called": [called for called in _called(note) if uses[called] < 2],
    }


def _called(note: ListedNote) -> Iterator[str]:
    yield from dict.fromkeys(filter(None, (_fold(_stem(note.path)), _fold(note.title))))


def _stem(path: str) -> str:
    """A note's name without its suffix; its folder's, for a note that stands for it."""
    folder, _, name = path.rpartition("/")
    if folder and is_folder_note(path):
        return folder.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _plain(name: str) -> str:
    """Letters, digits and a few signs: an agent reads it, and no file may add a word of its own."""
    return "".join(char if char.isalnum() or char in " -_." else "-" for char in name)[:_LONGEST_NAME].strip()


def _dumped(records: Sequence[object]) -> bytes:
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in records)
    return f"[\n{lines}\n]\n".encode("utf-8", "replace")
