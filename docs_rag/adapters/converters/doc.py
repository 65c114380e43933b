"""Word documents of the years before 2007 (doc), where LibreOffice, macOS's textutil or antiword is there to read them.

What the first two make of it is a Word document of today; antiword gives plain text.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters import docx, programs, rtf
from docs_rag.adapters.converters.drafting import Draft
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.core.mdwriting import paragraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.core.converted import Converted

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def convert(data: bytes, name: str) -> Converted:
    """An old Word document; what is of another format under this suffix is read as that. Raises `Unconvertible`."""
    if data.startswith(b"PK"):
        return docx.convert(data, name)
    if data.lstrip().startswith(b"{\\rtf"):
        return rtf.convert(data, name)
    if not data.startswith(_OLE):
        raise Unconvertible("damaged", f"{name} is no Word document")
    for names, read in _PROGRAMS:
        program = programs.find(names)
        if program is not None:
            return read(program, data, name)
    raise Unconvertible(
        "missing-extra",
        f"{name} is a Word document of before 2007: install antiword or LibreOffice, or save it as docx",
    )


def _office(program: str, data: bytes, name: str) -> Converted:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "document.doc")
        source.write_bytes(data)
        profile = Path(folder, "profile").as_uri()  # a running LibreOffice would lock the user's own
        programs.run(
            [program, f"-env:UserInstallation={profile}", "--headless", "--convert-to", "docx", "--outdir", folder,
             str(source)]
        )  # fmt: skip
        made = source.with_suffix(".docx")
        if not made.exists():
            raise Unconvertible("damaged", f"LibreOffice cannot read {name}; it may be damaged or need a password")
        return docx.convert(made.read_bytes(), name)


def _textutil(program: str, data: bytes, name: str) -> Converted:
    made = programs.run([program, "-stdin", "-stdout", "-format", "doc", "-convert", "docx"], data)
    return docx.convert(made, name)


def _antiword(program: str, data: bytes, name: str) -> Converted:
    text = programs.run([program, "-m", "UTF-8.txt", "-w", "0", "-"], data).decode("utf-8", "replace")
    draft = Draft()
    for block in text.replace("\r", "").split("\n\n"):
        written = paragraph(block)
        draft.add(written.split("\n") if written else [])
    if not draft.has_text:
        raise Unconvertible("damaged", f"antiword finds no text in {name}")
    return draft.finish(warnings=("read as plain text; LibreOffice, where it is installed, keeps headings and tables",))


_PROGRAMS: Final[tuple[tuple[tuple[str, ...], Callable[[str, bytes, str], Converted]], ...]] = (
    (("textutil",), _textutil),
    (("soffice", "libreoffice"), _office),
    (("antiword",), _antiword),
)
"""Names of a program -> how it is asked; the first that is there is."""
