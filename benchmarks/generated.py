"""A vault of any size, the same one every time: notes of realistic length with headings, lists, code and states."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path
from typing import Final

WORDS = [
    "session",
    "token",
    "gateway",
    "queue",
    "retry",
    "deploy",
    "index",
    "cache",
    "user",
    "account",
    "invoice",
    "export",
    "import",
    "schema",
    "table",
    "column",
    "request",
    "response",
    "timeout",
    "limit",
    "policy",
    "backup",
    "restore",
    "region",
    "cluster",
    "service",
    "client",
    "server",
    "message",
    "event",
    "topic",
    "partition",
    "offset",
    "consumer",
    "producer",
    "key",
    "secret",
    "rotate",
    "audit",
    "log",
    "metric",
    "alert",
    "page",
    "screen",
    "button",
    "form",
    "field",
    "label",
    "search",
    "result",
    "ranking",
    "score",
    "vector",
    "model",
    "note",
    "decision",
    "record",
    "draft",
    "review",
    "accept",
    "reject",
    "replace",
    "archive",
    "owner",
    "team",
    "weekly",
    "monthly",
    "release",
    "version",
    "branch",
    "merge",
    "conflict",
    "test",
    "fixture",
    "coverage",
    "error",
    "warning",
    "notice",
    "report",
]
"""Ninety-odd words that are everywhere; names and invented words are rarer."""
_SYLLABLES: Final = tuple(first + last for first in "bdfgklmnprstvw" for last in "aeio")
RARER: Final = 20_000
"""Invented words, the n-th of them about 1/n as frequent as the first, as words of a language are."""
LINKS: Final = 0.3
"""Share of paragraphs that end with a link to another note."""


def write_vault(folder: Path, notes: int, seed: int = 7) -> int:
    """Write `notes` notes below `folder`, a hundred a subfolder; returns how many bytes they have together."""
    chance = random.Random(seed)
    total = 0
    for n in range(notes):
        text = note(n, chance)
        path = folder / f"area-{n // 100:03d}" / f"{n:05d}-{chance.choice(WORDS)}-{chance.choice(WORDS)}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        total += len(text.encode())
    return total


def note(n: int, chance: random.Random) -> str:
    """One note of two to nine sections."""
    status = chance.choices(["accepted", "draft", "superseded", ""], [70, 10, 10, 10])[0]
    head = ["---", f"title: Record {n} on {chance.choice(WORDS)}"]
    head += [f"status: {status}"] if status else []
    head += [f"superseded_by: {max(0, n - 1):05d}"] if status == "superseded" else []
    head += [f"date: 2026-{1 + n % 12:02d}-{1 + n % 28:02d}", "---", "", f"# Record {n} on {chance.choice(WORDS)}", ""]
    body = [section(n, part, chance) for part in range(chance.randint(2, 9))]
    return "\n".join(head + body)


def section(n: int, part: int, chance: random.Random) -> str:
    """A heading, paragraphs, and sometimes a list or code."""
    lines = [f"## {chance.choice(WORDS).title()} {chance.choice(WORDS)} {part}", ""]
    lines += [sentence(n, chance) + " " + sentence(n, chance), ""] * 1
    kind = chance.random()
    if kind < 0.3:
        lines += [f"- {sentence(n, chance)}" for _ in range(chance.randint(2, 6))] + [""]
    elif kind < 0.4:
        lines += ["```sh", f"docs-tool run --id {n}-{part}", "```", ""]
    link = [f"See [[{chance.randrange(n + 1):05d}]]."] if chance.random() < LINKS else []
    lines += [" ".join([*(sentence(n, chance) for _ in range(chance.randint(1, 5))), *link]), ""]
    return "\n".join(lines)


def sentence(n: int, chance: random.Random) -> str:
    """Eight to twenty words; now and then a name that stands in few notes."""
    count = chance.randint(8, 20)
    words = chance.choices(WORDS, k=count // 2) + [
        invented(place) for place in chance.choices(_PLACES, cum_weights=_SHARES, k=count - count // 2)
    ]
    chance.shuffle(words)
    if chance.random() < 0.1:
        words.append(f"ERR_{n:05d}_{chance.choice(WORDS).upper()}")
    return " ".join(words).capitalize() + "."


def invented(place: int) -> str:
    """A word that looks like one of a language: of at least three syllables, another one for every place."""
    place += len(_SYLLABLES) ** 2
    syllables: list[str] = []
    while place:
        place, last = divmod(place, len(_SYLLABLES))
        syllables.append(_SYLLABLES[last])
    return "".join(syllables)


_PLACES: Final = range(RARER)
_SHARES: Final = list(accumulate(1 / (place + 1) for place in _PLACES))
