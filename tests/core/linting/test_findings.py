"""Codes by what people write, fingerprints, baselines, comments that keep findings out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linted import corpus, lint, note

from docs_rag.core.documents import DocPath
from docs_rag.core.linting.baseline import Entry, compare, read_baseline, write_baseline
from docs_rag.core.linting.changed import is_blob
from docs_rag.core.linting.codes import BY_ID, CODES, Level, find_codes
from docs_rag.core.linting.findings import Finding, UnknownCode, choose
from docs_rag.core.linting.ignoring import without_ignored
from docs_rag.core.linting.rules import check
from docs_rag.errors import ConfigError


def finding(message: str = "x", code: str = "DR010", line: int | None = 3, path: str = "a.md") -> Finding:
    return Finding(path=DocPath(path), line=line, code=BY_ID[code], level=BY_ID[code].level, message=message)


def test_codes_are_named_by_id_name_and_beginning() -> None:
    assert [code.id for code in find_codes("dr012")] == ["DR012"]
    assert [code.id for code in find_codes("one_sided_link")] == ["DR012"]
    assert [code.id for code in find_codes("DR03")] == ["DR030", "DR031"]
    assert find_codes("one") == find_codes("") == find_codes("012") == ()
    assert len({code.id for code in CODES} | {code.name for code in CODES}) == 2 * len(CODES)


def test_a_selection() -> None:
    assert choose().levels == {code.id: code.level for code in CODES}
    assert choose(["DR01"], ["cycle"]).levels.keys() == {"DR010", "DR011", "DR012", "DR014", "DR015", "DR016", "DR017"}
    assert choose(["DR012"], levels={"DR01": "info", "one-sided-link": "error"}).levels == {"DR012": Level.ERROR}
    with pytest.raises(UnknownCode, match="there is no code DR12, did you mean DR012"):
        choose(["DR12"])
    with pytest.raises(UnknownCode, match=r"there is no code DR099$"):
        choose(["DR099"])


def test_a_fingerprint_outlives_moved_lines_and_nothing_else() -> None:
    first = finding("not UTF-8: byte in line 5")
    assert (
        first.fingerprint == replace(first, line=90, message="not UTF-8: byte in line 7", level=Level.INFO).fingerprint
    )
    others = [finding("y"), finding(code="DR011"), finding(path="b.md")]
    assert len({each.fingerprint for each in (first, *others)}) == 4


@given(st.lists(st.tuples(st.text(max_size=5), st.sampled_from(["DR010", "DR012"])), max_size=6))
def test_a_baseline_knows_what_it_was_written_from(rows: list[tuple[str, str]]) -> None:
    findings = [finding(message, code) for message, code in rows]
    known = compare(findings, read_baseline(write_baseline(findings)))
    assert (known.fresh, known.known, known.stale) == ((), len(findings), ())


def test_one_entry_excuses_one_finding() -> None:
    entries = read_baseline(write_baseline([finding("x"), finding("gone")]))
    compared = compare([finding("x"), finding("x", line=9)], entries)
    assert [each.line for each in compared.fresh] == [9]
    assert [each.message for each in compared.stale] == ["gone"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "findings": []}',
        '{"version": 1, "findings": [{"code": "DR010"}]}',
        '{"version": 1}',
    ],
)
def test_what_is_no_baseline(text: str) -> None:
    with pytest.raises(ConfigError):
        read_baseline(text)


def test_a_baseline_is_an_entry_a_line() -> None:
    text = write_baseline([finding("결정"), finding("y")])
    assert text.count("\n") == 7
    assert "결정" in text
    assert isinstance(read_baseline("\ufeff" + text)[0], Entry)


WRONG = note("# B", status="superseded by ADR-0099")


def left(text: str) -> list[str]:
    vault = corpus({"adr/0001-a.md": text})
    return [each.code.id for each in without_ignored(check(vault, choose(["DR01", "DR03"])), vault.documents)[0]]


def status(before: str = "", same: str = "", after: str = "", head: str = "") -> str:
    return f"# A\n{head}\n## Status\n\n{before}\nSuperseded by ADR-0099 {same}\n\n{after}\n"


@pytest.mark.parametrize(
    "text",
    [
        status(same="<!-- docs-rag: ignore DR010 -->"),
        status(before="<!-- docs-rag: ignore dangling-successor -->"),
        status(before="%% docs-rag: ignore DR0 %%"),
        status(before="<!-- docs-rag: ignore DR031, DR010 -->\n"),
        status(head="\n<!-- docs-rag: ignore DR010 DR012 -->\n"),
        status(head="\n<!-- docs-rag: ignore -->\n"),
        "---\nstatus: superseded by ADR-0099 # docs-rag: ignore DR010\n---\n",
        "---\n# docs-rag: ignore DR010\nstatus: superseded by ADR-0099\n---\n",
    ],
)
def test_a_comment_keeps_a_finding_out(text: str) -> None:
    assert left(text) == []


@pytest.mark.parametrize(
    "text",
    [
        status(),
        status(same="<!-- docs-rag: ignore DR012 -->"),
        status(same="<!-- docs-rag: ignore nonsense -->"),
        status(after="<!-- docs-rag: ignore DR010 -->"),
        status(head="\n```\n<!-- docs-rag: ignore DR010 -->\n```\n"),
        status(head="\nWrite `<!-- docs-rag: ignore DR010 -->`.\n"),
        status(before="docs-rag: ignore DR010"),
    ],
)
def test_a_comment_that_is_elsewhere_or_of_another_code_does_not(text: str) -> None:
    assert left(text) == ["DR010"]


def test_ignored_findings_are_counted() -> None:
    vault = corpus({"a.md": status(same="<!-- docs-rag: ignore DR010 -->"), "b.md": WRONG})
    kept, ignored = without_ignored(check(vault, choose()), vault.documents)
    assert ([each.path for each in kept], ignored) == (["b.md"], 1)
    assert len(lint({"b.md": WRONG})) == 1


def test_ids_of_git() -> None:
    assert is_blob(b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
    assert is_blob(b"a\r\n", "78981922613b2afb6025042ff6bd878ac1994e85")
    assert is_blob(b"", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813")
    assert not is_blob(b"b\n", "78981922613b2afb6025042ff6bd878ac1994e85")
    assert not is_blob(b"", "")
