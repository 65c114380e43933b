"""Real git repositories for tests, made without a look at the settings of who runs them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ISOLATED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "file",
}


class Repository:
    """A repository in a folder; the folder is made if need be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, day: str = "2026-01-01", at: str = "12:00:00 +0000") -> str:
        """Run git in the folder; commits are of that day."""
        return git(self.folder, *arguments, day=day, at=at)

    def write(self, path: str, text: str) -> None:
        """Write a file, its folders too."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def commit(self, day: str, *, at: str = "12:00:00 +0000", **files: str) -> None:
        """Commit everything that lies in the folder."""
        for name, text in files.items():
            self.write(f"{name}.md", text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", day=day, at=at)


def git(folder: Path, *arguments: str, day: str = "2026-01-01", at: str = "12:00:00 +0000") -> str:
    """Run git; the author's day is `day`, the committer's always another one."""
    person = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "N"), ("EMAIL", "n@example.org"))
    }
    dates = {"GIT_AUTHOR_DATE": f"{day}T{at.replace(' ', '')}", "GIT_COMMITTER_DATE": "2027-07-07T12:00:00+0000"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**kept, **ISOLATED, **person, **dates},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
