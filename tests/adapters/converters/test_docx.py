"""Word documents: order, headings, lists, tables, equations, and all that floats."""

from __future__ import annotations

import pytest
from officefiles import SPACES, p, packed, styles, word

from docs_rag.adapters.converters.docx import convert
from docs_rag.adapters.converters.failing import Unconvertible

HEADS = {"word/styles.xml": styles(T="Title", H1="heading 1", H2="heading 2", K="제목 3")}
USES = {"s": ("styles", "styles.xml")}


def shown(body: str, **parts: str) -> str:
    return convert(word(body, {f"word/{name}.xml": text for name, text in parts.items()}), "a.docx").markdown


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{text}</w:tc>"


def rows(*cells: str) -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{each}</w:tr>" for each in cells) + "</w:tbl>"


def test_headings_and_text_in_order() -> None:
    body = p("Boats", "T") + p("Hulls", "H1") + p("Oak.") + p("Keels", "H2") + p("Iron.") + p("돛", "K")
    made = convert(word(body, HEADS, **USES), "a.docx")
    assert made.markdown == "# Boats\n\n# Hulls\n\nOak.\n\n## Keels\n\nIron.\n\n### 돛\n"
    assert made.title == "Boats"
    assert [(each.lines, each.location) for each in made.stretches] == [
        ((1, 1), "section Boats"),
        ((3, 5), "section Hulls"),
        ((7, 9), "section Keels"),
        ((11, 11), "section 돛"),
    ]


def test_pages_are_those_of_the_last_layout() -> None:
    turn = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>Second.</w:t></w:r></w:p>"
    made = convert(word(p("First.") + turn), "a.docx")
    assert [(each.lines, each.location) for each in made.stretches] == [((1, 1), "p. 1"), ((3, 3), "p. 2")]


def test_text_is_not_taken_for_structure() -> None:
    assert shown(p("# no heading")) == "\\# no heading\n"
    assert shown(p("a &lt;!-- b")) == "a <\\!-- b\n"
    assert shown(p("---") + p("status: superseded") + p("---")).startswith("\\---\n")


def test_tracked_changes_are_taken_as_accepted_and_hidden_text_is_left_out() -> None:
    body = (
        "<w:p><w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
        "<w:r><w:t>text</w:t></w:r></w:p>"
    )
    assert shown(body) == "new text\n"


def test_fields_show_their_result() -> None:
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText></w:r>'
        '<w:fldSimple w:instr="DATE"><w:r><w:t>today</w:t></w:r></w:fldSimple></w:p>'
    )
    assert shown(body) == "today\n"


def test_content_controls_hide_nothing() -> None:
    control = "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>"
    row = control.format(f"<w:tr>{control.format(cell(p('in a cell')))}{cell(p('plain'))}</w:tr>")
    body = control.format(p("in a block")) + f"<w:tbl>{row}</w:tbl>"
    assert shown(body) == "in a block\n\n| in a cell | plain |\n| --- | --- |\n"


def test_ruby_keeps_word_and_reading() -> None:
    run = "<w:r><w:t>{}</w:t></w:r>"
    ruby = f"<w:ruby><w:rt>{run.format('とう')}</w:rt><w:rubyBase>{run.format('東')}</w:rubyBase></w:ruby>"
    assert shown(f"<w:p><w:r>{ruby}</w:r></w:p>") == "とう東\n"


def test_a_text_box_stands_once_after_its_paragraph() -> None:
    box = f"<w:txbxContent>{p('inside')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>around</w:t><mc:AlternateContent>"
        f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
        f"</mc:AlternateContent></w:r></w:p>{p('after')}"
    )
    assert shown(body) == "around\n\ninside\n\nafter\n"


NUMBERING = f"""<w:numbering {SPACES}>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="ganada"/><w:lvlText w:val="%1.%2)"/></w:lvl>
<w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="8"><w:abstractNumId w:val="1"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
</w:numbering>"""


