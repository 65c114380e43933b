"""The metadata block: forms and faults as text cases, agreement with YAML, nothing raised."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
import yaml
from casefiles import Case, cases
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_rag.core.frontmatter import Frontmatter, fold_key, read_frontmatter, read_sidecar


def _characters(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text.replace("\\t", "\t"))


def _shown(frontmatter: Frontmatter) -> str:
    """The block in the notation of the cases."""
    entries = [
        f"{key}: {' | '.join(entry.values)}".replace("\n", "\\n").rstrip() for key, entry in frontmatter.entries.items()
    ]
    problems = [f"problem {each.line}" for each in frontmatter.problems]
    assert {each.code for each in frontmatter.problems} <= {"yaml"}
    return "\n".join([*entries, f"lines {frontmatter.lines}", *problems])


@pytest.mark.parametrize("case", cases("frontmatter.txt"))
def test_block(case: Case) -> None:
    assert _shown(read_frontmatter(_characters(case.given))) == case.expected


def test_case_08_crlf_makes_no_difference_after_decoding() -> None:
    assert read_frontmatter("---\nstatus: a\n---\n") == read_frontmatter("\ufeff---\nstatus: a\n---\n")


def test_entry_keeps_key_and_line_as_written() -> None:
    entry = read_frontmatter("\n---\n# c\nSuperseded-By: b.md\n---\n").entries["supersededby"]
    assert (entry.key, entry.line, entry.is_list) == ("Superseded-By", 4, False)


def test_values_takes_the_first_key_that_has_one() -> None:
    block = read_frontmatter("---\ntitle:\nname: b\n---\n")
    assert block.values("title", "name") == ("b",)
    assert block.values("nothing") == ()


@pytest.mark.parametrize(
    "key", ["superseded_by", "Superseded-By", "supersededBy", "SUPERSEDED BY", "**superseded by**"]
)
def test_fold_key(key: str) -> None:
    assert fold_key(key) == "supersededby"


@pytest.mark.parametrize(
    "value",
    [
        "[" * 5_000,
        "{" * 5_000,
        "- " * 5_000,
        "'" * 100_001,
        '["' * 20_000,
        "a: " * 5_000,
        "x" * 700_000,
        "&a [" + "*a," * 2_000 + "]",
        "\\" * 10_000,
        "# " * 10_000,
    ],
    ids=lambda value: value[:6],
)
def test_hostile_value_costs_only_itself(value: str) -> None:
    block = read_frontmatter(f"---\nbad: {value}\nstatus: draft\n---\n")
    assert block.entries["status"].values == ("draft",)


def test_aliases_that_multiply_stay_small() -> None:
    levels = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    block = read_frontmatter("---\nbomb:\n" + "".join(f"  {level}\n" for level in levels) + "status: draft\n---\n")
    assert len(block.entries["bomb"].values) <= 1_000
    assert block.entries["status"].values == ("draft",)


def test_many_bad_lines_list_few_problems() -> None:
    block = read_frontmatter("---\n" + "".join(f"k{n}: [x\n" for n in range(500)) + "status: draft\n---\n")
    assert len(block.problems) == 10
    assert block.entries["status"].values == ("draft",)


def test_a_rule_far_below_closes_nothing() -> None:
    text = "---\nstatus: draft\n\n" + "Words of the note.\n" * 40_000 + "---\n"
    assert read_frontmatter(text).lines == 2


def test_plain_notes_load_no_yaml_parser() -> None:
    code = (
        "import sys\n"
        "from docs_rag.core.frontmatter import read_frontmatter\n"
        "read_frontmatter('---\\nstatus: draft\\ntags: [a, b]\\nby:\\n  - \"[[c]]\"\\n---\\n')\n"
        "sys.exit('yaml' in sys.modules or 'frontmatter' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


_words = st.text(st.sampled_from("abzAZ019éß日 _./-+:#[]{}'\"|,&*!?%@`~<>()\\"), max_size=24)
_keys = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _double(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _loaded(block: str) -> dict[str, object] | None:
    try:
        loaded = yaml.load(block, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, ValueError, TypeError):
        return None
    return loaded if isinstance(loaded, dict) else None


_plain = _words.filter(lambda text: _loaded(f"k: {text}\n") is not None)
"""A quote that one line opens and another closes is two bad lines here, not one value."""
_scalars = st.one_of(_plain, _words.map(_quoted), _words.map(_double))
_values = st.one_of(
    _scalars,
    st.lists(_scalars, max_size=3).map(lambda items: "[" + ", ".join(items) + "]"),
    st.lists(_scalars, min_size=1, max_size=3).map(lambda items: "\n" + "\n".join(f"  - {item}" for item in items)),
)


def _leaves(value: object) -> list[str]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [str(value)] if value else []


def _means_something_else_here(block: str) -> bool:
    """True for what is read as its author meant it, and for corners in which YAML parsers differ."""
    return bool(re.search(r"\[\[|[:\-\[,] *#\S|\{\{|<%|[&*!?]|:[\[{]", block))


@settings(derandomize=True, max_examples=300)
@given(st.dictionaries(_keys.map(str.lower), _values, min_size=1, max_size=5))
def test_valid_yaml_reads_as_yaml_has_it(entries: dict[str, str]) -> None:
    block = "".join(f"{key}: {value}\n" for key, value in entries.items())
    loaded = _loaded(block)
    if loaded is None or _means_something_else_here(block) or len({fold_key(key) for key in loaded}) < len(loaded):
        return
    read = read_frontmatter(f"---\n{block}---\n")
    assert {key: list(entry.values) for key, entry in read.entries.items()} == {
        fold_key(key): _leaves(value) for key, value in loaded.items()
    }


@given(st.text(max_size=300), st.text(max_size=60))
def test_nothing_is_raised_and_no_line_is_lost(text: str, body: str) -> None:
    for whole in (text, f"---\n{text}", f"---\n{text}\n---\n{body}", f"---\nstatus: draft\n{text}\n---\n{body}"):
        block = read_frontmatter(whole)
        assert 0 <= block.lines <= whole.count("\n") + 1


@given(
    st.lists(
        st.sampled_from(["a: b", "- x", "  y", "", "prose here", "# h", "---", "...", "k: [", "\tq", "z："]),
        max_size=12,
    )
)
def test_lines_in_any_order(lines: list[str]) -> None:
    block = read_frontmatter("---\n" + "\n".join(lines))
    assert all(1 < entry.line <= block.lines for entry in block.entries.values())


_odd = st.one_of(
    st.sampled_from(
        [
            "\ttitle: Sessions",
            "  title: Sessions",
            "title:Sessions",
            "? {a: b}",
            "- a",
            "-",
            "%YAML 1.2",
            "{{title}}",
            "{a: b}",
            "broken line",
            "http://example.org/a",
            "10:30",
            "k: [",
            'k: "',
            "k: |",
            "  more",
            "=====",
            "\x07bell: x",
            "[[Note]]",
            "*emphasis*",
            "@someone",
        ]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1, max_size=30),
).filter(lambda line: line.strip() != "" and re.match(r"(?:---|\.\.\.)[ \t]*$|.*status", line, re.IGNORECASE) is None)


@given(st.lists(_odd, max_size=6), st.lists(_odd, max_size=6), st.sampled_from(["status: ", "Status：", "status:"]))
def test_a_status_between_odd_lines_is_found(before: list[str], after: list[str], key: str) -> None:
    block = read_frontmatter("\n".join(["---", *before, f"{key}superseded", *after, "---", "", "# Title", ""]))
    assert block.entries["status"].values[0].startswith("superseded")
    assert block.lines == len(before) + len(after) + 3


@pytest.mark.parametrize(
    "text",
    [
        "---\nWords between two rules.\n---\n",
        "---\nWords between two rules.\nRemember: they are words.\n---\n",
        "---\nSome words.\n\nMore words, see http://example.org.\n---\n",
        "---\n- a list\n- of things\n---\n",
        "---\nhttp://example.org\n---\n",
        "---\n10:30\n---\n",
        "---\nfoo:bar\n---\n",
        "+++\nWords between plus signs.\n+++\n",
        '+++\nstatus = "draft"\n',
    ],
)
def test_text_between_two_rules_is_no_metadata(text: str) -> None:
    assert read_frontmatter(text) == Frontmatter()


def test_an_indented_key_below_a_text_is_a_slip_and_below_nothing_belongs_to_it() -> None:
    assert read_frontmatter("---\ntitle: a\n  status: draft\n---\n").values("status") == ("draft",)
    assert read_frontmatter("---\ntags:\n  - a\n  status: draft\n---\n").values("status") == ("draft",)
    for nested in ("build:\n  status: draft", "build: |\n  status: draft", "jobs:\n  - name: a\n    status: draft"):
        assert read_frontmatter(f"---\n{nested}\n---\n").values("status") == ()


@pytest.mark.parametrize("end", ["---\n", "\n# Title\n"])
def test_long_metadata_loses_no_later_line(end: str) -> None:
    block = "".join(f"key{n}: {'value ' * 10}\n" for n in range(4_000))
    assert read_frontmatter(f"---\n{block}status: draft\n{end}").values("status") == ("draft",)


def test_brackets_within_brackets_end_somewhere() -> None:
    block = read_frontmatter(f"---\ntags: {'[' * 3_000}a{']' * 3_000}\nstatus: draft\n---\n")
    assert block.values("status") == ("draft",)
    assert [each.line for each in block.problems] == [2]


def test_toml_as_hugo_and_zola_have_it() -> None:
    text = """+++
