"""Question files: both forms, and what is said of one that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.questions import Question, Target, read_questions
from docs_rag.errors import DocsRagError

OWN = """\
questions:
  - question: how long does a session
      last
    answers: ./decisions/0034.md
    mustNot: decisions/0012.md
    kind: paraphrase
    id: 0012
  - question: which error says that a token is too old
    answers:
      - {path: reference/errors.md, heading: Error codes}
      - log.md#D-013
    alsoOk: [a.md, b.md]
    searchAll: true
    note: for people
  - question: who won the cup
    answers: none
"""
CORPUS = {
    "corpus": "made-up",
    "queries": [
        {
            "id": "q1",
            "query": "why paper",
            "lang": "en",
            "mode": "include_superseded",
            "answers": [{"path": "a.md", "heading": None, "why": "it says so"}],
            "also_ok": ["b.md"],
            "must_not": ["c.md"],
            "note": None,
        }
    ],
    "no_answer": [{"id": "q2", "query": "who won", "kind": "far", "expect": "no relevant results"}],
}
GOLDEN = Path(__file__).resolve().parents[3] / "shared" / "golden"


def test_our_own_form() -> None:
    assert read_questions([("q.yaml", OWN)]) == (
        Question(
            id="0012",
            text="how long does a session last",
            kind="paraphrase",
            answers=(Target("decisions/0034.md"),),
            must_not=("decisions/0012.md",),
        ),
        Question(
            id="which error says that a token is too old",
            text="which error says that a token is too old",
            answers=(Target("reference/errors.md", "Error codes"), Target("log.md#D-013")),
            also_ok=("a.md", "b.md"),
            search_all=True,
        ),
        Question(id="who won the cup", text="who won the cup"),
    )


def test_the_same_as_json() -> None:
    as_json = json.dumps(yaml.safe_load(OWN.replace("id: 0012", "id: '0012'")))
    assert read_questions([("q.json", as_json)]) == read_questions([("q.yaml", "\ufeff" + OWN)])


def test_the_form_of_corpora() -> None:
    first, second = read_questions([("c.json", json.dumps(CORPUS))])
    assert (first.answers, first.also_ok, first.must_not) == ((Target("a.md"),), ("b.md",), ("c.md",))
    assert (first.search_all, first.is_trap, first.is_answerable) == (True, False, True)
    assert (second.id, second.kind, second.is_answerable) == ("q2", "far", False)


@pytest.mark.skipif(not GOLDEN.is_dir(), reason="the corpora are not part of the repository")
@pytest.mark.parametrize(("name", "answerable", "unanswerable"), [("eips-lite", 41, 15), ("govuk-forms", 45, 15)])
def test_corpora_are_read_as_they_are(name: str, answerable: int, unanswerable: int) -> None:
    questions = read_questions([(name, (GOLDEN / f"{name}.json").read_text(encoding="utf-8"))])
    assert sum(each.is_answerable for each in questions) == answerable
    assert len(questions) == answerable + unanswerable


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "q.yaml: holds nothing, expected questions: and a list"),
        ("questions: []", "q.yaml: holds no questions"),
        ("questions: {a: b}", "q.yaml: questions is a mapping, expected a list"),
        ("- a", "q.yaml: holds a list, expected"),
        ("question: a", "q.yaml: unknown key 'question'"),
        ("questions: [who]", "q.yaml: questions[1]: is 'who', expected keys"),
        ("questions:\n- a: [b\n", "q.yaml is not valid YAML: did not find expected"),
        ('{"questions": [1,]}', "q.yaml is not valid JSON: a comma before"),
        ("questions:\n- {answers: a.md}", "questions[1]: has no question"),
        (
            "questions:\n- {question: who, answers: a.md}\n- {question: why}",
            "questions[2] (why): answers names no path",
        ),
        ("questions:\n- {question: who, answers: ''}", "answers names no path; write none"),
        ("questions:\n- {question: who, answer: a.md}", "unknown key 'answer'; did you mean answers?"),
        ("questions:\n- {question: who, answers: {path: a.md, head: b}}", "unknown key 'head'; did you mean heading?"),
        ("questions:\n- {question: who, answers: {heading: b}}", "answers holds nothing, expected a path"),
        ("questions:\n- {question: who, answers: [a.md, none]}", "answers names 'none', expected a path"),
        ("questions:\n- {question: who, answers: /etc/a.md}", "names '/etc/a.md', expected a path below the vault"),
        ("questions:\n- {question: who, answers: a.md, mustNot: [[b]]}", "mustNot holds a list, expected a path"),
        ("questions:\n- {question: who, answers: a.md, searchAll: often}", "searchAll is 'often', expected true or f"),
        ("queries:\n- {query: who, answers: a.md, mode: deep}", "mode is 'deep', expected default or include_sup"),
        ("questions:\n- {question: [who], answers: a.md}", "question is a list, expected a text"),
        ("questions:\n- {question: Who, answers: a.md}\n- {question: Who, answers: b.md}", "stands in q.yaml: ques"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(DocsRagError) as caught:
        read_questions([("q.yaml", text)])
    assert complaint in caught.value.message
    assert "--bootstrap" in caught.value.hint


def test_an_id_stands_once_over_all_files() -> None:
    with pytest.raises(DocsRagError, match=r"b.yaml: questions\[1\]: the same id or text stands in a.yaml"):
        read_questions([("a.yaml", OWN), ("b.yaml", "questions: [{question: who won the cup, answers: none}]")])


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["question", "query", "answers", "path", "mode", "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["questions", "queries", "no_answer"]), st.lists(_VALUES, max_size=3)))
def test_whatever_a_file_holds_it_is_read_or_refused_in_words(document: dict[str, object]) -> None:
    try:
        assert all(each.text and each.id for each in read_questions([("q.json", json.dumps(document))]))
    except DocsRagError as error:
        assert error.message.startswith("q.json")
