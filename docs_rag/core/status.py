"""The five states of a record."""

from enum import StrEnum


class Status(StrEnum):
    """What a record's status word comes down to."""

    CURRENT = "current"
    DRAFT = "draft"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"

    @property
    def is_hidden(self) -> bool:
        """True for the states that a default search does not return."""
        return self in (Status.SUPERSEDED, Status.ARCHIVED)


FINALITY: dict[Status, int] = {
    Status.DRAFT: 0,
    Status.CURRENT: 1,
    Status.REJECTED: 2,
    Status.ARCHIVED: 3,
    Status.SUPERSEDED: 4,
}
"""Where several states are said of one record, the highest wins."""


def part_counts(note: Status, part: Status, speaks: bool) -> bool:
    """Whether a section of a part stands as the part does, rather than as the whole note.

    The more final word counts, but what is said of a part goes before a note that is in force or a draft. `speaks` is
    False for a part that says nothing of its state.
    """
    if not speaks and part is Status.CURRENT:
        return note is Status.CURRENT
    return note in (Status.CURRENT, Status.DRAFT) or FINALITY[part] >= FINALITY[note]
