"""Running git in a repository that may have come from a stranger.

Nothing that the repository's config names is run, nothing is fetched, nothing is written, and no variable that points
git at another repository is handed on.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import Final

ALWAYS: Final = (
    "--no-pager",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "safe.bareRepository=explicit",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""What stands before every command of git."""
_KEPT: Final = re.compile(
    r"GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|CEILING_DIRECTORIES"
    r"|DISCOVERY_ACROSS_FILESYSTEM|EXEC_PATH)"
)
"""Variables of git that say what its user wants, not which repository is meant; a hook sets many of the others."""
_SET: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


def program() -> str | None:
    """Where git is, or None; never in the working directory, which may be a stranger's."""
    found = shutil.which("git")
    return found if found is not None and os.path.isabs(found) else None  # noqa: PTH117


def environment() -> dict[str, str]:
    """The variables that git is started with."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)}
    return kept | _SET
