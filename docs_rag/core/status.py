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
