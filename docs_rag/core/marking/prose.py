"""The two ends of a supersession as they are written into a note's own text, a function for each way."""

from __future__ import annotations

import re
from typing import Final

from docs_rag.core.citations import split_references
from docs_rag.core.forms import Statement
from docs_rag.core.marking.links import Style, identifier, links_in
from docs_rag.core.marking.page import Page
from docs_rag.core.marking.phrases import ENGLISH, Tongue, like, own_word, sentence, tongue_of
from docs_rag.core.marking.record import End
from docs_rag.core.marking.spots import Slot, Spot, holds, is_bullet, item_end, locate, slot_at, slot_for, wrapped
from docs_rag.core.spellings import Role
from docs_rag.core.wording import read_status

KEYED: Final = ("preamble", "field")
"""Forms in which every statement has a key of its own: `Superseded-By: 566`."""
FIELDS: Final = ("bullet", "line", "bold", "table", *KEYED)
"""Forms in which a key stands in a line with its value."""


def write_ended(end: End, page: Page, status: Statement, day: str | None) -> bool:
    """Let a status in the text say that the record is superseded; False when its form cannot be written.

    Lines are only added at and below that of the status.
    """
    spot = locate(page, status)
    if spot is None:
        return False
    successor = slot_for(page, spot.line, Role.SUCCESSOR) if status.form in FIELDS else None
    if status.form in KEYED or successor is not None:
        return _write_keys(end, page, status, spot, day)
    if status.form == "span":
        page.replace(spot.line, spot.filled(page, like(ENGLISH.word, spot.former)))
        return True
    said = _sentence(end, page, status, spot, day)
    if spot.is_plain or _is_ended(spot.former):
        page.replace(spot.line, spot.filled(page, said))
    elif status.form == "section":
        _put_above(page, spot, said)
    else:
        page.replace(spot.line, spot.filled(page, f"{said}{_tongue(end, status).was}{spot.former}"))
    return True


def write_claim(end: End, page: Page, status: Statement) -> bool:
    """Let the text say what the record replaced, beside its status; False when its form has no room for that."""
    if status.form == "heading":
        page.insert(status.line + 1, "", _tongue(end, status).claiming.format(by=reference_in(end)))
        return True
    spot = locate(page, status)
    if spot is None:
        return False
    if status.form == "section" and (slot := slot_at(page, spot.line)) is None:
        return _put_paragraph(end, page, status, spot)
    slot = slot_at(page, spot.line)
    if slot is None or status.form not in (*FIELDS, "section", "inline"):
        return False
    return _put_key(end, page, status, spot, slot)


def write_section(end: End, page: Page, day: str | None, heading: int, level: int) -> None:
    """A status section for a note without any status, before the line `heading`."""
    said = sentence(ENGLISH, reference_in(end), day)
    above = [] if heading < 2 or not page[heading - 1].strip() else [""]
    page.insert(heading, *above, f"{'#' * level} Status", "", said, "")


def reference_in(end: End, form: str = "section") -> str:
    """The other record as the note's text names such: a link, a wikilink, a bare name where links are not rendered."""
    if form in KEYED:
        styles = [Style.ID] if identifier(end.other) else [Style.PATH]
    else:
        wiki = links_in(end.text) or (end.habits.reference if end.habits.reference is Style.WIKI else None)
        styles = [Style.WIKI if wiki is Style.WIKI else Style.LINK]
    if end.is_within:
        styles = [Style.ID, *styles]
    found = next((written for style in styles if (written := end.reference(style))), "")
    return found.replace("|", "\\|") if form == "table" else found


def _tongue(end: End, status: Statement) -> Tongue:
    return tongue_of(f"{status.label} {status.text}", end.text)


def _word(end: End, tongue: Tongue, former: str) -> str:
    return own_word(end.rules) or wrapped(former, like(tongue.word, former))


