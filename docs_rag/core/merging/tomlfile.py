"""Changes one entry of a TOML settings file; comments, order, line ends and everything else stay.

`keys` lead to the entry, a table: `("mcp_servers", "docs")`. A new table is put behind everything else and taken out
with exactly the lines that it came with; one that is there already is changed in place by tomlkit, which keeps what
stands around it. Each result is read once more: if it would mean anything else than intended, nothing is returned.
Raises `Unmergeable` for a file that is not TOML in UTF-8, or where the keys meet something that is no table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from docs_rag.core.merging.encoding import Text, decode
from docs_rag.errors import Unmergeable

Keys = tuple[str, ...]
_Table = dict[str, Any]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+\Z")


def get_entry(data: bytes | None, keys: Keys) -> object | None:
    """What the keys lead to, or None; without keys everything, which is empty for a missing file."""
    held: object = _loaded(decode(data).body)
    for key in keys:
        if not isinstance(held, dict) or key not in held:
            return None
        held = held[key]
    return held


def set_entry(data: bytes | None, keys: Keys, value: Mapping[str, object]) -> bytes:
    """Put a table where the keys lead, in place of what is there."""
    text = decode(data)
    before = _loaded(text.body)
    wanted = _with(before, keys, _plain(value))
    if wanted == before:
        return data or b""
    is_new = get_entry(data, keys) is None
    body = _appended(text, keys, value) if is_new else _assigned(text, keys, value)
    if is_new and _reads_as(body) != wanted:
        body = _assigned(text, keys, value)
    return _confirmed(text, body, wanted)


def remove_entry(data: bytes, keys: Keys) -> bytes:
    """Take out the table where the keys lead; what is not there needs no removing."""
    text = decode(data)
    before = _loaded(text.body)
    if get_entry(data, keys) is None:
        return data
    rest = _without(before, keys)
    wanted = (rest, _pruned(rest, keys[:-1]))
    body = next((body for body in _cuts(text.body, keys) if _reads_as(body) in wanted), None)
    return _confirmed(text, _deleted(text, keys) if body is None else body, *wanted)


def _loaded(text: str) -> _Table:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unmergeable(f"is not valid TOML: {str(error)[:1].lower()}{str(error)[1:]}") from error


def _reads_as(text: str) -> _Table | None:
    try:
        return _loaded(text)
    except Unmergeable:
        return None


def _confirmed(text: Text, body: str, *wanted: _Table) -> bytes:
    """The new text as bytes, once it is known to say what it should."""
    if _reads_as(body) not in wanted:
        raise _unchangeable()
    return text.encoded(body)


def _with(held: _Table, keys: Keys, value: object) -> _Table:
    first, rest = keys[0], keys[1:]
    if not rest:
        return {**held, first: value}
    inner = held.get(first, {})
    if not isinstance(inner, dict):
        raise Unmergeable(f"has something other than a table at {first}")
    return {**held, first: _with(inner, rest, value)}


def _without(held: _Table, keys: Keys) -> _Table:
    first, rest = keys[0], keys[1:]
    others = {key: value for key, value in held.items() if key != first}
    return {**others, first: _without(held[first], rest)} if rest else others


def _pruned(held: _Table, keys: Keys) -> _Table:
    """Without the tables on the way that have become empty: no line of the file stands for them."""
    for depth in range(len(keys), 0, -1):
        inner: Any = held
        for key in keys[:depth]:
            inner = inner[key]
        if inner:
            break
        held = _without(held, keys[:depth])
    return held


def _plain(value: object) -> Any:
    """A value as it reads after it was written: lists for tuples, dictionaries for mappings."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _appended(text: Text, keys: Keys, value: Mapping[str, object]) -> str:
    """The text with a table behind everything else, an empty line before it, and an end like the one it had."""
    block = _block(keys, value).replace("\n", text.newline)
    if not text.body:
        return block + text.newline
    end = next((end for end in ("\r\n", "\n") if text.body.endswith(end)), "")
    return text.body.removesuffix(end) + text.newline * 2 + block + end


