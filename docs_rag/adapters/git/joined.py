"""The histories of several folders as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.core.rootpaths import join_root, split_root

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from docs_rag.core.documents import DocPath
    from docs_rag.core.ports import Origins


class JoinedOrigins:
    """Implements `core.ports.Origins` for a vault and its roots."""

    def __init__(self, folders: Mapping[str, Origins]) -> None:
        """The history of each folder under its root's name; that of the vault under `""`."""
        self._folders = folders

    @property
    def warning(self) -> str:
        """What stood in the way in any of the folders."""
        return "; ".join(dict.fromkeys(filter(None, (each.warning for each in self._folders.values()))))

    def version(self) -> str:
        """The versions of all folders that have a history; empty where none has."""
        versions = ((name, each.version()) for name, each in self._folders.items())
        return " ".join(f"{name}={version}" for name, version in versions if version)

    def first_days(self, paths: Collection[DocPath]) -> dict[DocPath, str]:
        """The first days of notes, ISO, each by the history of its folder."""
        found: dict[DocPath, str] = {}
        for name, origins in self._folders.items():
            below = [rest for root, rest in (split_root(path, self._folders) for path in paths) if root == name]
            if below:
                found.update({join_root(name, path): day for path, day in origins.first_days(below).items()})
        return found
