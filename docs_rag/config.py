"""Reads a config file through one table of fields into one frozen value.

Nothing else reads the file, or `OLLAMA_HOST`. Strict reading (`init`, `index`) refuses a config with a
mistake; lenient reading (`serve`, `search`) goes on with the default of the key and says so.
"""

# Every command passes here, and pathlib costs more than the reading:
# ruff: noqa: PTH110, PTH111, PTH112, PTH113, PTH114, PTH117, PTH118, PTH119, PTH120, PTH123

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from docs_rag import locate
from docs_rag.core import checks
from docs_rag.core.globs import Globs
from docs_rag.core.hosts import parse_host
from docs_rag.core.jsontext import read_object, shown
from docs_rag.core.linting.settings import CheckRules
from docs_rag.core.settings import FIELDS as FIELDS
from docs_rag.core.status import Status
from docs_rag.core.statusrules import StatusRules
from docs_rag.errors import ConfigError, UsageError

_MAX_BYTES: Final = 1_000_000
_MAX_LISTED: Final = 5
_LONGEST_PROBLEM: Final = 500
"""In characters."""


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
    roots: tuple[tuple[str, str], ...]
    """Pairs of a name and another folder of notes, whose paths read `name/rest`."""
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
    status_words: tuple[tuple[str, Status], ...]
    """Status words of the project's own, as written, with their states."""
    status_key: str
    lifecycle_in: tuple[str, ...]
    status_folders: tuple[tuple[str, Status], ...]
    """Pairs of a path entry, matched like those of `default_exclude`, and the state of what lies there."""
    git_dates: bool
    check: CheckRules
    """What `docs-rag check` looks for."""
    auto_refresh: bool
    """False as well when the config has mistakes: which notes it means is then not certain."""
    name: str
    """Name of the MCP server: `serverName`, else `<folder>-docs`."""
    tool_description: str | None
    """None: built from counts and folder names."""
    tools: str
    """Which MCP tools are served: `search` or `reader`."""

    @property
    def root_names(self) -> tuple[str, ...]:
        """What the paths of notes in other folders begin with."""
        return tuple(name for name, _ in self.roots)

    @property
    def status_rules(self) -> StatusRules:
        """How the notes' own words on their state are read."""
        return StatusRules(
            words=dict(self.status_words),
            key=self.status_key,
            within=self.lifecycle_in,
            folders=dict(self.status_folders),
        )


_BY_KEY: Final = {field.key: field for field in FIELDS}
_PASSED_OVER: Final = frozenset({"$schema"})


def find(
    *,
    strict: bool,
    config: str | None = None,
    vault: str | None = None,
    folder: str | None = None,
    serving: bool = False,
) -> tuple[Config, tuple[str, ...]]:
    """The config that a command runs under, and notices on it.

    `config` and `vault` are the options of these names, `folder` is `-C`; `serving` lets `CLAUDE_PROJECT_DIR`
    go before the working directory. Raises `ConfigError`, also when there is none, and `UsageError` for both
    options at once.
    """
    if vault is None:
        return load(find_path(config=config, folder=folder, serving=serving), strict=strict)
    if config is not None:
        raise UsageError("--config and --vault exclude each other", "give one of them")
    return for_vault(vault, folder=folder), ()


def find_path(*, config: str | None = None, folder: str | None = None, serving: bool = False) -> str:
    """Where the config file lies, absolute, by the options of `find`; raises `ConfigError` for none."""
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
    raise _none_found(starts)


def for_vault(vault: str, *, folder: str | None = None) -> Config:
    """The config of `--vault DIR`: every default, state in `DIR/.rag`. Raises `ConfigError`.

    Such a call is its user's own word and needs no approval; but a `.rag` that came with the folder and is a
    link to elsewhere is refused. Raises `UsageError` for an empty name, as an unset variable leaves it.
    """
    if not vault.strip():
        raise UsageError("--vault is empty", "name the folder of notes")
    named = os.path.expanduser(vault)
    starts = locate.start_folders(serving=False, folder=folder)
    if not starts and not os.path.isabs(named):
        raise _no_working_folder("--vault")
    root = os.path.normpath(os.path.join(*starts, named))
    state = os.path.join(root, locate.STATE_FOLDER)
    if os.path.islink(state):
        raise ConfigError(f"{state} is a link", "remove it, or write a config and approve it with `docs-rag trust`")
    return _config(None, state, {"vault_path": root})


