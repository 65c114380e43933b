"""References as authors write them: wikilinks, markdown links, paths, file names, numbers, titles.

This module finds them in a text and takes them apart; which note one of them means is `references.py`'s matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from docs_rag.core.dates import find_date
from docs_rag.core.values import is_empty

_WIKILINK: Final = r"!?\[\[[^\[\]\n]{1,400}\]\]"
_LINK: Final = (
    r"!?\[(?:[^\[\]\n]|\[[^\[\]\n]{0,200}\]){0,400}\]"
    r"\((?:<[^<>\n]{0,600}>[^()\n]{0,200}|[^()\n]{0,600}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?)\)"
)
_ROLE: Final = r":[a-z]{2,10}:`[^`\n]{1,200}`"
_CODE: Final = r"`[^`\n]{1,400}`"
_URL: Final = r"<?https?://[^\s<>()\]]{1,1000}>?"
_WORD: Final = r"[^\s,;()\[\]`'\"<>|，；（）]"
_ANCHOR: Final = rf"(?:#{_WORD}{{1,200}})?"
_FILE: Final = (
    rf"(?:{_WORD}{{1,200}}/{_WORD}{{0,400}}|{_WORD}{{1,200}}?\.(?:mdx?|markdown|rst|adoc|txt|yaml)(?!\w){_ANCHOR})"
)

_MARKED: Final = re.compile("|".join((_WIKILINK, _LINK, _ROLE, _CODE, _URL)))
_UNMARKED: Final = re.compile(
    rf"{_FILE}|(?:#?[^\W\d_]{{1,10}}[-_#]?|[A-Z]{{2,10}} #?)\d{{1,9}}(?!\d)(?:[-_.]?\w){{0,200}}"
    r"|#?\d{1,9}(?!\d)(?:[-_]\w+){1,40}|#?\d{1,9}(?![\w]|\.\s|\s+\w)"
)
_SPACED_FILE: Final = re.compile(r"[^()\[\]`<>|\n]{1,200}\.(?:mdx?|markdown)", re.IGNORECASE)
_CITED: Final = re.compile(
    "|".join(
        (
            _WIKILINK,
            _LINK,
            _ROLE,
            _CODE,
            _URL,
            _FILE,
            r"\b[A-Z](?:[A-Z]{1,9}[- ]?|-)\d{1,9}\b",
            r"(?<![\w.-])0\d{2,4}\b",
        )
    )
)
_SEPARATOR: Final = re.compile(r"\s*[,;&、，；]\s*|\s+\+\s*|\s+(?:and|und)\s+")
_ASIDE: Final = re.compile(r"\([^()]{0,400}\)|（[^（）]{0,400}）")
_REMARK: Final = re.compile(r"\s[-–—→:]+\s|[(（]")
_EDGE: Final = " \t\n\"'*:.>–—-"
_SENTENCE_END: Final = re.compile(r"[.!?。！](?=\s|$)|[;；\n]|\s[–—-]+\s")

_TOKEN: Final = re.compile(r"[\w./-]+")
_FILE_END: Final = re.compile(r"\.(?:mdx?|markdown|rst|adoc|txt|yaml)\.?$")
_LEAD: Final = re.compile(r"(?:[\s\"'*>–—-]|:(?![a-z]+:`))*")

_LONGEST: Final = 2_000
"""Longest value in which references are looked for, in characters."""


@dataclass(frozen=True, slots=True)
class Target:
    """A reference taken apart."""

    path: str
    """What it points at: a path, a file name, a number or a title; without heading, block and query."""
    text: str = ""
    """The words of a markdown link or an rst role, the alias of a wikilink."""
    anchor: str = ""
    """The heading that it names, as a heading or as its slug; alone it is one of the note that holds the reference."""
    is_link: bool = False
    """True when `path` is a markdown link's: relative to the note that holds it."""
    is_wikilink: bool = False
    url: str = ""
    """The whole address when it leads out of the vault."""


def split_references(text: str, *, titles: bool = True) -> tuple[str, ...]:
    """The references that a value names, as written: `ADR-013 + ADR-016 (note)` names two.

    Separators count outside brackets; remarks in parentheses and after a dash are dropped. A value in which no part
    looks like a reference is one reference as a whole, since a title may hold a comma; none without `titles`.
    """
    text = text[:_LONGEST].strip(" \t\n\"'")
    pieces = [piece for piece in _pieces(text) if not is_empty(piece)]
    sure = [found for found in map(_surely, pieces) if found]
    if _SPACED_FILE.fullmatch(text) and len(sure) < len(pieces):
        return (text,)
    if sure:
        return tuple(dict.fromkeys(sure))
    if not titles:
        return ()
    whole = _REMARK.split(text, maxsplit=1)[0].strip(_EDGE)
    return (whole,) if any(map(str.isalnum, whole)) and not is_empty(whole) else ()


def cited(text: str) -> tuple[str, ...]:
    """The references that stand anywhere in a sentence: links, code spans, files, `ABC-12`, `0012`."""
    return tuple(dict.fromkeys(found[0].rstrip(".") for found in _CITED.finditer(text[:_LONGEST])))


