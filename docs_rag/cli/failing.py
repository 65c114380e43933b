"""How a command ends that did not simply finish: which exit status, and which one line on stderr."""

from __future__ import annotations

import click

from docs_rag.cli import output
from docs_rag.cli.session import Session
from docs_rag.errors import EXIT_BUG, EXIT_DONE, EXIT_INTERRUPTED, EXIT_USAGE, DocsRagError


def end(error: BaseException, session: Session) -> int:
    """Tell what happened; returns the exit status."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, BrokenPipeError):
        output.discard()
        return EXIT_DONE
    if isinstance(error, KeyboardInterrupt | click.Abort):
        output.fail(str(error) or "interrupted")
        return EXIT_INTERRUPTED
    if isinstance(error, DocsRagError):
        output.fail(str(error))
        return error.exit_code
    if isinstance(error, click.ClickException):
        output.fail(_in_our_words(error))
        return EXIT_USAGE
    return _bug(error, session)


def _in_our_words(error: click.ClickException) -> str:
    """`message; hint` of what click has to say about the call."""
    context = getattr(error, "ctx", None)
    command = "docs-rag" if context is None else context.command_path
    if isinstance(error, click.NoSuchOption):
        return f"there is no option {error.option_name}; {_instead(error, command)}"
    message = error.format_message().rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; see: {command} --help"


def _instead(error: click.NoSuchOption, command: str) -> str:
    if error.possibilities:
        return f"did you mean {error.possibilities[0]}?"
    if command.endswith(" search"):
        return f"a question that begins with a dash goes after --: {command} -- {error.option_name}"
    return f"see: {command} --help"


def _bug(error: BaseException, session: Session) -> int:
    """The traceback goes to the log: it helps whoever mends the program, not whoever runs it."""
    from docs_rag.cli import crashlog  # noqa: PLC0415  # never needed, one hopes

    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    try:
        place = crashlog.write(error, session.state_dir)
    except OSError as problem:
        output.fail(f"this is a bug: {what}; no log could be written ({problem.strerror})")
    else:
        output.fail(f"this is a bug: {what}; please report it with {place}")
    return EXIT_BUG
