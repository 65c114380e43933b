from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from desks import Others
from fakes import FakeEmbedder
from workbench import Workbench, workbench

from docs_rag.app.answering import Answerer
from docs_rag.app.patience import PatientEmbedder
from docs_rag.app.refreshing import Refresher
from docs_rag.app.searching import Searcher
from docs_rag.app.upkeep import Upkeep
from docs_rag.core.answers import Answer
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.terms import UnicodeAnalyser


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = workbench(tmp_path, {"whale.md": "# Whale\n\nThe whale sings.\n"}, FakeEmbedder())
    bench.index()
    yield bench
    bench.store.close()


def pending(bench: Workbench, count: int) -> Answer:
    answer = bench.ask("whale")
    return replace(answer, index=replace(answer.index, pending=count))


def do_round(bench: Workbench, upkeep: Upkeep, others: Others | None = None) -> bool:
    assert bench.embedder is not None
    patient = PatientEmbedder(bench.embedder, upkeep.may_go_on)
    searcher = Searcher(bench.store, patient, UnicodeAnalyser(), bench.rules)
    answerer = Answerer(searcher, Refresher(bench.vault, bench.store, patient, automatic=True))
    return upkeep.round(bench.store, answerer, patient, others or Others())


def test_the_first_round_is_due_and_enough_where_nothing_waits(bench: Workbench) -> None:
    upkeep = Upkeep(lambda: True)
    assert upkeep.is_due
    assert not do_round(bench, upkeep)
    assert not upkeep.is_due


def test_an_answer_that_lacks_something_makes_a_round_due(bench: Workbench) -> None:
    upkeep = Upkeep(lambda: True)
    upkeep.give_up()
    upkeep.after(pending(bench, 0))
    assert not upkeep.is_due
    upkeep.after(pending(bench, 1))
    assert upkeep.is_due


def test_the_probe_embeds_nothing_and_the_round_after_it_does(bench: Workbench) -> None:
    assert bench.embedder is not None
    before = len(bench.embedder.embedded)
    bench.vault.write("seal.md", "# Seal\n\nThe seal sleeps.\n")
    upkeep = Upkeep(lambda: True)
    assert do_round(bench, upkeep, Others(busy=True)) is False
    assert len(bench.embedder.embedded) == before
    upkeep.restart()
    assert do_round(bench, upkeep) is True
    assert len(bench.embedder.embedded) == before + 1
    assert do_round(bench, upkeep) is False


def test_a_question_may_embed_whoever_waits() -> None:
    assert Upkeep(lambda: False).may_go_on()


def test_what_another_server_embeds_is_left_to_it_until_the_next_question(bench: Workbench) -> None:
    assert bench.embedder is not None
    before, answer = len(bench.embedder.embedded), pending(bench, 1)
    bench.vault.write("seal.md", "# Seal\n\nThe seal sleeps.\n")
    upkeep = Upkeep(lambda: True)
    assert do_round(bench, upkeep, Others(turn=False)) is False
    assert len(bench.embedder.embedded) == before
    upkeep.after(answer)
    assert do_round(bench, upkeep) is True
    assert len(bench.embedder.embedded) == before + 1


def test_it_gives_way_to_a_run_of_index_that_begins_in_the_middle(bench: Workbench) -> None:
    assert bench.embedder is not None
    before, others = len(bench.embedder.embedded), Others()
    for number in range(9):
        bench.vault.write(f"seal{number}.md", f"# Seal {number}\n\nThe seal sleeps.\n")
    embed = bench.embedder.embed_documents

    def embed_and_begin(texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        others.busy = True
        return embed(texts)

    bench.embedder.embed_documents = embed_and_begin  # type: ignore[method-assign]
    upkeep = Upkeep(lambda: True)
    assert do_round(bench, upkeep, others) is True
    assert 0 < len(bench.embedder.embedded) - before < 9
    assert do_round(bench, upkeep, others) is False
