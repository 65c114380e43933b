"""Reads a config file through one table of fields into one frozen value; nothing else reads it or `OLLAMA_HOST`.

Strict reading (`init`, `index`) refuses a config with a mistake; lenient reading (`serve`, `search`) goes on with
the default of the key and says so.
"""

# ruff: noqa: PTH  (every command passes here, and pathlib costs more than the reading)

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from docs_rag import locate
from docs_rag.core.globs import Globs
from docs_rag.core.hosts import parse_host
from docs_rag.errors import ConfigError, DocsRagError, UsageError

_MAX_BYTES: Final = 1_000_000
_MAX_SHOWN: Final = 60
_MAX_LISTED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that a project's config decides; paths are absolute, links in them not resolved."""

    path: str | None
    """The config file; None under `--vault`, which needs none."""
    project: str
    """The folder that the config speaks for: the parent of `state_dir`."""
    state_dir: str
    """The `.rag` folder: index, logs, journal, locks."""
    given: frozenset[str]
    """The JSON keys whose values come from the file."""
    vault_path: str
    index_path: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    gitignore: bool
    max_file_mb: float
    embed_model: str
    ollama_host: str
    """Base URL."""
    min_score: float | None
    """None: the model registry or the calibration decides."""
    relative_cutoff: float | None
    """Share of the best score; 0.0: off (`null` in the file); None: the model registry decides."""
    lexical_max_doc_freq: float
    lexical_slots: int
    limit: int
    default_exclude: tuple[str, ...]
    path_boosts: tuple[tuple[str, float], ...]
    """Pairs of a path entry, matched like those of `default_exclude`, and its factor."""
    follow_succession: bool
    auto_refresh: bool
    """False as well when the config has mistakes: what should be indexed is then not certain."""
    name: str
    """Name of the MCP server: `serverName`, else `<folder>-docs`."""
    tool_description: str | None
    """None: built from counts and folder names."""


class _Wrong(Exception):
    """A value that a key cannot have; `str()` goes on after the value: `expected true or false`."""


Check = Callable[[object], object]
"""Turns a JSON value into what `Config` holds; raises `_Wrong` or `ConfigError`."""


