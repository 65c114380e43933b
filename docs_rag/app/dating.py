"""Dating notes that say nothing of when they were made: by their first commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from docs_rag.core.ports import Origins
    from docs_rag.core.storage import Store


class Dated(NamedTuple):
    """What came of a look at the history."""

    changed: bool = False
    """Whether a note has another date than before."""
    warning: str = ""
    """Why notes may lack a date, where their author can mend it."""


def date_notes(store: Store, origins: Origins | None) -> Dated:
    """Give the notes without a date the day of their first commit; without `origins` take such dates back.

    The history is asked once for all of them, and again only after its version has changed or for new notes: one that
    has its date keeps it.
    """
    rows = store.first_days
    if origins is None:
        return Dated(changed=rows.forget())
    if not rows.is_any_unknown():
        return Dated()
    version = origins.version()
    if not version:
        return Dated(warning=origins.warning)
    wanted = rows.unknown(version)
    if not wanted:
        return Dated()
    days = origins.first_days(wanted)
    rows.put(version, wanted, days)
    return Dated(bool(days), origins.warning)
