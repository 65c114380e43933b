"""Drafts of question files."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.evaluation.drafting import MOST, draft, written
from docs_rag.core.listing import ListedNote
from docs_rag.core.questions import Question, Target, read_questions
from docs_rag.core.status import Status


def listed(path: str, title: str, status: Status = Status.CURRENT, **more: object) -> ListedNote:
    return ListedNote(path=DocPath(path), title=title, status=status, **more)  # type: ignore[arg-type]


NOTES = [
    listed("b/old.md", "Paper labels on crates", Status.SUPERSEDED, current_end=("b/new.md",)),
    listed("b/new.md", "Tags on crates"),
    listed("b/gone.md", "A plan that was dropped", Status.ARCHIVED),
    listed("a/note.md", "How trees are cut"),
    listed("c/lost.md", "Replaced by nobody knows what", Status.SUPERSEDED),
    listed("c/short.md", "Intro"),
    listed("c/unread.md", "Could not be read", indexed=False),
]
HEADINGS = [("b/new.md", "What the gate does"), ("b/gone.md", "What we planned"), ("a/note.md", "Status")]


def test_titles_dead_titles_and_headings_in_turn() -> None:
    assert [(each.kind, each.text, each.answers, each.must_not) for each in draft(NOTES, HEADINGS)] == [
        ("superseded", "Paper labels on crates", (Target("b/new.md"),), ("b/old.md",)),
        ("title", "How trees are cut", (Target("a/note.md"),), ()),
        ("heading", "What the gate does", (Target("b/new.md", "What the gate does"),), ()),
        ("title", "Tags on crates", (Target("b/new.md"),), ()),
    ]


def test_a_dead_decision_of_a_log_is_no_heading_to_ask_for() -> None:
    log = [
        listed("log.md", "Log of decisions"),
        listed("log.md#D-1", "D-1 Crates have labels", Status.SUPERSEDED, current_end=("log.md#D-2",)),
    ]
    found = draft(log, [("log.md", "D-1 Crates have labels")])
    assert [(each.kind, each.answers) for each in found] == [
        ("superseded", (Target("log.md#D-2"),)),
        ("title", (Target("log.md"),)),
    ]


def test_equal_titles_are_asked_once_and_a_draft_ends() -> None:
    assert len(draft([listed(f"{n}.md", "The same title") for n in range(3)], [])) == 1
    many = [listed(f"{n}.md", f"Title number {n}") for n in range(MOST + 9)]
    assert len(draft(many, [])) == MOST


def test_a_draft_is_a_question_file() -> None:
    questions = draft(NOTES, HEADINGS)
    assert list(read_questions([("draft.yaml", written(questions))])) == questions


_TEXTS = st.text(min_size=1, max_size=12).map(lambda text: f"words {text.strip()} words")


@given(_TEXTS, _TEXTS)
def test_whatever_a_title_holds_it_can_be_read_again(title: str, heading: str) -> None:
    questions = draft([listed("a.md", title)], [("a.md", heading)])
    found = read_questions([("draft.yaml", written(questions))])
    assert [_words(each) for each in found] == [_words(each) for each in questions]


def _words(question: Question) -> tuple[str, ...]:
    return (question.text, *(each.heading for each in question.answers))


def test_what_yaml_does_not_allow_is_written_as_an_escape() -> None:
    odd = Question(id="q", text="q", answers=(Target("a\x85b\ufeff\U0001342f\u202e\U000e0041.md"),))
    (found,) = read_questions([("draft.yaml", written([odd]))])
    assert found.answers == odd.answers
