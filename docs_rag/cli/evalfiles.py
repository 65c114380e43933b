"""The files of `docs-rag eval`: questions and baselines that are read, drafts that are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_rag.cli import output
from docs_rag.cli.newfile import write_new
from docs_rag.cli.targets import start_folder
from docs_rag.errors import ConfigError, DocsRagError, UsageError

if TYPE_CHECKING:
    from docs_rag.core.evaluation.outcomes import Outcome
    from docs_rag.core.questions import Question

_MOST_BYTES: Final = 100_000_000


def read_question_files(names: Sequence[str], folder: str | None) -> tuple[Question, ...]:
    """The questions of all files; names count from `-C` or the working directory. Raises `DocsRagError`."""
    from docs_rag.core.questions import read_questions  # noqa: PLC0415

    return read_questions((name, _text(name, folder)) for name in names)


def read_baseline(name: str, folder: str | None) -> tuple[Outcome, ...]:
    """The outcomes of a former run, as `--json` printed it. Raises `DocsRagError`."""
    from docs_rag.core.evaluation.plainjson import read_outcomes  # noqa: PLC0415

    try:
        return read_outcomes(_text(name, folder))
    except ConfigError as error:
        hint = "name what a run with --json printed"
        raise DocsRagError(f"the baseline {name} {error.message}", hint) from error


def write_draft(questions: Sequence[Question], name: str | None, folder: str | None) -> None:
    """To a new file, or to stdout; a file that is there is left alone. Raises `DocsRagError`."""
    from docs_rag.core.evaluation.drafting import written  # noqa: PLC0415

    text = written(questions)
    if name is None:
        output.write(text.splitlines())
        return
    try:
        write_new(_place(name, folder), text)
    except FileExistsError:
        raise DocsRagError(f"{name} is there already", "name another file with -o; none is overwritten") from None
    except OSError as error:
        raise DocsRagError(f"cannot write {name}: {_why(error)}", "name another file with -o") from error
    output.say(f"{len(questions)} questions drafted: {name}; go through them before you use it")


def _text(name: str, folder: str | None) -> str:
    place = _place(name, folder)
    try:
        if place.stat().st_size > _MOST_BYTES:
            raise DocsRagError(f"{name} is too large", "name a question file, or what --json printed")
        return place.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"there is no file {name}", "docs-rag eval --bootstrap drafts one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DocsRagError(f"cannot read {name}: {_why(error)}", "name another file") from error


def _why(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return (error.strerror or type(error).__name__).lower()


def _place(name: str, folder: str | None) -> Path:
    return start_folder(folder) / Path(name).expanduser()
