"""First days of files, asked of the git repository that a folder lies in.

A file's first day is the author's day, in the author's own zone, of the oldest commit that added it; one that was
renamed keeps the day of its first name. A rebase keeps the author's date, and a clone's clock is of no matter.

Of a shallow clone's oldest commits nothing is believed: what they add was there before. A repository without some of
its contents (a partial clone) is read without looking into files: what was changed while it was renamed begins anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
import unicodedata
from contextlib import contextmanager
from datetime import date
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from docs_rag.adapters.git.running import ALWAYS, environment, program
from docs_rag.core.documents import DocPath

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MOST_SECONDS: Final = 30.0
"""How long one look at a history may take."""

_LOG: Final = (
    "-c", "log.showRoot=true", "-c", "log.follow=false", "-c", "diff.relative=false",
    "log", "-z", "--format==%as %P", "--name-status", "--diff-filter=AR", "--diff-merges=first-parent", "--topo-order",
    "-l1000", "-O/dev/null", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes",
)  # fmt: skip
"""Newest first. Of a merge what it adds to its first parent: what came with a merged history is seen as well."""
_ALIKE: Final = "-M75%"
"""From how much alike on a file is a renamed one: less would take records for each other that were begun from one
template."""
_THE_SAME: Final = "-M100%"
_STATUS: Final = re.compile(rb"\n?([AR])\d{0,3}")
_SUFFIX: Final = re.compile(r"\.\w{1,12}")
_MOST_SUFFIXES: Final = 20
_LONGEST_FIELD: Final = 100_000
"""Bytes; no system has longer paths, and no commit that many parents."""
_READ_BYTES: Final = 65_536
_TURN_OFF: Final = "gitDates: false turns this off"


class _Repository(NamedTuple):
    """What must be known of a repository before its history is read."""

    prefix: str
    """The folder's path in the repository with `/` at its end; empty at its top."""
    is_shallow: bool
    head: str
    """Id of the commit."""


class _Failed(Exception):
    """The history could not be read to its end; `str()` says why."""


class _MissingContents(_Failed):
    """Git gave up, as it does in a partial clone when it has to look into files."""


