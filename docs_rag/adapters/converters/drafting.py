"""The markdown of a document as it grows, block by block, with the place that each line comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.core.converted import Converted, Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docs_rag.core.converted import Picture


class Draft:
    """Blocks of markdown with a blank line between them."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lines: list[str] = []
        self._places: list[str] = []
        self.has_text = False

    def add(self, lines: Sequence[str], location: str | Sequence[str] = "", *, tight: bool = False) -> None:
        """Append a block, or with `tight` go on with the one before; nothing for no lines.

        `location` is that of all lines, or one for each.
        """
        if not lines:
            return
        if self._lines and not tight:
            self._lines.append("")
            self._places.append("")
        self._lines += lines
        self._places += [location] * len(lines) if isinstance(location, str) else location
        self.has_text = self.has_text or any(line.strip() and not line.startswith("![") for line in lines)

    def finish(self, *, pictures: Sequence[Picture] = (), title: str = "", warnings: Sequence[str] = ()) -> Converted:
        """All of it; a document without words has a warning of its own."""
        empty = () if self.has_text else ("the document holds no text" + (", only pictures" if pictures else ""),)
        return Converted(
            markdown="\n".join(self._lines) + "\n" if self._lines else "",
            stretches=tuple(self._stretches()),
            pictures=tuple(pictures),
            title=title,
            warnings=(*warnings, *empty),
        )

    def _stretches(self) -> Iterator[Stretch]:
        """Neighbouring lines of one place as one stretch, the blank ones between them included."""
        start, end, place = 0, 0, ""
        for number, (line, here) in enumerate(zip(self._lines, self._places, strict=True), 1):
            if not here or not line:
                continue
            if here != place:
                if place:
                    yield Stretch((start, end), place)
                start, place = number, here
            end = number
        if place:
            yield Stretch((start, end), place)
