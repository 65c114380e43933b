"""Inputs for the targets: pieces that mean something to a parser, put together, and mutations of what is known.

Deterministic for a seed, so that a finding can be had again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

CORPUS: Final = Path(__file__).parent / "corpus"

PIECES: Final[tuple[bytes, ...]] = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (
        "---\n", "+++\n", "...\n", "# ", "## Status\n", "status: ", "Status: ", "status:: ", "superseded",
        "superseded by ", "superseded_by: ", "supersedes: ", "accepted", "draft", "partly ", "date: 2026-01-02\n",
        "aliases: [", "tags: ", "[[", "]]", "[a](", ")", "](../", "<!--", "-->", "%%", "$$", "```", "~~~", "`", "> ",
        "> [!note]\n", "- ", "- [ ] ", "1. ", "| a | b |\n|-|-|\n", "|", "    ", "\t", "\n", "\n\n", "\r\n", "\\",
        "&amp;", "<div>", "</div>", "<b ", "^id", "[^1]", "[^1]: ", "{{x}}", "{{", "<% %>", "ADR-1", "ADR-0002",
        "0001-a.md", "0002-b", "D-001", "## D-001: x\n", "log.md#D-001", "README.md", "!!python/object:os.system",
        "&a ", "*a", "? ", "{", "}", "[", "]", '"', "'", ",", ":", ": ", "true", "null", "1e999", "-0",
        "99999999999999999999", "\\u0000", "\\ud800", "NaN", "query", "limit", "within", "path", "tool_name", "Edit",
        "tool_input", "file_path", "cwd", "~", "~root", "..", "/", "../..", "//", "C:\\", "\x00", "\x1b[31m", "\x07",
        "\u202e", "\u2066", "\u2028", "\ufeff", "\U000e0041", "\u00a0", "\u200b", "가", "漢字", "é", "e\u0301", "İ",
        "\U0001f600", "\ud800", "vaultPath", "indexPath", "ollamaHost", "http://", "https://[::1]:", "include",
        "exclude", "**/", "*", "?", "[!a-", "{a,b}", "!", "#", "AND", "NEAR(", "OR", "NOT", "a*", '""', "--", ";",
        "questions:\n", "  - question: ", "    answers: ", "none", "zebra", "The quick brown fox. ", "see ", "=\n",
        "===\n",
    )
)  # fmt: skip


def seeds(target: str) -> list[bytes]:
    """The regressions of a target, by name."""
    return [file.read_bytes() for file in sorted((CORPUS / target).glob("*"))]


def inputs(target: str, seed: int, most: int = 4_000) -> Iterator[bytes]:
    """Without end: inputs of at most `most` bytes or so, first the known ones."""
    chance = random.Random(f"{target} {seed}")
    known = seeds(target)
    yield from known
    pool = [*known, b""]
    while True:
        made = _mutated(chance, pool) if chance.random() < 0.6 else _assembled(chance)
        made = made[:most]
        if chance.random() < 0.05:
            pool.append(made)
            del pool[: len(pool) - 500]
        yield made


def _assembled(chance: random.Random) -> bytes:
    return b"".join(_repeated(chance) for _ in range(chance.randint(1, 25)))


def _repeated(chance: random.Random) -> bytes:
    times = chance.choice((1, 1, 1, 1, 2, 3, 40))
    return chance.choice(PIECES) * times


def _mutated(chance: random.Random, pool: Sequence[bytes]) -> bytes:
    data = bytearray(chance.choice(pool))
    for _ in range(chance.randint(1, 6)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 0, 1, 2, 8, 64)))
        what = chance.random()
        if what < 0.5:
            data[start:end] = _repeated(chance)
        elif what < 0.7:
            data[start:end] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 3)))
        elif what < 0.85:
            del data[start:end]
        else:
            other = chance.choice(pool)
            cut = chance.randint(0, len(other))
            data[start:end] = other[cut : cut + 200]
    return bytes(data)
