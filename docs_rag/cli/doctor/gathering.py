"""Collects what `doctor` looks at. Nothing of a project is opened before its config is found and approved."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from docs_rag import config as configs
from docs_rag import machine, wiring
from docs_rag.app.clients import folders_of
from docs_rag.app.diagnosing import Seen, embedding_facts, index_facts, notes_facts, see
from docs_rag.app.registered import Here, hook_facts, registrations
from docs_rag.core.diagnosis.facts import Embedding, Facts, Index, Notes, Ollama, Places
from docs_rag.core.diagnosis.findings import Fault
from docs_rag.core.models import BUILTIN_PREFIX
from docs_rag.errors import Busy, ConfigError, DocsRagError, Unapproved

if TYPE_CHECKING:
    from docs_rag.app.overview import KeepsRecords
    from docs_rag.config import Config
    from docs_rag.core.ports import Embedder

_T = TypeVar("_T")

_NO_MODEL: Final = frozenset({"", "auto", "none"})


def gather(options: wiring.Options) -> tuple[Facts, Config | None]:
    """Everything, and the config as far as it may be followed."""
    config, fault = _config(options)
    builtin = machine.builtin_fault()
    general = Facts(
        program=machine.program(),
        sqlite=_attempt(machine.sqlite_version),
        config=fault or str(config and config.path),
        builtin=None if builtin is None else Fault.of(builtin),
        ollama=_ollama(config, None),
    )
    return (general if config is None else _with_project(general, config)), config


def _config(options: wiring.Options) -> tuple[Config | None, Fault | None]:
    """The config, and what is wrong with it; one with mistakes is followed as a search follows it."""
    try:
        return wiring.open_project(options, strict=True)[0], None
    except Unapproved as error:
        return None, Fault.of(error)
    except ConfigError as error:
        fault = Fault.of(error)
    try:
        return wiring.open_project(options, strict=False)[0], fault
    except DocsRagError:
        return None, fault


def _with_project(general: Facts, config: Config) -> Facts:
    seen = _attempt(lambda: see(wiring.open_vault(config)))
    index, embedding = _index_and_model(config, None if isinstance(seen, Fault) else seen)
    files, here = machine.Files(), _here(config)
    return replace(
        general,
        ollama=_ollama(config, embedding),
        notes=seen if isinstance(seen, Fault) else _notes(config, seen),
        index=index,
        embedding=embedding,
        places=_places(config),
        registrations=tuple(registrations(here, files)),
        hook=hook_facts(here, files),
    )


def _notes(config: Config, seen: Seen) -> Notes:
    service = machine.synced_by(config.vault_path)
    copies = partial(machine.conflicted_copies, service=service)
    return notes_facts(config.vault_path, seen, copies, roots=config.roots)


def _index_and_model(config: Config, seen: Seen | None) -> tuple[Index | Fault, Embedding | Fault]:
    try:
        with wiring.open_index(config) as store, store.guarded():
            _check(store.hurried, store.check)
            index = index_facts(config.index_path, store, wiring.make(config), seen, roots=config.root_names)
            return index, _embedding(config, lambda: wiring.choose_embedder(config, store), store)
    except DocsRagError as error:
        return Fault.of(error), _embedding(config, lambda: wiring.choose_embedder(config, None), None)


def _check(hurried: Callable[[], AbstractContextManager[None]], check: Callable[[], None]) -> None:
    """Look into the file itself, unless another process is writing to it; raises `IndexDamaged`."""
    try:
        with hurried():
            check()
    except Busy:
        return


def _embedding(config: Config, choose: Callable[[], Embedder | None], store: KeepsRecords | None) -> Embedding | Fault:
    return _attempt(lambda: embedding_facts(config.embed_model, choose(), store))


def _ollama(config: Config | None, embedding: Embedding | Fault | None) -> Ollama:
    url = _attempt(configs.host_of_this_user) if config is None else config.ollama_host
    if isinstance(url, Fault):
        return Ollama(url="OLLAMA_HOST", models=url, is_wanted=True)
    models = _attempt(lambda: tuple(machine.ollama_models(url)))
    return Ollama(url=url, models=models, is_wanted=_is_wanted(config, embedding))


def _is_wanted(config: Config | None, embedding: Embedding | Fault | None) -> bool:
    """Whether the model that is configured, or with `auto` the index's, is one of Ollama's."""
    configured = "" if config is None else config.embed_model
    indexed = embedding.indexed_with if isinstance(embedding, Embedding) and configured == "auto" else ""
    return any(name not in _NO_MODEL and not name.startswith(BUILTIN_PREFIX) for name in (configured, indexed))


def _places(config: Config) -> Places:
    return Places(
        vault_by=machine.synced_by(config.vault_path) or "",
        index_by=machine.synced_by(config.index_path) or "",
        index=config.index_path,
        cache=machine.from_home(machine.cached_index(config.project)),
    )


def _here(config: Config) -> Here:
    return Here(
        project=config.project,
        state_dir=config.state_dir,
        config=str(config.path),
        vault=config.vault_path,
        platform=sys.platform,
        folders=folders_of(os.environ, os.path.expanduser("~")),  # noqa: PTH111  # never raises
    )


def _attempt(fact: Callable[[], _T]) -> _T | Fault:
    """A fact, or why it could not be had."""
    try:
        return fact()
    except DocsRagError as error:
        return Fault.of(error)
