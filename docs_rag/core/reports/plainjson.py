"""For scripts: one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator

from docs_rag.core.cleaning import shown
from docs_rag.core.reports.outcome import Outcome


def lines(outcome: Outcome) -> Iterator[str]:
    """The document of `check --json`; paths are relative to the vault, as everywhere in docs-rag's JSON."""
    document = {
        "findings": [
            {
                "path": shown(each.path),
                "line": each.line,
                "code": each.code.id,
                "name": each.code.name,
                "level": str(each.level),
                "message": shown(each.message),
                "fixable": each.mend is not None,
                "fingerprint": each.fingerprint,
            }
            for each in outcome.findings
        ],
        "counts": {str(level): count for level, count in outcome.counts.items()},
        "checked": len(outcome.checked),
        "suppressed": outcome.suppressed,
        "baseline": outcome.known,
        "stale": len(outcome.stale),
    }
    yield json.dumps(document, ensure_ascii=False, indent=2)
