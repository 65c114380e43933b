"""Opens the folders that a project's notes lie in: the vault, and those of `roots` with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.conversion import MEGABYTE, larger_files
from docs_rag.errors import DocsRagError

if TYPE_CHECKING:
    from docs_rag.adapters.vault import FolderVault
    from docs_rag.config import Config
    from docs_rag.core.documents import DocPath
    from docs_rag.core.ports import Origins, PlacedVault


def open_vault(config: Config) -> PlacedVault:
    """The notes as the config cuts them out."""
    vault = _open_folder(config, config.vault_path)
    if not config.roots:
        return vault
    from docs_rag.adapters.vault.joined import JoinedVault  # noqa: PLC0415  # few projects have roots

    return JoinedVault(vault, {name: _open_folder(config, folder, name) for name, folder in config.roots})


def _open_folder(config: Config, folder: str, below: str = "") -> FolderVault:
    from docs_rag.adapters.vault import FolderVault  # noqa: PLC0415

    return FolderVault(
        folder,
        include=config.include,
        exclude=config.exclude,
        gitignore=config.gitignore,
        max_bytes=int(config.max_file_mb * MEGABYTE),
        larger=larger_files(config),
        below=below,
    )


def open_origins(config: Config) -> Origins:
    """What tells when notes without a date of their own were first committed, each in its own history."""
    from docs_rag.adapters.git.origins import GitOrigins  # noqa: PLC0415

    own = GitOrigins(config.vault_path)
    if not config.roots:
        return own
    from docs_rag.adapters.git.joined import JoinedOrigins  # noqa: PLC0415

    return JoinedOrigins({"": own, **{name: GitOrigins(folder) for name, folder in config.roots}})


def contents_at(config: Config, revision: str) -> dict[DocPath, str]:
    """The ids of the notes' files as git had them in a revision; every folder must lie in a repository that has it.

    Raises `UsageError`, `DocsRagError`.
    """
    from docs_rag.adapters.git.tree import blobs  # noqa: PLC0415

    found = blobs(config.vault_path, revision)
    if config.roots:
        from docs_rag.core.rootpaths import join_root  # noqa: PLC0415

        for name, folder in config.roots:
            try:
                below = blobs(folder, revision)
            except DocsRagError as error:
                raise DocsRagError(f"{error.message} (for root {name})", error.hint) from error
            found.update({join_root(name, path): blob for path, blob in below.items()})
    return found
