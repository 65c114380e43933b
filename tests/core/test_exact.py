"""Text that can be turned back into the very bytes."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.exact import decode_exact
from docs_rag.core.ports import Unreadable


@given(st.binary(max_size=40))
def test_what_is_decoded_can_be_given_back(data: bytes) -> None:
    try:
        text, codec = decode_exact(data)
    except Unreadable as error:
        assert error.code == "encoding"
    else:
        assert text.encode(codec) == data


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_byte_order_mark_stays(codec: str) -> None:
    data = "\ufeff# 노트\r\n".encode(codec)
    assert decode_exact(data) == ("\ufeff# 노트\r\n", codec)


@pytest.mark.parametrize("data", [b"\xff", b"a\0b", codecs.BOM_UTF16_LE + b"a"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        decode_exact(data)