def clause(text: str, start: int) -> str:
    """The text from `start` to the end of its clause: sentence, line, `;`, dash, or the bracket it stands in."""
    place, depth = start, 0
    while place < len(text) and place < start + _LONGEST:
        kept = _MARKED.match(text, place)
        if kept is not None:
            place = kept.end()
            continue
        depth += (text[place] in "(（") - (text[place] in ")）")
        if depth < 0 or (depth == 0 and place > start and _SENTENCE_END.match(text, place)):
            break
        place += 1
    return text[start:place]


def without_references(text: str, *, keep_first: bool = False) -> str:
    """The prose of a text: links, code spans, file names and words with digits blanked out.

    With `keep_first` what begins a line keeps its words, for a status that is a link: `[Stable](#stable)`.
    """

    def blank(found: re.Match[str]) -> str:
        first = not text[: found.start()].rpartition("\n")[2].strip(" *_>-")
        return display(found[0]) if keep_first and first and found[0][0] in "[`" else " · "

    text = text[:_LONGEST]
    text = _MARKED.sub(blank, text)
    return _TOKEN.sub(lambda found: _blank_name(found, keep_first), text)


def _blank_name(found: re.Match[str], keep_first: bool) -> str:
    token = found[0]
    named = "/" in token or any(map(str.isdigit, token)) or _FILE_END.search(token) is not None
    return " · " if named and not (keep_first and found.start() == 0) else token


def display(reference: str) -> str:
    """A reference as a reader says it: the words of a link, the alias of a wikilink."""
    inner = re.fullmatch(r"!?\[\[([^\[\]]*)\]\]", reference.strip())
    if inner is not None:
        return inner[1].replace("\\|", "|").rpartition("|")[2].strip()
    target = take_apart(reference)
    return target.text or target.path or reference


@lru_cache(maxsize=4096)
def take_apart(reference: str) -> Target:
    """What a reference points at, by the form it is written in."""
    text = reference.strip().strip("\"'*").strip()
    if (found := re.match(r"!?\[\[([^\[\]\n]*)\]\]", text)) is not None:
        inner, *alias = re.split(r"\\?\|", found[1], maxsplit=1)
        path, anchor = _bare(inner)
        return Target(path, "".join(alias).strip(), anchor=anchor, is_wikilink=True)
    if (found := re.fullmatch(r"!?\[(?P<text>.*)\]\((?P<href>[^\n]*)\)", text)) is not None:
        return _link(found["href"], found["text"].strip(" `*"))
    if (found := re.fullmatch(r"!?\[(?P<text>[^\[\]]+)\]\[(?P<label>[^\[\]]*)\]", text)) is not None:
        return Target(_bare(found["label"] or found["text"])[0], found["text"].strip(" `*"))
    if (found := re.fullmatch(r":[a-z]+:`(?P<text>[^`<]*)(?:<(?P<label>[^`>]*)>)?`", text)) is not None:
        words = found["text"].strip(" ~!")
        return Target(_bare(found["label"] or words)[0], words if found["label"] else "")
    if (found := re.fullmatch(r"`+([^`]*)`+", text)) is not None:
        text = found[1]
    if re.match(r"<?https?://", text):
        return _link(text, "")
    path, anchor = _bare(text)
    return Target(path, anchor=anchor)


def _link(href: str, text: str) -> Target:
    href = re.sub(r"\s+[\"'(].*$", "", href.strip()).strip("<> ")
    if re.match(r"[a-z][a-z0-9+.-]+:", href, re.IGNORECASE) and not re.match(r"[A-Za-z]:[/\\]", href):
        return Target("", text, is_link=True, url=href)
    before, mark, fragment = href.partition("#")
    path, anchor = _bare(before.partition("?")[0] + mark + fragment)
    return Target(unquote(path), text, anchor=unquote(anchor), is_link=True)


def _bare(path: str) -> tuple[str, str]:
    """A path and the heading behind it; a block (`^id`) is no heading, and `#12` alone is a number."""
    path = path.replace("\\", "/").strip()
    if path[:1] == "#" and path[1:].isdigit():
        return path[1:], ""
    path, _, anchor = path.partition("#")
    anchor = anchor.partition("#")[0].strip()
    return path.strip(), "" if anchor.startswith("^") else anchor


def _pieces(text: str) -> Iterator[str]:
    """The text cut at its separators, but not within links, code and parentheses."""
    start = place = 0
    while place < len(text):
        kept = _MARKED.match(text, place) or _ASIDE.match(text, place)
        if kept is not None:
            place = kept.end()
            continue
        cut = _SEPARATOR.match(text, place)
        if cut is None:
            place += 1
            continue
        yield text[start:place].strip()
        start = place = cut.end()
    yield text[start:].strip()


def _surely(piece: str) -> str:
    """The reference that a piece begins with, when its form leaves no doubt; else nothing."""
    lead = _LEAD.match(piece)
    start = lead.end() if lead else 0
    found = _MARKED.match(piece, start) or _UNMARKED.match(piece, start)
    if found is None or find_date(found[0]) == found[0]:
        return ""
    return found[0].rstrip(".")