class GitOrigins:
    """Implements `core.ports.Origins` with the `git` program."""

    def __init__(self, folder: str, *, seconds: float = MOST_SECONDS) -> None:
        """`folder` is absolute; nothing is looked at before it is asked for."""
        self._folder = folder
        self._seconds = seconds
        self._git = program()
        self.warning = ""

    def version(self) -> str:
        """The commit that is checked out; empty without git, without a repository and before the first commit."""
        repository = self._repository()
        return "" if repository is None else repository.head

    def first_days(self, paths: Collection[DocPath]) -> dict[DocPath, str]:
        """The first days of files, ISO, as far as the history has them; never raises."""
        repository = self._repository()
        if repository is None or not paths:
            return {}
        try:
            search = self._search(repository, paths)
        except _Failed as failure:
            self.warning = f"git could not tell when notes without a date began ({failure}); {_TURN_OFF}"
            return {}
        if search.cut:
            self.warning = (
                f"a shallow clone: {len(search.cut)} notes without a date are older than its history;"
                " git fetch --unshallow brings the rest"
            )
        return search.days

    def _search(self, repository: _Repository, paths: Collection[DocPath]) -> _Search:
        """One log; raises `_Failed`. Contents that are missing are fetched by nobody, so they are then not compared."""
        try:
            return self._searched(repository, paths, _ALIKE)
        except _MissingContents:
            return self._searched(repository, paths, _THE_SAME)

    def _searched(self, repository: _Repository, paths: Collection[DocPath], renamed: str) -> _Search:
        search = _Search(repository, paths)
        with self._running([*_LOG, renamed, "--", *_pathspecs(paths)]) as stream:
            search.read(_fields(stream))
        return search

    def _repository(self) -> _Repository | None:
        self.warning = ""
        if self._git is None:
            return None
        asked = ["rev-parse", "--show-prefix", "--is-shallow-repository", "HEAD^{commit}"]
        try:
            done = subprocess.run(
                [self._git, *ALWAYS, *asked],
                cwd=self._folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self._seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode != 0:
            if b"dubious ownership" in done.stderr:
                self.warning = f"git does not trust the repository of {self._folder}: it belongs to another user"
            return None
        told = os.fsdecode(done.stdout).removesuffix("\n").rsplit("\n", 2)
        return None if len(told) < 3 else _Repository(_composed(told[0]), told[1] == "true", told[2])

    @contextmanager
    def _running(self, arguments: list[str]) -> Iterator[IO[bytes]]:
        """The output of a git that ends with the block; raises `_Failed` when it ended ill or took too long."""
        try:
            process = subprocess.Popen(
                [self._git or "git", *ALWAYS, *arguments],
                cwd=self._folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise _Failed(error.strerror or type(error).__name__) from error
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, stop)
        timer.start()
        try:
            with process:
                assert process.stdout is not None
                yield process.stdout
        finally:
            timer.cancel()
            process.kill()
        if late.is_set():
            raise _Failed(f"it took longer than {self._seconds:g} s")
        if process.returncode != 0:
            raise _MissingContents(f"git log ended with {process.returncode}")


class _Search:
    """Follows files back through a log, newest commit first, by the names that they had."""

    def __init__(self, repository: _Repository, paths: Iterable[DocPath]) -> None:
        self.days: dict[DocPath, str] = {}
        self.cut: set[DocPath] = set()
        """The files that were there already where a shallow clone begins."""
        self._is_shallow = repository.is_shallow
        self._called: dict[str, list[DocPath]] = {repository.prefix + path: [path] for path in paths}

    def read(self, fields: Iterator[bytes]) -> None:
        """Take the whole log in: `=day parents`, then `A path` and `R100 old new`; raises `_Failed`."""
        day, parents = "", 0
        for field in fields:
            if field.startswith(b"="):
                head = field[1:].decode("ascii", "replace").split()
                day, parents = _valid(head[0] if head else ""), len(head) - 1
            elif (status := _STATUS.fullmatch(field)) is not None:
                is_renamed = status[1] == b"R"
                old = next(fields, b"") if is_renamed else b""
                new = _composed(os.fsdecode(next(fields, b"")))
                # What a merge seems to rename was renamed, or made and dropped, by the commits that it merges.
                if is_renamed and parents < 2:
                    self._renamed(_composed(os.fsdecode(old)), new)
                else:
                    self._added(new, day, is_edge=self._is_shallow and parents == 0)
            else:
                raise _Failed("its answer is not understood")

    def _renamed(self, old: str, new: str) -> None:
        """Before this commit the file was called `old`; another one that is called so today came after it."""
        if old != new:
            self._called.pop(old, None)
            if (moved := self._called.pop(new, None)) is not None:
                self._called[old] = moved

    def _added(self, name: str, day: str, *, is_edge: bool) -> None:
        """An older commit that added the same name counts for more: a file may be dropped and brought back."""
        for path in self._called.get(name, ()):
            if is_edge:
                self.days.pop(path, None)
                self.cut.add(path)
            elif day and path not in self.cut:
                self.days[path] = day


def _pathspecs(paths: Iterable[DocPath]) -> list[str]:
    """The kinds of files asked for, anywhere in the repository: a note may have been moved with its folder."""
    suffixes = {os.path.splitext(path)[1].lower() for path in paths}  # noqa: PTH122
    if len(suffixes) > _MOST_SUFFIXES or not all(map(_SUFFIX.fullmatch, suffixes)):
        return []
    return [f":(top,glob,icase)**/*{suffix}" for suffix in sorted(suffixes)]


def _fields(stream: IO[bytes]) -> Iterator[bytes]:
    """The fields of output that NUL ends; raises `_Failed` for one that no git writes."""
    rest = b""
    while block := stream.read(_READ_BYTES):
        *whole, rest = (rest + block).split(b"\0")
        yield from whole
        if len(rest) > _LONGEST_FIELD:
            raise _Failed("its answer is not understood")
    if rest:
        yield rest


def _valid(day: str) -> str:
    """The day, or nothing for one that no calendar has: commits can carry any number."""
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        return ""


def _composed(path: str) -> str:
    return path if path.isascii() else unicodedata.normalize("NFC", path)
