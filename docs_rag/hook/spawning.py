"""Starts the background run: in a session of its own, with nothing of the host's in its hands."""

import os
import sys

from docs_rag.adapters.background.log import open_log
from docs_rag.adapters.background.starting import command, start_process
from docs_rag.hook.project import Project

_MOST_DESCRIPTORS = 65_536
_STDIN, _STDOUT, _STDERR = 0, 1, 2


def start(project: Project) -> None:
    """Start `docs-rag index --background` for a project and do not wait for it. Raises `OSError`.

    What the run has to say goes to the log.
    """
    if sys.platform == "win32":
        start_process(project.config, project.state_dir)
        return
    log = open_log(project.state_dir)
    try:
        _fork(command(project.config), log)
    finally:
        os.close(log)


def _fork(command: list[str], log: int) -> None:
    """`subprocess` would cost as much as all that the hook does before; its work here is a few calls."""
    if os.fork() == 0:
        try:
            os.setsid()
            os.dup2(log, _STDERR)  # first: of streams that the host closed, the log may have the number
            null = os.open(os.devnull, os.O_RDWR)
            for target in (_STDIN, _STDOUT):
                os.dup2(null, target)
            for target in (_STDIN, _STDOUT, _STDERR):
                os.set_inheritable(target, True)
            os.closerange(_STDERR + 1, _last_descriptor())
            os.chdir("/")
            os.execv(command[0], command)
        finally:
            os._exit(127)


def _last_descriptor() -> int:
    most = os.sysconf("SC_OPEN_MAX")
    return most if 0 < most < _MOST_DESCRIPTORS else _MOST_DESCRIPTORS
