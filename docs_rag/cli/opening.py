"""Opens a note for its reader: in Obsidian, in the editor of the environment, or with what the desktop has for it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from docs_rag.cli.hyperlinks import note_uri
from docs_rag.errors import DocsRagError

JUMPS: Final = (
    ("vi vim nvim gvim view nano pico emacs emacsclient kak micro joe ne mg jed", ("+{line}", "{place}")),
    ("code code-insiders codium cursor windsurf", ("--goto", "{place}:{line}")),
    ("hx helix subl zed", ("{place}:{line}",)),
)
"""How editors are told the line; all others get the file alone."""
TEXT: Final = frozenset((".md", ".markdown", ".txt"))
"""Suffixes of notes that are left to the desktop: for others it may have a program that runs them."""
PATIENCE: Final = 2.0
"""Seconds after which a program of the desktop that has not ended is at work."""


def open_note(place: str, line: int, *, obsidian: bool) -> None:
    """Open the file at the absolute path `place`; an editor has the terminal until it ends.

    Raises `DocsRagError` when nothing here opens it.
    """
    if obsidian and _on_desktop(note_uri(place, obsidian=True)):
        return
    editor = editor_command(os.environ, place, line)
    if editor:
        _edit(editor)
    elif Path(place).suffix.casefold() not in TEXT or not _on_desktop(place):
        raise DocsRagError(f"nothing here opens {place}", "set EDITOR to your editor")


def editor_command(environment: Mapping[str, str], place: str, line: int) -> list[str]:
    """`VISUAL`, else `EDITOR`, with the file and the line; empty where neither is set."""
    written = environment.get("VISUAL") or environment.get("EDITOR") or ""
    try:
        editor = shlex.split(written, posix=os.name == "posix")
    except ValueError:  # a quotation mark without its other end
        editor = written.split()
    if not editor:
        return []
    name = Path(editor[0]).stem.casefold()
    jump = next((parts for names, parts in JUMPS if name in names.split()), ("{place}",))
    return [*editor, *(part.replace("{line}", str(line)).replace("{place}", place) for part in jump)]


def _edit(command: Sequence[str]) -> None:
    try:
        status = subprocess.run(command, check=False).returncode
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise DocsRagError(f"cannot start the editor {command[0]}: {why}", "set EDITOR to your editor") from None
    if status:
        raise DocsRagError(f"the editor {command[0]} ended with status {status}")


def _on_desktop(target: str) -> bool:
    """Hand a file or URI to the desktop; False where there is none, or it knows nothing for it."""
    if sys.platform == "win32":
        try:
            os.startfile(target)
        except OSError:
            return False
        return True
    if sys.platform == "darwin":
        return _starts(["open", target])
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(has_screen) and _starts(["xdg-open", target])


def _starts(command: Sequence[str]) -> bool:
    nowhere = subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)
    except OSError:
        return False
    try:
        return process.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        process.returncode = 0  # it is the reader's from here on: its end is not waited for
        return True
