"""Joins ports with adapters: the only place that names them."""

# Every command passes here, and pathlib would cost it more than this module:
# ruff: noqa: PTH105, PTH112, PTH118, PTH120

from __future__ import annotations

import itertools
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docs_rag import config as configs
from docs_rag import conversion, locate, trust
from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.errors import Busy, DocsRagError, EmbedderUnavailable, IndexDamaged, IndexMissing, VaultError
from docs_rag.folders import contents_at as contents_at
from docs_rag.folders import open_origins as open_origins
from docs_rag.folders import open_vault as open_vault
from docs_rag.helping import ANALYSER as ANALYSER
from docs_rag.helping import open_helpers
from docs_rag.statefiles import private_folder, project_folder, user_cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docs_rag.adapters.files import FolderFiles
    from docs_rag.adapters.files.anywhere import AnyFiles
    from docs_rag.adapters.locks import FileLock
    from docs_rag.app.answering import Answerer
    from docs_rag.app.checking import Checker
    from docs_rag.app.evaluating import Evaluator
    from docs_rag.app.indexing import Indexer
    from docs_rag.app.progress import Progress
    from docs_rag.app.refreshing import Refresher
    from docs_rag.app.superseding import Superseder
    from docs_rag.config import Config
    from docs_rag.core.documents import DocPath
    from docs_rag.core.identity import Make
    from docs_rag.core.installed import Installed
    from docs_rag.core.ports import Embedder

EDITS_SECONDS = 10.0
"""How long a change of notes waits for another one."""
_LOOKS, _LOOK_SECONDS = 20, 0.05
"""How often, and how long apart, it is asked whether an index that is being made anew is known by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Which project a command is for, as the user said it."""

    config: str | None = None
    vault: str | None = None
    folder: str | None = None
    """`-C`."""
    trust_once: bool = False


def open_project(options: Options, *, strict: bool, serving: bool = False) -> tuple[Config, tuple[str, ...]]:
    """Find and read the config and make sure that its user wants what it asks for, before any path is opened.

    Returns the config and notices on it. Raises `ConfigError`, `Unapproved`.
    """
    found, notices = configs.find(
        strict=strict, config=options.config, vault=options.vault, folder=options.folder, serving=serving
    )
    trust.require(found, trust_once=options.trust_once)
    return found, notices


def installed() -> Installed:
    """How this copy of the program got here."""
    from docs_rag.adapters import installation  # noqa: PLC0415

    return installation.installed()


def project_files() -> AnyFiles:
    """The files of projects and users that `scaffold` changes."""
    from docs_rag.adapters.files.anywhere import AnyFiles  # noqa: PLC0415

    return AnyFiles()


def open_index(config: Config, *, is_brief: bool = False) -> SqliteStore:
    """The index for searching; `is_brief`: for one question.

    Raises `IndexMissing`, and `IndexDamaged` for one that was not made here.
    """
    if config.path is None and not os.path.isdir(config.vault_path):
        raise VaultError(f"there is no folder {config.vault_path}", "correct --vault")
    try:
        store = open_store(config.index_path, ANALYSER)
    except IndexMissing as error:
        raise IndexMissing(error.message, f"run: {index_command(config)}") from None
    with _or_closed(store):
        if not _is_known(config, store):
            raise IndexDamaged(
                f"the index {config.index_path} was made elsewhere: another user, machine or folder",
                f"run: {index_command(config)}",
            )
    store.is_brief = is_brief
    return store


def _is_known(config: Config, store: SqliteStore) -> bool:
    """Whether the index was made here. A run that has just emptied it is given a moment to write that down."""
    for _ in range(_LOOKS):
        if trust.known_index(config.index_path, store.token()):
            return True
        if not is_being_indexed(config):
            break
        time.sleep(_LOOK_SECONDS)
    return trust.known_index(config.index_path, store.token())


def open_index_for_writing(config: Config) -> tuple[SqliteStore, bool]:
    """The index for `index`, made if it is not there; and whether its content must not be believed."""
    make_state_folder(config)
    _make_cache_folder(config)
    is_new = not os.path.lexists(config.index_path)
    store = open_store(config.index_path, ANALYSER, create=True)
    with _or_closed(store):
        unknown = not is_new and not trust.known_index(config.index_path, store.token())
        if unknown:  # with a new token: one that came with a file could come again
            store.distrust()
        trust.remember_index(config.index_path, store.token())
    return store, unknown


@contextmanager
def _or_closed(store: SqliteStore) -> Iterator[None]:
    """SQLite's faults in the block become known errors, and whatever goes wrong closes the store."""
    try:
        with store.guarded():
            yield
    except BaseException:
        store.close()
        raise