def load(path: str, *, strict: bool) -> tuple[Config, tuple[str, ...]]:
    """Read the config file at `path` (absolute); notices say what is wrong in it.

    `strict`: every mistake raises `ConfigError`. Otherwise the default of the key counts, and the index is
    left as it is: what such a config means to leave out may be the notes that nobody should find. In both
    cases `ConfigError` is raised when there is no file, no JSON object in it or no usable `vaultPath`.
    """
    raw, problems = _parse(path)
    values, mistakes = _checked(raw)
    problems = [*problems, *mistakes, *_placed(values, path)]
    if problems and (strict or "vault_path" not in values):
        raise ConfigError(f"config {path}: {_listed(problems)}", f"edit {path}")
    state = locate.state_folder(path)
    if not problems:
        return _config(path, state, values), ()
    notices = [f"config {path}: {problem}" for problem in problems]
    notices.append("the index is not refreshed until the config is mended")
    return replace(_config(path, state, values), auto_refresh=False), tuple(notices)


def _config(path: str | None, state: str, values: Mapping[str, object]) -> Config:
    """Fill in the defaults; `values` (by attribute, checked, paths absolute) must hold `vault_path`."""
    project = os.path.dirname(state)
    worked_out: dict[str, Any] = {
        "index_path": os.path.join(state, "index.db"),
        "name": _server_name(project),
    }
    if "ollama_host" not in values:
        worked_out["ollama_host"] = host_of_this_user()
    defaults = {field.attribute: field.default for field in FIELDS}
    return Config(
        path=path,
        project=project,
        state_dir=state,
        given=frozenset(field.key for field in FIELDS if path is not None and field.attribute in values),
        **{**defaults, **worked_out, **values},
    )


def host_of_this_user() -> str:
    """Where Ollama listens as far as no config says; raises `ConfigError` for an `OLLAMA_HOST` that is no address."""
    try:
        return parse_host(os.environ.get("OLLAMA_HOST"))
    except ConfigError as error:
        raise ConfigError(f"OLLAMA_HOST: {error.message}", error.hint) from error


def _server_name(project: str) -> str:
    """`<folder>-docs`, of letters, digits and a few signs: agents read it, and no folder may add a word."""
    folder = "".join(char for char in os.path.basename(project) if char.isalnum() or char in " -_.")
    return f"{folder.strip()[:59]}-docs" if folder.strip() else "docs"


def _read(path: str) -> str:
    """The file's text; raises `ConfigError` for whatever is not a readable small file in UTF-8."""
    if os.path.isdir(path):
        raise ConfigError(f"config {path} is a folder", "name the file in it")
    if not os.path.lexists(path):
        raise ConfigError(f"there is no config {path}", "run `docs-rag init`, or correct --config")
    if os.path.exists(path) and not os.path.isfile(path):
        raise ConfigError(f"config {path} is no regular file", "name another one with --config")
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise ConfigError(f"config {path} cannot be read: {why}", "look at its permissions") from error
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"config {path} is larger than 1 MB", "name the right file with --config")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"config {path} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error


def _parse(path: str) -> tuple[dict[str, object], list[str]]:
    """The JSON object in the file, and its duplicate keys as problems."""
    text = _read(path)
    try:
        raw, twice = read_object(text)
    except ConfigError as error:
        raise ConfigError(f"config {path} {error.message}", f"edit {path}") from error
    return raw, [f"{shown(key)} stands there twice" for key in twice]


def _checked(raw: Mapping[str, object]) -> tuple[dict[str, object], list[str]]:
    """The right values by attribute, and what is wrong with the others."""
    values: dict[str, object] = {}
    problems = [] if "vaultPath" in raw else ["vaultPath is missing, expected the folder of notes"]
    for key, value in raw.items():
        field = _BY_KEY.get(key)
        if field is None:
            problems += [] if key in _PASSED_OVER else [_unknown(key)]
            continue
        try:
            values[field.attribute] = field.check(value)
        except checks.Wrong as wrong:
            problems.append(f"{key} is {shown(value)}, {wrong}")
        except ConfigError as error:
            problems.append(_cut(str(error)))
    return values, problems


def _cut(problem: str) -> str:
    """A message that quotes the config, as much of it as a person reads."""
    return problem if len(problem) <= _LONGEST_PROBLEM else f"{problem[:_LONGEST_PROBLEM]}…"


def _unknown(key: str) -> str:
    """Names the nearest right key: `minscore` is more often a slip than an invention."""
    import difflib  # noqa: PLC0415  (7 ms that only a mistake should cost)

    spelt = {known.lower(): known for known in _BY_KEY}
    near = difflib.get_close_matches(key.replace("_", "").lower(), spelt, n=1)
    return f"unknown key {shown(key)}" + (f", did you mean {spelt[near[0]]}?" if near else "")


