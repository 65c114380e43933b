"""Planning a supersession over a real folder: who is meant, what is refused, what would be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import write_notes

from docs_rag.adapters.vault import FolderVault
from docs_rag.app.superseding import Plan, Request, Superseder
from docs_rag.core.documents import note_path
from docs_rag.core.statusrules import StatusRules
from docs_rag.errors import DocsRagError

DAY = "2026-08-13"
NOTES = {
    "adr/0001-tea.md": "---\nstatus: accepted\n---\n# Tea is drunk hot\n",
    "adr/0002-cold.md": "---\nstatus: accepted\n---\n# Tea is drunk cold\n",
    "adr/0003-draft.md": "---\nstatus: draft\n---\n# Tea is frozen\n",
    "adr/0004-dead.md": "---\nstatus: superseded\nsuperseded_by: 0002-cold.md\n---\n# Tea is boiled\n",
    "adr/0005-no.md": "---\nstatus: rejected\n---\n# Tea is coffee\n",
    "adr/template.md": '---\nstatus: "{proposed | accepted}"\n---\n# Title\n',
    "notes/tea.md": "# Tea, in general\n",
    "more/tea.md": "# More tea\n",
    "log.md": "# Log\n\n## D-001 Milk\n\nStatus: accepted\n\n## D-002 No milk\n\nStatus: accepted\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_notes(tmp_path, NOTES)
    return tmp_path


def plan(folder: Path, old: str, new: str, *, force: bool = False) -> Plan:
    vault = FolderVault(str(folder), include=["**/*.md"], exclude=(), gitignore=False, max_bytes=10**6)
    return Superseder(vault).plan(Request(old=old, new=new, today=DAY, day=DAY, force=force))


def written(found: Plan) -> dict[str, str]:
    return {edit.path: (edit.after or b"").decode("utf-8") for edit in found.edits}


@pytest.mark.parametrize("typed", ["adr/0001-tea.md", "0001-tea", "ADR-1", "1", "tea is drunk HOT", "[[0001-tea]]"])
def test_a_record_is_found_by_what_people_call_it(folder: Path, typed: str) -> None:
    found = plan(folder, typed, "adr/0002-cold.md")
    assert (found.old, found.new) == ("adr/0001-tea.md", "adr/0002-cold.md")


@pytest.mark.parametrize("typed", ["Mugs are blue", "mugs are  BLUE", "blue mugs", "ADR-9", "9", "AD-9"])
def test_the_number_of_a_title_may_be_left_out(folder: Path, typed: str) -> None:
    write_notes(folder, {"adr/0009-blue-mugs.md": "# ADR-0009: Mugs are blue\n"})
    assert plan(folder, typed, "ADR-2").old == "adr/0009-blue-mugs.md"


def test_a_number_of_another_series_is_not_taken_for_the_records(folder: Path) -> None:
    write_notes(folder, {"adr/0009-blue-mugs.md": "# ADR-0009: Mugs are blue\n"})
    with pytest.raises(DocsRagError, match=r"no note is called 'D-9'.*did you mean adr/0009-blue-mugs\.md"):
        plan(folder, "D-9", "ADR-2")


def test_a_note_whose_status_does_not_count_is_not_marked(folder: Path) -> None:
    vault = FolderVault(str(folder), include=["**/*.md"], exclude=(), gitignore=False, max_bytes=10**6)
    superseder = Superseder(vault, StatusRules(within=("adr/**",)))
    with pytest.raises(DocsRagError, match=r"more/tea\.md lies outside `lifecycleIn`"):
        superseder.plan(Request(old="more/tea.md", new="ADR-2", today=DAY))


def test_both_ends_are_planned_and_nothing_is_written(folder: Path) -> None:
    found = plan(folder, "ADR-1", "ADR-2")
    assert written(found) == {
        "adr/0001-tea.md": "---\nstatus: superseded\nsuperseded_by: 0002-cold.md\nsuperseded_on: 2026-08-13\n---\n"
        "# Tea is drunk hot\n",
        "adr/0002-cold.md": "---\nstatus: accepted\nsupersedes: 0001-tea.md\n---\n# Tea is drunk cold\n",
    }
    assert [each.decode("utf-8") for each in found.former if each is not None] == [
        NOTES[path] for path in written(found)
    ]
    assert {path: (folder / path).read_text(encoding="utf-8") for path in NOTES} == NOTES
    assert found.what == "supersede adr/0001-tea.md adr/0002-cold.md"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("tea.md", "ADR-2", r"'tea\.md' may be any of .*more/tea\.md.*name its path"),
        ("ADR-77", "ADR-2", "no note is called 'ADR-77'; see: docs-rag list$"),
        ("0001-taa.md", "ADR-2", r"did you mean adr/0001-tea\.md"),
        ("ADR-1", "ADR-1", "cannot supersede itself"),
        ("ADR-1", "ADR-4", r"adr/0004-dead\.md is superseded itself"),
        ("ADR-1", "ADR-5", r"adr/0005-no\.md is rejected itself"),
        ("ADR-4", "ADR-1", r"superseded already, by adr/0002-cold\.md"),
        ("ADR-2", "ADR-4", r"adr/0004-dead\.md is superseded by adr/0002-cold\.md"),
        ("adr/template.md", "ADR-1", "is a template"),
        ("log.md", "log.md#D-001", "a decision and the note that holds it"),
        ("log.md#D-099", "ADR-2", r"no note is called 'log\.md#D-099'"),
        ("[[log#D-099]]", "ADR-2", "no note is called"),
        ("more/tea.md#Brewing", "ADR-2", "no note is called"),
    ],
)
def test_what_makes_no_sense_is_refused(folder: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(DocsRagError) as error:
        plan(folder, old, new)
    assert error.match(told)


def test_force_overrides_what_may_be_meant_but_no_cycle(folder: Path) -> None:
    assert plan(folder, "ADR-1", "ADR-5", force=True).edits
    second = written(plan(folder, "ADR-4", "ADR-1", force=True))
    assert "superseded_by: [0002-cold.md, 0001-tea.md]" in second["adr/0004-dead.md"]
    with pytest.raises(DocsRagError, match="by its own line"):
        plan(folder, "ADR-2", "ADR-4", force=True)


def test_a_successor_that_is_not_decided_yet_is_told(folder: Path) -> None:
    assert "is a draft" in plan(folder, "ADR-1", "ADR-3").notices[0]


def test_what_both_files_say_already_is_not_written_again(folder: Path) -> None:
    for path, text in written(plan(folder, "ADR-1", "ADR-2")).items():
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    assert plan(folder, "ADR-1", "ADR-2").edits == ()


def test_decisions_of_one_log_are_marked_in_one_edit(folder: Path) -> None:
    found = plan(folder, "log.md#D-001", "log.md#D-002")
    text = written(found)["log.md"]
    assert "Status: superseded by D-002 (2026-08-13)" in text
    assert "Supersedes: D-001" in text
    assert len(found.edits) == 1


@pytest.mark.parametrize(("old", "new"), [("log.md#D-001", "adr/0002-cold.md"), ("adr/0001-tea.md", "log.md#D-002")])
def test_a_decision_and_a_note_of_its_own(old: str, new: str, folder: Path) -> None:
    texts = written(plan(folder, old, new))
    assert set(texts) == {note_path(old), note_path(new)}
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    assert plan(folder, old, new).edits == ()


ODD_NAMES = (
    "a#b",
    "#",
    "a#D-1",
    "(x)",
    "'",
    "-x",
    "`c`",
    "*",
    "[[w]]",
    "a|b",
    "x\u2028",
    "a\nb",
    "\x01",
    "100%",
    "%41",
    "a, b",
)


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("text", ["# T\n", "# T\n\n## Status\n\nAccepted\n", "# T\n\n| Status | Accepted |\n|--|--|\n"])
def test_names_with_signs_that_mean_something(name: str, text: str, tmp_path: Path) -> None:
    write_notes(tmp_path, {f"{name}.md": text.replace("T", "Odd ] | (x)"), "plain.md": text})
    for old, new in ((f"{name}.md", "plain.md"), ("plain.md", f"{name}.md")):
        assert set(written(plan(tmp_path, old, new))) == {old, new}


def test_a_metadata_file_is_marked_in_place_of_its_note(folder: Path) -> None:
    for number in (1, 2):
        kep = {"README.md": f"# KEP-{number}: T{number}\n", "kep.yaml": f"kep-number: {number}\nstatus: implemented"}
        write_notes(folder / "keps" / str(number), kep)
    assert written(plan(folder, "keps/1/README.md", "keps/2/README.md")) == {
        "keps/1/kep.yaml": (
            "kep-number: 1\nstatus: superseded\nsuperseded-by: ../2/README.md\nsuperseded-on: 2026-08-13"
        ),
        "keps/2/kep.yaml": "kep-number: 2\nstatus: implemented\nsupersedes: ../1/README.md",
    }


def test_utf_16_stays_utf_16(folder: Path) -> None:
    (folder / "adr" / "0001-tea.md").write_bytes("\ufeff# 1. 차\r\n\r\n- 상태: 승인됨\r\n".encode("utf-16-le"))
    edit = next(each for each in plan(folder, "ADR-1", "ADR-2").edits if each.path == "adr/0001-tea.md")
    assert (edit.after or b"").decode("utf-16-le").startswith("\ufeff# 1. 차\r\n\r\n- 상태: 대체됨 (")


def test_a_file_that_is_no_text_is_told(folder: Path) -> None:
    (folder / "adr" / "0001-tea.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(DocsRagError, match=r"adr/0001-tea\.md cannot be read"):
        plan(folder, "adr/0001-tea.md", "ADR-2")


def test_the_habits_of_the_folder_are_taken_up(folder: Path) -> None:
    write_notes(
        folder,
        {
            "dec/1.md": "---\nstatus: superseded\nreplaced-by: '[[2]]'\nreplaced-on: 2026-01-01\n---\n# One\n",
            "dec/2.md": "---\nstatus: accepted\nreplaces: '[[1]]'\n---\n# Two\n",
            "dec/3.md": "---\nstatus: accepted\n---\n# Three\n",
        },
    )
    texts = written(plan(folder, "dec/2.md", "dec/3.md"))
    assert 'replaced-by: "[[3]]"\nreplaced-on: 2026-08-13\n' in texts["dec/2.md"]
    assert 'replaces: "[[2]]"' in texts["dec/3.md"]
