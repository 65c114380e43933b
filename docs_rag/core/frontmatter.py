"""The metadata block that opens a note, read so that no value is guessed and none is lost.

Every scalar stays the text that its author wrote: `0052` is no number, `no` is no boolean, a date is no date yet.
The block is cut into entries along its keys, and each entry is read for itself, so that a line which is not YAML
spoils that line alone. Plain forms are read here; whatever is more than plain goes to the YAML parser with a loader
that knows text, lists and mappings only and runs nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from docs_rag.core.documents import Problem
from docs_rag.core.metablock import CLOSERS, ITEM, KEY, SPACE, Block, Draft, cut_block, cut_file
from docs_rag.core.tomlblock import cut_toml

_SIMPLE: Final = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`~][^\t:#]*")

_PAIR: Final = re.compile(r""":(?:[\s\[\]{},"']|$)""")
_COMMENT: Final = re.compile(r"[ \t]#")
_NESTING: Final = frozenset("\"'[]{}")
_INDICATORS: Final = frozenset("-?:,[]{}#&*!|>'\"%@`")

_MOST_PROBLEMS: Final = 10
"""Most problems listed of one block."""
_MOST_YAML: Final = 20_000
"""Longest value handed to the YAML parser, in characters."""
_DEEPEST: Final = 10
"""Most brackets within each other that are taken apart."""
_MOST_LEAVES: Final = 1_000
"""Most texts taken out of one nested value: aliases can name each other into billions."""


class Entry(NamedTuple):
    """One key of the block and its texts: none for an empty value, several for a list."""

    key: str
    """As written."""
    values: tuple[str, ...]
    is_list: bool
    line: int
    """1-based line of the key in the file."""


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """A note's metadata block."""

    entries: dict[str, Entry] = field(default_factory=dict)
    """By folded key."""
    lines: int = 0
    """How many lines of the file the block takes, its fences included; 0 when there is none."""
    text: str = ""
    """What stands between the fences."""
    problems: tuple[Problem, ...] = ()

    def values(self, *keys: str) -> tuple[str, ...]:
        """The texts of the first of these folded keys that is there with a value."""
        for key in keys:
            entry = self.entries.get(key)
            if entry is not None and entry.values:
                return entry.values
        return ()


_NONE: Final = Frontmatter()


@lru_cache(maxsize=4096)
def fold_key(key: str) -> str:
    """A key without case, quotes, hyphens, underscores and spaces: `Superseded-By` is `supersededby`."""
    plain = key if key.isascii() else unicodedata.normalize("NFKC", key)
    return re.sub(r"[\s_\"'*-]+", "", plain.casefold())


def read_frontmatter(text: str) -> Frontmatter:
    """The metadata that opens a text; empty where there is none. Never raises."""
    return _read_block(cut_block(text) or cut_toml(text))


def read_sidecar(text: str) -> Frontmatter:
    """The metadata of a file that holds nothing else, such as `kep.yaml`. Never raises."""
    return _read_block(cut_file(text))


def _read_block(block: Block | None) -> Frontmatter:
    if block is None:
        return _NONE
    entries: dict[str, Entry] = {}
    problems = block.problems
    for draft in block.drafts:
        key = fold_key(draft.key)
        if key in entries:
            problems.append(Problem("yaml", f"the key `{draft.key}` stands twice; the last one counts", draft.line))
        values, is_list, error = _read(draft)
        if error:
            told = f"`{draft.key}` is not valid YAML, read as it is written: {error}"
            problems.append(Problem("yaml", told, draft.line))
        entries[key] = Entry(draft.key, values, is_list, draft.line)
    problems.sort(key=lambda each: each.line or 0)
    return Frontmatter(entries, block.lines, block.text, tuple(problems[:_MOST_PROBLEMS]))


_Texts = tuple[tuple[str, ...], bool, str]
"""The texts of a value, whether they are a list, and what YAML has against it."""


def _read(draft: Draft) -> _Texts:
    """The texts of an entry."""
    if not draft.rest:
        return _read_line(draft.first)
    first = _without_comment(draft.first)
    if not first:
        items = _items(draft.rest)
        if items is not None:
            return items
    if first.startswith("[["):
        return (" ".join([first, *(line.strip() for line in draft.rest)]),), False, ""
    return _read_yaml(draft.first, draft.rest)


def _items(lines: list[str]) -> _Texts | None:
    """The texts of a plain list, an item a line; None when the lines are more than that."""
    indent = len(lines[0]) - len(lines[0].lstrip(" "))
    texts: list[str] = []
    error = ""
    for line in lines:
        found = ITEM.match(line)
        if found is None or len(line) - len(line.lstrip(" ")) != indent or _is_nested(found["value"]):
            return None
        values, _, wrong = _read_line(found["value"])
        texts.extend(values)
        error = error or wrong
    return tuple(texts), True, error


def _is_nested(item: str) -> bool:
    return KEY.match(item) is not None or ITEM.match(item) is not None or item[:1] in ("|", ">", "&", "!")


def _read_line(text: str, depth: int = 0) -> _Texts:
    """The texts of a value that stands on one line; `depth` counts the brackets around it."""
    text = text.strip(SPACE)
    if not text:
        return (), False, ""
    if _SIMPLE.fullmatch(text) is not None or _is_plain(text):
        return (text,), False, ""
    bare = _without_comment(text)
    if bare is not text and (not bare or _is_plain(bare)):
        return ((bare,) if bare else ()), False, ""
    if bare[0] in "\"'" and bare[-1] == bare[0] and len(bare) > 1:
        inner = bare[1:-1]
        if bare[0] not in inner and (bare[0] == "'" or "\\" not in inner):
            return ((inner,) if inner else ()), False, ""
    if bare[0] == "[":
        return _read_flow(bare, depth + 1)
    if text[0] == "#" or bare == "-" or bare.startswith(("{{", "<%")):
        return (text,), False, ""
    return _read_yaml(text, [])


def _is_plain(text: str) -> bool:
    """True for a value that YAML takes as it stands: no indicator in front, no `: ` and no ` #` inside."""
    if text[0] in _INDICATORS and not (text[0] in "-?:" and len(text) > 1 and text[1] not in SPACE):
        return False
    return ": " not in text and " #" not in text and text[-1] != ":" and "\t" not in text


def _without_comment(text: str) -> str:
    """The value before a ` # comment`; a `#` that begins it is a tag or an issue number that its author meant."""
    if "#" not in text or text.startswith("[["):
        return text
    if text[0] == "#":
        return "" if text[1:2] in ("", " ", "\t") else text
    found = _COMMENT.search(text, text.rfind(CLOSERS[text[0]]) if text[0] in CLOSERS else 0)
    return text if found is None else text[: found.start()].rstrip(SPACE)


def _read_flow(text: str, depth: int) -> _Texts:
    """`[a, b]` as a list; `[[Note]]` and `[text](link)` as the one text that their authors meant."""
    if text.startswith("[[") and not text.startswith("[[["):
        single = text.count("[[") == 1 and text.endswith("]]")
        return (text,), False, "" if single else "brackets that begin a value belong in quotes"
    if depth > _DEEPEST:
        return (text,), False, "nested too deep"
    if text[-1] != "]" or text.count("[") != text.count("]") or "\\" in text or "''" in text:
        return _read_yaml(text, [])
    texts: list[str] = []
    error = ""
    for part in _split_flow(text[1:-1]):
        if part[0] in "&*!" or (":" in part and _PAIR.search(part) is not None):
            return _read_yaml(text, [])
        values, _, wrong = _read_line(part, depth)
        texts.extend(values)
        error = error or wrong
    return tuple(texts), True, error


def _split_flow(text: str) -> Iterator[str]:
    """The parts between the commas that stand outside quotes and brackets."""
    if _NESTING.isdisjoint(text):
        yield from (part.strip() for part in text.split(",") if part.strip())
        return
    depth, quote, start, fresh = 0, "", 0, True
    for place, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and fresh:
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth == 0:
            if text[start:place].strip():
                yield text[start:place].strip()
            start, fresh = place + 1, True
            continue
        fresh = fresh and char == " "
    if text[start:].strip():
        yield text[start:].strip()


def _read_yaml(first: str, rest: list[str]) -> _Texts:
    """The texts of any value that is YAML; of one that is not, its lines as they are written."""
    source = "\n".join([f"value: {first}", *rest])
    try:
        value = _load(source)
    except _YamlRefused as refusal:
        return _as_written(first, rest), bool(rest), str(refusal)
    return tuple(_leaves(value)), isinstance(value, list | dict), ""


class _YamlRefused(Exception):
    """The parser's one-line reason."""


def _load(source: str) -> Any:
    """The value of the one key in a YAML text, every scalar as text; raises `_YamlRefused`."""
    import yaml  # noqa: PLC0415 - most notes hold plain values only, and a search need not load a parser
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415

    if len(source) > _MOST_YAML:
        raise _YamlRefused("longer than metadata is")
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        loaded = YAMLHandler().load(source, Loader=loader)
    except yaml.YAMLError as error:
        raise _YamlRefused(_reason(error)) from error
    except (RecursionError, ValueError, TypeError) as error:
        raise _YamlRefused("nested too deep") from error
    return loaded["value"] if isinstance(loaded, dict) and "value" in loaded else source


def _reason(error: Exception) -> str:
    problem = getattr(error, "problem", None) or str(error)
    return " ".join(str(problem).split())[:120]


def _leaves(value: Any) -> Iterator[str]:
    """The texts of a nested value, in order, at most `_MOST_LEAVES` steps far."""
    pending, steps = [value], 0
    while pending and steps < _MOST_LEAVES:
        steps += 1
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(reversed(list(item.values())[:_MOST_LEAVES]))
        elif isinstance(item, list) and _is_wikilink(item):
            yield f"[[{', '.join(item[0])}]]"
        elif isinstance(item, list):
            pending.extend(reversed(item[:_MOST_LEAVES]))
        elif item:
            yield str(item)


def _is_wikilink(value: list[Any]) -> bool:
    """True for what YAML makes of an unquoted `[[Note]]`: a list in a list."""
    inner = value[0] if len(value) == 1 else None
    return isinstance(inner, list) and bool(inner) and all(isinstance(each, str) for each in inner)


def _as_written(first: str, rest: Iterable[str]) -> tuple[str, ...]:
    """The lines of a value without list marks and the quotes around them."""
    texts = [first, *((found["value"] if (found := ITEM.match(line)) else line) for line in rest)]
    stripped = (text.strip(SPACE) for text in texts)
    return tuple(text.strip("\"'") for text in stripped if text.strip("\"'"))
