"""Files as a plan will leave them, before any of it is written; and where clients keep their entries."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from docs_rag.app.clients import Client, Format, Scope
from docs_rag.core.filechanges import FileChange, ProjectFiles
from docs_rag.core.merging import jsonfile, tomlfile
from docs_rag.core.registrations import served

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The project that is set up, and what has to be known of the machine; paths are absolute."""

    project: str
    state_dir: str
    config: str
    platform: str
    """As `sys.platform`."""
    folders: Mapping[str, str]
    """As `clients.folders_of` gives them."""


@dataclass(frozen=True, slots=True)
class Site:
    """A client's file."""

    client: Client
    scope: Scope
    path: str
    name: str
    """As people know it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The files of a plan. Reading raises `DocsRagError`."""

    files: ProjectFiles
    target: Target
    held: dict[str, bytes | None]
    """What was read, by path."""
    after: dict[str, bytes | None]
    """What shall be written, by path, in that order."""

    def below(self, name: str) -> str:
        """The path of a file of the project, from its name with `/` between folders."""
        return str(Path(self.target.project, *name.split("/")))

    def read(self, path: str) -> bytes | None:
        """What the file holds at this point of the plan."""
        if path in self.after:
            return self.after[path]
        if path not in self.held:
            self.held[path] = self.files.read(path, within=self._within(path))
        return self.held[path]

    def write(self, path: str, data: bytes | None) -> None:
        """Let the file hold this; None: let it go."""
        self.read(path)
        self.after[path] = data

    def changes(self) -> tuple[FileChange, ...]:
        """What is left to be done once what stays the same is left out."""
        return tuple(
            FileChange(
                path=path,
                name=self.shown(path),
                before=self.held[path],
                after=data,
                within=self._within(path),
                is_private=str(Path(path).parent) == self.target.state_dir and path != self.target.config,
            )
            for path, data in self.after.items()
            if data != self.held[path]
        )

    def shown(self, path: str) -> str:
        """A path as people know it: below the project, or with `~`."""
        for folder, prefix in ((self.target.project, ""), (self.target.folders["HOME"], "~/")):
            if path.startswith(folder.rstrip(os.sep) + os.sep):
                return prefix + os.path.relpath(path, folder).replace(os.sep, "/")
        return path

    def site(self, client: Client, scope: Scope) -> Site | None:
        """The client's file, under the name of those that it may have which is there; None where it has none."""
        named = client.file(scope, self.target.platform, self.target.folders)
        if named is None:
            return None
        names = [named, *client.also] if scope == "project" else [named]
        paths = [self.below(name) if scope == "project" else os.path.normpath(name) for name in names]
        path = next((each for each in paths if self.files.exists(each)), paths[0])
        return Site(client, scope, path, self.shown(path))

    def servers(self, site: Site) -> dict[str, object]:
        """The entries in a client's file, by name. Raises `Unmergeable`, `DocsRagError`."""
        found = FORMATS[site.client.format].get(self.read(site.path), site.client.keys)
        return found if isinstance(found, dict) else {}

    def is_ours(self, entry: object, scope: Scope) -> bool:
        """Whether an entry starts our server for this very project."""
        said = served(entry)
        if said is None or said.vault is not None:
            return False
        if said.config is not None:
            return self._is_same(said.config, self.target.config)
        if said.folder is not None:
            return self._is_same(said.folder, self.target.project)
        return scope == "project"

    def _is_same(self, written: str, path: str) -> bool:
        """Whether a path of an entry, counted from the project where it is relative, leads to `path`."""
        expanded = self.target.folders["HOME"] + written[1:] if written.startswith("~/") else written
        return self.files.real(str(Path(self.target.project, expanded))) == self.files.real(path)

    def _within(self, path: str) -> str | None:
        is_inside = path.startswith(self.target.project.rstrip(os.sep) + os.sep)
        return self.target.project if is_inside else None


@dataclass(frozen=True, slots=True)
class _Writer:
    """How one format of settings files is read and changed."""

    get: Callable[[bytes | None, Keys], object | None]
    set: Callable[[bytes | None, Keys, dict[str, object]], bytes]
    remove: Callable[[bytes, Keys, int | None], bytes]
    """With the number of keys that led to something before ours came; None: not known."""


def set_in_json(data: bytes | None, keys: jsonfile.Keys, value: Mapping[str, object]) -> bytes:
    """Put an object where the keys lead; of one that is there, members that stay the same are not written anew."""
    held = jsonfile.get_entry(data, keys)
    if data is None or not isinstance(held, dict) or not held.keys() & value.keys():
        return jsonfile.set_entry(data, keys, value)
    for key in held.keys() - value.keys():
        data = jsonfile.remove_entry(data, (*keys, key), prune=False)
    for key, each in value.items():
        data = jsonfile.set_entry(data, (*keys, key), each)
    return data


def _remove_from_json(data: bytes, keys: Keys, kept: int | None) -> bytes:
    """Take an entry out, and those objects around it that came with it."""
    if kept is None:
        return jsonfile.remove_entry(data, keys)
    data = jsonfile.remove_entry(data, keys, prune=False)
    for depth in range(len(keys) - 1, kept, -1):
        if jsonfile.get_entry(data, keys[:depth]) not in ({}, []):
            break
        data = jsonfile.remove_entry(data, keys[:depth], prune=False)
    return data


FORMATS: Final[dict[Format, _Writer]] = {
    "json": _Writer(jsonfile.get_entry, set_in_json, _remove_from_json),
    "toml": _Writer(tomlfile.get_entry, tomlfile.set_entry, lambda data, keys, _: tomlfile.remove_entry(data, keys)),
}


def kept_keys(writer: _Writer, data: bytes | None, keys: Keys) -> int:
    """How many of the keys, from the first on, lead to something."""
    return sum(1 for depth in range(1, len(keys) + 1) if writer.get(data, keys[:depth]) is not None)


def draft_for(files: ProjectFiles, target: Target) -> Draft:
    """A plan in which nothing is changed yet."""
    return Draft(files, target, {}, {})
