"""Paths that can be clicked on: hyperlinks of terminals (OSC 8), where the terminal is known to have them.

Format: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

TERMINALS: Final = (
    ("TERM_PROGRAM", r"iTerm\.app|WezTerm|vscode|ghostty|Hyper|Tabby|rio|mintty"),
    ("TERM", r"xterm-kitty|xterm-ghostty|foot(-.*)?|alacritty(-.*)?|contour|wezterm"),
    ("KITTY_WINDOW_ID", r".+"),
    ("WT_SESSION", r".+"),
    ("VTE_VERSION", r"500[1-9]|50[1-9]\d|5[1-9]\d\d|[6-9]\d{3}|\d{5,}"),  # 0.50.0 crashes on a link
    ("KONSOLE_VERSION", r"2012\d\d|(2[1-9]|[3-9]\d)\d{4}"),
)
"""Variables that tell a terminal with hyperlinks, with the values that do."""
MULTIPLEXERS: Final = ("TMUX", "STY")
"""Variables of what stands between this process and the terminal, and may not hand links on."""


def has_hyperlinks(environment: Mapping[str, str]) -> bool:
    """Whether the terminal of this environment shows hyperlinks; `FORCE_HYPERLINK` (0, or anything else) decides."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    if any(environment.get(name) for name in MULTIPLEXERS):
        return False
    return any(re.fullmatch(values, environment.get(name, "")) for name, values in TERMINALS)


def linked(text: str, target: str) -> str:
    """`text` as a link; `target` is a URI without control characters, as the functions below make them."""
    return f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\"


def note_uri(place: str, *, obsidian: bool) -> str:
    """What opens the note at the absolute path `place`: Obsidian, else whatever the desktop has for it."""
    if obsidian:
        return f"obsidian://open?path={quote(place, safe='')}"
    if sys.platform == "win32":
        return Path(place).as_uri()
    return f"file://{quote(os.uname().nodename)}{quote(place)}"  # the name tells a remote shell's files from local ones


def is_obsidian_vault(folder: str) -> bool:
    """Whether the folder (absolute) is one of Obsidian's vaults, or lies in one."""
    place = Path(folder)
    return any((each / ".obsidian").is_dir() for each in (place, *place.parents))
