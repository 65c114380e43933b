"""Runs commands: in this process, for what they say and do, or in one of their own, for streams and signals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from docs_rag.cli import run

VAULTS = Path(__file__).parent / "vaults"
CONFIG = {"vaultPath": "..", "embedModel": "none"}
"""A config in `.rag` for the folder above; without a model nothing is slow."""
SECONDS = 60
"""After which a process of its own is given up."""


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class CommandLine:
    """Calls `docs-rag` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Result:
        self._capsys.readouterr()
        status = run([str(each) for each in arguments])
        streams = self._capsys.readouterr()
        return Result(status, streams.out, streams.err)


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start `docs-rag` in a process of its own; it inherits the test's home folder."""
    command = [sys.executable, "-m", "docs_rag", *map(str, arguments)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **{**pipes, **options, "env": {**os.environ, **options.get("env", {})}})


def spawn(*arguments: str | Path, **options: Any) -> Result:
    """Run `docs-rag` in a process of its own to its end."""
    with start(*arguments, **options) as process:
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return Result(process.returncode, (out or b"").decode("utf-8"), (err or b"").decode("utf-8"))


def write_config(folder: Path, **values: object) -> Path:
    """A config for the vault `folder`; `values` go over `CONFIG`."""
    config = folder / ".rag" / "config.json"
    config.parent.mkdir(mode=0o700, exist_ok=True)
    config.write_text(json.dumps({**CONFIG, **values}), encoding="utf-8")
    return config


def write_notes(folder: Path, notes: dict[str, str]) -> None:
    """Notes by path below `folder`."""
    for path, text in notes.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
