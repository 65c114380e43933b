"""`supersede OLD NEW`: find both records, and work out what their files must say so that one follows the other.

Nothing is written here: a plan is shown to its user first.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from docs_rag.app.reading import Source, beside_text, parse_source, read_record
from docs_rag.app.sheets import Sheet, sheet_of
from docs_rag.core.citations import take_apart
from docs_rag.core.declared import Statement, statements_in
from docs_rag.core.documents import DocPath, Document, Skipped, note_path
from docs_rag.core.edits import WriteFile
from docs_rag.core.handles import number_name
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.marking import mark_superseded, mark_superseding
from docs_rag.core.marking.habits import Habits, habits_of
from docs_rag.core.numbering import says_behind_number, spoken
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.ports import Converter, Unreadable, Vault
from docs_rag.core.references import NamedNote
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.errors import DocsRagError

_MOST_LOOKED_AT: Final = 200
"""Notes that tell the habits of a vault."""
_MOST_NAMED: Final = 5
"""Candidates listed for a name that fits several records, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user wants."""

    old: str
    """A path, a file name, an id or a title."""
    new: str
    today: str
    """ISO; the day from which the new record holds, if neither it nor the user names one."""
    day: str | None = None
    """ISO date from which the new record holds, as the user says."""
    force: bool = False
    """Although the old one has a successor already, or the new one is no longer in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What will be written."""

    old: DocPath
    new: DocPath
    day: str
    """ISO date from which the new record holds."""
    edits: tuple[WriteFile, ...]
    """Empty when both files say so already."""
    former: tuple[bytes | None, ...]
    """What the files hold now, in the same order; None: there is none yet."""
    notices: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """The change in a few words."""
        return f"supersede {self.old} {self.new}"


class Superseder:
    """Plans supersessions in one vault; reads every note of it, and needs no index."""

    def __init__(self, vault: Vault, rules: StatusRules = PLAIN, converter: Converter | None = None) -> None:
        """`rules` say what a status means here; `converter` knows documents of other formats, which are not read."""
        self._vault = vault
        self._converter = converter
        self._rules = rules

    def plan(self, request: Request) -> Plan:
        """Work the change out. Raises `DocsRagError` when a record is not found or the change would make no sense."""
        corpus = self._read()
        old, new = (_find(corpus, each) for each in (request.old, request.new))
        _refuse(corpus, old, new, request.force)
        sheets = [sheet_of(self._vault, each, self._rules, self._converter) for each in (old, new)]
        day = request.day or _day(old, new, request.today)
        texts = self._marked(corpus, old, new, day, sheets)
        changed = [each for each in {sheet.path: sheet for sheet in sheets}.values() if texts[each.path] != each.text]
        if changed:
            self._verify(corpus, old, new, [(each, texts[each.path]) for each in sheets])
        return Plan(
            old=old.path,
            new=new.path,
            day=day,
            edits=tuple(sheet.edit(texts[sheet.path]) for sheet in changed),
            former=tuple(sheet.data for sheet in changed),
            notices=tuple(_notices(corpus, new)),
        )

    def _read(self) -> Corpus:
        found = [each if isinstance(each, Skipped) else self._parse(each.path) for each in self._vault.scan()]
        documents = [each for each in found if not isinstance(each, Skipped)]
        return Corpus(
            documents=documents, skipped=[each for each in found if isinstance(each, Skipped)], rules=self._rules
        )

    def _parse(self, path: DocPath) -> Document | Skipped:
        try:
            return read_record(self._vault, self._converter, path, self._rules, beside_text(self._vault, path))[1]
        except Unreadable as error:
            return Skipped(path, error.code, str(error))

    def _marked(
        self, corpus: Corpus, old: Subject, new: Subject, day: str, sheets: Sequence[Sheet]
    ) -> dict[DocPath, str]:
        """The new texts of the files; both records may stand in one."""
        texts = {sheet.path: sheet.text for sheet in sheets}
        home = sheets[0]
        marked = mark_superseded(
            old.path,
            home.shown(texts[home.path]),
            _named(new),
            day,
            names=corpus.names,
            habits=self._habits(corpus, old),
            rules=self._rules,
        )
        texts[home.path] = home.put(texts[home.path], marked)
        home = sheets[1]
        text, habits = home.shown(texts[home.path]), self._habits(corpus, new)
        marked = mark_superseding(new.path, text, _named(old), names=corpus.names, habits=habits, rules=self._rules)
        texts[home.path] = home.put(texts[home.path], marked)
        return texts

    def _habits(self, corpus: Corpus, subject: Subject) -> Habits:
        """How the records in the same folder are marked, and those elsewhere that name another one."""
        others = [each for each in corpus.documents if each is not subject.note and not each.lifecycle.template]
        beside = [each for each in others if note_path(each.path).rpartition("/")[0] == subject.folder]
        naming = [each for each in others if each.lifecycle.successors or each.lifecycle.claims]
        near = habits_of(self._statements(beside))
        return replace(habits_of(self._statements([*naming, *beside])), form=near.form)

    def _statements(self, documents: Iterable[Document]) -> Iterator[list[Statement]]:
        for document in list(documents)[:_MOST_LOOKED_AT]:
            text = document.text
            yield statements_in(document.path, text, self._rules)

    def _verify(self, corpus: Corpus, old: Subject, new: Subject, changed: Iterable[tuple[Sheet, str]]) -> None:
        """Read the whole vault as it will be: a mark that the graph does not follow is none."""
        read = {sheet.note: self._reread(corpus, sheet, text) for sheet, text in changed}
        documents = [read.get(each.path, each) for each in corpus.documents]
        standing = Corpus(documents=documents, rules=self._rules).standings.get(old.path)
        if standing is None or standing.status is not Status.SUPERSEDED or new.path not in standing.superseded_by:
            raise DocsRagError(
                f"{old.path} would not be read as superseded by {new.path}; nothing was written",
                "see what is wrong with them: docs-rag list --problems",
            )

    def _reread(self, corpus: Corpus, sheet: Sheet, text: str) -> Document:
        """The note as it will read once its file holds `text`."""
        beside = sheet.beside(text)
        if beside is None:
            return parse_document(sheet.note, decode(text.encode("utf-8")), self._rules)
        own = next(each.text for each in corpus.documents if each.path == sheet.note)
        return parse_source(sheet.note, Source(own), self._rules, decode(beside.encode("utf-8")))


def _day(old: Subject, new: Subject, today: str) -> str:
    """The new record's own day, if it was decided by now and not before the old one; else today."""
    life = new.lifecycle
    own = life.date if life.decided else None
    return own if own is not None and (old.lifecycle.date or "") <= own <= today else today


