"""Real PDF files and pictures: every string that a right reading contains, and a reason where there is none."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.images import convert as convert_image
from docs_rag.adapters.converters.ocr import is_available
from docs_rag.adapters.converters.pdf import convert

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"
EXPECTED = SAMPLES / "EXPECTED.json"
FILES: list[dict[str, Any]] = (
    [each for each in json.loads(EXPECTED.read_text(encoding="utf-8"))["files"] if each["format"] in ("pdf", "image")]
    if EXPECTED.exists()
    else []
)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FILES, reason="the samples are not here")]


def having(*, text: bool) -> list[Any]:
    return [pytest.param(each, id=each["file"]) for each in FILES if bool(each["must_contain"]) is text]


def needs_ocr(sample: dict[str, Any]) -> bool:
    return sample["format"] == "image" or "scan" in sample.get("error", "")


def markdown_of(sample: dict[str, Any]) -> str:
    data = (SAMPLES / sample["file"]).read_bytes()
    return (convert_image if sample["format"] == "image" else convert)(data, sample["file"]).markdown


def bare(text: str) -> str:
    """As the samples are compared: without spaces, soft hyphens and markdown's escapes."""
    return re.sub(r"[\s\u00ad\u200b\\]|<br>", "", unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("sample", having(text=True))
def test_every_string_is_found(sample: dict[str, Any]) -> None:
    if needs_ocr(sample) and not is_available():
        pytest.skip("no OCR engine is here")
    found = bare(markdown_of(sample))
    assert [text for text in sample["must_contain"] if bare(text) not in found] == []


@pytest.mark.parametrize("sample", having(text=False))
def test_what_cannot_be_read_is_a_reason(sample: dict[str, Any]) -> None:
    with pytest.raises(Unconvertible) as failure:
        markdown_of(sample)
    assert failure.value.code == "encrypted"
