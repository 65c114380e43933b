"""The signs of a model's vectors as the index keeps them: in blocks, each for the sections of 128 notes.

A block that is there is right: the schema's triggers take it away with a change of one of its notes, in the same
transaction, and vectors that came after it was made are found by their ids. What is missing is worked out from sections
and vectors: by who reads in memory, by `complete` in the file. So nothing that is stopped half-way can mislead.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.sqlite.admitted import among, distinct
from docs_rag.adapters.sqlite.connection import transaction
from docs_rag.core.sections import ORDINAL_BITS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]
    Words = NDArray[np.uint64]

KEPT_FROM: Final = 5_000
"""Vectors from which on signs are kept: a process reads fewer as quickly as it reads their signs."""
SAMPLED: Final = 4_096
"""Vectors that the centre is the mean of."""
BLOCK_BITS: Final = ORDINAL_BITS + 7
"""A block's number is that of its sections, shifted by so many; the schema's triggers know it too."""
GROUP: Final = 64
"""Blocks that one transaction writes: some 50,000 sections, in less than a second."""
READ: Final = 4_096
"""Vectors that are held at once."""
_END: Final = 1 << 62
_PAIRS: Final = (
    "SELECT c.id, coalesce(v.id, -1) FROM chunks c {index} LEFT JOIN vectors v ON v.model = :model"
    " AND v.digest = c.digest WHERE c.digest IS NOT NULL {range}"
)
_ALL_PAIRS: Final = _PAIRS.format(index="INDEXED BY chunks_digest", range="")
_SOME_PAIRS: Final = _PAIRS.format(index="NOT INDEXED", range="AND c.id >= :first AND c.id < :end")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The signs of some sections' vectors, seen from a centre; a column of `bits` is a section's."""

    sections: Ints
    """Ids, ascending."""
    vectors: Ints
    """For each section its vector: vectors.id."""
    bits: Words
    """64 dimensions in a row."""
    waiting: int
    """Sections beside these that have no vector."""


def can_count_bits() -> bool:
    """Whether the installed numpy counts bits; it does from 2.0 on."""
    import numpy as np  # noqa: PLC0415

    return hasattr(np, "bitwise_count")


def packed(bits: NDArray[np.bool_]) -> Words:
    """Rows of bits, 64 in a word, as columns: one row of the result holds a word of every row that came in."""
    import numpy as np  # noqa: PLC0415

    bytes_ = np.packbits(bits, axis=1)
    missing = -bytes_.shape[1] % 8
    words: Words = np.ascontiguousarray(np.pad(bytes_, ((0, 0), (0, missing)))).view(np.uint64)
    return np.ascontiguousarray(words.T)


def vectors_of(connection: sqlite3.Connection, keys: Sequence[int]) -> Floats:
    """The vectors with these ids, ascending and each once, a row each. Raises `ValueError` when one is not there."""
    import numpy as np  # noqa: PLC0415

    rows = connection.execute(
        "SELECT v.vector FROM json_each(:keys) j CROSS JOIN vectors v ON v.id = j.value", {"keys": json.dumps(keys)}
    )
    found = [row[0] for row in rows]
    if len(found) != len(keys):
        raise ValueError("a vector that the index points to is not there")
    return np.frombuffer(b"".join(found), "<f4").reshape(len(found), -1)


def pairs(connection: sqlite3.Connection, model: int, first: int = 0, end: int = _END) -> tuple[Ints, Ints, Ints]:
    """The sections from `first` up to `end` that have a vector, ascending; their vectors' ids; those that have none."""
    import numpy as np  # noqa: PLC0415

    bounds = {"model": model, "first": first, "end": end}
    rows = connection.execute(_ALL_PAIRS if (first, end) == (0, _END) else _SOME_PAIRS, bounds)
    found = np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, 2)
    found = found[np.argsort(found[:, 0])]
    known, waiting = found[found[:, 1] >= 0], found[found[:, 1] < 0]
    return known[:, 0].copy(), known[:, 1].copy(), waiting[:, 0]


def newest(connection: sqlite3.Connection, keys: Ints) -> tuple[int, bytes] | None:
    """The newest of some vectors, with the digest of its text: what `is_there` asks for later."""
    if not len(keys):
        return None
    row = connection.execute("SELECT id, digest FROM vectors WHERE id = ?", (int(keys.max()),)).fetchone()
    return None if row is None else (row[0], row[1])


