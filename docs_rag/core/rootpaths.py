"""Paths of notes that lie in other folders than the vault: `name/rest`, where `roots` maps `name` to a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container

from docs_rag.core.documents import DocPath

Roots = tuple[tuple[str, str], ...]
"""Pairs of a name and the absolute path of its folder."""


def split_root(path: str, names: Container[str]) -> tuple[str, DocPath]:
    """The name of the root that a path lies in, empty for the vault, and the path as it counts from there."""
    name, slash, rest = path.partition("/")
    return (name, DocPath(rest)) if slash and name in names else ("", DocPath(path))


def join_root(name: str, path: str) -> DocPath:
    """The path of a note of a root among all notes; `name` is empty for the vault."""
    return DocPath(f"{name}/{path}" if name else path)


def count_by_root(paths: Collection[str], names: Collection[str]) -> Counter[str]:
    """How many of the paths lie in each root, under `""` in the vault."""
    if not names:
        return Counter({"": len(paths)})
    return Counter(split_root(path, names)[0] for path in paths)
