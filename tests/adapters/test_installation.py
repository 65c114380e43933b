"""What is known of the copy that runs."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from docs_rag.adapters.installation import installed


def program(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / (f"{name}.exe" if os.name == "nt" else name)
    place.write_bytes(b"")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    return place


def test_programs_are_named_by_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path, uvx = program(tmp_path / "bin", "docs-rag"), program(tmp_path / "bin", "uvx")
    own = program(tmp_path / "venv", "docs-rag")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "python"))
    found = installed()
    assert (found.program, found.on_path, found.uvx) == (str(own), str(on_path), str(uvx))


def test_a_script_elsewhere_is_known_by_its_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = program(tmp_path / "scripts", "docs-rag")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "argv", [os.path.relpath(own, tmp_path), "clients"])
    assert installed().program == str(own)


def test_nothing_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "")
    monkeypatch.setattr(sys, "argv", ["-c"])
    found = installed()
    assert (found.program, found.on_path, found.uvx) == (None, None, None)
    assert found.origin is None or "url" in json.loads(found.origin)
