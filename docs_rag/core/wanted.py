"""What a reader asks for: a note and a part of it, in any of the forms that answers and people write."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from urllib.parse import parse_qs, quote, unquote

from docs_rag.core.handles import walk
from docs_rag.core.paging import LineRange, read_range
from docs_rag.core.rootpaths import Roots, join_root

MOST_AROUND: Final = 20
SCHEME: Final = "docs-rag://"

_ID: Final = re.compile(r"(?P<path>.+)#(?P<ordinal>\d{1,7})@(?P<digest>[0-9a-f]{6})", re.DOTALL)
_LINE: Final = re.compile(
    r"(?P<path>.*[^:\d]):(?P<first>[1-9]\d{0,8})(?:-(?P<last>\d{1,9})|:\d{1,9}(?::.*)?)?", re.DOTALL
)


class Version(NamedTuple):
    """Which section of a note a hit was, and which version of it."""

    ordinal: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be read."""

    path: str
    """A note's path, or another name of it; `log.md#D-013` is one decision of a log, `note.md#Tokens` a heading."""
    hit: Version | None = None
    """The section of a hit, by its `id`."""
    heading: tuple[str, ...] = ()
    """Headings from an outer one down to the one that is meant; the outer ones may be left out."""
    lines: LineRange | None = None
    is_spot: bool = False
    """True where `lines` only points at a section, as in `path:41`: the whole of it is meant."""
    around: int | None = None
    """So many sections before and after what is meant, and that itself as whole sections; None: no more than that."""
    notices: tuple[str, ...] = ()
    """What was not taken as it was written."""


def wanted(text: str) -> Wanted:
    """What a path, a hit's `id`, `path:line` or the address of a resource asks for."""
    text = text.strip().strip("\"'`")
    if text.startswith("[[") and text.endswith("]]"):
        text = text[2:-2].partition("|")[0]
    if text.startswith(SCHEME):
        return _addressed(text[len(SCHEME) :].partition("/")[2])
    if (found := _ID.fullmatch(text)) is not None:
        return Wanted(path=found["path"], hit=Version(int(found["ordinal"]), found["digest"]))
    if (found := _LINE.fullmatch(text)) is not None:
        first = int(found["first"])
        lines = LineRange(first, max(first, int(found["last"] or first)))
        return Wanted(path=found["path"], lines=lines, is_spot=True)
    return Wanted(path=text)


def address(server: str, path: str) -> str:
    """The address of a note as a resource of a server."""
    return f"{SCHEME}{quote(server, safe='')}/{quote(path)}"


def _addressed(text: str) -> Wanted:
    """What an address asks for behind the server's name: `reference/auth.md?lines=41-68`."""
    path, _, query = text.partition("?")
    values = {name: found[0] for name, found in parse_qs(query).items()}
    heading = tuple(filter(str.strip, [values.get("heading", "")]))
    return Wanted(path=unquote(path), heading=heading, lines=read_range(values.get("lines", "")))


def within_vault(path: str, vault: str, roots: Roots = ()) -> str:
    """A path as it counts from the vault, whatever was written: `/a/b.md` and `../a/b.md` are `a/b.md`.

    One that begins with the vault's own place (absolute) loses that, and has the name of a root for its place. NFC;
    empty for the vault itself.
    """
    path = path.replace("\\", "/") if "/" not in path else path
    for name, folder in (("", vault), *roots):
        place = folder.replace("\\", "/").rstrip("/") + "/"
        if path.startswith(place):
            path = join_root(name, path[len(place) :])
            break
    return unicodedata.normalize("NFC", "/".join(walk("", path)))


def prefix_within(text: str, vault: str, roots: Roots = ()) -> str:
    """What the paths of notes begin with, as they count from the vault; a `/` at its end stays."""
    inside = within_vault(text, vault, roots)
    return f"{inside}/" if inside and text.rstrip().endswith(("/", "\\")) else inside


def split_anchor(wanted: Wanted) -> Wanted:
    """`note.md#Tokens` as the note with the heading that is meant; anything else as it is."""
    note, hash_, anchor = wanted.path.partition("#")
    if not hash_ or not note or wanted.heading or wanted.hit is not None:
        return wanted
    headings = tuple(part for part in anchor.split("#") if part.strip())
    return replace(wanted, path=note, heading=headings)
