"""The blocks of Org in order, as markdown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from docs_rag.adapters.converters.org.inline import text
from docs_rag.core.mddraft import Block, Heading, fenced
from docs_rag.core.mdtables import Cell, table
from docs_rag.core.mdwriting import paragraph

_HEADING: Final = re.compile(r"(?P<stars>\*+) +(?:\[#\w\] +)?(?P<title>.*?)(?P<tags>[ \t]+:[\w@#%:]+:)?[ \t]*$")
_PRIORITY: Final = re.compile(r"(?<![^ ])\[#\w\] ")
_BEGIN: Final = re.compile(r"[ \t]*#\+begin_(?P<kind>\S+)(?:[ \t]+(?P<argument>.*))?$", re.IGNORECASE)
_DRAWER: Final = re.compile(r"[ \t]*:(?P<name>[\w-]+):[ \t]*$")
_PROPERTY: Final = re.compile(r"[ \t]*:(?P<key>[\w+-]+):(?:[ \t]+(?P<value>.*))?$")
_KEYWORD: Final = re.compile(r"[ \t]*#\+(?P<key>[\w-]+)(?:\[[^\]]*\])?:[ \t]*(?P<value>.*)$")
_COMMENT: Final = re.compile(r"[ \t]*#(?:[ \t]|$)")
_FIXED: Final = re.compile(r"[ \t]*:(?: |$)")
_ROW: Final = re.compile(r"[ \t]*\|")
_RULE_ROW: Final = re.compile(r"[ \t]*\|-[-+| ]*$")
_ITEM: Final = re.compile(
    r"(?P<indent>[ \t]*)(?P<mark>[-+]|(?<=[ \t])\*|(?P<number>\d+|[a-zA-Z])[.)])(?:[ \t]+(?:\[@\d+\][ \t]*)?|$)"
    r"(?P<text>.*)$"
)
_STAR_ITEM: Final = re.compile(r"^\*(?= )")
"""At the margin a star begins a heading; an item that lost its indentation is none."""
_TERM: Final = re.compile(r"(?P<term>\S.*?)[ \t]+::(?:[ \t]+(?P<said>.*)|$)")
_NOTE: Final = re.compile(r"\[fn:(?P<label>[\w-]+)\][ \t]*(?P<text>.*)$")
_FORMULA: Final = re.compile(r"[ \t]*(?:\\begin\{(?P<name>[\w*]+)\}|(?P<open>\\\[|\$\$))")
_TRANSITION: Final = re.compile(r"[ \t]*-{5,}[ \t]*$")
_DEEPEST: Final = 20

_END: Final = re.compile(r"[ \t]*(?:#\+end_(?P<kind>\S+)|(?P<drawer>:end:))[ \t]*$", re.IGNORECASE)


class _Lines(list[str]):
    """Lines that know where blocks and drawers end: to look for the end of each that has none would take for ever."""

    @cached_property
    def _ends(self) -> Mapping[str, Sequence[int]]:
        """Lines that end a block, by its kind; those that end a drawer under no kind."""
        ends: dict[str, list[int]] = {}
        for at, line in enumerate(self):
            if (found := _END.match(line)) is not None:
                ends.setdefault((found["kind"] or "").lower(), []).append(at)
        return ends

    def end(self, kind: str, at: int) -> int | None:
        """The first line after `at` that ends such a block, or, for no kind, a drawer."""
        ends = self._ends.get(kind, ())
        place = bisect_right(ends, at)
        return ends[place] if place < len(ends) else None


_Read = tuple[int, Sequence[Block]]
"""The line after what was read, and its blocks; the line where it began when a rule does not fit."""


def blocks(lines: Sequence[str], shift: int = 0, depth: int = 0) -> Iterator[Block]:
    """The blocks of lines; headings stand `shift` levels lower, and only at the top (`depth` 0)."""
    at, lines = 0, _Lines(lines)
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        heading = _HEADING.match(lines[at]) if depth == 0 else None
        if heading is not None:
            yield from _headed(heading, shift)
            at += 1
            continue
        for rule in _RULES:
            end, found = rule(lines, at, depth)
            if end > at:
                yield from (block for block in found if block)
                at = end
                break


def inner(lines: Sequence[str], depth: int) -> list[str]:
    """Lines inside a block as the lines of one, without their common indentation."""
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    dedented = [_STAR_ITEM.sub("-", line[margin:]) for line in lines]
    if depth >= _DEEPEST:
        return [line for line in map(str.strip, dedented) if line]
    found = [[each.text] if isinstance(each, Heading) else each for each in blocks(dedented, depth=depth + 1)]
    return [line for number, block in enumerate(found) for line in (*([""] if number else []), *block)]


def _headed(found: re.Match[str], shift: int) -> Iterator[Block]:
    """A heading with its state (`TODO`) but without its priority; its tags stand below it."""
    title = text(_PRIORITY.sub("", found["title"]).strip())
    if title:
        yield Heading(min(6, len(found["stars"]) + shift), title)
    if found["tags"]:
        yield [f"Tags: {', '.join(filter(None, found['tags'].strip().split(':')))}"]


def _block(lines: _Lines, at: int, depth: int) -> _Read:
    """What stands between `#+begin_x` and `#+end_x`; one that is never closed is no block."""
    opening = _BEGIN.match(lines[at])
    if opening is None:
        return at, []
    kind = opening["kind"].lower()
    end = lines.end(kind, at)
    if end is None:
        return at + 1, []
    return end + 1, _between(kind, (opening["argument"] or "").strip(), lines[at + 1 : end], depth)


def _between(kind: str, argument: str, lines: Sequence[str], depth: int) -> Sequence[Block]:
    if kind in ("src", "example", "export"):
        if kind == "export":
            return []
        margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        code = "\n".join(re.sub(r"^([ \t]*),(?=[*#,])", r"\1", line[margin:]) for line in lines)
        return [fenced(code, argument.split()[0] if kind == "src" and argument else "")] if code.strip() else []
    if kind == "comment":
        return []
    if kind == "verse":
        return [[text(line.strip()) for line in lines if line.strip()]]
    if kind == "quote":
        return [[f"> {line}".rstrip() for line in inner(lines, depth)]]
    return [inner(lines, depth)]


def _drawer(lines: _Lines, at: int, depth: int) -> _Read:
    """Properties as items; other drawers show what is in them."""
    opening = _DRAWER.match(lines[at])
    if opening is None or opening["name"].lower() == "end":
        return at, []
    end = lines.end("", at)
    if end is None:
        return at, []
    if opening["name"].lower() != "properties":
        return end + 1, [inner(lines[at + 1 : end], depth)]
    found = [_PROPERTY.match(line) for line in lines[at + 1 : end]]
    return end + 1, [[f"- {each['key']}: {text((each['value'] or '').strip())}".rstrip() for each in found if each]]


def _keyword(lines: Sequence[str], at: int, depth: int) -> _Read:
    """Keywords inside the text: captions are shown, settings are not."""
    found = _KEYWORD.match(lines[at])
    if found is None:
        return (at + 1, []) if _COMMENT.match(lines[at]) else (at, [])
    shown = found["key"].lower() in ("caption", "title", "subtitle", "include")
    return at + 1, [[text(found["value"])]] if shown and found["value"].strip() else []


def _fixed(lines: Sequence[str], at: int, depth: int) -> _Read:
    end = _while(lines, at, lambda line: _FIXED.match(line) is not None)
    return end, [fenced("\n".join(line.strip()[2:] for line in lines[at:end]))] if end > at else []


def _table(lines: Sequence[str], at: int, depth: int) -> _Read:
    end = _while(lines, at, lambda line: _ROW.match(line) is not None)
    if end == at:
        return at, []
    rows = [line.strip().strip("|").split("|") for line in lines[at:end] if not _RULE_ROW.match(line)]
    return end, [table([[Cell(text(value.strip())) for value in row] for row in rows])]


def _note(lines: Sequence[str], at: int, depth: int) -> _Read:
    found = _NOTE.match(lines[at])
    if found is None:
        return at, []
    end = _while(lines, at + 1, lambda line: bool(line.strip()) and not _NOTE.match(line) and not _HEADING.match(line))
    body = inner([found["text"], *lines[at + 1 : end]], depth)
    return end, [
        [f"[^{found['label']}]: {body[0] if body else ''}".rstrip(), *(f"    {each}".rstrip() for each in body[1:])]
    ]


def _formula(lines: Sequence[str], at: int, depth: int) -> _Read:
    """A formula on lines of its own."""
    found = _FORMULA.match(lines[at])
    if found is None:
        return at, []
    closer = f"\\end{{{found['name']}}}" if found["name"] else "\\]" if found["open"] == "\\[" else "$$"
    rest = [lines[at][found.end() :], *lines[at + 1 : at + 200]]
    end = next((line for line, each in enumerate(rest) if closer in each), None)
    if end is None:
        return at, []
    body = " ".join(" ".join([*rest[:end], rest[end].partition(closer)[0]]).split())
    tex = f"\\begin{{{found['name']}}} {body} {closer}" if found["name"] else body
    after = rest[end].partition(closer)[2].strip()
    return at + end + 1, [["$$", tex, "$$"], [text(after)] if after else []]


def _list(lines: Sequence[str], at: int, depth: int) -> _Read:
    """Items alike, with all that is indented below each."""
    first = _ITEM.match(lines[at])
    if first is None or _TRANSITION.match(lines[at]):
        return at, []
    margin = len(first["indent"])
    written: list[str] = []
    while at < len(lines) and (found := _ITEM.match(lines[at])) is not None and _is_alike(found, first):
        end = _item_end(lines, at + 1, margin)
        lead = f"{found['number']}. " if (found["number"] or "").isdigit() else "1. " if found["number"] else "- "
        body = inner([found["text"]], depth) if found["text"].strip() else []
        if (term := _TERM.match(found["text"])) is not None:
            body = [f"{text(term['term'])}: {text(term['said'] or '')}".rstrip()]
        below = inner(lines[at + 1 : end], depth)
        gap = [""] if body and below and not _ITEM.match(below[0]) and not lines[at + 1].strip() else []
        body += [*gap, *below]
        written += [lead + (body[0] if body else ""), *(f"{' ' * len(lead)}{line}".rstrip() for line in body[1:])]
        at = _while(lines, end, lambda line: not line.strip()) if _goes_on(lines, end, first) else end
    return at, [written]


def _item_end(lines: Sequence[str], at: int, margin: int) -> int:
    """The line after those that are indented deeper than an item's mark; two blank lines end it too."""
    end = at
    while at < len(lines) and at - end < 2:
        line = lines[at]
        if line.strip():
            if len(line) - len(line.lstrip()) <= margin:
                break
            end = at + 1
        at += 1
    return end


