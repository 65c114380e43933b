"""Both ends of a supersession, in the form that a note uses already; what is written reads back."""

from __future__ import annotations

import difflib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.documents import DocPath
from docs_rag.core.marking import mark_superseded, mark_superseding, replace_word
from docs_rag.core.marking.habits import Habits, habits_of
from docs_rag.core.marking.links import Style
from docs_rag.core.marking.record import End, Said
from docs_rag.core.references import NamedNote, Names
from docs_rag.core.spellings import Role
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.errors import DocsRagError

OLD = NamedNote(DocPath("adr/0012-old.md"), "12. Old")
NEW = NamedNote(DocPath("adr/0034-new.md"), "34. New")
FIRST = NamedNote(DocPath("adr/0001-first.md"), "1. First")
NAMES = Names([OLD, NEW, FIRST])
DAY = "2026-08-13"
BY = "[34. New](0034-new.md)"
OF = "[12. Old](0012-old.md)"

FORMS = {
    "keys": (
        "---\ntitle: Old\nstatus: accepted # since May\ndate: 2020-01-01\n---\n\n# Old\n",
        [
            "-status: accepted # since May",
            "+status: superseded # since May",
            "+superseded_by: 0034-new.md",
            f"+superseded_on: {DAY}",
        ],
        ["+supersedes: 0012-old.md"],
    ),
    "quoted keys": (
        '---\nStatus: "Accepted"\nsupersededBy:\nlastUpdated: 2020-01-01\n---\n# Old\n',
        [
            '-Status: "Accepted"',
            "-supersededBy:",
            '+Status: "Superseded"',
            "+supersededBy: 0034-new.md",
            f"+supersededOn: {DAY}",
        ],
        ["+supersedes: 0012-old.md"],
    ),
    "an empty section": (
        "# 12. Old\n\n## Status\n\n## Context\n\ntext\n",
        [f"+Superseded by {BY} ({DAY})"],
        [f"+Supersedes {OF}"],
    ),
    "an empty section at the end": (
        "# 12. Old\n\n## 상태",
        [f"+대체됨 ({BY}로 대체, {DAY})"],
        [f"+대체 대상: {OF}"],
    ),
    "a first word in code": (
        "# 12. Old\n\n## Status\n\n`Accepted`\n",
        ["-`Accepted`", f"+`Superseded` by {BY} ({DAY})"],
        [f"+Supersedes {OF}"],
    ),
    "toml": (
        '+++\ntitle = "Old = [x]"\nstatus = "Accepted" # since May\ndate = 2020-01-01\n\n'
        '[extra]\nstatuses = ["a"]\n+++\n# Old\n',
        [
            '-status = "Accepted" # since May',
            '+status = "Superseded" # since May',
            '+superseded_by = "0034-new.md"',
            f"+superseded_on = {DAY}",
        ],
        ['+supersedes = "0012-old.md"'],
    ),
    "toml with lists": (
        "+++\nsupersedes = ['[[0001-first]]'] # first\nsuperseded_by = []\ntags = [\n  'a',\n]\n"
        "[extra]\nstatus = 'x'\n+++\n# Old\n",
        [
            "-superseded_by = []",
            "-status = 'x'",
            '+superseded_by = "[[0034-new]]"',
            '+status = "superseded"',
            f"+superseded_on = {DAY}",
        ],
        [
            "-supersedes = ['[[0001-first]]'] # first",
            "+supersedes = ['[[0001-first]]', \"[[0012-old]]\"] # first",
        ],
    ),
    "toml without a status": (
        "\n+++\n[extra]\nowner = 'me'\n+++\n\n# Old\n",
        ['+status = "superseded"', '+superseded_by = "0034-new.md"', f"+superseded_on = {DAY}"],
        ['+supersedes = "0012-old.md"'],
    ),
    "hyphens": (
        "---\nlast-updated: 2020-01-01\nstatus: accepted\n---\n# Old\n",
        ["-status: accepted", "+status: superseded", "+superseded-by: 0034-new.md", f"+superseded-on: {DAY}"],
        ["+supersedes: 0012-old.md"],
    ),
    "a list": (
        '---\nstatus: accepted\nsuperseded_by: []\nsupersedes:\n  - "[[0001-first]]"\n---\n# Old\n',
        [
            "-status: accepted",
            "-superseded_by: []",
            "+status: superseded",
            '+superseded_by: ["[[0034-new]]"]',
            f"+superseded_on: {DAY}",
        ],
        ['+  - "[[0012-old]]"'],
    ),
    "one value becomes a list": (
        "---\nstatus: accepted\nsupersedes: ADR-0001\n---\n# Old\n",
        ["-status: accepted", "+status: superseded", '+superseded_by: "0034"', f"+superseded_on: {DAY}"],
        ["-supersedes: ADR-0001", '+supersedes: [ADR-0001, "0012"]'],
    ),
    "madr": (
        "---\nstatus: superseded by [ADR-0001](0001-first.md)\n---\n# Old\n",
        [
            "-status: superseded by [ADR-0001](0001-first.md)",
            "+status: superseded by [ADR-0001](0001-first.md) and [ADR-0034](0034-new.md)",
            f"+superseded_on: {DAY}",
        ],
        ["+supersedes: 0012-old.md"],
    ),
    "no status": (
        "# Old\n\ntext\n",
        ["+---", "+status: superseded", "+superseded_by: 0034-new.md", f"+superseded_on: {DAY}", "+---"],
        ["+---", "+supersedes: 0012-old.md", "+---"],
    ),
    "section": (
        "# 12. Old\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\n\ntext\n",
        ["-Accepted", f"+Superseded by {BY} ({DAY})"],
        [f"+Supersedes {OF}"],
    ),
    "a section that says more": (
        "# 12. Old\n\n## Status\n\nAccepted (2020-01-01)\nby all of us\n\n## Context\n",
        [f"+Superseded by {BY} ({DAY})"],
        [f"+Supersedes {OF}"],
    ),
    "a section of bullets": (
        "# 12. Old\n\n## Status\n\n- Accepted\n\n## Context\n",
        ["-- Accepted", f"+- Superseded by {BY} ({DAY})"],
        [f"+- Supersedes {OF}"],
    ),
    "heading": (
        "# Old\n\n## Status: Accepted\n\ntext\n",
        ["-## Status: Accepted", f"+## Status: Superseded by {BY} ({DAY})"],
        [f"+Supersedes {OF}"],
    ),
    "bullet": (
        "# Old\n\n* Status: accepted\n* Date: 2020-01-01\n\n## Context\n",
        ["-* Status: accepted", f"+* Status: superseded by {BY} ({DAY})"],
        [f"+* Supersedes: {OF}"],
    ),
    "a bullet that says more": (
        "# Old\n\n* Proposal: [SE-0012](0012-old.md)\n* Status: **Implemented (Swift 5.1)**\n* Author: me\n",
        [
            "-* Status: **Implemented (Swift 5.1)**",
            f"+* Status: Superseded by {BY} ({DAY}); was: **Implemented (Swift 5.1)**",
        ],
        [f"+* Supersedes: {OF}"],
    ),
    "empty bullets": (
        "# Old\n\n- Status: ACCEPTED\n- Supersedes:\n- Superseded By: \n\n## Summary\n",
        ["-- Status: ACCEPTED", "-- Superseded By: ", f"+- Status: SUPERSEDED ({DAY})", f"+- Superseded By: {BY}"],
        ["-- Supersedes:", f"+- Supersedes: {OF}"],
    ),
    "line": (
        "# Old\n\nStatus: Accepted  \nDate: 2020-01-01  \n\ntext\n",
        ["-Status: Accepted  ", f"+Status: Superseded by {BY} ({DAY})  "],
        [f"+Supersedes: {OF}  "],
    ),
    "bold": (
        "# Old\n\n**Status:** **Accepted**\n\ntext\n",
        ["-**Status:** **Accepted**", f"+**Status:** Superseded by {BY} ({DAY})"],
        [f"+**Supersedes:** {OF}"],
    ),
    "bold in a row": (
        "# Old\n\n**Status:** Accepted | **Date:** 2020-01-01\n\ntext\n",
        [
            "-**Status:** Accepted | **Date:** 2020-01-01",
            f"+**Status:** Superseded by {BY} ({DAY}) | **Date:** 2020-01-01",
        ],
        [f"+**Supersedes:** {OF}"],
    ),
    "table": (
        "# Old\n\n| Field | Value |\n|---|---|\n| Status | Accepted |\n| Superseded by | N/A |\n\ntext\n",
        [
            "-| Status | Accepted |",
            "-| Superseded by | N/A |",
            f"+| Status | Superseded ({DAY}) |",
            f"+| Superseded by | {BY} |",
        ],
        [f"+| Supersedes | {OF} |"],
    ),
    "rst field": (
        "# Old\n\n:Author: me\n:Status: Final\n:Type: Process\n\ntext\n",
        ["-:Status: Final", "+:Status: Superseded", "+:Superseded-By: 0034", f"+:Superseded-On: {DAY}"],
        ["+:Supersedes: 0012"],
    ),
    "fence": (
        "## Preamble\n\n```\nCAP: 0012\nStatus: Final\nCreated: 2020-01-01\n```\n\n## Summary\n",
        ["-Status: Final", "+Status: Superseded", "+Superseded-By: 0034", f"+Superseded-On: {DAY}"],
        ["+Supersedes: 0012"],
    ),
    "inline": (
        "# Old\n\nstatus:: accepted\n\n[[0001-first]]\n",
        ["-status:: accepted", f"+status:: superseded by [[0034-new]] ({DAY})"],
        ["+supersedes:: [[0012-old]]"],
    ),
    "inline in brackets": (
        "# Old\n\n[status:: accepted]\n\n[[0001-first]]\n",
        ["-[status:: accepted]", f"+[status:: superseded on {DAY} by [[0034-new]]]"],
        ["+---", '+supersedes: "[[0012-old]]"', "+---"],
    ),
    "span": (
        "NIP-12\n======\n\nOld\n---\n\n`final` `optional`\n\ntext\n",
        [
            "+---",
            "+status: superseded",
            "+superseded_by: 0034-new.md",
            f"+superseded_on: {DAY}",
            "+---",
            "-`final` `optional`",
            "+`superseded` `optional`",
        ],
        ["+---", "+supersedes: 0012-old.md", "+---"],
    ),
    "callout": (
        "# Old\n\n> [!warning] Deprecated\n\ntext\n",
        ["-> [!warning] Deprecated", f"+> [!warning] Superseded by {BY} ({DAY})"],
        ["+---", "+supersedes: 0012-old.md", "+---"],
    ),
    "korean": (
        "# 12. Old\n\n- 상태: 승인됨\n- 날짜: 2020-01-01\n\n## 맥락\n",
        ["-- 상태: 승인됨", f"+- 상태: 대체됨 ({BY}로 대체, {DAY})"],
        [f"+- 대체 대상: {OF}"],
    ),
    "japanese": (
        "# 12. Old\n\n- ステータス: 承認済み\n\n## 背景\n",
        ["-- ステータス: 承認済み", f"+- ステータス: 廃止（{BY} により置換、{DAY}）"],
        [f"+- Supersedes: {OF}"],
    ),
    "chinese": (
        "# 12. Old\n\n## 状态\n\n已接受\n\n## 背景\n",
        ["-已接受", f"+已被 {BY} 取代（{DAY}）"],
        [f"+取代: {OF}"],
    ),
    "two forms": (
        "---\nstatus: accepted\n---\n# Old\n\n## Status\n\nAccepted\n",
        [
            "-status: accepted",
            "-Accepted",
            "+status: superseded",
            "+superseded_by: 0034-new.md",
            f"+superseded_on: {DAY}",
            f"+Superseded by {BY} ({DAY})",
        ],
        ["+supersedes: 0012-old.md"],
    ),
}
"""Form -> a note, and the lines that change when it is superseded, and when it supersedes."""


