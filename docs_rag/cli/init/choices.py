"""What the config of a new project will say: asked for, or taken as it was found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_rag import machine
from docs_rag.cli.init.findings import AUTO, look_at
from docs_rag.config import FIELDS

if TYPE_CHECKING:
    from docs_rag.cli.init.findings import Found, Models, Vault
    from docs_rag.cli.init.questions import Asker

USUAL: Final[tuple[str, ...]] = next(
    tuple(map(str, field.default))
    for field in FIELDS
    if field.key == "defaultExclude" and isinstance(field.default, tuple)
)
"""`defaultExclude` where a config says nothing of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the config will say."""

    vault: Vault
    model: str
    within: tuple[str, ...]
    documents: tuple[str, ...]
    """Suffixes of documents that are indexed beside the notes."""
    default_exclude: tuple[str, ...]
    service: str
    """What keeps the project's folder in step with other machines; empty for nothing."""
    index: str
    """Another place for the index; empty: the usual one."""


def choose(folder: Path, project: Path, found: Found, models: Models, asker: Asker | None) -> Choices:
    """Ask the questions, or take what was found where nobody is asked."""
    vault = look_at(asker.vault(folder, found) if asker else found.vault, USUAL)
    model = asker.model(models) if asker else AUTO
    entries = (*USUAL, *vault.filters.entries)
    default_exclude = asker.default_exclude(vault, entries) if asker else entries
    within: tuple[str, ...] = ()
    if vault.lifecycle is not None:
        within = asker.lifecycle(vault.lifecycle) if asker else vault.lifecycle.within
    found_suffixes = tuple(vault.documents)
    documents = asker.documents(vault) if asker and found_suffixes else found_suffixes
    service, index = _index_place(str(project), asker)
    return Choices(
        vault=vault,
        model=model,
        within=within,
        documents=documents,
        default_exclude=default_exclude,
        service=service,
        index=index,
    )


def _index_place(project: str, asker: Asker | None) -> tuple[str, str]:
    """The service that keeps the project in step, and where the index goes instead; empty for neither."""
    service = machine.synced_by(project) or ""
    if not service:
        return "", ""
    place = machine.from_home(machine.cached_index(project))
    return service, place if asker is None or asker.index_elsewhere(project, service, place) else ""
