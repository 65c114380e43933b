"""Rich text in Unicode."""

from __future__ import annotations

import re

import pytest

from docs_rag.adapters.converters.rtfcode import unicode_only


def shown(data: bytes) -> str:
    """The text as a reader of Unicode escapes sees it."""
    made = unicode_only(data).decode("ascii")
    units = re.sub(r"\\uc0\\u(-?\d+) ", lambda found: chr(int(found[1]) & 0xFFFF), made)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def escaped(text: str, encoding: str) -> bytes:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding)).encode()


FONTS = rb"{\fonttbl{\f0\fcharset129 Batang;}{\f1\fnil\fcharset204 Arial;}{\f2 Times;}}"


def test_the_document_has_a_code_page_and_fonts_have_character_sets() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg932" + FONTS + escaped("東京", "cp932") + rb"{\f0 " + escaped("한글", "cp949")
        + rb"}{\f1 " + escaped("Река", "cp1251") + rb"}" + escaped("駅", "cp932") + rb"}"
    )  # fmt: skip
    assert shown(data).endswith(r"東京{\f0 한글}{\f1 Река}駅}")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (rb"{\rtf1 plain \b text\par" + b"\r\n}", r"{\rtf1 plain \b text\par" + "\r\n}"),
        (rb"\u54620?x", "한x"),
        (rb"\uc2\u54620\'c7\'d1x", "한x"),
        (rb"{\uc0 \u54620}\u54620?x", "{한}한x"),
        (rb"\'5c\'7b", "\\{"),
        (rb"\'e9t\'e9", "été"),
        (b"caf\xe9", "café"),
        (rb"\ansicpg932\'83" + b"\r\nA", r"\ansicpg932" + "ア"),
        (rb"\ansicpg949\'c7}", "\\ansicpg949\ufffd}"),
        (rb"\ansicpg99999\'e9", "\\ansicpg99999é"),
        (rb"\bin5 {\'c7x", "x"),
        (rb"}}\'e9\\", "}}é\\\\"),
        (b"", ""),
    ],
)
def test_tokens(data: bytes, expected: str) -> None:
    assert shown(data) == expected
