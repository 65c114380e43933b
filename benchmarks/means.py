"""Work out the means that `docs_rag/core/means.py` ships, from any folders of text, and print its two constants.

    python benchmarks/means.py --english DIR [DIR ...] --others DIR [DIR ...] [--sections 1000]

Notes are cut and written out as `docs-rag index` does it; `.md`, `.rst`, `.txt` and manual pages are read. Seven
tenths of the sections are English, the rest comes from the other folders, in equal parts from each. Questions
stand for themselves as headings and first sentences. Only numbers come out: no text is kept.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import random
import re
import struct
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs_rag.adapters.embedders.builtin import BuiltinEmbedder
from docs_rag.core.chunks import chunk
from docs_rag.core.documents import DocPath
from docs_rag.core.embedtext import embed_text
from docs_rag.core.parsing import parse_document
from docs_rag.core.ports import EmbedFailure
from docs_rag.core.vectors import Mean, mean, unpack

ENGLISH_SHARE = 0.7
PER_FILE = 2
"""Sections taken from one file at the most, so that no long manual speaks for all."""
LARGEST = 400_000
"""Bytes; a larger file is data rather than a note."""


def texts(folder: Path, count: int, rng: random.Random) -> list[tuple[str, str]]:
    """So many sections from the folder's files, each with what someone might ask to find it."""
    files = sorted(path for path in folder.rglob("*") if _is_text(path))
    rng.shuffle(files)
    found: list[tuple[str, str]] = []
    for path in files:
        sections = list(_sections(path))
        found += rng.sample(sections, min(PER_FILE, len(sections)))
        if len(found) >= count:
            break
    return found[:count]


def _is_text(path: Path) -> bool:
    manual = re.fullmatch(r".*\.\d\w*\.gz", path.name)
    named = path.suffix in {".md", ".rst", ".txt"} or manual
    return bool(named) and path.is_file() and not path.is_symlink() and path.stat().st_size < LARGEST


def _sections(path: Path) -> Iterator[tuple[str, str]]:
    data = path.read_bytes()
    text = _from_manual(gzip.decompress(data)) if path.suffix == ".gz" else data.decode("utf-8", "replace")
    document = parse_document(DocPath(path.name), text)
    for section in chunk(document):
        sent = embed_text(document.title, section.headings, section.text)
        if len(sent) > 80:
            heading = section.headings[-1] if section.headings else document.title
            body = sent.split("\n")[-1]
            sentence = re.split(r"(?<=[.!?。])\s", body)[0][:120]
            yield sent, heading if len(sent) % 2 else sentence


def _from_manual(data: bytes) -> str:
    """A manual page's source as markdown, near enough."""
    text = re.sub(r'^\.SH\s+"?([^"\n]*)"?', r"## \1", data.decode("utf-8", "replace"), flags=re.MULTILINE)
    text = re.sub(r"^[.'].*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\\f.|\\&|\\", "", text)


def collect(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """The mixture, in the shares that the module's docstring states."""
    rng = random.Random(1)
    english = int(arguments.sections * ENGLISH_SHARE)
    parts = [(arguments.english, english), (arguments.others, arguments.sections - english)]
    found: list[tuple[str, str]] = []
    for folders, count in parts:
        for folder in folders:
            taken = texts(folder, -(-count // len(folders)), rng)
            print(f"{len(taken):5d} sections from {folder}")
            found += taken
    return found


def constant(name: str, values: Mean) -> str:
    """Python source of a mean as base64 of float16, little endian."""
    numbers = unpack(values)
    coded = base64.b64encode(struct.pack(f"<{len(numbers)}e", *numbers)).decode("ascii")
    return f"{name}: Final = (\n" + "\n".join(f'    "{line}"' for line in textwrap.wrap(coded, 100)) + "\n)"


def _present(values: Mean | None) -> Mean:
    if values is None:
        raise SystemExit("no text was found in these folders")
    return values


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, embed, print."""
    parser = argparse.ArgumentParser(description="work out the means of the builtin model")
    parser.add_argument("--english", type=Path, nargs="+", required=True)
    parser.add_argument("--others", type=Path, nargs="+", required=True)
    parser.add_argument("--sections", type=int, default=1000)
    found = collect(parser.parse_args(arguments))
    embedder = BuiltinEmbedder()
    results = embedder.embed_documents([section for section, _ in found])
    documents = mean(vector for vector in results if not isinstance(vector, EmbedFailure))
    queries = mean(embedder.embed_query(question) for _, question in found)
    print(constant("_E5_DOCUMENTS", _present(documents)))
    print(constant("_E5_QUERIES", _present(queries)))


if __name__ == "__main__":
    main()
