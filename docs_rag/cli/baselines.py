"""The baseline file of `docs-rag check`: where it lies, and how it is read and written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from docs_rag import wiring
from docs_rag.cli import output
from docs_rag.cli.newfile import write_over
from docs_rag.cli.targets import start_folder
from docs_rag.core.linting.baseline import Entry, read_baseline, write_baseline
from docs_rag.errors import ConfigError, DocsRagError

if TYPE_CHECKING:
    from docs_rag.config import Config
    from docs_rag.core.linting.findings import Finding

NAME: Final = "check-baseline.json"
_MOST_BYTES: Final = 100_000_000


def place(config: Config, named: str | None, folder: str | None) -> Path:
    """The file that is named, counted from `-C` or the working directory; else the one in the state folder."""
    if named is None:
        return Path(config.state_dir) / NAME
    return start_folder(folder) / Path(named).expanduser()


def read(path: Path, *, must_exist: bool) -> tuple[Entry, ...]:
    """Its entries; none where it need not be there. Raises `DocsRagError`."""
    try:
        if not must_exist and not path.exists():
            return ()
        if path.stat().st_size > _MOST_BYTES:
            raise DocsRagError(f"the baseline {path} is too large", "write a new one with --write-baseline")
        return read_baseline(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise DocsRagError(f"the baseline {path} cannot be read: {why.lower()}", "correct --baseline") from error
    except ConfigError as error:
        hint = "write a new one with --write-baseline"
        raise DocsRagError(f"the baseline {path} {error.message}", hint) from error


def write(config: Config, path: Path, findings: Sequence[Finding]) -> None:
    """Take findings as known; the default file is made visible to git. Raises `DocsRagError`."""
    is_ours = path == Path(config.state_dir) / NAME
    if is_ours:
        wiring.make_state_folder(config)
    try:
        write_over(path, write_baseline(findings))
        if is_ours:
            _share(path)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise DocsRagError(f"cannot write the baseline {path}: {why}", "name another file with --baseline") from error
    output.say(f"{len(findings)} findings are known from now on: {path}")


def _share(path: Path) -> None:
    """The state folder's own `.gitignore` keeps all but some files out of git; this one belongs to the project."""
    ignore, line = path.with_name(".gitignore"), f"!{NAME}"
    text = ignore.read_text(encoding="utf-8") if ignore.is_file() and not ignore.is_symlink() else ""
    if text.startswith("*\n") and line not in text.splitlines():
        write_over(ignore, text.rstrip("\n") + f"\n{line}\n")