def is_there(connection: sqlite3.Connection, model: int, last: tuple[int, bytes] | None) -> bool:
    """Whether the newest vector that was read is in the index; if not, ids may mean other vectors by now."""
    if last is None:
        return True
    row = connection.execute("SELECT digest FROM vectors WHERE id = ? AND model = ?", (last[0], model)).fetchone()
    return row is not None and row[0] == last[1]


class SignRows:
    """Reads and writes the signs of one model."""

    def __init__(self, connection: sqlite3.Connection, model: int) -> None:
        """Nothing is read yet."""
        self._db = connection
        self.model = model
        self._held: dict[int, tuple[int, Signs]] = {}
        self._signs: Signs | None = None
        self._last: tuple[int, bytes] | None = None
        self._centre: bytes | None = None

    @property
    def centre(self) -> Floats:
        """What the signs are seen from; empty before the first load and where there is no vector."""
        import numpy as np  # noqa: PLC0415

        return np.frombuffer(self._centre or b"", "<f4")

    def are_kept(self) -> bool:
        """Whether the index keeps signs of this model."""
        return self._db.execute("SELECT 1 FROM sketches WHERE model = ? LIMIT 1", (self.model,)).fetchone() is not None

    def load(self) -> Signs:
        """The signs of all sections as of now; what was read before is not read again."""
        with one_state(self._db):
            known = self._take_centre()
            made = dict(self._db.execute("SELECT block, made FROM sketches WHERE model = ?", (self.model,)))
            self._held = {
                block: self._held[block] if self._held.get(block, (None,))[0] == each else (each, self._block(block))
                for block, each in sorted(made.items())
            }
            parts = {block << BLOCK_BITS: signs for block, (_, signs) in self._held.items()}
            parts |= {first: self._missing(first, end) for first, end in _gaps(self._held)}
            signs = _joined([parts[first] for first in sorted(parts)])
            self._signs = self._with_newer(signs, known)
            self._last = newest(self._db, self._signs.vectors)
        return self._signs

    def are_right(self) -> bool:
        """Whether the signs that are kept are those of the vectors, all of which are read for it."""
        with one_state(self._db):
            try:
                kept = self.load()
                self._held, self._signs = {}, None
                return _are_equal(kept, self._missing(0, _END))
            except (ValueError, TypeError):
                return False

    def complete(self) -> None:
        """Keep the signs of all sections, if there are many; each group of blocks is a transaction."""
        if not self._are_worth_keeping():
            if self.are_kept():
                self._forget()
            return
        if self._is_whole():
            return
        with transaction(self._db):
            self._renew_centre()
            self._drop_outdated()
        while group := self._next_group():
            with transaction(self._db):
                self._write(*group)

    def _are_worth_keeping(self) -> bool:
        found = self._db.execute(
            "SELECT 1 FROM vectors WHERE model = ? LIMIT 1 OFFSET ?", (self.model, KEPT_FROM - 1)
        ).fetchone()
        return found is not None and can_count_bits()

    def _forget(self) -> None:
        with transaction(self._db):
            self._db.execute("DELETE FROM sketches")
            self._db.execute("DELETE FROM sketch_centres")

    def _is_whole(self) -> bool:
        row = self._db.execute("SELECT newest FROM sketch_centres WHERE model = ?", (self.model,)).fetchone()
        return row is not None and row[0] >= self._newest() and self._next_group() is None

    def _newest(self) -> int:
        """The id of the model's newest vector, 0 when it has none."""
        row = self._db.execute(
            "SELECT id FROM vectors NOT INDEXED WHERE model = ? ORDER BY id DESC LIMIT 1", (self.model,)
        ).fetchone()
        return 0 if row is None else int(row[0])

    def _renew_centre(self) -> None:
        """Take the centre anew, and with it all blocks, when most vectors came after it or most of its own are gone."""
        row = self._db.execute("SELECT count, made FROM sketch_centres WHERE model = ?", (self.model,)).fetchone()
        if row is not None:
            (kept,) = self._db.execute(
                "SELECT coalesce(sum(sections), 0) FROM sketches WHERE model = ?", (self.model,)
            ).fetchone()
            if self._newest() - row[1] <= row[0] <= 2 * kept:
                return
        (count,) = self._db.execute("SELECT count(*) FROM vectors WHERE model = ?", (self.model,)).fetchone()
        self._forget()
        self._db.execute(
            "INSERT INTO sketch_centres (model, centre, count, made, newest)"
            " VALUES (:model, :centre, :count, :id, :id)",
            {"model": self.model, "centre": self._mean(), "count": count, "id": self._newest()},
        )

    def _drop_outdated(self) -> None:
        """Take away the blocks of sections whose vectors came after them."""
        known = self._take_centre()
        for block in {section >> BLOCK_BITS for section, _ in self._newer(known)}:
            self._db.execute("DELETE FROM sketches WHERE block = ?", (block,))
        self._db.execute("UPDATE sketch_centres SET newest = ? WHERE model = ?", (self._newest(), self.model))

    def _next_group(self) -> tuple[int, int] | None:
        """The next blocks that are missing: the first of them, and the one behind the last; None when none is."""
        rows = self._db.execute("SELECT block FROM sketches WHERE model = ? ORDER BY block", (self.model,))
        for first, end in _gaps([row[0] for row in rows]):
            bounds = {"first": first, "end": end}
            (section,) = self._db.execute(
                "SELECT min(id) FROM chunks WHERE id >= :first AND id < :end", bounds
            ).fetchone()
            if section is not None:
                (last,) = self._db.execute("SELECT max(id) FROM chunks WHERE id < :end", bounds).fetchone()
                block = section >> BLOCK_BITS
                return block, min(block + GROUP, (last >> BLOCK_BITS) + 1)
        return None

    def _write(self, block: int, end: int) -> None:
        import numpy as np  # noqa: PLC0415

        self._take_centre()
        signs, waiting = self._worked_out(block << BLOCK_BITS, end << BLOCK_BITS)
        starts = signs.sections.searchsorted(np.arange(block, end + 1) << BLOCK_BITS).tolist()
        counts = np.bincount((waiting >> BLOCK_BITS) - block, minlength=end - block).tolist()
        for place, (first, stop) in enumerate(pairwise(starts)):
            parts = (signs.sections[first:stop], signs.vectors[first:stop], signs.bits[:, first:stop])
            data = b"".join(part.astype(part.dtype.newbyteorder("<"), order="C").tobytes() for part in parts)
            self._db.execute(
                "INSERT OR REPLACE INTO sketches (block, model, sections, waiting, data) VALUES (?, ?, ?, ?, ?)",
                (block + place, self.model, stop - first, counts[place], data),
            )

    def _take_centre(self) -> int:
        """Have the centre that the index keeps, or one of our own; returns up to which vector the blocks know all."""
        row = self._db.execute("SELECT centre, newest FROM sketch_centres WHERE model = ?", (self.model,)).fetchone()
        if not is_there(self._db, self.model, self._last):
            self._held, self._signs, self._last, self._centre = {}, None, None, None
        wanted = self._centre or self._mean() if row is None else row[0]
        if wanted != self._centre:
            self._held, self._signs, self._centre = {}, None, wanted
        return -1 if row is None else int(row[1])

    def _mean(self) -> bytes:
        import numpy as np  # noqa: PLC0415

        rows = self._db.execute(
            "SELECT vector FROM vectors WHERE model = :model ORDER BY digest LIMIT :count",
            {"model": self.model, "count": SAMPLED},
        ).fetchall()
        vectors = np.frombuffer(b"".join(row[0] for row in rows), "<f4").reshape(max(len(rows), 1), -1)
        mean: Floats = vectors.mean(axis=0, dtype=np.float32)
        return mean.astype("<f4").tobytes()

    def _block(self, block: int) -> Signs:
        """A block as it is kept; raises `ValueError` for one that is none."""
        import numpy as np  # noqa: PLC0415

        count, waiting, data = self._db.execute(
            "SELECT sections, waiting, data FROM sketches WHERE block = ?", (block,)
        ).fetchone()
        rows = np.frombuffer(data, "<i8").reshape(2 + self._words, count)
        return Signs(
            sections=rows[0].astype(np.int64, copy=False),
            vectors=rows[1].astype(np.int64, copy=False),
            bits=rows[2:].astype(np.int64, copy=False).view(np.uint64),
            waiting=waiting,
        )

    @property
    def _words(self) -> int:
        return (len(self._centre or b"") // 4 + 63) // 64

    def _missing(self, first: int, end: int) -> Signs:
        """The signs of the sections from `first` on up to `end`, which is not one of them."""
        return self._worked_out(first, end)[0]

    def _worked_out(self, first: int, end: int) -> tuple[Signs, Ints]:
        """The same, with the sections that wait for a vector."""
        sections, vectors, waiting = pairs(self._db, self.model, first, end)
        bits = self._bits_of(vectors)
        return Signs(sections=sections, vectors=vectors, bits=bits, waiting=len(waiting)), waiting

    def _bits_of(self, keys: Ints) -> Words:
        """The signs of vectors by their ids: those that are held, the others read."""
        import numpy as np  # noqa: PLC0415

        wanted, back = distinct(keys)
        bits = np.zeros((self._words, len(wanted)), np.uint64)
        unknown = np.arange(len(wanted))
        if self._signs is not None and len(self._signs.vectors) and len(wanted):
            order = np.argsort(self._signs.vectors)
            held = self._signs.vectors[order]
            places = np.minimum(held.searchsorted(wanted), len(held) - 1)
            is_held = held[places] == wanted
            bits[:, is_held] = self._signs.bits[:, order[places[is_held]]]
            unknown = np.flatnonzero(~is_held)
        for start in range(0, len(unknown), READ):
            some = unknown[start : start + READ]
            bits[:, some] = packed(vectors_of(self._db, wanted[some].tolist()) > self.centre)
        return bits[:, back]

    def _newer(self, newest: int) -> Iterator[tuple[int, int]]:
        """Sections whose vectors the blocks do not know, and these vectors."""
        return self._db.execute(
            "SELECT c.id, v.id FROM vectors v NOT INDEXED CROSS JOIN chunks c ON c.digest = v.digest"
            " WHERE v.id > :newest AND v.model = :model",
            {"newest": newest, "model": self.model},
        )

    def _with_newer(self, signs: Signs, newest: int) -> Signs:
        import numpy as np  # noqa: PLC0415

        newer = [pair for pair in self._newer(newest) if pair[0] >> BLOCK_BITS in self._held] if self._held else []
        if not newer:
            return signs
        pairs = np.array(sorted(newer), np.int64)
        stays = ~among(signs.sections, pairs[:, 0].tolist())
        added = len(pairs) - int((~stays).sum())
        old = Signs(
            sections=signs.sections[stays],
            vectors=signs.vectors[stays],
            bits=signs.bits[:, stays],
            waiting=signs.waiting - added,
        )
        new = Signs(sections=pairs[:, 0], vectors=pairs[:, 1], bits=self._bits_of(pairs[:, 1]), waiting=0)
        both = _joined([old, new])
        order = np.argsort(both.sections)
        return replace(both, sections=both.sections[order], vectors=both.vectors[order], bits=both.bits[:, order])


def _joined(parts: Sequence[Signs]) -> Signs:
    import numpy as np  # noqa: PLC0415

    return Signs(
        sections=np.concatenate([part.sections for part in parts]),
        vectors=np.concatenate([part.vectors for part in parts]),
        bits=np.concatenate([part.bits for part in parts], axis=1),
        waiting=sum(part.waiting for part in parts),
    )


def _are_equal(one: Signs, other: Signs) -> bool:
    import numpy as np  # noqa: PLC0415

    pairs = ((one.sections, other.sections), (one.vectors, other.vectors), (one.bits, other.bits))
    return one.waiting == other.waiting and all(np.array_equal(left, right) for left, right in pairs)


def _gaps(blocks: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The ranges of sections, of which the end is not one, that lie in none of some blocks, which ascend."""
    first = 0
    for block in blocks:
        if first < block << BLOCK_BITS:
            yield first, block << BLOCK_BITS
        first = block + 1 << BLOCK_BITS
    yield first, _END


@contextmanager
def one_state(connection: sqlite3.Connection) -> Iterator[None]:
    """What is read in the block comes from one committed state."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")