def _placed(values: dict[str, object], path: str) -> list[str]:
    """Make the paths among `values` absolute and drop those that cannot be meant; returns why."""
    problems = []
    for key, attribute, place in (
        ("vaultPath", "vault_path", _vault_place),
        ("indexPath", "index_path", _index_place),
    ):
        if attribute in values:
            written = str(values.pop(attribute))
            try:
                values[attribute] = place(written, path, values)
            except checks.Wrong as wrong:
                problems.append(f"{key} is {shown(written)}, {wrong}")
    return problems + (_place_roots(values, path) if "roots" in values and "vault_path" in values else [])


def _place_roots(values: dict[str, object], path: str) -> list[str]:
    """Make the folders of `roots` absolute; all of them are dropped when one cannot be meant, for the reason returned.

    No two folders may hold the same notes, and no name may be that of a folder of the vault, whose notes would be
    called the same.
    """
    placed: list[tuple[str, str]] = []
    vault, state = str(values["vault_path"]), locate.state_folder(path)
    taken = [("vaultPath", vault)]
    written_roots: Any = values.pop("roots")
    for name, written in written_roots:
        try:
            folder = _absolute(written, path)
        except checks.Wrong as wrong:
            return [f"roots.{name} is {shown(written)}, {wrong}"]
        shared = next((key for key, other in taken if lies_in(folder, other) or lies_in(other, folder)), None)
        if shared is not None or lies_in(folder, state):
            return [f"roots.{name} is {shown(written)}, expected a folder that shares no file with {shared or '.rag'}"]
        if any(os.path.lexists(os.path.join(vault, spelt)) for spelt in _spellings(name)):
            return [f"roots.{name} has the name of {name} in the vault, expected another one"]
        placed.append((name, folder))
        taken.append((f"roots.{name}", folder))
    values["roots"] = tuple(placed)
    return []


def _spellings(name: str) -> tuple[str, ...]:
    """How a disk may spell a name."""
    import unicodedata  # noqa: PLC0415  # for projects with roots alone

    return name, unicodedata.normalize("NFD", name)


def _vault_place(written: str, path: str, _: Mapping[str, object]) -> str:
    """The vault's absolute path; `docs` in `.rag/config.json` for `../docs` gets a word of help."""
    place = _absolute(written, path)
    state = locate.state_folder(path)
    project = os.path.dirname(state)
    meant = project if place == state else os.path.normpath(os.path.join(project, written))
    if lies_in(place, state) and (place == state or (os.path.isdir(meant) and not os.path.isdir(place))):
        beside = os.path.relpath(meant, os.path.dirname(path))
        raise checks.Wrong(f"expected a path that starts beside the config file: {shown(beside)}")
    return place


def _index_place(written: str, path: str, values: Mapping[str, object]) -> str:
    """The index's absolute path, which is none that already means something else."""
    place = _absolute(written, path)
    vault = str(values.get("vault_path", os.path.dirname(path)))
    taken = (path, vault, locate.state_folder(path))
    if written.endswith(("/", os.sep)) or any(lies_in(each, place) for each in taken):
        raise checks.Wrong("expected a file of its own, no folder and not the config")
    if _is_note(place, vault, values):
        raise checks.Wrong("expected a file that is no note, but `include` asks for this one")
    return place


def _is_note(place: str, vault: str, values: Mapping[str, object]) -> bool:
    relative = os.path.relpath(place, vault).replace(os.sep, "/") if lies_in(place, vault) else "."
    if any(part.startswith(".") for part in relative.split("/")):
        return False
    include = values.get("include", _BY_KEY["include"].default)
    return isinstance(include, tuple) and Globs(include).matches(relative)


def _absolute(written: str, path: str) -> str:
    """`written` counted from the config file's folder; `~` is a home folder."""
    expanded = os.path.expanduser(written)
    if expanded.startswith("~"):
        raise checks.Wrong(f"there is no such home folder (a folder of that name is written ./{written})")
    return os.path.normpath(os.path.join(os.path.dirname(path), expanded))


def lies_in(path: str, folder: str) -> bool:
    """True when `path` is `folder` or lies below it; both absolute and normalised, links not looked at."""
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _listed(problems: list[str]) -> str:
    more = len(problems) - _MAX_LISTED
    return "; ".join(problems[:_MAX_LISTED]) + (f"; and {more} more" if more > 0 else "")


def _none_found(starts: tuple[str, ...]) -> ConfigError:
    where = ", nor in ".join(_searched(start) for start in starts)
    return ConfigError(f"no config found in {where}", "run `docs-rag init`, or name a folder of notes with --vault")


def _searched(start: str) -> str:
    folders = locate.folders_up(start)
    if not folders:
        return f"{start} (which is missing, or belongs to another user)"
    return start if len(folders) == 1 else f"{start} or above it, up to {folders[-1]}"


def _no_working_folder(option: str) -> ConfigError:
    return ConfigError("the working directory is gone", f"change to another one, or give {option} an absolute path")