def _block(keys: Keys, value: Mapping[str, object]) -> str:
    lines = [f"[{'.'.join(_key(key) for key in keys)}]"]
    return "\n".join([*lines, *(f"{_key(key)} = {_written(each)}" for key, each in value.items())])


def _key(key: str) -> str:
    return key if _BARE.match(key) else _written(key)


def _written(value: object) -> str:
    import tomlkit  # noqa: PLC0415  # only who registers with a host that keeps TOML needs it

    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_written(each)}" for key, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_written(each) for each in value)}]"
    return tomlkit.item(value).as_string()


def _cuts(body: str, keys: Keys) -> Iterator[str]:
    """The text without the table and an empty line before it, for each line that may be the table's header."""
    lines = body.splitlines(keepends=True)
    for start in (at for at, line in enumerate(lines) if _header(line) == keys):
        end = _end(lines, start, keys)
        yield _joined(lines[:start], lines[start:end], lines[end:])


def _end(lines: list[str], start: int, keys: Keys) -> int:
    """Behind the last pair of a table and the tables in it: comments below that belong to what follows."""
    end = start + 1
    for at in range(start + 1, len(lines)):
        header = _header(lines[at])
        if header is not None and header[: len(keys)] != keys:
            break
        if lines[at].strip() and not lines[at].lstrip().startswith("#"):
            end = at + 1
    return end


def _joined(before: list[str], block: list[str], after: list[str]) -> str:
    if before and not before[-1].strip():
        before = before[:-1]
    kept = "".join(before)
    if not after and block[-1].rstrip("\r\n") == block[-1]:
        kept = kept.removesuffix("\n").removesuffix("\r")
    return kept + "".join(after)


def _header(line: str) -> Keys | None:
    """The keys of a line that opens a table; a line within a long text may look like one, so results are read again."""
    if not line.lstrip().startswith("["):
        return None
    found: object = _reads_as(line.strip())
    way: list[str] = []
    while isinstance(found, dict) and len(found) == 1:
        ((key, found),) = found.items()
        way.append(key)
        found = found[0] if isinstance(found, list) and found else found
    return tuple(way) or None


def _assigned(text: Text, keys: Keys, value: Mapping[str, object]) -> str:
    """The text with a table's keys changed in place: those that stay the same keep their lines."""

    def assign(outer: Any) -> None:
        held = outer.get(keys[-1])
        if not hasattr(held, "keys"):
            outer[keys[-1]] = _plain(value)
            return
        for key in [key for key in held if key not in value]:
            del held[key]
        for key, each in value.items():
            if held.get(key) != _plain(each):
                held[key] = _item(each)

    return _changed(text, keys, assign)


def _item(value: object) -> Any:
    import tomlkit  # noqa: PLC0415

    if not isinstance(value, Mapping):
        return _plain(value)
    table = tomlkit.inline_table()
    table.update(_plain(value))
    return table


def _deleted(text: Text, keys: Keys) -> str:
    def delete(outer: Any) -> None:
        del outer[keys[-1]]

    return _changed(text, keys, delete)


def _changed(text: Text, keys: Keys, change: Callable[[Any], None]) -> str:
    """The text after a change to the table that holds the last key, as tomlkit has it.

    Tables that stand in pieces make tomlkit 0.15 raise errors of any kind (`IndexError` for a list before its table).
    """
    import tomlkit  # noqa: PLC0415
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document: Any = tomlkit.parse(text.body)
        outer = document
        for key in keys[:-1]:
            outer = outer[key]
        change(outer)
        body = tomlkit.dumps(document)
    except (TOMLKitError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise _unchangeable() from error
    # tomlkit ends new lines with `\n`, whatever ends the others.
    if text.newline == "\r\n" and "\n" not in text.body.replace("\r\n", ""):
        return re.sub(r"(?<!\r)\n", "\r\n", body)
    return body


def _unchangeable() -> Unmergeable:
    return Unmergeable("is written in a way that cannot be changed without harm", "change it by hand")
