"""For code scanning: a SARIF 2.1.0 log.

Format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

from docs_rag.core.cleaning import one_line, shown_path
from docs_rag.core.linting.codes import CODES, Code, Level
from docs_rag.core.linting.explained import EXPLANATIONS
from docs_rag.core.linting.findings import Finding
from docs_rag.core.reports.outcome import Outcome

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}
_INDEX: Final = {code.id: place for place, code in enumerate(CODES)}


def lines(outcome: Outcome) -> Iterator[str]:
    """The log, with every code as a rule; uris are relative to the repository's root."""
    driver = {"name": "docs-rag", "version": outcome.version or "0", "rules": [_rule(code) for code in CODES]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": [_result(each, outcome) for each in outcome.findings],
    }
    yield json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _rule(code: Code) -> dict[str, Any]:
    explanation = EXPLANATIONS[code.id]
    return {
        "id": code.id,
        "name": "".join(part.capitalize() for part in code.name.split("-")),
        "shortDescription": {"text": code.meaning},
        "fullDescription": {"text": explanation.why},
        "help": {"text": f"{explanation.why} {explanation.mend}"},
        "defaultConfiguration": {"level": _LEVELS[code.level]},
    }


def _result(finding: Finding, outcome: Outcome) -> dict[str, Any]:
    uri = quote(shown_path(outcome.place(finding.path)))
    return {
        "ruleId": finding.code.id,
        "ruleIndex": _INDEX[finding.code.id],
        "level": _LEVELS[finding.level],
        "message": {"text": one_line(finding.message)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": finding.line or 1},
                }
            }
        ],
        "partialFingerprints": {"docsRag/v1": finding.fingerprint},
    }
