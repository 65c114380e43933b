"""Two versions of docs-rag take turns at one project: `python -m crash.versions OLD NEW` with `tests` on the path.

OLD and NEW are each a Python in whose environment that version is installed, or a folder with its source. The older one
sets a project up and indexes it with a model (a server on loopback that counts what it embeds); the newer one takes
over, the hook included; the older one comes back, and the newer one after it. Prints a line for each step and fails
at the first that loses something.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from commandline import Result, write_notes
from hooked import NOTES, event, settle
from hosts import Host
from ollama_stub import OllamaStub, StubModel

MODEL: Final = "bge-m3"
QUESTION: Final = "sessions are tokens"
SETUP: Final = ("--yes", "--hook", "--agents")
OLDER, NEWER = "guide.md", "adr/0034-tokens.md"
SECONDS: Final = 60
MORE: Final = {f"log/{n:02d}.md": f"# Day {n}\n\nThe oven was {100 + n} degrees hot.\n" for n in range(20)}


class Version:
    """One of the two: runs commands of its own on the project."""

    def __init__(self, place: Path, environment: dict[str, str], project: Path) -> None:
        """`place` is an interpreter or a folder of source; `environment` that of the processes."""
        is_source = place.is_dir()
        self._python = sys.executable if is_source else str(place)
        self._environment = {**environment, **({"PYTHONPATH": str(place.resolve())} if is_source else {})}
        self._project = project

    def __call__(self, *arguments: str, data: bytes = b"", status: int | None = 0) -> Result:
        """Run a command in the project; raises `AssertionError` for another exit status, unless it may be any."""
        command = [self._python, "-m", "docs_rag", *arguments]
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=SECONDS, cwd=self._project, env=self._environment
        )
        found = Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
        assert status in (None, found.status), (arguments, found)
        return found

    @contextmanager
    def served(self) -> Iterator[Host]:
        """A server of this version that a host has initialized; it must end well."""
        command = [self._python, "-m", "docs_rag", "serve"]
        pipe, nowhere, where = subprocess.PIPE, subprocess.DEVNULL, self._project
        with subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=nowhere, cwd=where, env=self._environment
        ) as process:
            server = Host(process)
            server.initialize()
            yield server
            server.end_input()
            assert server.wait() == 0

    def answers(self) -> list[Any]:
        """What the first hits of a question are."""
        hits = json.loads(self("search", "--json", QUESTION).out)["hits"]
        return [(each["path"], each["lines"], each["score"], each["text"]) for each in hits]


def exchange(old: Path, new: Path, folder: Path) -> Iterator[str]:
    """A line for each step; raises `AssertionError` at the first that goes wrong."""
    project = folder / "project"
    write_notes(project, {**NOTES, **MORE})
    with OllamaStub(StubModel(MODEL, dimensions=1024)) as server:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "CLAUDE_"))}
        environment = {**kept, "HOME": str(folder / "home"), "OLLAMA_HOST": server.url}
        (folder / "home").mkdir()
        before, after = (Version(each, environment, project) for each in (old, new))
        yield from _taken_over(before, after, project, server)
        yield from _and_back(before, after, project, server)


def _taken_over(old: Version, new: Version, project: Path, server: OllamaStub) -> Iterator[str]:
    old("scaffold", ".", *SETUP)
    old("index")
    answers, vectors, embedded = old.answers(), _vectors(project), _embedded(server)
    assert answers
    yield f"the older version has indexed {len(vectors)} texts"

    with old.served() as running, new.served() as started:
        assert not running.ask(QUESTION)["isError"]
        _ask_until_answered(started)
        settle(project)
        told = running.ask(QUESTION)
        assert not told["isError"] or "upgrade docs-rag" in told["content"][0]["text"], told
    new("index")
    _nothing_lost(new, project, server, vectors, embedded)
    assert new.answers() == answers
    yield "a server of the newer version has taken the index over, while one of the older one went on"
    yield "every vector is kept, no text was embedded again, and the answers are the same"

    files = _files(project)
    assert new("scaffold", ".", *SETUP).out == "nothing to change\n"
    assert _files(project) == files
    yield "what scaffold wrote is as the newer version would write it"

    note = project / "guide.md"
    note.write_text("# Guide\n\nWafers are baked on Friday.\n", encoding="utf-8")
    new("hook", data=event(note))
    assert settle(project)["ok"]
    assert note.name in new("search", "-l", "Wafers").out
    yield "the hook's run has taken an edit in"

    note_before = (project / OLDER).read_bytes()
    old("supersede", OLDER, NEWER, "--yes")
    assert (project / OLDER).read_bytes() != note_before
    new("undo", "--yes")
    assert (project / OLDER).read_bytes() == note_before
    new("index")
    yield "the newer version has undone a change that the older one made"


def _and_back(old: Version, new: Version, project: Path, server: OllamaStub) -> Iterator[str]:
    index = project / ".rag" / "index.db"
    before = index.read_bytes()
    if _is_refused(old, "upgrade docs-rag"):
        for command in (("search", QUESTION), ("index",), ("status",), ("list",)):
            refused = old(*command, status=1)
            assert "upgrade docs-rag" in refused.err, refused
            assert refused.err.count("\n") == 1, refused
        assert index.read_bytes() == before
        yield "the older version leaves the index as it is, in one line"
    old("index", "--full")
    answers, vectors, embedded = old.answers(), _vectors(project), _embedded(server)
    assert answers
    yield "the older version has made an index of its own"

    new("index")
    _nothing_lost(new, project, server, vectors, embedded)
    assert new.answers() == answers
    yield "the newer version has taken that over too"


def _is_refused(version: Version, words: str) -> bool:
    """Whether a search ends with these words, rather than with an answer."""
    done = version("search", QUESTION, status=None)
    assert done.status == 0 or words in done.err, done
    return done.status != 0


def _nothing_lost(
    version: Version, project: Path, server: OllamaStub, vectors: dict[str, bytes], embedded: int
) -> None:
    status = version("status", "--json").json
    assert (status["failed"], status["pending"]) == ([], 0), status
    assert _vectors(project) == vectors
    assert _embedded(server) == embedded
    found = version("doctor", status=None)
    assert "index" not in found.err, found


def _ask_until_answered(server: Host) -> None:
    deadline = time.monotonic() + SECONDS
    while (told := server.ask(QUESTION))["isError"]:
        assert "in the background" in told["content"][0]["text"], told
        assert time.monotonic() < deadline, told
        time.sleep(0.1)


def _embedded(server: OllamaStub) -> int:
    """How many texts of notes were embedded: they have a line of their title, which questions have not."""
    return sum("\n" in text for batch in server.embedded for text in batch)


def _vectors(project: Path) -> dict[str, bytes]:
    """By digest of their text."""
    with closing(sqlite3.connect(project / ".rag" / "index.db")) as db:
        return dict(db.execute("SELECT hex(digest), vector FROM vectors"))


def _files(project: Path) -> dict[str, bytes]:
    """Everything but what docs-rag keeps for itself."""
    files = (each for each in project.rglob("*") if each.is_file() and each.parent.name != ".rag")
    kept = [*files, project / ".rag" / "config.json"]
    return {each.relative_to(project).as_posix(): each.read_bytes() for each in kept}


def main() -> int:
    """Say each step."""
    parser = argparse.ArgumentParser(prog="python -m crash.versions", description="Two versions at one project.")
    parser.add_argument("old", type=Path, help="a Python with the older version, or a folder of its source")
    parser.add_argument("new", type=Path, help="the same of the newer one")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for line in exchange(arguments.old, arguments.new, Path(folder).resolve()):
            sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