def _find(corpus: Corpus, typed: str) -> Subject:
    """The record that a person means. Raises `DocsRagError`, which names the candidates."""
    exact = corpus.subjects.get(DocPath(typed))
    if exact is not None:
        return exact
    unread = next((each for each in corpus.skipped if f"{typed}/".startswith(f"{each.path}/")), None)
    if unread is not None:
        raise DocsRagError(f"{typed} cannot be read: {unread.message}", "look at the file, or its folder")
    found = corpus.names.resolve(typed, DocPath(""))
    candidates = (*found.paths, *found.ambiguous) or _without_number(corpus, typed)
    if len(candidates) > 1:
        more = f" and {len(candidates) - _MOST_NAMED} more" if len(candidates) > _MOST_NAMED else ""
        raise DocsRagError(f"'{typed}' may be any of {', '.join(candidates[:_MOST_NAMED])}{more}", "name its path")
    if candidates and not _is_guess(typed, corpus.subjects[candidates[0]]):
        return corpus.subjects[candidates[0]]
    near = candidates[0] if candidates else "" if spoken(typed) is not None else _nearest(corpus, typed)
    raise DocsRagError(f"no note is called '{typed}'", f"did you mean {near}?" if near else "see: docs-rag list")


def _without_number(corpus: Corpus, typed: str) -> tuple[DocPath, ...]:
    """The records whose title or file name is a number and what was typed."""
    return tuple(
        path
        for path, subject in corpus.subjects.items()
        if any(says_behind_number(name, typed) for name in (subject.title, number_name(path)))
    )


