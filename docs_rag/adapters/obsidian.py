"""Finds the settings that Obsidian keeps in a vault."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from docs_rag.core.obsidian import CONFIG_FOLDER, SETTINGS, ignore_filters, is_config_folder

_MAX_BYTES: Final = 1_000_000


def config_folder(vault: str) -> str | None:
    """The name of the folder with Obsidian's settings, or None where the folder is no vault of it."""
    try:
        names = sorted(each.name for each in Path(vault).iterdir() if each.name.startswith(".") and each.is_dir())
    except OSError:
        return None
    names.sort(key=lambda name: name != CONFIG_FOLDER)
    return next((name for name in names if is_config_folder(name, _entries(Path(vault, name)))), None)


def filters(vault: str, folder: str) -> tuple[str, ...]:
    """The filters of "Excluded files" in the settings in `folder`; none where they cannot be read."""
    place = Path(vault, folder, SETTINGS)
    try:
        if not place.is_file() or place.stat().st_size > _MAX_BYTES:
            return ()
        return ignore_filters(place.read_text(encoding="utf-8-sig", errors="replace"))
    except OSError:
        return ()


def _entries(folder: Path) -> set[str]:
    try:
        return {each.name for each in folder.iterdir()}
    except OSError:
        return set()
