"""Reading a config file: what each key may hold, and what every kind of mistake gets."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.config import FIELDS, Config, find, find_path, for_vault, lies_in, load
from docs_rag.core.linting.settings import CheckRules
from docs_rag.core.status import Status
from docs_rag.core.statusrules import FOLDERS, PLAIN, StatusRules
from docs_rag.errors import ConfigError, UsageError

REPOSITORY = Path(__file__).resolve().parents[1]


def write(folder: Path, content: object, name: str = ".rag/config.json") -> str:
    """A config file in a folder: bytes and text as they are, anything else as JSON; returns its path."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def read(folder: Path, **settings: object) -> Config:
    """The config that these settings make in a folder, read strictly."""
    config, notices = load(write(folder, {"vaultPath": "..", **settings}), strict=True)
    assert notices == ()
    return config


def refusal(folder: Path, content: object) -> str:
    """What a strict and a lenient reading both refuse a file with."""
    path = write(folder, content)
    with pytest.raises(ConfigError) as strict:
        load(path, strict=True)
    with pytest.raises(ConfigError) as lenient:
        load(path, strict=False)
    assert str(strict.value) == str(lenient.value)
    assert path in str(strict.value)
    return str(strict.value)


def complaint(folder: Path, **settings: object) -> str:
    """What strict reading refuses settings with; lenient reading must say the same and go on."""
    path = write(folder, {"vaultPath": "..", **settings})
    with pytest.raises(ConfigError) as error:
        load(path, strict=True)
    config, notices = load(path, strict=False)
    assert error.value.message == notices[0]
    assert notices[1] == "the index is not refreshed until the config is mended"
    assert not config.auto_refresh
    return error.value.message.removeprefix(f"config {path}: ")


def test_defaults(tmp_path: Path) -> None:
    config = read(tmp_path / "handbook")
    state = tmp_path / "handbook" / ".rag"
    assert config == Config(
        path=str(state / "config.json"),
        project=str(tmp_path / "handbook"),
        state_dir=str(state),
        given=frozenset({"vaultPath"}),
        vault_path=str(tmp_path / "handbook"),
        index_path=str(state / "index.db"),
        include=("**/*.md",),
        exclude=(),
        gitignore=True,
        max_file_mb=10,
        embed_model="auto",
        ollama_host="http://127.0.0.1:11434",
        min_score=None,
        relative_cutoff=None,
        lexical_max_doc_freq=0.01,
        lexical_slots=2,
        limit=8,
        default_exclude=("archive", "plans"),
        path_boosts=(),
        follow_succession=True,
        status_words=(),
        status_key="status",
        lifecycle_in=("**",),
        status_folders=tuple(FOLDERS.items()),
        roots=(),
        git_dates=True,
        auto_refresh=True,
        name="handbook-docs",
        tool_description=None,
        tools="search",
        check=CheckRules(),
    )


