"""Archives and XML of documents, hostile ones too."""

from __future__ import annotations

import io
import zipfile

import pytest

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.zipxml import DEEPEST, attribute, local, nesting_checked, open_zip, parse_xml


def packed(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", how) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target.getvalue()


def code_of(call: object, *arguments: object, **options: object) -> str:
    assert callable(call)
    with pytest.raises(Unconvertible) as caught:
        call(*arguments, **options)
    return caught.value.code


def test_members_are_found_however_their_name_is_spelled() -> None:
    archive = open_zip(packed({"word/Document.xml": b"<a/>", "xl//b.xml": b"<b/>"}))
    assert archive.names() == ["word/Document.xml", "xl//b.xml"]
    assert archive.read("/word/document.xml") == b"<a/>"
    assert local(archive.xml("xl/b.xml")) == "b"
    assert "word/none.xml" not in archive


def test_what_is_no_archive_or_half_of_one_is_damaged() -> None:
    whole = packed({"a.xml": b"x" * 5000}, zipfile.ZIP_STORED)
    for data in (b"", b"plain text", whole[:3000], whole[:-10]):
        assert code_of(open_zip, data) == "damaged"


def test_a_broken_member_is_damaged() -> None:
    whole = bytearray(packed({"a.xml": b"hello there, how are you"}, zipfile.ZIP_STORED))
    whole[whole.index(b"hello")] ^= 0xFF
    assert code_of(open_zip(bytes(whole)).read, "a.xml") == "damaged"
    assert code_of(open_zip(bytes(whole)).read, "b.xml") == "damaged"


def test_a_member_with_a_password_is_encrypted() -> None:
    whole = bytearray(packed({"a.xml": b"hello"}))
    whole[whole.index(b"PK\x01\x02") + 8] |= 1
    assert code_of(open_zip(bytes(whole)).read, "a.xml") == "encrypted"


def test_a_zip_bomb_is_too_large() -> None:
    bomb = packed({"a.xml": b" " * 20_000_000})
    assert code_of(open_zip, bomb) == "too-large"
    assert code_of(open_zip, packed({"a": b"x" * 5000}), most_bytes=4999) == "too-large"
    assert code_of(open_zip, packed({str(n): b"" for n in range(12)}), most_members=11) == "too-large"


def test_a_zip_bomb_that_lies_about_its_size_is_cut_off() -> None:
    whole = bytearray(packed({"a.xml": b"x" * 5_000_000}))
    at = whole.index(b"PK\x01\x02") + 24
    whole[at : at + 4] = (1000).to_bytes(4, "little")
    archive = open_zip(bytes(whole), most_bytes=2000)
    assert code_of(archive.read, "a.xml") in ("too-large", "damaged")


def test_all_reads_together_are_bounded() -> None:
    archive = open_zip(packed({"a": b"x" * 100}), most_bytes=150)
    archive.read("a")
    assert code_of(archive.read, "a") == "too-large"


LAUGHS = b'<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>'


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS,
        b'<?xml version="1.0"?><!-- <a> --><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        LAUGHS.decode().encode("utf-16"),
        LAUGHS.decode().encode("utf-16-be"),
        b"<a><b></a>",
        b"",
        b'<?xml version="1.0" encoding="nonsense"?><a/>',
        b"<a/>trailing",
    ],
)
def test_xml_that_no_document_needs_is_damaged(data: bytes) -> None:
    assert code_of(parse_xml, data) == "damaged"


def test_text_about_document_types_is_text() -> None:
    assert parse_xml(b"<a><![CDATA[<!DOCTYPE html><!ENTITY x>]]></a>").text == "<!DOCTYPE html><!ENTITY x>"


def test_a_page_may_have_a_document_type_but_no_entities() -> None:
    assert local(parse_xml(b"<!DOCTYPE html><html/>", doctype=True)) == "html"
    assert code_of(parse_xml, LAUGHS, doctype=True) == "damaged"


def test_depth_is_bounded() -> None:
    assert local(parse_xml(b"<a>" * (DEEPEST - 1) + b"</a>" * (DEEPEST - 1))) == "a"
    assert code_of(parse_xml, b"<a>" * 100_000 + b"</a>" * 100_000) == "damaged"


def test_namespaces_do_not_matter() -> None:
    root = parse_xml(b'<x:a xmlns:x="urn:one" xmlns:y="urn:two" y:id="7" plain="8"/>')
    assert (local(root), attribute(root, "id"), attribute(root, "plain"), attribute(root, "no", "-")) == (
        "a",
        "7",
        "8",
        "-",
    )


def test_a_reader_that_cannot_follow_is_a_failure_of_the_document() -> None:
    def deeper(level: int) -> int:
        return deeper(level + 1) + 1

    with pytest.raises(Unconvertible, match=r"^a.docx nests deeper"), nesting_checked("a.docx"):
        deeper(0)
