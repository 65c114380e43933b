"""Entry point of the command `docs-rag` and of `python -m docs_rag`."""

# ruff: noqa: PLC0415  # the hook runs on every save, and may not wait for what it does not need

import os
import sys


def main() -> int:
    """Run the command that the process was called with; returns its exit status."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":
        _start_again()
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"]:
        from docs_rag import hook

        if hook.understands(arguments[1:]):
            return hook.main(arguments[2] if len(arguments) > 1 else None)
    return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        lock = None
        if "--background" in arguments:
            from docs_rag.hook import claim_worker

            lock = claim_worker(arguments)
        from docs_rag.cli import run
    except BlockingIOError:  # another process works for this project, and sees what was marked for this one
        return 0
    except KeyboardInterrupt:  # while click loads
        from docs_rag.errors import EXIT_INTERRUPTED

        return EXIT_INTERRUPTED
    return run(arguments, lock)


def _start_again() -> None:
    """Replace this process by one in Python's UTF-8 mode.

    Under a locale such as ISO-8859-1 the names of most notes could not even be opened, and a note would have
    another name than under the locale of the next call.
    """
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONUTF8": "1"})


if __name__ == "__main__":
    sys.exit(main())
