"""The vault as a folder on disk: what it holds, what is left out of it, and safe reading."""

from docs_rag.adapters.vault.folder import FolderVault

__all__ = ["FolderVault"]
