"""Text of notes made safe to show: nothing in it may move a cursor, reorder a line or hide from the eye."""

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and newline
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
    "\u2028\u2029"  # line separators that terminals and JSON readers take for line ends
    "\ud800-\udfff"  # lone surrogates: they have no UTF-8 form
    "\U000e0000-\U000e007f]"  # tags, invisible everywhere
)


def shown(text: str) -> str:
    """`text` with every unsafe character replaced by U+FFFD."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub("\ufffd", text)


def shown_path(text: str) -> str:
    """A path with every unsafe character replaced, one for one: what is left can still be opened."""
    return shown(text).replace("\n", "\ufffd").replace("\t", "\ufffd")


def one_line(text: str) -> str:
    """`text` made safe and put on one line."""
    return " ".join(shown(text).split())


def escaped_json(text: str) -> str:
    """JSON text whose unsafe characters are written as escapes: the same values, and safe to look at in a terminal.

    They can stand only inside its strings, where `\\uXXXX` means the character (RFC 8259, section 7).
    """
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