@pytest.mark.parametrize(
    ("key", "written", "attribute", "value"),
    [
        ("include", ["docs/", "*.MD"], "include", ("docs/", "*.MD")),
        ("exclude", [], "exclude", ()),
        ("exclude", ["초안/**"], "exclude", ("초안/**",)),
        ("gitignore", False, "gitignore", False),
        ("maxFileMb", 0.5, "max_file_mb", 0.5),
        ("embedModel", "bge-m3", "embed_model", "bge-m3"),
        ("embedModel", "builtin:multilingual-e5-small", "embed_model", "builtin:multilingual-e5-small"),
        ("ollamaHost", "gpu.example:11500", "ollama_host", "http://gpu.example:11500"),
        ("minScore", 0, "min_score", 0.0),
        ("minScore", 1, "min_score", 1.0),
        ("minScore", None, "min_score", None),
        ("relativeCutoff", 0.9, "relative_cutoff", 0.9),
        ("relativeCutoff", None, "relative_cutoff", 0.0),
        ("lexicalMaxDocFreq", 1, "lexical_max_doc_freq", 1.0),
        ("lexicalSlots", 0, "lexical_slots", 0),
        ("limit", 50, "limit", 50),
        ("limit", 8.0, "limit", 8),
        ("defaultExclude", [], "default_exclude", ()),
        ("defaultExclude", ["a/b", "old"], "default_exclude", ("a/b", "old")),
        ("pathBoosts", {"adr": 1.5, "회의": 1}, "path_boosts", (("adr", 1.5), ("회의", 1.0))),
        ("followSuccession", False, "follow_succession", False),
        ("statusWords", {"🌱 seedling": "Draft"}, "status_words", (("🌱 seedling", Status.DRAFT),)),
        ("statusWords", {}, "status_words", ()),
        ("statusKey", "상태값", "status_key", "상태값"),
        ("lifecycleIn", ["decisions/**"], "lifecycle_in", ("decisions/**",)),
        ("lifecycleIn", [], "lifecycle_in", ()),
        ("statusFolders", {}, "status_folders", ()),
        ("statusFolders", {"old/adr": "superseded"}, "status_folders", (("old/adr", Status.SUPERSEDED),)),
        ("gitDates", False, "git_dates", False),
        ("autoRefresh", False, "auto_refresh", False),
        ("serverName", " team  notes ", "name", "team notes"),
        ("toolDescription", "Two\n\tlines", "tool_description", "Two lines"),
        ("$schema", "https://example.org/schema.json", "limit", 8),
    ],
)
def test_what_a_key_may_hold(tmp_path: Path, key: str, written: object, attribute: str, value: object) -> None:
    found = getattr(read(tmp_path, **{key: written}), attribute)
    assert found == value
    assert type(found) is type(value)


GLOBS = 'expected a list of globs, such as ["**/*.md"]'
FACTORS = "expected factors from 0.001 to 1000"
HOST = 'expected a host, such as "http://127.0.0.1:11434"'
NAMES = 'expected a list of folder names, such as ["archive"]'
STATE = "expected current, draft, rejected, superseded, archived"
STATES = 'expected an object such as {"🌱 seedling": "draft"}'
SHARE = "expected a number from 0 to 1, or null"
SIZE = "expected a number from 0.001 to 1024"


@pytest.mark.parametrize(
    ("key", "written", "expected"),
    [
        ("include", "**/*.md", f'"**/*.md", {GLOBS}'),
        ("include", [], '[], expected at least one glob, such as "**/*.md"'),
        ("include", ["a.md", 5], f'["a.md", 5], {GLOBS}'),
        ("exclude", [" "], f'[" "], {GLOBS}'),
        ("gitignore", 1, "1, expected true or false"),
        ("gitignore", "yes", '"yes", expected true or false'),
        ("maxFileMb", 0, f"0, {SIZE}"),
        ("maxFileMb", True, f"true, {SIZE}"),
        ("maxFileMb", {"notes": 1}, f'{{"notes": 1}}, {SIZE}'),
        ("embedModel", "", '"", expected a text of 1 to 200 characters without control characters'),
        ("ollamaHost", "ftp://h", f'"ftp://h", {HOST}'),
        ("ollamaHost", " ", f'" ", {HOST}'),
        ("ollamaHost", 11434, f"11434, {HOST}"),
        ("minScore", 1.5, f"1.5, {SHARE}"),
        ("minScore", "0.5", f'"0.5", {SHARE}'),
        ("minScore", float("nan"), f"NaN, {SHARE}"),
        ("relativeCutoff", float("inf"), f"Infinity, {SHARE}"),
        ("relativeCutoff", -0.1, f"-0.1, {SHARE}"),
        ("lexicalSlots", 1.5, "1.5, expected a whole number from 0 to 50"),
        ("limit", True, "true, expected a whole number from 1 to 50"),
        ("limit", 0, "0, expected a whole number from 1 to 50"),
        ("limit", None, "null, expected a whole number from 1 to 50"),
        ("limit", "8", '"8", expected a whole number from 1 to 50'),
        ("limit", float("inf"), "Infinity, expected a whole number from 1 to 50"),
        ("defaultExclude", ["/"], f'["/"], {NAMES}'),
        ("defaultExclude", "archive", f'"archive", {NAMES}'),
        ("pathBoosts", ["a"], '["a"], expected folder names with factors, such as {"decisions": 1.2}'),
        ("pathBoosts", {"a": 0}, f'{{"a": 0}}, {FACTORS}'),
        ("pathBoosts", {"a": True}, f'{{"a": true}}, {FACTORS}'),
        ("statusWords", ["done"], f'["done"], {STATES}'),
        ("statusWords", {" ": "draft"}, f'{{" ": "draft"}}, {STATES}'),
        (
            "statusWords",
            {"done": "achived"},
            f'{{"done": "achived"}}, where "done" has "achived": {STATE}; did you mean archived?',
        ),
        ("statusWords", {"done": 1}, f'{{"done": 1}}, where "done" has 1: {STATE}'),
        ("statusFolders", {"attic": None}, f'{{"attic": null}}, where "attic" has null: {STATE}'),
        ("statusKey", "", '"", expected a text of 1 to 64 characters without control characters'),
        ("lifecycleIn", "adr/**", f'"adr/**", {GLOBS}'),
        ("gitDates", 0, "0, expected true or false"),
        (
            "serverName",
            "a\x1b[2J",
            '"a\\u001b[2J", expected a text of 1 to 64 characters without control characters',
        ),
        (
            "serverName",
            "x" * 65,
            f'"{"x" * 58}…, expected a text of 1 to 64 characters without control characters',
        ),
        ("toolDescription", "to \u202eleft", None),
        ("toolDescription", "\ud800", None),
        ("indexPath", "", '"", expected a path'),
        ("indexPath", "../a\x00b", None),
    ],
)
def test_what_a_key_may_not_hold(tmp_path: Path, key: str, written: object, expected: str | None) -> None:
    said = complaint(tmp_path, **{key: written})
    assert said.startswith(f"{key} is ")
    assert said.isprintable()
    assert expected in (None, said.removeprefix(f"{key} is "))


