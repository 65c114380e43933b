"""The questions of `init`; what was found is the answer to an empty line."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from docs_rag.cli import output
from docs_rag.conversion import OFFERED
from docs_rag.core import checks
from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.globs import Globs
from docs_rag.core.models import refuse_remote
from docs_rag.errors import ConfigError
from docs_rag.render import counted

if TYPE_CHECKING:
    from docs_rag.cli.init.findings import Found, Models, Vault
    from docs_rag.core.proposing import Proposal

_T = TypeVar("_T")

_NOTHING: Final = "none"
_EVERYTHING: Final = (("all",), ("**",))


class Asker:
    """Asks on the terminal, in the language of the user; `say` fills in a message by its name."""

    def __init__(self, say: Callable[..., str]) -> None:
        """Nothing is asked yet."""
        self._say = say

    def vault(self, folder: Path, found: Found) -> Path:
        """Which folder holds the notes; one that is not there is asked for again."""

        def existing(written: str) -> Path:
            place = Path(os.path.normpath(folder / Path(written).expanduser()))
            if not place.is_dir():
                raise click.BadParameter(self._say("no folder", folder=place))
            return place

        self._tell("notes", notes=counted(found.notes, "note"), count=found.notes, folder=found.vault)
        return self._ask("vault", os.path.relpath(found.vault, folder), existing)

    def model(self, models: Models) -> str:
        """Which model embeds."""

        def usable(written: str) -> str:
            try:
                name = checks.model(written.strip())
                refuse_remote(name)
            except (checks.Wrong, ConfigError) as error:
                raise click.BadParameter(self._say("wrong model", why=error)) from error
            return name

        if models.served is None:
            self._tell("ollama down", url=models.url)
        elif models.served:
            self._tell("ollama", url=models.url, models=", ".join(models.served))
        else:
            self._tell("ollama empty", url=models.url)
        if not models.builtin:
            self._tell("no builtin")
        own = [BUILTIN_E5] if models.builtin else []
        self._tell("models", here=models.auto, others=", ".join([*own, self._say("words alone")]))
        return self._ask("model", "auto", usable)

    def default_exclude(self, vault: Vault, entries: tuple[str, ...]) -> tuple[str, ...]:
        """Which folders searches leave out; not asked where that makes no difference."""
        if vault.filters.entries:
            self._tell("obsidian", folder=vault.obsidian, filters=", ".join(vault.filters.entries))
        if vault.filters.others:
            self._tell("obsidian others", filters=", ".join(vault.filters.others))
        counts = vault.left_out(entries)
        if not counts:
            return entries
        self._tell("excluded", folders=in_words(counts))
        return self._ask("ask excluded", ", ".join(entries), _entries)

    def documents(self, vault: Vault) -> tuple[str, ...]:
        """Which kinds of documents are indexed beside the notes."""

        def known(written: str) -> tuple[str, ...]:
            parts = tuple(part.lower().lstrip("*.") for part in _parts(written))
            if parts == (_NOTHING,):
                return ()
            if not parts or not set(parts) <= set(OFFERED):
                raise click.BadParameter(f"{', '.join(OFFERED)}")
            return parts

        self._tell("documents", documents=in_words(vault.documents))
        return self._ask("ask documents", ", ".join(vault.documents), known)

    def index_elsewhere(self, folder: str, service: str, place: str) -> bool:
        """Whether the index is to lie outside of the folder that a service keeps in step."""
        self._tell("synced", folder=folder, service=service)
        return click.confirm(self._say("ask index", place=place), default=True, err=True)

    def lifecycle(self, proposal: Proposal) -> tuple[str, ...]:
        """The globs for `lifecycleIn`; none when every status is to count."""

        def globs(written: str) -> tuple[str, ...]:
            parts = _parts(written)
            if parts in _EVERYTHING:
                return ()
            try:
                Globs(parts, key="lifecycleIn")
            except ConfigError as error:
                raise click.BadParameter(error.message) from error
            return parts

        words = ", ".join(proposal.words)
        self._tell("statuses", decisions=proposal.decisions, others=proposal.others, words=words)
        return self._ask("ask statuses", ", ".join(proposal.within), globs)

    def _tell(self, name: str, **values: object) -> None:
        output.say(self._say(name, **values))

    def _ask(self, name: str, default: str, read: Callable[[str], _T]) -> _T:
        answer: _T = click.prompt(self._say(name), default=default, value_proc=read, err=True)
        return answer


def in_words(counts: Mapping[str, int]) -> str:
    """`archive (12), plans (4)`."""
    return ", ".join(f"{entry} ({count})" for entry, count in counts.items())


def _entries(written: str) -> tuple[str, ...]:
    parts = _parts(written)
    if parts == (_NOTHING,):
        return ()
    try:
        checks.folders(list(parts))
    except (checks.Wrong, ConfigError) as error:
        raise click.BadParameter(str(error)) from error
    return parts


def _parts(written: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in written.split(",") if part.strip())
