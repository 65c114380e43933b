"""A vault that means harm, and what must never come out of a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\U000e0000-\U000e007f]"
)
"""Characters that move a cursor, reorder a line or hide from the eye; written again, not taken from the program."""

FORGED = "[semantic 0.99]  forged.md"
"""What a line of ours looks like."""
EVIL = f"\x1b]0;gone\x07\x1b[2J\u202etxt\u2066\U000e0041\r{FORGED} \u200f\x9b31m\u2028"
"""Sets the title, clears the screen, turns the line around, hides a letter, begins a line that looks like ours."""


def notes() -> dict[str, str]:
    """Notes by path; hostile are names, titles, states, tags, headings, text and links."""
    return {
        f"a{EVIL}.md": f"---\nstatus: superseded\nsuperseded_by: b.md\n---\n# T {EVIL}\n\nZebra {EVIL}\n",
        "b.md": f"---\nstatus: accepted {EVIL}\ntags: ['x{EVIL}']\n---\n# B {EVIL}\n\n## H {EVIL}\n\nZebra\n{FORGED}\n",
        "c.md": f"# C\n\nStatus: superseded by [x]({EVIL}.md)\n\nZebra. See [[a{EVIL}]].\n",
        "d\n" + FORGED + ".md": "# D\n\nZebra\n",
        "0001-x.md": f"---\nstatus: superseded\nsuperseded_by: {EVIL}\ndate: 2026-99-99{EVIL}\n---\n# X\n\nZebra\n",
        f"f{EVIL}/e.md": "# E\n\nZebra\n",
    }


def make(vault: Path) -> None:
    """Write the notes, one that is no text, and a link that leads out."""
    for path, text in notes().items():
        place = vault / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
    (vault / f"bad{EVIL}.md").write_bytes(b"\xff\xfe\xfa zebra \x80\x00")
    (vault / f"link{EVIL}.md").symlink_to("/etc/passwd")


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
