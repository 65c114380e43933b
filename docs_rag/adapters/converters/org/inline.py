"""What stands within lines of Org, as markdown: links, code, formulas, notes; emphasis is plain text.

Format: https://orgmode.org/worg/org-syntax.html
"""

from __future__ import annotations

import re
from typing import Final

from docs_rag.core.mdwriting import safe

_BEFORE: Final = r"(?:(?<=[\s\-('\"{])|^)"
_AFTER: Final = r"(?=[\s\-.,;:!?'\")}\[\\]|$)"
# What is open is looked for only so far: to the end of the line for each that is never closed would take the square of
# its length.
_MARKS: Final = re.compile(
    r"\[\[(?P<target>(?:\\.|[^\[\]\\]|\[(?!\[)){1,2000})\](?:\[(?P<label>.{1,2000}?)\])?\]"
    r"|\[fn:(?P<note>[\w-]{0,200})(?::(?P<inner>[^\[\]]{0,2000}))?\]"
    r"|\\\((?P<formula>.{1,2000}?)\\\)"
    r"|\\\[(?P<display>.{1,2000}?)\\\]"
    r"|<<<?[^<>\n]{1,2000}>>>?"
    r"|@@(?P<export>\w{1,40}):.{0,2000}?@@"
    rf"|{_BEFORE}(?P<sign>[=~])(?P<code>\S|\S.{{0,2000}}?\S)(?P=sign){_AFTER}"
    rf"|{_BEFORE}(?P<style>[*/_+])(?P<styled>\S|\S.{{0,2000}}?\S)(?P=style){_AFTER}",
    re.MULTILINE,
)
_ACTIVE: Final = re.compile(r"[*_`<>\[\]$~|\\^#=&%]")
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_DEEPEST: Final = 4


def text(line: str) -> str:
    """A line of running text as markdown."""
    return safe(_written(line, _DEEPEST))


def _written(line: str, depth: int) -> str:
    return _MARKS.sub(lambda found: _mark(found, depth), line)


def _mark(found: re.Match[str], depth: int) -> str:
    if found["target"] is not None:
        return _link(found["target"], found["label"], depth)
    if found["note"] is not None:
        return f"[^{found['note']}]" if found["note"] else f"({_written(found['inner'] or '', depth - 1)})"
    if (formula := found["formula"] or found["display"]) is not None:
        return f"${formula.strip()}$"
    if found["code"] is not None:
        return _code(found["code"])
    if found["styled"] is not None:
        inner = _written(found["styled"], depth - 1) if depth else found["styled"]
        return f"~~{inner}~~" if found["style"] == "+" else inner
    return ""


def _link(target: str, label: str | None, depth: int) -> str:
    address = target.removeprefix("file:")
    words = _written(label, depth - 1) if label and depth else label or ""
    if address.lower().endswith(_PICTURES):
        return f"![{words}]({address.replace(' ', '%20')})"
    if re.match(r"(?:https?|mailto|ftp):", target):
        return f"[{words}]({target.replace('(', '%28').replace(')', '%29')})" if words and words != target else target
    return words or address.lstrip("*#")


def _code(code: str) -> str:
    if not _ACTIVE.search(code):
        return code
    ticks = "`" * (1 + max(map(len, re.findall("`+", code)), default=0))
    gap = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{gap}{code}{gap}{ticks}"
