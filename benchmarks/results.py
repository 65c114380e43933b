"""A run of the suite as a value: its figures, where they were taken, and its JSON."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measuring import Figures

Sizes = dict[str, dict[str, Figures]]
"""Column -> part -> figure -> value."""


@dataclass(frozen=True, slots=True)
class Results:
    """What one run found."""

    sizes: Sizes = field(default_factory=dict)
    machine: str = ""
    """System, processors, Python."""
    commit: str = ""
    """Of the code that was measured; empty where there is no repository."""

    def value(self, column: str, part: str, figure: str) -> float | None:
        """One figure, None where it was not measured."""
        return self.sizes.get(column, {}).get(part, {}).get(figure)

    def rows(self) -> Iterator[tuple[str, str]]:
        """(part, figure) in the order of the columns that have them."""
        found: dict[str, dict[str, None]] = {}
        for parts in self.sizes.values():
            for part, figures in parts.items():
                found.setdefault(part, {}).update(dict.fromkeys(figures))
        for part, names in found.items():
            for name in names:
                yield part, name

    def generated(self) -> list[int]:
        """The sizes of the generated vaults, in notes."""
        return sorted(int(label) for label in self.sizes if label.isdecimal())


def here(sizes: Sizes) -> Results:
    """Figures that were taken on this machine with this code."""
    python = f"Python {platform.python_version()}"
    return Results(sizes, f"{os.cpu_count()} processors, {platform.platform()}, {python}", _commit())


def _commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def save(results: Results, file: Path) -> None:
    """Write a run as JSON."""
    document = {"machine": results.machine, "commit": results.commit, "sizes": results.sizes}
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def load(file: Path) -> Results:
    """A run that `save` wrote."""
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return Results(document["sizes"], document.get("machine", ""), document.get("commit", ""))
