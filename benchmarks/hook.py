"""What `docs-rag hook` costs, beside a Python that does nothing: `python -m benchmarks.hook`.

The calls of all cases take turns, so that whatever else the machine does falls on each of them alike. Bytecode is
kept, as it is in an installed package.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import measuring
from benchmarks.columns import Column
from benchmarks.measuring import BARE, Figures, Spent, best, in_turns, milliseconds, run, spent
from docs_rag.adapters.locks import FileLock

ROUNDS = 60
SHORT = 3
"""Times as many rounds where one takes some hundredths of a second."""
PROGRAM = "import sys\nfrom docs_rag.__main__ import main\nsys.argv = ['docs-rag', 'hook']\nsys.exit(main())\n"
"""What a console script does, as uv and new versions of pip write it."""
OLD_PROGRAM = f"import re\n{PROGRAM}"
"""As pip wrote it until lately: with a module that costs more than all that the hook needs."""


def event(path: Path) -> bytes:
    """An event of Claude Code for an edit of `path`."""
    written = {"file_path": str(path), "old_string": "a", "new_string": "b"}
    common = {"session_id": "s", "cwd": str(path.parent), "hook_event_name": "PostToolUse", "tool_name": "Edit"}
    return json.dumps({**common, "tool_input": written, "tool_response": {"success": True}}).encode()


def project(folder: Path) -> Path:
    """A project with one note, without a model."""
    state = folder / ".rag"
    state.mkdir(parents=True, mode=0o700)
    (state / "config.json").write_text('{"vaultPath": "..", "embedModel": "none"}', encoding="utf-8")
    (folder / "note.md").write_text("# Note\n\nText.\n", encoding="utf-8")
    return folder


def timed(program: str, data: bytes, environment: dict[str, str]) -> float:
    """Seconds of one process."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], input=data, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def await_end(folder: Path) -> None:
    """Until the background run that was started has ended and nothing waits for another."""
    lock = FileLock(str(folder / ".rag" / "worker.lock"))
    while (folder / ".rag" / "dirty").exists() or (folder / ".rag" / "running").exists():
        time.sleep(0.05)
    lock.wait(None, lambda holder: None)
    lock.release()
    (folder / ".rag" / "background.json").unlink(missing_ok=True)  # no window: the next edit is taken in at once


def measure(column: Column) -> Figures:
    """The hook in a large project: with nothing to start, with a run to start, and until that run is done."""
    state = column.config_file.parent
    note = column.notes()[0]
    program = [sys.executable, "-c", PROGRAM]
    started: list[Spent] = []

    def busy() -> Spent:
        with FileLock(str(state / "worker.lock")):
            return spent(lambda: run(program, event(note)))

    def idle() -> Spent:
        with note.open("a", encoding="utf-8") as file:
            file.write("\nOne more edit.\n")
        started.append(spent(lambda: run(program, event(note))))
        return spent(lambda: await_end(column.vault))

    await_end(column.vault)
    calls = {"python": lambda: run(BARE), "noNote": lambda: run(program, event(state / "x.py")), "nothingToStart": busy}
    found = in_turns(calls, SHORT * measuring.ROUNDS)
    done = in_turns({"run": idle})["run"]
    clocks = {f"{name}Milliseconds": milliseconds(each.clock) for name, each in found.items()}
    return {
        **clocks,
        "beyondPythonCpuMilliseconds": milliseconds(found["nothingToStart"].cpu - found["python"].cpu),
        "runStartedMilliseconds": milliseconds(best(started[1:]).clock),
        "runDoneMilliseconds": milliseconds(done.clock),
    }


def nothing() -> None:
    """What most cases leave to be done."""


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPYCACHEPREFIX": str(place / "bytecode"), "HOME": str(place)}
        idle, busy = project(place / "idle"), project(place / "busy")
        cases: dict[str, tuple[str, bytes, Callable[[], None]]] = {
            "python -c pass": ("pass", b"", nothing),
            "file of no project": (PROGRAM, event(place / "elsewhere.md"), nothing),
            "no note": (PROGRAM, event(busy / "program.py"), nothing),
            "note, a run is at work": (PROGRAM, event(busy / "note.md"), nothing),
            "note, a run is started": (PROGRAM, event(idle / "note.md"), lambda: await_end(idle)),
            "no note, old script": (OLD_PROGRAM, event(busy / "program.py"), nothing),
            "a run, old script": (OLD_PROGRAM, event(idle / "note.md"), lambda: await_end(idle)),
        }
        seconds: dict[str, list[float]] = {case: [] for case in cases}
        with FileLock(str(busy / ".rag" / "worker.lock")):
            for number in range(ROUNDS + 1):
                for case, (program, data, after) in cases.items():
                    spent = timed(program, data, environment)
                    after()
                    if number:  # the first round writes the bytecode
                        seconds[case].append(spent)
    bare = statistics.median(seconds["python -c pass"])
    for case, all_spent in seconds.items():
        spent = statistics.median(all_spent)
        print(f"{case:<24} {spent * 1000:6.1f} ms  {spent / bare:.2f} x  (least {min(all_spent) * 1000:.1f} ms)")


if __name__ == "__main__":
    main()