def _sentence(end: End, page: Page, status: Statement, spot: Spot, day: str | None) -> str:
    """The new status; one that named successors already goes on naming them."""
    reference = reference_in(end, status.form)
    if read_status(status.text).status.is_hidden:
        known = [each for each in read_status(status.text).successors if not end.names_other(each)]
        reference = ", ".join([*known, reference])
    bracketed = page[spot.line][spot.end : spot.end + 1] in ("]", ")")
    said = sentence(_tongue(end, status), reference, day, bracketed=bracketed)
    return wrapped(spot.former, like(said, spot.former)) if spot.is_plain else like(said, spot.former)


def _is_ended(former: str) -> bool:
    """Whether a former value says nothing beyond a supersession, which the new one says again."""
    return bool(read_status(former).successors) and re.match(r"\W*supers?c?ee?ded\b", former, re.IGNORECASE) is not None


def _put_above(page: Page, spot: Spot, said: str) -> None:
    """A new paragraph, or item, before a status that says more than a word."""
    line = page[spot.line]
    lead = line[: spot.start] if is_bullet(line) else re.match(r"[ \t>]*", line)[0]  # type: ignore[index]
    page.insert(spot.line, f"{lead}{said}", *([] if is_bullet(line) else [lead.rstrip()]))


def _write_keys(end: End, page: Page, status: Statement, spot: Spot, day: str | None) -> bool:
    """A word for the status, a key for the successor, a key for the day."""
    slot = slot_at(page, spot.line)
    if slot is None:
        return False
    since = slot_for(page, spot.line, Role.SINCE)
    apart = status.form in KEYED or since is not None
    word = _word(end, _tongue(end, status), spot.former) + (f" ({day})" if day and not apart else "")
    kept = "" if spot.is_plain or _is_ended(spot.former) else f"{_tongue(end, status).was}{spot.former}"
    page.replace(spot.line, spot.filled(page, word + kept))
    if day and apart:
        _fill(page, spot, slot, Role.SINCE, "Superseded-On" if status.form in KEYED else "Superseded on", day)
    named = slot_for(page, spot.line, Role.SUCCESSOR)
    if named is None or not any(map(end.names_other, split_references(named.value))):
        _fill(page, spot, slot, Role.SUCCESSOR, "Superseded-By", reference_in(end, status.form))
    return True


def _put_key(end: End, page: Page, status: Statement, spot: Spot, slot: Slot) -> bool:
    label = _tongue(end, status).claim
    if status.form == "inline":
        label = label.lower()
    _fill(page, spot, slot, Role.CLAIM, label, reference_in(end, status.form))
    return True


def _fill(page: Page, spot: Spot, like_slot: Slot, role: Role, label: str, value: str) -> None:
    """Give a role's key a value: into its own line if there is one, else into a new line below the status."""
    own = slot_for(page, spot.line, role)
    if own is not None:
        page.replace(own.line, own.holding(f"{own.value}, {value}" if holds(own) else value))
        return
    line = item_end(page, spot.line)
    alone = not is_bullet(page[spot.line]) and not like_slot.lead.strip(" *_`")
    above = spot.line == 1 or not page[spot.line - 1].strip()
    below = line == len(page) or not page[line + 1].strip()
    gap = [""] if alone and above and below else []
    page.insert(line + 1, *gap, like_slot._replace(key=label).holding(value))


def _put_paragraph(end: End, page: Page, status: Statement, spot: Spot) -> bool:
    """A paragraph, or an item, below the one with the status."""
    line = item_end(page, spot.line)
    if not is_bullet(page[spot.line]):
        while line < len(page) and page[line + 1].strip():
            line += 1
    said = _tongue(end, status).claiming.format(by=reference_in(end))
    if is_bullet(page[spot.line]):
        page.insert(line + 1, page[spot.line][: spot.start].rstrip("*_`") + said)
    else:
        page.insert(line + 1, "", re.match(r"[ \t>]*", page[spot.line])[0] + said)  # type: ignore[index]
    return True
