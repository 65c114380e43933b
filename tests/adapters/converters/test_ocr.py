"""OCR: which languages are tried, what of the answers is believed, and what it says where it cannot read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pdffiles import PdfPage, pdf

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.images import convert
from docs_rag.adapters.converters.ocr import Ocr, rapid, tesseract
from docs_rag.adapters.converters.ocr.scripts import LANGUAGES, SCRIPTS, Script, by_name, choices
from docs_rag.adapters.converters.pdf import convert as convert_pdf
from docs_rag.adapters.converters.pdf import scans
from docs_rag.adapters.converters.pdf.pdfium import opened

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10"
"""The beginning of a picture of 16 by 16 pixels."""

HEADER = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What earlier tests found out about this machine is forgotten, before and after."""
    monkeypatch.delenv(LANGUAGES, raising=False)
    forget()
    yield
    forget()


def forget() -> None:
    for known in (tesseract.program, tesseract.packs, rapid.is_installed):
        known.cache_clear()


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without engines; the folder is its PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(rapid, "find_spec", lambda _name: None)
    return tmp_path


def word(text: str, confidence: float, line: tuple[int, int, int, int] = (1, 1, 1, 1), left: int = 0) -> str:
    place = "\t".join(map(str, line))
    return f"5\t{place}\t1\t{left}\t0\t{30 * len(text)}\t30\t{confidence}\t{text}\n"


def stand_in(folder: Path, packs: str, script: str, **answers: str) -> Path:
    """A program called tesseract with these packs, which guesses this script and has an answer for each `-l`.

    Returns the log of the languages that it was asked for.
    """
    if sys.platform == "win32":
        pytest.skip("a script with a first line that names its interpreter")
    log = folder / "asked.log"
    known = {languages.replace("_and_", "+"): answer for languages, answer in answers.items()}
    program = folder / "tesseract"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "sys.stdout.reconfigure(encoding='utf-8')\n"
        "sys.stdin.buffer.read()\n"
        "arguments = sys.argv[1:]\n"
        "if arguments == ['--list-langs']:\n"
        f"    print('List of available languages (3):\\n' + {packs!r}.replace(' ', '\\n'))\n"
        "elif '0' in arguments:\n"
        f"    print('Script: ' + {script!r} + '\\nScript confidence: 3.1')\n"
        "else:\n"
        "    languages = arguments[arguments.index('-l') + 1]\n"
        f"    open({str(log)!r}, 'a').write(languages + '\\n')\n"
        f"    print({HEADER!r} + {known!r}.get(languages, ''), end='')\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    return log


def asked(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").split()


def test_without_an_engine_a_picture_is_a_reason_that_says_what_to_install(bare: Path) -> None:
    with pytest.raises(Unconvertible, match=r"pip install 'docs-rag\[ocr\]'") as failure:
        convert(PNG, "a.png")
    assert failure.value.code == "needs-ocr"


def test_the_guessed_script_is_tried_first_and_a_good_reading_ends_it(bare: Path) -> None:
    log = stand_in(bare, "eng kor osd", "Hangul", kor_and_eng=word("회의록", 95))
    assert convert(PNG, "a.png").markdown.strip() == "회의록"
    assert asked(log) == ["kor+eng"]


def test_a_wrong_guess_is_mended_by_the_other_languages(bare: Path) -> None:
    log = stand_in(bare, "eng kor osd", "Hangul", kor_and_eng=word("테오", 30), eng=word("Minutes", 93))
    assert convert(PNG, "a.png").markdown.strip() == "Minutes"
    assert asked(log) == ["kor+eng", "eng"]


def test_an_engine_without_the_language_is_a_reason_and_no_text(bare: Path) -> None:
    stand_in(bare, "eng osd", "Hangul", eng=word("SAB", 22))
    with pytest.raises(Unconvertible, match=r"Korean.*tesseract-ocr-kor") as failure:
        convert(PNG, "a.png")
    assert failure.value.code == "needs-ocr"


def test_a_picture_without_text_is_a_reason_that_names_the_languages(bare: Path) -> None:
    stand_in(bare, "eng kor osd", "Latin")
    with pytest.raises(Unconvertible, match=r"no legible text.*eng, kor"):
        convert(PNG, "a.png")


def test_an_engine_that_breaks_down_is_a_reason(bare: Path) -> None:
    program = bare / "tesseract"
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(Unconvertible, match="no legible text"):
        convert(PNG, "a.png")


def test_languages_that_somebody_asks_for_are_the_only_ones(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LANGUAGES, "deu+kor")
    log = stand_in(bare, "deu eng osd", "Latin", deu=word("Sitzung", 90))
    assert convert(PNG, "a.png").markdown.strip() == "Sitzung"
    assert asked(log) == ["deu"]


def test_what_fitted_one_page_is_tried_first_on_the_next(bare: Path) -> None:
    log = stand_in(bare, "eng jpn osd", "Latin", eng=word("x", 45), jpn_and_eng=word("議事録", 92))
    ocr = Ocr()
    assert [ocr.read(PNG).pages, ocr.read(PNG).pages] == [(("議事録",),)] * 2
    assert asked(log) == ["eng", "jpn+eng", "jpn+eng"]


def test_lines_and_paragraphs_are_those_of_the_picture(bare: Path) -> None:
    rows = [
        word("The", 91, (1, 1, 1, 1)), word("train", 90, (1, 1, 1, 1), 200), word("leaves", 90, (1, 1, 1, 2)),
        word("#", 90, (1, 2, 1, 1)), word("late", 90, (1, 2, 1, 1), 100),
        word("again", 90, (2, 1, 1, 1)), word("noise", -1, (2, 1, 1, 1), 300),
    ]  # fmt: skip
    stand_in(bare, "eng osd", "Latin", eng="".join(rows))
    found = convert(PNG, "a.tif")
    assert found.markdown == "The train\nleaves\n\n\\# late\n\nagain\n"
    assert [(each.lines, each.location) for each in found.stretches] == [((1, 4), "p. 1"), ((6, 6), "p. 2")]


def test_syllables_that_tesseract_parts_from_their_word_join_it(bare: Path) -> None:
    places = (("배포", 0), ("절", 76), ("차", 114), ("를", 152), ("서버는", 200))
    stand_in(bare, "kor osd", "Hangul", kor="".join(word(text, 93, left=left) for text, left in places))
    assert convert(PNG, "a.png").markdown.strip() == "배포 절차를 서버는"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.what)