def numbered(text: str, level: int, number: int = 7) -> str:
    return p(text, "", f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_lists_are_numbered_as_word_numbers_them() -> None:
    body = "".join([
        numbered("a", 0), numbered("b", 1), numbered("c", 1), numbered("d", 2), p("between"), numbered("e", 0),
        numbered("f", 1), numbered("g", 0, 8), numbered("h", 2),
    ])  # fmt: skip
    assert shown(body, numbering=NUMBERING).splitlines() == [
        "1. a",
        "    - 1.가) b",
        "    - 1.나) c",
        "        - d",
        "",
        "between",
        "",
        "2. e",
        "    - 2.가) f",
        "5. g",
        "    - h",
    ]


def test_numbers_of_headings_are_part_of_them() -> None:
    heading = p("Scope", "H1", '<w:numPr><w:numId w:val="7"/></w:numPr>')
    parts: dict[str, str | bytes] = {**HEADS, "word/numbering.xml": NUMBERING}
    assert convert(word(heading, parts), "a.docx").markdown == "# 1. Scope\n"


def test_merged_and_nested_cells() -> None:
    body = rows(
        cell(p("a"), '<w:gridSpan w:val="2"/>') + cell(p("b"), '<w:vMerge w:val="restart"/>'),
        cell(p("c")) + cell(p("d") + rows(cell(p("x")) + cell(p("y")))) + cell(p(""), "<w:vMerge/>"),
    )
    assert shown(body).splitlines() == [
        "| a |  | b |",
        "| --- | --- | --- |",
        "| c | d<br>(table below) |  |",
        "",
        "| x | y |",
        "| --- | --- |",
    ]


def math(inner: str) -> str:
    return f"<m:oMath>{inner}</m:oMath>"


def sign(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


SQUARE = math(f"<m:sSup><m:e>{sign('r')}</m:e><m:sup>{sign('2')}</m:sup></m:sSup>")


def test_equations_in_text_alone_and_in_cells() -> None:
    text = f"<w:p><w:r><w:t>area </w:t></w:r>{SQUARE}</w:p>"
    alone = f"<w:p><m:oMathPara>{SQUARE}</m:oMathPara></w:p>"
    two = f"<w:p>{math(sign('a=b'))}<w:r><w:br/></w:r>{math(sign('c=d'))}</w:p>"
    body = text + alone + two + rows(cell(alone) + cell(p("|")))
    assert shown(body) == ("area $r^{2}$\n\n$$r^{2}$$\n\n$$a=b$$\n\n$$c=d$$\n\n| $r^{2}$ | \\| |\n| --- | --- |\n")


def note(kind: str, text: str) -> str:
    return f'<w:{kind}s {SPACES}><w:{kind} w:id="4" w:author="Kim">{p(text)}</w:{kind}></w:{kind}s>'


def test_notes_and_comments_follow_what_refers_to_them() -> None:
    refer = "".join(f'<w:r><w:{kind} w:id="4"/></w:r>' for kind in ("footnoteReference", "commentReference"))
    body = f"<w:p><w:r><w:t>Claim</w:t></w:r>{refer}</w:p>" + p("Next.")
    made = shown(body, footnotes=note("footnote", "Source."), comments=note("comment", "Really?"))
    assert made == "Claim[^1]\n\n[^1]: Source.\n\n> Comment (Kim): Really?\n\nNext.\n"


def test_links_show_where_they_lead() -> None:
    body = '<w:p><w:hyperlink r:id="x"><w:r><w:t>the site</w:t></w:r></w:hyperlink><w:r><w:t> says</w:t></w:r></w:p>'
    made = convert(word(body, x=("hyperlink", "https://example.org/a")), "a.docx").markdown
    assert made == "the site says <https://example.org/a>\n"


def test_headers_and_footers_come_last_and_once() -> None:
    header = f"<w:hdr {SPACES}>{p('Acme Ltd')}{p('12')}</w:hdr>"
    parts: dict[str, str | bytes] = {"word/header1.xml": header, "word/header2.xml": header}
    uses = {"a": ("header", "header1.xml"), "b": ("header", "header2.xml")}
    assert convert(word(p("Text."), parts, **uses), "a.docx").markdown == "Text.\n\nHeader: Acme Ltd\n"


def test_pictures_are_kept_with_their_description() -> None:
    blip = '<w:p><w:r><w:drawing><w:docPr descr="a [red] boat"/><a:blip r:embed="i"/></w:drawing></w:r></w:p>'
    made = convert(word(blip, {"word/media/image 1.png": b"png"}, i=("image", "media/image 1.png")), "a.docx")
    assert made.markdown == "![a red boat](image-1.png)\n"
    assert [(each.name, each.data) for each in made.pictures] == [("image-1.png", b"png")]
    assert made.warnings == ("the document holds no text, only pictures",)


def test_an_empty_document_says_so() -> None:
    made = convert(word(""), "a.docx")
    assert (made.markdown, made.warnings) == ("", ("the document holds no text",))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"plain text", "damaged"),
        (word(p("text"))[:-30], "damaged"),
        (packed({"other.xml": "<a/>"}), "damaged"),
        (packed({"word/document.xml": '<!DOCTYPE a [<!ENTITY b "ha">]><a>&b;</a>'}), "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "unsupported"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
    ],
)
def test_what_cannot_be_read_has_a_reason(data: bytes, code: str) -> None:
    with pytest.raises(Unconvertible) as caught:
        convert(data, "a.docx")
    assert caught.value.code == code


def test_tables_in_tables_without_end_are_refused() -> None:
    body = "<w:tbl><w:tr><w:tc>" * 5000 + "</w:tc></w:tr></w:tbl>" * 5000
    with pytest.raises(Unconvertible):
        convert(word(body), "a.docx")
    deep = "<w:tbl><w:tr><w:tc>" * 120 + p("core") + "</w:tc></w:tr></w:tbl>" * 120
    assert "core" in shown(deep)


def test_damaged_relations_cost_no_text() -> None:
    data = word(p("Text."), {"word/_rels/document.xml.rels": "<a/>broken"})
    made = convert(data, "a.docx")
    assert made.markdown == "Text.\n"
    assert "document.xml.rels" in made.warnings[0]