def _goes_on(lines: Sequence[str], at: int, first: re.Match[str]) -> bool:
    """Whether the list goes on behind one blank line."""
    after = _while(lines, at, lambda line: not line.strip())
    found = _ITEM.match(lines[after]) if after < len(lines) and after - at < 2 else None
    return found is not None and _is_alike(found, first)


def _is_alike(item: re.Match[str], first: re.Match[str]) -> bool:
    """Whether an item belongs to the list of another: indented alike, and both numbered or neither."""
    return len(item["indent"]) == len(first["indent"]) and (item["number"] is None) == (first["number"] is None)


def _transition(lines: Sequence[str], at: int, depth: int) -> _Read:
    return (at + 1, [["* * *"]]) if _TRANSITION.match(lines[at]) else (at, [])


def _paragraph(lines: Sequence[str], at: int, depth: int) -> _Read:
    """Lines up to a blank one or to what begins a block of its own."""
    end = _while(lines, at + 1, lambda line: bool(line.strip()) and not _BEGINS.match(line))
    written = paragraph("\n".join(text(line.strip()) for line in lines[at:end]))
    return end, [written.split("\n")] if written else []


_BEGINS: Final = re.compile(
    r"\*+ |[ \t]*(?:#(?:\+|[ \t]|$)|\||[-+][ \t]|\d+[.)][ \t]|:(?: |$)|:[\w-]+:[ \t]*$|\\begin\{|\\\[)|\[fn:[\w-]+\]"
)
_RULES: Final[tuple[Callable[[_Lines, int, int], _Read], ...]] = (
    _block,
    _drawer,
    _keyword,
    _fixed,
    _table,
    _note,
    _formula,
    _transition,
    _list,
    _paragraph,
)
"""In the order in which they are tried; the last one always fits."""


def _while(lines: Sequence[str], at: int, holds: Callable[[str], bool]) -> int:
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at
