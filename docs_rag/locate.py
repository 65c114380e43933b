"""Finds a project's config and its state folder, with `os` alone: the editor hook calls this on every save.

Nothing here raises: a folder that cannot be looked at holds no config.
"""

# pathlib would cost the hook half of its start-up time:
# ruff: noqa: PTH109, PTH111, PTH112, PTH113, PTH116, PTH117, PTH118, PTH119, PTH120, PTH123

import os

STATE_FOLDER = ".rag"
CONFIG_NAME = "config.json"

_PROBE_BYTES = 1_000_000


def find_config(start: str) -> str | None:
    """The config that governs the folder `start`: its own or the nearest one above; absolute, or None.

    Each step looks for `.rag/config.json`, then for a `config.json` that speaks of `vaultPath`.
    """
    for folder in folders_up(start):
        kept = os.path.join(folder, STATE_FOLDER, CONFIG_NAME)
        if os.path.isfile(kept):
            return kept
        plain = os.path.join(folder, CONFIG_NAME)
        if _speaks_of_a_vault(plain):
            return plain
    return None


def find_named(path: str, *, folder: str | None = None) -> str | None:
    """The file that `--config path` means, absolute; one that is not there is returned all the same.

    An absolute path is taken as it is. A relative one counts from `CLAUDE_PROJECT_DIR` if the file is there,
    else from the nearest folder at or above `folder` (default: the working directory) that has it, else from
    `folder` itself. None when the working directory is needed and gone.
    """
    path = os.path.expanduser(path)
    if os.path.isabs(path):
        return os.path.normpath(path)
    bases = list(start_folders(serving=True, folder=folder))
    if not bases:
        return None
    here = bases[-1]
    for base in [*bases[:-1], *folders_up(here)]:
        named = os.path.normpath(os.path.join(base, path))
        if os.path.lexists(named):
            return named
    return os.path.normpath(os.path.join(here, path))


def start_folders(*, serving: bool, folder: str | None = None) -> tuple[str, ...]:
    """Where the search for a config begins, in order, absolute; empty when the working directory is gone.

    `serving`: `CLAUDE_PROJECT_DIR` comes before the working directory. `folder` (the option `-C`) takes the
    place of both: what was said in so many words goes before what the environment happens to hold.
    """
    here = working_folder()
    if folder is not None:
        named = os.path.expanduser(folder)
        if os.path.isabs(named):
            return (os.path.normpath(named),)
        return () if here is None else (os.path.normpath(os.path.join(here, named)),)
    project = os.environ.get("CLAUDE_PROJECT_DIR", "") if serving else ""
    first = (os.path.normpath(project),) if os.path.isabs(project) and os.path.isdir(project) else ()
    return first if here is None else (*first, here)


def working_folder() -> str | None:
    """The working directory, or None when it was deleted or may not be read."""
    try:
        return os.getcwd()
    except OSError:
        return None


def folders_up(start: str) -> list[str]:
    """`start` and the folders above it, up to and with the home folder or a mount point.

    It ends before a folder that another user owns, who could plant a config there; so it can be empty.
    `start` must be absolute; links in it are not resolved.
    """
    folders: list[str] = []
    home = _stat(os.path.expanduser("~"))
    folder = os.path.normpath(start)
    device = None
    while True:
        found = _stat(folder)
        if found is None or device not in (None, found.st_dev) or not _is_ours(found):
            return folders
        folders.append(folder)
        above = os.path.dirname(folder)
        if above == folder or (home is not None and os.path.samestat(found, home)):
            return folders
        folder, device = above, found.st_dev


def state_folder(config: str) -> str:
    """Where index, logs, journal and locks of a config file (absolute) lie: a folder called `.rag`."""
    folder = os.path.dirname(config)
    return folder if os.path.basename(folder) == STATE_FOLDER else os.path.join(folder, STATE_FOLDER)


def _speaks_of_a_vault(path: str) -> bool:
    """True for our config among the many programs that have a `config.json`; a look at the text will do."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return b'"vaultPath"' in file.read(_PROBE_BYTES)
    except OSError:
        return False


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _is_ours(found: os.stat_result) -> bool:
    """True when this process's user owns it; Windows keeps no such number, so there it is always true."""
    return os.name != "posix" or found.st_uid == os.geteuid()
