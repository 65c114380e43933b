"""Puts this copy of the program into a `.mcpb`: a zip that Claude Desktop installs with a double click.

The format is https://github.com/modelcontextprotocol/mcpb, manifest version 0.4 with the server type `uv`: the host
gets Python and the dependencies with uv, so that one file serves every system. The program itself lies in the file,
because it is not published on a registry.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Final

from docs_rag.core.installed import Copy

MANIFEST_VERSION: Final = "0.4"
ENTRY: Final = "main.py"
PACKAGE: Final = "docs_rag"
"""The folder of the program's own files in the bundle."""

_ENTRY_TEXT: Final = f"""\
import sys

from {PACKAGE}.bundled import main

if __name__ == "__main__":
    sys.exit(main())
"""
_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""Of every file in the zip, so that the same copy makes the same bytes."""
_MODE: Final = 0o100644


def bundle(copy: Copy) -> bytes:
    """The whole `.mcpb`."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(_files(copy).items()):
            entry = zipfile.ZipInfo(name, _DAY)
            entry.external_attr = _MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return held.getvalue()


_TOOLS: Final = {
    "search_notes": "Searches the notes; what is superseded is left out.",
    "read_note": "Reads a note, or the section that was found.",
    "list_notes": "Lists the notes with their states.",
    "index_status": "Says what is indexed, what is not, and why.",
    "refresh": "Takes changed notes in.",
}


def manifest(copy: Copy) -> dict[str, object]:
    """What the host reads: how to start the server, and what to ask the user for."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": "docs-rag",
        "display_name": "docs-rag",
        "version": copy.version,
        "description": "Searches a folder of notes by meaning and by word, and knows which of them still hold.",
        "long_description": "Pick a folder of Markdown notes. Its index is made when the server starts and lies in the "
        "folder's `.rag`; until the first one is ready, the tool says that there is none.",
        "author": {"name": "The docs-rag developers"},
        "license": "MIT",
        "keywords": ["markdown", "notes", "search", "decisions"],
        "server": {"type": "uv", "entry_point": ENTRY, "mcp_config": _start()},
        "tools": [{"name": name, "description": does} for name, does in _TOOLS.items()],
        "user_config": {"vault": _vault()},
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": copy.python}},
    }


def _start() -> dict[str, object]:
    """UTF-8 mode keeps the names of notes right under every locale, without a second start."""
    arguments = ["run", "--quiet", "--directory", "${__dirname}", ENTRY, "${user_config.vault}"]
    return {"command": "uv", "args": arguments, "env": {"PYTHONUTF8": "1"}}


def _vault() -> dict[str, object]:
    return {
        "type": "directory",
        "title": "Folder of notes",
        "description": "The folder whose Markdown files are searched, with all folders in it.",
        "required": True,
    }


def _files(copy: Copy) -> dict[str, bytes]:
    own = {f"{PACKAGE}/{path}": data for path, data in copy.files.items()}
    written = json.dumps(manifest(copy), ensure_ascii=False, indent=2) + "\n"
    texts = {"manifest.json": written, "pyproject.toml": _project(copy), ENTRY: _ENTRY_TEXT}
    return own | {name: text.encode("utf-8") for name, text in texts.items()}


def _project(copy: Copy) -> str:
    """What uv installs. A text of JSON is one of TOML too."""
    requires = "".join(f"    {json.dumps(each)},\n" for each in copy.requires)
    return f"""\
[project]
name = "docs-rag-bundle"
version = {json.dumps(copy.version)}
requires-python = {json.dumps(copy.python)}
dependencies = [
{requires}]

[tool.uv]
package = false
"""
