"""What there is to read in a project: its notes, one by one and as a list, and the state of its index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.notelist import Filter, note_list
from docs_rag.core.paging import MOST_CHARS
from docs_rag.core.wanted import within_vault

if TYPE_CHECKING:
    from docs_rag.app.catchup import CatchUp
    from docs_rag.app.overview import KeepsRecords, Settings
    from docs_rag.app.reader import Reader
    from docs_rag.app.refreshing import Refresher
    from docs_rag.core.catchup import CaughtUp
    from docs_rag.core.indexstate import IndexState
    from docs_rag.core.notelist import NoteList
    from docs_rag.core.ports import Embedder
    from docs_rag.core.reading import Reading
    from docs_rag.core.wanted import Wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The use cases of the reading tools, on one open index."""

    store: KeepsRecords
    reader: Reader
    refresher: Refresher
    catch_up: CatchUp
    settings: Settings
    embedder: Embedder | None = None
    failure: str = ""
    """Why there is no embedder although one is wanted."""
    rest: Callable[[], None] = lambda: None
    """Gives back what conversions of documents hold."""

    def read(self, wanted: Wanted, *, most_chars: int | None = MOST_CHARS) -> Reading:
        """A part of a note; raises `NotThere`."""
        try:
            return self.reader.read(wanted, most_chars=most_chars)
        finally:
            self.rest()

    def notes(self, wanted: Filter) -> NoteList:
        """The first page of the notes that are wanted, after changed ones were read."""
        notices = self.refresher.before_query().notices
        return note_list(self.store.notes.listing(), wanted, notices)

    def state(self) -> IndexState:
        """The state of the index, as `status` shows it; asks the embedder once whether it can be reached."""
        from docs_rag.app.overview import overview  # noqa: PLC0415  # few ask for it

        return overview(self.store, self.embedder, self.settings, self.failure)

    def refresh(self, path: str) -> CaughtUp:
        """Take in what changed at a path of the vault, or everywhere for ""; raises as `CatchUp.run` does."""
        try:
            return self.catch_up.run(within_vault(path, self.settings.vault, self.settings.roots))
        finally:
            self.rest()
