"""What is fed with hostile bytes, and what must hold whatever they are: one row for each way in.

A target returns nothing. It may refuse its input in the ways that the code under test documents; every other
exception is a finding, and so is a property that does not hold.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from fuzz.documents import DOCUMENTS
from security.hostile import UNSAFE

from docs_rag import config as configs
from docs_rag import trust
from docs_rag.adapters.vault.ignores import parse_rule
from docs_rag.core import arguments, readarguments
from docs_rag.core.chunks import chunk
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.embedtext import embed_text
from docs_rag.core.frontmatter import read_frontmatter, read_sidecar
from docs_rag.core.globs import Globs
from docs_rag.core.ignorelines import add_lines, remove_lines
from docs_rag.core.marking import mark_superseded
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.ports import Unreadable
from docs_rag.core.questions import read_questions
from docs_rag.core.references import NamedNote, Names
from docs_rag.core.snippets import passage
from docs_rag.core.succession import Record, resolve
from docs_rag.core.terms import MAX_TERMS, UnicodeAnalyser, query_terms
from docs_rag.errors import ConfigError, DocsRagError, UsageError
from docs_rag.hook.event import edited_file, parse, text_of

ANALYSER: Final = UnicodeAnalyser()
NOTES: Final = ("decisions/0001-a.md", "decisions/0002-b.md", "log.md", "README.md")


def frontmatter(data: bytes) -> None:
    """Metadata at the head of a note, and in a file beside it."""
    text = _text(data)
    found = read_frontmatter(text)
    assert 0 <= found.lines <= text.count("\n") + 1
    read_sidecar(text)


def note(data: bytes) -> None:
    """A whole note: read, cut, made ready for both tracks."""
    text = _text(data)
    document = parse_document(DocPath(NOTES[0]), text)
    assert document == parse_document(DocPath(NOTES[0]), text)
    chunks = chunk(document)
    assert chunks
    assert [each.ordinal for each in chunks] == list(range(len(chunks)))
    lines = text.count("\n") + 1
    for before, each in zip([None, *chunks], chunks, strict=False):
        assert 1 <= each.lines[0] <= each.lines[1] <= lines
        assert before is None or before.lines[1] <= each.lines[1]
        embed_text(document.title, each.headings, each.text)
        ANALYSER.index_text(each.text)
        shown, _ = passage(each.text, ("zebra",), 1200)
        assert len(shown) <= 1210


def lifecycle(data: bytes) -> None:
    """Several notes, cut at NUL bytes, that speak of each other."""
    documents = [_document(path, part) for path, part in zip(NOTES, data.split(b"\0"), strict=False)]
    records = {each.path: each for document in documents for each in _records(document)}
    standings = resolve(records.values())
    assert standings == resolve(reversed(list(records.values())))
    for path, each in standings.items():
        named = {*each.superseded_by, *each.current_end, *each.supersedes, *each.partial_by}
        assert named <= records.keys()
        assert path not in named
        assert each.superseded_by == () or each.status.is_hidden


def marking(data: bytes) -> None:
    """`supersede` writes into a note of any content; what it writes says what it should, or it refuses."""
    text = _text(data)
    old, new = DocPath(NOTES[0]), NamedNote(DocPath(NOTES[1]), "B")
    document = parse_document(old, text)
    names = Names([NamedNote(old, document.title, document.aliases, document.lifecycle.ids), new])
    try:
        marked = mark_superseded(old, text, new, "2026-01-02", names=names)
    except DocsRagError as error:
        _is_told_well(error)
        return
    again = parse_document(old, marked)
    standing = resolve([*_records(again), Record(new.path, new.title, (), parse_document(new.path, "# B\n").lifecycle)])
    assert standing[old].superseded_by == (new.path,)


def query(data: bytes) -> None:
    """A question becomes FTS5 expressions that are phrases and nothing else."""
    text = data.decode("utf-8", "surrogatepass") if _is_text(data) else data.decode("utf-8", "replace")
    terms = query_terms(text, ANALYSER)
    assert len(terms) <= MAX_TERMS
    table = _words()
    for each in terms:
        table.execute("SELECT count(*) FROM words WHERE words MATCH ?", (each.match,)).fetchone()
        assert "NEAR(" not in each.match.replace('"', "")


def event(data: bytes) -> None:
    """What the hook hears on stdin."""
    value = parse(data)
    try:
        expected = json.loads(data.decode("utf-8", "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        expected = None
    assert repr(value) == repr(expected)
    path = edited_file(value)
    assert path is None or (os.path.isabs(path) and "\0" not in path)  # noqa: PTH117
    text_of(value, "session_id")


def tool_arguments(data: bytes) -> None:
    """What a model sends to the tools, as JSON."""
    value = parse(data)
    given: dict[str, Any] = value if isinstance(value, dict) else {"query": value, "path": value, "limit": value}
    readers: tuple[Callable[[Mapping[str, object]], Iterable[str]], ...] = (
        lambda each: arguments.read(each).notices,
        lambda each: readarguments.read_wanted(each).notices,
        lambda each: readarguments.read_filter(each, "/vault")[1],
        lambda each: readarguments.read_path(each)[1],
        readarguments.read_nothing,
    )
    for read in readers:
        try:
            notices = read(given)
        except UsageError as error:
            _is_told_well(error)
            continue
        assert all(len(each) < 3000 and "\n" not in each for each in notices), notices


def config(data: bytes) -> None:
    """A config that came with a project: refused, or read; and whatever leads out of the project has to be approved."""
    file = _project() / ".rag" / "config.json"
    file.write_bytes(data)
    for strict in (True, False):
        try:
            found, notices = configs.load(str(file), strict=strict)
        except ConfigError as error:
            _is_told_well(error, most=10_000)
            continue
        assert all("\n" not in each for each in notices)
        asked = {each.key for each in trust.requests(found)}
        project = os.path.realpath(_project())
        roots = ((f"roots.{name}", folder) for name, folder in found.roots)
        for key, path in (("vaultPath", found.vault_path), ("indexPath", found.index_path), *roots):
            assert configs.lies_in(os.path.realpath(path), project) or key in asked
        assert asked >= found.given & {"serverName"}


def patterns(data: bytes) -> None:
    """Globs of a config and lines of ignore files, on names that are as odd."""
    lines = _text(data).split("\n")[:20]
    names = [*lines, "a/" * 30 + "a.md", "a" * 200]
    for line in lines:
        rule = parse_rule(line)
        assert rule is None or rule.regex
        try:
            globs = Globs((line,))
        except ConfigError as error:
            _is_told_well(error, most=10 * len(line) + 1_000)
            continue
        for name in names:
            globs.matches(name)
            globs.could_match_below(name)


def ignore_lines(data: bytes) -> None:
    """The project's own `.gitignore`: our lines go in and come out, the rest stays byte for byte."""
    try:
        with_ours = add_lines(data, (".rag/index.db*", ".rag/*.log*"))
    except ConfigError as error:
        _is_told_well(error)
        return
    assert with_ours is not None
    assert b".rag/index.db*" in with_ours or data == with_ours
    if with_ours != data and b"docs-rag" not in data:
        assert remove_lines(with_ours) == data


