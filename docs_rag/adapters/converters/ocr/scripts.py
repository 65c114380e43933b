"""Which language packs of tesseract read which script, as a table."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

LANGUAGES: Final = "DOCS_RAG_OCR_LANGUAGES"
"""Environment variable: tesseract's names of the languages to read, as in `kor+eng`; without it they are guessed."""
_MOST: Final = 4
"""Packs that are used at once: each costs its own pass."""

_TRIES: Final = 5


class Script(NamedTuple):
    """One script."""

    names: tuple[str, ...]
    """As tesseract's script detection calls it."""
    packs: tuple[str, ...]
    """Packs that read it, the commonest first."""
    what: str
    """How people call a text in it."""
    package: str
    """What to install where no pack is there: Debian's package, and Homebrew's."""

    def of(self, installed: frozenset[str]) -> tuple[str, ...]:
        """The installed packs for it, with English for what stands between; empty without one."""
        found = tuple(pack for pack in self.packs if pack in installed)[:_MOST]
        return (*found, *(("eng",) if found and "eng" in installed and "eng" not in found else ()))


def _script(names: str, packs: str, what: str) -> Script:
    first = packs.split()[0]
    package = f"tesseract-ocr-{first.replace('_', '-')} (Debian, Ubuntu) or tesseract-lang (Homebrew)"
    return Script(tuple(names.split()), tuple(packs.split()), what, package)


LATIN: Final = _script("Latin Fraktur", "eng deu fra spa ita por nld pol swe dan nor fin ces tur vie ron hun", "Latin")

SCRIPTS: Final = (
    LATIN,
    _script("Korean Hangul", "kor kor_vert", "Korean"),
    _script("Japanese Hiragana Katakana", "jpn jpn_vert", "Japanese"),
    _script("Han HanS HanT", "chi_sim chi_tra jpn", "Chinese"),
    _script("Cyrillic", "rus ukr bul srp bel", "Cyrillic"),
    _script("Greek", "ell", "Greek"),
    _script("Arabic", "ara fas urd", "Arabic"),
    _script("Hebrew", "heb", "Hebrew"),
    _script("Thai", "tha", "Thai"),
    _script("Devanagari", "hin mar nep san", "Devanagari"),
    _script("Bengali", "ben", "Bengali"),
    _script("Tamil", "tam", "Tamil"),
)


def by_name(name: str | None) -> Script | None:
    """The script that tesseract calls so; None for one that is not in the table."""
    return next((script for script in SCRIPTS if name in script.names), None)


def choices(guess: Script | None, installed: frozenset[str]) -> list[tuple[str, ...]]:
    """Packs to try together, the likeliest first, at most `_TRIES` times."""
    order = sorted(SCRIPTS, key=lambda script: script is not guess)
    return [packs for script in order if (packs := script.of(installed))][:_TRIES]


def wished() -> tuple[str, ...]:
    """The packs that the environment asks for; empty when it leaves the choice to us."""
    return tuple(filter(None, os.environ.get(LANGUAGES, "").replace(",", "+").split("+")))
