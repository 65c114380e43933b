"""`demo`: shows what it promises, with the model and without, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from commandline import CommandLine, Result

from docs_rag.adapters.embedders import builtin
from docs_rag.cli.demovault import NOTES, SCENES

with_model = pytest.mark.skipif(not builtin.is_available(), reason="the builtin model does not run here")


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders go."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "find_spec", lambda _name: None)


def scenes(result: Result) -> list[list[str]]:
    """The lines below each question."""
    assert result.status == 0
    parts = result.out.split("\n$ docs-rag search ")[1:]
    assert [part.partition("\n")[0] for part in parts] == [scene.question for scene in SCENES]
    return [part.split("\n")[1:] for part in parts]


def assert_the_three_outcomes(result: Result) -> None:
    current, unknown, exact = scenes(result)
    assert "decisions/0011-short-sessions.md" in current[0]
    hits = [line for line in current if line.startswith("[")]
    assert not any("0003-long-sessions.md ›" in line for line in hits)
    assert sum(line.startswith("hidden: ADR-0003") and "0011-short-sessions.md" in line for line in current) == 1
    assert unknown[0].startswith("No relevant results (")
    assert "reference/errors.md" in exact[0]
    assert any("It comes free after ten minutes" in line for line in exact)


@with_model
def test_with_the_model(scratch: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("demo")
    assert_the_three_outcomes(result)
    assert "builtin:multilingual-e5-small" in result.out
    assert scenes(result)[0][0].startswith(("[both ", "[semantic "))
    assert "threshold" in scenes(result)[1][0]


def test_without_a_model(no_model: None, scratch: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("demo")
    assert_the_three_outcomes(result)
    assert "no model, words alone" in result.out
    assert "until then words alone decide" in result.err


def test_it_leaves_nothing_behind(no_model: None, scratch: Path, home: Path, docs_rag: CommandLine) -> None:
    assert docs_rag("demo").status == 0
    assert list(scratch.iterdir()) == []
    assert not home.exists() or [each for each in home.rglob("*") if each.is_file()] == []


def test_it_fits_a_screen(no_model: None, scratch: Path, docs_rag: CommandLine) -> None:
    lines = docs_rag("demo").out.splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 150


def test_its_notes_speak_of_states_and_languages() -> None:
    text = "\n".join(NOTES.values())
    for state in ("accepted", "superseded", "rejected", "proposed"):
        assert f"status: {state}\n" in text
    assert any("가" <= char <= "힣" for char in text)
    assert 8 <= len(NOTES) <= 12
