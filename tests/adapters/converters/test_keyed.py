"""JSON and YAML: sections, items, tables, comments, and what no person writes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.adapters.converters import jsonfiles, yamlfiles
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.core.converted import location_of


def from_json(text: str, name: str = "a.json") -> str:
    return jsonfiles.convert(text.encode(), name).markdown


def from_yaml(text: str) -> str:
    return yamlfiles.convert(text.encode(), "a.yaml").markdown


def test_plain_values_are_items_with_numbers_as_written() -> None:
    text = (
        '{"name": "\\ud55c\\uae00", "rate": 1.10, "big": 12345678901234567890123, "no": null, "yes": true, "none": []}'
    )
    assert from_json(text).split("\n") == [
        "- name: 한글",
        "- rate: 1.10",
        "- big: 12345678901234567890123",
        "- no: null",
        "- yes: true",
        "- none: []",
        "",
    ]


def test_line_ends_inside_values_are_those_of_the_text() -> None:
    assert from_json('"one\\rtwo\\r\\nthree"') == "one\ntwo\nthree\n"
    assert from_json('{"a": "one\\rtwo"}') == "- a: one two\n"
    assert from_json('[{"a\\nb": "1", "c": [2]}]') == "- a b: 1\n  - c:\n    - 2\n"


def test_large_groups_are_sections_and_come_after_plain_values() -> None:
    text = json.dumps({"server": {f"key{n}": n for n in range(8)}, "version": 2})
    converted = jsonfiles.convert(text.encode(), "a.json")
    lines = converted.markdown.split("\n")
    assert lines[:5] == ["- version: 2", "", "## server", "", "- key0: 0"]
    assert location_of(converted.stretches, (1, 1)) == "top level"
    assert location_of(converted.stretches, (5, 9)) == "key server"


def test_records_alike_are_a_table() -> None:
    text = '{"users": [{"id": 1, "name": "A|b"}, {"id": 2, "name": "C"}]}'
    assert from_json(text) == "## users\n\n| id | name |\n| --- | --- |\n| 1 | A\\|b |\n| 2 | C |\n"


def test_large_items_of_a_list_are_called_by_their_names() -> None:
    steps = [{"name": f"step {n}", "with": {f"k{m}": m for m in range(8)}, "after": ["x"]} for n in range(2)]
    converted = jsonfiles.convert(json.dumps({"steps": steps}).encode(), "a.json")
    assert "### step 1\n\n- name: step 1\n- after:\n  - x\n\n#### with\n" in converted.markdown
    assert location_of(converted.stretches, (len(converted.markdown.split("\n")) - 1,) * 2) == "key steps[1].with"


def test_text_of_several_lines_stays_text() -> None:
    text = json.dumps({"about": "# no heading\nmore\n\nlast", "script": "if x:\n    run ```\n"})
    assert from_json(text).split("\n") == [
        "- about:",
        "  \\# no heading",
        "  more",
        "",
        "  last",
        "- script:",
        "  ````",
        "  if x:",
        "      run ```",
        "  ````",
        "",
    ]


def test_one_value_a_line() -> None:
    converted = jsonfiles.convert(b'{"event": "start", "at": 1}\n\n{"event": "stop"}\n', "log.jsonl")
    assert converted.markdown == "- event: start\n- at: 1\n\n- event: stop\n"
    assert [each.location for each in converted.stretches] == ["key [1]", "key [3]"]


def test_small_items_of_a_list_are_located() -> None:
    converted = jsonfiles.convert(b'{"steps": ["a", "b", "c", "d", "e", "f", "g"]}', "a.json")
    assert location_of(converted.stretches, (4, 5)) == "key steps[1] to key steps[2]"


def test_what_is_no_json_is_read_as_text_and_said_to_be() -> None:
    converted = jsonfiles.convert(b'{\n  // the port\n  "port": 80\n}\n', "tsconfig.json")
    assert "// the port" in converted.markdown
    assert len(converted.warnings) == 1
    assert "no valid JSON (line 2" in converted.warnings[0]
    assert "(line 2" in jsonfiles.convert(b"1\n{\n", "a.jsonl").warnings[0]
    assert jsonfiles.convert(b" ", "a.json").warnings == ("it holds no text",)


def test_nesting_without_end_is_a_failure_with_a_reason() -> None:
    with pytest.raises(Unconvertible, match="nested too deep"):
        jsonfiles.convert(b"[" * 50_000 + b"]" * 50_000, "a.json")
    with pytest.raises(Unconvertible, match="nested too deep"):
        yamlfiles.convert(b"[" * 200 + b"]" * 200, "a.yaml")


def test_comments_of_yaml_are_kept_where_they_belong() -> None:
    text = "# Settings of the gateway\n\n# 포트\nport: 8080 # fixed\nhost: a#b\nlist:\n  - x # first\n  # 둘째\n  - y\n"
    assert from_yaml(text).split("\n") == [
        "Settings of the gateway",
        "",
        "- port: 8080 (포트 fixed)",
        "- host: a#b",
        "- list:",
        "  - x (first)",
        "  - y (둘째)",
        "",
    ]


def test_no_comment_is_found_inside_a_text() -> None:
    assert from_yaml('a: "x # y"\nb: |\n  # z\n  w\n') == "- a: x # y\n- b:\n  \\# z\n  w\n"


def test_documents_of_one_file_are_told_apart() -> None:
    converted = yamlfiles.convert(b"a: 1\n---\n# second\n\nb: 2\n---\n", "a.yml")
    assert converted.markdown == "## document 1\n\n- a: 1\n\n## document 2\n\nsecond\n\n- b: 2\n"


def test_anchors_and_tags_stay_as_written() -> None:
    assert from_yaml("a: &base {x: 1}\nb:\n  <<: *base\nc: !Ref d\n") == (
        "- a:\n  - &base\n  - x: 1\n- b:\n  - <<: *base\n- c: !Ref d\n"
    )


def test_aliases_cannot_multiply() -> None:
    levels = ["a0: &a0 [lol, lol, lol]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert len(from_yaml("\n".join(levels))) < 2_000


def test_a_template_of_yaml_is_read_as_text() -> None:
    converted = yamlfiles.convert(b"# chart\nname: {{ .Values.name }}\n{{- end }}\n", "deploy.yaml")
    assert converted.markdown.startswith("\\# chart\nname: {{ .Values.name }}")
    assert len(converted.warnings) == 1
    assert "it is no valid YAML (line" in converted.warnings[0]


VALUES = st.recursive(
    st.text(alphabet="abc 한글#-|`\n", min_size=1, max_size=12) | st.integers() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet="abk", min_size=1), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_no_word_is_lost(value: object) -> None:
    for text in (from_json(json.dumps(value)), from_yaml(json.dumps(value))):
        assert all(word in text for word in words(value))


def words(value: object) -> list[str]:
    if isinstance(value, dict):
        return [word for each in value.values() for word in words(each)]
    if isinstance(value, list):
        return [word for each in value for word in words(each)]
    return [word for word in str(value).split() if word.isalnum()] if isinstance(value, str) else []
