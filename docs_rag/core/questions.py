"""Question files: what is asked of a vault, and what would be right.

A file is YAML or JSON::

    questions:
      - question: how long does a session last
        answers: decisions/0034-short-sessions.md      # a path, or a list: any one of them is right
        mustNot: decisions/0012-sessions-last-a-day.md # dead records that may not come back
        kind: paraphrase
      - question: which error says that a token is too old
        answers: {path: reference/errors.md, heading: Error codes}
        alsoOk: [reference/auth.md]                    # neither right nor wrong
      - question: who won the cup in 1998
        answers: none                                  # must be refused

Further keys of a question: `id` (else its text stands for it), `searchAll: true` (asked of dead records too), `note`
(for people). The form of corpora that come with `queries` and `no_answer` is read as it is; what it says beyond is
passed over there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from docs_rag.core.cleaning import one_line
from docs_rag.core.jsontext import read_object
from docs_rag.errors import ConfigError, DocsRagError

NONE: Final = "none"
"""Stands in place of the answers of a question that must be refused."""
KEYS: Final = ("question", "answers", "alsoOk", "mustNot", "kind", "searchAll", "id", "note")
"""Keys of a question in our own form."""
_CORPUS_KEYS: Final = {"query": "question", "also_ok": "alsoOk", "must_not": "mustNot"}
_TARGET_KEYS: Final = ("path", "heading")
_MODES: Final[Mapping[str | bool, bool]] = {"default": False, "include_superseded": True}
_TRUTHS: Final[Mapping[str | bool, bool]] = {"true": True, "false": False, "": False, True: True, False: False}
_HINT: Final = "docs-rag eval --bootstrap shows the form of a question file"
_MOST_SHOWN: Final = 40


class Target(NamedTuple):
    """A note that answers, and which part of it where that matters."""

    path: str
    """Relative to the vault, NFC; `log.md#D-013` for one decision of a log."""
    heading: str = ""
    """One of the headings above the section that answers; empty: any section does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question with what is right."""

    id: str
    """Its own, else its text: what it is known by when two runs are compared."""
    text: str
    kind: str = ""
    answers: tuple[Target, ...] = ()
    """Any one of them is right; empty for a question that must be refused."""
    also_ok: tuple[str, ...] = ()
    """Paths that are worth something, but are not the answer."""
    must_not: tuple[str, ...] = ()
    """Paths of dead records, which may not come back unless `search_all`."""
    search_all: bool = False

    @property
    def is_answerable(self) -> bool:
        """False where only a refusal is right."""
        return bool(self.answers)

    @property
    def is_trap(self) -> bool:
        """True when there is a dead record that seems to answer it."""
        return bool(self.must_not) and not self.search_all


def read_questions(files: Iterable[tuple[str, str]]) -> tuple[Question, ...]:
    """The questions of some files, each given as its name and its text.

    Raises `DocsRagError` that names the file, the entry and what is wrong with it; also when an id stands twice.
    """
    questions: list[Question] = []
    seen: dict[str, str] = {}
    for name, text in files:
        for entry, where in _entries(name, text):
            question = _read(entry, where)
            if question.id in seen:
                raise _wrong(where, f"the same id or text stands in {seen[question.id]}")
            seen[question.id] = str(where)
            questions.append(question)
    return tuple(questions)


@dataclass(frozen=True, slots=True)
class _Where:
    """An entry, in words."""

    file: str
    part: str
    number: int
    text: str = ""

    def __str__(self) -> str:
        told = one_line(self.text)
        told = told if len(told) <= _MOST_SHOWN else f"{told[: _MOST_SHOWN - 1]}…"
        return f"{self.file}: {self.part}[{self.number}]" + (f" ({told})" if told else "")


def _wrong(where: _Where | str, what: str) -> DocsRagError:
    return DocsRagError(f"{where}: {what}", _HINT)


def _entries(name: str, text: str) -> Iterator[tuple[dict[str, object], _Where]]:
    """Each entry of a file, its keys in our own spelling, and where it stands (counted from 1)."""
    document = _document(name, text)
    own = "queries" not in document and "no_answer" not in document
    parts = ("questions",) if own else ("queries", "no_answer")
    if own and (strange := next((key for key in document if key != "questions"), None)) is not None:
        raise _wrong(name, f"unknown key {strange!r}, expected questions: and a list")
    if not any(document.get(part) for part in parts):
        raise _wrong(name, "holds no questions")
    for part in parts:
        listed = document.get(part) or []
        if not isinstance(listed, list):
            raise _wrong(name, f"{part} is {_named(listed)}, expected a list")
        for number, entry in enumerate(listed, 1):
            where = _Where(name, part, number)
            if not isinstance(entry, dict):
                raise _wrong(where, f"is {_named(entry)}, expected keys such as question: and answers:")
            yield _own(entry, where) if own else _corpus(entry, part), where


def _document(name: str, text: str) -> Mapping[str, object]:
    text = text.removeprefix("\ufeff")
    try:
        if name.lower().endswith(".json") or text.lstrip().startswith("{"):
            return read_object(text)[0]
        loaded = _load_yaml(text)
    except ConfigError as error:
        raise DocsRagError(f"{name} {error.message}", _HINT) from None
    if not isinstance(loaded, dict):
        raise _wrong(name, f"holds {_named(loaded)}, expected questions: and a list")
    return loaded


def _load_yaml(text: str) -> object:
    """The value of a YAML text, every scalar as text. Raises `ConfigError`, worded as `read_object` words it."""
    import yaml  # noqa: PLC0415  # a file of JSON needs no such parser

    try:
        return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = "" if mark is None else f" (line {mark.line + 1})"
        raise ConfigError(f"is not valid YAML: {getattr(error, 'problem', None) or error}{line}") from error
    except (RecursionError, ValueError, TypeError) as error:
        raise ConfigError("is nested too deeply") from error


def _own(entry: dict[object, object], where: _Where) -> dict[str, object]:
    _refuse_unknown(entry, KEYS, where)
    for target in _listed(entry.get("answers")):
        if isinstance(target, dict):
            _refuse_unknown(target, _TARGET_KEYS, where)
    return {str(key): value for key, value in entry.items()}


def _refuse_unknown(keys: Iterable[object], known: Sequence[str], where: _Where) -> None:
    strange = next((key for key in keys if key not in known), None)
    if strange is None:
        return
    import difflib  # noqa: PLC0415  # 7 ms that only a mistake should cost

    near = difflib.get_close_matches(str(strange), known, n=1)
    advice = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    raise _wrong(where, f"unknown key {one_line(str(strange))!r}; {advice}")


def _corpus(entry: dict[object, object], part: str) -> dict[str, object]:
    found = {_CORPUS_KEYS.get(str(key), str(key)): value for key, value in entry.items()}
    return found | {"answers": NONE} if part == "no_answer" else found


def _read(entry: dict[str, object], where: _Where) -> Question:
    text = _text(entry, "question", where)
    if not text:
        raise _wrong(where, "has no question")
    where = _Where(where.file, where.part, where.number, text)
    return Question(
        id=_text(entry, "id", where) or text,
        text=text,
        kind=_text(entry, "kind", where),
        answers=tuple(_targets(entry.get("answers"), where)),
        also_ok=_paths(entry, "alsoOk", where),
        must_not=_paths(entry, "mustNot", where),
        search_all=_search_all(entry, where),
    )


def _text(entry: Mapping[str, object], key: str, where: _Where) -> str:
    value = entry.get(key)
    if value is None or isinstance(value, str):
        return " ".join((value or "").split())
    raise _wrong(where, f"{key} is {_named(value)}, expected a text")


def _targets(value: object, where: _Where) -> Iterator[Target]:
    """The right notes. What is empty is a mistake: a question that must be refused says so."""
    if isinstance(value, str) and value.strip().casefold() == NONE:
        return
    targets = _listed(value)
    if not targets:
        raise _wrong(where, f"answers names no path; write {NONE} if it must be refused")
    for each in targets:
        if isinstance(each, dict):
            yield Target(_path(each.get("path"), "answers", where), _text(each, "heading", where))
        else:
            yield Target(_path(each, "answers", where))


def _paths(entry: Mapping[str, object], key: str, where: _Where) -> tuple[str, ...]:
    return tuple(_path(each, key, where) for each in _listed(entry.get(key)))


def _listed(value: object) -> Sequence[object]:
    if value is None or value == "":
        return ()
    return value if isinstance(value, list) else (value,)


def _path(value: object, key: str, where: _Where) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _wrong(where, f"{key} holds {_named(value)}, expected a path below the vault")
    path = unicodedata.normalize("NFC", value.strip())
    while path.startswith("./"):
        path = path[2:]
    if path.startswith("/") or "\\" in path or path.casefold() == NONE:
        raise _wrong(where, f"{key} names {one_line(path)!r}, expected a path below the vault, with /")
    return path


def _search_all(entry: Mapping[str, object], where: _Where) -> bool:
    key, choices = ("mode", _MODES) if "mode" in entry else ("searchAll", _TRUTHS)
    value = entry.get(key)
    value = value if isinstance(value, bool) else _text(entry, key, where).casefold()
    if value in choices:
        return choices[value]
    raise _wrong(where, f"{key} is {_named(value)}, expected {' or '.join(list(map(str, choices))[:2])}")


def _named(value: object) -> str:
    """What kind of value it is; a text is shown, a nested one is not: it may be of any size."""
    if isinstance(value, str):
        return repr(one_line(value)[:_MOST_SHOWN]) if value.strip() else "nothing"
    if value is None:
        return "nothing"
    return {dict: "a mapping", list: "a list", bool: "true or false"}.get(type(value), "a number")
