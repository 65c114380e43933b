"""What holds for every test: no network but loopback, no home folder but a temporary one."""

from __future__ import annotations

import ipaddress
import itertools
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# The benchmarks are no part of the package. At the end of the path, so that the installed package is what is tested.
sys.path.append(str(Path(__file__).parents[1]))

# Examples are not timed (other work may hold the machine up), none are written into the working tree, and a run
# tries the same ones as the run before: `pytest --hypothesis-profile=new` goes looking for others.
hypothesis.settings.register_profile("docs-rag", deadline=None, database=None, derandomize=True)
hypothesis.settings.register_profile("new", deadline=None, database=None, max_examples=1000)
hypothesis.settings.load_profile("docs-rag")

HOME_VARIABLES = {
    "HOME": "",
    "USERPROFILE": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_DATA_HOME": ".local/share",
    "XDG_RUNTIME_DIR": ".run",
    "LOCALAPPDATA": "AppData/Local",
    "APPDATA": "AppData/Roaming",
}
"""Where programs look for a person's files, each with its place below the test's home folder."""

REMOVED_VARIABLES = (
    "CLAUDE_PROJECT_DIR",
    "OLLAMA_HOST",
    "OLLAMA_API_KEY",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "FORCE_HYPERLINK",
    "TERM_PROGRAM",
    "KITTY_WINDOW_ID",
    "WT_SESSION",
    "VTE_VERSION",
    "KONSOLE_VERSION",
    "TMUX",
    "STY",
    "EDITOR",
    "VISUAL",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "COLUMNS",
    "PAGER",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "PYTHONWARNINGS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
)
"""What the developer's shell may hold and a result must not depend on."""


@pytest.fixture(scope="session", autouse=True)
def _session_guards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Refuses connections that leave the machine; gives the folder in which each test gets its home."""
    homes = tmp_path_factory.mktemp("homes")
    with pytest.MonkeyPatch.context() as patch:
        _refuse_the_network(patch)
        _move_home(patch, homes / "session")
        yield homes


_numbers = itertools.count()


@pytest.fixture(autouse=True)
def home(_session_guards: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own empty home folder; subprocesses inherit it through the environment."""
    folder = _session_guards / str(next(_numbers))
    _move_home(monkeypatch, folder)
    return folder


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio alone, as the server does."""
    return "asyncio"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference corpora beside the repository; where there is none, its tests are skipped."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no reference corpora beside the repository")
    return folder


def _move_home(patch: pytest.MonkeyPatch, folder: Path) -> None:
    folder.mkdir()
    for name, below in HOME_VARIABLES.items():
        patch.setenv(name, str(folder / below))
    for name in REMOVED_VARIABLES:
        patch.delenv(name, raising=False)


def _refuse_the_network(patch: pytest.MonkeyPatch) -> None:
    """Guards the ways out of a socket; a refusal is no `OSError`, which would pass for a dead host."""
    for method in ("connect", "connect_ex"):
        patch.setattr(socket.socket, method, _guarded_method(getattr(socket.socket, method)))
    patch.setattr(socket.socket, "sendto", _guarded_method(socket.socket.sendto))
    real_lookup = socket.getaddrinfo

    def lookup(host: str | bytes | None, *rest: Any, **options: Any) -> Any:
        _refuse_unless_local(host)
        return real_lookup(host, *rest, **options)

    patch.setattr(socket, "getaddrinfo", lookup)


def _guarded_method(real: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        address = arguments[-1]
        if isinstance(address, tuple):
            _refuse_unless_local(address[0])
        return real(self, *arguments)

    return guarded


def _refuse_unless_local(host: str | bytes | None) -> None:
    name = os.fsdecode(host) if host else "localhost"
    if name == "localhost" or _is_loopback_address(name):
        return
    pytest.fail(f"a test tried to reach {name}")


def _is_loopback_address(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False
