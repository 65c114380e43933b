"""The conversion process: reads documents from its standard input, writes what became of them, until there are none.

It is a process of its own because libraries for documents abort, hang and eat memory, which nothing in a process can
catch. `worker` starts it and ends it.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from docs_rag.adapters.converters import CONVERTERS, resolve
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.pace import ask_by
from docs_rag.adapters.converters.wire import MORE, SCRATCH, pack, receive, send

if TYPE_CHECKING:
    from docs_rag.core.converted import Converted

MOST_MEMORY: Final = 2_000_000_000
"""Bytes of address space."""
GRACE_SECONDS: Final = 10
"""Processor time beyond the row's limit after which the system ends a process that nobody waits for any more."""
MEND: Final = "install docs-rag anew, with pip install 'docs-rag[documents]'"


def main() -> int:
    """Answer until the input ends."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    _hush()
    _limit_memory()
    ask_by(lambda seconds: _ask(replies, seconds))
    while (message := receive(requests)) is not None:
        header, data = message
        _answer(replies, header, data)
    _tidy()
    return 0


def _tidy() -> None:
    """Remove the folder for temporary files: who made it may have been killed, and removes it itself otherwise."""
    place = Path(os.environ.get("TMPDIR", ""))
    if place.name.startswith(SCRATCH) and place.is_dir() and place.samefile(Path.cwd()):
        shutil.rmtree(place, ignore_errors=True)


def _ask(replies: BinaryIO, seconds: float) -> None:
    """Ask for time; whoever waits gives it or ends this process."""
    _allow(seconds)
    send(replies, {MORE: seconds})


def _hush() -> None:
    """What libraries print must not be taken for replies."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    sys.stdout = sys.stderr


def _answer(replies: BinaryIO, header: dict[str, Any], data: bytes) -> None:
    try:
        reply, body = pack(_convert(str(header["suffix"]), data, str(header["name"])))
    except Unconvertible as error:
        reply, body = {"code": error.code, "message": str(error)}, b""
    send(replies, reply, body)


def _convert(suffix: str, data: bytes, name: str) -> Converted:
    """The document; every failure is an `Unconvertible`, and no library's own words get into it."""
    row = CONVERTERS[suffix]
    _allow(row.seconds)
    try:
        converted = resolve(row)(data, name)
    except Unconvertible:
        raise
    except MemoryError:
        raise Unconvertible("too-large", "reading it takes more than 2 GB of memory") from None
    except RecursionError:
        raise Unconvertible("damaged", "it is nested too deep to be read") from None
    except ImportError as error:
        package = f"the Python package {error.name}" if error.name else "a Python package that reads it"
        raise Unconvertible("missing-extra", f"{package} cannot be loaded; {MEND}") from error
    except Exception as error:
        raise Unconvertible("damaged", f"it cannot be read ({type(error).__name__}); is it whole?") from error
    if not converted.markdown.strip() and not converted.warnings:
        raise Unconvertible("damaged", "it holds no text that could be found")
    return converted


def _limit_memory() -> None:
    """Let a library that wants too much fail instead of the machine; where the system has no such limit, go on."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  # POSIX alone

        # The hard limit stays: a converter that runs models (`marker`) must be able to get back to it.
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _allow(seconds: float) -> None:
    """Processor time for so long from now, so that a process whose parent was killed does not run for ever."""
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415

        used = resource.getrusage(resource.RUSAGE_SELF)
        allowed = seconds * (os.cpu_count() or 1) + GRACE_SECONDS
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + allowed), hard))


if __name__ == "__main__":
    raise SystemExit(main())
