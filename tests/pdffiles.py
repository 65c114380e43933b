"""Small PDF files made by hand: text at places, lines, images, an outline, notes. Fonts are those every reader has."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

TOP = 742
"""Where the first line of a page stands, in points from below; a page is 612 by 792."""


@dataclass
class PdfPage:
    """What is drawn on a page, as PDF operators, and what belongs to it."""

    content: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    """Inner text of annotation dictionaries."""
    images: list[tuple[int, int, bytes]] = field(default_factory=list)
    """Width, height and grey pixels; drawn as they come, each over the whole page."""
    rotation: int = 0

    def text(self, x: float, y: float, words: str, *, size: float = 10, bold: bool = False) -> PdfPage:
        """Words in Latin-1 with their base line at a place."""
        escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.content.append(f"BT /{'B' if bold else 'F'} {size} Tf {x} {y} Td ({escaped}) Tj ET")
        return self

    def lines(self, *lines: str, x: float = 72, y: float = TOP, step: float = 12, size: float = 10) -> PdfPage:
        """Lines of text below one another; an empty one leaves a gap."""
        for at, line in enumerate(lines):
            if line:
                self.text(x, y - at * step, line, size=size)
        return self

    def rule(self, x1: float, y1: float, x2: float, y2: float) -> PdfPage:
        """A straight line."""
        self.content.append(f"{x1} {y1} m {x2} {y2} l S")
        return self

    def box(self, x: float, y: float, width: float, height: float) -> PdfPage:
        """An outlined box."""
        self.content.append(f"{x} {y} {width} {height} re S")
        return self


@dataclass(frozen=True)
class Entry:
    """One entry of the outline."""

    title: str
    page: int
    """0-based."""
    top: float = 792


def pdf(*pages: PdfPage, outline: Sequence[Entry] = (), title: str = "") -> bytes:
    """The file."""
    objects: list[bytes] = []

    def add(body: str | bytes) -> int:
        objects.append(body.encode("latin-1") if isinstance(body, str) else body)
        return len(objects)

    add("<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>")
    add("")
    add("")
    fonts = [
        add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
        for name in ("Helvetica", "Helvetica-Bold")
    ]
    numbers = []
    for page in pages:
        images = [
            add(stream(f"/Type /XObject /Subtype /Image /Width {w} /Height {h} /ColorSpace /DeviceGray "
                       f"/BitsPerComponent 8", pixels))
            for w, h, pixels in page.images
        ]  # fmt: skip
        drawn = [f"q 612 0 0 792 0 0 cm /I{at} Do Q" for at in range(len(images))]
        content = add(stream("", "\n".join((*page.content, *drawn)).encode("latin-1")))
        notes = " ".join(f"{add(f'<< /Type /Annot {each} >>')} 0 R" for each in page.annotations)
        resources = " ".join(f"/I{at} {number} 0 R" for at, number in enumerate(images))
        numbers.append(add(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate {page.rotation} /Contents {content} 0 R "
            f"/Annots [{notes}] /Resources << /Font << /F {fonts[0]} 0 R /B {fonts[1]} 0 R >> "
            f"/XObject << {resources} >> >> >>"
        ))  # fmt: skip
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[1] = f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode()
    first = len(objects) + 1
    last = len(objects) + len(outline)
    for at, entry in enumerate(outline):
        neighbour = f"/Next {first + at + 1} 0 R" if first + at < last else ""
        add(
            f"<< /Title ({entry.title}) /Parent 3 0 R {neighbour} "
            f"/Dest [{numbers[entry.page]} 0 R /XYZ 0 {entry.top} 0] >>"
        )
    ends = f"/First {first} 0 R /Last {last} 0 R /Count {len(outline)}" if outline else ""
    objects[2] = f"<< /Type /Outlines {ends} >>".encode()
    info = add(f"<< /Title ({title}) >>")
    return _file(objects, info)


def stream(entries: str, data: bytes) -> bytes:
    """A compressed stream object."""
    packed = zlib.compress(data)
    return f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode() + packed + b"\nendstream"


def _file(objects: Sequence[bytes], info: int) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {info} 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return bytes(out) + trailer.encode()