def test_every_script_has_packs_and_says_what_to_install(script: Script) -> None:
    assert by_name(script.names[0]) is script
    assert script.of(frozenset(script.packs))[0] == script.packs[0]
    assert script.packs[0].replace("_", "-") in script.package


def test_choices_are_few_and_the_guess_comes_first() -> None:
    every = frozenset(pack for script in SCRIPTS for pack in script.packs)
    found = choices(by_name("Thai"), every)
    assert found[0] == ("tha", "eng")
    assert len(found) <= 5
    assert choices(None, frozenset({"osd"})) == []


def pictured(*pages: PdfPage) -> bytes:
    """The same pages as pictures, as a scanner makes them."""
    document = opened(pdf(*pages))
    shown = []
    for number in range(1, len(document) + 1):
        _, size, rest = scans.drawn(document, number).split(b" ", 2)
        height, rest = rest.split(b" ", 1)
        shown.append(PdfPage(images=[(int(size), int(height), rest.split(b"\n", 1)[1])]))
    document.close()
    return pdf(*shown)


SENTENCE = "The archive closes on the third of May."


def test_a_scan_without_an_engine_is_a_reason(bare: Path) -> None:
    with pytest.raises(Unconvertible, match=r"scan without a text layer.*tesseract") as failure:
        convert_pdf(pictured(PdfPage().lines(SENTENCE)), "a.pdf")
    assert failure.value.code == "needs-ocr"


def test_pages_that_are_scans_among_others_are_named(bare: Path) -> None:
    scan = PdfPage(images=[(100, 100, bytes(10_000))])
    found = convert_pdf(pdf(PdfPage().lines(SENTENCE), scan, scan), "a.pdf")
    assert SENTENCE in found.markdown
    assert [warning.partition(":")[0] for warning in found.warnings] == ["p. 2-3 without a text layer"]


def test_scanned_pages_are_read_in_their_place(bare: Path) -> None:
    stand_in(bare, "eng osd", "Latin", eng=word("Recognised", 90))
    scan = PdfPage(images=[(100, 100, bytes(10_000))])
    found = convert_pdf(pdf(PdfPage().lines("One."), scan, PdfPage().lines("Three.")), "a.pdf")
    assert found.markdown == "One.\n\nRecognised\n\nThree.\n"
    assert [each.location for each in found.stretches] == ["p. 1", "p. 2", "p. 3"]
    assert (found.warnings, found.pictures) == ((), ())


@pytest.mark.slow
@pytest.mark.skipif(tesseract.program() is None, reason="tesseract is not on the PATH")
def test_tesseract_reads_a_scan() -> None:
    page = PdfPage().lines(*[SENTENCE] * 6, size=16, step=24)
    assert SENTENCE in convert_pdf(pictured(page), "a.pdf").markdown


@pytest.mark.slow
@pytest.mark.skipif(not rapid.is_installed(), reason="the extra `ocr` is not installed")
def test_rapidocr_reads_a_scan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    page = PdfPage().lines(*[SENTENCE] * 2, size=20, step=24)
    assert SENTENCE.replace(" ", "") in convert_pdf(pictured(page), "a.pdf").markdown.replace(" ", "")
