"""For CI servers that show test results: JUnit XML.

Errors are failed tests; warnings and remarks pass, as the exit status has it, with their text beside them. A note
without findings is one passed test.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from docs_rag.core.cleaning import one_line
from docs_rag.core.linting.codes import Level
from docs_rag.core.linting.findings import Finding
from docs_rag.core.reports.outcome import Outcome

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document may hold (https://www.w3.org/TR/xml/#charsets)."""


def lines(outcome: Outcome) -> Iterator[str]:
    """The document: one suite, the tests in the order of paths."""
    by_note = {path: list(group) for path, group in groupby(outcome.findings, key=lambda each: each.path)}
    paths = sorted({*outcome.checked, *by_note})
    tests = sum(max(1, len(by_note.get(path, ()))) for path in paths)
    counts = f'tests="{tests}" failures="{outcome.counts[Level.ERROR]}" errors="0"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="docs-rag check" {counts}>'
    yield f'  <testsuite name="docs-rag check" {counts} skipped="0">'
    for path in paths:
        yield from _tests(outcome.place(path), by_note.get(path, []))
    yield "  </testsuite>"
    yield "</testsuites>"


def _tests(path: str, findings: list[Finding]) -> Iterator[str]:
    if not findings:
        yield f'    <testcase classname={_attribute(path)} name="check"/>'
    for finding in findings:
        place = "" if finding.line is None else f" line {finding.line}"
        name = _attribute(f"{finding.code.title}{place}")
        yield f"    <testcase classname={_attribute(path)} name={name} file={_attribute(path)}>"
        yield from _told(finding, f"{path}:{finding.line or 1}: {finding.message}")
        yield "    </testcase>"


def _told(finding: Finding, text: str) -> Iterator[str]:
    if finding.level is Level.ERROR:
        yield f'      <failure type="{finding.level}" message={_attribute(finding.message)}>{_text(text)}</failure>'
    else:
        yield f"      <system-out>{_text(f'{finding.level}: {text}')}</system-out>"


def _text(text: str) -> str:
    return html.escape(_NOT_XML.sub("\ufffd", one_line(text)))


def _attribute(text: str) -> str:
    return f'"{_text(text)}"'
