"""`history NOTE`: find the record that is meant, and follow its line both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag.app.finding import find_record
from docs_rag.core.history.tree import History, trace

if TYPE_CHECKING:
    from docs_rag.core.storage import Store


def history(store: Store, typed: str) -> History:
    """The line of the record that `typed` means: a path, a file name, an id, a title, an alias, a part of a log.

    Raises `NotThere` that names the nearest ones when there is none, and the candidates when there are several.
    """
    path = find_record(store, typed)
    return trace(store.lines.relatives([path])[path], store.lines.relatives)