def test_the_rules_of_a_config_are_the_default_until_a_key_says_otherwise(tmp_path: Path) -> None:
    assert read(tmp_path).status_rules == PLAIN
    written: dict[str, object] = {"statusWords": {"🌱": "draft"}, "statusKey": "phase", "lifecycleIn": ["adr/"]}
    rules = read(tmp_path, **written, statusFolders={}).status_rules
    assert rules == StatusRules(words={"🌱": Status.DRAFT}, key="phase", within=("adr/",), folders={})


def test_a_bad_value_leaves_the_default_and_the_other_keys(tmp_path: Path) -> None:
    path = write(tmp_path, {"vaultPath": "..", "limit": 99, "lexicalSlots": 5, "minScore": "x"})
    config, notices = load(path, strict=False)
    assert (config.limit, config.lexical_slots, config.min_score) == (8, 5, None)
    assert config.given == {"vaultPath", "lexicalSlots"}
    assert len(notices) == 3


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("minscore", 'unknown key "minscore", did you mean minScore?'),
        ("ollama_host", 'unknown key "ollama_host", did you mean ollamaHost?'),
        ("excludes", 'unknown key "excludes", did you mean exclude?'),
        ("zzz", 'unknown key "zzz"'),
        ("", 'unknown key ""'),
        ("x" * 200, 'unknown key "' + "x" * 58 + "…"),
        ("\x9b31m", 'unknown key "\ufffd31m"'),
    ],
)
def test_case_45_a_misspelt_key_names_the_nearest_right_one(tmp_path: Path, key: str, expected: str) -> None:
    assert complaint(tmp_path, **{key: 0.5}) == expected


@pytest.mark.parametrize("include", ["a.md,*.txt", ["a.md,*.txt"]])
def test_case_45_a_comma_list_is_refused(tmp_path: Path, include: object) -> None:
    assert complaint(tmp_path, include=include).startswith("include ")


def test_a_malformed_glob_is_named_with_its_key(tmp_path: Path) -> None:
    assert "exclude pattern '../secret/**' leads outside" in complaint(tmp_path, exclude=["../secret/**"])


