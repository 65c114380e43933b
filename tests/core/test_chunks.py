"""Notes cut into sections."""

from __future__ import annotations

from itertools import pairwise

import pytest
from casefiles import Case, cases
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.chunks import Chunk, chunk
from docs_rag.core.documents import DocPath, Document
from docs_rag.core.lifecycle import Lifecycle


def note(text: str, *, path: str = "notes/note.md", title: str = "Note", aliases: tuple[str, ...] = ()) -> Document:
    """A note as the parser would hand it over."""
    lines = text.split("\n")
    start = lines.index("---", 1) + 1 if lines[0] == "---" and "---" in lines[1:] else 0
    return Document(
        path=DocPath(path), title=title, aliases=aliases, lifecycle=Lifecycle(), text=text, body_start=start
    )


def letters(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


@pytest.mark.parametrize("case", cases("sections.txt"))
def test_case_by_case(case: Case) -> None:
    chunks = chunk(note(case.given))
    text = "\n".join(each.text for each in chunks)
    sections = []
    for line in case.expected.split("\n"):
        head, _, rest = line.partition("  ")
        if head == "hidden":
            assert [word for word in rest.split() if word in text] == []
        elif head == "shown":
            assert [word for word in rest.split() if word not in text] == []
        else:
            sections.append((head, rest))
    if sections:
        assert [(f"{each.lines[0]}-{each.lines[1]}", " > ".join(each.headings) or ".") for each in chunks] == sections
        lines = case.given.split("\n")
        assert [each.text for each in chunks] == ["\n".join(lines[a - 1 : b]) for a, b in (c.lines for c in chunks)]


def test_a_note_without_a_visible_word_is_one_empty_section_with_its_names() -> None:
    for text in ("", "\n\n", "---\nstatus: draft\n---\n", "%%\nall of it hidden\n%%\n", "<!-- todo -->"):
        assert chunk(note(text, path="ideas/use-kafka.md", title="use-kafka", aliases=("Event log",))) == [
            Chunk(ordinal=0, headings=(), lines=(1, 1), text="", names="use-kafka\nuse kafka\nEvent log")
        ]


@pytest.mark.parametrize(
    ("path", "title", "text", "names"),
    [
        ("adr/0012-use-kafka.md", "Use Kafka", "# Use Kafka\n\nWe use it.", "0012 use kafka"),
        ("adr/0012-use-kafka.md", "Events", "# Use Kafka\n\nWe use it.", "Events\n0012 use kafka"),
        ("kafka/README.md", "Set-up", "# Set-up\n\nHow to start it.", "kafka README"),
        ("README.md", "Set-up", "# Set-up\n\nHow to start it.", "README"),
        ("useKafkaStreams.md", "T", "Some words about the topic.", "useKafkaStreams\nuse Kafka Streams"),
        ("Makefile", "T", "Some words about the topic.", "Makefile"),
    ],
)
def test_case_30_title_and_file_name_are_searchable(path: str, title: str, text: str, names: str) -> None:
    first, *others = chunk(note(f"{text}\n\n## More\n\nMore words of the note.", path=path, title=title))
    assert (f"T\n{names}" if title == "T" and "T" not in text else names) == first.names
    assert [each.names for each in others] == [""]


def test_case_17_the_section_that_holds_the_match_has_its_own_lines_and_path() -> None:
    parts = [f"## 第{number}节\n\n这里说的是第{number}件事，与其他各件无关。\n" for number in range(75)]
    chunks = chunk(note("# 记录\n\n" + "\n".join(parts)))
    found = next(each for each in chunks if "第72件" in each.text)
    assert found.headings == ("记录", "第72节")
    assert found.lines == (291, 293)


def test_long_headings_are_cut_in_the_path_alone() -> None:
    (only,) = chunk(note(f"# {'long ' * 100}\n\nSome words about the topic."))
    assert len(only.headings[0]) == 200
    assert only.text.count("long") == 100


def test_weak_sections_in_great_number_become_sections_of_their_own() -> None:
    glossary = "".join(f"## Term {number}\n\nword\n\n" for number in range(60))
    chunks = chunk(note(f"# Glossary\n\n{glossary}## Last\n\nA section with words of its own."))
    assert len(chunks) > 5
    assert {each.headings for each in chunks[:-1]} == {("Glossary",)}
    assert chunks[-1].headings == ("Glossary", "Last")


LONG = "Every paragraph says that the queue keeps its order, whatever happens to the readers. "


def test_a_long_section_is_cut_at_its_paragraphs() -> None:
    paragraphs = "\n\n".join(LONG * 5 for _ in range(10))
    chunks = chunk(note(f"# Order\n\n{paragraphs}\n"))
    assert len(chunks) > 2
    assert {each.headings for each in chunks} == {("Order",)}
    assert all(each.text.endswith("readers.") and len(each.text) <= 1400 for each in chunks)
    assert chunks[0].text.startswith("# Order\n\nEvery")
    assert all(above.lines[1] + 2 == below.lines[0] for above, below in pairwise(chunks))


def test_case_32_long_lists_and_tables_are_cut_between_items_and_rows() -> None:
    items = "\n".join(f"- item {number}: {LONG}" for number in range(40))
    rows = "\n".join(f"| row {number} | {LONG} |" for number in range(40))
    chunks = chunk(note(f"# Lists\n\n{items}\n\n## Tables\n\n| a | b |\n|---|---|\n{rows}\n"))
    parts = [each for each in chunks if each.headings == ("Lists",)][1:]
    assert parts and all(each.text.startswith("- item") for each in parts)
    tables = [each for each in chunks if each.headings == ("Lists", "Tables")]
    assert len(tables) > 1 and all(each.text.startswith("| row") for each in tables[1:])
    assert "".join(each.text for each in chunks).count("|---|") == 1


def test_a_fence_is_kept_whole_unless_it_is_very_long() -> None:
    code = "\n".join(f"    value_{number} = compute({number})" for number in range(100))
    chunks = chunk(note(f"# Code\n\nAs follows.\n\n```python\n{code}\n```\n\nWords that come after the code.\n"))
    assert [each.text.count("```") for each in chunks if "value_" in each.text] == [2]
    longer = chunk(note("\n".join(["# Code\n\n```python", *[code] * 5, "```\n"])))
    assert len(longer) > 1
    assert all(line == line.rstrip() and "value_" in line for each in longer[1:-1] for line in each.text.split("\n"))
    assert longer[1].text.startswith("    value_")


def test_the_heading_stays_with_what_it_is_the_heading_of() -> None:
    chunks = chunk(note(f"# Order\n\n```\n{'x = 1' * 900}\n```\n\n{LONG * 10}"))
    assert chunks[0].text.startswith("# Order\n\n```")


def test_a_line_of_700_kilobytes_does_not_hurt() -> None:
    for word in ("x", "word ", "단어 ", "语", "Sentence. "):
        text = word * (700_000 // len(word))
        chunks = chunk(note(f"# Long\n\n{text}\n"))
        assert {each.lines[1] for each in chunks} == {3}
        assert letters("".join(each.text for each in chunks)) == "#Long" + letters(text)
        assert max(len(each.text) for each in chunks) <= 1230


def test_scripts_of_one_token_a_character_get_shorter_sections() -> None:
    assert max(len(each.text) for each in chunk(note("一个很长的句子。" * 1000))) <= 600


WORDS = ["a", "word and more", "#", "# ", "## T", "### ", "- ", "1. ", "> ", "```", "~~~", "$$", "|", "| a | b |"]
MARKS = [
    "|---|---|",
    "---",
    "===",
    "\t",
    "    ",
    "\n",
    "\n",
    "\n\n",
    ". ",
    "文字",
    "한글",
    "é",
    "\x00",
    "\x0b",
    "\x1c",
    "\ud800",
]


def body_of(text: str) -> str:
    return "\n".join(text.split("\n")[note(text).body_start :])


@given(st.lists(st.sampled_from(WORDS + MARKS), max_size=60).map("".join) | st.text(st.characters(codec=None)))
def test_nothing_is_lost_repeated_or_reordered(text: str) -> None:
    text = text.replace("%%", "").replace("<!--", "")
    chunks = chunk(note(text))
    assert letters("".join(each.text for each in chunks)) == letters(body_of(text))


@given(st.lists(st.sampled_from([*WORDS, *MARKS, LONG * 7, "%%", "<!--", "-->"]), max_size=60).map("".join))
def test_lines_are_in_order_and_hold_the_text(text: str) -> None:
    lines = text.split("\n")
    before = 1
    for ordinal, each in enumerate(chunk(note(text))):
        first, last = each.lines
        assert before <= first <= last <= len(lines)
        assert (each.ordinal, each.text) == (ordinal, each.text.rstrip())
        cut = each.text.split("\n")
        if "%%" not in text and "<!--" not in text:
            assert len(cut) == last - first + 1
            assert all(part in line for part, line in zip(cut, lines[first - 1 : last], strict=True))
        assert each.text or ordinal == 0
        before = last


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["shown", "## shown", "- shown", "> shown"]),
            st.sampled_from(["%%hid%%", "<!--hid-->", "%%\nhid\n\n# hid\n%%", "<!--\n# hid\n\nhid\n-->"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_case_28_comments_go_and_all_else_stays(pieces: list[tuple[str, str]]) -> None:
    text = "\n\n".join(f"{shown}\n\n{hidden}" for shown, hidden in pieces)
    found = "\n".join(each.text for each in chunk(note(text)))
    assert found.count("shown") == len(pieces)
    assert "hid" not in found


@pytest.mark.parametrize(
    "piece",
    [
        "#\n",
        "# a\n",
        ">",
        "> ```\na\n",
        "> - a\n",
        "- ",
        "- a\n",
        "[",
        "*\n",
        "%% a ",
        "<!--\n",
        "$$\n",
        "`",
        "|\n",
        "\x00",
    ],
)
def test_texts_of_one_mark_are_cut_in_time_in_proportion(piece: str) -> None:
    """No limit of time is asserted: a step that looked at everything for each mark would not come to an end."""
    text = piece * (100_000 // len(piece))
    assert sum(len(letters(each.text)) for each in chunk(note(text))) <= len(text)
