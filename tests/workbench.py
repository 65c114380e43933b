"""A vault in memory, a fake model and a real index, joined as the wiring joins the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from fakes import FakeEmbedder, MemoryVault

from docs_rag.adapters.sqlite.store import SqliteStore, open_store
from docs_rag.app.answering import Answerer
from docs_rag.app.indexing import Indexer, IndexRequest
from docs_rag.app.refreshing import Refresher
from docs_rag.app.searching import Searcher, SearchRules
from docs_rag.core.answers import Answer
from docs_rag.core.identity import Make
from docs_rag.core.listing import ListedNote
from docs_rag.core.pathrules import Boosts
from docs_rag.core.ports import Converter, Origins
from docs_rag.core.queries import Query
from docs_rag.core.report import IndexReport
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.core.terms import UnicodeAnalyser

RULES = SearchRules(
    min_score=None,
    relative_cutoff=None,
    max_doc_freq=0.01,
    lexical_slots=2,
    default_exclude=("archive", "plans"),
    boosts=Boosts({}),
    follow_succession=True,
    name="test-docs",
    vault="/vault",
)
MAKE = Make(parser=1, chunker=1, analyser="unicode-1")
START_NS = 1_900_000_000_000_000_000
"""Long after every time stamp of `MemoryVault`, so that no note is racy."""


@dataclass(slots=True)
class Workbench:
    """Everything that a use case needs, with the parts open to be bent."""

    store: SqliteStore
    vault: MemoryVault
    embedder: FakeEmbedder | None
    rules: SearchRules = RULES
    automatic: bool = True
    seconds: float = 0.0
    """The refresher's clock."""
    refresher: Refresher | None = None
    make: Make = MAKE
    status_rules: StatusRules = PLAIN
    origins: Origins | None = None
    converter: Converter | None = None
    told: list[str] = field(default_factory=list)

    def index(self, **request: object) -> IndexReport:
        """One run of `index`."""
        indexer = Indexer(
            self.vault, self.store, self.embedder, self.own_make(), rules=self.status_rules,
            origins=self.origins, converter=self.converter,
            when_read=lambda: self.told.append("read"), now_ns=lambda: START_NS,
        )  # fmt: skip
        return indexer.run(IndexRequest(**request))  # type: ignore[arg-type]

    def ask(self, text: str, **query: object) -> Answer:
        """One question; the clock stands unless `seconds` is moved."""
        if self.refresher is None:
            self.refresher = Refresher(
                self.vault,
                self.store,
                self.embedder,
                automatic=self.automatic,
                make=self.own_make(),
                rules=self.status_rules,
                converter=self.converter,
                clock=lambda: self.seconds,
            )
        searcher = Searcher(self.store, self.embedder, UnicodeAnalyser(), self.rules)
        wanted = {"limit": 8, **query}
        return Answerer(searcher, self.refresher).answer(Query(text=text, **wanted))  # type: ignore[arg-type]

    def under(self, rules: StatusRules) -> Workbench:
        """Another process with other status rules, on the same index."""
        self.status_rules, self.refresher = rules, None
        return self

    def own_make(self) -> Make:
        """What this process reads notes with."""
        return replace(self.make, rules=self.status_rules.digest)

    def paths(self, text: str, **query: object) -> list[str]:
        """The paths of the hits."""
        return [hit.section.path for hit in self.ask(text, **query).hits]

    def listed(self, path: str) -> ListedNote:
        """One note as `list` shows it."""
        return next(note for note in self.store.notes.listing() if note.path == path)

    def with_rules(self, **changes: object) -> Workbench:
        """Change the search rules."""
        self.rules = replace(self.rules, **changes)  # type: ignore[arg-type]
        return self


def workbench(tmp_path: Path, files: dict[str, str | bytes], embedder: FakeEmbedder | None) -> Workbench:
    """A bench over `files` with a new index; nothing is indexed yet."""
    store = open_store(str(tmp_path / "index.db"), UnicodeAnalyser(), create=True)
    return Workbench(store=store, vault=MemoryVault(files), embedder=embedder)


@contextmanager
def benches(tmp_path: Path) -> Iterator[Callable[[dict[str, str | bytes], FakeEmbedder | None], Workbench]]:
    """Makes benches that are indexed once, and closes their stores in the end."""
    opened: list[Workbench] = []

    def make(files: dict[str, str | bytes], embedder: FakeEmbedder | None) -> Workbench:
        made = workbench(tmp_path, files, embedder)
        opened.append(made)
        made.index()
        return made

    yield make
    for each in opened:
        each.store.close()


def note(body: str, **frontmatter: str) -> str:
    """A note's text with frontmatter."""
    lines = [f"{key}: {value}" for key, value in frontmatter.items()]
    return "\n".join(["---", *lines, "---", "", body, ""]) if lines else body + "\n"
