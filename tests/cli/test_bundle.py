"""`bundle`: a file that Claude Desktop can open."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from commandline import CommandLine

from docs_rag import __version__


def test_a_bundle_is_written_once(tmp_path: Path, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = docs_rag("bundle")
    assert result.status == 0
    place = tmp_path / "docs-rag.mcpb"
    assert result.out.startswith(f"{place}: docs-rag {__version__}, ")
    with zipfile.ZipFile(place) as archive:
        assert json.loads(archive.read("manifest.json"))["version"] == __version__
        assert {"main.py", "docs_rag/bundled.py", "docs_rag/cli/serve.py"} <= set(archive.namelist())
        assert not any("__pycache__" in name or name.endswith(".pyc") for name in archive.namelist())
        assert str(tmp_path).encode() not in archive.read("manifest.json")
    before = place.read_bytes()
    again = docs_rag("bundle")
    assert (again.status, again.out) == (1, "")
    assert "is there already; name another file, or remove it" in again.err
    assert place.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [place]


def test_it_goes_where_it_is_sent(tmp_path: Path, docs_rag: CommandLine) -> None:
    document = docs_rag("bundle", "notes.mcpb", "-C", tmp_path, "--json").json
    assert document["file"] == str(tmp_path / "notes.mcpb")
    assert document["bytes"] == (tmp_path / "notes.mcpb").stat().st_size


def test_a_place_that_is_not_there(tmp_path: Path, docs_rag: CommandLine) -> None:
    result = docs_rag("bundle", str(tmp_path / "no" / "x.mcpb"))
    assert (result.status, result.out) == (1, "")
    assert f"cannot write {tmp_path / 'no' / 'x.mcpb'}: {os.strerror(2).lower()}" in result.err
