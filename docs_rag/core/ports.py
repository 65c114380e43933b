"""What the use cases ask of the outside world. The adapters answer; the contract suites hold them to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, NewType, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from docs_rag.core.converted import KeptText
    from docs_rag.core.documents import DocPath, FileStamp, Skipped
    from docs_rag.core.models import Model
    from docs_rag.core.walked import KnownFolder, Listing

Vector = NewType("Vector", bytes)
"""One embedding: d float32, little endian, of unit length (or all zero: such a vector never ranks)."""


class Vault(Protocol):
    """A folder of notes."""

    def scan(self) -> Iterator[FileStamp | Skipped]:
        """Every file that the config asks for, in no order, and every one that it asks for but cannot have.

        Raises `VaultError` when the folder itself is missing or cannot be listed.
        """
        ...

    def ignored(self) -> dict[str, int]:
        """How many entries the last `scan` left out on purpose, by reason."""
        ...

    def stamp(self, path: DocPath) -> FileStamp | None:
        """The file's stamp now, or None when it is gone, no regular file, or leads outside the vault.

        The stamp of a metadata file beside a note (`core/sidecars.py`) is part of the note's, here, in `scan` and in
        `read`.
        """
        ...

    def read(self, path: DocPath) -> tuple[FileStamp, bytes]:
        """The file's bytes and the stamp they were read under; raises `Unreadable`."""
        ...

    def sidecar(self, path: DocPath) -> bytes | None:
        """The bytes of the metadata file beside a note, None where there is none; raises `Unreadable`.

        To be asked for after `read`: what changes in between then shows in the next stamp.
        """
        ...


class Surveyed(Vault, Protocol):
    """A vault that knows its folders again."""

    def survey(self, known: Mapping[str, KnownFolder]) -> Iterator[Listing]:
        """What `scan` finds, folder by folder; those that are known by their fingerprint are not judged again.

        Raises `VaultError` as `scan` does.
        """
        ...

    def look_at(self, path: DocPath) -> Sequence[Listing] | None:
        """What `scan` would find at a path and below it; None where only a scan can tell. Raises `VaultError`."""
        ...


class PlacedVault(Surveyed, Protocol):
    """A vault whose notes are files."""

    def place(self, path: str) -> str:
        """Where a note lies, absolute, as its name is spelt on disk; links are not followed."""
        ...


class Unreadable(Exception):
    """A file that is listed but cannot be read; `code` is a problem code, `str()` says why."""

    def __init__(self, code: str, message: str) -> None:
        """Keep the code beside the message."""
        super().__init__(message)
        self.code = code


class Effort(NamedTuple):
    """How long a conversion may take."""

    seconds: float | None = None
    """At most; None: as long as its format may take. A document that takes longer is not listed as a failure.

    0: only what is kept is used, and `Interrupted` is raised where nothing is.
    """
    is_wanted: Callable[[], bool] = lambda: True
    """False as soon as somebody waits for something else: then `Interrupted` is raised."""


class Interrupted(Exception):
    """A conversion was given up, or not begun, because somebody waits for something else."""


class Converter(Protocol):
    """Turns documents of other formats into markdown, and keeps what it made until the document changes."""

    def handles(self, path: str) -> bool:
        """Whether the file at this path is a document of another format, by its suffix; False for notes."""
        ...

    def mark(self, path: str) -> bytes:
        """What besides its bytes decides what is made of a document; part of its digest in the index."""
        ...

    def refusal(self, stamp: FileStamp) -> Unreadable | None:
        """Why the file under this very stamp could not be converted; None where that is to be tried (again)."""
        ...

    def is_outdated(self, path: str) -> bool:
        """Whether converting the document again would make something else of it: another version, a new extra."""
        ...

    def convert(self, stamp: FileStamp, data: bytes, *, racy: bool = False, effort: Effort | None = None) -> KeptText:
        """The text of a document with these bytes, from what is kept where that was made of them.

        `racy`: the stamp alone proves nothing. `effort` None: as long as it takes. Raises `Unreadable`, `Interrupted`.
        """
        ...

    def kept(self, path: str) -> KeptText | None:
        """What was last made of a document, whatever its file holds by now; None where nothing was."""
        ...

    def move(self, old: str, new: str) -> None:
        """Let what is kept of a document that is gone be what is kept of another one, unless there is something.

        It counts only if both are of the same bytes.
        """
        ...

    def text_place(self, path: str) -> str:
        """The absolute path of the file with the kept text."""
        ...

    def sweep(self, is_wanted: Callable[[str], bool]) -> None:
        """Forget every document but those that are wanted, by path."""
        ...

    def close(self) -> None:
        """Give back what conversions hold; another one may follow all the same."""
        ...


class Helpers(Protocol):
    """Processes that work beside this one."""

    def work(self, tasks: Iterable[bytes]) -> Iterator[bytes | None]:
        """A reply for each task, in order; None for one that is left to the caller. Tasks are asked for ahead."""
        ...

    def close(self) -> None:
        """End the processes."""
        ...


class Origins(Protocol):
    """When the notes of a vault first came into the history that keeps its versions."""

    @property
    def warning(self) -> str:
        """What stood in the way of the last call and its user could mend; else empty."""
        ...

    def version(self) -> str:
        """What `first_days` depends on; empty where there is no history."""
        ...

    def first_days(self, paths: Collection[DocPath]) -> dict[DocPath, str]:
        """The day on which each note first came into the history, ISO; one that it does not know is left out."""
        ...


class Embedder(Protocol):
    """An embedding model."""

    @property
    def model(self) -> Model:
        """Which model, with what is known of it."""
        ...

    @property
    def last_truncated(self) -> frozenset[int]:
        """Which texts of the last `embed_documents` were read in part only, by their place."""
        ...

    def digest(self) -> str | None:
        """What identifies the model's weights where the host tells, else None; may ask the host."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        """One result a text, in order: a text that the model refuses is a failure, not an exception.

        Raises `EmbedderUnavailable` when the model cannot be asked at all.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """The query form of a text; raises `EmbedderUnavailable`."""
        ...


class EmbedFailure:
    """A text that could not be embedded; it is stored for lexical search and tried again next time."""

    def __init__(self, message: str) -> None:
        """Keep what the model said."""
        self.message = message


class Analyser(Protocol):
    """Turns text into the words that the index keeps and that a query asks for.

    The FTS tokenizer folds case and accents and cuts at everything that is no letter and no digit; an analyser
    does what it cannot: scripts without spaces, particles.
    """

    @property
    def name(self) -> str:
        """Part of the index's identity: another name rebuilds the lexical part."""
        ...

    def index_text(self, text: str) -> str:
        """The text to hand to FTS in place of `text`; the same object when nothing needs doing."""
        ...
