"""The guards of `conftest.py` hold: what they refuse would otherwise pass unseen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "reach_out",
    [
        lambda: socket.create_connection(("192.0.2.1", 80), timeout=0.1),
        lambda: socket.create_connection(("2001:db8::1", 80), timeout=0.1),
        lambda: socket.getaddrinfo("example.org", 80),
        lambda: socket.socket().connect(("192.0.2.1", 80)),
        lambda: socket.socket().connect_ex(("192.0.2.1", 80)),
        lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_no_connection_leaves_the_machine(reach_out: Callable[[], object]) -> None:
    with pytest.raises(pytest.fail.Exception, match="a test tried to reach"):
        reach_out()


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        for host in ("127.0.0.1", "localhost"):
            with socket.create_connection((host, server.getsockname()[1]), timeout=5):
                pass


def test_home_is_an_empty_folder_of_the_test(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert Path.home() == home
    assert home.is_relative_to(tmp_path_factory.getbasetemp())
    assert list(home.iterdir()) == []


def test_a_subprocess_gets_the_same_home(home: Path) -> None:
    code = "import os; print(os.path.expanduser('~'), 'CLAUDE_PROJECT_DIR' in os.environ)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert ran.stdout.split() == [str(home), "False"]
    assert os.environ["XDG_STATE_HOME"].startswith(str(home))