def _switch(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _Wrong("expected true or false")


def _number(low: float, high: float) -> Check:
    def check(value: object) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        raise _Wrong(f"expected a number from {low:g} to {high:g}")

    return check


def _whole(low: int, high: int) -> Check:
    def check(value: object) -> int:
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            whole = int(value)
            if whole == value:
                return whole
        raise _Wrong(f"expected a whole number from {low} to {high}")

    return check


def _or_null(check: Check, *, null: object) -> Check:
    def checked(value: object) -> object:
        if value is None:
            return null
        try:
            return check(value)
        except _Wrong as wrong:
            raise _Wrong(f"{wrong}, or null") from None

    return checked


def _text(longest: int) -> Check:
    def check(value: object) -> str:
        if isinstance(value, str) and value.strip() and len(value) <= longest and _is_plain(value):
            return value.strip()
        raise _Wrong(f"expected a text of 1 to {longest} characters without control characters")

    return check


def _path(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Wrong("expected a path")
    if not _is_plain(value) or "\n" in value or "\t" in value:
        raise _Wrong("expected a path without control characters (write / or a double backslash)")
    expanded = os.path.expanduser(value)
    if expanded.startswith("~"):
        raise _Wrong(f"there is no such home folder (a folder of that name is written ./{value})")
    return expanded


def _globs(value: object) -> tuple[str, ...]:
    patterns = _texts(value, 'globs, such as ["**/*.md"]')
    Globs(patterns)
    return patterns


def _some_globs(value: object) -> tuple[str, ...]:
    patterns = _globs(value)
    if not patterns:
        raise _Wrong('expected at least one glob, such as "**/*.md"')
    return patterns


def _folders(value: object) -> tuple[str, ...]:
    return _texts(value, 'folder names, such as ["archive"]')


def _texts(value: object, of: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(each, str) and _names_something(each) for each in value):
        return tuple(value)
    raise _Wrong(f"expected a list of {of}")


def _boosts(value: object) -> tuple[tuple[str, float], ...]:
    factor = _number(0.01, 100)
    if not isinstance(value, dict) or not all(_names_something(key) for key in value):
        raise _Wrong('expected an object of folder names and factors, such as {"decisions": 1.2}')
    try:
        return tuple((key, float(str(factor(each)))) for key, each in value.items())
    except _Wrong as wrong:
        raise _Wrong(f"for every factor {wrong}") from None


def _host(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Wrong('expected a host, such as "http://127.0.0.1:11434"')
    return parse_host(value)


def _names_something(entry: str) -> bool:
    return bool(entry.strip(" /")) and _is_plain(entry)


def _is_plain(text: str) -> bool:
    """True when it can be printed, written and handed to the system: no control characters, no lone surrogates."""
    return not any((char < " " and char not in "\n\t") or "\x7f" <= char <= "\x9f" or "\ud800" <= char <= "\udfff"
                   for char in text)


@dataclass(frozen=True, slots=True)
class Field:
    """One setting."""

    key: str
    """As the config file spells it."""
    attribute: str
    """As `Config` spells it."""
    check: Check
    default: object
    """What `Config` holds when the key is left out; None: worked out when the config is read."""
    help: str
    """One line, for people."""


FIELDS: Final = (
    Field("vaultPath", "vault_path", _path, None, "folder of notes; required"),
    Field("indexPath", "index_path", _path, None, "the index, an SQLite file; default: `index.db` in `.rag`"),
    Field("include", "include", _some_globs, ("**/*.md",), "globs of the notes to index"),
    Field("exclude", "exclude", _globs, (), "globs that are never indexed"),
    Field("gitignore", "gitignore", _switch, True, "honour `.gitignore`, `.ignore` and `.ragignore` files"),
    Field("maxFileMb", "max_file_mb", _number(0.001, 1024), 10.0, "larger files are listed, not read"),
    Field("embedModel", "embed_model", _text(200), "auto", "`auto`, an Ollama model, `builtin:NAME` or `none`"),
    Field("ollamaHost", "ollama_host", _host, None, "where Ollama listens; default: `OLLAMA_HOST`, else this machine"),
    Field("minScore", "min_score", _or_null(_number(0, 1), null=None), None,
          "floor under which nothing is a hit; default: by model"),
    Field("relativeCutoff", "relative_cutoff", _or_null(_number(0, 1), null=0.0), None,
          "drop hits below this share of the best score; null is off; default: by model"),
    Field("lexicalMaxDocFreq", "lexical_max_doc_freq", _number(0, 1), 0.01,
          "a word is rare when at most this share of the sections has it"),
    Field("lexicalSlots", "lexical_slots", _whole(0, 50), 2, "at most so many lexical-only hits beside semantic ones"),
    Field("limit", "limit", _whole(1, 50), 8, "hits when the caller names no limit"),
    Field("defaultExclude", "default_exclude", _folders, ("archive", "plans"),
          "folders that a search skips unless it asks for all"),
    Field("pathBoosts", "path_boosts", _boosts, (), "factors on the order of hits, by folder; never on the score"),
    Field("followSuccession", "follow_succession", _switch, True,
          "let the live successor take the place of a superseded hit"),
    Field("autoRefresh", "auto_refresh", _switch, True, "take in changed notes before a search"),
    Field("serverName", "name", _text(64), None, "name of the MCP server; default: `<folder>-docs`"),
    Field("toolDescription", "tool_description", _text(1000), None,
          "what this knowledge base holds; default: built from counts and folder names"),
)  # fmt: skip
"""The settings, in the order in which people read them. Each has one row here and no other place."""

_BY_KEY: Final = {field.key: field for field in FIELDS}


def find(
    *,
    strict: bool,
    config: str | None = None,
    vault: str | None = None,
    folder: str | None = None,
    serving: bool = False,
) -> tuple[Config, tuple[str, ...]]:
    """The config that a command runs under, and notices on it.

    `config` and `vault` are the options of that name, `folder` is `-C`; `serving` lets `CLAUDE_PROJECT_DIR` go
    before the working directory. Raises `ConfigError`, also when there is none; `UsageError` for both options.
    """
    if vault is None:
        return load(find_path(config=config, folder=folder, serving=serving), strict=strict)
    if config is not None:
        raise UsageError("--config and --vault exclude each other", "give one of them")
    return for_vault(vault, folder=folder), ()


def find_path(*, config: str | None = None, folder: str | None = None, serving: bool = False) -> str:
    """Where the config file lies, absolute; raises `ConfigError` when none is found."""
    if config is not None:
        named = locate.find_named(config, folder=folder)
        if named is None:
            raise _no_working_folder("--config")
        return named
    starts = locate.start_folders(serving=serving, folder=folder)
    if not starts:
        raise _no_working_folder("--config")
    for start in starts:
        found = locate.find_config(start)
        if found is not None:
            return found
    raise _none_found(starts[-1])


def for_vault(vault: str, *, folder: str | None = None) -> Config:
    """The config of `--vault DIR`: every default, state in `DIR/.rag`; raises `ConfigError`.

    Such a call is the user's own word, so nothing in it needs approval; but a `.rag` that came with the folder
    as a link to elsewhere is refused.
    """
    starts = locate.start_folders(serving=False, folder=folder)
    named = os.path.expanduser(vault)
    if not starts and not os.path.isabs(named):
        raise _no_working_folder("--vault")
    root = os.path.normpath(os.path.join(*starts, named))
    state = os.path.join(root, locate.STATE_FOLDER)
    if os.path.islink(state):
        raise ConfigError(f"{state} is a link", "remove it, or use a config file and approve it")
    return _config(path=None, state=state, values={"vault_path": root}, given=frozenset())


def load(path: str, *, strict: bool) -> tuple[Config, tuple[str, ...]]:
    """Read the config file at `path` (absolute) and give back notices on its mistakes, none when it has none.

    `strict`: a mistake raises `ConfigError`. Otherwise the key's default counts, and nothing is refreshed under
    such a config, since what it leaves out may be the notes that should stay out. Raises `ConfigError` in both
    cases when there is no file, no JSON object or no usable `vaultPath`.
    """
    raw, problems = _parse(_read(path))
    values, given, mistakes = _checked(raw)
    problems += mistakes
    if not problems:
        problems += 
