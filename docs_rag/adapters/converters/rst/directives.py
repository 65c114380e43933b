"""Directives of reStructuredText and Sphinx as markdown; of an unknown one all text is kept."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from docs_rag.core.mddraft import Block, fenced
from docs_rag.core.mdtables import Cell, table

_OPTION: Final = re.compile(r"\s*:(?P<name>[\w-]+):(?:\s+(?P<value>.*)|\s*$)")


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive."""

    name: str
    """In lower case, without the domain: `code-block`, `function`."""
    argument: str
    options: dict[str, str]
    body: tuple[str, ...]
    """Without common indentation."""

    @classmethod
    def of(cls, name: str, argument: str, lines: Sequence[str]) -> Directive:
        """Tell the options, which stand before the first blank line, from the body."""
        options: dict[str, str] = {}
        at = 0
        while at < len(lines) and (found := _OPTION.match(lines[at])) is not None:
            options[found["name"].lower()] = (found["value"] or "").strip()
            at += 1
        argued: list[str] = [argument.strip()]
        while at < len(lines) and lines[at].strip() and not options and name.lower() in _ARGUED:
            argued.append(lines[at].strip())
            at += 1
        body = lines[at:]
        margin = min((len(line) - len(line.lstrip()) for line in body if line.strip()), default=0)
        dedented = "\n".join(line[margin:].rstrip() for line in body).strip("\n")
        short = name.lower().rpartition(":")[2]
        return cls(short, " ".join(filter(None, argued)), options, tuple(dedented.split("\n")) if dedented else ())


class Reads(Protocol):
    """Who reads what stands in a directive."""

    def blocks(self, lines: Sequence[str]) -> Iterator[Block]:
        """Its blocks."""
        ...

    def inner(self, lines: Sequence[str]) -> list[str]:
        """Its blocks as the lines of one."""
        ...

    def text(self, lines: Sequence[str]) -> str:
        """Running text."""
        ...


def write(directive: Directive, reader: Reads) -> Iterator[Block]:
    """What a directive shows."""
    rule = _RULES.get(directive.name, _other)
    yield from (block for block in rule(directive, reader) if block)


def _code(each: Directive, reader: Reads) -> Iterator[Block]:
    if each.options.get("caption"):
        yield [reader.text([each.options["caption"]])]
    if each.body:
        yield fenced("\n".join(each.body), each.argument if re.fullmatch(r"[\w+#.-]{1,30}", each.argument) else "")
    elif each.argument:
        yield [f"({each.argument})"]


def _math(each: Directive, reader: Reads) -> Iterator[Block]:
    for part in "\n".join((each.argument, *each.body)).split("\n\n"):
        if part.strip():
            yield ["$$", " ".join(part.split()), "$$"]


def _picture(each: Directive, reader: Reads) -> Iterator[Block]:
    alt = " ".join(each.options.get("alt", "").split())
    yield [f"![{alt}]({each.argument.replace(' ', '%20')})"] if each.argument else []
    yield from reader.blocks(each.body)


def _box(each: Directive, reader: Reads) -> Iterator[Block]:
    """A box with a name of its own: a quote that begins with it."""
    name = reader.text([each.argument]) if each.name == "admonition" else each.name.capitalize()
    first = [] if each.name == "admonition" or not each.argument else [each.argument]
    inner = reader.inner([*first, *each.body])
    yield [f"> {line}".rstrip() for line in (f"**{name}**", *inner)]


def _version(each: Directive, reader: Reads) -> Iterator[Block]:
    words = {"versionadded": "Added in version", "versionchanged": "Changed in version"}
    inner = reader.inner(each.body)
    lead = f"{words.get(each.name, 'Deprecated since version')} {reader.text([each.argument])}"
    yield [f"> {line}".rstrip() for line in ([f"{lead}: {inner[0]}", *inner[1:]] if inner else [lead])]


def _titled(each: Directive, reader: Reads) -> Iterator[Block]:
    yield [f"**{reader.text([each.argument])}**"] if each.argument else []
    yield from reader.blocks(each.body)


def _list_table(each: Directive, reader: Reads) -> Iterator[Block]:
    """A list of lists: each outer item is a row."""
    rows: list[list[list[str]]] = []
    for line in each.body:
        found = re.match(r"(?P<row>[*-] )?\s*(?P<cell>[*-])(?: (?P<text>.*)|$)", line)
        if found is not None and (found["row"] or rows):
            if found["row"]:
                rows.append([])
            rows[-1].append([found["text"] or ""])
        elif rows and rows[-1]:
            rows[-1][-1].append(line.strip())
    yield [reader.text([each.argument])] if each.argument else []
    yield table([[Cell(_joined(reader.inner(cell))) for cell in row] for row in rows])


def _csv_table(each: Directive, reader: Reads) -> Iterator[Block]:
    sign = {"tab": "\t", "space": " "}.get(each.options.get("delim", ","), each.options.get("delim", ","))[:1] or ","
    head = [each.options["header"]] if each.options.get("header") else []
    rows = csv.reader([*head, *each.body], delimiter=sign, skipinitialspace=True)
    yield [reader.text([each.argument])] if each.argument else []
    yield table([[Cell(reader.text(value.split("\n"))) for value in row] for row in rows if row])


def _entries(each: Directive, reader: Reads) -> Iterator[Block]:
    """A table of contents: the documents that it names."""
    yield [f"- {line.strip()}" for line in each.body if line.strip() and not line.strip().startswith(":")]


def _nothing(each: Directive, reader: Reads) -> Iterator[Block]:
    return iter(())


def _within(each: Directive, reader: Reads) -> Iterator[Block]:
    yield from reader.blocks(each.body)


def _other(each: Directive, reader: Reads) -> Iterator[Block]:
    """A name of a program's part, or what nobody knows here: what it says, then what stands in it."""
    yield [reader.text([each.argument])] if each.argument else []
    yield from reader.blocks(each.body)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)


_RULES: Final[dict[str, Callable[[Directive, Reads], Iterator[Block]]]] = {
    **dict.fromkeys(("code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "prompt"), _code),
    **dict.fromkeys(("testcode", "testoutput", "doctest", "mermaid", "graphviz", "uml", "productionlist"), _code),
    **dict.fromkeys(("image", "figure"), _picture),
    **dict.fromkeys(("note", "warning", "tip", "important", "caution", "danger", "attention", "hint"), _box),
    **dict.fromkeys(("error", "seealso", "todo", "admonition"), _box),
    **dict.fromkeys(("versionadded", "versionchanged", "deprecated", "versionremoved"), _version),
    **dict.fromkeys(("rubric", "topic", "sidebar", "table", "centered", "dropdown", "tab"), _titled),
    **dict.fromkeys(("only", "ifconfig", "container", "compound", "class", "epigraph", "highlights"), _within),
    **dict.fromkeys(("pull-quote", "tabs", "grid", "line-block", "hlist", "rst-class"), _within),
    **dict.fromkeys(("contents", "meta", "highlight", "default-role", "role", "sectnum", "index"), _nothing),
    **dict.fromkeys(("currentmodule", "raw", "tabularcolumns", "title", "header", "footer"), _nothing),
    "math": _math,
    "list-table": _list_table,
    "csv-table": _csv_table,
    "toctree": _entries,
}
"""Directive -> what is written for it."""
_ARGUED: Final = frozenset(("function", "method", "py:function", "py:method", "c:function", "cpp:function"))
"""Directives whose argument may go on in the next lines."""