def replace_damaged_index(config: Config) -> str:
    """Move a damaged index and its side files away, so that a new one can be made; returns where it went.

    An earlier one that was moved stays. Raises `OSError`.
    """
    numbers = (f"{config.index_path}.damaged-{n}" for n in itertools.count(1))
    moved = next(name for name in numbers if not os.path.lexists(name))
    for suffix in ("-wal", "-shm", ""):
        if os.path.lexists(config.index_path + suffix):
            os.replace(config.index_path + suffix, moved + suffix)
    return moved


def make(config: Config) -> Make:
    """What this version reads the notes of a project with."""
    from docs_rag.core.chunks import CHUNKER_VERSION  # noqa: PLC0415
    from docs_rag.core.identity import PARSER_VERSION, Make  # noqa: PLC0415

    return Make(
        parser=PARSER_VERSION,
        chunker=CHUNKER_VERSION,
        analyser=ANALYSER.name,
        rules=config.status_rules.digest,
    )


def index_lock(config: Config) -> FileLock:
    """The lock that every run of `index` holds."""
    from docs_rag.adapters.locks import FileLock  # noqa: PLC0415

    make_state_folder(config)
    return FileLock(os.path.join(config.state_dir, "index.lock"))


def is_being_indexed(config: Config) -> bool:
    """True while a run of `index` is at work.

    The lock is only tried where somebody has signed it, so that asking keeps no run from starting.
    """
    try:
        lock = index_lock(config)
        if not lock.holder():
            return False
        if not lock.acquire():
            return True
    except (OSError, DocsRagError):
        return False
    lock.release()
    return False


def open_files(config: Config) -> FolderFiles:
    """The notes' files for being changed; what a change replaces goes to the undo journal in the state folder."""
    from docs_rag.adapters.files import FolderFiles  # noqa: PLC0415

    journal = os.path.join(config.state_dir, "undo.jsonl")
    return FolderFiles(config.vault_path, journal, roots=dict(config.roots), lock=lambda: _edits_lock(config))


def open_superseder(config: Config) -> Superseder:
    """The use case of `supersede`; it reads the vault and needs no index."""
    from docs_rag.app.superseding import Superseder  # noqa: PLC0415

    return Superseder(open_vault(config), config.status_rules, conversion.open_converter(config))


def open_checker(config: Config) -> Checker:
    """The use case of `check`; it reads the vault, and asks the index only for notes that are close in meaning."""
    from docs_rag.app.checking import Checker  # noqa: PLC0415
    from docs_rag.app.neighbours import Neighbours  # noqa: PLC0415

    close = Neighbours(lambda: _guarded_index(config))
    return Checker(open_vault(config), config.status_rules, close, conversion.open_converter(config))


@contextmanager
def _guarded_index(config: Config) -> Iterator[SqliteStore]:
    with open_index(config) as store, store.guarded():
        yield store


def refresh_index(config: Config, paths: Iterable[DocPath]) -> str:
    """Bring the index up to date with notes that were changed here, text and state alone, where there is an index.

    Returns why that was not possible; a search or the next `index` will do it then.
    """
    from docs_rag.app.intake import Intake  # noqa: PLC0415
    from docs_rag.core.sidecars import notes_of  # noqa: PLC0415

    try:
        with open_index(config) as store, store.hurried():
            converter = conversion.open_converter(config, store.token)
            intake = Intake(open_vault(config), store, config.status_rules, converter=converter)
            for path in (note for each in paths for note in notes_of(each)):
                if store.notes.digest(path) is not None:
                    intake.take(path)
            intake.resolve()
    except IndexMissing:
        return ""
    except DocsRagError as error:
        return str(error)
    return ""


@contextmanager
def _edits_lock(config: Config) -> Iterator[None]:
    """One process at a time changes notes. Raises `Busy` when another goes on doing so."""
    from docs_rag.adapters.locks import FileLock  # noqa: PLC0415

    make_state_folder(config)
    lock = FileLock(os.path.join(config.state_dir, "edits.lock"))
    try:
        if not lock.wait(EDITS_SECONDS, lambda holder: None):
            raise Busy(f"another process is changing notes: {lock.holder()}", "wait for it, and run it again")
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise DocsRagError(f"cannot lock {config.state_dir}: {why}", "look at the folder's rights") from error
    try:
        yield
    finally:
        lock.release()


