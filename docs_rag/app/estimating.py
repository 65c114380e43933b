"""How long the first index will take: a sample of the notes is cut, and some of their sections are embedded."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_rag.app.surveying import spread
from docs_rag.core.ports import Unreadable, Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from docs_rag.core.documents import DocPath
    from docs_rag.core.ports import Embedder

MOST_READ: Final = 60
"""Notes of the sample."""
WORTH_MEASURING: Final = 50
"""Sections from which on the model is tried: fewer take less than the trial."""
WARM_UP: Final = 2
"""Texts that are embedded first and not counted: the model is loaded with them."""
BATCH: Final = 8
PATIENCE: Final = 1.5
"""Seconds of the trial after which no other batch is begun."""


class Estimate(NamedTuple):
    """What the first index will be."""

    sections: int
    seconds: float | None
    """For embedding them all; None when that was not measured."""


def estimate(
    vault: Vault,
    paths: Collection[DocPath],
    embedder: Embedder | None,
    clock: Callable[[], float] = time.monotonic,
) -> Estimate:
    """The size of the index, and with an embedder the time; raises `EmbedderUnavailable` when it cannot be asked."""
    texts, notes = _texts(vault, [*spread(sorted(paths), MOST_READ)])
    sections = round(len(texts) * len(paths) / notes) if notes else 0
    if embedder is None or sections < WORTH_MEASURING:
        return Estimate(sections, None)
    rate = _rate(embedder, texts, clock)
    return Estimate(sections, sections / rate if rate else None)


def _texts(vault: Vault, paths: Collection[DocPath]) -> tuple[list[str], int]:
    """What would be embedded of some notes, and how many of them could be read."""
    notes = [list(each) for path in paths if (each := _sections(vault, path)) is not None]
    return [text for note in notes for text in note], len(notes)


def _sections(vault: Vault, path: DocPath) -> Iterator[str] | None:
    from docs_rag.core.chunks import chunk  # noqa: PLC0415  # the parsers, which `init --help` needs not
    from docs_rag.core.embedtext import embed_text  # noqa: PLC0415
    from docs_rag.core.parsing import decode, parse_document  # noqa: PLC0415

    try:
        document = parse_document(path, decode(vault.read(path)[1]))
    except (Unreadable, RecursionError):
        return None
    return (embed_text(document.title, each.headings, each.text) for each in chunk(document))


def _rate(embedder: Embedder, texts: list[str], clock: Callable[[], float]) -> float:
    """Texts a second; 0.0 when there are too few to tell."""
    texts = [*_interleaved([text for text in texts if text])]
    embedder.embed_documents(texts[:WARM_UP])
    begun, done = clock(), WARM_UP
    while done < len(texts) and clock() - begun < PATIENCE:
        embedder.embed_documents(texts[done : done + BATCH])
        done = min(len(texts), done + BATCH)
    elapsed = clock() - begun
    return (done - WARM_UP) / elapsed if elapsed > 0 else 0.0


def _interleaved(texts: Sequence[str]) -> Iterator[str]:
    """The texts in another order, so that any beginning of it comes from all over them: notes differ in length."""
    step = max(1, len(texts) // (WARM_UP + BATCH))
    return (text for start in range(step) for text in texts[start::step])
