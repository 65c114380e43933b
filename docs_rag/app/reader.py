"""Reading what was found: a section, its neighbours, or the whole note page by page, from the file as it is now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from docs_rag.app.finding import find_note, no_such_note
from docs_rag.core.cleaning import one_line, shown, shown_path
from docs_rag.core.converted import location_of
from docs_rag.core.digests import short_digest
from docs_rag.core.documents import DocPath, note_path
from docs_rag.core.paging import MOST_CHARS, LineRange, page
from docs_rag.core.ports import Unreadable
from docs_rag.core.reading import MOST_OUTLINE, MOST_PATHS, OUTLINE_CHARS, Reading
from docs_rag.core.rootpaths import Roots
from docs_rag.core.sections import Section, section_id, whole
from docs_rag.core.status import Status
from docs_rag.core.wanted import split_anchor, within_vault
from docs_rag.errors import NotThere

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.app.refreshing import Refresher
    from docs_rag.core.converted import Stretch
    from docs_rag.core.documents import FileStamp
    from docs_rag.core.notetext import Headed, NoteText
    from docs_rag.core.statusrules import StatusRules
    from docs_rag.core.storage import Store
    from docs_rag.core.wanted import Wanted

SEARCH_AGAIN: Final = "search again, or read the note"
COMMENTS: Final = "comments in the note are not shown"
OTHER_VERSION: Final = (
    "the index does not hold this note as it is now: its state is told by its own words alone; run: docs-rag index"
)
MOST_PARTS: Final = 20
"""Decisions of a log whose states are told beside what is shown of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """The text of a note or of a converted document, as its sections count lines."""

    stamp: FileStamp
    text: str
    place: str
    """Absolute path of the file that holds this text."""
    stretches: Sequence[Stretch] = ()
    beside: str | None = None
    """The text of what stands beside it and speaks for it, where there is something."""
    notices: tuple[str, ...] = ()


class Texts(Protocol):
    """Where the texts of notes come from."""

    @property
    def vault(self) -> str:
        """The vault's folder, absolute."""
        ...

    def read(self, path: DocPath) -> FileText:
        """The text of a note as it is now; raises `Unreadable`, also for what leads out of the vault."""
        ...


class Reader:
    """Gives parts of notes; what the index says of a note is as new as its file wherever that can be."""

    def __init__(
        self, store: Store, texts: Texts, refresher: Refresher, rules: StatusRules, *, roots: Roots = ()
    ) -> None:
        """All work on the same index and vault; `rules` say what a status means there, `roots` is the config's."""
        self._roots = roots
        self._store = store
        self._texts = texts
        self._refresher = refresher
        self._rules = rules

    def read(self, wanted: Wanted, *, most_chars: int | None = MOST_CHARS) -> Reading:
        """What is wanted, as far as a page has room for it; `most_chars` None: all of it.

        Raises `NotThere` for a note, a heading or a version of a section that there is not, with what is nearest.
        """
        before = self._refresher.before_query()
        path, wanted = self._find(wanted)
        note = note_path(path)
        self._refresher.verify([note])
        try:
            found = self._texts.read(note)
        except Unreadable as error:
            raise NotThere(f"{shown_path(note)} cannot be read: {error}", "see: docs-rag list --problems") from error
        return _Reading(self._store, found, path, wanted, self._rules).page(before.notices, most_chars)

    def _find(self, wanted: Wanted) -> tuple[DocPath, Wanted]:
        """The note, or the part of one, and what is wanted of it."""
        path = within_vault(wanted.path, self._texts.vault, self._roots)
        found = find_note(self._store, path)
        if found is None and "#" in path:
            split = split_anchor(replace(wanted, path=path))
            found, wanted = find_note(self._store, split.path), split
        if found is None:
            raise no_such_note(self._store, path, wanted.path)
        return found, wanted


