"""What each code means at length, with a small vault that is wrong and the same vault put right.

The examples are not decoration: the tests check that the wrong ones give their code, and that the right ones give none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from docs_rag.core.linting.codes import Code

Files = Mapping[str, str]
"""Notes by path."""


class Explanation(NamedTuple):
    """One code, explained."""

    why: str
    """What it does to readers and to answers."""
    mend: str
    wrong: Files
    right: Files


def explain(code: Code) -> Iterator[str]:
    """The lines of `check --explain CODE`."""
    explanation = EXPLANATIONS[code.id]
    yield f"{code.title} ({code.level}): {code.meaning}"
    yield ""
    yield explanation.why
    yield ""
    yield explanation.mend
    for word, files in (("Wrong", explanation.wrong), ("Right", explanation.right)):
        for path, text in files.items():
            yield ""
            yield f"{word}: {path}"
            yield from (f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))
    yield ""
    yield f"To keep one finding out, write <!-- docs-rag: ignore {code.id} --> on its line or on the line above."


def _note(heading: str, /, **keys: str) -> str:
    head = "\n".join(f"{key}: {value}" for key, value in keys.items())
    return f"---\n{head}\n---\n\n# {heading}\n" if keys else f"# {heading}\n"


_OLD: Final = "adr/0003-nightly-copies.md"
_NEW: Final = "adr/0009-hourly-copies.md"
_NEWER: Final = "adr/0012-streamed-copies.md"
_IN_FORCE: Final = _note("Copies are made every hour", status="accepted", date="2026-02-03")
_REPLACED: Final = _note("Copies are made at night", status="superseded", superseded_by="0009-hourly-copies.md")
_LINE: Final = {_OLD: _REPLACED, _NEW: _IN_FORCE}

EXPLANATIONS: Final[Mapping[str, Explanation]] = {
    "DR001": Explanation(
        "A file that is no UTF-8, too large, a dead link or not permitted cannot be read. Nobody can tell whether what"
        " it says still holds.",
        "Save it as UTF-8, give it the right permissions, or keep it out with `exclude`.",
        {"notes/prices.md": "# Prices\n\nCaf\ufffd: the byte 0xe9 of Latin-1 stands here.\n"},
        {"notes/prices.md": "# Prices\n\nCafé\n"},
    ),
    "DR002": Explanation(
        "A line of the frontmatter is not valid YAML. docs-rag reads the line for itself, but other programs refuse the"
        " whole block, and its status with it.",
        "Put values that hold `: `, brackets or quotes into quotes; close the block with `---`.",
        {_NEW: _note("Copies", title="Copies: made every hour", status="accepted")},
        {_NEW: _note("Copies", title='"Copies: made every hour"', status="accepted")},
    ),
    "DR003": Explanation(
        "The date does not exist, or the same figures can mean two days. Such a date counts as none, so nobody can tell"
        " what was in force when.",
        "Write dates as YYYY-MM-DD.",
        {_NEW: _note("Copies are made every hour", status="accepted", date="2026-02-30")},
        {_NEW: _note("Copies are made every hour", status="accepted", date="2026-02-28")},
    ),
    "DR004": Explanation(
        "The first word of the status stands in no table, so the note counts as current, whatever was meant. A word"
        " that many notes have is told of once.",
        "Write one of the words of AUTHORING.md, or give your own word a meaning with `statusWords` in the config. For"
        " a slip of the pen, --fix writes the right word.",
        {_OLD: _note("Copies are made at night", status="suspersedded")},
        {_OLD: _note("Copies are made at night", status="deprecated")},
    ),
    "DR005": Explanation(
        "The word is understood, but a search for the right spelling does not find it.",
        "Let --fix write the right word.",
        {**_LINE, _OLD: _note("Copies are made at night", status="superceded", superseded_by="0009-hourly-copies.md")},
        _LINE,
    ),
    "DR006": Explanation(
        "A record that looks decided still holds a choice, a placeholder or advice of its template. Which of the"
        " choices was made cannot be read.",
        "Fill it in or delete it. A file that is meant as a template has `template` in its name or its folder's.",
        {_NEW: _note("Copies", status='"{proposed | accepted | rejected}"')},
        {_NEW: _IN_FORCE, "adr/template.md": _note("Title", status='"{proposed | accepted | rejected}"')},
    ),
    "DR010": Explanation(
        "The record says that another one took its place, or that it took another's, but there is no such note. Readers"
        " of the old record are sent nowhere.",
        "Correct the reference: the file may have been renamed or moved.",
        {_OLD: _note("Copies are made at night", status="superseded by ADR-0010"), _NEW: _IN_FORCE},
        {_OLD: _note("Copies are made at night", status="superseded by ADR-0009"), _NEW: _IN_FORCE},
    ),
    "DR011": Explanation(
        "Several notes fit the reference equally well. docs-rag does not guess: the successor counts as unknown.",
        "Name the file instead of its number or its title.",
        {
            _OLD: _note("Copies are made at night", status="superseded by ADR-0009"),
            _NEW: _IN_FORCE,
            "adr/0009-queues.md": _note("Queues", status="accepted"),
        },
        _LINE,
    ),
    "DR012": Explanation(
        "A record that is in force says that it replaced this one, but this one does not know. Whoever opens it, or"
        " finds it with another tool, believes it.",
        "Write the back link into the old record; --fix does it in the form that the record already uses.",
        {
            _OLD: _note("Copies are made at night", status="accepted"),
            _NEW: _note("Copies are made every hour", status="accepted", supersedes="0003-nightly-copies.md"),
        },
        {
            _OLD: _REPLACED,
            _NEW: _note("Copies are made every hour", status="accepted", supersedes="0003-nightly-copies.md"),
        },
    ),
    "DR013": Explanation(
        "Following the successors leads back to where it began, so nothing of the circle is in force.",
        "Decide which of the records is the last, and take its successor out.",
        {
            _OLD: _REPLACED,
            _NEW: _note("Copies are made every hour", status="superseded", superseded_by="0003-nightly-copies.md"),
        },
        _LINE,
    ),
    "DR014": Explanation(
        "The successor, or the successor's successor, was itself given up and names nothing in its place. There is"
        " nothing in force at the end of the line. A line that breaks off at a wrong reference is told of there.",
        "Name what holds now, or mark the old record archived if nothing took its place.",
        {_OLD: _REPLACED, _NEW: _note("Copies are made every hour", status="deprecated")},
        {
            _OLD: _REPLACED,
            _NEW: _note("Copies are made every hour", status="deprecated", superseded_by="0012-streamed-copies.md"),
            _NEWER: _note("Copies are streamed", status="accepted"),
        },
    ),
    "DR015": Explanation(
        "Two things that the record says cannot both hold: a status that is in force beside a successor, a successor"
        " that is only a draft, another successor than the one that claims to be it. The more final word counts.",
        "Make both ends say the same.",
        {**_LINE, _OLD: _note("Copies are made at night", status="accepted", superseded_by="0009-hourly-copies.md")},
        _LINE,
    ),
    "DR016": Explanation(
        "The record is superseded, but names no successor and none names it. Readers learn that it is dead and not what"
        " holds now.",
        "Name the successor; if there is none, `deprecated` or `archived` says so.",
        {_OLD: _note("Copies are made at night", status="superseded")},
        {_OLD: _note("Copies are made at night", status="deprecated")},
    ),
    "DR017": Explanation(
        "There is no note of the name that the record gives, but one with the same number. It is taken for the one that"
        " is meant. Elsewhere the link is broken, and the number may be another record's one day.",
        "Write the name that the note has.",
        {**_LINE, _OLD: _note("Copies are made at night", status="superseded", superseded_by="0009-copies-by-day.md")},
        _LINE,
    ),
    "DR020": Explanation(
        "Two records of one series in one folder have the same number. A reference by number cannot be followed.",
        "Give the later one the next free number, and correct the references to it.",
        {_NEW: _IN_FORCE, "adr/0009-queues.md": _note("Queues", status="accepted")},
        {_NEW: _IN_FORCE, "adr/0010-queues.md": _note("Queues", status="accepted")},
    ),
    "DR021": Explanation(
        "A note that holds sends its readers to one that does not, as if that were still in force. Sentences that say"
        " so (replaced, formerly, was, instead of), sections on history or alternatives, lists of links and the records"
        " that replaced the target are left alone.",
        "Link to what holds now, or say in the sentence that the target is history.",
        {
            **_LINE,
            "howto.md": "# How to restore\n\nTake last night's copy, as [we agreed](adr/0003-nightly-copies.md).\n",
        },
        {**_LINE, "howto.md": "# How to restore\n\nTake the last copy, as [we agreed](adr/0009-hourly-copies.md).\n"},
    ),
    "DR030": Explanation(
        "Two notes of one folder differ by a version, a year or a word such as `final` in their names, and both count"
        " as current. Perhaps both hold; perhaps one was forgotten.",
        "Mark the older one superseded (docs-rag finds the newer one then), or ignore the finding where both hold.",
        {"rules/travel.md": "# Travel\n\nBy train.\n", "rules/travel_v2.md": "# Travel\n\nBy train or by bus.\n"},
        {
            "rules/travel.md": _note("Travel", status="superseded", superseded_by="travel_v2.md"),
            "rules/travel_v2.md": "# Travel\n\nBy train or by bus.\n",
        },
    ),
    "DR031": Explanation(
        "By their vectors the two notes speak of nearly the same, both are in force and neither names the other. That"
        " is where a decision is overturned without anyone saying so; it may as well be two sides of one matter. It"
        " needs an index with vectors, the closest pairs are shown, and nothing of it is certain.",
        "Read both. If one overturned the other, mark it; if not, link the one to the other, which ends the suspicion.",
        {
            "rules/leave.md": "# Leave\n\nLeave is asked for two weeks ahead.\n",
            "rules/holidays.md": "# Holidays\n\nHolidays are asked for a month ahead.\n",
        },
        {
            "rules/leave.md": "# Leave\n\nLeave is asked for two weeks ahead, other than [holidays](holidays.md).\n",
            "rules/holidays.md": "# Holidays\n\nHolidays are asked for a month ahead.\n",
        },
    ),
}
"""By the id of the code."""
