"""Marker: when it is asked, what is made of its pages, and that documents are read without it when it fails.

Its models come from a hub and need gigabytes, so a stand-in with the names of its package (2.0) takes its place.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pdffiles import PdfPage, pdf

from docs_rag.adapters.converters import marker
from docs_rag.adapters.converters.pdf import convert
from docs_rag.core.converted import Picture

BREAK = "-" * 48
PDF_MODULE = """
from types import SimpleNamespace
class PdfConverter:
    def __init__(self, artifact_dict, config):
        self.config = {**config, "models": sorted(artifact_dict)}
    def __call__(self, file):
        assert file.read(5) == b"%PDF-"
        line = "-" * 48
        text = f"\\n\\n{{0}}{line}\\n\\n# Energy\\n\\n$$E = mc^2$$\\n\\n{{1}}{line}\\n\\n{self.config}"
        return SimpleNamespace(markdown=text, images={})
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with packages that have Marker's names."""
    for name in ("surya", "marker", "marker/converters"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    (tmp_path / "marker/models.py").write_text("def create_model_dict():\n    return {'layout_model': 1}\n", "utf-8")
    (tmp_path / "marker/converters/pdf.py").write_text(PDF_MODULE, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("marker", "surya")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delenv(marker.MODE, raising=False)
    monkeypatch.delenv(marker.FORCE_OCR, raising=False)
    monkeypatch.setattr(marker, "_lift_memory_limit", lambda: None)
    return tmp_path


def with_formulas() -> bytes:
    data = pdf(PdfPage().text(72, 700, "E = mc").lines("Energy and mass are one."), title="On energy")
    return data.replace(b"/BaseFont /Helvetica ", b"/BaseFont /CMMI10    ")


def test_pages_are_stretches() -> None:
    text = f"\n\n{{0}}{BREAK}\n\n# One\n\ntext\n\n{{2}}{BREAK}\n\nthree\n\n{{3}}{BREAK}\n\n"
    found = marker.paged(text, (Picture("a.jpeg", b"x"),))
    assert found.markdown == "# One\n\ntext\n\nthree\n"
    assert [(each.lines, each.location) for each in found.stretches] == [((1, 3), "p. 1"), ((5, 5), "p. 3")]
    assert found.pictures == (Picture("a.jpeg", b"x"),)


def test_text_without_page_marks_stays_whole() -> None:
    assert marker.paged("# One\n\ntext").markdown == "# One\n\ntext\n"


def test_formulas_without_marker_are_a_warning_that_says_what_would_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(marker.MODE, "off")
    found = convert(with_formulas(), "a.pdf")
    assert "Energy and mass" in found.markdown
    assert found.warnings == ("p. 1: formulas read as loose characters; for LaTeX pip install 'docs-rag[marker]'",)


def test_a_document_with_formulas_goes_to_marker(installed: Path) -> None:
    found = convert(with_formulas(), "a.pdf")
    assert found.markdown.startswith("# Energy\n\n$$E = mc^2$$\n")
    assert (found.title, found.warnings) == ("On energy", ())
    assert "'mode'" not in found.markdown


def test_a_document_without_formulas_and_scans_does_not(installed: Path) -> None:
    assert convert(pdf(PdfPage().lines("Plain text.")), "a.pdf").markdown == "Plain text.\n"


def test_its_mode_and_forced_ocr_are_the_users(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(marker.MODE, "Fast")
    monkeypatch.setenv(marker.FORCE_OCR, "1")
    text = convert(with_formulas(), "a.pdf").markdown
    assert "'mode': 'fast'" in text
    assert "'force_ocr': True" in text
    monkeypatch.setenv(marker.MODE, "off")
    assert not marker.is_available()


def test_where_marker_fails_the_document_is_read_without_it(installed: Path) -> None:
    (installed / "marker/models.py").write_text("def create_model_dict():\n    raise OSError('no hub')\n", "utf-8")
    found = convert(with_formulas(), "a.pdf")
    assert "Energy and mass" in found.markdown
    assert found.warnings == ("Marker could not read it (OSError), so it was read without",)
