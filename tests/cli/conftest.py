"""A small vault to call commands in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commandline import VAULTS, CommandLine, write_config, write_notes


@pytest.fixture
def docs_rag(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Calls a command in this process."""
    return CommandLine(capsys)


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example vault with a config and no model; the working directory. Not indexed yet."""
    folder = tmp_path / "orchard"
    shutil.copytree(VAULTS / "orchard", folder)
    write_config(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault of two plain notes with a config and no model; the working directory. Not indexed yet."""
    folder = tmp_path / "vault"
    write_notes(folder, {"tea.md": "# Tea\n\nTea is drunk hot.\n", "cups.md": "# Cups\n\nCups hold tea.\n"})
    write_config(folder)
    monkeypatch.chdir(folder)
    return folder