class _Reading:
    """One reading of one note."""

    def __init__(self, store: Store, found: FileText, path: DocPath, wanted: Wanted, rules: StatusRules) -> None:
        from docs_rag.core.frontmatter import read_frontmatter  # noqa: PLC0415  # loads YAML, for a note that is read
        from docs_rag.core.notetext import note_text  # noqa: PLC0415  # and the parser of markdown

        self._store = store
        self._found = found
        self._path = path
        self._note = note_path(path)
        self._wanted = wanted
        self._rules = rules
        self._text: NoteText = note_text(found.text, read_frontmatter(found.text).lines)
        stored = store.notes.stamps_of([self._note]).get(self._note)
        self._is_current = stored is not None and stored.stamp == found.stamp
        ids = store.lookup.section_ids(whole(store.lookup.note_ids([self._note])[self._note]))
        self._sections = tuple(store.lookup.sections(ids).values()) if self._is_current else ()

    def page(self, notices: Sequence[str], most_chars: int | None) -> Reading:
        """The page that is wanted."""
        text = self._text
        span = self._span()
        last = text.total if span.last is None else min(span.last, text.total)
        fitting = page(text.within(span.first, last), span.skip, most_chars=most_chars)
        first = fitting.lines[0].number if fitting.lines else span.first
        end = fitting.lines[-1].number if fitting.lines else last
        if fitting.rest is None:
            end = last
        record = self._record(first, end)
        return Reading(
            path=shown_path(self._note),
            record=_safe(record),
            parts=tuple(map(_safe, self._parts(record, first, end))),
            index_is_current=self._is_current,
            notices=tuple(map(one_line, self._notices(notices, first, end))),
            heading=text.sections[text.at(first)].path,
            location=location_of(self._found.stretches, (first, end)),
            text_path=shown_path(self._found.place),
            lines=fitting.lines,
            total=text.total,
            previous=LineRange(1, first - 1) if first > 1 else None,
            rest=fitting.rest or (LineRange(end + 1, text.total) if end < text.total else None),
            is_cut=fitting.rest is not None,
            outline=() if first == 1 and end == text.total else self._outline(),
        )

    def _notices(self, before: Sequence[str], first: int, last: int) -> tuple[str, ...]:
        own = () if self._is_current else (OTHER_VERSION,)
        hidden = (COMMENTS,) if self._text.hides(first, last) else ()
        return (*own, *self._wanted.notices, *before, *self._found.notices, *hidden)

    def _span(self) -> LineRange:
        """The lines that are wanted, before they are cut into pages."""
        wanted, around = self._wanted, self._wanted.around
        lines = self._target()
        if lines is None:
            return LineRange(1)
        if wanted.is_spot or wanted.hit is not None or around is not None:
            lines = self._whole_sections(lines, around or 0)
        if lines.first > self._text.total:
            raise NotThere(f"{shown_path(self._note)} ends with line {self._text.total}", SEARCH_AGAIN)
        return lines

    def _target(self) -> LineRange | None:
        """What is meant, to the line; None for the whole note."""
        wanted = self._wanted
        if wanted.hit is not None:
            return self._hit_lines()
        if wanted.heading:
            section = self._headed()
            return LineRange(section.first, section.end)
        return wanted.lines or self._part_lines()

    def _whole_sections(self, lines: LineRange, around: int) -> LineRange:
        """The sections that hold lines, and some before and after them."""
        sections, total = self._text.sections, self._text.total
        first = max(0, self._text.at(lines.first) - around)
        last = min(len(sections) - 1, self._text.at(min(lines.last or total, total)) + around)
        return LineRange(sections[first].first, sections[last].last)

    def _part_lines(self) -> LineRange | None:
        """The lines of the decision of a log that was named; None where a whole note was."""
        if self._path == self._note:
            return None
        place = self._store.lookup.places([self._path]).get(self._path)
        inside = [] if place is None else [each for each in self._sections if place.first <= each.id < place.end]
        if not inside:
            raise NotThere(f"the index does not tell where {shown_path(self._path)} is now", SEARCH_AGAIN)
        start, final = (self._text.at(line) for line in (inside[0].lines[0], inside[-1].lines[1]))
        return LineRange(self._text.sections[start].first, self._text.sections[final].last)

    def _hit_lines(self) -> LineRange:
        """The lines of a hit, where its section still reads as it did."""
        hit = self._wanted.hit
        at = None if hit is None else section_id(whole_id(self._store, self._note), hit.ordinal)
        alike = [each for each in self._sections if hit is not None and hit.digest in _digests(each)]
        found = next((each for each in alike if each.id == at), alike[0] if len(alike) == 1 else None)
        if found is None:
            raise NotThere(f"the section that was found in {shown_path(self._note)} has changed since", SEARCH_AGAIN)
        return LineRange(*found.lines)

    def _headed(self) -> Headed:
        """The section under the heading that was asked for."""
        wanted = self._wanted.heading
        found = self._text.named(wanted)
        if not found and len(wanted) == 1 and ">" in wanted[0]:
            found = self._text.named(wanted[0].split(">"))
        name = " > ".join(wanted)
        if not found:
            near = _near(name, self._text.sections)
            said = f"no heading in {shown_path(self._note)} is called '{one_line(name)[:200]}'"
            raise NotThere(f"{said}: it may have changed since the search", f"search again{near}")
        if len(found) > 1 and (lines := self._wanted.lines) is not None:
            found = [each for each in found if each.first <= lines.first <= each.end] or found
        if len(found) > 1:
            places = ", ".join(f"{each.first}-{each.end}" for each in found[:MOST_PATHS])
            raise NotThere(f"{len(found)} sections are called '{one_line(name)[:200]}'", f"name lines: {places}")
        return found[0]

    def _record(self, first: int, last: int) -> Section:
        """Whose standing counts for these lines: the one part that they lie in, else the note."""
        if not self._is_current:
            return self._own_word()
        inside = [each for each in self._sections if each.lines[0] <= last and each.lines[1] >= first]
        parts = {each.record for each in inside}
        if len(parts) == 1 and None not in parts:
            return inside[0]
        own = next((each for each in self._sections if each.record is None), None)
        if own is not None:
            return own
        (view,) = self._store.lookup.records([whole(self._sections[0].note)]).values()
        return replace(
            self._sections[0],
            record=None,
            title=view.title,
            status=view.status,
            status_text="",
            date=view.date,
            date_source=view.date_source,
            superseded_by=view.superseded_by,
            current_end=view.current_end,
            superseded_on=view.superseded_on,
            partial=None,
            partial_by=(),
        )

    def _own_word(self) -> Section:
        """What a note, or what speaks for it, says of a note that the index holds in another version."""
        from docs_rag.app.reading import Source, parse_source  # noqa: PLC0415

        document = parse_source(self._note, Source(self._found.text), self._rules, self._found.beside)
        life = document.lifecycle
        return Section(
            id=0,
            path=self._note,
            title=document.title,
            ordinal=0,
            headings=(),
            lines=(1, 1),
            text="",
            status=life.status,
            status_text=life.status_text,
        )

    def _parts(self, record: Section, first: int, last: int) -> list[Section]:
        """A section each of the decisions in these lines that are not current, or not whole."""
        found: dict[str, Section] = {}
        for each in self._sections:
            is_inside = each.lines[0] <= last and each.lines[1] >= first
            if is_inside and each.record not in (None, record.record) and (_says_something(each)):
                found.setdefault(each.standing_of, each)
        return list(found.values())[:MOST_PARTS]

    def _outline(self) -> tuple[Headed, ...]:
        """The note's headings, the deepest left out where they are many."""
        headings = [each for each in self._text.sections if each.path]
        for deepest in (6, 5, 4, 3, 2, 1):
            kept = tuple(each for each in headings if each.level <= deepest)
            if len(kept) <= MOST_OUTLINE and sum(len(str(each.path)) for each in kept) <= OUTLINE_CHARS:
                return kept
        return ()


