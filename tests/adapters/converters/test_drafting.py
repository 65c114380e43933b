"""A draft keeps lines and places together."""

from docs_rag.adapters.converters.drafting import Draft


def places(draft: Draft) -> list[tuple[tuple[int, int], str]]:
    return [(each.lines, each.location) for each in draft.finish().stretches]


def test_neighbours_from_one_place_are_one_stretch() -> None:
    draft = Draft()
    draft.add(["a"], "p. 1")
    draft.add(["b", "c"], ["p. 1", "p. 2"])
    draft.add(["d"], "p. 2", tight=True)
    draft.add([])
    draft.add(["e"])
    draft.add(["f"], "p. 2")
    assert draft.finish().markdown == "a\n\nb\nc\nd\n\ne\n\nf\n"
    assert places(draft) == [((1, 3), "p. 1"), ((4, 9), "p. 2")]


def test_without_words_there_is_a_warning() -> None:
    draft = Draft()
    assert draft.finish().warnings == ("the document holds no text",)
    draft.add(["![](a.png)"])
    assert draft.finish(warnings=("x",)).warnings == ("x", "the document holds no text")
    draft.add(["word"])
    assert draft.finish().warnings == ()
