"""The problems that reading and resolving a vault has come upon, as findings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_rag.core.documents import DocPath, Problem
from docs_rag.core.linting.codes import PROBLEMS
from docs_rag.core.linting.corpus import Corpus, Subject
from docs_rag.core.linting.findings import BackLink, Found
from docs_rag.core.linting.places import line_of

_CLAIMANT: Final = re.compile(r"(?P<newer>.+) says that it replaced this note\b", re.DOTALL)
_NAMED_TEMPLATE: Final = re.compile(r"template|boilerplate|skeleton|템플릿|양식|模板|雛形|テンプレート", re.IGNORECASE)
_ENDING: Final = re.compile(r"its successors end in (?P<last>.+), which is \w+", re.DOTALL)
_BREAKS: Final = frozenset({"dangling", "ambiguous", "no-successor", "cycle"})
_ELSEWHERE: Final = frozenset({"unknown-status"})
"""Told of by a rule of its own."""


def problems(corpus: Corpus) -> Iterator[Found]:
    """Every problem of the files, the records and the graph."""
    for skipped in corpus.skipped:
        if skipped.code in PROBLEMS:
            yield Found(PROBLEMS[skipped.code], skipped.path, None, f"it cannot be read: {skipped.message}")
    for path, subject in corpus.subjects.items():
        standing = corpus.standings.get(path)
        for problem in (*subject.problems, *(() if standing is None else standing.problems)):
            if problem.code not in PROBLEMS or problem.code in _ELSEWHERE:
                continue
            if not _is_meant(subject, problem) and not _is_told_at_the_end(corpus, problem):
                line = line_of(subject, problem, corpus.rules)
                mend = _mend(corpus, path, problem)
                yield Found(PROBLEMS[problem.code], path, line, problem.message, mend)


def _is_meant(subject: Subject, problem: Problem) -> bool:
    """A file that is called a template may well be one."""
    return problem.code == "template" and _NAMED_TEMPLATE.search(subject.note.path) is not None


def _is_told_at_the_end(corpus: Corpus, problem: Problem) -> bool:
    """A line that breaks off is told of where it does, not at every record that leads there."""
    found = _ENDING.match(problem.message) if problem.code == "dead-end" else None
    standing = None if found is None else corpus.standings.get(DocPath(found["last"]))
    return standing is not None and any(each.code in _BREAKS for each in standing.problems)


def _mend(corpus: Corpus, older: DocPath, problem: Problem) -> BackLink | None:
    """A one-sided link is mended at the older end; where that has no room for one, not at all."""
    if problem.code != "one-sided" or (found := _CLAIMANT.match(problem.message)) is None:
        return None
    newer = DocPath(found["newer"])
    return BackLink(older, newer) if newer in corpus.subjects else None
