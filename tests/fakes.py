"""Stand-ins that implement the ports without a model and without a disk."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence

from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.models import Model
from docs_rag.core.ports import EmbedFailure, Unreadable, Vector
from docs_rag.core.sidecars import joined, sidecar_of
from docs_rag.core.vectors import normalise
from docs_rag.core.walked import KnownFolder, Listing
from docs_rag.errors import EmbedderUnavailable, VaultError

FAKE_MODEL = Model(name="fake", dimensions=256, max_tokens=512, min_score=0.3)
"""Short texts that share half of their words score about 0.5; texts that share none about 0."""


class FakeEmbedder:
    """Bag of words: each distinct word, case folded, adds one to the dimension that its checksum names.

    The same text always gives the same vector, as document and as query; the model's prefixes count for
    nothing. Set `down` to make it unreachable, `refuses` to the words whose texts it cannot embed, `shortens`
    to the number of words it reads of a document, `weights` to what `digest` tells.
    """

    def __init__(self, model: Model = FAKE_MODEL, *, weights: str | None = "sha256:fake") -> None:
        self.model = model
        self.weights = weights
        self.down = False
        self.refuses: set[str] = set()
        self.shortens: int | None = None
        self.last_truncated: frozenset[int] = frozenset()
        self.batches: list[list[str]] = []
        """Texts of every call of `embed_documents`, in order."""
        self.queries: list[str] = []

    @property
    def embedded(self) -> list[str]:
        """Every document text that was ever asked for, in order."""
        return [text for batch in self.batches for text in batch]

    def digest(self) -> str | None:
        self._reach()
        return self.weights

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        self._reach()
        self.batches.append(list(texts))
        words = [_words(text) for text in texts]
        kept = [found[: self.shortens] for found in words]
        self.last_truncated = frozenset(at for at, found in enumerate(words) if found != kept[at])
        return [self._document(found) for found in kept]

    def embed_query(self, text: str) -> Vector:
        self._reach()
        self.queries.append(text)
        return self._vector(_words(text))

    def _reach(self) -> None:
        if self.down:
            raise EmbedderUnavailable("cannot reach the fake embedder", "switch it on")

    def _document(self, words: list[str]) -> Vector | EmbedFailure:
        refused = self.refuses.intersection(words)
        return EmbedFailure(f"cannot embed {min(refused)}") if refused else self._vector(words)

    def _vector(self, words: list[str]) -> Vector:
        numbers = [0.0] * (self.model.dimensions or 256)
        for word in set(words):
            numbers[zlib.crc32(word.encode("utf-8", "replace")) % len(numbers)] += 1.0
        return normalise(numbers)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"\w+", text)]


class MemoryVault:
    """A folder of notes in memory.

    `files` maps paths to text (or bytes) and may be changed directly: then a stamp moves only if the size
    does, as with an edit inside the clock's grain. `write` and `delete` act like an editor: each write is one
    second later than the one before. `mtimes` and `ctimes` are nanoseconds and may be set.
    """

    def __init__(self, files: Mapping[str, str | bytes] | None = None) -> None:
        self.files: dict[str, str | bytes] = {}
        self.mtimes: dict[str, int] = {}
        self.ctimes: dict[str, int] = {}
        self.unreadable: dict[str, tuple[str, str]] = {}
        """Code and message for paths that `scan` lists and `read` refuses."""
        self.skipped: list[Skipped] = []
        self.left_out: dict[str, int] = {}
        self.missing = False
        self.reads: list[str] = []
        """Every path that was read, in order."""
        self._now = 1_700_000_000_000_000_000
        for path, text in (files or {}).items():
            self.write(path, text)

    def write(self, path: str, text: str | bytes, *, mtime_ns: int | None = None) -> None:
        """Create or change a note; its change time moves on even where `mtime_ns` says otherwise."""
        self._now += 1_000_000_000
        self.files[path] = text
        self.mtimes[path] = self._now if mtime_ns is None else mtime_ns
        self.ctimes[path] = self._now

    def delete(self, path: str) -> None:
        """Remove a note."""
        del self.files[path]

    def scan(self) -> Iterator[FileStamp | Skipped]:
        if self.missing:
            raise VaultError("the vault is missing: memory")
        yield from [self._stamp(path) for path in self.files if path.endswith((".md", ".odd"))]
        yield from self.skipped

    def survey(self, known: Mapping[str, KnownFolder]) -> Iterator[Listing]:
        """Folders by the notes in them; what is skipped belongs to the top, which is then not to be remembered."""
        found: dict[str, list[FileStamp]] = {"": []}
        skipped: list[Skipped] = []
        for each in self.scan():
            if isinstance(each, Skipped):
                skipped.append(each)
            else:
                found.setdefault(each.path.rpartition("/")[0], []).append(each)
        for path, stamps in found.items():
            told = [] if path else skipped
            fingerprint = b"" if told else repr(sorted(stamps)).encode()
            was = known.get(path)
            if fingerprint and was is not None and was.fingerprint == fingerprint:
                yield Listing(path, fingerprint, was)
            else:
                yield Listing(path, fingerprint, stamps=stamps, skipped=told)

    def look_at(self, path: DocPath) -> list[Listing] | None:
        """Everything at the path and below it."""
        found = [each for each in self.scan() if f"{each.path}/".startswith(f"{path}/")]
        stamps = [each for each in found if isinstance(each, FileStamp)]
        return [Listing("", stamps=stamps, skipped=[each for each in found if isinstance(each, Skipped)])]

    def ignored(self) -> dict[str, int]:
        return dict(self.left_out)

    def stamp(self, path: DocPath) -> FileStamp | None:
        return self._stamp(path) if path in self.files else None

    def sidecar(self, path: DocPath) -> bytes | None:
        place = self._sidecar_of(path)
        if place in self.unreadable:
            raise Unreadable(*self.unreadable[place])
        return None if place is None else self._bytes(place)

    def read(self, path: DocPath) -> tuple[FileStamp, bytes]:
        self.reads.append(path)
        if path in self.unreadable:
            raise Unreadable(*self.unreadable[path])
        if path not in self.files:
            raise Unreadable("unreadable", f"{path} is gone")
        return self._stamp(path), self._bytes(path)

    def _stamp(self, path: str) -> FileStamp:
        sidecar = self._sidecar_of(path)
        return joined(self._own_stamp(path), None if sidecar is None else self._own_stamp(sidecar))

    def _own_stamp(self, path: str) -> FileStamp:
        size = len(self._bytes(path))
        return FileStamp(DocPath(path), self.mtimes.get(path, 0), self.ctimes.get(path, 0), size)

    def _sidecar_of(self, path: str) -> DocPath | None:
        sidecar = sidecar_of(path)
        return sidecar if sidecar in self.files else None

    def _bytes(self, path: str) -> bytes:
        text = self.files[path]
        return text.encode("utf-8") if isinstance(text, str) else text
