"""The project that a server is for, as `wiring` opens its parts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from docs_rag import backstage, wiring
from docs_rag.config import Config
from docs_rag.core.changes import RACY_NS
from docs_rag.errors import DocsRagError, EmbedderUnavailable

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from docs_rag.app.answering import Answerer
    from docs_rag.app.library import Library
    from docs_rag.core.ports import Embedder


class ServedProject:
    """A config that was read and approved. Raises `ConfigError` and `Unapproved`."""

    def __init__(self, options: wiring.Options, tools: str | None = None) -> None:
        """Find and read the config; `tools` counts instead of what that says."""
        self._config, self.notices = wiring.open_project(options, strict=False, serving=True)
        self._stamp = _stamp(self._config)
        if self._stamp is not None and max(self._stamp[:2]) > time.time_ns() - RACY_NS:  # changed after it was read?
            self._config, self.notices = wiring.open_project(options, strict=False, serving=True)
        self._tools = tools or self._config.tools

    @property
    def name(self) -> str:
        """The server's name."""
        return self._config.name

    @property
    def told(self) -> str | None:
        """`toolDescription`."""
        return self._config.tool_description

    @property
    def tools(self) -> str:
        """Which tools are served."""
        return self._tools

    @property
    def limit(self) -> int:
        """Hits when the caller names no limit."""
        return self._config.limit

    def is_current(self) -> bool:
        """False when the config file is no longer what was read."""
        return _stamp(self._config) == self._stamp

    def open(self) -> ServedIndex:
        """Open the index; raises `IndexMissing`, `IndexDamaged`, `Busy`."""
        return ServedIndex(self._config)

    def begin_indexing(self) -> str | None:
        """Have a run of `index` at work in the background, begun now if need be; why not, where there can be none.

        None where nothing may happen by itself: under `autoRefresh: false`, and without a config file.
        """
        config = self._config
        if config.path is None or not config.auto_refresh:
            return None
        if wiring.is_being_indexed(config):
            return ""
        try:
            wiring.make_state_folder(config)
        except DocsRagError as error:
            return error.message
        return backstage.begin_run(config.path, config.state_dir)


class ServedIndex:
    """The project's open index with what answers from it."""

    def __init__(self, config: Config) -> None:
        """Open the index; raises as `ServedProject.open` does."""
        self._config = config
        self.index = wiring.open_index(config)

    def choose_embedder(self) -> tuple[Embedder | None, str]:
        """The model for questions, and why there is none where one is wanted."""
        return wiring.choose_search_embedder(self._config, self.index)

    def open_answerer(self, embedder: Embedder | None, failure: str) -> Answerer:
        """The use case that answers questions from the index; `failure` says why a wanted model is not there."""
        return wiring.open_answerer(self._config, self.index, embedder, failure)

    def open_library(self, embedder: Embedder | None, failure: str) -> Library:
        """The use cases of the reading tools, on the same index."""
        from docs_rag.library import open_library  # noqa: PLC0415  # for servers that have these tools

        return open_library(self._config, self.index, embedder, failure)

    def is_being_indexed(self) -> bool:
        """True while a run of `index` is at work."""
        return wiring.is_being_indexed(self._config)

    def embedding_turn(self) -> AbstractContextManager[bool]:
        """Whether this server is the one that embeds sections; held until the block is left."""
        return backstage.embedding_turn(self._config.state_dir)

    def may_have_vectors(self) -> bool:
        """Whether an index without a model could have one now: one is wanted, and it can be asked."""
        try:
            embedder = wiring.choose_embedder(self._config, self.index)
            if embedder is None:
                return False
            embedder.digest()
        except EmbedderUnavailable:
            return False
        return True


def _stamp(config: Config) -> tuple[int, int, int, int] | None:
    """What changes when the config file does; None for a config without a file, and for one that is gone."""
    if config.path is None:
        return None
    try:
        found = Path(config.path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
