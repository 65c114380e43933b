"""How commands end that do not simply finish."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from commandline import CommandLine

from docs_rag import errors, wiring
from docs_rag.cli import crashlog, output


def raising(error: BaseException) -> Callable[..., Any]:
    def call(*_: Any, **__: Any) -> Any:
        raise error

    return call


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Lets every opening of an index fail in a given way."""

    def set_up(error: BaseException) -> None:
        monkeypatch.setattr(wiring, "open_index", raising(error))

    return set_up


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (errors.IndexMissing("no index", "run: docs-rag index"), 1, "docs-rag: no index; run: docs-rag index\n"),
        (errors.Busy("held\nby two"), 1, "docs-rag: held by two\n"),
        (errors.UsageError("no such day"), 2, "docs-rag: no such day\n"),
        (KeyboardInterrupt(), 130, "docs-rag: interrupted\n"),
        (click.Abort(), 130, "docs-rag: interrupted\n"),
        (BrokenPipeError(errno.EPIPE, "broken pipe"), 0, ""),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_end_has_its_status(
    error: BaseException,
    status: int,
    line: str,
    fails: Callable[[BaseException], None],
    docs_rag: CommandLine,
    vault: Path,
) -> None:
    fails(error)
    result = docs_rag("search", "tea")
    assert (result.status, result.out, result.err) == (status, "", line)


def test_an_escape_in_a_message_does_not_reach_the_terminal(
    fails: Callable[[BaseException], None], docs_rag: CommandLine, vault: Path
) -> None:
    fails(errors.ConfigError("config \x1b[2J\u202e is odd"))
    assert docs_rag("search", "tea").err == "docs-rag: config \ufffd[2J\ufffd is odd\n"


def test_a_bug_is_logged_where_the_project_is(
    fails: Callable[[BaseException], None], docs_rag: CommandLine, vault: Path
) -> None:
    fails(ZeroDivisionError("division by zero"))
    result = docs_rag("search", "tea")
    log = vault / ".rag" / "docs-rag.log"
    assert result.status == 3
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert str(log) in result.err
    assert "ZeroDivisionError" in result.err
    assert "Traceback" not in result.err
    assert "Traceback" in log.read_text(encoding="utf-8")
    if os.name == "posix":
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_bugs_are_added_to_the_log(fails: Callable[[BaseException], None], docs_rag: CommandLine, vault: Path) -> None:
    for error in (ZeroDivisionError("first"), RecursionError("second")):
        fails(error)
        assert docs_rag("search", "tea").status == 3
    text = (vault / ".rag" / "docs-rag.log").read_text(encoding="utf-8")
    assert "first" in text
    assert "second" in text


def test_a_bug_before_the_project_is_known_is_logged_in_the_state_folder(
    docs_rag: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "open_project", raising(ZeroDivisionError("early")))
    result = docs_rag("search", "tea")
    logs = list(home.rglob("docs-rag.log"))
    assert result.status == 3
    assert len(logs) == 1
    assert "early" in logs[0].read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_planted_link_is_not_followed(
    fails: Callable[[BaseException], None], docs_rag: CommandLine, vault: Path, tmp_path: Path, home: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    (vault / ".rag" / "docs-rag.log").symlink_to(victim)
    fails(ZeroDivisionError("x"))
    assert docs_rag("search", "tea").status == 3
    assert victim.read_text(encoding="utf-8") == "mine"
    assert list(home.rglob("docs-rag.log"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name here")
def test_a_planted_pipe_does_not_hang(
    fails: Callable[[BaseException], None], docs_rag: CommandLine, vault: Path, home: Path
) -> None:
    os.mkfifo(vault / ".rag" / "docs-rag.log")
    fails(ZeroDivisionError("x"))
    assert docs_rag("search", "tea").status == 3
    assert list(home.rglob("docs-rag.log"))


def test_a_long_log_begins_anew(tmp_path: Path) -> None:
    log = tmp_path / crashlog.NAME
    log.write_text("old " * (crashlog.MOST_BYTES // 3), encoding="utf-8")
    crashlog.write(ValueError("new"), str(tmp_path))
    text = log.read_text(encoding="utf-8")
    assert "old" not in text
    assert "new" in text


def test_a_huge_traceback_keeps_its_end(tmp_path: Path) -> None:
    crashlog.write(ValueError("x" * 1_000_000 + " the end"), str(tmp_path))
    log = tmp_path / crashlog.NAME
    assert log.stat().st_size < 100_000
    assert "the end" in log.read_text(encoding="utf-8")


def test_a_bug_without_a_place_for_a_log_is_told_all_the_same(
    docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "open_project", raising(ZeroDivisionError("early")))
    monkeypatch.setattr(crashlog, "write", raising(OSError(errno.EROFS, "Read-only file system")))
    result = docs_rag("search", "tea")
    assert result.status == 3
    assert (
        result.err == "docs-rag: this is a bug: ZeroDivisionError: early; no log could be written"
        " (Read-only file system)\n"
    )


def test_a_full_disk_behind_stdout_is_a_known_error(
    docs_rag: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs_rag("index")
    monkeypatch.setattr(click, "echo", raising(OSError(errno.ENOSPC, "No space left on device")))
    told: list[str] = []
    monkeypatch.setattr(output, "say", told.append)
    assert docs_rag("search", "tea").status == 1
    assert told == ["docs-rag: cannot write the result: no space left on device; look at what stdout leads to"]
