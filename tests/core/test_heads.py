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


LOGS = (
    (
        "## D-1 Queue\n\nStatus: Accepted\n\n## D-2 Broker → Superseded by D-3\n\n## D-3 Bus\n\n- Status: accepted\n",
        "D-2",
    ),
    ("### ADR-1: Queue (superseded by ADR-2)\n\ntext\n\n### ADR-2: Broker\n\ntext\n", "ADR-1"),
    ("## ~~D-1 Queue~~\n\nSuperseded by D-2.\n\n## D-2 Broker\n\ntext\n", "D-1"),
    ("## D-1 Queue\n\n**Status:** Superseded by [D-2](#d-2)\n\n## D-2 Broker\n\n**Status:** Accepted\n", "D-1"),
    ("## RFC 2616 (obsoleted by RFC 7230)\n\ntext\n\n## RFC 7230\n\ntext\n", "RFC 2616"),
    ("## D-1 Queue\n\nStatus: Accepted (moved from the wiki)\n\n## D-2 Broker\n\nAccepted\n", ""),
)


@pytest.mark.parametrize(("text", "ended"), LOGS)
def test_a_decision_of_a_log_ends_alone(text: str, ended: str) -> None:
    document = parse_document(DocPath("log.md"), f"# Log\n\n{text}")
    hidden = [part.anchor for part in document.parts if part.lifecycle.status.is_hidden]
    assert (hidden, len(document.parts) > 1) == ([ended] * bool(ended), True)
    assert not document.lifecycle.status.is_hidden


NO_LOGS = (
    "## 1.2.0\n\n### Deprecated\n\n- x\n\n## 1.1.0\n\n- y\n",
    "## Option 1\n\nRejected.\n\n## Option 2\n\nAccepted.\n",
    "## Q1 Is it deprecated?\n\nDeprecated since 2024.\n",
    "## GET /v1 (deprecated)\n\ntext\n\n## GET /v2\n\ntext\n",
    "## v1 (deprecated)\n\ntext\n\n## v2\n\ntext\n",
    "## HTTP 301 (moved)\n\ntext\n",
)


@pytest.mark.parametrize("text", NO_LOGS)
def test_sections_that_are_no_decisions(text: str) -> None:
    document = parse_document(DocPath("page.md"), f"# Page\n\n{text}")
    assert (document.parts, document.lifecycle.status.is_hidden) == ((), False)
