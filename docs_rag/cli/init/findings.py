"""What `init` finds out by itself: the notes, the models, Obsidian's settings, a service that copies the folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from docs_rag import config as configs
from docs_rag import conversion, machine, wiring
from docs_rag.app.estimating import Estimate, estimate
from docs_rag.app.surveying import survey_statuses
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.obsidian import Excluded, excluded
from docs_rag.core.pathrules import PathRules
from docs_rag.core.proposing import Proposal, propose
from docs_rag.errors import ConfigError, EmbedderUnavailable

AUTO: Final = "auto"
MOSTLY: Final = 0.7
"""Share of the notes that one folder must hold to be taken for the vault."""


class Found(NamedTuple):
    """The folder that most likely holds the notes."""

    vault: Path
    notes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What can embed here."""

    url: str
    """Of Ollama."""
    served: tuple[str, ...] | None
    """Ollama's embedding models; None where no Ollama answers."""
    builtin: bool
    auto: str
    """What `auto` comes to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """The chosen folder of notes, looked at."""

    folder: Path
    paths: tuple[DocPath, ...]
    obsidian: str
    """The folder of Obsidian's settings; empty where there is none."""
    filters: Excluded
    """What Obsidian excludes beyond `defaultExclude`."""
    lifecycle: Proposal | None
    """Where alone statuses should count; None where everywhere."""
    documents: dict[str, int]
    """How many documents of other formats lie there, by suffix, the most first."""

    def left_out(self, entries: Sequence[str]) -> dict[str, int]:
        """How many notes a `defaultExclude` of these entries keeps out of searches, by entry."""
        rules = PathRules(entries)
        counts = Counter(entry for path in self.paths if (entry := rules.matches(path)) is not None)
        return {entry: counts[entry] for entry in dict.fromkeys(entries) if counts[entry]}


def find_vault(folder: Path) -> Found:
    """The folder itself if notes lie in it or Obsidian knows it, else the one below it that holds most of them."""
    tops = Counter(path.partition("/")[0] if "/" in path else "" for path in _notes(folder))
    if not tops or tops[""] or machine.obsidian_vault(str(folder)) is not None:
        return Found(folder, tops.total())
    name, notes = tops.most_common(1)[0]
    if notes < MOSTLY * tops.total():
        return Found(folder, tops.total())
    return Found(folder / name, notes)


def look_at(folder: Path, defaults: Sequence[str]) -> Vault:
    """Everything that the notes and their folder say; `defaults` is the usual `defaultExclude`."""
    paths = _notes(folder)
    settings = machine.obsidian_vault(str(folder))
    return Vault(
        folder=folder,
        paths=paths,
        obsidian="" if settings is None else settings.folder,
        filters=Excluded((), ()) if settings is None else excluded(settings.filters, paths, PathRules(defaults)),
        lifecycle=propose(survey_statuses(wiring.open_vault(configs.for_vault(str(folder))), paths)),
        documents=_documents(folder),
    )


def _documents(folder: Path) -> dict[str, int]:
    config = replace(configs.for_vault(str(folder)), include=(conversion.documents_glob(conversion.OFFERED),))
    found = (each.path.rpartition(".")[2].lower() for each in wiring.open_vault(config).scan())
    return dict(Counter(found).most_common())


def find_models(folder: Path) -> Models:
    """What can embed on this machine today."""
    config = replace(configs.for_vault(str(folder)), embed_model=AUTO)
    try:
        served = tuple(machine.ollama_models(config.ollama_host))
    except EmbedderUnavailable:
        served = None
    return Models(url=config.ollama_host, served=served, builtin=machine.builtin_fault() is None, auto=_auto(config))


def _auto(config: configs.Config) -> str:
    embedder = wiring.choose_embedder(config, None)
    return "none" if embedder is None else embedder.model.name


def first_index(vault: Vault, model: str) -> Estimate:
    """How large the index will be and how long the model takes for it here; the time is not known without one."""
    config = replace(configs.for_vault(str(vault.folder)), embed_model=model)
    opened = wiring.open_vault(config)
    try:
        return estimate(opened, vault.paths, wiring.choose_embedder(config, None))
    except (EmbedderUnavailable, ConfigError):
        return estimate(opened, vault.paths, None)


def _notes(folder: Path) -> tuple[DocPath, ...]:
    scanned = wiring.open_vault(configs.for_vault(str(folder))).scan()
    return tuple(each.path for each in scanned if not isinstance(each, Skipped))
