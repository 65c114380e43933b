"""The formats of `check`, held to what their readers ask for."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.linting.baseline import Entry
from docs_rag.core.linting.codes import BY_ID, CODES, Level
from docs_rag.core.linting.findings import Finding, Respelling
from docs_rag.core.reports import FORMATS, render
from docs_rag.core.reports.outcome import Outcome
from docs_rag.core.reports.text import statistics


def finding(path: str, line: int | None, code: str, message: str, level: Level | None = None) -> Finding:
    kind = BY_ID[code]
    mend = Respelling(1, "a", "b") if code == "DR005" else None
    return Finding(path=DocPath(path), line=line, code=kind, level=level or kind.level, message=message, mend=mend)


FINDINGS = (
    finding("adr/가 1.md", 12, "DR010", "100 %: a,b\nc"),
    finding("adr/가 1.md", None, "DR012", 'say "<&>"'),
    finding("b.md", 3, "DR005", "x"),
)
OUTCOME = Outcome(
    findings=FINDINGS, checked=("adr/가 1.md", "b.md", "c.md"), suppressed=2, known=5, below="docs", version="1.2.3"
)


def rendered(form: str, outcome: Outcome = OUTCOME) -> str:
    return "\n".join(render(outcome, form))


def test_text_groups_by_note_and_aligns() -> None:
    assert rendered("text").split("\n") == [
        "docs/adr/가 1.md",
        "  12  error    DR010 dangling-successor  100 %: a,b c",
        '      warning  DR012 one-sided-link      say "<&>"',
        "",
        "docs/b.md",
        "   3  info     DR005 misspelt-status     x",
        "",
        "3 findings in 2 notes: 1 error, 1 warning, 1 info (3 notes checked, 2 ignored by comments, 5 known to the"
        " baseline); --fix can mend 1 of them",
    ]


def test_text_of_nothing() -> None:
    assert rendered("text", Outcome(findings=(), checked=("a.md",))) == "nothing found (1 note checked)"
    stale = Outcome(findings=(), checked=(), stale=(Entry("DR010", "a.md", "00", "x"),))
    assert rendered("text", stale) == "nothing found (0 notes checked, 1 of the baseline no longer there)"


def test_statistics_count_by_code() -> None:
    more = Outcome(findings=(*FINDINGS, finding("z.md", 1, "DR012", "y")), checked=())
    assert list(statistics(more))[:3] == [
        "     2  warning  DR012 one-sided-link",
        "     1  info     DR005 misspelt-status",
        "     1  error    DR010 dangling-successor",
    ]


def test_json_has_the_keys_of_the_contract() -> None:
    document = json.loads(rendered("json"))
    assert list(document) == ["findings", "counts", "checked", "suppressed", "baseline", "stale"]
    assert document["findings"][0] == {
        "path": "adr/가 1.md",
        "line": 12,
        "code": "DR010",
        "name": "dangling-successor",
        "level": "error",
        "message": "100 %: a,b\nc",
        "fixable": False,
        "fingerprint": FINDINGS[0].fingerprint,
    }
    assert document["counts"] == {"error": 1, "warning": 1, "info": 1}
    assert (document["checked"], document["suppressed"], document["baseline"]) == (3, 2, 5)
    assert document["findings"][2]["fixable"] is True


def test_github_commands_are_escaped() -> None:
    assert rendered("github").split("\n") == [
        "::error file=docs/adr/가 1.md,line=12,title=DR010 dangling-successor::100 %25: a,b c",
        '::warning file=docs/adr/가 1.md,line=1,title=DR012 one-sided-link::say "<&>"',
        "::notice file=docs/b.md,line=3,title=DR005 misspelt-status::x",
    ]
    odd = Outcome(findings=(finding("a,b:c%.md", 1, "DR010", "x"),), checked=())
    assert rendered("github", odd).startswith("::error file=a%2Cb%3Ac%25.md,line=1,")


def test_sarif_is_what_the_standard_asks_for() -> None:
    log = json.loads(rendered("sarif"))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    assert log["$schema"].endswith("sarif-2.1.0.json")
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("docs-rag", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == [code.id for code in CODES]
    for rule in driver["rules"]:
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        assert rule["name"].isalnum()
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    for result in run["results"]:
        check_result(result, driver["rules"])


def check_result(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["message"]["text"]
    (location,) = result["locations"]
    artifact = location["physicalLocation"]["artifactLocation"]
    assert artifact["uriBaseId"] == "%SRCROOT%"
    assert artifact["uri"].startswith("docs/")
    assert artifact["uri"].isascii()
    assert " " not in artifact["uri"]
    assert location["physicalLocation"]["region"]["startLine"] >= 1
    assert len(result["partialFingerprints"]["docsRag/v1"]) == 24


def test_junit_counts_agree_and_only_errors_fail() -> None:
    root = ET.fromstring(rendered("junit"))
    suite = root[0]
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    cases = list(suite)
    assert [case.tag for case in cases] == ["testcase"] * 4
    assert int(suite.get("tests", "0")) == len(cases)
    assert int(suite.get("failures", "0")) == len(suite.findall("testcase/failure")) == 1
    assert [case.get("classname") for case in cases] == [
        "docs/adr/가 1.md",
        "docs/adr/가 1.md",
        "docs/b.md",
        "docs/c.md",
    ]
    assert cases[0].get("name") == "DR010 dangling-successor line 12"
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "100 %: a,b c"
    assert 'say "<&>"' in (cases[1].findtext("system-out") or "")


ODD = st.text(alphabet=st.characters(), max_size=20)


@pytest.mark.parametrize("form", list(FORMATS))
@given(rows=st.lists(st.tuples(ODD, ODD, st.sampled_from([code.id for code in CODES])), max_size=4))
def test_whatever_notes_are_called_the_report_can_be_read(form: str, rows: Sequence[tuple[str, str, str]]) -> None:
    findings = tuple(sorted((finding(p, 1, c, m) for p, m, c in rows), key=lambda each: each.path))
    text = rendered(form, Outcome(findings=findings, checked=tuple(each.path for each in findings)))
    text.encode("utf-8")
    assert not set("\x00\x1b\x85\u202e") & set(text)
    if form in ("json", "sarif"):
        json.loads(text)
    elif form == "junit":
        ET.fromstring(text)
    elif form == "github":
        assert len(text.split("\n")) == max(1, len(findings))