def open_indexer(
    config: Config, store: SqliteStore, embedder: Embedder | None, progress: Progress | None = None
) -> Indexer:
    """The use case of `index`; an index that it has read or emptied is known as this user's from then on."""
    from docs_rag.app.indexing import Indexer  # noqa: PLC0415

    def remember() -> None:
        trust.remember_index(config.index_path, store.token())

    return Indexer(
        open_vault(config),
        store,
        embedder,
        make(config),
        rules=config.status_rules,
        origins=open_origins(config) if config.git_dates else None,
        converter=conversion.open_converter(config, store.token),
        progress=progress,
        when_read=remember,
        roots=config.root_names,
        helpers=lambda: open_helpers(config.status_rules),
    )


def choose_embedder(config: Config, store: SqliteStore | None) -> Embedder | None:
    """The embedder that the config asks for; with `auto`, what the index was made with if that can run here.

    None means lexical only. Raises `EmbedderUnavailable` for a model that cannot run here at all.
    """
    from docs_rag.adapters.embedders import choose_auto, open_embedder  # noqa: PLC0415

    name = config.embed_model
    if name == "auto":
        active = store.vectors.active() if store is not None else None
        name = choose_auto(None if active is None else active.name, config.ollama_host)
    return open_embedder(name, config.ollama_host)


def choose_search_embedder(config: Config, store: SqliteStore) -> tuple[Embedder | None, str]:
    """The embedder for questions, and why a configured one is not there; an index without vectors needs none."""
    if config.embed_model == "none":
        return None, ""
    if store.vectors.active() is None and config.embed_model == "auto":
        return None, ""
    try:
        return choose_embedder(config, store), ""
    except EmbedderUnavailable as error:
        return None, str(error)


def open_answerer(config: Config, store: SqliteStore, embedder: Embedder | None, failure: str = "") -> Answerer:
    """The use case of `search` and `search_notes`, on one open index; `failure` says why there is no embedder."""
    from docs_rag.app.answering import Answerer  # noqa: PLC0415
    from docs_rag.app.searching import Searcher, SearchRules  # noqa: PLC0415
    from docs_rag.core.pathrules import Boosts  # noqa: PLC0415

    rules = SearchRules(
        min_score=config.min_score,
        relative_cutoff=config.relative_cutoff,
        max_doc_freq=config.lexical_max_doc_freq,
        lexical_slots=config.lexical_slots,
        default_exclude=config.default_exclude,
        boosts=Boosts(dict(config.path_boosts)),
        follow_succession=config.follow_succession,
        name=config.name,
        vault=config.vault_path,
        text_place=conversion.text_place(open_vault(config), conversion.open_converter(config, store.token)),
    )
    refresher = open_refresher(config, store, embedder)
    return Answerer(Searcher(store, embedder, ANALYSER, rules, failure), refresher)


def open_evaluator(
    config: Config, store: SqliteStore, embedder: Embedder | None, failure: str, progress: Progress
) -> Evaluator:
    """The use case of `eval`: questions go to the answerer of `search`, and again to one that has no floor."""
    from docs_rag.app.evaluating import Evaluator  # noqa: PLC0415

    unfloored = replace(config, min_score=0.0, relative_cutoff=0.0)
    return Evaluator(
        store,
        open_answerer(config, store, embedder, failure),
        open_answerer(unfloored, store, embedder, failure),
        progress,
    )


def open_refresher(config: Config, store: SqliteStore, embedder: Embedder | None = None) -> Refresher:
    """What takes changed notes in before a question; without an embedder it leaves their vectors to others."""
    from docs_rag.app.refreshing import Refresher  # noqa: PLC0415

    return Refresher(
        open_vault(config),
        store,
        embedder,
        automatic=config.auto_refresh,
        make=make(config),
        rules=config.status_rules,
        converter=conversion.open_converter(config, store.token),
        roots=config.root_names,
    )


def _make_cache_folder(config: Config) -> None:
    """The folder of an index that lies in the user's cache, which is there to be emptied."""
    folder = os.path.dirname(config.index_path)
    if configs.lies_in(folder, user_cache_folder()):
        private_folder(folder)


def index_command(config: Config) -> str:
    """The command that builds this index, as its user has to type it."""
    return command_for(config, "index")


def command_for(config: Config, name: str) -> str:
    """A command for this config or folder of notes, as its user has to type it."""
    import shlex  # noqa: PLC0415  # for messages alone

    if config.path is None:
        return f"docs-rag {name} --vault {shlex.quote(config.vault_path)}"
    here = locate.working_folder()
    is_nearest = here is not None and locate.find_config(here) == config.path
    return f"docs-rag {name}" if is_nearest else f"docs-rag {name} --config {shlex.quote(config.path)}"


def make_state_folder(config: Config) -> None:
    """`.rag`, for its user alone, with a `.gitignore` that lets git see the config only. Raises `DocsRagError`."""
    project_folder(config.state_dir)
