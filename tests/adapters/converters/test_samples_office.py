"""Real documents with what must be found in them, where they are at hand; they are no part of this project."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from docs_rag.adapters.converters import resolve, row_of
from docs_rag.adapters.converters.failing import Unconvertible

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"
LIST = SAMPLES / "EXPECTED.json"


def samples() -> list[dict[str, Any]]:
    if not LIST.exists():
        return []
    files = json.loads(LIST.read_text(encoding="utf-8"))["files"]
    return [each for each in files if each["format"] in ("docx", "pptx", "xlsx")]


def evened(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).replace("\xad", "").replace("\u200b", "")
    return " ".join(plain.split())


@pytest.mark.skipif(not LIST.exists(), reason="the samples are not here")
@pytest.mark.parametrize("sample", samples(), ids=lambda each: each["file"])
def test_a_sample_holds_what_it_must(sample: dict[str, Any]) -> None:
    convert = resolve(row_of(sample["file"]) or pytest.fail("no row"))
    data = (SAMPLES / sample["file"]).read_bytes()
    if "error" in sample:
        try:
            assert convert(data, "sample").warnings
        except Unconvertible as failure:
            assert failure.code in ("encrypted", "damaged")
        return
    markdown = convert(data, "sample").markdown
    text, spaceless = evened(markdown), "".join(markdown.split())
    assert [each for each in sample["must_contain"] if evened(each) not in text] == []
    likes = [like for equation in sample.get("equations", ()) for like in equation["latex_like"]]
    assert [each for each in likes if "".join(each.split()) not in spaceless] == []
    heads = [f"{'#' * level} {words.partition(' (')[0]}" for level, words in sample.get("headings", ())]
    assert [each for each in heads if each not in markdown.splitlines()] == []
    cells = evened(markdown.replace("<br>", "")).replace(" ", "")
    texts = [cell[2] for table in sample.get("tables", ()) for cell in table["cells"] if len(cell[2]) < 40]
    assert [each for each in texts if evened(each).replace(" ", "") not in cells] == []
