"""Joins the parts of the reading tools, as `wiring` joins those of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_rag import conversion, wiring
from docs_rag.app.catchup import CatchUp
from docs_rag.app.intake import Intake
from docs_rag.app.library import Library
from docs_rag.app.overview import Settings
from docs_rag.app.reader import Reader
from docs_rag.app.texts import VaultTexts

if TYPE_CHECKING:
    from docs_rag.adapters.sqlite.store import SqliteStore
    from docs_rag.config import Config
    from docs_rag.core.ports import Embedder


def open_library(config: Config, store: SqliteStore, embedder: Embedder | None = None, failure: str = "") -> Library:
    """The use cases of the reading tools on an open index; `failure` says why there is no embedder."""
    vault = wiring.open_vault(config)
    refresher = wiring.open_refresher(config, store)
    converter = conversion.open_converter(config, store.token)
    texts = VaultTexts(vault, config.vault_path, conversion.text_place(vault, converter), converter)
    intake = Intake(vault, store, config.status_rules, converter=converter)
    return Library(
        store=store,
        reader=Reader(store, texts, refresher, config.status_rules, roots=config.roots),
        refresher=refresher,
        catch_up=CatchUp(vault, store, intake, wiring.make(config), roots=config.root_names),
        settings=Settings(
            config=config.path,
            vault=config.vault_path,
            index=config.index_path,
            min_score=config.min_score,
            roots=config.roots,
        ),
        embedder=embedder,
        failure=failure,
        rest=converter.close if converter is not None else lambda: None,
    )
