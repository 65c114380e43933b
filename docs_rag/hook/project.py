"""The project that an edited file belongs to, and whether the file is one of its notes."""

# ruff: noqa: PTH111, PTH112, PTH118, PTH120

import os
import time

from docs_rag import locate
from docs_rag.core.hookfiles import SEEN
from docs_rag.hook.event import parse

_MOST_CONFIG_BYTES = 1_000_000
_REPLACE = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_TRUNC
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
_USUAL_ENDINGS = (".md",)
BESIDE_NOTES = ("kep.yaml",)
"""Files that hold a note's metadata (`core.sidecars`)."""
RULING_FILES = (".gitignore", ".ignore", ".ragignore")
"""Files that decide which notes there are."""


class Project:
    """One project with what the hook needs of its config."""

    __slots__ = ("config", "endings", "roots", "state_dir", "vault")

    def __init__(
        self,
        config: str,
        state_dir: str,
        vault: str,
        endings: tuple[str, ...],
        roots: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Keep them; all paths absolute. `endings`: how names of notes end, lower case; empty: in any way.

        `roots`: pairs of a name and another folder of notes.
        """
        self.roots = roots
        self.config = config
        self.state_dir = state_dir
        self.vault = vault
        self.endings = endings

    def heard(self) -> None:
        """So that `doctor` can tell that the hook is trusted to run; not worth a failure."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        try:
            descriptor = os.open(os.path.join(self.state_dir, SEEN), _REPLACE, 0o600)
        except OSError:
            return
        try:
            os.write(descriptor, f'{{"at": "{at}"}}\n'.encode())
        finally:
            os.close(descriptor)

    def note(self, path: str) -> str | None:
        """The file relative to the vault, `/` separated, when an edit of it may change the index; else None.

        One of a root begins with its name.
        """
        for root, place in (("", self.vault), *self.roots):
            relative = _below(path, place)
            if relative is not None:
                found = self._counted(relative)
                return f"{root}/{found}" if root and found is not None else found
        return None

    def _counted(self, relative: str) -> str | None:
        """A path below one of the folders, if a note may have it."""
        folder, _, name = relative.rpartition("/")
        if any(part.startswith(".") for part in folder.split("/")):
            return None
        if name in RULING_FILES or name in BESIDE_NOTES:
            return relative
        is_note = not self.endings or name.lower().endswith(self.endings)
        return relative if is_note and not name.startswith(".") else None


def find_project(path: str, config: str | None) -> Project | None:
    """The project of the file at `path` (absolute), or the one that `config` names; None when there is none.

    Nothing is made here: a project without its state folder was not set up on this machine. A state folder that is a
    link out of its project, as a cloned one may hold, is left alone.
    """
    found = locate.find_config(_nearest_folder(path)) if config is None else locate.find_named(config)
    if found is None:
        return None
    state_dir = locate.state_folder(found)
    if not os.path.isdir(state_dir) or _below(os.path.realpath(state_dir), os.path.dirname(state_dir)) is None:
        return None
    return Project(found, state_dir, *_settings(found))


def _nearest_folder(path: str) -> str:
    """The folder of a file, or the one above that is still there."""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _settings(config: str) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The vault, the endings of its notes, its roots; of a config with mistakes, all that the run needs to say so."""
    values = parse(read_file(config, _MOST_CONFIG_BYTES))
    folder = os.path.dirname(config)
    vault = values.get("vaultPath") if isinstance(values, dict) else None
    if not isinstance(values, dict) or not isinstance(vault, str):
        return os.path.dirname(locate.state_folder(config)), _USUAL_ENDINGS, ()
    written = values.get("roots")
    roots = written.items() if isinstance(written, dict) else ()
    return (
        _placed(vault, folder),
        _endings(values.get("include")),
        tuple((name, _placed(root, folder)) for name, root in roots if isinstance(root, str)),
    )


def _placed(written: str, folder: str) -> str:
    return os.path.normpath(os.path.join(folder, os.path.expanduser(written)))


def _endings(include: object) -> tuple[str, ...]:
    """How the names that the globs ask for end; empty when one of them leaves that open."""
    if not isinstance(include, list):
        return _USUAL_ENDINGS
    found = []
    for glob in include:
        name = glob.rpartition("/")[2] if isinstance(glob, str) else ""
        ending = name.rpartition("*")[2]
        if not ending.startswith(".") or any(char in ending for char in "?[]{}"):
            return ()
        found.append(ending.lower())
    return tuple(found)


def _below(path: str, folder: str) -> str | None:
    """`path` relative to `folder`, as both are written or else as they really are; None when it lies elsewhere."""
    for inner, outer in ((path, folder), (os.path.realpath(path), os.path.realpath(folder))):
        start = os.path.normcase(outer).rstrip(os.sep) + os.sep
        if os.path.normcase(inner).startswith(start):
            return inner[len(start) :].replace(os.sep, "/")
    return None


def read_file(path: str, most: int) -> bytes:
    """The content of a small regular file, at most `most` bytes of it; empty when it cannot be had."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return b""
    try:
        return os.read(descriptor, most)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