def test_all_mistakes_are_told_at_once_up_to_a_handful(tmp_path: Path) -> None:
    path = write(tmp_path, {"vaultPath": "..", "limit": 0, "minscore": 1, **{f"k{n}zz": 1 for n in range(6)}})
    with pytest.raises(ConfigError) as error:
        load(path, strict=True)
    assert "limit is 0" in error.value.message
    assert "did you mean minScore?" in error.value.message
    assert error.value.message.endswith("; and 3 more")
    assert error.value.hint == f"edit {path}"


def test_a_key_that_stands_twice_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path, '{"vaultPath": "..", "limit": 3, "limit": 4, "pathBoosts": {"a": 1, "a": 2}}')
    with pytest.raises(ConfigError, match='"a" stands there twice; "limit" stands there twice'):
        load(path, strict=True)
    config, notices = load(path, strict=False)
    assert config.limit == 4
    assert len(notices) == 3


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        ("[]", "holds [], expected an object"),
        ("null", "holds null, expected an object"),
        ('"x"', 'holds "x", expected an object'),
        ("{}", "vaultPath is missing, expected the folder of notes"),
        ({"vaultpath": ".."}, "did you mean vaultPath?"),
        ({"vaultPath": None}, "vaultPath is null, expected a path"),
        ({"vaultPath": ["."]}, 'vaultPath is ["."], expected a path'),
        ({"vaultPath": " "}, 'vaultPath is " ", expected a path'),
        ({"vaultPath": "a\0b"}, 'vaultPath is "a\\u0000b", expected a path without control characters'),
        ('{"vaultPath": "C:\\temp"}', "control characters (write / or a double backslash)"),
        ('{"vaultPath": "C:\\Users"}', "a backslash is written twice (or use /) (line 1)"),
        ({"vaultPath": "~no-such-user/x"}, "there is no such home folder"),
        ('{\n"vaultPath": "..", // notes\n"limit": 3}', "comments are not allowed (line 2)"),
        ('/* ours */ {"vaultPath": ".."}', "comments are not allowed (line 1)"),
        ('{"vaultPath": ".."\n# end\n}', "comments are not allowed (line 2)"),
        ('{"vaultPath": "..",\n\n}', "a comma before a closing bracket is not allowed (line"),
        ('{"include": ["a", ], "vaultPath": ".."}', "before a closing bracket is not allowed (line 1)"),
        ("{'vaultPath': '..'}", "texts stand in double quotes (line 1)"),
        ('{"vaultPath": ".."', "is not valid JSON: expecting ',' delimiter (line 1)"),
        ("{" * 100_000, "is not valid JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"vaultPath": "..", "limit": ' + "1" * 5000 + "}", "a number that is too long"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8 (byte 0)"),
        (b'{"vaultPath": "caf\xe9"}', "is not UTF-8 (byte 18)"),
        (b'{"vaultPath": "..", "x": "' + b"y" * 5_000_000 + b'"}', "is larger than 1 MB"),
    ],
    ids=lambda value: ascii(value)[:40],
)  # fmt: skip
def test_what_no_reading_can_use(tmp_path: Path, content: object, expected: str) -> None:
    assert expected in refusal(tmp_path, content)


def test_a_byte_order_mark_and_carriage_returns_make_no_difference(tmp_path: Path) -> None:
    path = write(tmp_path, b'\xef\xbb\xbf{\r\n  "vaultPath": "..",\r\n  "limit": 3\r\n}\r\n')
    assert load(path, strict=True)[0].limit == 3


def test_a_config_that_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.json", tmp_path / "dangling.json"):
        (tmp_path / "dangling.json").unlink(missing_ok=True)
        (tmp_path / "dangling.json").symlink_to("nowhere")
        with pytest.raises(ConfigError, match=str(path)):
            load(str(path), strict=False)


def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes in this file system")
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(ConfigError, match="no regular file"):
        load(str(tmp_path / "config.json"), strict=True)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_config(tmp_path: Path) -> None:
    path = write(tmp_path, {"vaultPath": ".."})
    Path(path).chmod(0)
    with pytest.raises(ConfigError, match="cannot be read: permission denied"):
        load(path, strict=True)


