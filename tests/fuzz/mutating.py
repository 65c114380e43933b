"""Inputs for the targets: pieces that mean something to a parser, put together, and mutations of what is known.

Deterministic for a seed, so that a finding can be had again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from fuzz.samples import SAMPLES

CORPUS: Final = Path(__file__).parent / "corpus"

PIECES: Final[tuple[bytes, ...]] = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (
        "---\n", "+++\n", "...\n", "# ", "## Status\n", "status: ", "Status: ", "status:: ", "superseded",
        "superseded by ", "superseded_by: ", "supersedes: ", "accepted", "draft", "partly ", "date: 2026-01-02\n",
        "aliases: [", "tags: ", "[[", "]]", "[a](", ")", "](../", "<!--", "-->", "%%", "$$", "```", "~~~", "`", "> ",
        "> [!note]\n", "- ", "- [ ] ", "1. ", "| a | b |\n|-|-|\n", "|", "    ", "\t", "\n", "\n\n", "\r\n", "\\",
        "&amp;", "<div>", "</div>", "<b ", "^id", "[^1]", "[^1]: ", "{{x}}", "{{", "<% %>", "ADR-1", "ADR-0002",
        "0001-a.md", "0002-b", "D-001", "## D-001: x\n", "log.md#D-001", "README.md", "!!python/object:os.system",
        "&a ", "*a", "? ", "{", "}", "[", "]", '"', "'", ",", ":", ": ", "true", "null", "1e999", "-0",
        "99999999999999999999", "\\u0000", "\\ud800", "NaN", "query", "limit", "within", "path", "tool_name", "Edit",
        "tool_input", "file_path", "cwd", "~", "~root", "..", "/", "../..", "//", "C:\\", "\x00", "\x1b[31m", "\x07",
        "\u202e", "\u2066", "\u2028", "\ufeff", "\U000e0041", "\u00a0", "\u200b", "가", "漢字", "é", "e\u0301", "İ",
        "\U0001f600", "\ud800", "vaultPath", "indexPath", "ollamaHost", "http://", "https://[::1]:", "include",
        "exclude", "**/", "*", "?", "[!a-", "{a,b}", "!", "#", "AND", "NEAR(", "OR", "NOT", "a*", '""', "--", ";",
        "questions:\n", "  - question: ", "    answers: ", "none", "zebra", "The quick brown fox. ", "see ", "=\n",
        "===\n",
    )
)  # fmt: skip

DOCUMENT_PIECES: Final[tuple[bytes, ...]] = (
    *(piece.encode("utf-8", "surrogatepass") for piece in (
        "<", ">", "/>", "</", "<![CDATA[", "]]>", "<!--", "-->", "<?xml version='1.0' encoding='utf-7'?>", "&", "&#0;",
        "&#x110000;", "&#xD800;", "&lt;", '="', "='", "\\'", "\\u-1?", "\\uc", "\\bin", "\\par ", "\\cell", "\\row",
        "\\trowd", "{", "}", "{\\*", "obj\n", "endobj\n", "stream\n", "endstream\n", "<<", ">>", "[", "]", " 0 R",
        "/Kids", "/Count", "/Length", "/Parent", "%PDF-", "xref\n", ".. ", "::", "\n   ", "+---+", "|", "===", "`", "*",
        "_", ":a:", "#+", "#+BEGIN_", "#+END_", "* ", "** ", "[[", "]]", "[fn:", "{{{", "<table>", "<td colspan=9>",
        "</td>", "<tr>", "<ul>", "<li>", "<a href=", "<sup>", "<math>", "<p>", "<pre>", "<script>", "</script>", '"',
        "'", ",", ";", "\t", "\r", "\n", "\x0b", "\x0c", "\x1c", "\u2028", "\ufeff", "\ud800", "\U0001f600", "가",
        "\x00", "- ", ": ", "? ", "&a ", "*a", "!!python/object:os.system ", "|\n", ">\n", "..", "/", "../../x", "http://x/",
        "true", "null", "a over b", "sqrt", "LEFT (", "matrix {",
    )),
    b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x01\x00\x00\x00", b"\xff\xfe", b"\xe9",
)  # fmt: skip
ODD_VALUES: Final[tuple[bytes, ...]] = (
    b"", b"-1", b"0", b"1", b"2", b"7", b"99", b"1000", b"65536", b"2147483648", b"99999999999999999999999", b"1e9",
    b"1e999", b"NaN", b"x", b" 3 ", "\u0663".encode(), "²".encode(), b"A1", b"A0", b"ZZZZ9", b"A1:XFD1048576", b"A1:",
    b"..", b"../../../x", b"/", b"#", b"a" * 300, b"true", b"none", b"%1.%2.%9", b"http://[", b"0x10", b"1,2",
)  # fmt: skip
"""What takes the place of an attribute's value."""
_TAG: Final = re.compile(rb"<([A-Za-z][\w:]*)[^<>]*(?<!/)>")
_TEXT: Final = re.compile(rb">[^<>]{1,40}<")
_VALUE: Final = re.compile(rb"""(?<==")[^"]*|(?<==')[^']*""")


