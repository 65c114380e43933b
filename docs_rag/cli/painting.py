"""An answer on a terminal: what is no text set off, and paths that can be clicked on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import click

from docs_rag.cli.hyperlinks import links_on_stdout
from docs_rag.config import Config
from docs_rag.core.answers import Answer

_HEAD: Final = re.compile(
    r"(?P<reason>\[[^\]]*\])(?P<gap>  )(?P<place>.*?)"
    r"(?P<rest>(?:  \[[^\]]*\](?: \[[^\]]*\])*)?  \(lines \d+-\d+\))?$"
)
"""Reason, path with headings, the rest of a hit's first line."""


class Painter:
    """Paints the lines of one answer."""

    def __init__(self, config: Config, answer: Answer) -> None:
        """`answer` tells which paths the lines may hold."""
        self._link = links_on_stdout(config)
        self._paths = sorted({hit.section.path for hit in answer.hits}, key=len, reverse=True)

    def painted(self, lines: Iterable[str]) -> list[str]:
        """The lines with their escape sequences."""
        return list(map(self._line, lines))

    def _line(self, line: str) -> str:
        """A hit's first line with its reason set off and the rest of what is no text dimmed; others as they are."""
        head = _HEAD.match(line)
        if head is None:
            return line
        reason, gap, place, rest = head.groups(default="")
        return click.style(reason, fg="cyan") + gap + "".join(self._place(place)) + click.style(rest, dim=True)

    def _place(self, place: str) -> Iterator[str]:
        """The path as a link, then its headings."""
        path = next((path for path in self._paths if place == path or place.startswith(f"{path} › ")), "")
        if self._link is None or not path:
            yield click.style(place, bold=True)
            return
        yield self._link(path, click.style(path, bold=True))
        if place != path:
            yield click.style(place[len(path) :], bold=True)
