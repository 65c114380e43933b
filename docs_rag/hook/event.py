"""What Claude Code tells on stdin: https://code.claude.com/docs/en/hooks, "PostToolUse input"."""

# ruff: noqa: PLC0415, PTH109, PTH111, PTH117, PTH118

import os

WRITING_TOOLS = ("Write", "Edit", "MultiEdit", "NotebookEdit")
"""Tools that change files; an event of another tool says nothing of an edit."""


class _Rules:
    """What `_json`'s scanner wants to know, as `json.JSONDecoder` would tell it."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def parse(data: bytes) -> object:
    """The JSON value in `data`, UTF-8; None for anything else.

    The scanner inside `json` is asked itself: the module costs as much as starting Python, for the regular
    expressions around that scanner. Where it is not to be had, the module is.
    """
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip(" \t\r\n")
    if not text:
        return None
    try:
        from _json import make_scanner

        value, end = make_scanner(_Rules)(text, 0)  # type: ignore[arg-type]  # it asks for these attributes alone
        if end == len(text):
            return value
    except Exception:  # whatever a private module does next: the public one decides
        pass
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def edited_file(event: object) -> str | None:
    """The absolute path of the file that was edited; None when the event tells of none."""
    if not isinstance(event, dict) or event.get("tool_name", WRITING_TOOLS[0]) not in WRITING_TOOLS:
        return None
    for holder, keys in (
        (event.get("tool_input"), ("file_path", "notebook_path")),
        (event.get("tool_response"), ("filePath",)),
        (event, ("file_path",)),
    ):
        for key in keys:
            path = holder.get(key) if isinstance(holder, dict) else None
            if isinstance(path, str) and path and "\0" not in path:
                return _absolute(path, event.get("cwd"))
    return None


def text_of(event: object, key: str) -> str:
    """A text of the event; empty when it has none by that name."""
    value = event.get(key) if isinstance(event, dict) else None
    return value if isinstance(value, str) else ""


def _absolute(path: str, folder: object) -> str | None:
    """Old versions sent `~` and paths that count from the working folder."""
    path = os.path.expanduser(path)
    if os.path.isabs(path):
        return os.path.normpath(path)
    if isinstance(folder, str) and os.path.isabs(folder) and "\0" not in folder:
        return os.path.normpath(os.path.join(folder, path))
    try:
        return os.path.normpath(os.path.join(os.getcwd(), path))
    except OSError:
        return None
