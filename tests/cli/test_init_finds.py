"""What `init` finds out by itself, and what it makes of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from commandline import CommandLine, spawn, write_notes
from ollama_stub import OllamaStub, StubModel
from terminal import on_terminal

from docs_rag.app.estimating import Estimate

NOTE = "# Note\n\ntext\n"
ALONE = {"OLLAMA_HOST": "127.0.0.1:9", "LC_ALL": "C.UTF-8"}
KOREAN = {**ALONE, "LC_ALL": "ko_KR.UTF-8"}

posix = pytest.mark.skipif(os.name != "posix", reason="terminals of another kind")


@pytest.fixture(autouse=True)
def no_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def config(project: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((project / ".rag" / "config.json").read_text(encoding="utf-8"))
    return found


def test_obsidians_filters_are_left_out_of_searches(project: Path, docs_rag: CommandLine) -> None:
    settings = {"userIgnoreFilters": ["templates/", "plans/", "node_modules/", "/^private.*/"]}
    notes = dict.fromkeys(["work/a.md", "templates/day.md", "plans/b.md"], NOTE)
    write_notes(project, {**notes, ".obsidian/app.json": json.dumps(settings)})
    result = docs_rag("init", "--yes")
    assert config(project)["defaultExclude"] == ["archive", "plans", "templates"]
    assert "Obsidian: settings in .obsidian; not taken over: /^private.*/" in result.out
    assert "--all brings them back): plans (1), templates (1)" in result.out


def test_a_renamed_folder_of_obsidian_makes_a_vault(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"docs/a.md": NOTE, ".phone/app.json": "{}", ".phone/core-plugins.json": "{}"})
    result = docs_rag("init", "--yes")
    assert config(project)["vaultPath"] == ".."
    assert "Obsidian: settings in .phone\n" in result.out


def test_what_searches_leave_out_is_counted(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, dict.fromkeys(["a.md", "4 Archives/b.md", "4 Archives/c.md", "x/plan/d.md"], NOTE))
    result = docs_rag("init", "--yes")
    assert "archive (2), plans (1)" in result.out
    assert "defaultExclude" not in config(project)


def test_in_a_synced_folder_the_index_goes_to_the_cache(tmp_path: Path, home: Path) -> None:
    project = tmp_path / "Dropbox" / "orchard"
    write_notes(project, {"a.md": NOTE})
    result = spawn("init", "--yes", "-C", project, env={"XDG_CACHE_HOME": ""})
    index = str(config(project)["indexPath"])
    assert index.startswith("~/.cache/docs-rag/orchard-")
    assert f"index: {index}, because Dropbox copies this folder" in result.out
    done = spawn("index", "-C", project, env={"XDG_CACHE_HOME": ""})
    assert done.status == 0, done.err
    place = home / index[2:]
    assert place.is_file()
    assert not list(project.rglob("index.db*"))
    for each in place.parent.iterdir():  # a cache may be emptied
        each.unlink()
    place.parent.rmdir()
    assert spawn("index", "-C", project, env={"XDG_CACHE_HOME": ""}).status == 0


def test_two_projects_of_one_name_have_two_indexes(tmp_path: Path, docs_rag: CommandLine) -> None:
    for above in ("one", "two"):
        write_notes(tmp_path / "Dropbox" / above / "notes", {"a.md": NOTE})
        assert docs_rag("init", "--yes", "-C", tmp_path / "Dropbox" / above / "notes").status == 0
    places = {str(config(tmp_path / "Dropbox" / above / "notes")["indexPath"]) for above in ("one", "two")}
    assert len(places) == 2


def test_the_first_index_is_estimated(project: Path, docs_rag: CommandLine) -> None:
    body = "".join(f"## Part {part}\n\nWords of part {part}.\n\n" for part in range(20))
    write_notes(project, {f"{number}.md": f"# Note {number}\n\n{body}" for number in range(5)})
    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", server.url)
        result = docs_rag("init", "--yes")
        assert server.embedded
    assert "model: auto (here: bge-m3)" in result.out
    assert "  first index: about 100 sections, about 1 s (tried on a few)\n" in result.out


def test_of_a_long_first_index_it_is_said_what_there_is_meanwhile(
    project: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_rag.cli.init.first_index", lambda *_: Estimate(15_000, 3_000.0))
    result = docs_rag("init", "--yes")
    assert "about 50 min (tried on a few); until then what is not embedded yet is found by its words\n" in result.out


@posix
def test_ollamas_models_are_named(project: Path) -> None:
    write_notes(project, {"a.md": NOTE})
    with OllamaStub(StubModel("nomic-embed-text"), StubModel("llama3", capabilities=["completion"])) as server:
        status, shown = on_terminal(["init"], "\nnomic-embed-text\n", {**ALONE, "OLLAMA_HOST": server.url})
        assert status == 0, shown
        assert f"Ollama at {server.url} has: nomic-embed-text\r\n" in shown
        assert config(project)["embedModel"] == "nomic-embed-text"


@posix
def test_a_name_that_is_no_model_is_asked_for_again(project: Path) -> None:
    write_notes(project, {"a.md": NOTE})
    status, shown = on_terminal(["init"], "\nbuiltin\nsome:cloud\n none \n", ALONE)
    assert status == 0, shown
    assert shown.count("this is no name of a model") == 2
    assert "no Ollama answers at http://127.0.0.1:9" in shown
    assert config(project)["embedModel"] == "none"


@posix
@pytest.mark.parametrize(("answer", "expected"), [("", None), ("none", []), ("archive, drafts", ["archive", "drafts"])])
def test_it_asks_what_searches_leave_out(answer: str, expected: list[str] | None, project: Path) -> None:
    write_notes(project, dict.fromkeys(["a.md", "archive/b.md"], NOTE))
    status, shown = on_terminal(["init"], f"\nnone\n{answer}\n", ALONE)
    assert status == 0, shown
    assert "searches leave out, unless they ask for all: archive (1)" in shown
    assert config(project).get("defaultExclude") == expected


@posix
@pytest.mark.parametrize(("answer", "elsewhere"), [("", True), ("n", False)])
def test_it_asks_before_the_index_goes_elsewhere(answer: str, elsewhere: bool, tmp_path: Path) -> None:
    project = tmp_path / "OneDrive - Orchard" / "notes"
    write_notes(project, {"a.md": NOTE})
    status, shown = on_terminal(["init", "-C", str(project)], f"\nnone\n{answer}\n", ALONE)
    assert status == 0, shown
    assert "is kept in step by OneDrive" in shown
    assert ("indexPath" in config(project)) is elsewhere


@posix
def test_it_asks_in_korean_under_a_korean_locale(project: Path) -> None:
    write_notes(project, dict.fromkeys(["a.md", "archive/b.md"], NOTE))
    status, shown = on_terminal(["init"], "없는폴더\n\nnone\n\n", KOREAN)
    assert status == 0, shown
    assert f"{project} 폴더에서 노트 2개를 찾았습니다" in shown
    assert "노트 폴더" in shown
    assert f"{project / '없는폴더'} 폴더가 없습니다" in shown
    assert "임베딩 모델" in shown
    assert "검색에서 뺄 폴더" in shown
    assert f"wrote {project / '.rag' / 'config.json'}" in shown


def test_documents_beside_the_notes_are_offered(project: Path, docs_rag: CommandLine) -> None:
    write_notes(project, {"a.md": NOTE, "b/plan.PDF": "x", "b/old.pdf": "x", "c.docx": "x", "data.json": "{}"})
    result = docs_rag("init", "--yes")
    assert config(project)["include"] == ["**/*.md", "**/*.{pdf,docx}"]
    assert "documents (`include`): pdf (2), docx (1)" in result.out


@posix
def test_somebody_may_want_notes_alone(project: Path) -> None:
    write_notes(project, {"a.md": NOTE, "c.docx": "x"})
    status, shown = on_terminal(["init"], "\n\nnone\n", ALONE)
    assert status == 0, shown
    assert "documents beside the notes: docx (1)" in shown
    assert "include" not in config(project)
