"""The reading tools over a bench."""

from __future__ import annotations

from dataclasses import replace

from workbench import START_NS, Workbench

from docs_rag.adapters.sqlite.store import SqliteStore
from docs_rag.app.catchup import CatchUp
from docs_rag.app.intake import Intake
from docs_rag.app.library import Library
from docs_rag.app.overview import Settings
from docs_rag.app.reader import Reader
from docs_rag.app.refreshing import Refresher
from docs_rag.app.texts import VaultTexts
from docs_rag.core.paging import MOST_CHARS, LineRange, read_range
from docs_rag.core.ports import Embedder
from docs_rag.core.reading import Reading
from docs_rag.core.wanted import wanted

ROOT = "/vault"


def texts_of(bench: Workbench) -> VaultTexts:
    """The texts of the bench's vault, which seems to lie in `/vault`."""
    return VaultTexts(bench.vault, ROOT, lambda path: f"{ROOT}/{path}", bench.converter)


def library_of(
    bench: Workbench, store: SqliteStore | None = None, embedder: Embedder | None = None, failure: str = ""
) -> Library:
    """The reading tools as a server opens them: with a refresher of their own."""
    store = store or bench.store
    refresher = Refresher(
        bench.vault,
        store,
        None,
        automatic=bench.automatic,
        make=bench.own_make(),
        rules=bench.status_rules,
        converter=bench.converter,
        clock=lambda: bench.seconds,
    )
    intake = Intake(bench.vault, store, bench.status_rules, lambda: START_NS, converter=bench.converter)
    return Library(
        store=store,
        reader=Reader(store, texts_of(bench), refresher, bench.status_rules),
        refresher=refresher,
        catch_up=CatchUp(bench.vault, store, intake, bench.own_make(), lambda: bench.seconds),
        settings=Settings(config=None, vault=ROOT, index=store.path, min_score=None),
        embedder=embedder,
        failure=failure,
    )


def read(
    bench: Workbench,
    typed: str,
    *,
    heading: tuple[str, ...] = (),
    lines: str | LineRange | None = None,
    around: int | None = None,
    full: bool = False,
) -> Reading:
    """One reading by what is typed."""
    asked = replace(wanted(typed), around=around)
    if heading:
        asked = replace(asked, heading=heading)
    if lines is not None:
        asked = replace(asked, lines=read_range(lines) if isinstance(lines, str) else lines, is_spot=False)
    return library_of(bench).read(asked, most_chars=None if full else MOST_CHARS)
