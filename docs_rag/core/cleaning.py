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
