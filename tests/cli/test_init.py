"""`init` without questions; with questions it is tested on a terminal, in `test_streams`."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from commandline import CommandLine, write_config, write_notes

from docs_rag.cli.newfile import write_new

NOTE = "# Note\n\ntext\n"


@pytest.fixture(autouse=True)
def no_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def written(project: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((project / ".rag" / "config.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    ("notes", "vault"),
    [
        (["a.md"], ".."),
        (["a.md", "docs/b.md", "docs/c.md"], ".."),
        (["docs/b.md", "docs/deep/c.md", "docs/d.md", "other/d.md"], "../docs"),
        (["docs/b.md", "docs/deep/c.md", "other/d.md"], ".."),
        (["docs/b.md", ".obsidian/app.json"], ".."),
        (["node_modules/x/a.md", "docs/b.md"], "../docs"),
        ([], ".."),
    ],
)
def test_it_finds_the_folder_of_notes(notes: list[str], vault: str, project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, dict.fromkeys(notes, NOTE))
    assert docs_rag("init", "--yes").status == 0
    assert written(project) == {"vaultPath": vault, "embedModel": "auto"}


def test_what_it_writes_is_ready_for_index(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"docs/a.md": NOTE})
    result = docs_rag("init", "--yes")
    assert f"wrote {project / '.rag' / 'config.json'}" in result.out
    assert "docs-rag index" in result.out
    (project / ".rag" / "config.json").write_text('{"vaultPath": "../docs", "embedModel": "none"}', encoding="utf-8")
    assert docs_rag("index", "--json").json["added"] == 1


GARDEN = {
    "decisions/1.md": "---\nstatus: accepted\n---\n# One\n",
    "decisions/2.md": "# Two\n\n## Status\n\nSuperseded by [1](1.md)\n",
    "zettel/a.md": "---\nstatus: reading\n---\n# A\n",
    "zettel/b.md": "---\nstatus: 🌱 seedling\n---\n# B\n",
    "zettel/c.md": "---\nstatus: reading\n---\n# C\n",
    "zettel/d.md": "---\nstatus: done\n---\n# D\n",
    "index.md": "# Garden\n",
}


def test_where_few_notes_are_decisions_only_their_statuses_count(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, GARDEN)
    result = docs_rag("init", "--yes")
    assert written(project) == {"vaultPath": "..", "embedModel": "auto", "lifecycleIn": ["decisions/**"]}
    assert "statuses that count: those in decisions/** alone (`lifecycleIn`)" in result.out
    assert "2 say what became of a decision; 4 elsewhere say something else: reading" in result.out


def test_a_vault_of_decisions_needs_no_such_rule(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {path: text for path, text in GARDEN.items() if not path.startswith("zettel")})
    result = docs_rag("init", "--yes")
    assert written(project) == {"vaultPath": "..", "embedModel": "auto"}
    assert "statuses" not in result.out


@pytest.mark.skipif(os.name != "posix", reason="rights are another thing on Windows")
def test_its_files_have_the_right_modes(project: Path, docs_rag: CommandLine) -> None:
    before = os.umask(0o022)
    try:
        docs_rag("init", "--yes")
    finally:
        os.umask(before)
    state = project / ".rag"
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert stat.S_IMODE((state / "config.json").stat().st_mode) == 0o644
    assert (state / ".gitignore").read_text(encoding="utf-8") == "*\n!.gitignore\n!config.json\n"
    assert sorted(each.name for each in state.iterdir()) == [".gitignore", "config.json"]


@pytest.mark.parametrize("place", [".rag/config.json", "config.json"])
def test_it_never_writes_over_a_config(place: str, project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {place: '{"vaultPath": "mine"}'})
    result = docs_rag("init", "--yes")
    assert result.status == 1
    assert str(project / place) in result.err
    assert (project / place).read_text(encoding="utf-8") == '{"vaultPath": "mine"}'
    assert not (place == "config.json" and (project / ".rag").exists())


def test_it_knows_a_config_also_by_another_way_to_the_folder(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"config.json": '{"vaultPath": "mine"}', "sub/.keep": ""})
    assert docs_rag("init", "--yes", "-C", "sub/..").status == 1


@pytest.mark.skipif(os.name != "posix", reason="a folder in use cannot be removed on Windows")
def test_a_working_folder_that_is_gone_is_said(project: Path, docs_rag: CommandLine) -> None:
    project.rmdir()
    result = docs_rag("init", "--yes")
    assert (result.status, result.err) == (2, "docs-rag: the working directory is gone; change to another one\n")


def test_a_config_of_another_program_is_none_of_ours(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"config.json": '{"colour": "blue"}'})
    assert docs_rag("init", "--yes").status == 0


def test_a_config_further_up_is_named(project: Path, docs_rag: CommandLine) -> None:
    write_config(project.parent)
    result = docs_rag("init", "--yes")
    assert result.status == 0
    assert str(project.parent / ".rag" / "config.json") in result.err


def test_the_config_may_lie_elsewhere(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"docs/a.md": NOTE, "settings/.keep": ""})
    assert docs_rag("init", "--yes", "--config", "settings/docs.json").status == 0
    text = (project / "settings" / "docs.json").read_text(encoding="utf-8")
    assert json.loads(text)["vaultPath"] == str(project / "docs")
    assert docs_rag("trust", "--config", "settings/docs.json").out.endswith("You have approved this.\n")


def test_a_file_in_the_place_of_the_folder_is_a_known_error(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {".rag": "mine", "a.md": NOTE})
    result = docs_rag("init", "--yes")
    assert result.status == 1
    assert "cannot write" in result.err
    assert (project / ".rag").read_text(encoding="utf-8") == "mine"


def test_without_a_terminal_it_does_not_wait(project: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("init")
    assert (result.status, result.out) == (2, "")
    assert "--yes" in result.err
    assert not (project / ".rag").exists()


def test_a_new_file_never_replaces_another(tmp_path: Path) -> None:
    place = tmp_path / "a.json"
    write_new(place, "first\n")
    with pytest.raises(FileExistsError):
        write_new(place, "second\n")
    assert place.read_text(encoding="utf-8") == "first\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]
