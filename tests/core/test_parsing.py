"""Bytes into documents."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.declared import Source
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.frontmatter import Frontmatter
from docs_rag.core.outline import outline
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.ports import Unreadable
from docs_rag.core.status import Status


def _parse(text: str, path: str = "notes/queue.md") -> Document:
    return parse_document(DocPath(path), text)


@pytest.mark.parametrize(
    "data",
    [
        "é\n가\n".encode(),
        codecs.BOM_UTF8 + "é\n가\n".encode(),
        "é\r\n가\r\n".encode(),
        "é\r가\r".encode(),
        codecs.BOM_UTF16_LE + "é\r\n가\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "é\n가\n".encode("utf-16-be"),
    ],
)
def test_decode(data: bytes) -> None:
    assert decode(data) == "é\n가\n"


def test_decode_of_nothing() -> None:
    assert decode(b"") == ""


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("ok\n인증".encode("cp949"), "line 2"),
        ("café".encode("latin-1"), "0xe9"),
        (b"text\0more", "NUL"),
        (codecs.BOM_UTF32_LE + "text".encode("utf-32-le"), "NUL"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "UTF-16"),
    ],
)
def test_case_24_odd_bytes_are_refused_with_a_reason(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=said) as refusal:
        decode(data)
    assert refusal.value.code == "encoding"


def test_document() -> None:
    text = (
        "---\ntitle: Use a  queue\naliases: [Q, The queue]\ntags: [work/infra, '#Work']\nstatus: draft\n---\n# Other\n"
    )
    document = _parse(text)
    assert document.title == "Use a queue"
    assert document.aliases == ("Q", "The queue")
    assert document.tags == ("work/infra", "Work")
    assert document.lifecycle.status is Status.DRAFT
    assert (document.text, document.body_start, document.problems) == (text, 6, ())


def test_case_08_a_broken_block_is_indexed_and_named() -> None:
    document = _parse("---\ntitle: ADR: use X\nstatus: superseded\nsuperseded_by: b.md\n\nBody without a fence.\n")
    assert document.lifecycle.successors == ("b.md",)
    assert document.body_start == 4
    assert {each.code for each in document.problems} == {"yaml"}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("a, b c", ("a", "b", "c")),
        ("#a #b/c", ("a", "b/c")),
        ("[a, A, b]", ("a", "b")),
        ("\n  - '#a'\n  - two words", ("a", "two words")),
        ("", ()),
        ("null", ()),
    ],
)
def test_tags(tags: str, expected: tuple[str, ...]) -> None:
    assert _parse(f"---\ntags: {tags}\n---\n").tags == expected


def test_tag_and_alias_in_the_singular() -> None:
    document = _parse("---\ntag: x\nalias: One, Two\naliases:\n  - Three, four\n---\n")
    assert document.tags == ("x",)
    assert set(document.aliases) == {"One", "Two", "Three, four"}


TITLES = (
    ("# Queue\n", "Queue"),
    ("text\n\n# Queue #\n", "Queue"),
    ("Queue\n=====\n", "Queue"),
    ("## Not this\n\n# Queue\n", "Queue"),
    ("# **Use** `queue` and [links](x.md) or [[a|b]]\n", "Use queue and links or b"),
    ("```sh\n# install\n```\n\n# Queue\n", "Queue"),
    ("````\n```\n# no\n```\n````\n# Queue\n", "Queue"),
    ("~~~\n# no\n~~~\n# Queue\n", "Queue"),
    ("```\n# never closed\n", "note"),
    ("<!--\n# no\n-->\n# Queue\n", "Queue"),
    ("%%\n# no\n%%\n# Queue\n", "Queue"),
    ("$$\n# no\n$$\n# Queue\n", "Queue"),
    ("%% never closed\n# Queue\n", "Queue"),
    ("<!-- never closed\n# no\n", "note"),
    ("    # code\n", "note"),
    ("#tag and text\n", "note"),
    ("#\n\n# Queue\n", "Queue"),
    ("- item\n===\n\n# Queue\n", "Queue"),
    ("---\ntitle: {{title}}\n---\n# Queue\n", "Queue"),
    ("---\ntitle:\n---\n# Queue\n", "Queue"),
    ("---\n# status: commented out\n---\n# Queue\n", "Queue"),
    ("", "note"),
)


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_title(text: str, title: str) -> None:
    assert _parse(text, "note.md").title == title


@pytest.mark.parametrize(
    ("path", "stem"), [("a/b.md", "b"), ("a/b.c.md", "b.c"), ("README", "README"), (".md", ".md"), ("a b.MD", "a b")]
)
def test_stem(path: str, stem: str) -> None:
    assert Source(path, Frontmatter()).stem == stem


def test_heading_is_looked_for_in_the_body_only() -> None:
    assert outline("# above\n# below\n", 1).title() == "below"
    assert outline("# above", 5).title() == ""


@pytest.mark.parametrize("unit", ["# ", "`", "```\n", "<!--", "%%\n", "=\n", "[", "*", "# [a](", "---\n", "a: b\n"])
def test_long_notes(unit: str) -> None:
    text = unit * (700_000 // len(unit))
    assert _parse(text).text == text


@given(st.text(max_size=400))
def test_nothing_is_raised_and_the_text_is_kept(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n{text}"):
        document = _parse(whole)
        assert document.text == whole
        assert document.title
        assert document.body_start <= whole.count("\n") + 1


@given(st.binary(max_size=200))
def test_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except Unreadable as refusal:
        assert refusal.code == "encoding"
    else:
        assert "\r" not in text
        assert "\0" not in text
