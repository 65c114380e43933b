"""What `init`, `doctor` and `bundle` ask of this machine: joins them, as `wiring` does, with adapters that know."""

# ruff: noqa: PTH118, PTH119

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from docs_rag import __version__
from docs_rag.config import lies_in
from docs_rag.core.diagnosis.facts import Program
from docs_rag.core.installed import Copy
from docs_rag.errors import EmbedderUnavailable
from docs_rag.statefiles import user_cache_folder

_MAX_BYTES: Final = 50_000_000
"""Of a settings file: Claude Code keeps histories in its own."""


class Files:
    """Implements `app.registered.Machine`."""

    def read(self, path: str) -> bytes | None:
        """The content of a file; None where there is none, none that can be read, or one of more than 50 MB."""
        place = Path(path)
        try:
            return place.read_bytes() if place.is_file() and place.stat().st_size <= _MAX_BYTES else None
        except (OSError, ValueError):
            return None

    def starts(self, command: str) -> bool:
        """Whether there is a program of that name or path."""
        return shutil.which(os.path.expanduser(command)) is not None  # noqa: PTH111

    def exists(self, path: str) -> bool:
        """Whether something is there."""
        return os.path.lexists(path)

    def real(self, path: str) -> str:
        """The path with its links resolved, in the form in which two names of one file are equal."""
        return os.path.normcase(os.path.realpath(path))


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


def program() -> Program:
    """This copy of docs-rag."""
    from docs_rag.adapters.installation import installed  # noqa: PLC0415

    found = installed()
    return Program(version=__version__, python=platform.python_version(), place=found.program, on_path=found.on_path)


def sqlite_version() -> str:
    """The version of the SQLite in use; raises `DocsRagError` for one that cannot hold an index."""
    from docs_rag.adapters.sqlite.library import usable_version  # noqa: PLC0415

    return usable_version()


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


def own_copy() -> Copy:
    """All of the copy that runs, to be put into a bundle. Raises `DocsRagError`."""
    from docs_rag.adapters import installation  # noqa: PLC0415

    return installation.own_copy()
