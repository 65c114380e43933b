"""Links of current notes to dead ones that do not say so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Set
from typing import Final, NamedTuple
from urllib.parse import unquote

from docs_rag.core.documents import DocPath, part_path
from docs_rag.core.linting.context import Context
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import Found
from docs_rag.core.status import Status

_LINK: Final = re.compile(
    r"!?\[\[(?P<wiki>[^\[\]\n|#]{1,300})[^\[\]\n]{0,300}\]\]"
    r"|\[(?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){0,300}\]\(<?(?P<href>[^()\s<>]{1,400})[^()\n]{0,200}\)"
    r"|^ {0,3}\[(?P<label>[^\[\]\n]{1,100})\]:[ \t]*<?(?P<target>[^\s<>]{1,400})",
    re.MULTILINE,
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"\.(?:md|mdx|markdown)$")
_INDEXES: Final = re.compile(
    r"(?:_?index|read-?me|summary|toc|contents|home|changelog|changes|history|log|journal|news|releases?|moc|목차|색인|目次|目录|目錄)"
    r"(?:[-_. ].*)?",
)
"""Names of notes, folded, that list others whatever became of them."""
_FOLDER_NOTES: Final = frozenset(("readme", "index"))


class _Link(NamedTuple):
    reference: str
    """What the resolver is asked."""
    mention: str
    """All of it, as written."""
    start: int


def links_to_dead(corpus: Corpus) -> Iterator[Found]:
    """Each current note's links to dead ones, unless something around the link tells what they are."""
    dead = {
        path: subject
        for path, subject in corpus.subjects.items()
        if corpus.status(path).is_hidden and not subject.lifecycle.template
    }
    called = {name for subject in dead.values() for name in _called(subject)}
    for subject in corpus.in_force() if dead else ():
        if subject.part is None and not _INDEXES.fullmatch(_fold(subject.name)):
            yield from _of_note(corpus, subject, dead.keys(), called)


def _of_note(corpus: Corpus, subject: Subject, dead: Set[DocPath], called: Set[str]) -> Iterator[Found]:
    note = subject.note
    context: Context | None = None
    told: set[DocPath] = set()
    for link in _links(note.text, called):
        target = _target(corpus, subject, link)
        if target is None or target not in dead or target in told or corpus.related(subject.path, target):
            continue
        context = context or Context(note.text, note.body_start)
        if _is_meant_to_hold(corpus, subject, context, link):
            told.add(target)
            line = note.text.count("\n", 0, link.start) + 1
            yield Found("DR021", note.path, line, _message(corpus, target))


def _links(text: str, called: Set[str]) -> Iterator[_Link]:
    """The links whose last part is the name of a dead note."""
    for found in _LINK.finditer(text):
        written = found["wiki"] or found["href"] or found["target"]
        if _SCHEME.match(written):
            continue
        path = written.partition("#")[0].partition("?")[0]
        path = path if found["wiki"] else unquote(path)
        if path and _last(path) in called:
            reference = f"[[{path}]]" if found["wiki"] else f"[x]({path})"
            if found["label"]:
                yield from _uses(text, found["label"], reference)
            else:
                yield _Link(reference, found[0], found.start())


def _uses(text: str, label: str, reference: str) -> Iterator[_Link]:
    """Where a link that is defined elsewhere is used: `[label]`, `[words][label]`."""
    use = re.compile(rf"(?:\[[^\[\]\n]{{1,200}}\])?\[{re.escape(label)}\](?!\(|:)", re.IGNORECASE)
    for found in use.finditer(text):
        yield _Link(reference, found[0], found.start())


def _target(corpus: Corpus, subject: Subject, link: _Link) -> DocPath | None:
    paths = corpus.names.resolve(link.reference, subject.path).paths
    return paths[0] if len(paths) == 1 else None


def _is_meant_to_hold(corpus: Corpus, subject: Subject, context: Context, link: _Link) -> bool:
    """False where a reader cannot take the target for current, or does not see the link."""
    text = subject.note.text
    line = text.count("\n", 0, link.start) + 1
    column = link.start - (text.rfind("\n", 0, link.start) + 1)
    if not context.is_prose(line) or context.is_code(line, column) or _in_dead_part(corpus, subject, line):
        return False
    if context.is_metadata(line) or context.is_listing(line, link.mention):
        return False
    return not context.speaks_of_the_past(line, link.mention)


def _in_dead_part(corpus: Corpus, subject: Subject, line: int) -> bool:
    for part in subject.note.parts:
        if part.lines[0] <= line <= part.lines[1]:
            return corpus.status(part_path(subject.path, part.anchor)) is not Status.CURRENT
    return False


def _message(corpus: Corpus, target: DocPath) -> str:
    standing = corpus.standings.get(target)
    status = corpus.status(target)
    ends = (standing.current_end or standing.superseded_by) if standing is not None else ()
    by = f" by {', '.join(ends)}" if ends and status is Status.SUPERSEDED else ""
    return f"it links to {target} as if it were in force, but that is {status}{by}"


def _called(subject: Subject) -> Iterator[str]:
    """What the last part of a link to a note may be, folded."""
    name = _fold(subject.name)
    yield name
    if name in _FOLDER_NOTES:
        yield _fold(subject.folder.rpartition("/")[2])
    yield from map(_fold, (subject.title, *subject.note.aliases))


def _last(path: str) -> str:
    return _SUFFIX.sub("", _fold(path.rstrip("/").rpartition("/")[2]))


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