def whole_id(store: Store, note: DocPath) -> int:
    """The id of a note that the index holds."""
    return store.lookup.note_ids([note])[note]


def _digests(section: Section) -> frozenset[str]:
    """What an answer may have called this version of a section: answers show it made safe."""
    return frozenset((short_digest(section.text), short_digest(shown(section.text))))


def _says_something(section: Section) -> bool:
    return section.status is not Status.CURRENT or bool(section.partial)


def _near(name: str, sections: Sequence[Headed]) -> str:
    """The headings that are most like a name, as the rest of a hint."""
    import difflib  # noqa: PLC0415  # 7 ms that only a mistake should cost

    names = {each.path[-1].casefold(): each.path[-1] for each in sections if each.path}
    asked = name.rpartition(">")[2].strip().casefold()
    near = difflib.get_close_matches(asked, names, n=3, cutoff=0.5)
    return f", or did you mean {' or '.join(repr(names[each]) for each in near)}?" if near else ""


def _safe(section: Section) -> Section:
    """What is told of a record, with nothing in it that could deceive a reader."""
    return replace(
        section,
        path=DocPath(shown_path(section.path)),
        record=None if section.record is None else DocPath(shown_path(section.record)),
        title=one_line(section.title),
        status_text=one_line(section.status_text),
        superseded_by=tuple(DocPath(shown_path(each)) for each in section.superseded_by[:MOST_PATHS]),
        current_end=tuple(DocPath(shown_path(each)) for each in section.current_end[:MOST_PATHS]),
        partial=None if section.partial is None else one_line(section.partial),
        text="",
    )
