"""The bytes of a settings file and its text: a byte order mark is kept, and how lines end is found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from docs_rag.errors import Unmergeable

_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text and what is needed to write it again."""

    body: str
    """Without the mark; line ends as they are in the file."""
    bom: bool = False

    @property
    def newline(self) -> str:
        r"""What ends the first line, or `\n` where there is but one line."""
        at = next((index for index, char in enumerate(self.body) if char in "\r\n"), None)
        if at is None:
            return "\n"
        return "\r\n" if self.body[at : at + 2] == "\r\n" else self.body[at]

    @property
    def is_blank(self) -> bool:
        """True when the file holds nothing yet."""
        return not self.body.strip()

    def encoded(self, body: str) -> bytes:
        """Another text as the bytes of this file. Raises `Unmergeable` for what UTF-8 cannot hold."""
        try:
            return (_BOM if self.bom else b"") + body.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Unmergeable("cannot hold a name that is not valid Unicode") from error


def decode(data: bytes | None) -> Text:
    """The text of a file; None, for no file, is an empty one. Raises `Unmergeable` for anything but UTF-8."""
    raw = data or b""
    try:
        return Text(raw.removeprefix(_BOM).decode("utf-8"), raw.startswith(_BOM))
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise Unmergeable(f"is not UTF-8 text (line {line})", "save it as UTF-8") from error