def test_a_linked_config_counts_from_where_it_is_found(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", {"vaultPath": "docs"}, "shared.json")
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "config.json").symlink_to(tmp_path / "elsewhere" / "shared.json")
    config, _ = load(str(tmp_path / "p" / "config.json"), strict=True)
    assert config.vault_path == str(tmp_path / "p" / "docs")


def test_paths_count_from_the_folder_of_the_config_file(tmp_path: Path, home: Path) -> None:
    kept = read(tmp_path / "a", vaultPath="../docs/./x/..", indexPath="deep/i.db")
    assert kept.vault_path == str(tmp_path / "a" / "docs")
    assert kept.index_path == str(tmp_path / "a" / ".rag" / "deep" / "i.db")
    beside, _ = load(write(tmp_path / "b", {"vaultPath": "."}, "config.json"), strict=True)
    assert beside.vault_path == str(tmp_path / "b")
    assert beside.state_dir == str(tmp_path / "b" / ".rag")
    assert beside.index_path == str(tmp_path / "b" / ".rag" / "index.db")
    assert beside.project == str(tmp_path / "b")
    assert read(tmp_path / "c", vaultPath="~").vault_path == str(home)
    assert read(tmp_path / "c", vaultPath="~/notes").vault_path == str(home / "notes")
    assert read(tmp_path / "c", vaultPath="/").vault_path == "/"
    assert read(tmp_path / "c", vaultPath="../../").vault_path == str(tmp_path)
    assert read(tmp_path / "c", vaultPath="./~odd").vault_path == str(tmp_path / "c" / ".rag" / "~odd")


def test_a_path_that_starts_beside_the_state_folder_by_mistake_gets_help(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    expected = 'expected a path that starts beside the config file: "../docs"'
    assert expected in refusal(tmp_path, {"vaultPath": "docs"})
    assert 'beside the config file: ".."' in refusal(tmp_path, {"vaultPath": "."})
    (tmp_path / ".rag" / "docs").mkdir()
    assert read(tmp_path, vaultPath="docs").vault_path == str(tmp_path / ".rag" / "docs")


@pytest.mark.parametrize("index", ["..", ".", "config.json", "../docs", "/", "sub/"])
def test_an_index_in_the_place_of_something_else_is_refused(tmp_path: Path, index: str) -> None:
    assert "expected a file of its own" in complaint(tmp_path, vaultPath="../docs", indexPath=index)


@pytest.mark.parametrize("index", ["../a.md", "../Deep/B.MD"])
def test_an_index_in_the_place_of_a_note_is_refused(tmp_path: Path, index: str) -> None:
    assert "expected a file that is no note" in complaint(tmp_path, indexPath=index)


@pytest.mark.parametrize("index", ["index.db", "x.md", "../a.db", "../../elsewhere.md", "~/i.db"])
def test_an_index_may_lie_where_no_note_is(tmp_path: Path, index: str) -> None:
    assert read(tmp_path / "p", indexPath=index).index_path.endswith(index.rpartition("/")[2])


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("payments", "payments-docs"),
        ("My Notes", "My Notes-docs"),
        ("결제팀", "결제팀-docs"),
        ("a\x1b[0m<b>", "a0mb-docs"),
        ("!!!", "docs"),
        ("x" * 100, "x" * 59 + "-docs"),
    ],
)
def test_the_server_is_named_after_the_folder(tmp_path: Path, folder: str, name: str) -> None:
    assert for_vault(str(tmp_path / folder)).name == name


def test_ollama_host_of_the_user_gives_way_to_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "0.0.0.0:11500")
    assert read(tmp_path).ollama_host == "http://127.0.0.1:11500"
    assert read(tmp_path, ollamaHost="other:1").ollama_host == "http://other:1"
    assert "ollamaHost" not in read(tmp_path).given
    monkeypatch.setenv("OLLAMA_HOST", "ftp://x")
    with pytest.raises(ConfigError, match="OLLAMA_HOST"):
        read(tmp_path)


