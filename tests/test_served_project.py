"""The project of a server: it follows its config file, however that is changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from docs_rag import wiring
from docs_rag.config import Config
from docs_rag.mcp_server.project import ServedProject


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / ".rag").mkdir()
    return limited_to(tmp_path / ".rag/config.json", 5)


def limited_to(path: Path, limit: int) -> Path:
    path.write_text(json.dumps({"vaultPath": "../notes", "limit": limit}), encoding="utf-8")
    return path


def served(config: Path) -> ServedProject:
    return ServedProject(wiring.Options(config=str(config)))


@pytest.mark.skipif(os.name == "nt", reason="there a file has no time of its last change but the one that was set")
def test_an_edit_under_the_former_time_and_size_is_seen(config: Path) -> None:
    project, before = served(config), config.stat()
    assert project.is_current()
    limited_to(config, 7)
    os.utime(config, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not project.is_current()


def test_an_edit_while_it_is_read_is_seen(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = wiring.open_project
    edits = iter((7,))

    def then_edited(*args: wiring.Options, **options: bool) -> tuple[Config, tuple[str, ...]]:
        found = read(*args, **options)  # type: ignore[arg-type]
        for limit in edits:
            limited_to(config, limit)
        return found

    monkeypatch.setattr(wiring, "open_project", then_edited)
    project = served(config)
    assert project.limit == 7 or not project.is_current()
