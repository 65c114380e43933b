"""Entry point of the command `docs-rag` and of `python -m docs_rag`."""

import os
import sys

from docs_rag.errors import EXIT_INTERRUPTED


def main() -> int:
    """Run the command that the process was called with; returns its exit status."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":
        _start_again()
    try:
        from docs_rag.cli import run  # noqa: PLC0415  # an interruption while click loads is one too
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return run(sys.argv[1:])


def _start_again() -> None:
    """Replace this process by one in Python's UTF-8 mode.

    Under a locale such as ISO-8859-1 the names of most notes could not even be opened, and a note would have
    another name than under the locale of the next call.
    """
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONUTF8": "1"})


if __name__ == "__main__":
    sys.exit(main())
