"""Whole sessions in the example vault: what is typed, and what is answered.

`$ ` begins a command, `! ` a line of stderr, `? ` the exit status where it is not 0; all else is stdout. Spaces at
the end of lines do not count, and what differs from run to run stands as `TIME`, `SECONDS`, `VAULT`.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from commandline import CommandLine, Result

FOLDER = Path(__file__).parent / "transcripts"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_session(file: Path, docs_rag: CommandLine, orchard: Path) -> None:
    docs_rag("index")
    expected = _blocks(file.read_text(encoding="utf-8"))
    happened = {line: _shown(docs_rag(*shlex.split(line)), orchard) for line in expected}
    assert happened == expected


def _blocks(text: str) -> dict[str, list[str]]:
    """The lines below each command."""
    blocks: dict[str, list[str]] = {}
    for block in f"\n{text}".split("\n$ docs-rag ")[1:]:
        line, *rest = block.split("\n")
        assert line not in blocks, "a command stands once in a session"
        blocks[line] = [each.rstrip() for each in "\n".join(rest).strip("\n").split("\n")]
    return blocks


def _shown(result: Result, vault: Path) -> list[str]:
    lines = [f"! {line}" for line in result.err.splitlines()]
    lines += [f"? {result.status}"] if result.status else []
    text = "\n".join([*lines, *result.out.splitlines()]).replace(str(vault), "VAULT")
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", re.sub(r"\b\d+\.\d s\b", "SECONDS", text))
    return [line.rstrip() for line in text.split("\n")]
