"""Text in pictures: tesseract where it is on the PATH and knows the language, else RapidOCR.

Tesseract is asked first: it reads every language that a pack is installed for, Korean among them, which RapidOCR does
not. What script a picture is in is tesseract's own guess; a wrong guess shows in the confidence of what was read.
"""

from __future__ import annotations

from typing import Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ocr import rapid, tesseract
from docs_rag.adapters.converters.ocr.reading import CALL_SECONDS, GOOD, POOR, Reading
from docs_rag.adapters.converters.ocr.scripts import LATIN, Script, by_name, choices, wished
from docs_rag.adapters.converters.pace import more

HOW: Final = "pip install 'docs-rag[ocr]', or put tesseract on the PATH"


def is_available() -> bool:
    """Whether any engine is here; loads none."""
    return tesseract.program() is not None or rapid.is_installed()


class Ocr:
    """The engines of this machine; what fitted one picture is tried first on the next."""

    def __init__(self) -> None:
        """Find what is installed; raises `Unconvertible` where nothing is."""
        self._program = tesseract.program()
        if self._program is None and not rapid.is_installed():
            raise Unconvertible("needs-ocr", f"text in pictures needs OCR: {HOW}")
        self._packs = tesseract.packs(self._program) if self._program else frozenset()
        self._fitting: tuple[str, ...] = ()

    def read(self, image: bytes) -> Reading:
        """What an image file shows (PNG, JPEG, PGM ...); raises `Unconvertible` where nothing legible is found."""
        if self._fitting:
            reading = self._tesseract(image, self._fitting)
            if reading.confidence >= GOOD:
                return reading
        script = tesseract.script(self._program, image) if self._program and "osd" in self._packs else None
        best = self._best(image, by_name(script))
        if best.confidence < POOR:
            raise Unconvertible("needs-ocr", self._failure(by_name(script)))
        return best

    def _best(self, image: bytes, guess: Script | None) -> Reading:
        """The first reading that is good, else the most confident one."""
        best = Reading()
        for languages in self._choices(guess):
            reading = self._tesseract(image, languages)
            if reading.confidence > best.confidence:
                best, self._fitting = reading, languages
            if best.confidence >= GOOD:
                return best
        if rapid.is_installed():
            more(CALL_SECONDS)
            reading = rapid.read(image)
            best = max(best, reading, key=lambda each: each.confidence)
        return best

    def _choices(self, guess: Script | None) -> list[tuple[str, ...]]:
        """Packs to try together, the likeliest first; none without tesseract."""
        if self._program is None:
            return []
        if configured := wished():
            return [tuple(pack for pack in configured if pack in self._packs)]
        return choices(guess, self._packs)

    def _tesseract(self, image: bytes, languages: tuple[str, ...]) -> Reading:
        if self._program is None or not languages:
            return Reading()
        more(CALL_SECONDS)
        return tesseract.read(self._program, image, languages)

    def _failure(self, guess: Script | None) -> str:
        if guess is not None and not guess.of(self._packs) and guess is not LATIN:
            return f"it seems to be {guess.what}, for which OCR has no language here: install {guess.package}"
        known = ", ".join(sorted(self._packs - {"osd"})) or "RapidOCR (no Korean)"
        return f"no legible text was found in the picture (OCR languages here: {known})"
