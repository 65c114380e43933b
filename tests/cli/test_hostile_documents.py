"""Documents made to do harm: a run of `index` lists them, indexes all others, and ends."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from commandline import spawn, write_config, write_notes

from docs_rag.adapters.converters import CONVERTERS
from docs_rag.conversion import OFFERED

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def write_archive(place: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def laughs() -> bytes:
    """A billion laughs: entities that name each other."""
    entities = ['<!ENTITY a0 "ha">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))]
    document = f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>&a9;</w:t></w:r></w:p></w:body></w:document>'
    return f"<!DOCTYPE x [{''.join(entities)}]>{document}".encode()


def write_hostile(folder: Path) -> list[str]:
    """One document of each kind; returns the names of those that cannot be read."""
    write_archive(folder / "bomb.docx", {"word/document.xml": b"<x>" + bytes(300_000_000)})
    write_archive(folder / "laughs.docx", {"word/document.xml": laughs()})
    write_archive(folder / "deep.docx", {"word/document.xml": b"<x>" * 100_000 + b"</x>" * 100_000})
    write_archive(folder / "paths.docx", {"../../outside.xml": b"<x/>", "/word/document.xml": b"<x/>"})
    (folder / "cut.hwp").write_bytes(
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHH", 62, 3, 65534, 9)
    )
    (folder / "cut.pdf").write_bytes(
        b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer << /Root 1"
    )
    (folder / "cut.xlsx").write_bytes(b"PK\x03\x04" + bytes(40))
    (folder / "empty.pptx").write_bytes(b"")
    hostile = {each.name for each in folder.iterdir() if each.suffix != ".md" and each.is_file()}
    return sorted(hostile - {"paths.docx"})


def test_hostile_documents_leave_a_run_unharmed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write_notes(vault, {"tea.md": "# Tea\n\nTea is hot.\n"})
    names = write_hostile(vault)
    (vault / "good.csv").write_text("crate,price\nwalnut,17\n", encoding="utf-8")
    write_config(vault, include=["**/*.md", "**/*.{docx,xlsx,pptx,hwp,pdf,csv}"])
    done = spawn("index", "--json", "-C", vault)
    assert done.status == 0, done.err
    failed = {each["path"]: each for each in done.json["failed"]}
    assert sorted(failed) == names
    assert {each["code"] for each in failed.values()} <= {"damaged", "too-large"}
    assert failed["bomb.docx"]["code"] == "too-large"
    assert done.json["added"] == 3  # a document with odd names inside holds no text, and says so
    problems = {each["path"]: each["problems"] for each in spawn("list", "--json", "-C", vault).json}
    assert [each["code"] for each in problems["paths.docx"]] == ["incomplete"]
    assert not (tmp_path / "outside.xml").exists()
    again = spawn("index", "--json", "-C", vault).json
    assert (again["added"], again["modified"], len(again["failed"])) == (0, 0, len(names))


def test_what_a_new_project_is_offered_can_be_read() -> None:
    assert {f".{suffix}" for suffix in OFFERED} <= CONVERTERS.keys()
