"""The files of a folder as they were in a commit, by the ids that git gives their contents.

Only `git ls-tree` is run: it looks at no file of the working tree, so that neither filters nor other programs that a
repository's config may name are started, and nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess
import unicodedata
from typing import Final

from docs_rag.adapters.git.running import ALWAYS, environment, program
from docs_rag.core.documents import DocPath
from docs_rag.errors import DocsRagError, UsageError

MOST_SECONDS: Final = 30.0


def blobs(folder: str, revision: str) -> dict[DocPath, str]:
    """Path below `folder` (absolute) -> id of the content in a commit; links and submodules are left out.

    Raises `UsageError` for what cannot be a revision, `DocsRagError` without git, repository or such a commit.
    """
    if not revision.strip() or revision.startswith("-"):
        raise UsageError(f"{revision or 'an empty text'} is no revision", "name a commit, a branch or a tag")
    found: dict[DocPath, str] = {}
    for entry in _listed(folder, revision).split(b"\0"):
        head, _, path = entry.partition(b"\t")
        mode, _, rest = head.decode("ascii", "replace").partition(" ")
        if mode.startswith("100"):
            found[DocPath(unicodedata.normalize("NFC", os.fsdecode(path)))] = rest.rpartition(" ")[2]
    return found


def _listed(folder: str, revision: str) -> bytes:
    git = program()
    if git is None:
        raise DocsRagError("git is not installed, which knows what changed", "leave --diff out")
    try:
        done = subprocess.run(
            [git, *ALWAYS, "ls-tree", "-r", "-z", revision, "--", "."],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise DocsRagError(f"git cannot be asked what changed since {revision}: {type(error).__name__}") from error
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it does not say why"]
        why = lines[0].removeprefix("fatal: ")
        raise DocsRagError(f"git cannot list {revision}: {why}", "name a commit, a branch or a tag of this repository")
    return done.stdout
