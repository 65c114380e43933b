"""Looks up how this copy of docs-rag was installed: its own records, and the search path."""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from docs_rag.core.installed import Installed

_PROGRAM: Final = "docs-rag"


def installed() -> Installed:
    """What is known of the copy that runs; nothing is started."""
    return Installed(
        program=_absolute(_beside_interpreter() or _started_as()),
        on_path=_absolute(shutil.which(_PROGRAM)),
        uvx=_absolute(shutil.which("uvx")),
        origin=_origin(),
    )


def _origin() -> str | None:
    try:
        return distribution(_PROGRAM).read_text("direct_url.json")
    except (PackageNotFoundError, OSError, UnicodeDecodeError):
        return None


def _beside_interpreter() -> str | None:
    """The console script of the environment whose interpreter runs."""
    return shutil.which(_PROGRAM, path=str(Path(sys.executable).parent)) if sys.executable else None


def _started_as() -> str | None:
    """The script that was called, where scripts lie elsewhere than the interpreter, as after `pip install --user`."""
    called = Path(sys.argv[0] if sys.argv else "")
    return str(called) if called.stem == _PROGRAM and called.is_file() else None


def _absolute(path: str | None) -> str | None:
    """Links are not followed: the name that is on the search path outlives an update, its target may not."""
    return None if path is None else str(Path(path).absolute())
