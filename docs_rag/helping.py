"""Processes that parse notes while `index` writes them: this module starts them, and is what they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.core.statusrules import StatusRules
from docs_rag.core.terms import UnicodeAnalyser

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.adapters.helpers.pool import HelperPool

MODULE: Final = "docs_rag.helping"
ANALYSER: Final = UnicodeAnalyser()
"""Reads the words of every index."""


def open_helpers(rules: StatusRules) -> HelperPool | None:
    """Helpers that read notes by these rules; None where there is but one processor."""
    from docs_rag.adapters.helpers.pool import MOST, HelperPool, processors  # noqa: PLC0415  # for many notes alone

    count = min(processors(), MOST)
    return HelperPool(MODULE, rules.packed().encode("ascii"), count) if count > 1 else None


def prepare(first: bytes) -> Callable[[bytes], bytes]:
    """What turns packed notes into packed drafts, by the rules in the first message."""
    from docs_rag.adapters.sqlite.rows import draft  # noqa: PLC0415
    from docs_rag.app.drafting import draft_packed  # noqa: PLC0415

    rules = StatusRules.unpacked(first.decode("ascii"))
    return lambda packed: draft_packed(
        packed, rules, lambda document, chunks, digests: draft(document, chunks, digests, ANALYSER)
    )


def main() -> None:
    """Parse notes for the process that started this one, until it ends."""
    from docs_rag.adapters.helpers.answering import answer  # noqa: PLC0415

    answer(prepare)


if __name__ == "__main__":
    main()
