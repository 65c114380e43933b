"""Every way to write a status that people use, and every page that only looks as if it had one."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet
from casefiles import cases

from docs_rag.core.documents import DocPath
from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.parsing import parse_document


def _notes() -> list[ParameterSet]:
    found = []
    for param in cases("heads.txt"):
        case = param.values[0]
        for number, text in enumerate(case.given.split("\n%%\n"), start=1):  # type: ignore[union-attr]
            found.append(pytest.param(text, case.expected, id=f"{param.id} {number}"))  # type: ignore[union-attr]
    return found


def _shown(life: Lifecycle, expected: str) -> str:
    """The state and the successors, and the rest where the case speaks of it."""
    shown = [str(life.status)]
    shown += ["by " + " | ".join(life.successors)] * bool(life.successors)
    if "parts" in expected:
        shown.append("parts by " + " | ".join(life.partial) if life.partial else "parts")
    if ", on " in expected:
        shown.append(f"on {life.superseded_on}")
    if "claims" in expected:
        shown.append("claims " + " | ".join(life.claims))
    return ", ".join(shown)


@pytest.mark.parametrize(("text", "expected"), _notes())
def test_a_head_is_read_as_a_person_reads_it(text: str, expected: str) -> None:
    has_title = text.startswith(("# ", "---\n", "- # ")) or "\n# " in text
    document = parse_document(DocPath("note.md"), text if has_title else f"# Queue\n\n{text}")
    assert _shown(document.lifecycle, expected) == expected
    assert not document.lifecycle.template
