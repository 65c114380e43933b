"""An explanation as JSON and in words."""

from docs_rag.core.confidence import Backing, Confidence
from docs_rag.core.why import HitWhy, Passed, TermWhy, Why, as_json
from docs_rag.core.whytext import end_lines, hit_line

BELIEVED = Confidence(
    value=0.62, needed=0.52, score=0.3, backing=Backing(0.5, 0.25), known=0.7, absent=("Stripe",), missing=0.15
)
HIT = HitWhy(
    score=0.2994, percentile=99.84, backing=Backing(0.523, 0.64), factors=(("pathBoosts", 1.5), ("draft", 0.9)),
    order=0.731, rare=(("TLS", 3),),
)  # fmt: skip
WORDS = HitWhy(score=None, percentile=None, backing=Backing(), factors=(), order=None, rare=())
WHY = Why(
    sections=588, best=0.2994, cutoff=0.1796, confidence=BELIEVED,
    terms=(TermWhy("TLS", 3, "rare", 2.1), TermWhy("Stripe", 0, "absent", 2.5)), hits=(HIT, WORDS),
    next=Passed(path="a.md", headings=("A", "B"), score=0.17, reason="under 0.6 of the best score"),
    hidden=(Passed(path="old.md", headings=(), score=0.4, reason="superseded"),),
)  # fmt: skip


def test_a_hit_in_one_line() -> None:
    assert hit_line(HIT) == (
        "why: score 0.299, above 99.8 % of sections; words 52 % in it, 64 % in its note;"
        " order 0.731 × 1.5 (pathBoosts) × 0.9 (draft); rare: TLS (3)"
    )
    assert hit_line(WORDS) == "why: it holds the question's words"


def test_the_answer_as_a_whole() -> None:
    assert end_lines(WHY) == [
        "confidence: 0.620, needed 0.52; score 0.300 + 0.1 × 50 % of the words in the section + 0.3 × 25 % in its note"
        " + 0.3 × 70 % anywhere - 0.15 (nothing is called Stripe)",
        "best score: 0.299 of 588 sections; a hit needs 0.180 beside it",
        "terms: TLS (rare, 3), Stripe (absent)",
        "next: a.md › A > B  0.170  under 0.6 of the best score",
        "kept out: old.md  0.400  superseded",
    ]


def test_json_has_the_same() -> None:
    found = as_json(WHY)
    assert list(found) == ["sections", "best", "cutoff", "confidence", "terms", "hits", "next", "hidden"]
    assert found["hits"] == [
        {
            "score": 0.299,
            "percentile": 99.8,
            "words": {"section": 0.523, "note": 0.64},
            "factors": {"pathBoosts": 1.5, "draft": 0.9},
            "order": 0.731,
            "rareTerms": [{"term": "TLS", "sections": 3}],
        },
        {
            "score": None,
            "percentile": None,
            "words": {"section": 0.0, "note": 0.0},
            "factors": {},
            "order": None,
            "rareTerms": [],
        },
    ]
    assert found["next"] == {
        "path": "a.md", "heading": ["A", "B"], "score": 0.17, "reason": "under 0.6 of the best score"
    }  # fmt: skip


def test_the_score_alone_decides_where_the_config_says_so() -> None:
    alone = Confidence(value=0.6, needed=0.0, score=0.6, backing=Backing(), known=0.0, absent=(), missing=0.0)
    why = Why(sections=1, best=0.6, cutoff=None, confidence=alone, terms=(), hits=(), next=None, hidden=())
    assert end_lines(why) == ["confidence: not asked for: the score decides", "best score: 0.600 of 1 sections"]
