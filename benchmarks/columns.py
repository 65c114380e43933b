"""The vaults that the suite measures, a column of its table each: generated ones of growing size, and corpora."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.generated import write_vault

if TYPE_CHECKING:
    from docs_rag.adapters.sqlite.store import SqliteStore
    from docs_rag.config import Config


@dataclass(frozen=True, slots=True)
class Column:
    """A vault to measure; its index and its config lie in its `.rag`."""

    label: str
    """The number of notes of a generated vault, the name of a corpus."""
    vault: Path
    questions: Path | None = None
    """A corpus has questions with known answers."""

    @property
    def config_file(self) -> Path:
        """Where the config lies; it asks for no model."""
        return self.vault / ".rag" / "config.json"

    def config(self, state: Path | None = None) -> Config:
        """The project's config, for no model; with another state folder its index is another one."""
        from docs_rag import wiring  # noqa: PLC0415

        found, _ = wiring.open_project(wiring.Options(config=str(self.config_file)), strict=True)
        if state is None:
            return found
        return replace(found, state_dir=str(state), index_path=str(state / "index.db"))

    def notes(self) -> list[Path]:
        """Every note, by path."""
        return sorted(path for path in self.vault.rglob("*.md") if ".rag" not in path.parts)


def generated(notes: int, place: Path) -> Column:
    """A vault of so many generated notes, written below `place`."""
    column = named(notes, place)
    write_vault(column.vault, notes)
    return _configured(column)


def named(notes: int, place: Path) -> Column:
    """Where such a vault lies below `place`, or would lie."""
    return Column(str(notes), place / f"vault-{notes}")


def corpora(folder: Path, place: Path) -> Iterator[Column]:
    """A copy below `place` of each vault in `folder` that comes with a file of questions (`root` names the vault)."""
    for file in sorted(folder.glob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8"))
        root = content.get("root") if isinstance(content, dict) else None
        if isinstance(root, str) and (file.parent / root).is_dir():
            vault = place / file.stem
            shutil.copytree(file.parent / root, vault, symlinks=True, copy_function=shutil.copyfile)
            yield _configured(Column(file.stem, vault, file))


def _configured(column: Column) -> Column:
    column.config_file.parent.mkdir(mode=0o700, exist_ok=True)
    column.config_file.write_text('{"vaultPath": "..", "embedModel": "none"}\n', encoding="utf-8")
    return column


def open_for_writing(config: Config) -> SqliteStore:
    """The index, made if it is not there."""
    from docs_rag import wiring  # noqa: PLC0415

    return wiring.open_index_for_writing(config)[0]
