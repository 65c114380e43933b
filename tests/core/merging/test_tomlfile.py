"""Entries of TOML settings files: what is added, and that everything else stays as it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.merging.tomlfile import get_entry, remove_entry, set_entry
from docs_rag.errors import Unmergeable

KEYS = ("mcp_servers", "docs")
ENTRY = {"command": "docs-rag", "args": ["serve"], "env": {"A": "1"}, "startup_timeout_sec": 30}
WRITTEN = '[mcp_servers.docs]\ncommand = "docs-rag"\nargs = ["serve"]\nenv = { A = "1" }\nstartup_timeout_sec = 30'

CODEX = """# my model
model = "o5"   # the good one

[mcp_servers.other]   # keep
command = 'x'
args = [
  "a", # first
  "b",
]

# a comment at the end
"""

AWKWARD = {
    "comments": CODEX,
    "crlf": CODEX.replace("\n", "\r\n"),
    "mark": "\ufeff" + CODEX,
    "no final newline": CODEX.rstrip(),
    "empty lines at the end": CODEX + "\n\n",
    "one key": "a = 1",
    "table of tables": "[[x]]\na = 1\n[[x]]\na = 2\n",
    "looks like a header": 'a = """\n[mcp_servers.docs]\n"""\n',
    "sub table only": "[mcp_servers.other.env]\nA = '1'\n",
    "dotted": 'mcp_servers.other.command = "x"\n[z]\na = 1\n',
    "hangul": '"문서" = "서버"\n',
    "out of order": "[mcp_servers.a]\nx = 1\n[z]\ny = 1\n[mcp_servers.b]\nx = 2\n",
}


@pytest.mark.parametrize("name", AWKWARD)
def test_case_56_a_table_is_added_behind_the_rest_and_goes_again(name: str) -> None:
    before = AWKWARD[name].encode()
    after = set_entry(before, KEYS, ENTRY)
    assert get_entry(after, KEYS) == ENTRY
    if name != "dotted":
        assert after.startswith(before.rstrip(b"\r\n"))
        assert after.replace(b"\r\n", b"\n").rstrip().endswith(WRITTEN.encode())
        assert remove_entry(after, KEYS) == before
    assert set_entry(after, KEYS, ENTRY) == after


def test_line_ends_are_those_of_the_file() -> None:
    after = set_entry(AWKWARD["crlf"].encode(), KEYS, ENTRY)
    assert b"\n" not in after.replace(b"\r\n", b"")
    changed = set_entry(after, KEYS, {**ENTRY, "enabled": True})
    assert b"\n" not in changed.replace(b"\r\n", b"")


def test_a_file_of_its_own() -> None:
    assert set_entry(None, KEYS, ENTRY) == set_entry(b"", KEYS, ENTRY) == f"{WRITTEN}\n".encode()
    assert remove_entry(set_entry(None, KEYS, ENTRY), KEYS) == b""


def test_an_entry_is_changed_where_it_stands() -> None:
    before = f"# top\n{WRITTEN}\n# mine\nenabled = true # for now\n\n[z]\na = 1 # one\n"
    after = set_entry(before.encode(), KEYS, {**ENTRY, "args": ["serve", "-C", "/x"], "enabled": True})
    assert after.decode() == before.replace('["serve"]', '["serve", "-C", "/x"]')


def test_a_key_that_is_not_meant_any_more_goes() -> None:
    before = b'[mcp_servers.docs]\ncommand = "x"\nurl = "y"\n[z]\na = 1\n'
    assert set_entry(before, KEYS, {"command": "x"}) == b'[mcp_servers.docs]\ncommand = "x"\n[z]\na = 1\n'


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { docs = { command = "x" }, other = { command = "y" } }\n',
        'mcp_servers = { other = { command = "y" } }\n',
        'mcp_servers.docs.command = "x"\nmcp_servers.other.command = "y"\n',
        '[mcp_servers]\ndocs = { command = "x" } # one\nother = { command = "y" }\n',
        '[mcp_servers.docs]\ncommand = "x"\n[mcp_servers.docs.env]\nA = "1"\n[mcp_servers.other]\ncommand = "y"\n',
        '["mcp_servers"."docs"]\ncommand = "x"\n[ mcp_servers . other ]\ncommand = "y"\n',
    ],
)
def test_other_ways_of_writing_it(text: str) -> None:
    after = set_entry(text.encode(), KEYS, ENTRY)
    assert tomllib.loads(after.decode()) == {"mcp_servers": {"docs": ENTRY, "other": {"command": "y"}}}
    assert tomllib.loads(remove_entry(after, KEYS).decode()) == {"mcp_servers": {"other": {"command": "y"}}}


def test_a_comment_above_the_next_table_stays() -> None:
    before = f"a = 1\n\n{WRITTEN}\n\n# about z\n[z]\nb = 2\n"
    assert remove_entry(before.encode(), KEYS) == b"a = 1\n\n# about z\n[z]\nb = 2\n"


def test_names_that_need_quotes() -> None:
    after = set_entry(None, ("mcp_servers", 'a "b".c'), {"env": {"x y": "\\d"}})
    assert tomllib.loads(after.decode()) == {"mcp_servers": {'a "b".c': {"env": {"x y": "\\d"}}}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = 1\nb = \n", r"is not valid TOML: invalid value \(at line 2"),
        (b"a = 1\na = 2\n", "is not valid TOML"),
        (b"mcp_servers = 1\n", "has something other than a table at mcp_servers"),
        (b"[[mcp_servers]]\na = 1\n", "has something other than a table at mcp_servers"),
        (b'a = "\xff"\n', "is not UTF-8 text"),
    ],
)
def test_case_56_what_cannot_be_changed_without_harm_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(Unmergeable, match=message):
        set_entry(data, KEYS, ENTRY)


def test_what_is_not_there_needs_no_removing() -> None:
    assert remove_entry(b"a = 1\n", KEYS) == b"a = 1\n"
    assert remove_entry(b"", KEYS) == b""
    assert get_entry(None, KEYS) is None
    assert get_entry(b"a = 1\n", ()) == {"a": 1}


LINES = st.lists(
    st.sampled_from(
        [
            "",
            "# note",
            "[a]",
            "[b.c]",
            "[[l]]",
            "x = 1",
            'y = """',
            '"""',
            "[mcp_servers.o]",
            "[mcp_servers]",
            "z = [",
            "]",
        ]
    ),
    max_size=9,
)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_adding_and_removing_is_doing_nothing(lines: list[str], newline: str, ended: bool) -> None:
    before = (newline.join(lines) + (newline if ended and lines else "")).encode()
    try:
        after = set_entry(before, KEYS, ENTRY)
    except Unmergeable as error:
        assert error.message
        return
    assert get_entry(after, KEYS) == ENTRY
    assert remove_entry(after, KEYS) == before


@given(
    st.lists(
        st.sampled_from(
            [
                "[mcp_servers.docs]",
                "[mcp_servers.docs.env]",
                "[mcp_servers.o]",
                "[[mcp_servers.docs.l]]",
                "[mcp_servers]",
                "[z]",
                'command = "x" # why',
                "env.B = 2",
                "env = { B = 2 }",
                'docs.command = "y"',
                "docs = {}",
                "args = [\n1, # one\n]",
                "",
                "# note",
            ]
        ),
        max_size=8,
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_an_entry_in_whatever_form_is_changed_and_goes_or_is_refused(lines: list[str], newline: str) -> None:
    before = newline.join(lines).encode()
    try:
        after = set_entry(before, KEYS, ENTRY)
        assert get_entry(after, KEYS) == ENTRY
        gone = remove_entry(after, KEYS)
    except Unmergeable as error:
        assert error.message
        return
    assert get_entry(gone, KEYS) is None
    others = tomllib.loads(gone.decode())
    expected = tomllib.loads(before.decode())
    expected.get("mcp_servers", {}).pop("docs", None)
    for held in (others, expected):
        held["mcp_servers"] = held.get("mcp_servers") or {}
    assert others == expected