def changed(before: str, after: str) -> list[str]:
    """The lines that went and came, but for blank ones."""
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [each[0] + each[2:] for each in lines if each[0] in "+-" and each[2:].strip()]


def superseded(text: str, *, habits: Habits | None = None, rules: StatusRules = PLAIN, day: str | None = DAY) -> str:
    return mark_superseded(OLD.path, text, NEW, day, names=NAMES, habits=habits or Habits(), rules=rules)


def superseding(text: str) -> str:
    return mark_superseding(NEW.path, text, OLD, names=NAMES)


@pytest.mark.parametrize("form", FORMS)
def test_the_old_note_is_marked_in_its_own_form(form: str) -> None:
    text, lines, _ = FORMS[form]
    assert sorted(changed(text, superseded(text))) == sorted(lines)


@pytest.mark.parametrize("form", FORMS)
def test_the_new_note_names_what_it_replaced_in_its_own_form(form: str) -> None:
    text, _, lines = FORMS[form]
    assert changed(text, superseding(text)) == lines


@pytest.mark.parametrize("form", FORMS)
def test_a_mark_is_not_made_twice(form: str) -> None:
    text, _, _ = FORMS[form]
    assert superseded(superseded(text)) == superseded(text)
    assert superseding(superseding(text)) == superseding(text)


