"""What `init` and `doctor` ask about this machine: joins them, as `wiring` does, with the adapters that know."""

# ruff: noqa: PTH118, PTH119

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from docs_rag.config import lies_in
from docs_rag.errors import EmbedderUnavailable
from docs_rag.statefiles import user_cache_folder


class ObsidianVault(NamedTuple):
    """A folder that Obsidian knows as a vault."""

    folder: str
    """Name of the folder with its settings."""
    filters: tuple[str, ...]
    """What its "Excluded files" says."""


def obsidian_vault(folder: str) -> ObsidianVault | None:
    """Obsidian's settings in a folder of notes, or None where there are none."""
    from docs_rag.adapters.obsidian import config_folder, filters  # noqa: PLC0415

    name = config_folder(folder)
    return None if name is None else ObsidianVault(name, filters(folder, name))


def synced_by(path: str) -> str | None:
    """The service that keeps a file or folder in step with other machines, or None."""
    from docs_rag.adapters import synced  # noqa: PLC0415

    return synced.synced_by(path)


def conflicted_copies(names: Iterable[str], service: str | None) -> list[str]:
    """Those of the notes' paths that look like copies which `service`, or any other, made of a note."""
    from docs_rag.adapters import synced  # noqa: PLC0415

    return synced.conflicted_copies(names, service)


def ollama_models(host: str) -> list[str]:
    """The embedding models of the Ollama at `host`; raises `EmbedderUnavailable` when none answers."""
    from docs_rag.adapters.embedders.ollama import installed_embedding_models  # noqa: PLC0415

    return installed_embedding_models(host)


def builtin_fault() -> EmbedderUnavailable | None:
    """Why the builtin model cannot run here; None when it can, as far as can be seen without loading it."""
    from docs_rag.adapters.embedders.builtin import BuiltinEmbedder  # noqa: PLC0415

    try:
        BuiltinEmbedder().digest()
    except EmbedderUnavailable as error:
        return error
    return None


def cached_index(project: str) -> str:
    """Where the index of a project may lie that must not lie in it: in the user's cache folder, under its own name."""
    import hashlib  # noqa: PLC0415  # for a folder that is kept in step alone

    mark = hashlib.sha256(os.path.realpath(project).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    name = "".join(char for char in os.path.basename(project) if char.isalnum() or char in "-_")
    return os.path.join(user_cache_folder(), f"{name}-{mark}", "index.db")


def from_home(path: str) -> str:
    """A path as a config may hold it for all machines of its user: from `~` where it lies there."""
    home = os.path.expanduser("~")  # noqa: PTH111
    return f"~/{os.path.relpath(path, home).replace(os.sep, '/')}" if lies_in(path, home) else path
