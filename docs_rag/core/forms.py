"""The forms in which a note's own text speaks of its state, a function each; `declared.FORMS` lists them.

Every form yields statements; what they amount to is judged elsewhere. A form looks at nothing but the region that
`body.py` defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.banners import banner, titled, without_stray_marks
from docs_rag.core.body import Block, Body, Line, Section
from docs_rag.core.citations import split_references
from docs_rag.core.dates import parse_date
from docs_rag.core.frontmatter import fold_key
from docs_rag.core.items import FIELD, INLINE, Item, is_field, is_marked, items_of, pieces_of
from docs_rag.core.spellings import KEYS, NO, SHY_KEYS, UNSURE_KEYS, YES, Role
from docs_rag.core.status import Status
from docs_rag.core.values import is_empty, is_placeholder, names_nothing
from docs_rag.core.wording import is_enumeration, known_words, prose_claims, raises_flag, read_status

_CLAIMING: Final = ("ersedes", "ercedes", "erceeds", "erseeds", "eplaces", "bsoletes")
"""Ends of the verbs of a claim: looked for before any expression is tried."""
_OPENING: Final = 20_000
"""How far a first section goes, in characters."""
_CELL: Final = re.compile(r"(?<!\\)\|")
_DELIMITER: Final = re.compile(r"[\s|:-]*-[\s|:-]*")
_VALID: Final = re.compile(r"\W*(?:valid|possible|allowed)\b.{0,40}\bstatus", re.IGNORECASE)
_SPANS: Final = re.compile(r"[ \t]*(?:`[^`\n]{1,60}`[ \t,/|·]*)+")
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_FIRST_SEGMENT: Final = re.compile(r"\n|[;(]|[.!?。](?=\s)")
_OPENED: Final = re.compile(
    r"[\W_]*(?P<word>[^\W\d_]+(?:[ -][^\W\d_]+)?)[*_`\"']*(?P<rest>$|[ \t]*[:：=–—-].*)", re.DOTALL
)
"""A line that begins with a word and explains it."""
_COUNTED: Final = re.compile(r"\s*[:：=]\s*(?:0|[1-9]\d{0,3})(?:\s*[,;].*)?")
_DONE: Final = re.compile(r"\d|\]\(|\[\[|\[[xX]\]")
"""What a history has and an explanation has not: days and references."""
_LEAST_CHOICES: Final = 3
_MOST_WORDS: Final = 5
"""A status that has more words than this and begins with no known one is prose on something else."""


_NAMING: Final = (Role.SUCCESSOR, Role.CLAIM, Role.PARTIAL, Role.PARTIAL_CLAIM, Role.PROPOSED)
"""Roles of keys that ask for records."""


class Statement(NamedTuple):
    """One thing that a note says of its state."""

    role: Role
    key: str
    """Folded."""
    label: str
    """The key as written."""
    values: tuple[str, ...]
    """As written, those that say nothing left out."""
    line: int
    """First line in the file, 1-based."""
    form: str = "frontmatter"
    """How it is written, by the name of its form."""

    @property
    def text(self) -> str:
        """The values on lines of their own."""
        return "\n".join(self.values)


def from_fields(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """`- Status: x`, `Status: x`, `**Status:** x`, `:Status: x`, `status:: x`, `[status:: x]` in the head.

    `keys` are the folded keys that hold the status beside those of the table.
    """
    for block in body.head:
        if not _is_table(block):
            yield from _fields(body, block, keys, strict=True)


def from_tables(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """A row `| Status | x |`, or a column `Status` over a single row, in the head."""
    for block in body.head:
        yield from _table(body, block, keys)
        rows = _status_rows(block) if _is_table(block) else ()
        ended = [row for row in rows if read_status(row[1].partition(";")[0]).successors]
        if len(ended) == 1:
            yield Statement(Role.STATUS, "status", "status", (body.expanded(ended[0][1]),), ended[0][0], "table")


def from_sections(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """`## Status` with its paragraphs, bullets or table; `## Status: x`; `## Superseded by`; `## Date`."""
    for section in body.sections:
        if section.value:
            yield Statement(
                section.role, section.key, section.label, (body.expanded(section.value),), section.line, "heading"
            )
        read = _status_section if section.role is Role.STATUS else _value_section
        yield from read(body, section, keys)


def from_spans(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """Code spans under the title: `` `final` `optional` ``; words that are no status are about something else."""
    for block in body.head[:3]:
        if body.title is not None and block.lines[0].number > body.title.line and _SPANS.fullmatch(block.text):
            words = [word for word in _SPAN.findall(block.text) if known_words(word)]
            if words:
                yield Statement(Role.STATUS, "status", "status", tuple(words), block.lines[0].number, "span")
            return


def from_title(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """What the title says of the record: `# Sessions [Replaced by [New](new.md)]`, `# DEPRECATED: Sessions`."""
    if body.title is not None and (found := titled(body.expanded(body.title.raw))):
        yield Statement(Role.STATUS, "status", "status", (found,), body.title.line + 1, "title")


def from_callouts(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """A callout or another banner in the head: `> [!warning] Superseded by [[x]]`, `This ADR was replaced by ...`."""
    for block in filter(lambda each: not _is_table(each), body.head):
        found = banner(body.expanded(block.text), is_quote=block.is_quote)
        if found:
            yield Statement(Role.STATUS, "status", "status", (found,), block.lines[0].number, "callout")


def from_preambles(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """`Key: value` lines in a fence or `<pre>` that opens the note or stands under `## Preamble`."""
    for stretch in body.preambles:
        lines = [Line(number + 1, body.lines[number].strip()) for number in range(stretch.first + 1, stretch.last)]
        kept = [line for line in lines if line.text]
        keyed = sum(FIELD.match(line.text) is not None for line in kept)
        if kept and keyed * 2 > len(kept):
            for each in _fields(body, Block(tuple(kept), False), keys, strict=False):
                yield each._replace(form="preamble")


def from_prose(body: Body, keys: Sequence[str]) -> Iterator[Statement]:
    """`supersedes [x](x.md)` in the first section of prose: a link right after the verb is a claim."""
    text = body.text[:_OPENING]
    if any(verb in text for verb in _CLAIMING):
        claims = prose_claims(body.expanded(body.opening))
        if claims:
            yield Statement(Role.CLAIM, "supersedes", "supersedes", claims, body.first + 1, "prose")


def _fields(body: Body, block: Block, keys: Sequence[str], *, strict: bool) -> Iterator[Statement]:
    """The statements of a block; `strict`: a paragraph counts only if all its lines are fields or it is a quote."""
    items = list(items_of(block))
    found = [each for item in items for each in _item_fields(body, item, keys)]
    plain = [item for item in items if not item.is_bullet]
    if strict and plain and not block.is_quote and not all(is_field(item.text) for item in plain):
        marked = {item.line for item in items if item.is_bullet or is_marked(item.text)}
        found = [each for each in found if each.line in marked]
    yield from found


def _item_fields(body: Body, item: Item, keys: Sequence[str]) -> Iterator[Statement]:
    """The fields of one line: several when bold keys or Dataview brackets stand in a row."""
    if item.is_off:
        return
    for found in INLINE.finditer(item.text):
        yield from _statement(body, found["key"], found["value"], item.line, "inline", keys)
    for piece in pieces_of(item.text):
        found_field = FIELD.match(piece)
        if found_field is not None:
            form = _form(item, found_field, piece)
            yield from _statement(body, found_field["key"], found_field["value"], item.line, form, keys)


def _form(item: Item, found: re.Match[str], text: str) -> str:
    if item.is_bullet:
        return "bullet"
    if found["colon"] == "::":
        return "inline"
    if found["lead"]:
        return "field"
    return "bold" if text.lstrip()[:2] in ("**", "__") else "line"


def _statement(body: Body, label: str, value: str, line: int, form: str, keys: Sequence[str]) -> Iterator[Statement]:
    """A statement of a key that stands in the table, when its value says something of a record."""
    label = re.sub(r"^[\W_]+|[\W_]+$", "", label)
    key = fold_key(label)
    role = Role.STATUS if key in keys or key in SHY_KEYS else KEYS.get(key)
    if role is None:
        return
    value = body.expanded(without_stray_marks(re.sub(r"^[*_]{1,3}[ \t]+", "", value.strip())))
    naming = role in _NAMING
    says_nothing = names_nothing if naming else is_empty
    values = tuple(each for each in (_values(value) if naming else (value,)) if each and not says_nothing(each))
    if values and _is_meant(role, key, values):
        yield Statement(role, key, label, values, line, form)


def _values(value: str) -> tuple[str, ...]:
    """`[A, B]` and `["A"]` are lists here too; `[[A]]` and `[a](b)` are not."""
    if value[:1] == "[" and value[-1:] == "]" and value[:2] != "[[" and "](" not in value:
        return tuple(part.strip().strip("\"'") for part in value[1:-1].split(","))
    return (value,)


def _is_meant(role: Role, key: str, values: tuple[str, ...]) -> bool:
    """Whether a key in running text is about the record: `- Replacement: a new fuse` is not."""
    text = values[0]
    if role is Role.STATUS:
        if key in SHY_KEYS and read_status(text).status is not Status.SUPERSEDED:
            return False
        return not is_enumeration(text) and (key not in UNSURE_KEYS or read_status(text).known)
    if role is Role.FLAG:
        return text.casefold() in YES | NO or raises_flag(text, needs_pointer=key == "replaced")
    if role in (Role.DATE, Role.SINCE):
        return any(map(str.isdigit, text))
    if role in (Role.CLAIM, Role.PARTIAL, Role.PARTIAL_CLAIM, Role.PROPOSED) or key in UNSURE_KEYS:
        return any(split_references(each, titles=False) for each in values)
    if role is Role.ID:
        return len(text) <= 40 and any(map(str.isdigit, text)) and " " not in text
    return True


def _is_table(block: Block) -> bool:
    return block.lines[0].text.lstrip().startswith("|")


def _table(body: Body, block: Block, keys: Sequence[str]) -> Iterator[Statement]:
    rows = [(line.number, _cells(line.text)) for line in block.lines if "|" in line.text]
    if len(rows) < 2 or len(rows) < len(block.lines):
        return
    header = rows[0][1]
    data = [row for row in rows if not _DELIMITER.fullmatch("|".join(row[1]))]
    if _are_columns(header, [cells for _, cells in data[1:]], keys):
        if len(data) == 2:
            for label, value in zip(header, data[1][1], strict=False):
                yield from _statement(body, _bare(label), value, data[1][0], "table", keys)
        return
    for place, (number, cells) in enumerate(data):
        if len(cells) >= 2 and (place or not _is_legend(cells)):
            yield from _statement(body, _bare(cells[0]), cells[1], number, "table", keys)


def _are_columns(header: Sequence[str], rows: Sequence[Sequence[str]], keys: Sequence[str]) -> bool:
    """Whether keys stand side by side: `| Status | Date |`; in `| Status | Superseded |` the second is a value."""
    folded = [fold_key(_bare(cell)) for cell in header]
    found = [KEYS.get(key) for key in folded if key in KEYS or key in keys]
    if len(found) < 2:
        return False
    if Role.FLAG not in found or len(found) > 2:
        return True
    return bool(rows) and not any(fold_key(_bare(cells[0])) in KEYS for cells in rows if cells)


def _is_legend(cells: Sequence[str]) -> bool:
    """The header over what statuses mean, or how many there are: `| Status | Meaning |`."""
    return KEYS.get(fold_key(_bare(cells[0]))) is Role.STATUS and not read_status(cells[1]).known


def _cells(text: str) -> list[str]:
    cells = [cell.strip() for cell in _CELL.split(text.strip())]
    return cells[cells[0] == "" : len(cells) - (len(cells) > 1 and cells[-1] == "")]


def _bare(text: str) -> str:
    return text.strip().strip("*_`: ")


def _status_section(body: Body, section: Section, keys: Sequence[str]) -> Iterator[Statement]:
    """The first paragraph of a status section, those after it that name a successor, and its fields."""
    texts: list[tuple[int, str]] = []
    for block in section.blocks:
        if _is_table(block):
            yield from _table(body, block, keys)
            texts.extend(_status_rows(block))
            continue
        fields = list(_fields(body, block, keys, strict=False))
        yield from (each._replace(form="section") for each in fields)
        taken = {each.line for each in fields}
        kept = [each for each in items_of(block) if each.line not in taken and not each.is_off]
        kept = [] if _explains([each.text for each in kept]) else kept
        text = "\n".join(each.text for each in kept if not _is_process(each.text))
        if text.strip():
            texts.append((kept[0].line, body.expanded(text)))
    opens = not section.value
    values = [(line, text) for place, (line, text) in enumerate(texts) if _speaks(text, is_first=opens and place == 0)]
    if values:
        shown = tuple(text for _, text in values)
        yield Statement(Role.STATUS, section.key, section.label, shown, values[0][0], "section")


def _status_rows(block: Block) -> Iterator[tuple[int, str]]:
    """The rows of a table whose first cell is a status: `| Superseded by ADR-7 | 2026-01-02 |`."""
    rows = [(line.number, cells) for line in block.lines if (cells := _cells(line.text))]
    rows = [row for row in rows if read_status(row[1][0]).known and KEYS.get(fold_key(row[1][0])) in (None, Role.FLAG)]
    if not _explains([": ".join(cells) for _, cells in rows]):
        yield from ((number, "; ".join(cells)) for number, cells in rows)


def _explains(texts: Sequence[str]) -> bool:
    """True for a list of what statuses there are, what they mean or how many records have them."""
    opened = [found for text in texts if (found := _OPENED.match(text)) and read_status(found["word"]).known]
    if len(opened) < len(texts) or not texts:
        return False
    if all(_COUNTED.fullmatch(found["rest"]) for found in opened):
        return True
    return len(texts) >= _LEAST_CHOICES and not any(_DONE.search(text) for text in texts)


def _is_process(text: str) -> bool:
    """True for a line on the process: which statuses there are, or a form to be filled in."""
    return (
        is_enumeration(text)
        or is_placeholder(text)
        or re.match(r"\W*valid\b.{0,40}\bstatus", text, re.IGNORECASE) is not None
    )


def _speaks(text: str, *, is_first: bool) -> bool:
    """Whether a paragraph of a status section is a status and not an explanation."""
    reading = read_status(text)
    if reading.successors or reading.claims or (reading.known and reading.partial):
        return True
    if is_first and read_status(_FIRST_SEGMENT.split(text.strip(), maxsplit=1)[0]).known:
        return True
    words = len(text.split())
    return not is_empty(text) and (words <= _MOST_WORDS if is_first else words <= 2 and reading.known)


def _value_section(body: Body, section: Section, keys: Sequence[str]) -> Iterator[Statement]:
    """A section that holds a date, a successor or what was replaced: a reference or a date, an item each."""
    values: list[str] = []
    for block in section.blocks[:2]:
        values.extend(body.expanded(item.text) for item in items_of(block) if not is_empty(item.text))
    kept = tuple(each for each in values if _is_value(section.role, each))
    if kept:
        yield Statement(section.role, section.key, section.label, kept, section.line + 1, "section")


def _is_value(role: Role, text: str) -> bool:
    if role is Role.DATE:
        return parse_date(text)[0] is not None
    return bool(split_references(text, titles=False))