@pytest.mark.parametrize("form", FORMS)
def test_a_day_that_is_not_known_is_left_out(form: str) -> None:
    text, lines, _ = FORMS[form]
    added = [each for each in changed(text, superseded(text, day=None)) if each[0] == "+"]
    assert not any("2026" in each or "None" in each for each in added)
    assert 0 < len(added) <= len([each for each in lines if each[0] == "+"])


def said(text: str, record: NamedNote = OLD, other: NamedNote = NEW) -> Said:
    end = End(path=record.path, text=text, other=other, names=NAMES, habits=Habits(), rules=PLAIN)
    return end.read(text)


@st.composite
def notes(draw: st.DrawFn) -> str:
    """A note in one of the forms, with the line ends, the mark and the remains that real files have."""
    text = FORMS[draw(st.sampled_from(sorted(FORMS)))][0]
    text += draw(st.sampled_from(["", "\n", "a\ttab  \n\n", "## More\n\n```\nStatus: draft\n```\n", "no end"]))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    text = draw(st.sampled_from(["", "\ufeff"])) + text
    return text.rstrip("\r\n") if draw(st.booleans()) else text


@given(notes())
def test_whatever_the_line_ends_it_reads_back_and_the_rest_stays(text: str) -> None:
    marked = superseded(text)
    life = said(marked).lifecycle
    assert (life.status, life.superseded_on) == (Status.SUPERSEDED, DAY)
    assert any(NAMES.resolve(each, OLD.path).paths == (NEW.path,) for each in life.successors)
    assert marked.startswith("\ufeff") == text.startswith("\ufeff")
    assert line_ends(marked) <= (line_ends(text) or {"\n"})
    assert len([each for each in changed(text, marked) if each[0] == "-"]) <= 2


