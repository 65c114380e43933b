"""Small Hancom documents, built record by record (HWP 5) or part by part (HWPX)."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence

SECTOR = 512
END, FREE = 0xFFFFFFFE, 0xFFFFFFFF
SMALLEST = 4096
"""Streams below this size lie in a stream of their own; these files have none such."""

PARAGRAPH, TEXT, CONTROL, LIST, COMPONENT, TABLE = 66, 67, 71, 72, 76, 77
OLE_OBJECT, PICTURE, EQUATION, FORM, MEMO = 84, 85, 88, 91, 93
BIN_DATA, NUMBERING, PARA_SHAPE, STYLE = 18, 23, 25, 26


def compound(streams: Mapping[str, bytes]) -> bytes:
    """An OLE compound file with these streams, by path."""
    names = sorted({part for path in streams for part in parents(path)} | set(streams))
    table: list[int] = []
    body = b""
    starts = {}
    for path, data in streams.items():
        padded = data.ljust(max(SMALLEST, -(-len(data) // SECTOR) * SECTOR), b"\0")
        starts[path] = (len(table), len(padded))
        body += padded
        table += chain(len(table), len(padded) // SECTOR)
    directory = entries(names, starts)
    first = len(table)
    table += chain(first, len(directory) // SECTOR)
    tables = -(-(len(table) + 1) // (SECTOR // 4 - 1))
    at = len(table)
    table += [0xFFFFFFFD] * tables
    fat = b"".join(struct.pack("<I", each) for each in table).ljust(tables * SECTOR, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, tables, first, 0, SMALLEST, END, 0, END, 0)
    head += b"".join(struct.pack("<I", at + each) for each in range(tables))
    return head.ljust(SECTOR, b"\xff") + body + directory + fat


def parents(path: str) -> list[str]:
    return [path.rpartition("/")[0]] if "/" in path else []


def chain(first: int, count: int) -> list[int]:
    return [first + each + 1 for each in range(count - 1)] + [END]


def entries(names: Sequence[str], starts: Mapping[str, tuple[int, int]]) -> bytes:
    """The directory; siblings hang one below the other."""
    numbers = {name: at for at, name in enumerate(names, 1)}
    rows = [entry("Root Entry", 5, FREE, below("", names, numbers), (END, 0))]
    for name in names:
        folder, _, short = name.rpartition("/")
        after = [other for other in names if other.rpartition("/")[0] == folder and other > name]
        right = numbers[after[0]] if after else FREE
        kind = 2 if name in starts else 1
        rows.append(entry(short, kind, right, below(name, names, numbers), starts.get(name, (0, 0))))
    return b"".join(rows).ljust(-(-len(rows) * 128 // SECTOR) * SECTOR, b"\0")


def below(folder: str, names: Sequence[str], numbers: Mapping[str, int]) -> int:
    inside = [name for name in names if name.rpartition("/")[0] == folder]
    return numbers[inside[0]] if inside else FREE


def entry(name: str, kind: int, right: int, child: int, place: tuple[int, int]) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    head = encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), kind, 1, FREE, right, child)
    return head + bytes(36) + struct.pack("<IQ", *place)


def record(tag: int, level: int, data: bytes = b"") -> bytes:
    size = min(len(data), 0xFFF)
    head = struct.pack("<I", tag | level << 10 | size << 20)
    return head + (struct.pack("<I", len(data)) if size == 0xFFF else b"") + data


def counted(text: str) -> bytes:
    encoded = text.encode("utf-16-le")
    return struct.pack("<H", len(encoded) // 2) + encoded


def code(number: int) -> str:
    """A character code of eight units."""
    return chr(number) + "\x01" * 6 + chr(number)


def paragraph(text: str = "", *controls: bytes, level: int = 0, shape: int = 0, style: int = 0) -> bytes:
    """A paragraph whose text holds a `code` for each of its controls."""
    head = record(PARAGRAPH, level, struct.pack("<IIHBB", len(text) + 1, 0, shape, style, 0) + bytes(10))
    body = record(TEXT, level + 1, (text + "\r").encode("utf-16-le")) if text else b""
    return head + body + b"".join(controls)


def control(name: str, data: bytes = b"", *below: bytes, level: int = 1) -> bytes:
    return record(CONTROL, level, name.encode("ascii")[::-1] + data) + b"".join(below)


def cell(row: int, column: int, *paragraphs: bytes, spans: tuple[int, int] = (1, 1), level: int = 2) -> bytes:
    """Spans: rows, columns."""
    head = struct.pack("<IIHHHH", len(paragraphs), 0, column, row, spans[1], spans[0])
    return record(LIST, level, head + bytes(31)) + b"".join(paragraphs)


def table(*cells: bytes, caption: bytes = b"", level: int = 1) -> bytes:
    return control("tbl ", bytes(42), caption, record(TABLE, level + 1, bytes(22)), *cells, level=level)


def equation(script: str, caption: bytes = b"", level: int = 1) -> bytes:
    return control("eqed", bytes(30), caption, record(EQUATION, level + 1, bytes(4) + counted(script)), level=level)


def boxed(*inside: bytes, level: int = 1) -> bytes:
    """A drawing with these records below its component."""
    return control("gso ", bytes(42), record(COMPONENT, level + 1, bytes(8)), *inside, level=level)


def picture(number: int, level: int = 3) -> bytes:
    return record(PICTURE, level, bytes(71) + struct.pack("<H", number) + bytes(8))


def noted(name: str, text: str) -> bytes:
    """A note, header, footer or comment of one paragraph."""
    return control(name, bytes(8), record(LIST, 2, bytes(16)), paragraph(text, level=2))


def shape(head: int = 0, level: int = 0, numbering: int = 0) -> bytes:
    return record(PARA_SHAPE, 1, struct.pack("<I", head << 23 | level << 25) + bytes(26) + struct.pack("<H", numbering))


def style(name: str, english: str = "") -> bytes:
    return record(STYLE, 1, counted(name) + counted(english) + bytes(10))


def numbering(*levels: tuple[str, int]) -> bytes:
    """Pattern and format of each level; the others have none."""
    rows = [*levels, *[("", 0)] * (7 - len(levels))]
    data = b"".join(struct.pack("<I8x", kind << 5) + counted(pattern) for pattern, kind in rows)
    return record(NUMBERING, 1, data + struct.pack("<H", 0) + struct.pack("<7I", *[1] * 7))


def embedded(number: int, suffix: str) -> bytes:
    return record(BIN_DATA, 1, struct.pack("<HH", 1, number) + counted(suffix))


def packed(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush() + b"\x01\x02\x03\x04\x05\x06\x07\x08"


def file_header(flags: int = 1) -> bytes:
    return b"HWP Document File".ljust(32, b"\0") + struct.pack("<II", 0x05010001, flags) + bytes(216)


def hwp(*body: bytes, info: bytes = b"", flags: int = 1, streams: Mapping[str, bytes] | None = None) -> bytes:
    """A document of one section; `info` are records of its tables, further streams as they are to lie in the file."""
    parts = {"FileHeader": file_header(flags), "DocInfo": packed(record(16, 0, bytes(26)) + info)}
    if body:
        parts["BodyText/Section0"] = packed(b"".join(body))
    return compound(parts | dict(streams or {}))


HWPML = "http://www.hancom.co.kr/hwpml/2011"
SPACES = f'xmlns:hp="{HWPML}/paragraph" xmlns:hs="{HWPML}/section" xmlns:hh="{HWPML}/head" xmlns:hc="{HWPML}/core"'


def hwpx(*sections: str, head: str = "", items: str = "", parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """An archive with these sections, entries of the header and files of the package."""
    members: dict[str, str | bytes] = {
        "mimetype": "application/hwp+zip",
        "Contents/content.hpf": f"<package><manifest>{items}</manifest></package>",
        "Contents/header.xml": f"<hh:head {SPACES}><hh:refList>{head}</hh:refList></hh:head>",
    }
    for number, body in enumerate(sections):
        members[f"Contents/section{number}.xml"] = f"<hs:sec {SPACES}>{body}</hs:sec>"
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (members | dict(parts or {})).items():
            archive.writestr(name, data)
    return target.getvalue()


def run(text: str = "", *inside: str, shape: int = 0, style: int = 0) -> str:
    """A paragraph of one run: text, then other elements."""
    shown = f"<hp:t>{text}</hp:t>" if text else ""
    return f'<hp:p paraPrIDRef="{shape}" styleIDRef="{style}"><hp:run>{shown}{"".join(inside)}</hp:run></hp:p>'


def listed(*paragraphs: str) -> str:
    return f"<hp:subList>{''.join(paragraphs)}</hp:subList>"


def grid_cell(row: int, column: int, *paragraphs: str, spans: tuple[int, int] = (1, 1)) -> str:
    place = f'<hp:cellAddr colAddr="{column}" rowAddr="{row}"/><hp:cellSpan rowSpan="{spans[0]}" colSpan="{spans[1]}"/>'
    return f"<hp:tc>{listed(*paragraphs)}{place}</hp:tc>"


def grid(*rows: str, caption: str = "") -> str:
    shown = f"<hp:caption>{listed(caption)}</hp:caption>" if caption else ""
    return f"<hp:tbl>{shown}{''.join(f'<hp:tr>{row}</hp:tr>' for row in rows)}</hp:tbl>"
