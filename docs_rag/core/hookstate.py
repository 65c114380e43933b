"""What is known of the hook and of its background runs, from the two small files in which they keep it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_rag.core.hookfiles import OUTCOME, SEEN

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_MESSAGE = 1000
"""Characters of a message that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRun:
    """How the last background run ended."""

    at: str
    """When, as `2026-11-30T09:12:03Z`."""
    ok: bool
    message: str
    """What was done, or why it failed."""
    since: str
    """When the first of the failures in a row happened; empty when all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookState:
    """Everything that the state folder tells of the hook."""

    seen_at: str | None
    """When the hook last heard of an edit in this project; None when it never ran here."""
    last_run: LastRun | None
    """None when no background run has ended yet."""


def hook_state(read: Callable[[str], bytes | None]) -> HookState:
    """The state; `read` gives the content of a file of the state folder by its name. Never raises for odd content."""
    seen = _object(read(SEEN)).get("at")
    return HookState(seen_at=seen if isinstance(seen, str) else None, last_run=last_run(read(OUTCOME)))


def last_run(data: bytes | None) -> LastRun | None:
    """The outcome that a background run wrote; None for none, or for anything else."""
    values = _object(data)
    at, ok, message, since = (values.get(key) for key in ("at", "ok", "message", "since"))
    if isinstance(at, str) and isinstance(ok, bool) and isinstance(message, str) and isinstance(since, str):
        return LastRun(at=at, ok=ok, message=message, since=since)
    return None


def following(former: LastRun | None, *, at: str, ok: bool, message: str) -> LastRun:
    """The outcome of a run that ended at `at`; failures in a row share the time of the first."""
    since = "" if ok else (former.since if former is not None and not former.ok else at)
    return LastRun(at=at, ok=ok, message=message[:_MOST_MESSAGE], since=since)


def as_bytes(run: LastRun) -> bytes:
    """The content of the file for an outcome."""
    values = {"at": run.at, "ok": run.ok, "message": run.message, "since": run.since}
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _object(data: bytes | None) -> dict[str, object]:
    try:
        found = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
