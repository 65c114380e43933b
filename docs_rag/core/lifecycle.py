"""What a record says of its own state: status word, successor, predecessors, dates."""

from __future__ import annotations

from dataclasses import dataclass

from docs_rag.core.status import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """One record's own words on its state; what the vault as a whole makes of them is a `Standing`."""

    status: Status = Status.CURRENT
    status_text: str = ""
    """As written; empty when the record says nothing."""
    known: bool = True
    """False when the status word stands in no table; the record is then current."""
    successors: tuple[str, ...] = ()
    """References to what replaced this record, as written."""
    claims: tuple[str, ...] = ()
    """References to what this record says that it replaces, as written."""
    partial: tuple[str, ...] = ()
    """References to what replaced parts of this record; they leave it current."""
    partial_claims: tuple[str, ...] = ()
    """References to what this record says that it replaces parts of."""
    date: str | None = None
    """The record's own date, ISO `YYYY-MM-DD`; that of its first commit where it has none."""
    is_git_date: bool = False
    decided: bool = True
    """False when `date` only says when the note was made or touched (`created`, `updated`): such a day dates no
    supersession of what it replaced."""
    superseded_on: str | None = None
    """When it was superseded, ISO, if the record itself says so."""
    ids: tuple[str, ...] = ()
    """Identifiers given as keys (`id`, `adr`, `eip` ...), as written."""
    template: bool = False
    """True for a form to be filled in, which is not a record yet."""

    @property
    def date_source(self) -> str | None:
        """Where `date` comes from: `note` for its own text, metadata or file name, `git` for its first commit."""
        return None if self.date is None else "git" if self.is_git_date else "note"
