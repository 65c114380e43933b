"""What an e-book says of itself: its title, its chapters in reading order, what its table of contents calls them.

Formats: https://www.w3.org/TR/epub-33/ and, for the older table of contents, https://idpf.org/epub/20/spec/OPF_2.0_final_spec.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.webpage.tree import parse
from docs_rag.adapters.converters.zipxml import Archive, attribute, local, parse_xml

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_FONT_SCRAMBLING: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGES: Final = (
    "application/xhtml+xml",
    "text/html",
    "application/x-dtbook+xml",
    "image/svg+xml",
    "text/x-oeb1-document",
)
_PAGE_SUFFIXES: Final = (".xhtml", ".html", ".htm", ".xml")


@dataclass(frozen=True, slots=True)
class Book:
    """A book's description."""

    title: str
    authors: tuple[str, ...]
    chapters: tuple[str, ...]
    """Names of the archive's members, in reading order."""
    names: dict[str, str]
    """Chapter -> what the table of contents calls it."""
    warnings: tuple[str, ...] = ()


def read_book(archive: Archive) -> Book:
    """The description; raises `Unconvertible`: `encrypted` for a protected book, `damaged` for one without pages."""
    place = _package_place(archive)
    if not place:
        pages = tuple(sorted(each for each in archive.names() if each.lower().endswith(_PAGE_SUFFIXES[:3])))
        if not pages:
            raise Unconvertible("damaged", "the file is damaged: it is an archive without a book in it")
        return Book("", (), pages, {}, ("its description is missing: the pages stand in the order of their names",))
    package = parse_xml(archive.read(place), place, doctype=True)
    items = _items(package, place)
    chapters = tuple(_spine(package, items))
    _refuse_encrypted(archive, chapters)
    found = list(_metadata(package, "title"))
    return Book(
        title=found[0] if found else "",
        authors=tuple(_metadata(package, "creator")),
        chapters=chapters,
        names=_contents(archive, package, items),
    )


def resolved(base: str, address: str) -> str:
    """The member that an address in the member `base` leads to, without its fragment; nothing leads out."""
    target = unquote(address.partition("#")[0].partition("?")[0])
    if not target:
        return base
    parts: list[str] = [] if target.startswith("/") else base.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _package_place(archive: Archive) -> str:
    if _CONTAINER in archive:
        for each in archive.xml(_CONTAINER).iter():
            if local(each) == "rootfile" and attribute(each, "full-path") in archive:
                return attribute(each, "full-path")
    return next((each for each in archive.names() if each.lower().endswith(".opf")), "")


@dataclass(frozen=True, slots=True)
class _Item:
    """One file of the book."""

    place: str
    kind: str
    properties: str


def _items(package: Element, place: str) -> dict[str, _Item]:
    found = (each for each in package.iter() if local(each) == "item")
    return {
        each.get("id", ""): _Item(
            resolved(place, each.get("href", "")), each.get("media-type", ""), each.get("properties", "")
        )
        for each in found
    }


def _spine(package: Element, items: dict[str, _Item]) -> Iterator[str]:
    """The pages in reading order; a book whose order is missing is read as its list of files stands."""
    ordered = [
        items[each.get("idref", "")]
        for each in package.iter()
        if local(each) == "itemref" and each.get("idref", "") in items
    ]
    seen: set[str] = set()
    for each in ordered or items.values():
        is_page = each.kind in _PAGES or each.place.lower().endswith(_PAGE_SUFFIXES)
        if is_page and each.place not in seen:
            seen.add(each.place)
            yield each.place


def _metadata(package: Element, name: str) -> Iterator[str]:
    for each in package.iter():
        if local(each) == name and (words := " ".join("".join(each.itertext()).split())):
            yield words


def _refuse_encrypted(archive: Archive, chapters: tuple[str, ...]) -> None:
    """Scrambled fonts are usual in free books; a scrambled page is protection."""
    if _ENCRYPTION not in archive:
        return
    pages = {each.casefold() for each in chapters}
    for data in archive.xml(_ENCRYPTION).iter():
        if local(data) != "EncryptedData":
            continue
        methods = {attribute(each, "Algorithm") for each in data.iter() if local(each) == "EncryptionMethod"}
        places = (attribute(each, "URI") for each in data.iter() if local(each) == "CipherReference")
        if not methods & set(_FONT_SCRAMBLING) and any(unquote(each).casefold() in pages for each in places):
            raise Unconvertible(
                "encrypted", "the book is protected against copying (DRM); only its own reader shows it"
            )


def _contents(archive: Archive, package: Element, items: dict[str, _Item]) -> dict[str, str]:
    """What the table of contents calls each page, of either form; the first entry that leads to a page counts."""
    nav = next((each.place for each in items.values() if "nav" in each.properties.split()), "")
    if nav in archive:
        return _from_nav(archive, nav)
    spine = next((each for each in package.iter() if local(each) == "spine"), None)
    toc = items.get(spine.get("toc", "") if spine is not None else "")
    place = toc.place if toc is not None else next((each.place for each in items.values() if "ncx" in each.kind), "")
    return _from_ncx(archive, place) if place in archive else {}


def _from_nav(archive: Archive, place: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for nav in parse(archive.read(place).decode("utf-8", "replace")).below():
        if nav.tag != "nav" or nav.attributes.get("epub:type", "toc") != "toc":
            continue
        for link in nav.below():
            if link.tag == "a" and (words := " ".join(link.text().split())):
                names.setdefault(resolved(place, link.get("href")), words)
    return names


def _from_ncx(archive: Archive, place: str) -> dict[str, str]:
    names: dict[str, str] = {}
    for point in parse_xml(archive.read(place), place, doctype=True).iter():
        if local(point) != "navPoint":
            continue
        label = next((each for each in point if local(each) == "navLabel"), None)
        content = next((each for each in point if local(each) == "content"), None)
        if label is not None and content is not None and (words := " ".join("".join(label.itertext()).split())):
            names.setdefault(resolved(place, content.get("src", "")), words)
    return names
