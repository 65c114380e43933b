"""What is known of the copy that runs."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import tomllib
from pathlib import Path

import pytest

from docs_rag.adapters.installation import installed, own_copy


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


def test_the_package_knows_its_own_files() -> None:
    held = own_copy().files
    assert {"__init__.py", "bundled.py", "py.typed", "adapters/installation.py"} <= set(held)
    assert not any(name.endswith(".pyc") for name in held)


def test_what_it_needs_is_what_it_declares() -> None:
    source = Path(__file__).resolve().parents[2] / "pyproject.toml"
    declared = tomllib.loads(source.read_text(encoding="utf-8"))["project"]
    copy = own_copy()
    assert copy.python == declared["requires-python"]
    assert sorted(map(name, copy.requires)) == sorted(map(name, declared["dependencies"]))


def name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9-]", requirement)[0]
