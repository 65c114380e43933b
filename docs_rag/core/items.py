"""A block of lines as items that may hold a field: `- **Status:** x`, `Status: x`, a term with its definition below.

The ways to mark a key that mean the same (`**Status** x`, `Status – x`, a linked key, a key over nested bullets) are
written out here as `Key: value`, so that the forms know one way only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from docs_rag.core.body import Block
from docs_rag.core.frontmatter import fold_key
from docs_rag.core.spellings import KEYS, Role
from docs_rag.core.wording import read_status

FIELD: Final = re.compile(
    r"[ \t]*+(?P<lead>:?)(?P<key>[^\n:：|`\[\]()]{1,60}?|(?<=[ \t])(?=[*_]{0,3}[ \t]*+[:：]))"
    r"[ \t]*+(?P<close>[*_]{0,3}+)[ \t]*+"
    r"(?P<colon>::?|：)(?P<after>[*_]{0,3})(?=[ \t\xa0\u3000]|$|(?<=：))[ \t\xa0\u3000]*(?P<value>.*)",
    re.DOTALL,
)
"""A key and its value; the whole item is one. Spaces are never given back (`*+`): a line may hold a million of them."""
INLINE: Final = re.compile(
    r"[\[(](?P<key>[^\[\]():：\n]{1,60})::[ \t]*+(?P<value>(?:\[\[[^\[\]\n]*\]\]|[^\[\]()\n])*)[\])]"
)
"""A Dataview field in brackets, anywhere in a line."""
_BULLET: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[(?P<box>[ xX])\][ \t]+)?")
_BOLD_KEY: Final = re.compile(
    r"(?:(?<!\s)(?:\s*+[|·•;]\s*+|\s{2,}+)|(?<=\S)\s++)(?=(?P<mark>\*\*|__)(?P<key>[^*_\n:：]{1,40})"
    r"(?:[:：](?P=mark)|(?P=mark)[ \t]*[:：]))"
)
_PROPERTY: Final = re.compile(r"[ \t]*[\w-]{1,40}::[ \t]")
_DEFINITION: Final = re.compile(r"[ \t]{0,3}:[ \t]+(?=\S)")
_MARKED_KEY: Final = re.compile(
    r"\[(?P<link>[^\[\]\n]{1,40})\]\([^()\n]{0,300}\)[ \t]*(?P<a>[:：])?|`(?P<code>[^`\n]{1,40})`[ \t]*(?P<b>[:：])?"
    r"|(?P<mark>\*\*|__)(?P<bold>[^*_\n:：]{1,40})(?P=mark)(?:[ \t]+[-–—=→][ \t]+|[ \t]+|$)"
)
_DASHED_KEY: Final = re.compile(r"(?P<key>[^\W\d_][^\W\d_ -]*(?:[ -][^\W\d_ -]+){0,2})[ \t]+[-–—=][ \t]+(?=\S)")
_IMAGE: Final = re.compile(r"\[?!\[(?P<words>[^\[\]\n]{1,80})\]\([^()\n]{0,600}\)(?:\]\([^()\n]{0,600}\))?[ \t]*")
_MOST_DASHED: Final = 40
"""Characters within which the dash after a key is looked for."""


class Item(NamedTuple):
    """A line with those that continue it."""

    line: int
    """First line in the file, 1-based."""
    text: str
    """Without its bullet; a key stands before a colon."""
    is_bullet: bool
    is_off: bool
    """An unchecked box."""
    depth: int = 0
    """Columns before it."""
    is_listing: bool = False
    """A key with the bullets below it."""


def items_of(block: Block) -> Iterator[Item]:
    """The block cut into lines and list items; an indented line, or one that is no field, continues an item."""
    pending: Item | None = None
    for line in block.lines:
        item = _item(line.number, line.text)
        if pending is None:
            pending = item
        elif (joined := _joined(pending, item, line.text)) is not None:
            pending = joined
        else:
            yield pending
            pending = item
    if pending is not None:
        yield pending


def is_field(text: str) -> bool:
    """True for a key with a value, or a line that holds a Dataview field."""
    return FIELD.match(text) is not None or INLINE.search(text) is not None


def is_marked(text: str) -> bool:
    """True for a field that no sentence looks like: bold, a field of rst, a Dataview field."""
    found = FIELD.match(text)
    if found is None:
        return INLINE.search(text) is not None
    return bool(found["lead"]) or found["colon"] == "::" or text.lstrip()[:2] in ("**", "__")


def pieces_of(text: str) -> list[str]:
    """`**Status:** x | **Date:** y` as two."""
    if "**" not in text and "__" not in text:
        return [text]
    cuts = [found for found in _BOLD_KEY.finditer(text) if fold_key(found["key"]) in KEYS]
    starts = [0, *(found.end() for found in cuts)]
    ends = [*(found.start() for found in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def is_bare_key(text: str) -> bool:
    """True for a key without a value: `**Status**`, `Superseded by:`."""
    return len(text) < _MOST_DASHED and KEYS.get(fold_key(text.strip(" *_:：`"))) not in (None, Role.FLAG)


def _item(number: int, text: str) -> Item:
    bullet = _BULLET.match(text)
    rest = text[bullet.end() :] if bullet else text
    depth = len(text.expandtabs(4)) - len(text.expandtabs(4).lstrip())
    return Item(number, _relabelled(rest.strip()), bullet is not None, bool(bullet and bullet["box"] == " "), depth)


def _joined(before: Item, item: Item, line: str) -> Item | None:
    """The item with the line below it, where that belongs to it; else None."""
    if is_bare_key(before.text):
        definition = None if item.is_bullet else _DEFINITION.match(line)
        is_below = item.is_bullet and not item.is_off and (item.depth > before.depth or not before.is_bullet)
        if definition is not None or is_below or (not item.is_bullet and before.text[:2] == "**"):
            key = before.text.strip(" *_:：`")
            text = f"**{key}**: {line[definition.end() :] if definition else item.text}"
            return before._replace(text=text, is_listing=is_below)
    if item.is_bullet:
        is_below = not item.is_off and (item.depth > before.depth or not before.is_bullet)
        is_listed = is_below and before.is_listing
        return before._replace(text=f"{before.text}; {item.text}") if is_listed else None
    if _continues(before, line):
        return before._replace(text=f"{before.text} {line.strip()}")
    return None


def _continues(before: Item, text: str) -> bool:
    if _PROPERTY.match(text) is not None:
        return False
    if before.is_bullet:
        return text[:1] in (" ", "\t") or not is_field(text)
    return text[:1] in (" ", "\t") and is_field(before.text)


def _relabelled(text: str) -> str:
    """The text with its key, however it is marked, before a colon."""
    start = text[:1]
    if start in ("[", "`", "*", "_"):
        found = _MARKED_KEY.match(text)
        if found is not None and (key := found["link"] or found["code"] or found["bold"]):
            is_cut = found["bold"] or found["a"] or found["b"]
            if is_cut and _is_said(key, rest := text[found.end() :].lstrip(), is_sure=not found["bold"]):
                return f"**{key}**: {rest}"
    if start in ("!", "[") and (badge := _IMAGE.fullmatch(text)) is not None:
        field = FIELD.match(badge["words"])
        return badge["words"] if field is not None and _is_said(field["key"], field["value"], is_sure=False) else text
    dashed = _DASHED_KEY.match(text, 0, _MOST_DASHED) if start.isalpha() else None
    if dashed is not None and _is_said(dashed["key"], rest := text[dashed.end() :], is_sure=False):
        return f"{dashed['key']}: {rest}"
    return text


def _is_said(key: str, value: str, *, is_sure: bool) -> bool:
    """Whether what is marked like a key is one, and its value may be its value."""
    role = KEYS.get(fold_key(key.strip(" *_:")))
    if role is None or role is Role.FLAG:
        return False
    return is_sure or role is not Role.STATUS or not value or read_status(value).known
