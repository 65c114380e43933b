"""What Obsidian keeps of a vault that matters here: where its settings lie, and which notes it leaves out.

Sources: the app's help on "Excluded files" and on overriding the config folder, and `app.json` as the app writes it.
Excluded files stay in the vault there and are only kept out of searches, which is what `defaultExclude` does here.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from docs_rag.core.pathrules import PathRules

CONFIG_FOLDER: Final = ".obsidian"
"""Its settings, unless the user gave the folder another name that begins with a dot."""

SETTINGS: Final = "app.json"
_COMPANIONS: Final = frozenset({"appearance.json", "community-plugins.json", "core-plugins.json", "workspace.json"})


class Excluded(NamedTuple):
    """The filters of a vault, as far as they say anything of its notes."""

    entries: tuple[str, ...]
    """Those that an entry of `defaultExclude` says just as well."""
    others: tuple[str, ...]
    """Those that none says: patterns, beginnings of names, names that mean other notes too."""


def is_config_folder(name: str, entries: Collection[str]) -> bool:
    """Whether a folder of the vault with these entries holds Obsidian's settings."""
    if name == CONFIG_FOLDER:
        return True
    return name.startswith(".") and SETTINGS in entries and not _COMPANIONS.isdisjoint(entries)


def ignore_filters(text: str) -> tuple[str, ...]:
    """The filters of "Excluded files" in the text of `app.json`; none when it cannot be read."""
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    filters = settings.get("userIgnoreFilters") if isinstance(settings, dict) else None
    wanted = filters if isinstance(filters, list) else []
    return tuple(dict.fromkeys(each.strip() for each in wanted if isinstance(each, str) and each.strip()))


def excluded(filters: Iterable[str], paths: Collection[str], known: PathRules) -> Excluded:
    """What the filters come to for notes at `paths`; `known` is what searches leave out anyway.

    A filter is the beginning of a path, or a pattern between slashes, which Obsidian reads as JavaScript does and
    nobody here does.
    """
    entries: list[str] = []
    others: list[str] = []
    for each in filters:
        if _is_pattern(each):
            others.append(each)
            continue
        meant = {path for path in paths if path.startswith(each)}
        if not meant or all(known.matches(path) for path in meant):
            continue
        rule = PathRules([each])
        says_it = {path for path in paths if rule.matches(path)} == meant
        (entries if says_it else others).append(each.rstrip("/") if says_it else each)
    return Excluded(tuple(entries), tuple(others))


def _is_pattern(written: str) -> bool:
    return len(written) > 2 and written.startswith("/") and written.endswith("/")
