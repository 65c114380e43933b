"""What an evaluation says to people."""

from __future__ import annotations

from evaluated import evaluation, outcome

from docs_rag.core.evaluation import text
from docs_rag.core.evaluation.comparing import compare
from docs_rag.core.evaluation.outcomes import Shown
from docs_rag.core.evaluation.plotting import HEIGHT, draw
from docs_rag.core.metrics import Point

FOUND = outcome("a", kind="語", rank=1, ndcg=1.0, open_rank=1, confidence=0.9)
MISSED = outcome("b", kind="other", confidence=0.3, open_rank=7, hits=(Shown("x.md", "semantic", 0.3),))
NONE = outcome("n", text="who won", is_answerable=False, confidence=0.31, hits=(Shown("y.md", "exact", None),))


def test_figures_stand_in_columns_with_their_intervals() -> None:
    lines = list(text.lines(evaluation(FOUND, MISSED, NONE)))
    assert lines[:4] == [
        "questions: 2 with an answer, 1 without; 3 ms each",
        "3 notes, 9 sections; fake (cosine), floor 0.40, 8 hits",
        "",
        "                               value  95 % interval",
    ]
    assert "right note first (hit@1)       0.500  0.095 - 0.905  1 of 2" in lines
    assert "answerable refused             0.000  0.000 - 0.658  0 of 2, less is better" in lines
    assert lines[-3].split("  ")[0] == "with an answer"
    assert lines[-2].index("1.00 (") == lines[-1].index("0.00 (") - 1, "two columns each for Han"


def test_one_kind_without_a_name_is_no_table() -> None:
    assert not any("with an answer " in line for line in text.lines(evaluation(outcome("a", rank=1))))


def test_what_went_wrong_with_what_came_instead() -> None:
    leaked = outcome("c", text="why paper", rank=1, leaks=("old.md",), hits=(Shown("old.md", "both", 0.5),))
    refused = outcome("d", refused=True, confidence=0.123)
    assert list(text.wrong_lines([FOUND, MISSED, NONE, leaked, refused])) == [
        "",
        "no right note in the first five:",
        "  b",
        "      x.md (semantic 0.300)",
        "  d",
        "      refused 0.123",
        "",
        "a dead record came back:",
        "  why paper  [c]",
        "      old.md (both 0.500)",
        "",
        "answered, and should have been refused:",
        "  who won  [n]",
        "      y.md (exact)",
    ]
    assert list(text.wrong_lines([FOUND])) == []


def test_what_an_answer_needs_is_told() -> None:
    assert next(line for line in text.lines(evaluation(FOUND, needed=0.52)) if "floor" in line) == (
        "3 notes, 9 sections; fake (cosine), floor 0.40, confidence 0.52, 8 hits"
    )


def test_a_comparison_has_signs_and_a_last_word() -> None:
    lines = list(text.comparison_lines(compare([FOUND, MISSED], [MISSED]), "then.json"))
    assert lines[:2] == ["compared with then.json", "questions in both runs: 1; only here: 0; only there: 1"]
    assert lines[-1] == "nothing is worse beyond noise"
    many = [outcome(f"q{n}", rank=1) for n in range(6)]
    lines = list(text.comparison_lines(compare(many, [outcome(f"q{n}", rank=2) for n in range(6)]), "then.json"))
    row = next(line for line in lines if line.startswith("MRR"))
    assert row.split() == ["MRR", "1.000", "0.500", "-0.500", "0", "6", "0.016"]
    assert lines[-1] == "worse beyond noise: right note first (hit@1), MRR"


def test_the_curve_as_a_table_and_drawn() -> None:
    lines = list(text.plot_lines(evaluation(FOUND, MISSED, NONE, needed=0.4)))
    assert lines[1].split() == ["0.300", "1.000", "0.667", "0.000", "0.000"]
    drawn = lines[lines.index("") + 1 :]
    assert len(drawn) == HEIGHT + 4
    assert sum(line.count("*") for line in drawn) == 2
    assert sum(line.count("O") for line in drawn) == 2, "as it is set, on the curve and in the legend"
    assert all(line.isascii() for line in drawn)


def test_without_scores_there_is_a_sentence_and_without_points_nothing() -> None:
    lexical = evaluation(outcome("a", confidence=None, rank=1), threshold=None)
    assert list(text.plot_lines(lexical)) == ["no curve of risk and coverage: words alone decide, without scores"]
    assert list(text.lines(lexical))[1] == "3 notes, 9 sections; semantic+lexical, no floor, 8 hits"
    assert list(draw([], 0.5)) == []


def test_a_floor_above_every_score_lies_nowhere_on_the_curve() -> None:
    drawn = list(draw([Point(0.3, 1.0, 0.0, None, None)], 0.9))
    assert "O" not in "".join(drawn)
