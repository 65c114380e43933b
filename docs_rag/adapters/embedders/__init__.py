"""The embedders, one row each, and the choice between them; nothing of them is loaded before it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.models import BUILTIN_PREFIX, plain_name
from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from docs_rag.core.ports import Embedder

NONE: Final = "none"
"""The configured name for lexical search alone."""

_OLLAMA: Final = "docs_rag.adapters.embedders.ollama"
_BUILTIN: Final = "docs_rag.adapters.embedders.builtin"

EMBEDDERS: Final[dict[str, str]] = {
    BUILTIN_PREFIX: f"{_BUILTIN}:open_model",
    "": f"{_OLLAMA}:open_model",
}
"""Beginning of a model's name -> function `(name, host) -> Embedder`; the first row that fits is taken."""

_PREFERRED: Final = "bge-m3"


def open_embedder(name: str, host: str) -> Embedder | None:
    """The embedder for a model's name, or None for `none`; `host` is the Ollama server's base URL.

    Nothing is loaded or asked yet. Raises `ConfigError` for a name that says that its model runs elsewhere, or
    for a builtin model that does not exist. `auto` is no model: `choose_auto` names one first.
    """
    if name == NONE:
        return None
    row = next(row for beginning, row in EMBEDDERS.items() if name.startswith(beginning))
    embedder: Embedder = _resolve(row)(name, host)
    return embedder


def choose_auto(indexed_model: str | None, host: str) -> str:
    """The model that `auto` stands for; `indexed_model` is the one that the index was made with, if any.

    The index's model as long as it can run here; else bge-m3 when the Ollama server at `host` has it; else the
    builtin one; else `none`. While no Ollama answers, an index made with one of its models keeps it: a server
    that is down for a moment is no reason to embed everything again.
    """
    builtin_runs: bool = _resolve(f"{_BUILTIN}:is_available")()
    indexed = plain_name(indexed_model) if indexed_model else NONE
    if indexed.startswith(BUILTIN_PREFIX) and builtin_runs:
        return indexed
    served = _served(host)
    if indexed != NONE and not indexed.startswith(BUILTIN_PREFIX) and (served is None or indexed in served):
        return indexed
    if served and _PREFERRED in served:
        return _PREFERRED
    return BUILTIN_E5 if builtin_runs else NONE


def _served(host: str) -> list[str] | None:
    """The embedding models that the Ollama server has; None when there is none."""
    try:
        found: list[str] = _resolve(f"{_OLLAMA}:installed_embedding_models")(host)
    except EmbedderUnavailable:
        return None
    return found


def _resolve(row: str) -> Any:
    module, _, name = row.partition(":")
    return getattr(import_module(module), name)
