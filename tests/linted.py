"""Vaults for the linter, written down in the tests."""

from __future__ import annotations

from docs_rag.core.documents import DocPath
from docs_rag.core.linting.corpus import Corpus
from docs_rag.core.linting.findings import Finding, choose
from docs_rag.core.linting.rules import check
from docs_rag.core.parsing import parse_document


def corpus(files: dict[str, str]) -> Corpus:
    """Notes by path as a vault without vectors."""
    return Corpus(documents=[parse_document(DocPath(path), text) for path, text in files.items()])


def lint(files: dict[str, str], *select: str) -> list[Finding]:
    """What is found in it."""
    return check(corpus(files), choose(select))


def told(files: dict[str, str], *select: str) -> list[tuple[str, int | None, str]]:
    """The same, as path, line and code."""
    return [(each.path, each.line, each.code.id) for each in lint(files, *select)]


def note(body: str, **keys: str) -> str:
    """A note with frontmatter."""
    head = "\n".join(f"{key}: {value}" for key, value in keys.items())
    return f"---\n{head}\n---\n\n{body}\n" if keys else f"{body}\n"
