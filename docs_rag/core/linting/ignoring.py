"""Comments by which an author keeps findings of some codes out: `<!-- docs-rag: ignore DR012 -->`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from docs_rag.core.documents import DocPath, Document
from docs_rag.core.linting.codes import CODES, find_codes
from docs_rag.core.linting.context import Context
from docs_rag.core.linting.findings import Finding

_CUE: Final = "docs-rag:"
_COMMENT: Final = re.compile(
    r"(?:<!--|%%)\s*docs-rag:\s*ignore\b(?P<codes>[^\n<>%]{0,200}?)\s*(?:-->|%%)", re.IGNORECASE
)
_IN_METADATA: Final = re.compile(r"(?:^|\s)#\s*docs-rag:\s*ignore\b(?P<codes>[^\n#]{0,200})", re.IGNORECASE)


class Ignored(NamedTuple):
    """What one comment keeps out."""

    codes: frozenset[str]
    """Ids of codes."""
    lines: range | None
    """1-based lines of the file; None for the whole note."""


def is_ignored(finding: Finding, ignored: Iterable[Ignored]) -> bool:
    """Whether one of the comments of its note keeps a finding out."""
    return any(
        finding.code.id in each.codes and (each.lines is None or (finding.line or 1) in each.lines) for each in ignored
    )


def without_ignored(findings: Iterable[Finding], documents: Iterable[Document]) -> tuple[list[Finding], int]:
    """The findings that no comment keeps out, and how many are kept out."""
    comments: dict[DocPath, tuple[Ignored, ...]] = {
        each.path: tuple(read_ignored(each)) for each in documents if _CUE in each.text
    }
    all_of_them = list(findings)
    kept = [each for each in all_of_them if not is_ignored(each, comments.get(each.path, ()))]
    return kept, len(all_of_them) - len(kept)


def read_ignored(document: Document) -> Iterator[Ignored]:
    """What the comments of a note keep out.

    In the frontmatter and above the first section (a heading of the second level or deeper) a comment holds for the
    whole note; elsewhere for its own line and for the next one that is not blank. In a fence it is an example.
    """
    context = Context(document.text, document.body_start)
    for number, line in enumerate(context.lines, 1):
        if _CUE not in line:
            continue
        if number <= document.body_start:
            yield from (Ignored(codes, None) for codes in _codes(_IN_METADATA, line))
        elif not context.is_example(number) and not context.is_code(number, line.index(_CUE)):
            lines = None if number <= context.head else range(number, _next(context, number) + 1)
            yield from (Ignored(codes, lines) for codes in _codes(_COMMENT, line))


def _codes(pattern: re.Pattern[str], line: str) -> Iterator[frozenset[str]]:
    for found in pattern.finditer(line):
        words = re.split(r"[\s,]+", found["codes"].strip(" ,"))
        named = [code.id for word in words if word for code in find_codes(word)]
        yield frozenset(named) if any(words) else frozenset(code.id for code in CODES)


def _next(context: Context, line: int) -> int:
    return next((n for n in range(line + 1, len(context.lines) + 1) if context.lines[n - 1].strip()), line)
