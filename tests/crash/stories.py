"""Pieces of work that are killed, each with what it starts from and what must hold of whatever it leaves."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from commandline import write_config, write_notes
from crash.faulting import forked
from crash.indexdump import Dump, copied, dump
from fakes import FakeEmbedder
from hooked import event

from docs_rag import cli, hook, wiring
from docs_rag.adapters.sqlite import signs
from docs_rag.core import changes
from docs_rag.core.hookfiles import EDITS, EDITS_IN_WORK, LOG, OUTCOME, SEEN, TOLD, TOLD_LOCK, WORKER_LOCK
from docs_rag.hook import claim_worker, spawning

NOTES: Final = {
    "adr/0001-cookies.md": "---\ndate: 2025-01-02\n---\n# Sessions are cookies\n\nA session lives in a cookie.\n",
    "adr/0002-tokens.md": "---\ndate: 2025-03-04\n---\n# Sessions are tokens\n\nA session lives in a token.\n",
    "adr/0003-kept.md": "# Bread is baked daily\n\n## When\n\nAt dawn.\n\n## Where\n\nIn the yard.\n",
    "log.md": "# Decision log\n\n## D-001: Rye\n\nStatus: accepted\n\nRye is sown.\n\n## D-002: Oats\n\nOats too.\n",
    "guide.md": "# Guide\n\nThe oven is lit by hand.\n",
    "gone.md": "# Gone\n\nThis page will be deleted.\n",
    "moves.md": "# Moves\n\nThis page will lie elsewhere.\n",
}
CLAIMED: Final = (
    "---\ndate: 2025-03-04\nsupersedes: 0001\n---\n# Sessions are tokens\n\nA session lives in a token now.\n"
)
EDITED: Final = {
    "adr/0002-tokens.md": CLAIMED,
    "guide.md": "# Guide\n\nThe oven is lit by gas.\n\n## Cleaning\n\nOn Fridays.\n",
    "log.md": NOTES["log.md"] + "\n## D-003: Wheat\n\nSupersedes: D-001\n\nWheat is sown.\n",
    "new.md": "# New\n\nA page that was not there.\n",
}
QUESTION: Final = ("search", "--json", "-n", "20", "where does a session live")


@dataclass(slots=True)
class Desk:
    """One project with its user's home, at a place that stays the same from round to round."""

    root: Path
    project: Path = field(init=False)
    index: Path = field(init=False)
    log: Path = field(init=False)

    def __post_init__(self) -> None:
        self.project = self.root / "now" / "project"
        self.index = self.project / ".rag" / "index.db"
        self.log = self.root / "child.log"
        os.environ.update({"HOME": str(self.root / "now" / "home"), "XDG_STATE_HOME": str(self.root / "now" / "state")})

    def begin(self, story: Story) -> None:
        """Lay the story's beginning down once."""
        shutil.rmtree(self.root / "now", ignore_errors=True)
        for folder in ("home", "state", "project"):
            (self.root / "now" / folder).mkdir(parents=True, mode=0o700)
        write_notes(self.project, story.notes)
        write_config(self.project, embedModel="auto", **story.config)
        for arguments in story.before:
            assert self.run(arguments) == 0, self.said()
        if story.prepare is not None:
            story.prepare(self)
        shutil.rmtree(self.root / "begun", ignore_errors=True)
        (self.root / "now").rename(self.root / "begun")
        self.reset()

    def reset(self) -> None:
        """Back to the beginning."""
        shutil.rmtree(self.root / "now", ignore_errors=True)
        shutil.copytree(self.root / "begun", self.root / "now", symlinks=True)

    def run(self, arguments: Sequence[str], arm: Callable[[], None] | None = None) -> int | None:
        """One command in a child; None when it was killed."""
        return forked(lambda: cli.run(["-C", str(self.project), *arguments]), self.log, arm)

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def dumped(self) -> Dump | None:
        """What the index holds; None for no index, or one that is still empty."""
        if not self.index.exists():
            return None
        return dump(copied(self.index, self.root / "scratch"))

    def files(self) -> dict[str, bytes]:
        """The user's files."""
        return {
            str(each.relative_to(self.project)): each.read_bytes()
            for each in sorted(self.project.rglob("*"))
            if each.is_file() and ".rag" not in each.relative_to(self.project).parts
        }

    def left_over(self) -> list[str]:
        """The names of all files that are not the user's."""
        places = (self.project / ".rag", self.root / "now" / "state")
        return sorted(str(each.relative_to(self.root)) for place in places for each in place.rglob("*"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A command that is killed; `heal` brings its work to an end afterwards."""

    name: str
    act: tuple[str, ...]
    heal: tuple[str, ...]
    notes: dict[str, str] = field(default_factory=lambda: dict(NOTES))
    before: tuple[tuple[str, ...], ...] = ()
    prepare: Callable[[Desk], None] | None = None
    config: dict[str, object] = field(default_factory=dict)
    tells: bool = False
    """Whether what `heal` prints must be the same as ever."""
    changes_notes: bool = False
    """Whether the command writes the user's files; then `undo` must lead back to the beginning."""

    def work(self, desk: Desk) -> Callable[[], int]:
        """What the child does."""
        return lambda: cli.run(["-C", str(desk.project), *self.act])


@dataclass(frozen=True, slots=True, kw_only=True)
class Background(Story):
    """The run that the hook starts; it holds the worker's lock from its first moment."""

    def work(self, desk: Desk) -> Callable[[], int]:
        arguments = ["index", "--background", "--config", str(desk.project / ".rag" / "config.json")]
        return lambda: cli.run(arguments, claim_worker(arguments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook(Story):
    """The hook of an agent that has just saved a note; the run that it would start is another story."""

    def work(self, desk: Desk) -> Callable[[], int]:
        def tell() -> int:
            out, into = os.pipe()
            os.write(into, event(desk.project / "guide.md"))
            os.close(into)
            os.dup2(out, 0)
            setattr(spawning, "start", lambda project: None)  # noqa: B010
            return hook.main(None)

        return tell


def edit(desk: Desk) -> None:
    """What an editor did since the index was made."""
    write_notes(desk.project, EDITED)
    (desk.project / "gone.md").unlink()
    (desk.project / "moves.md").rename(desk.project / "moved.md")


def edit_and_mark(desk: Desk) -> None:
    edit(desk)
    (desk.project / ".rag" / EDITS).write_bytes(b"guide.md\n")


def edit_badly(desk: Desk) -> None:
    """Only one page says something else, so that `undo` has one thing to take back."""
    assert desk.run(("supersede", "--yes", "adr/0001-cookies.md", "adr/0002-tokens.md")) == 0, desk.said()


INDEX: Final = ("index",)
SUPERSEDE: Final = ("supersede", "--yes", "adr/0001-cookies.md", "adr/0002-tokens.md")

CONVERT: Final = ("convert", "--again", "page.html")
PAGE: Final = "<html><title>Bread</title><body><h1>Bread</h1><p>It is baked at dawn.</p></body></html>"

STORIES: Final = (
    Story(name="index-first", act=INDEX, heal=INDEX),
    Story(name="index-edits", act=INDEX, heal=INDEX, before=(INDEX,), prepare=edit),
    Story(name="index-full", act=("index", "--full"), heal=INDEX, before=(INDEX,), prepare=edit),
    Background(name="worker", act=INDEX, heal=INDEX, before=(INDEX,), prepare=edit_and_mark),
    Hook(name="hook", act=(), heal=INDEX, before=(INDEX,), prepare=edit),
    Story(
        name="convert", act=CONVERT, heal=CONVERT, notes={**NOTES, "page.html": PAGE}, before=(INDEX,), tells=True,
        config={"include": ["**/*.md", "**/*.html"]},
    ),
    Story(name="search", act=QUESTION, heal=INDEX, before=(INDEX,), prepare=edit),
    Story(name="supersede", act=SUPERSEDE, heal=SUPERSEDE, before=(INDEX,), changes_notes=True),
    Story(
        name="undo", act=("undo", "--yes"), heal=("undo", "--yes"), before=(INDEX,), prepare=edit_badly,
        changes_notes=True,
    ),
)  # fmt: skip


def use_fake_model() -> None:
    """Vectors without a model, the same text always with the same one; few of them have their signs kept too.

    A note counts as read after its change however soon that was: else no folder would be remembered so early.
    """
    setattr(changes, "RACY_NS", 0)  # noqa: B010
    setattr(signs, "KEPT_FROM", 1)  # noqa: B010
    setattr(wiring, "choose_embedder", lambda config, store: FakeEmbedder())  # noqa: B010
    setattr(wiring, "choose_search_embedder", lambda config, store: (FakeEmbedder(), ""))  # noqa: B010


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a story begins and how it ends when nothing goes wrong."""

    before: Dump | None
    after: Dump | None
    files_before: dict[str, bytes]
    files_after: dict[str, bytes]
    left_over: list[str]
    said: str
    """What `heal` printed."""


def undisturbed(desk: Desk, story: Story) -> Outcome:
    """Do the work once without a fault, and what heals it once more, which then has nothing to do."""
    before, files = desk.dumped(), desk.files()
    assert forked(story.work(desk), desk.log) == 0, desk.said()
    acted = desk.files()
    if not story.changes_notes:
        assert desk.run(story.heal) == 0, desk.said()
    outcome = Outcome(before, desk.dumped(), files, acted, desk.left_over(), desk.said())
    desk.reset()
    return outcome


def check(desk: Desk, story: Story, normal: Outcome, *, ask: bool) -> None:
    """Everything that must hold after a kill, and that the next run brings it to the same end."""
    _check_notes(desk.dumped(), normal)
    files = desk.files()
    if not story.changes_notes:
        assert files == normal.files_before
    if ask:
        _check_answer(desk, files)
    if story.changes_notes:
        _check_files(desk, story, normal, files)
        return
    assert desk.run(story.heal) == 0, desk.said()
    assert desk.said() == normal.said or not story.tells, desk.said()
    _check_healed(desk.dumped(), normal)
    _check_left_over(desk.left_over(), normal)


def _check_left_over(names: list[str], normal: Outcome) -> None:
    """Nothing is left that would not be there anyway, but the one file that was being written."""
    more = set(names) - {*normal.left_over, *_side_files(normal.left_over)}
    assert len(more) <= 1 and all(each.endswith(".tmp") or ".writing-" in each for each in more), more


def _check_notes(found: Dump | None, normal: Outcome) -> None:
    """Each note is wholly old or wholly new, and so is each vector."""
    before = normal.before.notes if normal.before else {}
    after = normal.after.notes if normal.after else {}
    vectors = {**(normal.before.vectors if normal.before else {}), **(normal.after.vectors if normal.after else {})}
    if found is None:
        assert normal.before is None
        return
    for path, values in found.notes.items():
        allowed = [each[path] for each in (before, after) if path in each]
        assert values in allowed, (path, values, allowed)
    if found.notes:  # `--full` empties the index in one step
        assert before.keys() & after.keys() <= found.notes.keys()
    for digest, vector in found.vectors.items():
        assert vectors.get(digest) == vector


def _check_healed(found: Dump | None, normal: Outcome) -> None:
    assert found is not None and normal.after is not None
    assert found.is_resolved
    assert found.notes == normal.after.notes
    assert found.standings == normal.after.standings
    assert found.models == normal.after.models
    missing = {d for d in normal.after.vectors if d not in found.vectors} - _unused(normal)
    assert not missing, f"{len(missing)} vectors are missing"


def _unused(normal: Outcome) -> set[bytes]:
    """Vectors that only texts of before had: a first run that was killed never made them."""
    assert normal.after is not None
    used = {row[-1] for values in normal.after.notes.values() for row in values[1]}  # type: ignore[attr-defined]
    return set(normal.after.vectors) - used


def _check_answer(desk: Desk, files: dict[str, bytes]) -> None:
    """A question after the crash is answered by what the files say, or politely refused."""
    status = desk.run(QUESTION)
    said = desk.said()
    assert status in (0, 1), said
    if status == 1:
        assert "docs-rag index" in said or "try again" in said, said
        return
    answer: dict[str, Any] = json.loads(said[said.index("{\n") if "{\n" in said else said.index("{") :])
    states = {hit["path"]: hit["status"] for hit in answer["hits"]}
    claims = b"supersedes: 0001" in files["adr/0002-tokens.md"] or b"superseded" in files["adr/0001-cookies.md"]
    is_read = not answer["index"]["pending"] or "adr/0002-tokens.md" in states
    if claims and is_read:  # a question on a busy machine says how many notes it had no time to read
        assert "adr/0001-cookies.md" not in states, answer
    for hit in answer["hits"]:
        text = files[hit["path"]].decode("utf-8")
        assert hit["text"].strip() in text, hit


def _check_files(desk: Desk, story: Story, normal: Outcome, files: dict[str, bytes]) -> None:
    """Each of the user's files is wholly old or new, and the change can be made again or taken back whole."""
    for path, data in files.items():
        if not Path(path).name.startswith(".docs-rag-"):
            assert data in (normal.files_before.get(path), normal.files_after.get(path)), path
    start = normal.files_before if story.name == "supersede" else normal.files_after
    while (status := desk.run(("undo", "--yes"))) == 0:
        continue
    assert status == 1 and "nothing to take back" in desk.said(), desk.said()
    assert desk.files() == start, desk.files()
    assert desk.run(SUPERSEDE) == 0, desk.said()
    assert desk.run(INDEX) == 0, desk.said()
    found = desk.dumped()
    assert found is not None and found.is_resolved
    assert found.standings["adr/0001-cookies.md"][1] == "superseded"


def _side_files(names: list[str]) -> set[str]:
    """What may lie beside them: SQLite's own files, until the last process has closed the index in peace."""
    marks = {
        f"now/project/.rag/{name}" for name in (EDITS, EDITS_IN_WORK, WORKER_LOCK, OUTCOME, LOG, SEEN, TOLD, TOLD_LOCK)
    }
    return {f"{name}{suffix}" for name in names for suffix in ("-wal", "-shm")} | marks
