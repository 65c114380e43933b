"""Every line of docs/security.md names a test, and that test is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| what ")]
ROWS += [line for line in PAGE.splitlines() if re.match(r"\| what (?!a|it|they)", line)]


def test_the_page_has_its_tables() -> None:
    assert PAGE.count("|---|---|---|") == 4
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2:50])
def test_a_threat_has_its_test(row: str) -> None:
    found = re.search(r"\| `(?P<file>[\w/]+\.py)(?:::(?P<name>\w+))?` \|$", row)
    assert found is not None
    text = (TESTS / found["file"]).read_text(encoding="utf-8")
    assert found["name"] is None or re.search(rf"^(?:async )?def {found['name']}\(", text, re.MULTILINE)
