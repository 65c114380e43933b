"""E-books: chapters in order, located and named; protected, damaged and hostile ones are failures with a reason."""

from __future__ import annotations

import io
import zipfile

import pytest

from docs_rag.adapters.converters.epub import convert
from docs_rag.adapters.converters.epubpackage import resolved
from docs_rag.adapters.converters.failing import Unconvertible

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
NAV = (
    '<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="landmarks"><a href="b.xhtml">wrong</a></nav>'
    '<nav epub:type="toc"><ol><li><a href="a%20b.xhtml#x">First</a><li><a href="b.xhtml">Second</a></ol></nav></html>'
)
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x/ncx.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/">'
    "<navMap><navPoint><navLabel><text>One</text></navLabel><content src='a%20b.xhtml'/></navPoint></navMap></ncx>"
)
FIRST = (
    "<html><head><title>x</title></head><body><p>Text<sup><a href='#n1'>1</a></sup>.<p id='n1'>1 Note.</body></html>"
)
SECOND = (
    "<html><body><h1>Two</h1><p>More<sup><a href='#n1'>1</a></sup><img src='../img/p%201.png' alt='P'/>"
    "<p id='n1'>Other.</body></html>"
)


def package(
    toc: str = '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>', spine: str = ""
) -> str:
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator></metadata><manifest>"
        f'{toc}<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="c" href="lost.xhtml" media-type="application/xhtml+xml"/>'
        f'<item id="p" href="../img/p%201.png" media-type="image/png"/></manifest><spine {spine}>'
        '<itemref idref="a"/><itemref idref="b"/><itemref idref="p"/></spine></package>'
    )


def book(**changes: str | None) -> bytes:
    members: dict[str, str | None] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package(),
        "OPS/nav.xhtml": NAV,
        "OPS/a b.xhtml": FIRST,
        "OPS/b.xhtml": SECOND,
        "img/p 1.png": "png",
    }
    members.update(changes)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in members.items():
            if text is not None:
                archive.writestr(name, text)
    return target.getvalue()


def test_chapters_stand_in_reading_order_below_the_book() -> None:
    converted = convert(book(), "b.epub")
    assert converted.markdown.split("\n") == [
        "# The Book",
        "",
        "Ann, Bo",
        "",
        "## First",
        "",
        "Text[^1].",
        "",
        "[^1]: Note.",
        "",
        "## Two",
        "",
        "More[^2]![P](p-1-1.png)",
        "",
        "[^2]: Other.",
        "",
    ]
    assert [(each.lines, each.location) for each in converted.stretches] == [
        ((1, 3), "title page"),
        ((5, 9), "chapter 1: First"),
        ((11, 15), "chapter 2: Two"),
    ]
    assert (converted.title, converted.warnings) == ("The Book", ())
    assert [(each.name, each.data) for each in converted.pictures] == [("p-1-1.png", b"png")]


def test_the_older_table_of_contents_names_chapters_too() -> None:
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    data = book(**{"OPS/book.opf": package(item, 'toc="ncx"'), "OPS/toc.ncx": NCX})
    assert "## One\n\nText" in convert(data, "b.epub").markdown


def test_a_book_without_a_description_is_read_by_the_names_of_its_pages() -> None:
    converted = convert(book(**{"META-INF/container.xml": None, "OPS/book.opf": None, "OPS/nav.xhtml": None}), "b.epub")
    assert converted.markdown.index("Text") < converted.markdown.index("More")
    assert "the order of their names" in converted.warnings[0]


def test_a_book_without_a_reading_order_is_read_as_it_is_listed() -> None:
    data = book(**{"OPS/book.opf": package().replace("<itemref", "<nothing")})
    converted = convert(data, "b.epub")
    assert converted.markdown.index("More") < converted.markdown.index("Text")
    assert converted.warnings == ("chapters are missing in the file: OPS/lost.xhtml",)


def test_nothing_leads_out_of_the_archive() -> None:
    assert resolved("OPS/text/a.xhtml", "../img/p%201.png#x") == "OPS/img/p 1.png"
    assert resolved("OPS/a.xhtml", "../../../../etc/passwd") == "etc/passwd"
    assert resolved("OPS/a.xhtml", "/etc/passwd") == "etc/passwd"
    assert resolved("OPS/a.xhtml", "#x") == "OPS/a.xhtml"
    assert resolved("a.xhtml", "b.xhtml") == "b.xhtml"


def encryption(algorithm: str, place: str) -> str:
    return (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
        f'<e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData><e:CipherReference URI="{place}"/>'
        "</e:CipherData></e:EncryptedData></encryption>"
    )


def test_a_protected_book_is_refused_and_one_with_scrambled_fonts_is_not() -> None:
    place = "META-INF/encryption.xml"
    scrambled = encryption("http://www.idpf.org/2008/embedding", "OPS/font.otf")
    assert "Text" in convert(book(**{place: scrambled}), "b.epub").markdown
    with pytest.raises(Unconvertible, match="protected against copying") as failure:
        convert(book(**{place: encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/a%20b.xhtml")}), "b.epub")
    assert failure.value.code == "encrypted"


BOMB = '<!DOCTYPE html [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>'


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"OPS/a b.xhtml": BOMB + FIRST.replace("Text", "&b;")}, "declares entities"),
        ({"OPS/book.opf": BOMB.replace("html", "package") + package().replace("The Book", "&b;")}, "declares entities"),
        ({"OPS/book.opf": "<package>"}, "not well-formed"),
        ({"OPS/a b.xhtml": None, "OPS/b.xhtml": None}, "none of the book's chapters"),
        (
            {
                "META-INF/container.xml": None,
                "OPS/book.opf": None,
                "OPS/a b.xhtml": None,
                "OPS/b.xhtml": None,
                "OPS/nav.xhtml": None,
            },
            "without a book",
        ),
    ],
)
def test_what_is_no_sound_book_is_a_failure_with_a_reason(changes: dict[str, str | None], words: str) -> None:
    with pytest.raises(Unconvertible, match=words) as failure:
        convert(book(**changes), "b.epub")
    assert failure.value.code == "damaged"


def test_a_book_cut_short_or_grown_out_of_measure_is_refused() -> None:
    with pytest.raises(Unconvertible) as failure:
        convert(book()[:-200], "b.epub")
    assert failure.value.code == "damaged"
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xhtml", b"a" * 30_000_000)
    with pytest.raises(Unconvertible) as failure:
        convert(target.getvalue(), "b.epub")
    assert failure.value.code == "too-large"
