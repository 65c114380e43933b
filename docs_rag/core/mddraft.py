"""Markdown of a document in the making: blocks in order, each with where in the document it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from docs_rag.core.converted import Converted, Picture, Stretch
from docs_rag.core.mdwriting import heading

NO_TEXT: Final = "it holds no text"
"""The warning of a document without any."""


class Heading(NamedTuple):
    """A heading that begins a section."""

    level: int
    """1-6."""
    text: str


Block = Heading | list[str]
"""A heading, or the lines of any other block."""


class Draft:
    """Takes blocks, gives a `Converted`."""

    def __init__(self) -> None:
        """Nothing yet, and nowhere."""
        self._lines: list[str] = []
        self._stretches: list[Stretch] = []
        self._location = ""

    def at(self, location: str) -> None:
        """Say where what follows stands: `chapter 2`; empty for nowhere in particular."""
        self._location = location

    def block(self, lines: Sequence[str]) -> None:
        """A block after a blank line; a line may hold line ends. No lines, no block."""
        if not lines:
            return
        if self._lines:
            self._lines.append("")
        self.lines(lines)

    def lines(self, lines: Sequence[str]) -> None:
        """Lines that go on with the block before."""
        first = len(self._lines) + 1
        self._lines.extend("\n".join(lines).split("\n"))
        last = len(self._lines)
        if not self._location:
            return
        before = self._stretches[-1] if self._stretches else None
        if before is not None and before.location == self._location and before.lines[1] >= first - 2:
            self._stretches[-1] = Stretch((before.lines[0], last), self._location)
        else:
            self._stretches.append(Stretch((first, last), self._location))

    def heading(self, level: int, text: str) -> None:
        """A heading, when it has words."""
        line = heading(level, text)
        self.block([line] if line else [])

    def sections(self, blocks: Iterable[Block]) -> None:
        """Blocks located by the heading above them."""
        for block in blocks:
            if isinstance(block, Heading):
                self.at(f"section {block.text}")
                self.heading(block.level, block.text)
            else:
                self.block(block)

    def finished(self, *, title: str = "", warnings: Sequence[str] = (), pictures: Sequence[Picture] = ()) -> Converted:
        """What was taken in; without any text it says so."""
        markdown = "\n".join(self._lines)
        if not markdown.strip() and not warnings:
            warnings = (NO_TEXT,)
        return Converted(
            markdown=f"{markdown}\n" if markdown else "",
            stretches=tuple(self._stretches),
            pictures=tuple(pictures),
            title=" ".join(title.split()),
            warnings=tuple(warnings),
        )


def fenced(text: str, language: str = "") -> list[str]:
    """The lines of a code block that holds this text, whatever backticks stand in it."""
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    return [f"{fence}{language}", *text.rstrip().split("\n"), fence]


def metadata(values: Mapping[str, str]) -> list[str]:
    """The lines of a block of metadata; keys as they are written, for what reads the note knows their spellings."""
    lines = [f"{_key(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if _key(key)]
    return ["---", *lines, "---"] if lines else []


def _key(key: str) -> str:
    return " ".join(re.sub(r"[^\w \-]", " ", key).split())


_BACKTICKS: Final = re.compile("`+")
