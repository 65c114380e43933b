"""What a `.mcpb` bundle starts: the server for the folder that its user picked, and an index run for it beside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from docs_rag import __main__ as program


def main() -> int:
    """Serve the folder that the process was called with; returns the exit status.

    Nobody who only picked a folder will run `docs-rag index`, so that is done with each start. It ends by itself; while
    it is at work the server answers from what there is. Its host opens no files, so notes are read by tools.
    """
    vault = sys.argv[1]
    subprocess.Popen(
        [sys.executable, "-m", "docs_rag", "index", "--no-wait", "--vault", vault],
        cwd=Path(__file__).resolve().parents[1],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    sys.argv[1:] = ["serve", "--vault", vault, "--tools", "reader"]
    return program.main()
