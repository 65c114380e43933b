"""PDF files made here: headings, tables, paragraphs, and what happens to those that cannot be read."""

from __future__ import annotations

from io import BytesIO

import pypdf
import pytest
from pdffiles import Entry, PdfPage, pdf

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.pdf import convert, fallback
from docs_rag.adapters.converters.pdf.shapes import Line, is_garbled
from docs_rag.core.converted import Converted, location_of

BODY = ("The server keeps every session for thirty days.", "Then it is removed, and a line in the log says so.")


def made(*pages: PdfPage, outline: tuple[Entry, ...] = (), title: str = "") -> Converted:
    return convert(pdf(*pages, outline=outline, title=title), "a.pdf")


def headings(converted: Converted) -> list[str]:
    return [line for line in converted.markdown.split("\n") if line.startswith("#")]


def table(converted: Converted) -> list[list[str]]:
    lines = [line for line in converted.markdown.split("\n") if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_line_knows_its_page() -> None:
    found = made(PdfPage().lines("First page."), PdfPage(), PdfPage().lines("Third page.", "", "", "Its end."))
    lines = found.markdown.split("\n")
    assert [location_of(found.stretches, (at, at)) for at in (1, 3, 5)] == ["p. 1", "p. 3", "p. 3"]
    assert [lines[at - 1] for at in (1, 3, 5)] == ["First page.", "Third page.", "Its end."]


def test_an_outline_makes_headings_where_its_titles_stand() -> None:
    page = PdfPage().lines("Guide", "", "Setup", *BODY, "Setup", *BODY)
    entries = (Entry("Guide", 0), Entry("Setup", 0, top=TOP_OF_SECOND_SETUP), Entry("Not shown", 1, top=700))
    found = made(page, PdfPage().lines("Above.", "", "", "", "", "Below."), outline=entries)
    assert headings(found) == ["# Guide", "# Setup", "# Not shown"]
    lines = [line for line in found.markdown.split("\n") if line]
    assert lines.index("# Setup") > lines.index(BODY[1])
    assert lines[lines.index("# Not shown") - 1 :][:3] == ["Above.", "# Not shown", "Below."]


TOP_OF_SECOND_SETUP = 742 - 5 * 12 + 10


def test_an_outline_that_only_counts_pages_is_none() -> None:
    pages = [PdfPage().lines(*BODY) for _ in range(2)]
    assert headings(made(*pages, outline=(Entry("Page 1", 0), Entry("Page 2", 1)))) == []


def test_without_an_outline_larger_lines_are_headings() -> None:
    page = PdfPage().text(72, 742, "Sessions", size=20).text(72, 712, "How they end", size=14).lines(*BODY * 4, y=690)
    assert headings(made(page)) == ["# Sessions", "## How they end"]


def test_a_heading_of_two_lines_is_one() -> None:
    page = PdfPage().text(72, 742, "A long title that runs", size=20).text(72, 718, "over two lines", size=20)
    assert headings(made(page.lines(*BODY * 4, y=690))) == ["# A long title that runs over two lines"]


def test_bold_numbered_lines_are_headings_and_bold_words_are_none() -> None:
    page = PdfPage().text(72, 742, "3.2 Results", bold=True).lines(*BODY * 4, y=720)
    page.text(72, 600, "Please note", bold=True).text(72, 580, "4 apples are left.", bold=True)
    assert headings(made(page)) == ["## 3.2 Results"]


def test_text_in_one_size_has_no_headings() -> None:
    assert headings(made(PdfPage().lines("Title?", "", *BODY))) == []


def test_lines_of_a_paragraph_stay_together_and_gaps_part_paragraphs() -> None:
    found = made(PdfPage().lines(*BODY, "", "", *BODY))
    assert found.markdown.rstrip("\n") == "\n".join((*BODY, "", *BODY))


def test_words_divided_at_a_line_end_are_whole() -> None:
    assert "administration of" in made(PdfPage().lines("It is about the admini-", "stration of sessions.")).markdown


def test_bullets_become_a_list() -> None:
    found = made(PdfPage().lines("Bring:", "\x95 bread", "\x95 salt"))
    assert found.markdown.rstrip("\n").endswith("- bread\n- salt")


def test_text_that_looks_like_markdown_stays_text() -> None:
    assert headings(made(PdfPage().lines("# include <stdio.h>", "---"))) == []
    assert r"\# include" in made(PdfPage().lines("# include <stdio.h>", "---")).markdown


def ruled(xs: list[float], ys: list[float]) -> PdfPage:
    page = PdfPage()
    for y in ys:
        page.rule(xs[0], y, xs[-1], y)
    for x in xs:
        page.rule(x, ys[0], x, ys[-1])
    return page


def test_a_table_with_rules_stands_where_it_stood() -> None:
    page = ruled([72, 172, 272], [700, 680, 660])
    page.lines("Before it.").text(80, 686, "Host").text(180, 686, "Port").text(80, 666, "alpha").text(180, 666, "8443")
    page.lines("After it.", y=630)
    found = made(page)
    assert table(found) == [["Host", "Port"], ["alpha", "8443"]]
    assert found.markdown.startswith("Before it.\n\n|")
    assert found.markdown.rstrip("\n").endswith("After it.")


def test_merged_cells_have_their_text_in_the_first_place() -> None:
    page = PdfPage()
    for y in (700, 660):
        page.rule(72, y, 372, y)
    page.rule(172, 680, 372, 680)
    for x, top in ((72, 700), (172, 700), (272, 680), (372, 700)):
        page.rule(x, top, x, 660)
    page.text(80, 674, "Model").text(180, 686, "Score").text(180, 666, "train").text(280, 666, "test")
    assert table(made(page)) == [["Model", "Score", ""], ["", "train", "test"]]


def test_rows_without_a_rule_between_them_are_parted() -> None:
    page = ruled([72, 172, 272, 372], [700, 676])
    for y, row in ((690, ("a", "1", "x")), (679, ("b", "2", "y"))):
        for at, cell in enumerate(row):
            page.text(80 + 100 * at, y, cell)
    assert table(made(page)) == [["a", "1", "x"], ["b", "2", "y"]]


def test_a_word_that_juts_out_of_its_cell_stays_whole() -> None:
    page = ruled([72, 132, 232], [700, 680, 660])
    page.text(74, 686, "Abbreviations").text(180, 686, "Port").text(80, 666, "alpha").text(180, 666, "8443")
    assert table(made(page)) == [["Abbreviations", "Port"], ["alpha", "8443"]]


def test_a_box_around_text_is_no_table() -> None:
    found = made(PdfPage().box(60, 600, 400, 160).lines(*BODY))
    assert table(found) == []
    assert BODY[0] in found.markdown


def test_a_chart_is_no_table() -> None:
    page = ruled([72 + 40 * at for at in range(8)], [700 - 20 * at for at in range(8)])
    assert table(made(page.text(80, 690, "max").lines(*BODY, y=500))) == []


def test_words_in_columns_are_a_table() -> None:
    page = PdfPage().lines("Stock of this week:")
    for at, row in enumerate((("Item", "Shelf", "Count"), ("bolt", "A-12", "450"), ("nut", "B-07", "289"))):
        for column, cell in enumerate(row):
            page.text(72 + 120 * column, 700 - 14 * at, cell)
    assert table(made(page)) == [["Item", "Shelf", "Count"], ["bolt", "A-12", "450"], ["nut", "B-07", "289"]]


def test_a_cell_that_is_missing_leaves_its_place_blank() -> None:
    page = PdfPage()
    rows = (("Item", "Shelf", "Count"), ("bolt", "", "450"), ("", "B-07", "289"), ("pin", "C-01", "7"))
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell:
                page.text(72 + 120 * column, 700 - 14 * at, cell)
    assert table(made(page)) == [list(row) for row in rows]


def test_prose_in_columns_is_no_table() -> None:
    page = PdfPage()
    for at in range(6):
        for column in range(3):
            page.text(60 + 170 * column, 700 - 12 * at, "and then the river rises")
    assert table(made(page)) == []


def test_running_heads_are_kept_once_and_page_numbers_go() -> None:
    pages = [PdfPage().lines("Annual report", "", f"Chapter text {n}.").text(300, 40, str(n)) for n in range(1, 6)]
    found = made(*pages).markdown
    assert found.count("Annual report") == 1
    assert [line for line in found.split("\n") if line.isdigit()] == []
    assert found.count("Chapter text") == 5


def test_numbers_in_the_text_stay() -> None:
    assert "1984" in made(PdfPage().lines("Title", "1984", *BODY)).markdown


def test_comments_and_filled_fields_are_listed() -> None:
    page = PdfPage().lines("Please sign.")
    page.annotations = [
        "/Subtype /Text /Rect [10 10 20 20] /Contents (Ask Kim first)",
        "/Subtype /Widget /FT /Tx /Rect [10 30 90 50] /T (name) /TU (Your name) /V (Lee)",
        "/Subtype /Widget /FT /Btn /Rect [10 60 20 70] /T (agree) /V /Off",
        "/Subtype /Link /Rect [10 80 20 90] /Contents (a link)",
    ]
    assert made(page).markdown.rstrip("\n").endswith("Please sign.\n\n- Comment: Ask Kim first\n- Your name: Lee")


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_page_reads_as_it_is_shown(rotation: int) -> None:
    corner = {90: "0 1 -1 0 612 0", 180: "-1 0 0 -1 612 792", 270: "0 -1 1 0 0 792"}[rotation]
    page = PdfPage(rotation=rotation)
    page.content.append(f"{corner} cm")
    page.text(72, 542, "Sessions", size=20).lines(*BODY * 3, y=500)
    found = made(page)
    assert headings(found) == ["# Sessions"]
    assert "\n".join(BODY) in found.markdown


def test_pictures_are_extracted_each_once() -> None:
    grey = bytes(range(256)) * 25
    pages = [PdfPage(images=[(80, 80, grey)]).lines(*BODY) for _ in range(2)]
    found = made(*pages)
    assert [picture.name for picture in found.pictures] == ["p1-1.png"]
    assert found.pictures[0].data.startswith(b"\x89PNG")
    assert found.markdown.count("![](p1-1.png)") == 1


def test_small_pictures_are_not() -> None:
    assert made(PdfPage(images=[(16, 16, bytes(256))]).lines(*BODY)).pictures == ()


@pytest.mark.parametrize(
    ("title", "shown"),
    [("Session rules", "Session rules"), ("Microsoft Word - a", ""), ("untitled", ""), ("report.docx", "")],
)
def test_a_title_that_somebody_wrote_counts(title: str, shown: str) -> None:
    assert made(PdfPage().lines(*BODY), title=title).title == shown


@pytest.mark.parametrize(
    ("text", "garbled"),
    [("\ue0a1\ue0b2\ufffd of", True), ("\uf0b7 one item", False), ("한글 문서", False), ("", False)],
)
def test_a_text_layer_that_is_no_text_is_known(text: str, garbled: bool) -> None:
    assert is_garbled([Line(text=text)]) is garbled


def test_letters_that_are_drawn_are_a_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    page = PdfPage()
    for at in range(40):
        page.rule(72 + at, 700, 80 + at, 710)
    monkeypatch.setattr("docs_rag.adapters.converters.pdf.scans.Ocr", lambda: pytest.fail("asked for OCR"))
    with pytest.raises(pytest.fail.Exception, match="asked for OCR"):
        made(page)


def test_an_empty_document_says_so() -> None:
    found = made(PdfPage())
    assert (found.markdown.strip(), found.warnings) == ("", ("it holds no text",))


def encrypted(user: str) -> bytes:
    writer = pypdf.PdfWriter(BytesIO(pdf(PdfPage().lines(*BODY))))
    writer.encrypt(user, "owner", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def test_a_password_is_a_reason() -> None:
    with pytest.raises(Unconvertible) as failure:
        convert(encrypted("secret"), "a.pdf")
    assert failure.value.code == "encrypted"
    assert BODY[0] in convert(encrypted(""), "a.pdf").markdown


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"no pdf at all" * 100, pdf(PdfPage().lines(*BODY))[:300]])
def test_what_is_no_pdf_is_damaged(data: bytes) -> None:
    with pytest.raises(Unconvertible) as failure:
        convert(data, "a.pdf")
    assert failure.value.code == "damaged"


def test_pypdf_reads_pages_and_outline_and_says_what_is_missing() -> None:
    data = pdf(PdfPage().lines(*BODY), PdfPage(), outline=(Entry("Rules", 0), Entry("Empty", 1)))
    found = fallback.read(data)
    assert [line.text for line in found.pages[0].lines] == list(BODY)
    assert [(entry.title, entry.page, entry.level) for entry in found.outline] == [("Rules", 1, 1), ("Empty", 2, 1)]
    assert found.warnings[1] == "p. 2 gave no text"


def test_pypdf_takes_over_where_pdfium_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_data: bytes) -> None:
        raise Unconvertible("damaged", "no")

    monkeypatch.setattr("docs_rag.adapters.converters.pdf.pdfium.read", refuse)
    found = convert(pdf(PdfPage().lines(*BODY)), "a.pdf")
    assert BODY[0] in found.markdown
    assert found.warnings == ("the file is damaged; it was read as far as possible",)