def line_ends(text: str) -> set[str]:
    return set(re.findall(r"\r\n|\n|\r", text))


@given(notes())
def test_the_claim_reads_back_and_leaves_the_state_alone(text: str) -> None:
    before, after = (said(each, NEW, OLD).lifecycle for each in (text, superseding(text)))
    assert after.status is before.status
    assert any(NAMES.resolve(each, NEW.path).paths == (OLD.path,) for each in after.claims)


@given(st.text(st.sampled_from("-: \n\t#*|`>[]Statusaccepted'\"{}\r"), max_size=80))
def test_any_text_is_marked_or_refused(text: str) -> None:
    try:
        marked = superseded(text)
    except DocsRagError:
        return
    assert said(marked).lifecycle.status is Status.SUPERSEDED


def test_an_earlier_successor_stays() -> None:
    text = "# Old\n\n## Status\n\nSuperseded by [1. First](0001-first.md)\n"
    marked = superseded(text)
    assert f"Superseded by [1. First](0001-first.md), {BY} ({DAY})" in marked


def test_a_day_is_added_to_a_mark_without_one() -> None:
    text = "---\nstatus: superseded\nsuperseded_by: 0034-new.md\n---\n"
    assert changed(text, superseded(text)) == [f"+superseded_on: {DAY}"]


def test_a_day_that_is_there_stays() -> None:
    text = "---\nstatus: superseded\nsuperseded_by: 0034-new.md\nsuperseded_on: 2020-01-01\n---\n"
    assert superseded(text) == text


def test_habits_of_the_vault_decide_where_the_note_has_none() -> None:
    text = "---\nstatus: accepted\n---\n# Old\n"
    habits = Habits(labels={Role.SUCCESSOR: "replaced_by"}, reference=Style.WIKI)
    assert '+replaced_by: "[[0034-new]]"' in changed(text, superseded(text, habits=habits))
    assert "+status: superseded by [ADR-0034](0034-new.md)" in changed(
        text, superseded(text, habits=Habits(in_status=True))
    )


def test_a_note_without_a_status_gets_the_section_that_the_others_have() -> None:
    text = "# Old\n\nIntro.\n\n## Context\n\ntext\n"
    marked = superseded(text, habits=Habits(form="section"))
    assert changed(text, marked) == ["+## Status", f"+Superseded by {BY} ({DAY})"]


def test_words_and_keys_of_ones_own_are_used() -> None:
    rules = StatusRules(words={"dead": Status.SUPERSEDED, "alive": Status.CURRENT}, key="life")
    text = "---\nlife: alive\n---\n# Old\n"
    assert "+life: dead" in changed(text, superseded(text, rules=rules))


