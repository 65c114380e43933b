"""Real Hancom files: every string, table, heading and formula that a right reading contains, and no more."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.hwp import convert

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"
EXPECTED = SAMPLES / "EXPECTED.json"
FILES: list[dict[str, Any]] = (
    [each for each in json.loads(EXPECTED.read_text(encoding="utf-8"))["files"] if each["format"] in ("hwp", "hwpx")]
    if EXPECTED.exists()
    else []
)

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FILES, reason="the samples are not here")]


def having(key: str) -> list[Any]:
    return [pytest.param(each, id=each["file"]) for each in FILES if each.get(key)]


def markdown_of(sample: dict[str, Any]) -> str:
    path = SAMPLES / sample["file"]
    return convert(path.read_bytes(), path.name).markdown


def bare(text: str) -> str:
    """As the samples are compared: without spaces, soft hyphens and markdown's escapes."""
    return re.sub(r"[\s\u00ad\u200b\\]|<br>", "", unicodedata.normalize("NFKC", text))


def grids(markdown: str) -> list[list[list[str]]]:
    """The pipe tables, each as rows of cells."""
    blocks = re.findall(r"(?:^\|.*\|$\n?)+", markdown, re.MULTILINE)
    rows = [[line for at, line in enumerate(block.splitlines()) if at != 1] for block in blocks]
    return [[[bare(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines] for lines in rows]


def holds(grid: list[list[str]], table: dict[str, Any]) -> bool:
    if len(grid) != table["rows"]:
        return False
    return all(bare(text) in grid[row][column] for row, column, text, *_ in table["cells"])


@pytest.mark.parametrize("sample", having("must_contain"))
def test_every_string_is_found(sample: dict[str, Any]) -> None:
    found = bare(markdown_of(sample))
    assert [text for text in sample["must_contain"] if bare(text) not in found] == []


@pytest.mark.parametrize("sample", having("must_not_contain"))
def test_what_is_no_text_of_the_document_is_left_out(sample: dict[str, Any]) -> None:
    found = bare(markdown_of(sample))
    assert [text for text in sample["must_not_contain"] if bare(text) in found] == []


@pytest.mark.parametrize("sample", having("tables"))
def test_every_table_is_a_table(sample: dict[str, Any]) -> None:
    markdown = markdown_of(sample)
    found = grids(markdown)
    tables = [table for table in sample["tables"] if table["ncells"] > 1 and table["cells"]]
    assert [table for table in tables if not any(holds(grid, table) for grid in found)] == []
    frames = [text for table in sample["tables"] if table["ncells"] == 1 for _, _, text, *_ in table["cells"]]
    assert [text for text in frames if bare(text) not in bare(markdown)] == []


@pytest.mark.parametrize("sample", having("headings"))
def test_every_heading_is_one_of_its_level(sample: dict[str, Any]) -> None:
    lines = [bare(line) for line in markdown_of(sample).splitlines()]
    headings = [(level, text.partition(" or ")[2] or text) for level, text in sample["headings"]]
    assert [text for level, text in headings if bare("#" * level + text) not in lines] == []


@pytest.mark.parametrize("sample", having("equations"))
def test_every_formula_is_latex(sample: dict[str, Any]) -> None:
    markdown = markdown_of(sample)
    assert "$" in markdown
    wanted = [each for equation in sample["equations"] for each in equation.get("latex_like", ())]
    assert [each for each in wanted if re.sub(r"[\s{}]", "", each) not in re.sub(r"[\s{}]", "", markdown)] == []


@pytest.mark.parametrize("sample", having("error"))
def test_what_cannot_be_read_says_why(sample: dict[str, Any]) -> None:
    with pytest.raises(Unconvertible) as failure:
        markdown_of(sample)
    assert failure.value.code in ("encrypted", "unsupported")
    assert any(word in str(failure.value) for word in ("password", "HWP 3.0", "no text"))


@pytest.mark.parametrize("name", ["outline", "table-bug", "latex"])
def test_both_forms_of_a_document_read_alike(name: str) -> None:
    packed, zipped = (SAMPLES / suffix / f"hwpjs__{name}.{suffix}" for suffix in ("hwp", "hwpx"))
    words = [
        re.sub(r"[\s`]|\\,|bin0001|image1|―", "", convert(path.read_bytes(), path.name).markdown)
        for path in (packed, zipped)
    ]
    assert words[0] == words[1]
