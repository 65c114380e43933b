"""Small documents of every format, as the targets take them: something of each thing that a converter looks at.

A document of parts is written part by part, unpacked, so that its text and not its packing is what gets mutated.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Final

import hwpfiles as h
import officefiles as o
import pdffiles
from pdffiles import PdfPage

MARK: Final = b"\n--part "
"""Before the name of a part, which ends with its line."""


def joined(parts: Mapping[str, str | bytes]) -> bytes:
    """Parts as one input."""
    return b"".join(
        MARK + name.encode() + b"\n" + (data.encode() if isinstance(data, str) else data)
        for name, data in parts.items()
    )


def parted(data: bytes) -> dict[str, bytes]:
    """The parts of an input; a name that is no text, or that comes twice, is taken as it is, or once."""
    found: dict[str, bytes] = {}
    for each in data.split(MARK)[1:]:
        name, _, part = each.partition(b"\n")
        found[name.decode("utf-8", "replace").replace("\0", "")[:200]] = part
    return found


def unpacked(archive: bytes) -> bytes:
    """An archive as an input of parts."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return joined({name: opened.read(name) for name in opened.namelist()})


def docx() -> bytes:
    numbers = (
        f'<w:numbering {o.SPACES}><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
        '<w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    )
    cells = '<w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr>' + o.p("a") + "</w:tc>"
    body = (
        o.p("Hulls", "H1")
        + o.p("oak", "", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>')
        + f"<w:tbl><w:tr>{cells}<w:tc>{o.p('b')}</w:tc></w:tr><w:tr><w:tc>{o.p('c')}</w:tc></w:tr></w:tbl>"
        + '<w:p><w:hyperlink r:id="l1"><w:r><w:t>link</w:t></w:r></w:hyperlink>'
        '<w:r><w:footnoteReference w:id="2"/></w:r><w:r>'
        '<w:fldChar w:fldCharType="begin"/><w:instrText>SEQ Figure</w:instrText></w:r>'
        '<w:r><w:sym w:font="Symbol" w:char="F0B7"/><w:br/><w:tab/></w:r>'
        "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
        '<w:r><w:drawing><a:blip r:embed="i1"/></w:drawing></w:r></w:p>'
    )
    notes = f'<w:footnotes {o.SPACES}><w:footnote w:id="2">{o.p("note")}</w:footnote></w:footnotes>'
    made = o.word(
        body,
        {
            "word/styles.xml": o.styles(H1="heading 1"),
            "word/numbering.xml": numbers,
            "word/footnotes.xml": notes,
            "word/media/a.png": b"\x89PNG\r\n\x1a\n",
        },
        s=("styles", "styles.xml"),
        n=("numbering", "numbering.xml"),
        f=("footnotes", "footnotes.xml"),
        i1=("image", "media/a.png"),
        l1=("hyperlink", "https://a.example/"),
    )
    return unpacked(made)


def pptx() -> bytes:
    text = "<a:p><a:pPr lvl='1'><a:buAutoNum type='arabicPeriod'/></a:pPr><a:r><a:t>{}</a:t></a:r></a:p>"
    title = '<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody>'
    title += "<a:p><a:r><a:t>T</a:t></a:r></a:p>"
    cell = '<a:tc gridSpan="2" rowSpan="1"><a:txBody><a:p><a:r><a:t>c</a:t></a:r></a:p></a:txBody></a:tc>'
    table = f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>{cell}</a:tr></a:tbl></a:graphicData></a:graphic>"
    chart = '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic>'
    chart += "</p:graphicFrame>"
    place = '<p:spPr><a:xfrm><a:off x="1" y="2"/><a:ext cx="3" cy="4"/></a:xfrm></p:spPr>'
    tree = (
        f"{title}</p:txBody></p:sp><p:grpSp><p:sp>{place}<p:txBody>{text.format('one')}</p:txBody></p:sp></p:grpSp>"
        f"{table}</p:graphicFrame>{chart}<p:pic><p:blipFill><a:blip r:embed='i1'/></p:blipFill></p:pic>"
    )
    series = (
        "<c:ser><c:tx><c:v>S</c:v></c:tx><c:cat><c:strLit><c:ptCount val='2'/><c:pt idx='1'><c:v>x</c:v></c:pt>"
        "</c:strLit></c:cat><c:val><c:numLit><c:pt idx='0'><c:v>1.5</c:v></c:pt></c:numLit></c:val></c:ser>"
    )
    return joined({
        "_rels/.rels": o.relations(r1=("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<p:presentation {o.SPACES}><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst>'
        "</p:presentation>",
        "ppt/_rels/presentation.xml.rels": o.relations(s1=("slide", "slides/slide1.xml")),
        "ppt/slides/slide1.xml": f'<p:sld {o.SPACES} show="1"><p:cSld><p:spTree>{tree}</p:spTree></p:cSld></p:sld>',
        "ppt/slides/_rels/slide1.xml.rels": o.relations(
            c1=("chart", "../charts/chart1.xml"), i1=("image", "../media/a.png"), n1=("notesSlide", "../notes.xml")
        ),
        "ppt/charts/chart1.xml": f"<c:chartSpace {o.SPACES}><c:chart><c:plotArea><c:barChart>{series}</c:barChart>"
        "</c:plotArea></c:chart></c:chartSpace>",
        "ppt/notes.xml": f"<p:notes {o.SPACES}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='body'/></p:nvPr>"
        f"</p:nvSpPr><p:txBody>{text.format('note')}</p:txBody></p:sp></p:spTree></p:cSld></p:notes>",
    })  # fmt: skip


def xlsx() -> bytes:
    space = f'xmlns="{o.S}" xmlns:r="{o.R}"'
    cells = (
        '<c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Price</t></is></c>'
        '<c r="C1" s="1"><v>45000.5</v></c>'
    )
    more = '<c r="A2" t="b"><v>1</v></c><c r="B2" t="e"><v>#REF!</v></c><c r="C2" s="2"><f>A1</f><v>0.25</v></c>'
    rows = f'<sheetData><row r="1">{cells}</row><row r="2" hidden="1">{more}</row></sheetData>'
    return joined({
        "_rels/.rels": o.relations(r1=("officeDocument", "/xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {space}><workbookPr date1904="1"/><sheets><sheet name="Budget" sheetId="1" '
        'r:id="s1" state="hidden"/></sheets><definedNames><definedName name="_xlnm.Print_Area">Budget!$A$1:$B$2'
        "</definedName></definedNames></workbook>",
        "xl/_rels/workbook.xml.rels": o.relations(
            s1=("worksheet", "worksheets/sheet1.xml"),
            st=("styles", "styles.xml"),
            ss=("sharedStrings", "sharedStrings.xml"),
        ),
        "xl/worksheets/sheet1.xml": f'<worksheet {space}><dimension ref="A1:C2"/>{rows}<mergeCells><mergeCell '
        'ref="A1:B2"/></mergeCells><hyperlinks><hyperlink ref="A1" location="x"/></hyperlinks></worksheet>',
        "xl/sharedStrings.xml": f"<sst {space}><si><r><t>It</t></r><r><t>em</t></r><rPh><t>x</t></rPh></si></sst>",
        "xl/styles.xml": f'<styleSheet {space}><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd;[Red]\\-0.0%"/>'
        '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>',
    })  # fmt: skip


def odt() -> bytes:
    uri = "urn:oasis:names:tc:opendocument:xmlns:"
    names = {"office": "office", "table": "table", "text": "text", "style": "style", "draw": "drawing"}
    space = " ".join(f'xmlns:{name}="{uri}{what}:1.0"' for name, what in names.items())
    space += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    styles = (
        '<style:style style:name="P1" style:parent-style-name="Title"/><text:list-style style:name="L">'
        '<text:list-level-style-number text:level="1" style:num-format="i"/></text:list-style>'
    )
    cell = '<table:table-cell table:number-columns-repeated="2" table:number-rows-spanned="2"><text:p>c</text:p>'
    body = (
        '<text:p text:style-name="P1">Boats</text:p><text:h text:outline-level="2">Hulls</text:h>'
        '<text:p>a<text:s text:c="3"/>b<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        '<text:note-body><text:p>n</text:p></text:note-body></text:note><text:a xlink:href="https://a.example/">l</text:a>'
        '</text:p><text:list text:style-name="L"><text:list-item><text:p>x</text:p></text:list-item></text:list>'
        f'<table:table><table:table-row table:number-rows-repeated="2">{cell}</table:table-cell></table:table-row>'
        '</table:table><text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>'
    )
    content = (
        f"<office:document-content {space}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return joined({"content.xml": content, "Pictures/a.png": b"\x89PNG\r\n\x1a\n"})


def ods() -> bytes:
    uri = "urn:oasis:names:tc:opendocument:xmlns:"
    space = " ".join(f'xmlns:{name}="{uri}{name}:1.0"' for name in ("office", "table", "text", "manifest"))
    cells = (
        '<table:table-cell office:value-type="float" office:value="1.5" table:number-columns-repeated="3"><text:p>1.5'
        '</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2026-01-02"/>'
        '<table:covered-table-cell/><table:table-cell office:value-type="boolean" office:boolean-value="true"/>'
    )
    rows = f'<table:table-row table:number-rows-repeated="2">{cells}</table:table-row>'
    return joined({
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": f"<manifest:manifest {space}/>",
        "content.xml": f"<office:document-content {space}><office:body><office:spreadsheet>"
        f'<table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>",
    })  # fmt: skip


def hwpx() -> bytes:
    head = (
        '<hh:numbering id="1"><hh:paraHead level="1" numFormat="HANGUL_SYLLABLE">^1.</hh:paraHead></hh:numbering>'
        '<hh:paraPr id="0"><hh:heading type="NUMBER" idRef="1" level="0"/></hh:paraPr>'
        '<hh:paraPr id="1"><hh:heading type="OUTLINE" idRef="0" level="1"/></hh:paraPr><hh:style id="4" name="개요 3"/>'
    )
    equation = "<hp:equation><hp:script>{a over b} sqrt x</hp:script></hp:equation>"
    table = h.grid(h.grid_cell(0, 0, h.run("이름"), spans=(2, 1)) + h.grid_cell(0, 1, h.run("값")))
    body = h.run("하나<hp:tab/>b<hp:deleteBegin/>c<hp:deleteEnd/>") + h.run("둘", table, equation, shape=1, style=4)
    note = f"<hp:ctrl><hp:footNote>{h.listed(h.run('주'))}</hp:footNote></hp:ctrl>"
    return unpacked(h.hwpx(body + h.run("셋", note), head=head, items='<item id="i" href="BinData/a.png"/>'))


def epub() -> bytes:
    item = '<item id="{0}" href="{1}" media-type="application/xhtml+xml" {2}/>'
    items = item.format("nav", "nav.xhtml", 'properties="nav"') + item.format("a", "a%20b.xhtml", "")
    return joined({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>Book</dc:title></metadata><manifest>{items}</manifest><spine><itemref idref='a'/></spine>"
        "</package>",
        "OPS/nav.xhtml": '<html xmlns:epub="http://www.idpf.org/2007/ops"><nav epub:type="toc"><ol><li>'
        '<a href="a%20b.xhtml#x">First</a></li></ol></nav></html>',
        "OPS/a b.xhtml": "<html><body><h1>Two</h1><p id='x'>Text<sup><a href='#n1'>1</a></sup><img src='../p.png'/>"
        "<p id='n1'>1 Note.</body></html>",
    })  # fmt: skip


def hwp() -> bytes:
    table = h.table(h.cell(0, 0, h.paragraph("이름", level=2), spans=(1, 2)), h.cell(1, 0, h.paragraph("합", level=2)))
    body = (
        h.paragraph("하나", shape=1)
        + h.paragraph(f"둘{h.code(11)}", table)
        + h.paragraph(h.code(11), h.equation("a over b"))
        + h.paragraph(h.code(17), h.noted("fn  ", "주"))
        + h.paragraph(h.code(11), h.boxed(h.picture(1)))
    )
    info = h.embedded(1, "png") + h.numbering(("^1.", 0)) + h.shape() + h.shape(2, 0, 1) + h.style("개요 1")
    return joined({
        "FileHeader": h.file_header(), "DocInfo": h.record(16, 0, bytes(26)) + info, "BodyText/Section0": body,
        "BinData/BIN0001.png": b"\x89PNG\r\n\x1a\n",
    })  # fmt: skip


def pdf() -> bytes:
    page = PdfPage().lines("Hulls", "", "Oak is hard.", "Elm is not.").text(72, 300, "bold", bold=True)
    for at in range(3):
        page.rule(72, 500 - 20 * at, 300, 500 - 20 * at).rule(72 + 114 * at, 460, 72 + 114 * at, 500)
    page.annotations.append("/Subtype /Link /Rect [72 300 99 310] /A << /S /URI /URI (https://a.example/) >>")
    return pdffiles.pdf(page, PdfPage().lines("Two"), outline=(pdffiles.Entry("Hulls", 0),), title="Boats")


RTF: Final = (
    rb"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset129 Batang;}}{\stylesheet{\s1 heading 1;}}"
    rb"{\info{\title T}}\pard\s1\outlinelevel0 Hulls\par {\b oak}\u54620?\'e9 \bin3 abc"
    rb"{\footnote note}{\field{\*\fldinst HYPERLINK \"x\"}{\fldrslt link}}\par\trowd\cellx100\clmgf\cellx200"
    rb"\intbl a\cell b\cell\row{\*\listtable{\list{\listlevel{\leveltext\'02\'00.;}}\listid1}}"
    rb"{\pict\pngblip 89504e47}{\upr{a}{\*\ud{b}}}\par}"
)
HTML: Final = (
    b"<!doctype html><html><head><meta charset=utf-8><title>T</title><base href=x><script type='application/ld+json'>"
    b'{"@type":"Article"}</script></head><body><nav>n</nav><h1>H</h1><p>a<b>b</b><a href="y">l</a><sup>1</sup>'
    b"<ol start=3 type=a><li>x<ul><li>y</ul></ol><table><tr><th colspan=2 rowspan=2>c<td>d<tr><td>e</table>"
    b"<pre><code class=language-x>z</code></pre><math><mfrac><mi>a</mi><mn>2</mn></mfrac></math><blockquote>q"
    b"</blockquote><dl><dt>t<dd>d</dl><img src=i.png alt=i><svg><text>s</text></svg>&nbsp;&#x41;&#99999999;"
    b"</body></html>"
)
RST: Final = (
    b"====\nTop\n====\n\n:Status: Superseded\n:Date: 2026-01-02\n\n.. note:: n\n\n   in\n\n*a* **b** ``c`` `l <x>`_ "
    b"|s| [1]_ :ref:`t`\n\n.. |s| replace:: r\n.. [1] f\n.. _t: u\n\n+---+---+\n| a | b |\n+===+===+\n| c | d |\n"
    b"+---+---+\n\n=== ===\nx   y\n=== ===\n1   2\n=== ===\n\n.. csv-table::\n   :header: a, b\n\n   1, 2\n\n"
    b"term\n  d\n\n- a\n\n  1. b\n\n::\n\n  code\n\n.. math:: x\n.. list-table::\n\n   * - a\n     - b\n"
)
ORG: Final = (
    b"#+TITLE: T\n#+filetags: :a:b:\n* TODO [#A] One :tag:\n:PROPERTIES:\n:ID: 1\n:END:\nSCHEDULED: <2026-01-02 Fri>\n"
    b"/i/ *b* =c= [[https://x][l]] [fn:1] \\alpha $x$ <<t>>\n- a\n  1) b\n  - [ ] c\n- d :: e\n| a | b |\n|---+---|\n"
    b"| c | d |\n#+TBLFM: $1=2\n#+BEGIN_SRC py\nx\n#+END_SRC\n#+BEGIN_QUOTE\nq\n#+END_QUOTE\n[fn:1] note\n# c\n-----\n"
)
JSON: Final = (
    b'{"a": [1, 2.50, -1e9, null, true, "\\ud55c\\u0000"], "b": {"c": [{"d": 1}, {"d": "x|y", "e": []}]}, "b": 2}'
)
YAML: Final = (
    b"%YAML 1.2\n---\n# c\na: &x [1, 2]\nb: *x\nc: |\n  text\nd: >-\n  f\n  g\n? k\n: v\ne: !!set {a, b}\n"
    b"<<: {m: 1}\nt: 2026-01-02\n---\n- 'q'\n- {z: ~}\n...\n"
)
CSV: Final = b'name;price\n"a ""b""";1,5\n\xe9;2\n\n,,,\n'

SAMPLES: Final[Mapping[str, Callable[[], bytes]]] = {
    "docx": docx, "pptx": pptx, "xlsx": xlsx, "odt": odt, "ods": ods, "hwpx": hwpx, "epub": epub, "hwp": hwp,
    "pdf": pdf, "rtf": lambda: RTF, "html": lambda: HTML, "rst": lambda: RST, "org": lambda: ORG,
    "json": lambda: JSON,
    "jsonl": lambda: JSON + b"\n" + b'{"a": 1, "b": [{}]}\n"x"\n', "yaml": lambda: YAML, "csv": lambda: CSV,
    "txt": lambda: b"\xef\xbb\xbfTea\r\n===\r\n\x0c\n  a\tb\n\n* x\n",
}  # fmt: skip
"""A document for each target, by its name, which is that of its suffix."""
