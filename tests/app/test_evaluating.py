"""Questions go the way of every search, and their answers are judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import Workbench, note, workbench

from docs_rag.app.answering import Answerer
from docs_rag.app.evaluating import MOST_UNKNOWN, Evaluator, draft_questions
from docs_rag.app.progress import NoProgress
from docs_rag.app.refreshing import Refresher
from docs_rag.app.searching import Searcher
from docs_rag.core.evaluation.figures import Evaluation, estimates
from docs_rag.core.questions import Question, Target
from docs_rag.core.terms import UnicodeAnalyser
from docs_rag.errors import UsageError

VAULT: dict[str, str | bytes] = {
    "old.md": note("# Paper labels\n\nCrates carry paper labels from the shed.", superseded_by="new.md"),
    "new.md": note("# Tags on crates\n\nCrates carry tags, not paper labels.\n\n## Gate\n\nThe gate reads `GATE_7`."),
    "trees.md": note("# How trees are cut\n\nTrees are cut in winter when sap is low."),
    "plans/later.md": note("# Later\n\nDrones will carry crates."),
}
QUESTIONS = (
    Question(id="labels", text="do crates carry paper labels", answers=(Target("new.md"),), must_not=("old.md",)),
    Question(id="trees", text="when are trees cut in winter", kind="x", answers=(Target("trees.md"),)),
    Question(id="old", text="paper labels", answers=(Target("old.md"),), search_all=True),
    Question(id="none", text="zebra xylophone quartz"),
)


class Counting(NoProgress):
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def begin(self, phase: str, total: int) -> None:
        self.told.append((phase, total))

    def step(self, count: int = 1) -> None:
        self.told.append(count)


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    made = workbench(tmp_path, VAULT, FakeEmbedder())
    made.index()
    return made


def answerer(bench: Workbench, *, floor: float | None = None) -> Answerer:
    rules = replace(bench.rules, min_score=floor, relative_cutoff=0.0)
    return Answerer(
        Searcher(bench.store, bench.embedder, UnicodeAnalyser(), rules),
        Refresher(bench.vault, bench.store, bench.embedder, automatic=False),
    )


def run(bench: Workbench, *questions: Question, floor: float | None = None, **more: object) -> Evaluation:
    evaluator = Evaluator(bench.store, answerer(bench, floor=floor), answerer(bench, floor=0.0), **more)  # type: ignore[arg-type]
    return evaluator.run(questions, 8)


def test_each_question_is_asked_as_it_says(bench: Workbench) -> None:
    found = run(bench, *QUESTIONS)
    assert [(each.id, each.rank, each.refused, each.leaks) for each in found.outcomes] == [
        ("labels", 1, False, ()),
        ("trees", 1, False, ()),
        ("old", 1, False, ()),
        ("none", None, True, ()),
    ]
    assert estimates(found.outcomes)["auroc"].value == 1.0
    assert (found.index.documents, found.threshold, found.limit, len(found.seconds)) == (4, 0.3, 8, 4)
    assert found.notices == ()


def test_the_answer_is_that_of_a_search(bench: Workbench) -> None:
    found = run(bench, *QUESTIONS)
    for question, each in zip(QUESTIONS, found.outcomes, strict=True):
        asked = bench.ask(question.text, search_all=question.search_all)
        assert [hit.path for hit in each.hits] == [hit.section.path for hit in asked.hits]


def test_what_a_high_floor_hides_is_still_judged_for_the_curve(bench: Workbench) -> None:
    felled = Question(id="felled", text="when are trees felled in winter", answers=(Target("trees.md"),))
    (found,) = run(bench, felled, floor=0.99).outcomes
    assert (found.refused, found.rank, found.open_rank) == (True, None, 1)
    assert found.confidence is not None and found.confidence > 0


def test_words_alone_are_asked_once(tmp_path: Path) -> None:
    bench = workbench(tmp_path, VAULT, None)
    bench.index()
    found = run(bench, *QUESTIONS)
    assert found.threshold is None
    assert all(each.confidence is None and each.open_rank is None for each in found.outcomes)
    assert found.outcomes[1].rank == 1


def test_a_path_that_is_no_note_is_told_of(bench: Workbench) -> None:
    lost = Question(id="lost", text="where", answers=(Target("gone.md#D-1"),), also_ok=("new.md",))
    assert run(bench, lost).notices == ("gone.md#D-1 is not in the index; the question 'where' names it",)
    many = Question(id="many", text="where", answers=tuple(Target(f"{n}.md") for n in range(MOST_UNKNOWN + 3)))
    assert run(bench, many).notices[-1] == "3 more paths of the questions are not in the index"


def test_a_model_that_fails_is_told_of(bench: Workbench) -> None:
    assert bench.embedder is not None
    bench.embedder.down = True
    notices = run(bench, *QUESTIONS).notices
    assert len([each for each in notices if "cannot reach the fake embedder" in each]) == 1


def test_progress_and_time_are_of_the_answers(bench: Workbench) -> None:
    ticks = iter(range(100))
    counting = Counting()
    found = run(bench, *QUESTIONS, progress=counting, clock=lambda: float(next(ticks)))
    assert counting.told == [("Asking questions", 4), 1, 1, 1, 1]
    assert found.seconds == (1.0, 1.0, 1.0, 1.0)


def test_no_questions_are_a_mistake(bench: Workbench) -> None:
    with pytest.raises(UsageError, match="no questions"):
        run(bench)


def test_a_draft_of_a_vault_asks_what_it_can_answer(bench: Workbench) -> None:
    drafted = draft_questions(bench.store)
    assert [(each.kind, each.text, each.answers[0].path) for each in drafted] == [
        ("superseded", "Paper labels", "new.md"),
        ("title", "Tags on crates", "new.md"),
        ("title", "How trees are cut", "trees.md"),
    ]
    assert draft_questions(bench.store) == drafted
    found = run(bench, *drafted)
    assert found.notices == ()
    assert estimates(found.outcomes)["hit5"].value == 1.0
