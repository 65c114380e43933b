"""Workbooks: cells as people see them, in their places."""

from __future__ import annotations

import pytest
from officefiles import R, S, packed, relations

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.ooxml.numberformats import plain, shown
from docs_rag.adapters.converters.xlsx import convert

SPACE = f'xmlns="{S}" xmlns:r="{R}"'


def book(sheets: dict[str, str], parts: dict[str, str] | None = None, *, more: str = "") -> bytes:
    """A workbook: name of a sheet -> what is in its part; `more` are attributes of the first sheet's entry."""
    entries = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="s{number}"{more if number == 1 else ""}/>'
        for number, name in enumerate(sheets, 1)
    )
    members = {
        "_rels/.rels": relations(r1=("officeDocument", "/xl/workbook.xml")),
        "xl/workbook.xml": f"<workbook {SPACE}><sheets>{entries}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": relations(
            **{f"s{number}": ("worksheet", f"worksheets/sheet{number}.xml") for number in range(1, len(sheets) + 1)}
        ),
    }
    for number, inner in enumerate(sheets.values(), 1):
        members[f"xl/worksheets/sheet{number}.xml"] = f"<worksheet {SPACE}>{inner}</worksheet>"
    return packed({**members, **(parts or {})})


def data(*rows: str) -> str:
    return f"<sheetData>{''.join(f'<row>{row}</row>' for row in rows)}</sheetData>"


def text(words: str, place: str = "") -> str:
    where = f' r="{place}"' if place else ""
    return f'<c t="inlineStr"{where}><is><t>{words}</t></is></c>'


def number(value: object, more: str = "") -> str:
    return f"<c{more}><v>{value}</v></c>"


def test_a_sheet_is_a_section_with_a_table() -> None:
    made = convert(book({"Budget": data(text("Item") + text("Price"), text("Oak") + number(12.5))}), "a.xlsx")
    assert made.markdown == "## Budget\n\n| Item | Price |\n| --- | --- |\n| Oak | 12.5 |\n"
    assert [(each.lines, each.location) for each in made.stretches] == [((1, 5), "sheet Budget, A1:B2")]


def test_shared_strings_lose_their_phonetic_reading() -> None:
    strings = f"<sst {SPACE}><si><r><t>東</t></r><r><t>京</t></r><rPh><t>トウ</t></rPh></si></sst>"
    sheet = data('<c t="s"><v>0</v></c><c t="s"><v>9</v></c>')
    assert convert(book({"S": sheet}, {"xl/sharedStrings.xml": strings}), "a").markdown == "## S\n\n東京\n"


def test_kinds_of_cells() -> None:
    cells = [
        '<c t="b"><v>1</v></c>',
        '<c t="e"><v>#N/A</v></c>',
        '<c t="str"><f>A1</f><v>made</v></c>',
        "<c><f>SUM(A1:A2)</f></c>",
        '<c t="d"><v>2024-05-06</v></c>',
        number("0.30000000000000004"),
    ]
    made = convert(book({"S": data("".join(cells))}), "a").markdown
    assert made.splitlines()[2] == "| TRUE | #N/A | made | =SUM(A1:A2) | 2024-05-06 | 0.3 |"


def test_formats_make_dates_and_shares_of_numbers() -> None:
    styles = (
        f'<styleSheet {SPACE}><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;년&quot; m"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>'
    )
    cells = number(45418, ' s="1"') + number(45418.5, ' s="2"') + number(0.62, ' s="3"') + number(45418, ' s="7"')
    made = convert(book({"S": data(cells)}, {"xl/styles.xml": styles}), "a").markdown
    assert made.splitlines()[2] == "| 2024-05-06 | 2024-05-06 12:00:00 | 62% | 45418 |"


@pytest.mark.parametrize(
    ("value", "form", "code", "expected"),
    [
        (1.0, 14, "", "1900-01-01"),
        (61.0, 14, "", "1900-03-01"),
        (0.25, 20, "", "06:00:00"),
        (1.5, 46, "", "36:00:00"),
        (1.5, 164, "[h]:mm", "36:00:00"),
        (40000.0, 164, "mmm yyyy", "2009-07-06"),
        (40000.0, 164, 'General"day"', "40000"),
        (3.0, 164, '#,##0 "days"', "3"),
        (3.0, 164, "[Red]0.0;[Yellow]-0.0", "3"),
        (0.1234, 164, "0.0%", "12.3%"),
        (-5.0, 14, "", "-5"),
        (1e20, 14, "", "1e+20"),
        (1234567890123456.0, 0, "", "1.23456789012346e+15"),
    ],
)
def test_numbers_as_people_see_them(value: float, form: int, code: str, expected: str) -> None:
    assert shown(value, form, code) == expected


