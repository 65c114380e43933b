"""What was worked out of one committed state of the index, kept until another state comes: a server asks it again."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Hashable, Iterator, Sequence

MOST_VALUES: Final = 64
"""Values of any kind, such as what a scope comes to; those that were asked for last stay."""
MOST_IDS: Final = 250_000
"""Ids in all kept lists of sections together: 10 MB."""

T = TypeVar("T")


class Kept:
    """Values of one connection. They count within `reading` alone, and there only while nothing was committed since.

    Outside of it nothing is kept or given: a transaction of our own may be undone.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Nothing is kept yet."""
        self._db = connection
        self._version: tuple[int, int] | None = None
        self._is_reading = False
        self._values: OrderedDict[Hashable, object] = OrderedDict()
        self._lists: OrderedDict[Hashable, Sequence[int]] = OrderedDict()
        self._ids = 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A block inside one read transaction: what was kept of an older state is forgotten first."""
        version = (self._db.execute("PRAGMA data_version").fetchone()[0], self._db.total_changes)
        if version != self._version:
            self._values.clear()
            self._lists.clear()
            self._version, self._ids = version, 0
        self._is_reading = True
        try:
            yield
        finally:
            self._is_reading = False

    def value(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, which must not be changed by who gets it; `key` tells what it is, and of what kind."""
        if not self._is_reading:
            return make()
        if key not in self._values:
            self._values[key] = make()
            if len(self._values) > MOST_VALUES:
                self._values.popitem(last=False)
        self._values.move_to_end(key)
        found: T = self._values[key]  # type: ignore[assignment]  # one kind of value for one kind of key
        return found

    def ids(self, key: Hashable, make: Callable[[], Sequence[int]]) -> Sequence[int]:
        """The same for lists of ids, which may be long and many: as many as `MOST_IDS` have room."""
        if not self._is_reading:
            return make()
        found = self._lists.get(key)
        if found is None:
            found = make()
            self._lists[key] = found
            self._ids += len(found)
            while self._ids > MOST_IDS:
                self._ids -= len(self._lists.popitem(last=False)[1])
        else:
            self._lists.move_to_end(key)
        return found
