"""`check`: what it tells, how it ends, and what it changes when it is asked to."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes

WRONG = {
    "adr/0001-files.md": "# Files\r\n\r\n## Status\r\n\r\nSuperceded by [2](0002-tables.md)\r\n",
    "adr/0002-tables.md": "---\nstatus: accepted\ndate: 2026-02-03\nsupersedes: 0003-lists.md\n---\n\n# Tables\n",
    "adr/0003-lists.md": "---\nstatus: accepted\n---\n\n# Lists\n",
    "adr/0004-trees.md": "---\nstatus: superseded by ADR-0099\n---\n\n# Trees\n",
}
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault below a project; the project is the working directory."""
    place = tmp_path / "project"
    write_notes(place / "docs", {name: text for name, text in WRONG.items() if "0001" not in name})
    (place / "docs/adr/0001-files.md").write_bytes(WRONG["adr/0001-files.md"].encode())
    write_config(place, vaultPath="../docs")
    monkeypatch.chdir(place)
    return place


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def codes(docs_rag: CommandLine, *arguments: str) -> list[str]:
    return [f"{each['path']} {each['code']}" for each in docs_rag("check", "--json", *arguments).json["findings"]]


def test_findings_by_note_and_an_exit_status_for_errors(folder: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("check")
    assert result.status == 1
    assert result.out.splitlines() == [
        "docs/adr/0001-files.md",
        "   5  info     DR005 misspelt-status     'Superceded' is spelt 'Superseded'",
        "",
        "docs/adr/0003-lists.md",
        "   2  warning  DR012 one-sided-link      "
        "adr/0002-tables.md says that it replaced this note, which does not say so",
        "",
        "docs/adr/0004-trees.md",
        "   2  error    DR010 dangling-successor  'ADR-0099' (its successor) is no note of this vault",
        "",
        "3 findings in 3 notes: 1 error, 1 warning, 1 info (4 notes checked); --fix can mend 2 of them",
    ]
    assert not (folder / ".rag" / "index.db").exists()
    assert docs_rag("check", "--exit-zero").status == 0
    assert docs_rag("check", "--ignore", "DR010").status == 0


def test_the_document_is_printed_although_the_check_fails(folder: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("check", "--json")
    assert result.status == 1
    assert result.json["counts"] == {"error": 1, "warning": 1, "info": 1}
    assert result.json["findings"][0]["path"] == "adr/0001-files.md"
    assert docs_rag("check", "--format", "json").out == result.out


def test_paths_narrow_what_is_told_and_not_what_is_read(folder: Path, docs_rag: CommandLine) -> None:
    write_notes(folder, {"README.md": "# Outside\n"})
    assert codes(docs_rag, "docs/adr/0003-lists.md") == ["adr/0003-lists.md DR012"]
    assert len(codes(docs_rag, "docs/adr")) == 3
    assert len(codes(docs_rag, "docs", "README.md")) == 3
    outside = docs_rag("check", "README.md")
    assert (outside.status, outside.out) == (0, "nothing found (0 notes checked)\n")
    assert docs_rag("check", "gone.md").status == 2


def test_a_note_may_be_named_as_answers_write_it(folder: Path, docs_rag: CommandLine) -> None:
    assert not (folder / "adr").exists()
    assert docs_rag("check", "adr/0004-trees.md").out == docs_rag("check", "docs/adr/0004-trees.md").out
    assert "1 note checked" in docs_rag("check", "adr/0004-trees.md").out


def test_codes_by_option_and_by_config(folder: Path, docs_rag: CommandLine) -> None:
    assert codes(docs_rag, "--select", "DR01", "--ignore", "one-sided-link") == ["adr/0004-trees.md DR010"]
    write_config(folder, vaultPath="../docs", check={"levels": {"DR012": "error"}, "ignore": ["DR010", "DR005"]})
    result = docs_rag("check", "--json")
    assert [(each["code"], each["level"]) for each in result.json["findings"]] == [("DR012", "error")]
    assert result.status == 1
    assert codes(docs_rag, "--select", "DR010") == ["adr/0004-trees.md DR010"]
    wrong = docs_rag("check", "--select", "one-sided")
    assert (wrong.status, "did you mean one-sided-link?" in wrong.err) == (2, True)


def test_a_code_is_explained_without_any_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docs_rag: CommandLine
) -> None:
    monkeypatch.chdir(tmp_path)
    result = docs_rag("check", "--explain", "one-sided-link")
    assert result.status == 0
    assert result.out.startswith("DR012 one-sided-link (warning)")
    assert docs_rag("check", "--explain", "DR999").status == 2


def test_fix_mends_what_is_certain_and_undo_takes_it_back(folder: Path, docs_rag: CommandLine) -> None:
    before = {path: path.read_bytes() for path in (folder / "docs").rglob("*.md")}
    dry = docs_rag("check", "--fix", "--dry-run")
    assert "+Superseded by [2](0002-tables.md)" in dry.out
    assert {path: path.read_bytes() for path in before} == before
    result = docs_rag("check", "--fix")
    assert "mended 2 of the findings; to take this back: docs-rag undo" in result.err
    assert result.status == 1
    assert "1 finding in 1 note: 1 error" in result.out
    assert (folder / "docs/adr/0001-files.md").read_bytes() == before[folder / "docs/adr/0001-files.md"].replace(
        b"Superceded", b"Superseded"
    )
    assert b"0002-tables" in (folder / "docs/adr/0003-lists.md").read_bytes()
    assert docs_rag("undo", "--yes").status == 0
    assert {path: path.read_bytes() for path in before} == before


def test_fix_keeps_stdout_for_the_document(folder: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("check", "--fix", "--json")
    assert [each["code"] for each in result.json["findings"]] == ["DR010"]
    assert "+Superseded by" in result.err
    assert docs_rag("check", "--dry-run").status == 2


def test_a_baseline_lets_an_old_corpus_begin(folder: Path, docs_rag: CommandLine) -> None:
    (folder / ".rag" / ".gitignore").write_text("*\n!.gitignore\n!config.json\n", encoding="utf-8")
    assert docs_rag("check", "--write-baseline").status == 0
    assert (folder / ".rag" / ".gitignore").read_text(encoding="utf-8").endswith("!config.json\n!check-baseline.json\n")
    assert docs_rag("check", "--write-baseline").status == 0
    known = docs_rag("check")
    assert (known.status, known.out) == (0, "nothing found (4 notes checked, 3 known to the baseline)\n")
    moved = "---\n# moved\nstatus: superseded by ADR-0099\n---\n"
    write_notes(folder / "docs", {"adr/0004-trees.md": moved, "adr/0003-lists.md": "# Gone\n", "new.md": moved})
    result = docs_rag("check", "--json")
    assert [(each["path"], each["code"]) for each in result.json["findings"]] == [("new.md", "DR010")]
    assert (result.json["baseline"], result.json["stale"]) == (3, 0)
    (folder / "docs/adr/0001-files.md").unlink()
    assert "the baseline knows what is no longer there: adr/0001-files.md: DR005" in docs_rag("check").err
    assert "no longer there" not in docs_rag("check", "docs/new.md").err


def test_a_baseline_of_another_name(folder: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("check", "--baseline", "known.json", "--write-baseline").status == 0
    assert docs_rag("check", "--baseline", "known.json").status == 0
    assert docs_rag("check").status == 1
    assert docs_rag("check", "--baseline", "gone.json").status == 1
    (folder / "known.json").write_text("{}", encoding="utf-8")
    assert "is no baseline" in docs_rag("check", "--baseline", "known.json").err
    assert docs_rag("check", "--write-baseline", "docs/adr").status == 2
    assert docs_rag("check", "--write-baseline", "--fix").status == 2


def test_what_changed_since_a_revision(folder: Path, docs_rag: CommandLine) -> None:
    git(folder, "init")
    git(folder, "add", "docs")
    git(folder, "commit", "-m", "one")
    assert codes(docs_rag, "--diff", "HEAD") == []
    dangling = "---\nstatus: superseded by ADR-0098\n---\n"
    write_notes(folder / "docs", {"new.md": dangling, "adr/0004-trees.md": WRONG["adr/0004-trees.md"] + "More.\n"})
    assert codes(docs_rag, "--diff", "HEAD") == ["adr/0004-trees.md DR010", "new.md DR010"]
    git(folder, "add", "docs")
    git(folder, "commit", "-m", "two")
    assert codes(docs_rag, "--diff", "HEAD~1", "docs/new.md") == ["new.md DR010"]


def test_a_revision_that_is_none(folder: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("check", "--diff", "HEAD").status == 1
    git(folder, "init")
    unknown = docs_rag("check", "--diff", "nowhere")
    assert unknown.status == 1
    assert "git cannot list nowhere" in unknown.err
    assert docs_rag("check", "--diff=--output=x").status == 2
    assert docs_rag("check", "--diff", "").status == 2


def test_no_program_of_the_repository_is_run(folder: Path, docs_rag: CommandLine) -> None:
    git(folder, "init")
    git(folder, "add", "docs")
    git(folder, "commit", "-m", "one")
    trap = f"touch {folder / 'trap'}; cat"
    for key in ("core.fsmonitor", "diff.external", "filter.x.clean", "core.pager", "core.sshCommand"):
        git(folder, "config", key, trap)
    (folder / "docs/.gitattributes").write_text("*.md filter=x diff=x\n", encoding="utf-8")
    write_notes(folder / "docs", {"adr/0004-trees.md": "# Trees\n"})
    docs_rag("check", "--diff", "HEAD")
    assert not (folder / "trap").exists()


def test_reports_count_paths_from_the_repository(
    folder: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(folder, "init")
    monkeypatch.chdir(folder / "docs")
    assert docs_rag("check", "--format", "github").out.startswith("::notice file=docs/adr/0001-files.md,line=5,")
    log = json.loads(docs_rag("check", "--format", "sarif").out)
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in log["runs"][0]["results"]]
    assert places[0]["uri"] == "docs/adr/0001-files.md"
    assert ET.fromstring(docs_rag("check", "--format", "junit").out)[0].get("failures") == "1"
    assert docs_rag("check").out.startswith("adr/0001-files.md\n")


def test_statistics(folder: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("check", "--statistics").out.splitlines()[0] == "     1  info     DR005 misspelt-status"


def test_a_vault_without_a_config(folder: Path, docs_rag: CommandLine) -> None:
    assert len(codes(docs_rag, "--vault", "docs")) == 3
    assert not (folder / "docs" / ".rag").exists()


def test_a_file_that_cannot_be_read_is_an_error(folder: Path, docs_rag: CommandLine) -> None:
    (folder / "docs" / "latin.md").write_bytes(b"Caf\xe9")
    assert codes(docs_rag, "docs/latin.md") == ["latin.md DR001"]


def test_sidecars_are_part_of_their_notes(folder: Path, docs_rag: CommandLine) -> None:
    write_notes(
        folder / "docs/keps/7-x",
        {"README.md": "# X\n", "kep.yaml": "status: implementable\nsuperseded-by: ['8-gone']\n"},
    )
    assert codes(docs_rag, "docs/keps", "--select", "DR01") == ["keps/7-x/README.md DR010", "keps/7-x/README.md DR015"]
    git(folder, "init")
    git(folder, "add", "docs")
    git(folder, "commit", "-m", "one")
    assert codes(docs_rag, "docs/keps", "--diff", "HEAD") == []
    write_notes(folder / "docs/keps/7-x", {"kep.yaml": "status: implementable\nsuperseded-by: ['9-gone']\n"})
    assert "keps/7-x/README.md DR010" in codes(docs_rag, "docs/keps", "--diff", "HEAD")


def test_a_mistake_in_the_config_is_an_error(folder: Path, docs_rag: CommandLine) -> None:
    write_config(folder, vaultPath="../docs", check={"levels": {"DR012": "eror"}})
    result = docs_rag("check", "--select", "DR012")
    assert (result.status, result.out) == (1, "")
    assert '"DR012" has "eror"' in result.err
