"""Kills docs-rag at its work, over and over: `python -m crash.rounds --help` with `tests` on the path.

Prints one JSON object that says how many rounds were tried of each story and kind, and in how many of them the work did
not end well; fails at the first that leaves harm.
"""

from __future__ import annotations

import argparse
import errno
import io
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Final

from crash import faulting
from crash.faulting import Way, forked, lasts
from crash.stories import INDEX, QUESTION, STORIES, SUPERSEDE, Desk, Outcome, Story, check, undisturbed, use_fake_model

from docs_rag import cli

MOST_STEPS: Final = 1_000_000
CALLS: Final = {
    "calls": (Way.KILL, 0),
    "torn": (Way.TEAR, 0),
    "full": (Way.FAIL_FROM, errno.ENOSPC),
    "full-once": (Way.FAIL_ONCE, errno.ENOSPC),
    "broken": (Way.FAIL_FROM, errno.EIO),
    "broken-once": (Way.FAIL_ONCE, errno.EIO),
    "read-only": (Way.FAIL_FROM, errno.EROFS),
}
"""What goes wrong at a call of the system, by kind."""
KINDS: Final = ("statements", *CALLS, "random")
Arm = Callable[[], None]


def main() -> int:
    """Run the rounds that the arguments ask for."""
    options = _parser().parse_args()
    use_fake_model()
    counts: dict[str, tuple[int, int]] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        warm_up(Desk(Path(folder, "warm").resolve()))
        for story in STORIES:
            if options.story in (None, story.name):
                desk = Desk(Path(folder, story.name).resolve())
                desk.begin(story)
                normal = undisturbed(desk, story)
                for kind in options.kinds.split(","):
                    counts[f"{story.name} {kind}"] = _rounds(desk, story, normal, kind, options)
                    sys.stderr.write(f"{story.name} {kind}: {counts[f'{story.name} {kind}']}\n")
    json.dump({"rounds": sum(tried for tried, _ in counts.values()), **counts}, sys.stdout)
    return 0


def warm_up(desk: Desk) -> None:
    """Load here what the commands load, or each child would do so again."""
    desk.begin(STORIES[-1])
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        for arguments in (INDEX, QUESTION, ("undo", "--yes"), SUPERSEDE):
            assert cli.run(["-C", str(desk.project), *arguments]) == 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--story", choices=[each.name for each in STORIES])
    parser.add_argument("--most", type=int, default=MOST_STEPS, help="rounds of a kind, spread over all its steps")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", help="where the projects lie")
    return parser


def _rounds(desk: Desk, story: Story, normal: Outcome, kind: str, options: argparse.Namespace) -> tuple[int, int]:
    """Rounds of one kind; returns how many, and in how many of them the work did not end well."""
    harmed, number = 0, -1
    for number, arm in enumerate(_arms(desk, story, kind, options)):
        desk.reset()
        status = forked(story.work(desk), desk.log, arm)
        harmed += status != 0
        try:
            assert status in (None, 0, 1), desk.said()
            check(desk, story, normal, ask=number % 2 == 0)
        except AssertionError as error:
            error.add_note(f"{story.name} {kind} round {number}: {arm}")
            raise
    return number + 1, harmed


def _arms(desk: Desk, story: Story, kind: str, options: argparse.Namespace) -> Iterable[Arm]:
    if kind == "statements":
        return (partial(faulting.at_statement, step) for step in _spread(_statements(desk, story), options.most))
    if kind in CALLS:
        if not faulting.is_preloaded():
            return ()
        steps = _calls(desk, story)
        return (partial(faulting.at_call, step, *CALLS[kind]) for step in _spread(steps, options.most))
    desk.reset()
    seconds = lasts(story.work(desk), desk.log)
    dice = random.Random(f"{options.seed} {story.name}")
    return (partial(faulting.after, dice.uniform(0, seconds)) for _ in range(min(options.most, 100)))


def _spread(steps: int, most: int) -> Iterator[int]:
    """At most so many of the steps, evenly spread, the first and the last among them."""
    count = min(steps, most)
    return (round(each * (steps - 1) / max(count - 1, 1)) for each in range(count))


def _statements(desk: Desk, story: Story) -> int:
    """How many statements and calls of Python the work makes."""
    return _counted(desk, story, faulting.counting_statements)


def _calls(desk: Desk, story: Story) -> int:
    """How many calls that change files the work makes."""
    return _counted(desk, story, faulting.counting_calls)


def _counted(desk: Desk, story: Story, count: Callable[[], Callable[[], int]]) -> int:
    desk.reset()
    place = desk.root / "count"

    def work() -> int:
        seen = count()
        status = story.work(desk)()
        place.write_text(str(seen()), encoding="ascii")
        return status

    assert forked(work, desk.log) == 0, desk.said()
    return int(place.read_text(encoding="ascii"))


if __name__ == "__main__":
    sys.exit(main())