title = "Sessions # and \'tokens\'"  # a remark
date = 2026-01-14T09:00:00Z
tags = [
  "auth", # one
  \'sessions\',
]
draft = false
description = \"\"\"
Over
lines\"\"\"

[extra]
"superseded-by" = ["0034.md", "0035.md"]
status = \'superseded\'
+++
# Sessions
"""
    block = read_frontmatter(text)
    assert {key: entry.values for key, entry in block.entries.items()} == {
        "title": ("Sessions # and 'tokens'",),
        "date": ("2026-01-14T09:00:00Z",),
        "tags": ("auth", "sessions"),
        "draft": ("false",),
        "description": ("Over lines",),
        "supersededby": ("0034.md", "0035.md"),
        "status": ("superseded",),
    }
    assert (block.lines, block.problems) == (16, ())
    assert block.entries["status"].line == 15


def test_the_status_of_a_table_does_not_overrule_the_notes_own() -> None:
    block = read_frontmatter('+++\nstatus = "accepted"\nwhat is this\n[menu]\nstatus = "draft"\n+++\n')
    assert block.values("status") == ("accepted",)
    assert [each.line for each in block.problems] == [3]


@given(st.text(max_size=200), st.text("\"'[]{}=#,ab\n", max_size=60))
def test_no_toml_and_no_sidecar_raises(text: str, signs: str) -> None:
    for whole in (f"+++\n{text}\n+++\n", f"+++\na = {signs}\n+++\n", f"+++\na = [{signs}\n+++"):
        assert read_frontmatter(whole).lines <= whole.count("\n") + 1
    read_sidecar(text)


def test_a_sidecar_is_metadata_from_its_first_line_on() -> None:
    for text in (
        "title: a\nstatus: draft\n",
        "---\ntitle: a\nstatus: draft\n---\nstatus: other\n",
        "\n# c\nstatus: draft",
    ):
        assert read_sidecar(text).values("status") == ("draft",)
    assert read_sidecar("") == Frontmatter()
