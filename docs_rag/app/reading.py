"""Reading what stands beside a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.core.parsing import decode

if TYPE_CHECKING:
    from docs_rag.core.documents import DocPath
    from docs_rag.core.ports import Vault


def beside_text(vault: Vault, path: DocPath) -> str | None:
    """The text of the metadata file beside a note, None where there is none; raises `Unreadable`."""
    data = vault.sidecar(path)
    return None if data is None else decode(data)
