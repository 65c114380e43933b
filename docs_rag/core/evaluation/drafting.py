"""A first draft of a question file, made of what a vault calls its own notes and sections."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Final

from docs_rag.core.cleaning import one_line
from docs_rag.core.documents import note_path
from docs_rag.core.questions import Question, Target
from docs_rag.core.status import Status

if TYPE_CHECKING:
    from docs_rag.core.listing import ListedNote

MOST: Final = 60
"""Questions of a draft: what a person reads through in an hour."""
_TO_ESCAPE: Final = re.compile(
    "[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
"""Characters that a text of JSON may hold as they are: those that one of YAML may not (YAML 1.2, section 5.1), and
those that turn a line around or hide in it, as the draft may be looked at in a terminal."""
_LEAST_LETTERS: Final = 8
"""A shorter title or heading (`Status`, `Context`) is no question."""
_HEAD: Final = """\
# Drafted from the titles and headings of the vault. A title that finds its own note proves little: put each question
# in the words of somebody who does not know the note, and drop what nobody would ask.
# answers: a path, or a list of paths of which any one is right; {path: ..., heading: ...} where the section matters;
#          none where only a refusal is right. alsoOk: worth something beside it. mustNot: dead records.
questions:
"""
_TAIL: Final = """\

  # Questions that the vault cannot answer are not to be had from it. Add some, a third of the file or so: a few from
  # elsewhere, and more that sound like this vault and that no note answers.
  # - question: who won the cup in 1998
  #   answers: none
  #   kind: elsewhere
"""


def draft(notes: Iterable[ListedNote], headings: Iterable[tuple[str, str]], most: int = MOST) -> list[Question]:
    """Questions from titles, from titles of superseded records, and from headings (path, heading), in turn.

    A superseded record's title asks for the live end of its line, and the record itself must not come back.
    """
    listed = [note for note in notes if note.indexed and not note.stale]
    living = {note.path for note in listed if not note.status.is_hidden}
    dead = {note.title for note in listed if note.status.is_hidden}
    of_living = ((path, words) for path, words in headings if path in living and words not in dead)
    ways = (_dead(listed), _titles(listed), _headings(of_living))
    drawn = chain.from_iterable(zip_longest(*ways))
    return list(islice(_once(each for each in drawn if each is not None), most))


def _titles(notes: Sequence[ListedNote]) -> Iterator[Question]:
    for note in _mixed(notes):
        if note.status in (Status.CURRENT, Status.DRAFT) and _is_telling(note.title):
            yield _question(note.title, "title", Target(note.path))


def _dead(notes: Sequence[ListedNote]) -> Iterator[Question]:
    for note in _mixed(notes):
        if note.status is Status.SUPERSEDED and note.current_end and _is_telling(note.title):
            ends = [Target(path) for path in note.current_end]
            yield _question(note.title, "superseded", *ends, must_not=(note.path,))


def _headings(headings: Iterable[tuple[str, str]]) -> Iterator[Question]:
    for path, heading in headings:
        if _is_telling(heading):
            yield _question(heading, "heading", Target(path, one_line(heading)))


def _mixed(notes: Sequence[ListedNote]) -> list[ListedNote]:
    """The notes of all folders in turn, so that a draft which stops early knows them all."""
    folders: dict[str, list[ListedNote]] = {}
    for note in sorted(notes, key=lambda each: each.path):
        folders.setdefault(note_path(note.path).rpartition("/")[0], []).append(note)
    return [note for turn in zip_longest(*folders.values()) for note in turn if note is not None]


def _question(text: str, kind: str, *answers: Target, must_not: tuple[str, ...] = ()) -> Question:
    words = one_line(text)
    return Question(id=words, text=words, kind=kind, answers=answers, must_not=must_not)


def _is_telling(words: str) -> bool:
    return sum(map(str.isalpha, words)) >= (_LEAST_LETTERS if words.isascii() else _LEAST_LETTERS // 2)


def _once(questions: Iterable[Question]) -> Iterator[Question]:
    seen: set[str] = set()
    for each in questions:
        if each.id.casefold() not in seen:
            seen.add(each.id.casefold())
            yield each


def written(questions: Iterable[Question]) -> str:
    """A question file in YAML, with advice for who goes through it."""
    return _HEAD + "".join(f"{line}\n" for each in questions for line in _lines(each)) + _TAIL


def _lines(question: Question) -> Iterator[str]:
    answers = [_answer(each) for each in question.answers]
    yield f"  - question: {_quoted(question.text)}"
    yield f"    answers: {answers[0] if len(answers) == 1 else '[' + ', '.join(answers) + ']'}"
    if question.must_not:
        yield f"    mustNot: [{', '.join(map(_quoted, question.must_not))}]"
    yield f"    kind: {question.kind}"


def _answer(target: Target) -> str:
    if not target.heading:
        return _quoted(target.path)
    return f"{{path: {_quoted(target.path)}, heading: {_quoted(target.heading)}}}"


def _quoted(text: str) -> str:
    """As a text of JSON, which YAML reads too; what may not stand as it is becomes an escape of YAML."""
    return _TO_ESCAPE.sub(_escaped, json.dumps(text, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
