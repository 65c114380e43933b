"""Every code with an example that gives it and one that does not: the ones that `--explain` shows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from docs_rag.core.documents import DocPath, Document, Skipped
from docs_rag.core.linting.codes import BY_ID, CODES
from docs_rag.core.linting.corpus import Close, Corpus
from docs_rag.core.linting.explained import EXPLANATIONS, explain
from docs_rag.core.linting.findings import choose
from docs_rag.core.linting.rules import RULES, check
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.ports import Unreadable


def corpus(files: Mapping[str, str]) -> Corpus:
    """The files as a vault; U+FFFD stands for a byte that is no UTF-8, and all notes are close in meaning."""
    documents: list[Document] = []
    skipped: list[Skipped] = []
    for name, text in files.items():
        path = DocPath(name)
        try:
            documents.append(parse_document(path, decode(text.encode().replace("\ufffd".encode(), b"\xe9"))))
        except Unreadable as error:
            skipped.append(Skipped(path, error.code, str(error)))
    paths = sorted(each.path for each in documents)
    close = [Close(0.9, first, second) for first in paths for second in paths if first < second]
    return Corpus(documents=documents, skipped=skipped, close=lambda _: close)


@pytest.mark.parametrize("code", [code.id for code in CODES])
def test_the_wrong_example_gives_its_code(code: str) -> None:
    findings = check(corpus(EXPLANATIONS[code].wrong), choose([code]))
    assert [each.code.id for each in findings] == [code] * len(findings)
    assert findings


@pytest.mark.parametrize("code", [code.id for code in CODES])
def test_the_wrong_example_is_wrong_in_one_way(code: str) -> None:
    findings = check(corpus(EXPLANATIONS[code].wrong), choose(ignore=["DR031"] if code != "DR031" else []))
    beside = {"DR011": {"DR020"}, "DR004": set(), "DR013": set()}.get(code, set())
    assert {each.code.id for each in findings} <= {code} | beside


@pytest.mark.parametrize("code", [code.id for code in CODES])
def test_the_right_example_gives_nothing(code: str) -> None:
    findings = check(corpus(EXPLANATIONS[code].right), choose(ignore=["DR031"] if code != "DR031" else []))
    assert findings == []


def test_every_code_is_explained_and_found_by_a_rule() -> None:
    assert list(EXPLANATIONS) == [code.id for code in CODES]
    assert {code for rule in RULES for code in rule.codes} == BY_ID.keys()


def test_an_explanation_reads_as_a_page() -> None:
    lines = list(explain(BY_ID["DR012"]))
    assert lines[0] == "DR012 one-sided-link (warning): a record was replaced by one that it does not name"
    assert "Wrong: adr/0003-nightly-copies.md" in lines
    assert "    status: accepted" in lines
    assert "docs-rag: ignore DR012" in lines[-1]
    assert all(len(line) < 800 and "\n" not in line for line in lines)
