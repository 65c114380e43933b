"""How fast notes are cut into sections, and how fast the texts to embed are made: `python -m benchmarks.chunking DIR`.

Prints megabytes of notes (UTF-8) a second for both, the best of several runs in one process, and the sections' sizes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from docs_rag.core.chunks import Chunk, chunk
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.embedtext import embed_text
from docs_rag.core.lifecycle import Lifecycle

RUNS = 7


def read(file: Path) -> Document:
    """A note with its frontmatter left out, whatever that says."""
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    lines = text.split("\n")
    body_start = lines.index("---", 1) + 1 if lines[0] == "---" and "---" in lines[1:] else 0
    return Document(path=DocPath(file.name), title=file.stem, lifecycle=Lifecycle(), text=text, body_start=body_start)


def best(work: Callable[[], object]) -> float:
    """Processor seconds of the fastest run: what else runs on the machine counts less."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def texts(notes: list[tuple[Document, list[Chunk]]]) -> int:
    """Characters of all texts to embed."""
    return sum(len(embed_text(note.title, each.headings, each.text)) for note, chunks in notes for each in chunks)


def main(words: Sequence[str] | None = None) -> None:
    """Measure the notes below a folder."""
    parser = argparse.ArgumentParser(description="Measure how fast notes are cut into sections.")
    parser.add_argument("folder", type=Path, help="a folder of notes")
    folder: Path = parser.parse_args(words).folder
    notes = [read(file) for file in sorted(folder.rglob("*")) if file.suffix.lower() == ".md"]
    if not notes:
        parser.error(f"{folder} holds no notes (*.md)")
    megabytes = sum(len(note.text.encode()) for note in notes) / 1e6
    cut = [(note, chunk(note)) for note in notes]
    sizes = sorted(len(each.text) for _, chunks in cut for each in chunks)
    cutting, embedding = best(lambda: [chunk(note) for note in notes]), best(lambda: texts(cut))
    print(f"{len(notes)} notes, {megabytes:.2f} MB, {len(sizes)} sections")
    print(f"characters a section: median {sizes[len(sizes) // 2]}, longest {sizes[-1]}; to embed {texts(cut)} in all")
    print(f"chunk {megabytes / cutting:.1f} MB/s, embed_text {megabytes / embedding:.1f} MB/s")


if __name__ == "__main__":
    main()
