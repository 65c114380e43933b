"""What `check --fix` would write: back links and words, where there is no doubt. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from docs_rag.core.declared import Statement, statements_in
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import WriteFile, write
from docs_rag.core.exact import decode_exact
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import BackLink, Finding, Mend, Respelling
from docs_rag.core.marking import mark_superseded, replace_word
from docs_rag.core.marking.habits import habits_of
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.ports import Unreadable, Vault
from docs_rag.core.references import NamedNote
from docs_rag.errors import DocsRagError

_MOST_LOOKED_AT: Final = 200
"""Notes that tell the habits of a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MendPlan:
    """What will be written."""

    edits: tuple[WriteFile, ...]
    former: tuple[bytes, ...]
    """What the files hold now, in the same order."""
    mended: int = 0
    """How many findings the edits put right."""
    notices: tuple[str, ...] = ()
    """Findings that could not be mended, and why."""


def plan(findings: Iterable[Finding], corpus: Corpus, vault: Vault) -> MendPlan:
    """The edits that put right what can be put right, one for each file."""
    by_note: dict[DocPath, list[Mend]] = {}
    for finding in findings:
        if finding.mend is not None:
            by_note.setdefault(finding.path, []).append(finding.mend)
    edits: list[tuple[WriteFile, bytes]] = []
    notices: list[str] = []
    mended = 0
    for path, mends in by_note.items():
        try:
            data = vault.read(path)[1]
            text, codec = decode_exact(data)
        except Unreadable as error:
            notices.append(f"{path} cannot be read: {error}")
            continue
        # Words first: a back link may move lines.
        for mend in sorted(mends, key=lambda each: isinstance(each, BackLink)):
            try:
                text = _mended(corpus, path, text, mend)
                mended += 1
            except DocsRagError as error:
                notices.append(error.message)
        if (new := text.encode(codec)) != data:
            edits.append((write(path, data, new), data))
    return MendPlan(
        edits=tuple(edit for edit, _ in edits),
        former=tuple(held for _, held in edits),
        mended=mended,
        notices=tuple(notices),
    )


def _mended(corpus: Corpus, path: DocPath, text: str, mend: Mend) -> str:
    """The text with one fault less. Raises `DocsRagError` when that cannot be."""
    return _linked(corpus, text, mend) if isinstance(mend, BackLink) else _respelt(corpus, path, text, mend)


def _linked(corpus: Corpus, text: str, mend: BackLink) -> str:
    older, newer = corpus.subjects[mend.older], corpus.subjects[mend.newer]
    life = newer.lifecycle
    return mark_superseded(
        mend.older,
        text,
        NamedNote(newer.path, newer.title, () if newer.part else newer.note.aliases, life.ids),
        life.date if life.decided else None,
        names=corpus.names,
        habits=habits_of(_beside(corpus, older)),
        rules=corpus.rules,
    )


def _beside(corpus: Corpus, subject: Subject) -> Iterator[list[Statement]]:
    """What the other notes of a folder say of their states."""
    notes = (each for each in corpus.documents if each is not subject.note and not each.lifecycle.template)
    near = [each for each in notes if each.path.rpartition("/")[0] == subject.folder]
    for note in near[:_MOST_LOOKED_AT]:
        yield statements_in(note.path, note.text, corpus.rules)


def _respelt(corpus: Corpus, path: DocPath, text: str, mend: Respelling) -> str:
    """A word is right when the note is read with it as it was meant, and nothing else is read otherwise."""
    failed = DocsRagError(f"{path}: '{mend.word}' is not changed: the note would be read otherwise", "mend it by hand")
    try:
        new = replace_word(text, mend.line, mend.word, mend.right)
    except ValueError:
        raise failed from None
    before = corpus.subjects[path]
    after = parse_document(path, decode(new.encode("utf-8")), corpus.rules)
    kept = not before.lifecycle.known or after.lifecycle.status is before.lifecycle.status
    same = after.lifecycle.successors == before.lifecycle.successors
    if not (after.lifecycle.known and kept and (same or not before.lifecycle.known)):
        raise failed
    return new
