"""Where in a note something stands, and whether what stands around it speaks of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from docs_rag.core.outline import Outline, outline

_PAST: Final = re.compile(
    r"supers?c?ee?d|\breplac|deprecat|obsolet|archiv|\bretir|\bformer|no longer|withdr[ae]w|abandon|overr[iu]|overturn"
    r"|\brevers[ei]|\brevis[ei]|\bamend|histor|\blegacy|outdated|out[- ]of[- ]date|\binstead\b|in place of|rather than"
    r"|\bused to\b|discontinu|\bdropped\b|\bsunset|moved? away|walk(?:ed)? back|undo(?:es|ne)?\b|\breject|\bdead\b"
    r"|\bsee also\b|대체|폐기|폐지|이전|과거|옛|기존|구버전|예전|더 이상|旧|舊|以前|廃止|廢|废"
    r"|置換|置き換|かつて|取代|替代|曾|历史|歷史|过去|過去|不再",
    re.IGNORECASE,
)
"""Words that tell a reader of a paragraph that not all of it is in force."""
_EARLIER: Final = re.compile(
    r"\b(?:old|older|earlier|previous(?:ly)?|prior|past|original(?:ly)?|initial(?:ly)?|was|were|had|once|before|then"
    r"|changed?|changes|evolv\w*|unlike|compared"
    r"|similar\w*|propos\w*|alternativ\w*|builds? on|at the time|at that time|back when|until|up to now|first)\b",
    re.IGNORECASE,
)
"""Words that tell it of their own sentence."""
_HEADINGS: Final = re.compile(
    r"histor|supers?c?ee?d|replac|alternativ|considered|\boptions?\b|\brelated|see also|referenc|\blinks?\b"
    r"|resources?\b|further reading|more information|change ?log|changes|revision|release|timeline|background"
    r"|previous|prior|legacy|archiv|deprecat|obsolet|withdrawn|rejected|status|acknowledg|appendix|footnote|metadata"
    r"|rationale|motivation|prior art|\bindex\b|contents"
    r"|이력|역사|대안|관련|참고|배경|변경|상태|履歴|代替|関連|参考|経緯|变更|变化|历史|歷史|相关|相關"
    r"|背景|备选|狀態|状态|ステータス",
    re.IGNORECASE,
)
"""Headings of sections that may speak of anything that ever was."""
_ENTRY: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_FIELD: Final = re.compile(r"[ \t>*_|+-]*[^\W\d_][\w /-]{0,40}[*_ \t]*(?:::?|：|\|)")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s+|[;；\n](?=\s*\n)")
_CODE: Final = re.compile(r"(?<!`)(`{1,4})(?!`)[^\n]{1,400}?(?<!`)\1(?!`)")


class Context:
    """The body of one note, looked at around single lines; lines are 1-based."""

    def __init__(self, text: str, body_start: int) -> None:
        """`body_start` is how many lines the frontmatter takes."""
        self._text = text
        self._body_start = body_start

    @cached_property
    def lines(self) -> Sequence[str]:
        """The whole file."""
        return self._text.split("\n")

    @cached_property
    def _outline(self) -> Outline:
        return outline(self._text, self._body_start)

    def is_prose(self, line: int) -> bool:
        """True for a line that a reader sees as text: no frontmatter, fence or comment."""
        return line > self._body_start and self._stretch(line) is None

    def is_example(self, line: int) -> bool:
        """True for a line of a fence, whose text means nothing by itself."""
        return self._stretch(line) in ("fence", "pre")

    def _stretch(self, line: int) -> str | None:
        stretches = self._outline.stretches
        return next((each.kind for each in stretches if each.first < line <= each.last + 1), None)

    @cached_property
    def head(self) -> int:
        """The last line above the first section, which is a heading of the second level or deeper."""
        sections = (each.line for each in self._outline.headings if each.level > 1)
        return next(sections, len(self.lines))

    def is_code(self, line: int, column: int) -> bool:
        """True when a place in a line (0-based column) lies in a code span."""
        return any(found.start() <= column < found.end() for found in _CODE.finditer(self.lines[line - 1]))

    def is_metadata(self, line: int) -> bool:
        """True for a `Key: value` above the first section."""
        return line <= self.head and _FIELD.match(self.lines[line - 1]) is not None

    def speaks_of_the_past(self, line: int, mention: str) -> bool:
        """Whether the headings over a line, the paragraph or the sentence around `mention` in it say so."""
        if any(_HEADINGS.search(words) for words in self._above(line)):
            return True
        block = self._block(line).replace(mention, " ¤ ", 1)
        if _PAST.search(block):
            return True
        return any("¤" in each and _EARLIER.search(each) for each in _SENTENCE_END.split(block))

    def is_listing(self, line: int, mention: str) -> bool:
        """True for a list item or a table row that holds nothing but the mention, or one of many that begin so."""
        text = self.lines[line - 1]
        entry = _ENTRY.match(text)
        start = entry.end() if entry else len(text) - len(text.lstrip(" \t|"))
        is_row = text.lstrip().startswith("|")
        if entry is None and not is_row:
            return False
        rest = text.replace(mention, "", 1)[start:]
        if not re.search(r"[^\W\d_]{2,}", rest):
            return True
        return text.startswith(("[", "!["), start) and self._entries >= _MANY

    @cached_property
    def _entries(self) -> int:
        """How many list items and table rows begin with a link."""
        return sum(_LINKED_ENTRY.match(line) is not None for line in self.lines)

    def _above(self, line: int) -> Iterator[str]:
        """The headings that a line stands under, the nearest first; the note's title is none of them."""
        level = 7
        for heading in reversed(self._outline.headings):
            if heading.line < line and heading.level < level:
                level = heading.level
                if level > 1:
                    yield heading.words

    def _block(self, line: int) -> str:
        """The paragraph or list item around a line, with the sentence that introduces its list."""
        first = last = line - 1
        while first > 0 and not _ENTRY.match(self.lines[first]) and self._goes_on(first - 1):
            first -= 1
        while last + 1 < len(self.lines) and self._goes_on(last + 1) and not _ENTRY.match(self.lines[last + 1]):
            last += 1
        return "\n".join([*self._introduction(first), *self.lines[first : last + 1]])

    def _goes_on(self, index: int) -> bool:
        text = self.lines[index]
        return bool(text.strip()) and not text.startswith("#")

    def _introduction(self, index: int) -> Iterator[str]:
        """The line above a list, if it ends in a colon."""
        if not _ENTRY.match(self.lines[index]):
            return
        while index > 0 and (_ENTRY.match(self.lines[index]) or self.lines[index][:1] in ("", " ", "\t")):
            index -= 1
        if self.lines[index].rstrip(" *_").endswith((":", "：")):
            yield self.lines[index]


_LINKED_ENTRY: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)]|\|)[ \t]+!?\[")
_MANY: Final = 8
"""So many entries that begin with a link make an index."""
