"""Every way of marking a record, the one most like the record itself first; whoever tries them reads them back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from docs_rag.core.forms import Statement
from docs_rag.core.frontmatter import fold_key, read_frontmatter
from docs_rag.core.marking.keys import names_in_status, write_claim_key, write_in_status, write_keys
from docs_rag.core.marking.metadata import Metadata
from docs_rag.core.marking.page import Page
from docs_rag.core.marking.phrases import ENGLISH, Tongue, sentence, tongue_of
from docs_rag.core.marking.prose import reference_in, write_claim, write_ended, write_section
from docs_rag.core.marking.record import End, Said
from docs_rag.core.marking.spots import locate, slot_at
from docs_rag.core.outline import outline
from docs_rag.core.spellings import NAMED_SECTIONS, Role

_NOT_IN_TEXT: Final = ("frontmatter", "sidecar", "folder", "tag", "title")


def endings(end: End, before: Said, day: str | None) -> Iterator[str]:
    """The file with the record marked as superseded on `day`, in every way that there is."""
    statuses = [each for each in before.statements if each.role is Role.STATUS]
    in_text = [each for each in statuses if each.form not in _NOT_IN_TEXT]
    if end.anchor:
        yield from _part_endings(end, before, in_text, day)
        return
    in_front = any(each.form == "frontmatter" for each in statuses)
    if in_text and not in_front:
        yield from _ended(end, in_text, day, also_keys=False)
    if in_text:
        yield from _ended(end, in_text, day, also_keys=True)
    if not in_front:
        for status in in_text:
            yield from _ended(end, [status], day, also_keys=False)
    if not statuses:
        yield from _in_empty_section(end, lambda tongue: sentence(tongue, reference_in(end), day))
    if not statuses and end.habits.form == "section":
        page = Page(end.text)
        write_section(end, page, day, *_place_of_section(page))
        yield page.text()
    yield from _in_frontmatter(end, day)


def claimings(end: End, before: Said) -> Iterator[str]:
    """The file with the record marked as superseding another, in every way that there is."""
    statuses = [each for each in before.statements if each.role is Role.STATUS]
    in_text = [each for each in statuses if each.form not in _NOT_IN_TEXT]
    if not any(each.form == "frontmatter" for each in statuses):
        for status in in_text:
            page = Page(end.text)
            if write_claim(end, page, status):
                yield page.text()
    if end.anchor:
        yield from _part_claimings(end, before)
        return
    if not statuses:
        yield from _in_empty_section(end, lambda tongue: tongue.claiming.format(by=reference_in(end)))
    page = Page(end.text)
    write_claim_key(end, page)
    yield page.text()


def _ended(end: End, statuses: Sequence[Statement], day: str | None, *, also_keys: bool) -> Iterator[str]:
    """All of these statuses rewritten, from the last line up, so that the lines of the others stay where they are."""
    page = Page(end.text)
    written = [write_ended(end, page, each, day) for each in sorted(statuses, key=lambda each: -each.line)]
    if not all(written):
        return
    if not also_keys:
        yield page.text()
        return
    for write in (write_in_status, write_keys) if _prefers_status(end) else (write_keys,):
        both = page.copy()
        write(end, both, day)
        yield both.text()


def _in_frontmatter(end: End, day: str | None) -> Iterator[str]:
    for write in (write_in_status, write_keys) if _prefers_status(end) else (write_keys,):
        page = Page(end.text)
        write(end, page, day)
        yield page.text()


def _prefers_status(end: End) -> bool:
    """Whether the successor belongs into the status: the note does that already, or has no key and the vault does."""
    if names_in_status(end.text):
        return True
    keys = ("supersededby", "replacedby", "supercededby")
    return end.habits.in_status and not Metadata(Page(end.text)).label(*keys)


def _in_empty_section(end: End, said: Callable[[Tongue], str]) -> Iterator[str]:
    """A section for the status that nobody has filled in yet takes the sentence."""
    page = Page(end.text)
    plain = page.plain()
    lines = plain.split("\n")
    headings = outline(plain, read_frontmatter(plain).lines).headings
    ends = [*(each.line for each in headings[1:]), len(page)]
    for heading, after in zip(headings, ends, strict=False):
        role = NAMED_SECTIONS.get(fold_key(heading.words))
        if role is Role.STATUS and not "".join(lines[heading.end : after]).strip():
            page.insert(heading.end + 1, "", said(tongue_of(heading.words, end.text)))
            yield page.text()
            return


def _place_of_section(page: Page) -> tuple[int, int]:
    """Where a status section goes, and its level: before the first section below the title, else at the end."""
    plain = page.plain()
    headings = outline(plain, read_frontmatter(plain).lines).headings
    top = headings[0].level if headings and headings[0].level == 1 else 0
    below = [each for each in headings[bool(top) :] if each.level > top]
    return (below[0].line + 1, below[0].level) if below else (len(page) + 1, 2)


def _part_endings(end: End, before: Said, in_text: Sequence[Statement], day: str | None) -> Iterator[str]:
    """A decision of a log: by its status, as its siblings do, in its heading, in a line below its heading."""
    if in_text:
        yield from _ended(end, in_text, day, also_keys=False)
    if before.part is None:
        return
    said = sentence(ENGLISH, reference_in(end), day)
    heading = before.part.lines[0]
    titled = [each for each in before.statements if each.form == "title"]
    if titled or not in_text:
        page = Page(end.text)
        line = page[heading].rstrip()
        former = titled[0].text if titled else ""
        if former and (spot := locate(page, titled[0])) is not None:
            page.replace(heading, spot.filled(page, said))
            yield page.text()
        elif "→" in end.text or "->" in end.text:
            page.replace(heading, f"{line} → {said}")
            yield page.text()
    yield _below_heading(end, heading, f"**Status:** {said}")


def _part_claimings(end: End, before: Said) -> Iterator[str]:
    if before.part is not None:
        yield _below_heading(end, before.part.lines[0], f"**Supersedes:** {reference_in(end)}")


def _below_heading(end: End, heading: int, line: str) -> str:
    """The file with a line as the first of a section: among the fields there, else as a paragraph of its own."""
    page = Page(end.text)
    place = heading + 1
    if place <= len(page) and set(page[place].strip()) in ({"="}, {"-"}):
        place += 1
    first = place
    while first <= len(page) and not page[first].strip():
        first += 1
    if first <= len(page) and (slot := slot_at(page, first)) is not None:
        key, _, value = line.strip("*").partition(":** ")
        page.insert(first, slot._replace(key=key).holding(value))
    else:
        page.insert(place, "", line)
    return page.text()
