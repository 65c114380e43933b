"""Looks up how this copy of docs-rag was installed, and what it consists of: its own records, and the search path."""

from __future__ import annotations

import shutil
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from docs_rag import __version__
from docs_rag.core.installed import Copy, Installed
from docs_rag.errors import DocsRagError

_PROGRAM: Final = "docs-rag"
_PACKAGE: Final = Path(__file__).resolve().parents[1]


def installed() -> Installed:
    """What is known of the copy that runs; nothing is started."""
    return Installed(
        program=_absolute(_beside_interpreter() or _started_as()),
        on_path=_absolute(shutil.which(_PROGRAM)),
        uvx=_absolute(shutil.which("uvx")),
        origin=_origin(),
    )


def own_copy() -> Copy:
    """All of the copy that runs. Raises `DocsRagError` when it cannot be read, or does not know what it needs."""
    python, requires = _needs()
    return Copy(version=__version__, python=python, requires=requires, files=_package_files())


def _package_files() -> dict[str, bytes]:
    found = {path.relative_to(_PACKAGE).as_posix(): path for path in _PACKAGE.rglob("*") if path.is_file()}
    try:
        return {name: path.read_bytes() for name, path in found.items() if "__pycache__" not in path.parts}
    except OSError as error:
        raise DocsRagError(f"the program's own files cannot be read: {error.strerror}") from error


def _needs() -> tuple[str, tuple[str, ...]]:
    """The Python and the libraries; a source checkout's own file goes before what was recorded at its installation."""
    source = _PACKAGE.parent / "pyproject.toml"
    try:
        project = tomllib.loads(source.read_text(encoding="utf-8"))["project"] if source.is_file() else {}
        if project.get("name") == _PROGRAM:
            return project["requires-python"], tuple(project["dependencies"])
        held = distribution(_PROGRAM)
    except (PackageNotFoundError, OSError, ValueError, KeyError) as error:
        raise DocsRagError("this copy of docs-rag does not know what it needs", "install it with pip") from error
    requires = tuple(each for each in held.requires or () if "extra ==" not in each)
    return held.metadata["Requires-Python"], requires


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
