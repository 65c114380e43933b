"""Where in a document lines of its markdown come from."""

from docs_rag.core.converted import Stretch, location_of

PAGES = (Stretch((1, 10), "p. 1"), Stretch((11, 20), "p. 2"), Stretch((25, 30), "p. 3"))


def test_a_place_is_named_in_words() -> None:
    assert location_of(PAGES, (3, 4)) == "p. 1"
    assert location_of(PAGES, (10, 11)) == "p. 1 to p. 2"
    assert location_of(PAGES, (12, 26)) == "p. 2 to p. 3"


def test_lines_from_nowhere_have_no_place() -> None:
    assert location_of(PAGES, (21, 24)) == ""
    assert location_of((), (1, 1)) == ""
