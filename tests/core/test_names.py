"""What notes are called, and what questions call them."""

import pytest

from docs_rag.core.names import names_asked, names_of
from docs_rag.core.terms import UnicodeAnalyser, query_terms


@pytest.mark.parametrize(
    ("path", "title", "question"),
    [
        ("docs/adr/0012-use-kafka.md", "Use Kafka", "ADR-0012"),
        ("docs/adr/0012-use-kafka.md", "Use Kafka", "what does adr 12 say?"),
        ("docs/adr/0012-use-kafka.md", "Use Kafka", "use kafka"),
        ("docs/adr/0012-use-kafka.md", "Use Kafka", "0012-use-kafka.md"),
        ("ADR/ADR012-use-kafka.md", "ADR012: Use Kafka", "ADR-12"),
        ("eips/eip-3074.md", "AUTH opcodes", "EIP-3074"),
        ("eips/eip-3074.md", "AUTH opcodes", "why did EIP 3074 go"),
        ("notes/12. Title.md", "12. Title", "12"),
        ("notes/Größe.md", "Größe", "GRÖSSE"),
    ],
)
def test_a_question_names_a_note(path: str, title: str, question: str) -> None:
    asked = names_asked(question, query_terms(question, UnicodeAnalyser()))
    assert names_of(path, title, (), ()) & set(asked)


@pytest.mark.parametrize(
    ("path", "title", "question"),
    [
        ("docs/adr/0012-use-kafka.md", "Use Kafka", "ADR-0013"),
        ("docs/adr/0012-use-kafka.md", "Use Kafka", "python 12"),
        ("journal/2026-01-14 standup.md", "Standup", "adr 2026"),
        ("adr/0012-a.md", "A", "0.12 release"),
    ],
)
def test_a_question_names_no_note(path: str, title: str, question: str) -> None:
    asked = names_asked(question, query_terms(question, UnicodeAnalyser()))
    assert not names_of(path, title, (), ()) & set(asked)


def test_aliases_and_ids_are_names() -> None:
    assert {"auth", "dec7", "dec-7"} <= names_of("a.md", "A", ("Auth",), ("DEC-7",))
