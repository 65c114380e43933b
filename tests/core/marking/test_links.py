"""How notes name each other."""

from __future__ import annotations

import pytest

from docs_rag.core.documents import DocPath
from docs_rag.core.marking.links import Style, identifier, links_in, refer, relative, style_of, usual
from docs_rag.core.references import NamedNote, Names

NEW = NamedNote(DocPath("adr/0034-short (new).md"), "34. Short [new]")
TWIN = NamedNote(DocPath("old/0034-short (new).md"), "Twin")
OTHER = NamedNote(DocPath("notes/a.md"), "A", ("alias",), ("ADR-7",))
NAMES = Names([NEW, OTHER])


@pytest.mark.parametrize(
    ("reference", "style"),
    [
        ("[A](a.md)", Style.LINK),
        ("[[a]]", Style.WIKI),
        ("[[notes/a|A]]", Style.WIKI_PATH),
        ("a.md", Style.PATH),
        ("../notes/a.md", Style.PATH),
        ("./a.md", Style.DOTTED),
        ("notes/a.md", Style.ROOTED),
        ("ADR-0034", Style.ID),
        ("0034", Style.ID),
        ("0034-short", Style.NAME),
    ],
)
def test_styles_are_told_apart(reference: str, style: Style) -> None:
    assert style_of(reference) is style


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("source", ["adr/0012-x.md", "notes/a.md", "b.md"])
def test_a_reference_in_any_style_leads_to_the_note(style: Style, source: str) -> None:
    reference = refer(NEW, DocPath(source), style, NAMES)
    assert NAMES.resolve(reference, DocPath(source)).paths == (NEW.path,)


def test_a_style_that_does_not_decide_gives_way_to_one_that_does() -> None:
    names = Names([NEW, TWIN, OTHER])
    for style in Style:
        reference = refer(NEW, DocPath("b.md"), style, names)
        assert names.resolve(reference, DocPath("b.md")).paths == (NEW.path,), style
    assert refer(NEW, DocPath("b.md"), Style.WIKI, names) == "[[adr/0034-short (new)]]"


def test_titles_with_brackets_do_not_break_a_link() -> None:
    assert refer(NEW, DocPath("b.md"), Style.LINK, NAMES) == "[34. Short (new)](adr/0034-short%20%28new%29.md)"


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.md", "b.md", "a.md"),
        ("x/a.md", "x/b.md", "a.md"),
        ("a.md", "x/y/b.md", "../../a.md"),
        ("x/a.md", "b.md", "x/a.md"),
    ],
)
def test_relative_paths(path: str, source: str, expected: str) -> None:
    assert relative(path, source) == expected


def test_a_number_is_an_id_and_a_date_is_none() -> None:
    assert identifier(NEW) == "0034"
    assert identifier(OTHER) == "ADR-7"
    assert identifier(NamedNote(DocPath("2026-01-14-x.md"), "X")) == ""


def test_the_usual_style_is_the_commonest() -> None:
    assert usual(["[[a]]", "[[b]]", "c.md"]) is Style.WIKI
    assert usual([]) is None
    assert links_in("[[a]] and [b](b.md) and [[c]]") is Style.WIKI
    assert links_in("[b](b.md)") is Style.LINK
    assert links_in("[site](https://example.org)") is None