def test_days_may_be_counted_from_1904() -> None:
    assert shown(0.0 + 1, 14, "", is_1904=True) == "1904-01-02"
    assert plain(-0.5) == "-0.5"


def test_blank_rows_part_tables_and_one_cell_is_a_paragraph() -> None:
    sheet = data(text("Title", "B2"), text("a", "B4") + text("b", "D4"), text("c", "B5") + text("d", "D5")).replace(
        "<row><c t=\"inlineStr\" r=\"B2\"", "<row r=\"2\"><c t=\"inlineStr\" r=\"B2\""
    ).replace("<row><c t=\"inlineStr\" r=\"B4\"", "<row r=\"4\"><c t=\"inlineStr\" r=\"B4\"")  # fmt: skip
    made = convert(book({"S": sheet}), "a")
    assert made.markdown == "## S\n\nTitle\n\n| a | b |\n| --- | --- |\n| c | d |\n"
    assert [each.location for each in made.stretches] == ["sheet S, B2:D5"]


def test_what_a_merged_cell_covers_is_not_blank() -> None:
    rows = f'<row r="1">{text("a", "A1")}{text("b", "B1")}</row><row r="3">{text("c", "B3")}</row>'
    sheet = f'<sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A1:A3"/></mergeCells>'
    assert convert(book({"S": sheet}), "a").markdown.splitlines()[2:] == [
        "| a | b |",
        "| --- | --- |",
        "|  |  |",
        "|  | c |",
    ]


def test_a_long_table_says_its_header_again() -> None:
    made = convert(book({"S": data(text("n"), *(number(each) for each in range(120)))}), "a")
    assert made.markdown.splitlines().count("| n |") == 3
    assert [each.location for each in made.stretches] == [
        "sheet S, A1:A51",
        "sheet S, A52:A101",
        "sheet S, A102:A121",
    ]


def test_the_range_that_a_sheet_claims_costs_nothing() -> None:
    sheet = f'<dimension ref="A1:XFD1048576"/><sheetData><row r="1">{text("a", "A1")}</row>'
    sheet += f'<row r="1048576">{text("z", "XFD1048576")}</row></sheetData>'
    made = convert(book({"S": sheet}), "a")
    assert made.markdown == "## S\n\na\n\nz\n"
    assert made.stretches[-1].location == "sheet S, A1:XFD1048576"


def test_hidden_sheets_say_so_and_comments_name_their_cell() -> None:
    comments = (
        f'<comments {SPACE}><commentList><comment ref="B2"><text><t>Why?</t></text></comment></commentList></comments>'
    )
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(c=("comments", "../comments1.xml")),
        "xl/comments1.xml": comments,
    }
    made = convert(book({"S": data(text("a"))}, parts, more=' state="hidden"'), "a").markdown
    assert made == "## S (hidden)\n\na\n\n> Comment on B2: Why?\n"


def test_margins_are_text_unless_they_hold_fields() -> None:
    top, bottom = "<oddHeader>&amp;C&amp;12Plan &amp;P</oddHeader>", "<oddFooter>&amp;LSecret</oddFooter>"
    margins = f"<headerFooter>{top}{bottom}</headerFooter>"
    assert convert(book({"S": data(text("a")) + margins}), "a").markdown.endswith("a\n\nFooter: Secret\n")


def test_an_empty_workbook_says_so() -> None:
    assert convert(book({"S": data()}), "a").warnings == ("the workbook holds no cell with text",)


def test_entities_are_refused() -> None:
    bomb = '<!DOCTYPE s [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>'
    with pytest.raises(Unconvertible) as caught:
        convert(book({"S": data('<c t="s"><v>0</v></c>')}, {"xl/sharedStrings.xml": bomb}), "a")
    assert caught.value.code == "damaged"


def test_relations_that_are_lost_are_guessed() -> None:
    made = convert(book({"S": data(text("a"))}, {"xl/_rels/workbook.xml.rels": "<r/>junk"}), "a")
    assert made.markdown == "## S\n\na\n"
    assert len(made.warnings) == 1
