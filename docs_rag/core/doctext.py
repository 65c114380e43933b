"""Text from documents made plain: what typesetting put into it is taken out, what a person wrote stays.

Used for formats that store glyphs or their own codes in place of plain text (PDF, HWP, OCR). Not all of NFKC is
applied: `①`, `²`, `㎏` and `½` are what the author wrote, and the search folds them by itself.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HAN_FORMS: Final = str.maketrans(
    {
        # Hancom's private code for the old-style syllable in its own name, and the same syllable in old letters.
        "\uf53a": "한",
        "\u00ad": None,
        "\u200b": None,
        "\u2060": None,
        "\ufeff": None,
        "\u2028": "\n",
        "\u2029": "\n",
        "\x0b": "\n",
        "\x0c": "\n",
        "\x85": "\n",
    }
)
_OLD_HAN: Final = "\u1112\u119e\u11ab"

_FORMS: Final = re.compile(
    "["
    "\u00a0\u2000-\u200a\u202f\u205f\u3000"  # spaces of all widths
    "\u2e80-\u2fdf"  # radicals that stand for the characters themselves
    "\uffa0-\uffdc"  # letters of Hangul in half width
    "\uf900-\ufaff"  # Han characters twice in Unicode
    "\ufb00-\ufb4f"  # ligatures: fi, fl
    "\ufb50-\ufdf9\ufdfc\ufe70-\ufefc"  # Arabic letters by their place in the word
    "\U0001d400-\U0001d7ff"  # mathematical alphabets
    "\U0002f800-\U0002fa1f"
    "]+"
)
"""Characters that only say how something was set; each run is replaced by its compatibility form."""

_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")

_LIKE_MARKDOWN: Final = re.compile(
    r"(?=#{1,6}(?:\s|$)|```|~~~|(?:=+|-{2,}|\*{3,}|_{3,})\s*$|<[!/?a-zA-Z]|\[\^?[^\]]*\]:)"
)

_NO_SPACES: Final = "[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]"
_INNER_SPACE: Final = re.compile(f"(?<={_NO_SPACES}) +(?={_NO_SPACES})")
_RUNS_ON: Final = re.compile(f"{_NO_SPACES}$")
_RUNS_IN: Final = re.compile(f"^{_NO_SPACES}")


def clean(text: str) -> str:
    """Typeset text as people would type it: no ligatures, soft hyphens or control characters; line ends `\\n`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_HAN_FORMS).replace(_OLD_HAN, "한")
    text = _FORMS.sub(_plain_form, text)
    return unicodedata.normalize("NFC", _CONTROL.sub("", text))


def literal(line: str) -> str:
    """A line of plain text that markdown would take for a heading, fence, rule or markup, kept from being one."""
    return _LIKE_MARKDOWN.sub(r"\\", line, count=1) if _LIKE_MARKDOWN.match(line) else line


def runs_on(before: str, after: str) -> bool:
    """Whether two lines of a paragraph join without a space: both sides in a script that sets none."""
    return bool(_RUNS_ON.search(before) and _RUNS_IN.search(after))


def without_inner_spaces(text: str) -> str:
    """Spaces between characters of Chinese and Japanese, as OCR puts them, taken out."""
    return _INNER_SPACE.sub("", text)


def _plain_form(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found.group())