def questions(data: bytes) -> None:
    """A question file of `eval`."""
    try:
        read_questions([("q.yaml", _text(data))])
    except DocsRagError as error:
        _is_told_well(error, most=20_000)


TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    **{each.__name__: each for each in (
        frontmatter,
        note,
        lifecycle,
        marking,
        query,
        event,
        tool_arguments,
        config,
        patterns,
        ignore_lines,
        questions,
    )},
    **DOCUMENTS,
}  # fmt: skip
"""Every way in by its name, which is also that of its folder in the corpus."""


def try_one(target: str, data: bytes) -> None:
    """Feed one input; what is no text is refused before it gets anywhere."""
    try:
        TARGETS[target](data)
    except Unreadable as error:
        assert error.code == "encoding"


def _text(data: bytes) -> str:
    return decode(data)


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _document(path: str, data: bytes) -> Document:
    return parse_document(DocPath(path), data.decode("utf-8", "replace").replace("\r", "\n"))


def _records(document: Document) -> list[Record]:
    """A note and the decisions in it, as the index keeps them."""
    parts = [
        Record(DocPath(f"{document.path}#{each.anchor}"), each.title, (), each.lifecycle) for each in document.parts
    ]
    return [Record(document.path, document.title, document.aliases, document.lifecycle, document.links), *parts]


def _is_told_well(error: DocsRagError, most: int = 3_000) -> None:
    """One line of a bearable length; streams make characters safe, so only lines count here."""
    assert "\n" not in str(error)
    assert len(str(error)) < most
    assert UNSAFE.search(error.hint) is None or len(error.hint) < most


@cache
def _words() -> sqlite3.Connection:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")
    table.execute("INSERT INTO words VALUES ('zebra crossing DEC-0054 회의실')")
    return table


@cache
def _project() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="docs-rag-fuzz-"))
    (folder / ".rag").mkdir(mode=0o700)
    return folder
