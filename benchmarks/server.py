"""How soon a host gets its answers from `docs-rag serve`.

    python -m benchmarks.server [--notes 1000] [--folder DIR] [--model builtin:multilingual-e5-small] [--runs 7]

Each run starts a server on an index that is there, as a host does: `initialize`, the list of tools, a first question,
a second one, the end of stdin; a further server is ended by SIGTERM. The best of all runs counts, in milliseconds since
the start of the process, for the second question since it was sent, for the ends since the signal or the end of stdin.
A model of the machine embeds the whole vault first: take few notes, or a folder.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Final

from benchmarks import measuring
from benchmarks.columns import Column
from benchmarks.generated import write_vault
from benchmarks.measuring import BARE, Figures, docs_rag, milliseconds, peak_of, run, spent
from docs_rag.adapters.embedders.builtin import is_available

CLIENT: Final = {"name": "benchmark", "version": "1"}
HELLO: Final = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
QUESTIONS: Final = ("how are tokens rotated by the gateway", "which queue holds failed jobs")


def main() -> None:
    """Parse the arguments, build the index, print one line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--model", default="none")
    parser.add_argument("--runs", type=int, default=measuring.ROUNDS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        vault = Path(scratch) / "vault"
        if arguments.folder is None:
            write_vault(vault, arguments.notes)
        else:
            shutil.copytree(arguments.folder, vault, ignore=shutil.ignore_patterns(".rag"))
        config = _prepare(vault, arguments.model)
        print(json.dumps(measure(("--config", str(config)), arguments.runs)))


def by_words(column: Column) -> Figures:
    """A server that knows words alone."""
    return measure(("--config", str(column.config_file)))


def by_meaning(column: Column) -> Figures:
    """A server with a vector for each section and the builtin model for questions; nothing without it."""
    return measure(("--vault", str(column.vault))) if is_available() else {}


def measure(where: Sequence[str], runs: int | None = None) -> Figures:
    """Start, ask and end servers of one project, beside a Python that does nothing."""
    runs = runs or measuring.ROUNDS
    python = min(spent(lambda: run(BARE)).clock for _ in range(runs + 1))
    found = [_run(where) for _ in range(runs + 1)][1:]
    shown = {f"{name}Milliseconds": milliseconds(min(each[name] for each, _ in found)) for name in found[0][0]}
    return {"pythonMilliseconds": milliseconds(python), **shown, "peakMiB": max(peak for _, peak in found)}


def _prepare(vault: Path, model: str) -> Path:
    config = vault / ".rag" / "config.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"vaultPath": "..", "embedModel": model}), encoding="utf-8")
    run(docs_rag("index", "--config", str(config)))
    return config


def _run(where: Sequence[str]) -> tuple[dict[str, float], float]:
    started = time.perf_counter()
    found: dict[str, float] = {}
    with _serve(where) as process:
        _ask(process, 1, "initialize", HELLO)
        found["initialized"] = time.perf_counter() - started
        _ask(process, 2, "tools/list", {})
        found["listed"] = time.perf_counter() - started
        _search(process, 3, QUESTIONS[0])
        found["firstAnswer"] = time.perf_counter() - started
        asked = time.perf_counter()
        _search(process, 4, QUESTIONS[1])
        found["secondAnswer"] = time.perf_counter() - asked
        peak = peak_of(process.pid)
        found["endOfInput"] = _ending(process, signal_it=False)
    with _serve(where) as process:
        _ask(process, 1, "initialize", HELLO)
        found["sigterm"] = _ending(process, signal_it=True)
    return found, peak


def _ending(process: subprocess.Popen[bytes], *, signal_it: bool) -> float:
    asked = time.perf_counter()
    if signal_it:
        process.send_signal(signal.SIGTERM)
    else:
        _pipe(process.stdin).close()
    process.wait(60)
    return time.perf_counter() - asked


def _search(process: subprocess.Popen[bytes], number: int, query: str) -> None:
    reply = _ask(process, number, "tools/call", {"name": "search_notes", "arguments": {"query": query}})
    if reply["result"].get("isError"):
        sys.exit(str(reply))


def _ask(process: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    stdin = _pipe(process.stdin)
    stdin.write(json.dumps(message).encode("utf-8") + b"\n")
    if method == "initialize":
        stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    stdin.flush()
    while True:
        reply: dict[str, Any] = json.loads(_pipe(process.stdout).readline())
        if reply.get("id") == number:
            return reply


def _serve(where: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        docs_rag("serve", *where),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise RuntimeError("a process without its pipe")
    return stream


if __name__ == "__main__":
    main()
