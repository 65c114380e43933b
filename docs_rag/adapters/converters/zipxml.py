"""Zip archives and XML parts of documents, read within bounds; every failure is an `Unconvertible`.

What an archive says of its own sizes is checked first and then not believed: each member is read with a limit.
Nothing is ever written to disk. XML is read without document types, so that no entity can be declared, and no
deeper than a real document goes.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn
from xml.etree import ElementTree
from xml.parsers import expat

from docs_rag.adapters.converters.failing import Unconvertible

MOST_XML: Final = 64_000_000
"""Bytes of one XML part: a parsed one takes some ten times as much memory."""
DEEPEST: Final = 400
"""Levels of elements: real documents stay below 100."""
_SMALL: Final = 10_000_000
"""An archive that unpacks to less may be packed as tightly as it likes."""
_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, IndexError, OverflowError)


class Archive:
    """An opened archive; names are looked up without regard to case, leading or doubled slashes."""

    def __init__(self, opened: zipfile.ZipFile, most_bytes: int) -> None:
        """Own the archive; `most_bytes` bounds all that is ever read from it."""
        self._zip = opened
        self._left = most_bytes
        self._members = {_plain(info.filename): info for info in opened.infolist() if not info.is_dir()}

    def names(self) -> list[str]:
        """The members as the archive spells them, in its order."""
        return [info.filename for info in self._members.values()]

    def __contains__(self, name: str) -> bool:
        """True when there is such a member."""
        return _plain(name) in self._members

    def read(self, name: str) -> bytes:
        """A member's bytes; raises `Unconvertible`: `damaged` when it is missing, broken or has a wrong checksum."""
        info = self._members.get(_plain(name))
        if info is None:
            raise Unconvertible("damaged", f"the file is damaged: its part {name} is missing")
        if info.flag_bits & 1:
            raise Unconvertible("encrypted", "the file is protected by a password; save a copy without one")
        try:
            with self._zip.open(info) as member:
                data = member.read(self._left + 1)
        except NotImplementedError:
            raise Unconvertible("unsupported", "the file is packed in an unusual way; save it anew") from None
        except (*_DAMAGED, RuntimeError):
            raise Unconvertible("damaged", f"the file is damaged: its part {name} cannot be unpacked") from None
        self._left -= len(data)
        if self._left < 0:
            _too_large()
        return data

    def xml(self, name: str) -> ElementTree.Element:
        """A member parsed as XML, as `parse_xml` does."""
        return parse_xml(self.read(name), name)


def open_zip(
    data: bytes, *, most_bytes: int = 200_000_000, most_ratio: int = 200, most_members: int = 10_000
) -> Archive:
    """Open an archive that is worth reading.

    Raises `Unconvertible`: `damaged` when it is none or is cut short, `too-large` when it holds more than
    `most_members`, or unpacks to more than `most_bytes` or `most_ratio` times its own size.
    """
    if data.count(b"PK\x01\x02") > most_members:  # before a list of them is made
        raise Unconvertible("too-large", f"the file is an archive of more than {most_members:,} parts")
    try:
        opened = zipfile.ZipFile(io.BytesIO(data))
    except (*_DAMAGED, NotImplementedError):
        raise Unconvertible("damaged", "the file is damaged or not complete") from None
    total = sum(info.file_size for info in opened.infolist())
    if total > most_bytes or total > max(_SMALL, most_ratio * len(data)):
        _too_large()
    return Archive(opened, most_bytes)


def parse_xml(data: bytes, name: str = "", *, doctype: bool = False) -> ElementTree.Element:
    """The root element.

    Raises `Unconvertible`: `damaged` when the XML is not well-formed, declares a document type (with `doctype`:
    declares an entity) or nests deeper than `DEEPEST`; `too-large` above `MOST_XML` bytes.
    """
    if len(data) > MOST_XML:
        _too_large()
    try:
        _refuse_declarations(data, name, doctype=doctype)
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, expat.ExpatError, ValueError, LookupError):
        raise Unconvertible("damaged", f"the file is damaged: {name or 'its text'} is not well-formed XML") from None
    _check_depth(root, name)
    return root


def check_xml(data: bytes, name: str) -> None:
    """For a part that another reader will read: raises `Unconvertible` as `parse_xml` does, but for its depth."""
    if len(data) > MOST_XML:
        _too_large()
    try:
        _refuse_declarations(data, name, doctype=False)
        expat.ParserCreate().Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        raise Unconvertible("damaged", f"the file is damaged: {name} is not well-formed XML") from None


@contextmanager
def nesting_checked(name: str) -> Iterator[None]:
    """Reading a document within; raises `Unconvertible` where it nests deeper than its reader can follow."""
    try:
        yield
    except RecursionError:
        raise _too_deep(name) from None


def local(element: ElementTree.Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: ElementTree.Element, name: str, default: str = "") -> str:
    """An attribute by its name without namespace: strict and transitional documents have different ones."""
    if name in element.attrib:
        return element.attrib[name]
    return next((value for key, value in element.attrib.items() if key.endswith(f"}}{name}")), default)


def _plain(name: str) -> str:
    return "/".join(part for part in name.replace("\\", "/").casefold().split("/") if part not in ("", "."))


def _too_large() -> NoReturn:
    raise Unconvertible("too-large", "the file unpacks to far more than a document holds; it was not read")


def _too_deep(name: str) -> Unconvertible:
    return Unconvertible("damaged", f"{name or 'the file'} nests deeper than a real document does; it was not read")


def _refuse_declarations(data: bytes, name: str, *, doctype: bool) -> None:
    """Look for a document type where one may stand: before the root element. Text that speaks of one is no matter."""
    if b"<!DOCTYPE" not in data and b"<\0!\0D\0O\0C" not in data and b"\0<\0!\0D\0O" not in data:
        return

    def refuse(*_: object) -> None:
        raise Unconvertible("damaged", f"{name or 'the file'} declares entities, which no real document does; not read")

    parser = expat.ParserCreate()
    if not doctype:
        parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.Parse(data, True)


def _check_depth(root: ElementTree.Element, name: str) -> None:
    level = [root]
    for _ in range(DEEPEST):
        level = [child for element in level for child in element]
        if not level:
            return
    raise _too_deep(name)
