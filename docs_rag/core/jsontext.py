"""Reads JSON that people write by hand: says in their words what is wrong, and where."""

from __future__ import annotations

import json
from typing import Final

from docs_rag.errors import ConfigError

_MOST_SHOWN: Final = 60


def read_object(text: str) -> tuple[dict[str, object], tuple[str, ...]]:
    """The JSON object in `text`, and its keys that stand there twice (the last one counts).

    Raises `ConfigError`, whose message goes on after the file's name: `is not valid JSON: ...`.
    """
    twice: list[str] = []

    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        collected: dict[str, object] = {}
        for key, value in pairs:
            if key in collected:
                twice.append(key)
            collected[key] = value
        return collected

    if not text.strip():
        raise ConfigError("is empty")
    try:
        raw = json.loads(text, object_pairs_hook=collect)
    except json.JSONDecodeError as error:
        raise ConfigError(f"is not valid JSON: {_in_words(text, error)}") from error
    except (RecursionError, ValueError) as error:
        raise ConfigError("is nested too deeply, or holds a number that is too long") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"holds {shown(raw)}, expected an object {{ }}")
    return raw, tuple(dict.fromkeys(twice))


def shown(value: object, *, most: int = _MOST_SHOWN) -> str:
    """A value as JSON on one line, of at most so many characters, and harmless for a terminal."""
    written = json.dumps(value, ensure_ascii=False)
    if len(written) > most:
        written = written[: most - 1] + "…"
    return "".join(char if char.isprintable() else "\ufffd" for char in written)


def _in_words(text: str, error: json.JSONDecodeError) -> str:
    """What stands where the parser stopped: the usual slips by name, the rest as the parser says it."""
    before, after = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if after.startswith(("//", "/*", "#")):
        what = "comments are not allowed"
    elif (before.endswith(",") and after[:1] in ("}", "]")) or _ends_after_comma(after):
        what = "a comma before a closing bracket is not allowed"
    elif after.startswith("'"):
        what = "texts stand in double quotes"
    elif error.msg.startswith("Invalid \\"):
        what = "a backslash is written twice (or use /)"
    else:
        what = error.msg[:1].lower() + error.msg[1:]
    return f"{what} (line {error.lineno})"


def _ends_after_comma(after: str) -> bool:
    """Python 3.13 stops at the comma itself, earlier versions behind it."""
    return after.startswith(",") and after[1:].lstrip()[:1] in ("}", "]")
