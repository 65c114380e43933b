"""The size of a first index, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fakes import FakeEmbedder, MemoryVault

from docs_rag.app.estimating import BATCH, MOST_READ, PATIENCE, WARM_UP, Estimate, estimate
from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.errors import EmbedderUnavailable


class SlowEmbedder(FakeEmbedder):
    """Moves its own clock on for every text, and much for the first call."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.now = 0.0
        self._seconds = seconds

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        self.now += self._seconds * len(texts) + (100 if not self.batches else 0)
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> Vector:
        raise AssertionError("no question is asked here")


def vault(notes: int, sections: int = 2) -> tuple[MemoryVault, list[DocPath]]:
    body = "".join(f"## Part {part}\n\nWords {part} of it.\n\n" for part in range(sections))
    made = MemoryVault({f"{number}.md": f"# Note {number}\n\n{body}" for number in range(notes)})
    return made, [each.path for each in made.scan() if isinstance(each, FileStamp)]


def test_sections_are_counted_by_a_sample() -> None:
    made, paths = vault(300)
    assert estimate(made, paths, None) == Estimate(600, None)
    assert len(made.reads) <= MOST_READ


def test_notes_of_one_folder_are_looked_at_all_over() -> None:
    short = {f"{number:03}.md": "# Short\n" for number in range(100)}
    long = {f"{number}.md": f"# Long\n\n{'## Part' + chr(10) + 'Words.' + chr(10)}" * 3 for number in range(100, 200)}
    made = MemoryVault({**short, **long})
    paths = [each.path for each in made.scan() if isinstance(each, FileStamp)]
    found = estimate(made, paths, None)
    assert {int(path[:-3]) // 100 for path in made.reads} == {0, 1}
    assert len(made.reads) == MOST_READ
    assert found.sections == pytest.approx(sum(estimate(made, [path], None).sections for path in paths), rel=0.05)


def test_the_texts_of_the_trial_come_from_all_over() -> None:
    made, paths = vault(60, sections=1)
    embedder = SlowEmbedder(0.5)
    estimate(made, paths, embedder, lambda: embedder.now)
    numbers = [int(text.split()[1]) for text in embedder.embedded]
    assert max(numbers) - min(numbers) > 30


def test_the_time_is_that_of_a_trial_without_its_beginning() -> None:
    made, paths = vault(300)
    embedder = SlowEmbedder(0.5)
    found = estimate(made, paths, embedder, lambda: embedder.now)
    assert found == Estimate(600, 300.0)
    assert [len(batch) for batch in embedder.batches] == [WARM_UP, BATCH]


def test_a_fast_model_is_tried_until_the_patience_ends_or_the_texts() -> None:
    made, paths = vault(300)
    embedder = SlowEmbedder(0.05)
    found = estimate(made, paths, embedder, lambda: embedder.now)
    assert found.seconds == pytest.approx(30.0)
    assert PATIENCE / 0.05 <= len(embedder.embedded) - WARM_UP < PATIENCE / 0.05 + BATCH


def test_small_vaults_are_not_worth_a_trial() -> None:
    made, paths = vault(10)
    embedder = FakeEmbedder()
    assert estimate(made, paths, embedder) == Estimate(20, None)
    assert embedder.batches == []


def test_a_clock_that_stands_still_tells_no_time() -> None:
    made, paths = vault(40)
    assert estimate(made, paths, FakeEmbedder(), lambda: 0.0) == Estimate(80, None)


def test_notes_that_cannot_be_read_are_left_out_of_the_sample() -> None:
    made, paths = vault(4)
    made.unreadable[paths[0]] = ("encoding", "not UTF-8")
    assert estimate(made, paths, None) == Estimate(8, None)
    assert estimate(MemoryVault(), [], None) == Estimate(0, None)


def test_a_model_that_is_not_there_raises() -> None:
    made, paths = vault(60)
    embedder = FakeEmbedder()
    embedder.down = True
    with pytest.raises(EmbedderUnavailable):
        estimate(made, paths, embedder)
