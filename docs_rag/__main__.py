"""Entry point of the command `docs-rag` and of `python -m docs_rag`."""

import sys

from docs_rag.errors import EXIT_INTERRUPTED


def main() -> int:
    """Run the command that the process was called with; returns its exit status."""
    try:
        from docs_rag.cli import run  # noqa: PLC0415  # an interruption counts from here on, not only inside
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
