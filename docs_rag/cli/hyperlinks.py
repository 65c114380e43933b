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

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.config import Config
from docs_rag.core.documents import note_path
from docs_rag.core.obsidian import CONFIG_FOLDER, is_config_folder
from docs_rag.core.rootpaths import split_root

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
    """Whether a folder (absolute) is a vault of Obsidian, or lies in one whose settings are at the usual place."""
    place = Path(folder)
    if any((each / CONFIG_FOLDER).is_dir() for each in (place, *place.parents)):
        return True
    try:
        return any(is_config_folder(each.name, os.listdir(each)) for each in place.glob(".*") if each.is_dir())  # noqa: PTH208
    except OSError:
        return False


class Links:
    """Makes links to the notes of one vault."""

    def __init__(self, config: Config) -> None:
        """Look once which folders are Obsidian's."""
        self._vault = wiring.open_vault(config)
        self._obsidian = {name: is_obsidian_vault(folder) for name, folder in (("", config.vault_path), *config.roots)}

    def __call__(self, path: str, text: str) -> str:
        """`text` as a link to the note, or to the note that the part at `path` is of."""
        obsidian = self._obsidian[split_root(path, self._obsidian)[0]]
        return linked(text, note_uri(self._vault.place(note_path(path)), obsidian=obsidian))


def links_on_stdout(config: Config) -> Links | None:
    """What makes links for who reads stdout; None where that is no terminal with links, or they are not wanted."""
    return Links(config) if output.in_colour(sys.stdout) and has_hyperlinks(os.environ) else None
