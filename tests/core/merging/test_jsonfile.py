"""Entries of JSON settings files: what is added, and that everything else stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.merging.jsonfile import append_item, get_entry, remove_entry, remove_items, set_entry
from docs_rag.errors import Unmergeable

KEYS = ("mcpServers", "docs")
ENTRY = {"command": "docs-rag", "args": ["serve"]}

SPACES = """{
  "mcpServers": {
    "other": { "command": "x" , "args":[1,2] }
  },
  "z": 1, "a": 2
}
"""

AWKWARD = {
    "two spaces": SPACES,
    "tabs": SPACES.replace("  ", "\t"),
    "four spaces": SPACES.replace("  ", "    "),
    "crlf": SPACES.replace("\n", "\r\n"),
    "no final newline": SPACES.rstrip(),
    "blank lines at the end": SPACES + "\n\n",
    "mark": "\ufeff" + SPACES,
    "one line": '{"mcpServers":{"other":{"command":"x"}},"z":1}',
    "one line, wide": '{ "mcpServers" : { "other" : { "command" : "x" } }, "z" : 1 }',
    "one line in a file of several": '{\n  "mcpServers": {"other": {}, "next": {}},\n  "z": [\n    1\n  ]\n}\n',
    "brackets on their own": '{\n  "mcpServers":\n  {\n    "other":\n    {\n    }\n  }\n}\n',
    "comma first": '{ "z": 1\n, "mcpServers": { "other": 1\n  , "next": 2\n  }\n}\n',
    "no servers yet": '{\n    "permissions": { "allow": [] }\n}\n',
    "nothing": "{}",
    "nothing and a line": "{}\n",
    "nothing but a space": "{ }\n",
    "nothing but lines": "{\n}\n",
    "escapes": '{\n  "\\u006dcpServers": {\n    "o:t\\"h{er": "}, \\"docs\\": 1"\n  }\n}\n',
    "hangul": '{\n  "서버": "문서",\n  "mcpServers": {\n    "문서": {}\n  }\n}\n',
    "big numbers": '{\n  "n": 1.00000000000000000001e400,\n  "mcpServers": {\n    "x": 12345678901234567890\n  }\n}\n',
}


def encoded(text: str) -> bytes:
    return text.encode("utf-8")


def loaded(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig"))


@pytest.mark.parametrize("name", AWKWARD)
def test_case_56_an_entry_is_added_and_nothing_else_moves(name: str) -> None:
    before = encoded(AWKWARD[name])
    after = set_entry(before, KEYS, ENTRY)
    expected = loaded(before)
    expected.setdefault("mcpServers", {})["docs"] = ENTRY
    assert json.dumps(loaded(after)) == json.dumps(expected)
    assert get_entry(after, KEYS) == ENTRY
    assert is_splice(before, after)


@pytest.mark.parametrize("name", AWKWARD)
def test_case_56_what_was_added_goes_again_and_the_bytes_are_the_old_ones(name: str) -> None:
    before = encoded(AWKWARD[name])
    assert remove_entry(set_entry(before, KEYS, ENTRY), KEYS) == before


@pytest.mark.parametrize("name", AWKWARD)
def test_case_56_a_second_time_changes_nothing(name: str) -> None:
    once = set_entry(encoded(AWKWARD[name]), KEYS, ENTRY)
    assert set_entry(once, KEYS, dict(reversed(ENTRY.items()))) == once


@pytest.mark.parametrize("name", AWKWARD)
def test_an_entry_that_changes_back_leaves_no_trace(name: str) -> None:
    once = set_entry(encoded(AWKWARD[name]), KEYS, ENTRY)
    other = set_entry(once, KEYS, {"command": "else"})
    assert get_entry(other, KEYS) == {"command": "else"}
    assert set_entry(other, KEYS, ENTRY) == once


def test_a_file_of_its_own() -> None:
    assert set_entry(None, KEYS, ENTRY).decode() == (
        '{\n  "mcpServers": {\n    "docs": {\n      "command": "docs-rag",\n      "args": ["serve"]\n    }\n  }\n}\n'
    )
    assert set_entry(b"", KEYS, ENTRY) == set_entry(b" \n", KEYS, ENTRY) == set_entry(None, KEYS, ENTRY)


def test_new_lines_look_like_the_old_ones() -> None:
    after = set_entry(encoded(AWKWARD["tabs"].replace("\n", "\r\n")), KEYS, ENTRY).decode()
    assert ' },\r\n\t\t"docs": {\r\n\t\t\t"command": "docs-rag",\r\n\t\t\t"args": ["serve"]\r\n\t\t}\r\n\t},' in after
    assert "\n" not in after.replace("\r\n", "")


def test_one_line_stays_one_line() -> None:
    assert set_entry(b'{"z":1}', ("a",), [1]) == b'{"z":1, "a":[1]}'
    assert set_entry(b'{"y" : 1,"z" : 1}', ("a",), 2) == b'{"y" : 1,"z" : 1,"a" : 2}'


def test_a_long_list_is_written_over_several_lines() -> None:
    after = set_entry(None, ("args",), ["x" * 60, "y" * 60]).decode()
    assert after == f'{{\n  "args": [\n    "{"x" * 60}",\n    "{"y" * 60}"\n  ]\n}}\n'


REFUSED = {
    "comment": (b'{\n  // mine\n  "a": 1\n}', r"comments are not allowed \(line 2\)"),
    "block comment": (b'{\n  "a": 1 /* mine */\n}', r"not valid JSON.*\(line 2\)"),
    "trailing comma": (b'{\n  "a": 1,\n}', "a comma before a closing bracket is not allowed"),
    "broken": (b'{"a": ', "is not valid JSON"),
    "twice": (b'{\n  "mcpServers": {},\n  "mcpServers": {}\n}', r'has "mcpServers" twice in one object \(line 3\)'),
    "twice, deep": (b'{\n "a": [{"b": 1,\n "b": 2}]}', r'has "b" twice in one object \(line 3\)'),
    "a list": (b"[1]", r"holds \[1\], expected an object"),
    "a list of servers": (b'{\n  "mcpServers": []\n}', r"has \[\] at mcpServers \(line 2\), where an object is needed"),
    "null": (b'{"mcpServers": null}', "has null at mcpServers"),
    "not utf-8": (b'{\n"a": "\xff"}', r"is not UTF-8 text \(line 2\)"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), "is not UTF-8 text"),
    "deep": (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    "two documents": (b'{"a": 1}{"b": 2}', "is not valid JSON"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_case_56_what_cannot_be_changed_without_harm_is_refused(name: str) -> None:
    data, message = REFUSED[name]
    with pytest.raises(Unmergeable, match=message):
        set_entry(data, KEYS, ENTRY)
    with pytest.raises(Unmergeable, match=message):
        append_item(data, (*KEYS, "list"), 1)


def test_a_name_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(Unmergeable, match="not valid Unicode"):
        set_entry(None, KEYS, {"command": "/home/\udcff/docs-rag"})


def test_an_item_where_an_object_is() -> None:
    with pytest.raises(Unmergeable, match=r"has \{\} at hooks.PostToolUse \(line 1\), where a list is needed"):
        append_item(b'{"hooks": {"PostToolUse": {}}}', ("hooks", "PostToolUse"), 1)


HOOKS = ("hooks", "PostToolUse")
HOOKED = """{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "mine" }]
      }
    ],
    "Stop": []
  }
}
"""


@pytest.mark.parametrize(
    "text",
    [
        HOOKED,
        HOOKED.replace("\n", "\r\n"),
        '{"hooks":{"PostToolUse":[1,2]}}',
        '{"hooks":{"PostToolUse":[\n1\n]}}',
        '{\n  "hooks": {}\n}',
        "{}",
    ],
)
def test_case_56_an_item_is_added_behind_the_others_and_goes_again(text: str) -> None:
    before = encoded(text)
    after = append_item(before, HOOKS, {"matcher": "Write|Edit"})
    items = get_entry(after, HOOKS)
    assert isinstance(items, list)
    assert items[-1] == {"matcher": "Write|Edit"}
    assert is_splice(before, after)
    empties_kept = '"hooks": {}' not in text
    removed = remove_items(after, HOOKS, lambda item: item == {"matcher": "Write|Edit"}, prune=empties_kept)
    assert removed == before or not empties_kept


def test_an_empty_list_can_be_kept() -> None:
    before = b'{\n  "hooks": {\n    "Stop": []\n  }\n}\n'
    after = append_item(before, ("hooks", "Stop"), {"a": 1})
    assert after == b'{\n  "hooks": {\n    "Stop": [\n      {\n        "a": 1\n      }\n    ]\n  }\n}\n'
    assert remove_items(after, ("hooks", "Stop"), lambda _: True, prune=False) == before
    assert remove_items(after, ("hooks", "Stop"), lambda _: True) == b"{}\n"


def test_items_are_reached_by_their_position() -> None:
    after = append_item(encoded(HOOKED), (*HOOKS, 0, "hooks"), {"type": "command"})
    assert get_entry(after, (*HOOKS, 0, "hooks", 1)) == {"type": "command"}
    assert remove_entry(after, (*HOOKS, 0, "hooks", 1)) == encoded(HOOKED)


def test_all_items_that_are_named_go() -> None:
    assert remove_items(b'{"a": [1, 2, 3, 4]}', ("a",), lambda item: item in (1, 2, 4)) == b'{"a": [3]}'


def test_what_is_not_there_needs_no_removing() -> None:
    assert remove_entry(b"{}", KEYS) == b"{}"
    assert remove_entry(b"", KEYS) == b""
    assert remove_items(b'{"hooks": {}}', HOOKS, lambda _: True) == b'{"hooks": {}}'
    assert remove_items(b" ", HOOKS, lambda _: True) == b" "


def test_nothing_is_found_in_no_file() -> None:
    assert get_entry(None, KEYS) is None
    assert get_entry(b'{"mcpServers": {}}', KEYS) is None
    assert get_entry(None, ()) == {}
    assert get_entry(b'{"a": 1}', ()) == {"a": 1}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=4)
LAYOUTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])
NAMES = st.text(max_size=3)


def laid_out(value: object, layout: int | str | None, newline: str, tight: bool) -> bytes:
    separators = (",", ":") if tight else None
    return encoded(json.dumps(value, indent=layout, separators=separators).replace("\n", newline))


@given(OBJECTS, NAMES, NAMES, VALUES, LAYOUTS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_adding_and_removing_is_doing_nothing(
    held: dict[str, object], outer: str, inner: str, value: object, layout: int | str | None, newline: str, tight: bool
) -> None:
    before = laid_out(held, layout, newline, tight)
    if isinstance(held.get(outer, {}), dict) and inner not in (held.get(outer) or {}):  # type: ignore[operator]
        after = set_entry(before, (outer, inner), value)
        assert loaded(after)[outer][inner] == value
        assert is_splice(before, after)
        assert remove_entry(after, (outer, inner), prune=outer not in held) == before


@given(OBJECTS, st.text(max_size=30) | st.text(alphabet='{}[],:"\\/ 1\n', max_size=30))
def test_any_bytes_are_changed_or_refused(held: dict[str, object], noise: str) -> None:
    for data in (encoded(noise), encoded(json.dumps(held) + noise)):
        try:
            after = set_entry(data, KEYS, 1)
        except Unmergeable as error:
            assert error.message
        else:
            assert get_entry(after, KEYS) == 1


def is_splice(before: bytes, after: bytes) -> bool:
    """True when `after` is `before` with something put in at one place."""
    same = 0
    while same < len(before) and before[same] == after[same]:
        same += 1
    return any(after.endswith(before[at:]) and after.startswith(before[:at]) for at in range(same + 1))