def _is_guess(typed: str, found: Subject) -> bool:
    """True for what fits by its number or its file alone: a reader may go by that, but not whoever writes."""
    is_whole_for_part = not found.part and bool(take_apart(typed).anchor)
    return is_whole_for_part or _is_of_other_series(typed, found) or _is_other_file(typed, found)


def _is_of_other_series(typed: str, found: Subject) -> bool:
    """True for `D-9` where the record calls itself ADR-9."""
    asked = spoken(typed)
    if asked is None or not asked.letters:
        return False
    own = filter(None, map(spoken, (number_name(found.path), found.title, *found.lifecycle.ids)))
    series = {each.letters for each in own if each.numbers[0] == asked.numbers[0] and each.letters}
    return bool(series) and not any(each.startswith(asked.letters) or asked.letters.startswith(each) for each in series)


def _is_other_file(typed: str, found: Subject) -> bool:
    """True for a file name that is not the file's."""
    name = note_path(typed).rpartition("/")[2].casefold()
    if not re.search(r"\.(?:mdx?|markdown)$", name) or typed.casefold() in (
        found.title.casefold(),
        *found.note.aliases,
    ):
        return False
    return name != note_path(found.path).rpartition("/")[2].casefold()


def _nearest(corpus: Corpus, typed: str) -> str:
    names: dict[str, str] = {}
    for path, subject in corpus.subjects.items():
        for name in (path, path.rpartition("/")[2], subject.name, subject.title):
            names.setdefault(name.casefold(), path)
    near = difflib.get_close_matches(typed.casefold(), names, n=3, cutoff=0.5)
    return " or ".join(dict.fromkeys(names[each] for each in near))


def _refuse(corpus: Corpus, old: Subject, new: Subject, force: bool) -> None:
    """Raise `DocsRagError` for what makes no sense, or only with `force`."""
    if old.path == new.path:
        raise DocsRagError(f"{old.path} cannot supersede itself", "name two records")
    if old.path.startswith(f"{new.path}#") or new.path.startswith(f"{old.path}#"):
        raise DocsRagError(f"{old.path} and {new.path} are a decision and the note that holds it", "name two records")
    for each in (old, new):
        if not corpus.rules.counts(each.note.path):
            raise DocsRagError(
                f"{each.path} lies outside `lifecycleIn`, so no status of it counts", "name another, or widen that key"
            )
        if each.lifecycle.template:
            raise DocsRagError(f"{each.path} is a template, no record", "fill it in first")
    _refuse_cycle(corpus, old, new)
    status = corpus.status(new.path)
    if (status.is_hidden or status is Status.REJECTED) and not force:
        raise DocsRagError(f"{new.path} is {status} itself", "name the record that is in force, or say --force")
    others = _other_successors(corpus, old, new)
    if others and not force:
        raise DocsRagError(
            f"{old.path} is superseded already, by {', '.join(others)}",
            f"supersede that one instead, or say --force to name {new.path} beside it",
        )


def _refuse_cycle(corpus: Corpus, old: Subject, new: Subject) -> None:
    queue, seen = [new.path], {new.path}
    for path in queue:
        standing = corpus.standings.get(path)
        for following in () if standing is None else standing.superseded_by:
            if following == old.path:
                raise DocsRagError(f"{new.path} is superseded by {old.path}, by its own line", "swap the two?")
            if following not in seen:
                seen.add(following)
                queue.append(following)


def _other_successors(corpus: Corpus, old: Subject, new: Subject) -> tuple[str, ...]:
    """What is said to have replaced the old record, when the new one is not among it."""
    standing = corpus.standings.get(old.path)
    named = standing.superseded_by if standing is not None else ()
    if new.path in named:
        return ()
    return tuple(named) or old.lifecycle.successors


def _notices(corpus: Corpus, new: Subject) -> Iterator[str]:
    if corpus.status(new.path) is Status.DRAFT:
        yield f"{new.path} is a draft: the old record will be hidden before the new one is decided"


def _named(subject: Subject) -> NamedNote:
    aliases = () if subject.part else subject.note.aliases
    return NamedNote(subject.path, subject.title, aliases, subject.lifecycle.ids)
