"""Text of well-known templates that was left in a record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_rag.core.linting.context import Context
from docs_rag.core.linting.corpus import Corpus
from docs_rag.core.linting.findings import Found

_PHRASES: Final = (
    r"valid\s+(?:\w+\s+){0,2}status(?:es)?\s+(?:are|include)",
    r"\[short title of solved problem and solution\]",
    r"\{short title[^{}\n]*\}",
    r"\{context and problem statement\}",
    r"\{title of option \d\}",
    r"\[option 1\]",
    r"the issue motivating this decision, and any context that influences or constrains the decision",
    r"the change that we're proposing or have agreed to implement",
    r"what becomes easier or more difficult to do and any risks introduced by the change",
    r"what is the issue that we're seeing that is motivating this decision or change\?",
    r"what is the change that we're proposing and/or doing\?",
    r"\{\{\s*(?:title|date|date:[\w-]+)\s*\}\}",
)
"""What the templates of adr-tools, MADR and Nygard, and note programs, say where an author should."""
_ANY: Final = re.compile("|".join(_PHRASES), re.IGNORECASE)
_CUE: Final = re.compile(
    r"valid |\[short|\{|\[option 1|motivating this|agreed to implement|risks introduced|and/or doing", re.IGNORECASE
)


def left_overs(corpus: Corpus) -> Iterator[Found]:
    """The first such text of each record that has a status of its own; forms to be filled in may hold it."""
    for subject in corpus.subjects.values():
        life, note = subject.lifecycle, subject.note
        if subject.part is not None or life.template or not life.status_text or "template" in note.path.casefold():
            continue
        if not _CUE.search(note.text):
            continue
        context = Context(note.text, note.body_start)
        for found in _ANY.finditer(note.text):
            line = note.text.count("\n", 0, found.start()) + 1
            column = found.start() - (note.text.rfind("\n", 0, found.start()) + 1)
            if context.is_prose(line) and not context.is_code(line, column):
                said = " ".join(found[0].split())
                yield Found("DR006", subject.path, line, f"'{said}' is text of a template")
                break