def seeds(target: str) -> list[bytes]:
    """The regressions of a target, by name, after a sample of its kind if it has one."""
    sample = [SAMPLES[target]()] if target in SAMPLES else []
    return sample + [file.read_bytes() for file in sorted((CORPUS / target).glob("*"))]


def inputs(target: str, seed: int) -> Iterator[bytes]:
    """Without end: inputs of some thousand bytes at most, first the known ones."""
    chance = random.Random(f"{target} {seed}")
    known = seeds(target)
    yield from known
    pool = [*known, b""]
    is_document = target in SAMPLES
    pieces, most = (DOCUMENT_PIECES, 8_000) if is_document else (PIECES, 4_000)
    while True:
        if chance.random() < (0.03 if is_document else 0.4):
            made = _assembled(chance, pieces)
        elif is_document and chance.random() < 0.5:
            made = _restructured(chance, chance.choice(known))
        else:  # most documents must still be nearly whole, or nothing gets past the door
            made = _mutated(chance, known if is_document and chance.random() < 0.7 else pool, pieces)
        made = made[:most]
        if chance.random() < 0.05:
            pool.append(made)
            del pool[: len(pool) - 500]
        yield made


def _assembled(chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    return b"".join(_repeated(chance, pieces) for _ in range(chance.randint(1, 25)))


def _repeated(chance: random.Random, pieces: Sequence[bytes]) -> bytes:
    times = chance.choice((1, 1, 1, 1, 2, 3, 40))
    return chance.choice(pieces) * times


def _mutated(chance: random.Random, pool: Sequence[bytes], pieces: Sequence[bytes]) -> bytes:
    data = bytearray(chance.choice(pool))
    for _ in range(chance.randint(1, 6)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 0, 1, 2, 8, 64)))
        what = chance.random()
        if what < 0.25 and (place := _VALUE.search(data, start)) is not None:
            data[place.start() : place.end()] = chance.choice(ODD_VALUES)
        elif what < 0.5:
            data[start:end] = _repeated(chance, pieces)
        elif what < 0.7:
            data[start:end] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 3)))
        elif what < 0.85:
            del data[start:end]
        else:
            other = chance.choice(pool)
            cut = chance.randint(0, len(other))
            data[start:end] = other[cut : cut + 200]
    return bytes(data)


def _restructured(chance: random.Random, data: bytes) -> bytes:
    """Elements put elsewhere, repeated, wrapped, taken out, odd values and texts in them: well-formed XML still."""
    for _ in range(chance.randint(1, 5)):
        what = chance.random()
        if what < 0.5:
            pattern, piece = (_VALUE, chance.choice(ODD_VALUES)) if what < 0.35 else (_TEXT, _text(chance))
            found = pattern.search(data, chance.randrange(len(data) + 1)) or pattern.search(data)
            if found is not None:
                data = data[: found.start()] + piece + data[found.end() :]
            continue
        element, place = _element(chance, data), _element(chance, data)
        if element is None or place is None:
            continue
        inner = data[slice(*element)]
        if what < 0.7:
            data = data[: place[1]] + inner * chance.choice((1, 1, 2, 30)) + data[place[1] :]
        elif what < 0.85:
            data = data[: element[0]] + data[element[1] :]
        else:
            name = re.match(rb"<([\w:]+)", data[place[0] :])
            around = name[1] if name is not None else b"x"
            times = chance.choice((1, 2, 60))
            wrapped = (b"<" + around + b">") * times + inner + (b"</" + around + b">") * times
            data = data[: element[0]] + wrapped + data[element[1] :]
    return data


def _text(chance: random.Random) -> bytes:
    return b">" + chance.choice((*DOCUMENT_PIECES, *ODD_VALUES)).replace(b"&", b"&amp;").replace(b"<", b"&lt;") + b"<"


def _element(chance: random.Random, data: bytes) -> tuple[int, int] | None:
    """Begin and end of some element; None where there is none."""
    start = _TAG.search(data, chance.randrange(len(data) + 1)) or _TAG.search(data)
    if start is None:
        return None
    depth = 0
    for each in re.finditer(rb"<(/?)" + re.escape(start[1]) + rb"(?=[\s>])[^<>]*?(?<!/)>", data[start.start() :]):
        depth += -1 if each[1] else 1
        if depth == 0:
            return start.start(), start.start() + each.end()
    return None
