"""The collected samples of text formats, where they are there: what they hold is found."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from docs_rag.adapters.converters import CONVERTERS, resolve, suffix_of

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"
FORMATS = ("csv", "html", "epub")


def expected() -> list[dict[str, object]]:
    place = SAMPLES / "EXPECTED.json"
    if not place.exists():
        return []
    every = json.loads(place.read_text(encoding="utf-8"))["files"]
    return [each for each in every if each["format"] in FORMATS]


def plain(text: str) -> str:
    """As the strings are compared: compatibility forms, no invisible signs, single spaces."""
    folded = unicodedata.normalize("NFKC", text).translate(dict.fromkeys((0xAD, 0x200B)))
    return " ".join(folded.split())


@pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not beside this repository")
@pytest.mark.parametrize("sample", expected(), ids=lambda each: str(each["file"]))
def test_sample(sample: dict[str, object]) -> None:
    file = SAMPLES / str(sample["file"])
    row = CONVERTERS[suffix_of(file.name)]
    converted = resolve(row)(file.read_bytes(), file.name)
    text = plain(converted.markdown)
    strings = sample["must_contain"]
    assert isinstance(strings, list)
    assert [each for each in strings if plain(each) not in text] == []
    assert converted.warnings == ()
    lines = converted.markdown.split("\n")
    assert all(1 <= each.lines[0] <= each.lines[1] <= len(lines) for each in converted.stretches)
