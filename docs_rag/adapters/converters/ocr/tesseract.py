"""Tesseract, the program: found on the PATH, fed through its standard input, read as TSV (its `tsv` output format)."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise
from statistics import median
from typing import Final, NamedTuple

from docs_rag.adapters.converters.ocr.reading import CALL_SECONDS, Reading
from docs_rag.core.doctext import clean, literal, without_inner_spaces

_SCRIPT: Final = re.compile(r"^Script: (\w+)$", re.MULTILINE)
_SURE: Final = re.compile(r"^Script confidence: ([\d.]+)$", re.MULTILINE)
_LEAST_SURE: Final = 1.0
_WORD: Final = "5"
"""Level of the rows that hold words."""
_SYLLABLE_GAP: Final = 0.4
"""Of a word's height: less is no space between words."""
_HANGUL: Final = re.compile("[가-힣]{2}")
_NO_WORD: Final = 0.0
"""Words with less confidence than this are none: tesseract writes -1 for boxes."""


@cache
def program() -> str | None:
    """Where tesseract is."""
    return shutil.which("tesseract")


@cache
def packs(program: str) -> frozenset[str]:
    """The language packs it has; `osd` is the one that tells scripts apart."""
    lines = _run(program, b"", "--list-langs").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and " " not in line.strip())


def script(program: str, image: bytes) -> str | None:
    """What script a picture seems to be in; None where too little is written in it to tell."""
    said = _run(program, image, "-", "-", "--psm", "0")
    found, sure = _SCRIPT.search(said), _SURE.search(said)
    return found[1] if found and sure and float(sure[1]) >= _LEAST_SURE else None


def read(program: str, image: bytes, languages: Sequence[str]) -> Reading:
    """The text of a picture in these languages; an empty reading where tesseract fails on it."""
    options = ("-l", "+".join(languages), "--psm", "3", "-c", "preserve_interword_spaces=1", "tsv")
    words = list(_words(_run(program, image, "-", "-", *options)))
    letters = sum(len(word.text) for word in words)
    if not letters:
        return Reading()
    pages = groupby(words, key=lambda word: word.line[:1])
    confidence = sum(word.confidence * len(word.text) for word in words) / letters
    return Reading(tuple(tuple(_paragraphs(page)) for _, page in pages), confidence)


class _Word(NamedTuple):
    line: tuple[str, ...]
    """Page, block, paragraph, line: tesseract's numbers."""
    left: int
    width: int
    height: int
    """In pixels."""
    text: str
    confidence: float


def _words(table: str) -> Iterator[_Word]:
    for row in csv.reader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if len(row) == 12 and row[0] == _WORD and (text := clean(row[11]).strip()):
            confidence = float(row[10])
            if confidence > _NO_WORD:
                yield _Word(tuple(row[1:5]), int(row[6]), int(row[8]), int(row[9]), text, confidence)


def _paragraphs(words: Iterable[_Word]) -> Iterator[str]:
    for _, paragraph in groupby(words, key=lambda word: word.line[:3]):
        lines = (_joined(list(line)) for _, line in groupby(paragraph, key=lambda word: word.line))
        yield "\n".join(literal(without_inner_spaces(line)) for line in lines)


def _joined(words: Sequence[_Word]) -> str:
    """The words of a line; single syllables of Hangul that tesseract parts from their word join it again."""
    height = median(word.height for word in words)
    text = words[0].text
    for before, word in pairwise(words):
        gap = word.left - before.left - before.width
        parted = gap < _SYLLABLE_GAP * height and 1 in (len(before.text), len(word.text))
        text += word.text if parted and _HANGUL.fullmatch(before.text[-1] + word.text[0]) else f" {word.text}"
    return text


def _run(program: str, image: bytes, *options: str) -> str:
    """What it writes; nothing where it fails or takes too long."""
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # its threads cost more than they gain
    try:
        done = subprocess.run(
            (program, *options),
            input=image,
            capture_output=True,
            timeout=CALL_SECONDS - 10,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
