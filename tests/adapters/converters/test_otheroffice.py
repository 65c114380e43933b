"""Formats that a library or a program reads: ods, doc. Skipped where that is missing."""

from __future__ import annotations

import math
import stat
from pathlib import Path

import pytest
from officefiles import p, packed, word

from docs_rag.adapters.converters import doc, programs, workbooks
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ooxml.numberformats import plain

OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
SPACE = f'xmlns:office="{OFFICE}office:1.0" xmlns:table="{OFFICE}table:1.0" xmlns:text="{OFFICE}text:1.0"'
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2000


def opened(kind: str, body: str) -> bytes:
    content = f"<office:document-content {SPACE}><office:body>{body}</office:body></office:document-content>"
    mime = f"application/vnd.oasis.opendocument.{kind}"
    manifest = (
        f'<m:manifest xmlns:m="{OFFICE}manifest:1.0"><m:file-entry m:full-path="/" m:media-type="{mime}"/></m:manifest>'
    )
    return packed({"mimetype": mime, "META-INF/manifest.xml": manifest, "content.xml": content})


def ods(*rows: list[str]) -> bytes:
    cells = ("".join(f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
                     for cell in row) for row in rows)  # fmt: skip
    table = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    return opened(
        "spreadsheet",
        f'<office:spreadsheet><table:table table:name="Hulls">{table}</table:table></office:spreadsheet>',
    )


def code_of(read: object, data: bytes) -> str:
    assert callable(read)
    with pytest.raises(Unconvertible) as caught:
        read(data, "a")
    return caught.value.code


def test_an_opendocument_spreadsheet() -> None:
    pytest.importorskip("python_calamine")
    made = workbooks.convert(ods([""], ["", "Item", "Wood"], ["", "Keel", "Oak"]), "a.ods")
    assert made.markdown == "## Hulls\n\n| Item | Wood |\n| --- | --- |\n| Keel | Oak |\n"
    assert made.stretches[-1].location == "sheet Hulls, B2:C3"


def test_a_spreadsheet_whose_table_breaks_off_is_damaged() -> None:
    broken = opened("spreadsheet", "<office:spreadsheet><table:table table:name='S'></table:tabl></office:spreadsheet>")
    assert code_of(workbooks.convert, broken) == "damaged"  # and at once


@pytest.mark.parametrize(("value", "expected"), [(math.inf, "inf"), (math.nan, "nan"), (-0.0, "0"), (1e15, "1e+15")])
def test_numbers_that_are_none_are_shown(value: float, expected: str) -> None:
    assert plain(value) == expected


def test_what_is_no_spreadsheet_is_damaged() -> None:
    pytest.importorskip("python_calamine")
    assert code_of(workbooks.convert, b"<html>a page</html>") == "damaged"
    assert code_of(workbooks.convert, OLE) == "damaged"


def test_what_is_no_old_document_goes_to_its_own_reader() -> None:
    assert doc.convert(word(p("New.")), "a.doc").markdown == "New.\n"
    assert doc.convert(rb"{\rtf1 Rich.}", "a.doc").markdown == "Rich.\n"
    assert code_of(doc.convert, b"plain") == "damaged"


def script(folder: Path, name: str, lines: str) -> None:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of the path, before the system's own programs for scripts."""
    folder = tmp_path / "bin"
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_without_a_program_an_old_document_says_what_to_install(path: Path) -> None:
    with pytest.raises(Unconvertible, match="install antiword or LibreOffice") as caught:
        doc.convert(OLE, "a.doc")
    assert caught.value.code == "missing-extra"


def test_antiword_gives_plain_text(path: Path) -> None:
    script(path, "antiword", "/bin/cat >/dev/null; echo; echo 'One line.'; echo; echo '# two'")
    made = doc.convert(OLE, "a.doc")
    assert made.markdown == "One line.\n\n\\# two\n"
    assert "plain text" in made.warnings[0]


def test_antiword_that_finds_nothing_is_no_success(path: Path) -> None:
    script(path, "antiword", "/bin/cat >/dev/null")
    assert code_of(doc.convert, OLE) == "damaged"
    script(path, "antiword", "echo 'not a Word document' >&2; exit 1")
    with pytest.raises(Unconvertible, match="not a Word document"):
        doc.convert(OLE, "a.doc")


def test_libreoffice_makes_a_document_of_today(path: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.docx"
    made.write_bytes(word(p("Old.")))
    script(path, "soffice", f'while [ "$1" != --outdir ]; do shift; done\n/bin/cp {made} "$2/document.docx"')
    assert doc.convert(OLE, "a.doc").markdown == "Old.\n"
    script(path, "soffice", "exit 0")
    assert code_of(doc.convert, OLE) == "damaged"


def test_a_program_that_does_not_end_is_ended(path: Path) -> None:
    script(path, "slow", "/bin/sleep 60 & wait")
    with pytest.raises(Unconvertible) as caught:
        programs.run([str(path / "slow")], seconds=0.2)
    assert caught.value.code == "timeout"
