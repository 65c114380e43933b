"""The streams of a command: UTF-8 whatever the locale says, and no colour where nobody would see it."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import TextIO

import click

from docs_rag.core.cleaning import escaped_json, one_line
from docs_rag.errors import DocsRagError, UsageError


def prepare() -> None:
    """Let all three streams speak UTF-8; what has no form in it is replaced, never an error."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def write(lines: Iterable[str], end: str = "\n") -> None:
    """Lines of a result, to stdout. Raises `DocsRagError` when they cannot be written, as on a full disk."""
    text = "".join(f"{line}{end}" for line in lines)
    if text:
        _deliver(lambda: click.echo(text, nl=False))


def write_json(value: object) -> None:
    """One JSON document, to stdout, that is safe to look at in a terminal; raises as `write` does."""
    write([escaped_json(json.dumps(value, ensure_ascii=False, indent=2))])


def flush() -> None:
    """Hand over what is still in the buffer of stdout; raises as `write` does."""
    if sys.stdout is not None:
        _deliver(sys.stdout.flush)


def say(message: str) -> None:
    """A line for the person who waits, to stderr; lost in silence when nobody listens there."""
    try:
        click.echo(message, err=True)
    except (OSError, ValueError):
        return


def note(message: str) -> None:
    """Something to know about the result, to stderr."""
    say(f"note: {one_line(message)}")


def warn(message: str) -> None:
    """Something that went wrong but did not stop the command, to stderr."""
    say(f"warning: {one_line(message)}")


def fail(message: str) -> None:
    """Why a command failed, in one line, to stderr."""
    say(f"docs-rag: {one_line(message)}")


def discard() -> None:
    """Send the rest of stdout nowhere: its reader has left, and Python flushes the buffer once more at the very end."""
    if sys.stdout is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def is_terminal(stream: TextIO | None) -> bool:
    """True when a person sits at the other end."""
    return stream is not None and not stream.closed and stream.isatty()


def in_colour(stream: TextIO | None) -> bool:
    """True for a terminal whose user did not ask for plain text (https://no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def require_terminal(instead: str) -> None:
    """To be called before a question; raises `UsageError` where nobody can answer, with `instead` as advice."""
    if not is_terminal(sys.stdin):
        raise UsageError("there is no terminal to ask questions on", instead)


def _deliver(action: Callable[[], None]) -> None:
    try:
        action()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard()
        why = (error.strerror or type(error).__name__).lower()
        raise DocsRagError(f"cannot write the result: {why}", "look at what stdout leads to") from error
