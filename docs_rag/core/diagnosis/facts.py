"""What `doctor` finds on a machine and in a project; a `Fault` stands for what could not be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.diagnosis.findings import Fault

if TYPE_CHECKING:
    from docs_rag.core.hookstate import HookState
    from docs_rag.core.overview import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The copy of docs-rag that runs."""

    version: str
    python: str
    place: str | None
    """Its console script; None where there is none."""
    on_path: str | None
    """What `docs-rag` means on the search path; None for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ollama:
    """The server that `ollamaHost` or `OLLAMA_HOST` names."""

    url: str
    models: tuple[str, ...] | Fault
    """Its embedding models."""
    is_wanted: bool
    """True when the config or the index names one of its models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RootNotes:
    """The notes of another folder than the vault."""

    name: str
    folder: str
    count: int
    fault: str
    """Why it cannot be looked at; empty for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """The vault as it is now."""

    folder: str
    count: int
    """Without those of `roots`."""
    roots: tuple[RootNotes, ...] = ()
    unreadable: tuple[str, ...]
    """`path: why`, of files that were asked for and cannot be had."""
    copies: tuple[str, ...]
    """Notes that look like conflicted copies of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """The index, and how far the notes have moved on since."""

    path: str
    documents: int
    chunks: int
    updated_at: str | None
    changed: int | None
    """Notes that are new, changed or gone; None when the vault could not be looked at."""
    failed: tuple[str, ...]
    """`path: why`, of files that can be had and could not be read, such as a document with a password."""
    has_vanished: bool
    """True when so much is gone that the vault looks unmounted."""
    is_foreign: bool
    """True when the notes were read by another version, or under other rules on what a status means."""
    pending: int
    """Sections that wait for a vector."""
    last_run: Run | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """The model that questions are embedded with."""

    configured: str
    name: str
    """`none` where words alone decide."""
    indexed_with: str
    """The model whose vectors the index holds; empty for none."""
    has_changed: bool
    """True when the model's weights are others than those that the index was made with."""
    fault: Fault | None
    """Why it does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Whether a service copies the vault or the index to other machines."""

    vault_by: str
    """The service; empty for none."""
    index_by: str
    index: str
    cache: str
    """Where the index could lie instead, as a config writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """An entry of an MCP client that starts docs-rag."""

    client: str
    """Its name as people know it."""
    name: str
    """Its name as the command line knows it."""
    file: str
    server: str
    is_here: bool
    """True when it serves this project: by its config, or from wherever the client is started in it."""
    problem: str
    """What keeps it from working; empty for nothing."""
    is_off: bool
    """True when it was switched off there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A client's file that speaks of docs-rag and cannot be read here."""

    client: str
    file: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """The hook of Claude Code."""

    files: tuple[str, ...]
    """The settings files that have it; empty when it is not installed."""
    off_in: str
    """The settings file that turns all hooks off; empty for none."""
    problem: str
    """What keeps it from working; empty for nothing."""
    state: HookState
    log: str
    """Where it says more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything; None for what may not be looked at, or makes no sense without the others."""

    program: Program
    sqlite: str | Fault
    """Its version."""
    config: str | Fault
    """Its path."""
    builtin: Fault | None
    """Why the builtin model cannot run."""
    ollama: Ollama
    notes: Notes | Fault | None = None
    index: Index | Fault | None = None
    embedding: Embedding | Fault | None = None
    places: Places | None = None
    registrations: tuple[Registration | Unread, ...] = ()
    hook: Hook | None = None
