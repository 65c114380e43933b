"""Whether the graph has to hear a record."""

from __future__ import annotations

import pytest

from docs_rag.core.lifecycle import Lifecycle
from docs_rag.core.status import Status
from docs_rag.core.utterance import is_partly_superseded, references_of, speaks


@pytest.mark.parametrize(
    "life",
    [
        Lifecycle(status=Status.SUPERSEDED),
        Lifecycle(template=True),
        Lifecycle(successors=("a",)),
        Lifecycle(claims=("a",)),
        Lifecycle(partial=("a",)),
        Lifecycle(partial_claims=("a",)),
        Lifecycle(status_text="partly superseded"),
        Lifecycle(status_text="Partially superseded", status=Status.DRAFT),
    ],
)
def test_it_speaks(life: Lifecycle) -> None:
    assert speaks(life)


@pytest.mark.parametrize(
    "life",
    [
        Lifecycle(),
        Lifecycle(status_text="accepted"),
        Lifecycle(status_text="Accepted on 2026-01-14"),
        Lifecycle(status=Status.REJECTED, status_text="rejected"),
        Lifecycle(status=Status.ARCHIVED, status_text="partly superseded"),
        Lifecycle(ids=("12",), date="2026-01-14"),
    ],
)
def test_it_says_nothing_of_others(life: Lifecycle) -> None:
    assert not speaks(life)


def test_references() -> None:
    life = Lifecycle(successors=("a",), claims=("b",), partial=("c",), partial_claims=("d",))
    assert references_of(life) == ("a", "b", "c", "d")


@pytest.mark.parametrize("text", ["", "accepted", "採用", "final and stable"])
def test_whole_records(text: str) -> None:
    assert not is_partly_superseded(Lifecycle(status_text=text))
