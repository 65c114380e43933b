"""Web pages: structure kept, nothing said twice, no page too broken to be read."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_rag.adapters.converters.webpage import convert
from docs_rag.core.converted import location_of


def markdown(body: str) -> str:
    return convert(body.encode(), "a.html").markdown.strip("\n")


def test_headings_are_sections_and_locations() -> None:
    converted = convert(
        b"<title>A page</title><p>lead<h1>One</h1>text<h2>Two <em>more</em></h2><div>deep</div>", "a.html"
    )
    assert converted.markdown == "A page\n\nlead\n\n# One\n\ntext\n\n## Two more\n\ndeep\n"
    assert converted.title == "A page"
    assert location_of(converted.stretches, (3, 3)) == "beginning"
    assert location_of(converted.stretches, (7, 11)) == "section One to section Two more"


def test_the_title_is_the_first_heading_of_a_page_without_one() -> None:
    assert markdown("<title>표 제목</title><h2>b</h2>c") == "# 표 제목\n\n## b\n\nc"
    assert markdown("<title>Guide | Site</title><h1>Guide</h1>c") == "# Guide\n\nc"
    assert markdown("<title>only a title</title><script>x()</script>") == ""


@pytest.mark.parametrize("encoding", ["cp949", "utf-16", "utf-8-sig", "shift_jis", "gb18030"])
def test_pages_declare_their_encoding_or_show_it(encoding: str) -> None:
    text = {"shift_jis": "会議は月曜日に始まります", "gb18030": "会议定于星期一开始"}.get(
        encoding, "회의는 월요일에 시작한다"
    )
    for page in (f"<meta charset={encoding}><p>{text}", f"<p>{text}"):
        assert markdown_of(page.encode(encoding)) == text


def markdown_of(data: bytes) -> str:
    return convert(data, "a.html").markdown.strip()


def test_lists_nest_and_number() -> None:
    page = "<ul><li>a<ul><li>b<li>c</ul><li><p>d</p><p>e</p></ul><ol start=3><li>f<li>g</ol>"
    assert markdown(page).split("\n") == ["- a", "  - b", "  - c", "- d", "", "  e", "", "3. f", "4. g"]


def test_terms_quotes_and_rules() -> None:
    page = "<dl><dt>ADR<dd>a decision<dt>RFC<dd><p>one</p><p>two</p></dl><blockquote><p>q<p>r</blockquote><hr>"
    assert markdown(page) == "- ADR: a decision\n- RFC\n  one\n\n  two\n\n> q\n>\n> r\n\n* * *"


def test_merged_cells_stay_in_their_columns() -> None:
    page = (
        "<table><caption>Prices</caption><tr><th rowspan=2>item<th colspan=2>price<tr><th>net<th>gross"
        "<tr><td>tea | hot<td>1<td>2</table>after"
    )
    assert markdown(page).split("\n") == [
        "Prices",
        "",
        "| item | price |  |",
        "| --- | --- | --- |",
        "|  | net | gross |",
        "| tea \\| hot | 1 | 2 |",
        "",
        "after",
    ]


def test_tables_in_tables_follow_them() -> None:
    page = "<table><tr><th>a<th>b<tr><td>c<table><tr><td>1<td>2<tr><td>3<td>4</table><td>d</table>"
    assert markdown(page).split("\n\n") == [
        "| a | b |\n| --- | --- |\n| c<br>(table below) | d |",
        "| 1 | 2 |\n| --- | --- |\n| 3 | 4 |",
    ]


def test_tables_that_arrange_a_page_are_no_tables() -> None:
    assert markdown("<table><tr><td><a href=#x>menu</a><td><h1>Top</h1><p>text</table>") == "menu\n\n# Top\n\ntext"
    assert markdown("<table role=presentation><tr><td>a<td>b</table>") == "a\n\nb"


def test_an_end_tag_in_the_wrong_place_does_not_end_the_table() -> None:
    assert markdown("<center><table></center><tr><td>a<td>b</table>") == "| a | b |\n| --- | --- |"


def test_what_stands_in_a_table_outside_of_its_cells_is_not_lost() -> None:
    assert markdown("<table>stray<tr>word<td>a<td>b<p>c</table>d") == (
        "strayword\n\n| a | b<br>c |\n| --- | --- |\n\nd"
    )
    assert markdown("<table><form><tr><td>a<td>b</form><tr><td>c<td>d</table>") == "| a | b |\n| --- | --- |\n| c | d |"
    assert markdown("<table><tr><td>a<td>b</td><tr><table><tr><td>c<td>d</table>").count("| --- |") == 2


def test_code_keeps_its_lines_and_language() -> None:
    assert markdown('<pre><code class="language-py">if a &lt; b:\n    ```\n</code></pre>') == (
        "````py\nif a < b:\n    ```\n````"
    )
    assert markdown("Call <code>get_it</code> or <code>run</code>") == "Call `get_it` or run"
    assert markdown("<pre>A letter to\nthe editor, in lines</pre>") == "A letter to\nthe editor, in lines"


def test_links_lead_out_and_letters_lose_their_looks() -> None:
    page = (
        '<b>Read</b> <a href="https://x.example/a(b)">the <i>manual</i></a>, <a href="#top">top</a><a href=b.html>b</a>'
    )
    assert markdown(page) == "Read [the manual](https://x.example/a%28b%29), top b"


def test_small_letters_readings_and_struck_words() -> None:
    assert markdown("H<sub>2</sub>O, m<sup>2</sup>, x<sup>th</sup>, <del>old</del> soft&shy;ly") == (
        "H₂O, m², xth, ~~old~~ softly"
    )
    assert markdown("<ruby>漢字<rp>(<rt>かんじ<rp>)</ruby>") == "漢字(かんじ)"


def test_footnotes_become_footnotes() -> None:
    page = (
        '<p>Claim.<sup><a href="#fn1" id="r1">1</a></sup> Other<a class="footnote-ref" href="#n2">[2]</a>.'
        '<ol><li id="fn1">First source. <a href="#r1">↩</a><li id="n2"><p>Second.</p><p>More.</p></ol>'
    )
    assert markdown(page).split("\n") == [
        "Claim.[^1] Other[^2].",
        "",
        "[^1]: First source.",
        "",
        "[^2]: Second.",
        "",
        "    More.",
    ]


def test_a_formula_is_written_once() -> None:
    source = "<annotation encoding='application/x-tex'>{\\displaystyle a^{2}}</annotation>"
    page = (
        f"Let <span class='katex'><math><semantics><mi>a</mi>{source}</semantics></math>"
        "<span class='katex-html'>a2</span></span> be "
        "<img class='mwe-math-fallback-image-inline' alt='a^2' src='x.svg'>."
    )
    assert markdown(page) == "Let $a^{2}$ be ."


def test_formulas_without_a_source_are_worked_out() -> None:
    page = (
        "<p>so<math display=block><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup>"
        "<mi>b</mi>"
        "<mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow>"
        "</mfrac></math><math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
        "<mi>sin</mi><mi>θ</mi></math>"
    )
    assert markdown(page) == "so\n\n$$\nx=\\frac{-b\\pm \\sqrt{b^{2}-4ac}}{2a}\n$$\n\n$\\sum_{i=1}^{n}\\sin \\theta$"


def test_more_formulas() -> None:
    page = (
        "<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi>"
        "</mtd></mtr></mtable><mover><mi>v</mi><mo>→</mo></mover><mfenced><mi>x</mi><mi>y</mi></mfenced>"
        "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>"
        "<mroot><mi>x</mi><mn>3</mn></mroot><mtext>if so</mtext></math>"
    )
    assert markdown(page) == (
        "$\\begin{matrix} 1 & 0 \\\\ a & b \\end{matrix}\\vec{v}\\left(x,y\\right)"
        "{}^{14}C_{6}\\sqrt[3]{x}\\text{if so}$"
    )


def test_formulas_of_mathjax_are_kept() -> None:
    page = "<p>a <script type='math/tex'>x_1</script><script type='math/tex; mode=display'>y</script>"
    assert markdown(page) == "a $x_1$\n\n$$\ny\n$$"


def test_pictures_in_the_text_are_taken_out() -> None:
    image = base64.b64encode(b"\x89PNG").decode()
    converted = convert(
        f'<p>See <img alt="a [b]" src="data:image/png;base64,{image}"><img src=c.png>'.encode(), "a.html"
    )
    assert converted.markdown == "See ![a (b)](picture-1.png)![](c.png)\n"
    assert [(each.name, each.data) for each in converted.pictures] == [("picture-1.png", b"\x89PNG")]


def test_words_of_forms_and_drawings_are_kept_apart() -> None:
    page = (
        "<label>Size</label><select><option>S<option>M</select>"
        "<svg><text>axis</text><path/></svg><input type=checkbox checked>"
    )
    assert markdown(page) == "Size S M axis[x]"


def test_text_cannot_become_structure() -> None:
    assert markdown("<p># no heading<p>&lt;!-- seen --&gt;<p>```<p>---") == (
        "\\# no heading\n\n<\\!-- seen -->\n\n\\```\n\n\\---"
    )


def test_nesting_without_end_is_read() -> None:
    assert markdown("<div>" * 5_000 + "deep" + "</div>" * 5_000) == "deep"
    assert markdown("<table><tr><td>" * 2_000 + "deep").endswith("deep |") or "deep" in markdown("<b>" * 9_000 + "deep")


@pytest.mark.parametrize("opening", ["<!--", "<a ", '<a b="', "<![CDATA[", "<!", "</a"])
def test_openings_without_end_are_text(opening: str) -> None:
    text = markdown(f"<p>before</p>{opening * 20_000}")
    assert text.startswith("before")
    assert len(text) > 20_000


def test_marks_of_word_processors_are_no_obstacle() -> None:
    assert markdown("<p><![if !supportLists]>1.<![endif]> a<![foo[x]]> b <!-- <![if x]> --><o:p>c</o:p>") == "1. a b c"


TAGS = (
    "p",
    "div",
    "b",
    "ul",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "h2",
    "a href='#x'",
    "pre",
    "math",
    "sup",
    "br",
    "dl",
    "dd",
)


@settings(max_examples=300)
@given(st.lists(st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag.split()[0]}>" for tag in TAGS] + ["word "])))
def test_no_word_of_a_broken_page_is_lost(pieces: list[str]) -> None:
    page = "".join(piece if piece != "word " else f"word{at} " for at, piece in enumerate(pieces))
    if "<math>" in pieces:
        page = page.replace("<math>", "").replace("</math>", "")
    text = markdown(page)
    assert all(text.count(f"word{at}") >= 1 for at, piece in enumerate(pieces) if piece == "word ")
    assert text.count("word") == pieces.count("word ")


@given(st.text(alphabet="<>/!-[]&;#ab'\"= \n", max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    convert(text.encode(), "a.html")