def test_a_vault_needs_no_config(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    config, notices = find(vault="notes", strict=True)
    assert notices == ()
    assert config.path is None
    assert config.given == frozenset()
    assert config.vault_path == config.project == str(tmp_path / "notes")
    assert config.index_path == str(tmp_path / "notes" / ".rag" / "index.db")
    assert for_vault("sub", folder=str(tmp_path)).vault_path == str(tmp_path / "sub")
    assert for_vault("~/v").vault_path == str(home / "v")
    assert for_vault(str(tmp_path) + "/a/..").vault_path == str(tmp_path)


def test_a_state_folder_that_is_a_link_is_refused_under_a_vault(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "v" / ".rag").symlink_to(tmp_path)
    with pytest.raises(ConfigError, match="is a link"):
        for_vault(str(tmp_path / "v"))


def test_contradictory_and_empty_options_are_usage_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        find(config="a", vault="b", strict=False)
    with pytest.raises(UsageError):
        find(vault=" ", strict=False)


def test_find_starts_where_the_command_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, other = (
        write(tmp_path / "here", {"vaultPath": ".."}),
        write(tmp_path / "other", {"vaultPath": ".."}),
    )
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "other"))
    assert find(strict=True)[0].path == here
    assert find(strict=True, serving=True)[0].path == other
    assert find(strict=True, serving=True, folder=str(tmp_path / "here"))[0].path == here
    assert find(strict=True, config=here, serving=True)[0].path == here
    assert find(strict=True, config=".rag/config.json")[0].path == other
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    assert find(strict=True, serving=True)[0].path == here


def test_no_config_says_where_it_was_looked_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = home / "a" / "b"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    with pytest.raises(ConfigError) as error:
        find_path()
    assert error.value.message == f"no config found in {work} or above it, up to {home}"
    assert "docs-rag init" in error.value.hint
    with pytest.raises(ConfigError, match="which is missing, or belongs to another user"):
        find_path(folder="no/such")


def test_a_deleted_working_directory_is_a_known_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    options: tuple[dict[str, Any], ...] = ({}, {"config": "c.json"}, {"vault": "v"}, {"serving": True})
    for each in options:
        with pytest.raises(ConfigError, match="the working directory is gone"):
            find(strict=False, **each)
    assert for_vault(str(tmp_path)).vault_path == str(tmp_path)


def test_fields_config_and_example_are_in_step(tmp_path: Path) -> None:
    example = json.loads((REPOSITORY / "config.example.json").read_text(encoding="utf-8"))
    assert list(example) == [field.key for field in FIELDS]
    config, notices = load(write(tmp_path, example), strict=True)
    assert notices == ()
    assert config.given == {field.key for field in FIELDS}
    own = {"path", "project", "state_dir", "given"}
    assert {each.name for each in dataclasses.fields(Config)} == {field.attribute for field in FIELDS} | own
    assert all(field.help and "\n" not in field.help for field in FIELDS)


def test_lies_in() -> None:
    assert lies_in("/a/b", "/a")
    assert lies_in("/a", "/a")
    assert lies_in("/a", "/")
    assert not lies_in("/ab", "/a")
    assert not lies_in("/a", "/a/b")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(settings=st.dictionaries(st.sampled_from([field.key for field in FIELDS]) | st.text(max_size=5), JSON))
def test_whatever_a_config_holds_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, settings: dict[str, object]
) -> None:
    path = write(tmp_path_factory.getbasetemp() / "any", settings)
    try:
        config, notices = load(path, strict=False)
    except ConfigError:
        return
    assert config.auto_refresh is (not notices and settings.get("autoRefresh", True) is True)


@given(data=st.binary(max_size=60))
def test_whatever_bytes_a_config_is_they_are_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = write(tmp_path_factory.getbasetemp() / "bytes", data)
    with pytest.raises(ConfigError):
        load(path, strict=False)


def test_reading_loads_neither_pathlib_nor_platformdirs(tmp_path: Path) -> None:
    write(tmp_path, {"vaultPath": ".."})
    code = (
        "import sys; from docs_rag.config import find; from docs_rag.trust import require; "
        f"require(find(strict=True, folder={str(tmp_path)!r})[0], trust_once=False); "
        "print(*{'pathlib', 'platformdirs', 'difflib', 'hashlib', 'tempfile', 'yaml'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert ran.stdout.strip() == ""