def test_where_no_status_counts_nothing_is_written() -> None:
    with pytest.raises(DocsRagError, match="cannot be marked"):
        superseded("# Old\n", rules=StatusRules(within=("elsewhere/**",)))


def test_a_note_that_nothing_leads_to_is_refused() -> None:
    stranger = NamedNote(DocPath("x/y.md"), "Y")
    with pytest.raises(DocsRagError, match="cannot be marked"):
        mark_superseded(OLD.path, "# Old\n", stranger, DAY, names=NAMES)


LOG = (
    "# Log\n\n## D-001 First\n\nStatus: accepted\n\ntext\n\n## D-002 Second\n\nStatus: accepted\n\n"
    "## D-003 Third\n\ntext\n"
)
PARTS = Names(
    [NEW, NamedNote(DocPath("log.md"), "Log")] + [NamedNote(DocPath(f"log.md#D-00{n}"), f"D-00{n}") for n in (1, 2, 3)]
)


def test_a_decision_of_a_log_is_marked_alone() -> None:
    marked = mark_superseded(
        DocPath("log.md#D-001"), LOG, NamedNote(DocPath("log.md#D-002"), "D-002"), DAY, names=PARTS
    )
    assert changed(LOG, marked) == ["-Status: accepted", f"+Status: superseded by D-002 ({DAY})"]
    claimed = mark_superseding(
        DocPath("log.md#D-002"), marked, NamedNote(DocPath("log.md#D-001"), "D-001"), names=PARTS
    )
    assert changed(marked, claimed) == ["+Supersedes: D-001"]


def test_a_decision_without_a_status_gets_a_line_below_its_heading() -> None:
    marked = mark_superseded(DocPath("log.md#D-003"), LOG, NEW, DAY, names=PARTS)
    assert changed(LOG, marked) == [f"+**Status:** Superseded by [34. New](adr/0034-new.md) ({DAY})"]


def test_a_decision_says_it_in_its_heading_where_others_do() -> None:
    log = "# Log\n\n## D-001 First → Superseded by D-002\n\ntext\n\n## D-002 Second\n\ntext\n\n## D-003 Third\n\ntext\n"
    marked = mark_superseded(
        DocPath("log.md#D-002"), log, NamedNote(DocPath("log.md#D-003"), "D-003"), DAY, names=PARTS
    )
    assert changed(log, marked) == ["-## D-002 Second", f"+## D-002 Second → Superseded by D-003 ({DAY})"]


def test_a_word_is_replaced_in_its_line_alone() -> None:
    assert replace_word("\ufeffa superceded\r\nsuperceded\r\n", 2, "superceded", "superseded") == (
        "\ufeffa superceded\r\nsuperseded\r\n"
    )
    for line in (0, 1, 4):
        with pytest.raises(ValueError, match="does not hold"):
            replace_word("x\nsuperceded\n", line, "superceded", "superseded")


def test_a_key_that_the_vault_lacks_is_spelt_as_its_others() -> None:
    habits = Habits(labels={Role.SUCCESSOR: "supersededBy"})
    written = changed("# Old\n", superseded("# Old\n", habits=habits))
    assert {"+supersededBy: 0034-new.md", f"+supersededOn: {DAY}"} <= set(written)


def test_habits_are_what_most_records_do() -> None:
    keyed = said('---\nstatus: superseded\nsuperseded-by: "[[0034-new]]"\nsuperseded-on: 2020-01-01\n---\n').statements
    habits = habits_of([keyed, keyed, said("# X\n\n## Status\n\nAccepted\n").statements])
    assert habits.labels == {Role.SUCCESSOR: "superseded-by", Role.SINCE: "superseded-on"}
    assert (habits.reference, habits.in_status, habits.form) == (Style.WIKI, False, "frontmatter")
    assert habits_of([said("---\nstatus: superseded by [A](0034-new.md)\n---\n").statements]).in_status
    assert habits_of([]) == Habits()


@pytest.mark.parametrize("form", ["section", "bullet", "korean", "japanese", "chinese", "table"])
def test_a_title_that_speaks_of_states_does_not_hide_the_day(form: str) -> None:
    other = NamedNote(NEW.path, "34. The approved, accepted and 결정 draft")
    text = FORMS[form][0]
    marked = mark_superseded(OLD.path, text, other, DAY, names=Names([OLD, other, FIRST]))
    assert said(marked).lifecycle.superseded_on == DAY
    assert not marked.startswith("---")
