"""Takes out of a project what `scaffold` wrote, and nothing else.

What it noted down decides where there is a record. A clone has none; there its lines in `.gitignore` show that it was
at work, and an entry goes by its looks: it starts docs-rag for this very project.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_rag.app.clients import CLIENTS, Scope
from docs_rag.app.drafts import FORMATS, Draft, Site, Target, draft_for
from docs_rag.app.scaffolding import AGENTS, Plan, Refusal
from docs_rag.core import agentsblock, ignorelines, scaffoldrecord
from docs_rag.core.digests import bytes_digest
from docs_rag.core.filechanges import ProjectFiles
from docs_rag.core.hookentry import HOOK_KEYS, SETTINGS_FILE, is_hook_command, is_hook_entry
from docs_rag.core.merging import jsonfile, tomlfile
from docs_rag.core.scaffoldrecord import RECORD_NAME
from docs_rag.errors import DocsRagError, Unmergeable

_TRACE: Final = b"docs-rag"
_SCOPES: Final[tuple[Scope, ...]] = ("project", "user")
_GITIGNORE: Final = ".gitignore"


def plan_removal(files: ProjectFiles, target: Target) -> Plan:
    """What taking it out comes to. Raises `DocsRagError`."""
    remover = _Remover(draft_for(files, target))
    remover.remove_entries()
    remover.remove_hook()
    remover.remove_texts()
    remover.remove_empty_files()
    remover.remove_state()
    return remover.plan()


class _Remover:
    """Works the plan out, part by part."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._target = draft.target
        self._record_path = str(Path(self._target.state_dir, RECORD_NAME))
        self._record = scaffoldrecord.read(draft.read(self._record_path))
        self._goes_by_looks = self._record is None and ignorelines.has_lines(draft.read(draft.below(_GITIGNORE)))
        self._notices: list[str] = []
        self._refusals: list[Refusal] = []

    def plan(self) -> Plan:
        folders = self._record.folders if self._record else ()
        changes = self._draft.changes()
        emptied = {str(above) for each in changes if each.after is None for above in Path(each.path).parents}
        return Plan(
            changes=changes,
            leave=tuple(path for folder in reversed(folders) if (path := self._path(folder)) in emptied),
            notices=tuple(self._notices),
            refusals=tuple(self._refusals),
        )

    def remove_entries(self) -> None:
        """The entries in the files of all clients."""
        for site in self._sites():
            try:
                for name, entry in self._draft.servers(site).items():
                    if self._draft.is_ours(entry, site.scope):
                        self._remove_entry(site, name)
            except Unmergeable as error:
                if _TRACE in (self._draft.read(site.path) or b""):
                    self._refuse(error, site.name)

    def remove_hook(self) -> None:
        """The hook: an entry that starts it alone, else the one handler of an entry that starts others too."""
        path = self._draft.below(SETTINGS_FILE)
        data = self._draft.read(path)
        noted = self._record.of(SETTINGS_FILE, HOOK_KEYS) if self._record else None
        if data is None or (noted is None and not self._goes_by_looks):
            return
        try:
            after = jsonfile.remove_items(data, HOOK_KEYS, is_hook_entry, prune=False)
            after = _without_handlers(after)
        except Unmergeable as error:
            if _TRACE in data:
                self._refuse(error, SETTINGS_FILE)
            return
        if after != data:
            self._draft.write(path, _without_empty(after, noted.kept if noted else 0))

    def remove_texts(self) -> None:
        """The lines of `.gitignore` and the block for agents: both are marked."""
        path = self._draft.below(_GITIGNORE)
        data = self._draft.read(path)
        if data is not None:
            self._draft.write(path, ignorelines.remove_lines(data))
        for name in AGENTS:
            path = self._draft.below(name)
            if self._draft.files.is_link(path):
                continue
            data = self._draft.read(path)
            if agentsblock.has_block(data):
                self._draft.write(path, agentsblock.remove_block(data or b"", name))

    def remove_empty_files(self) -> None:
        """Files that hold nothing any more; where there is a record, those that scaffold made, or found empty."""
        for change in self._draft.changes():
            if change.after is None or not _is_empty(change.path, change.after):
                continue
            if self._record is None or change.name in self._record.created:
                self._draft.write(change.path, None)
            elif change.name in self._record.blank:
                self._draft.write(change.path, b"")

    def remove_state(self) -> None:
        """The record; the config while it is as it was made; the state folder if it holds nothing else then."""
        if self._draft.read(self._record_path) is not None:
            self._draft.write(self._record_path, None)
        config = self._draft.read(self._target.config)
        if config is None:
            return
        if self._record is None or bytes_digest(config).hex() != self._record.config:
            self._notices.append(f"{self._draft.shown(self._target.config)} stays: it holds settings that are yours")
            return
        self._draft.write(self._target.config, None)
        left = set(self._draft.files.names(self._target.state_dir)) - {_GITIGNORE, RECORD_NAME}
        left.discard(Path(self._target.config).name)
        ignore = str(Path(self._target.state_dir, _GITIGNORE))
        if left:
            self._notices.append(f"{self._target.state_dir} stays: it holds the index and what belongs to it")
        elif self._draft.read(ignore) == ignorelines.STATE_IGNORE:
            self._draft.write(ignore, None)

    def _sites(self) -> Iterator[Site]:
        for client in CLIENTS.values():
            for scope in _SCOPES:
                site = self._draft.site(client, scope)
                if site is not None and self._is_readable(site):
                    yield site

    def _is_readable(self, site: Site) -> bool:
        try:
            return self._draft.read(site.path) is not None
        except DocsRagError as error:
            self._notices.append(f"{site.name} was not looked at: {error.message}")
            return False

    def _remove_entry(self, site: Site, name: str) -> None:
        place = site.client.place(name)
        noted = self._record.of(site.name, place) if self._record else None
        if noted is None and not self._goes_by_looks:
            self._notices.append(f"{name} stays in {site.name}: scaffold did not write it")
            return
        data = self._draft.read(site.path) or b""
        kept = noted.kept if noted else None
        self._draft.write(site.path, FORMATS[site.client.format].remove(data, place, kept))

    def _refuse(self, error: Unmergeable, name: str) -> None:
        self._refusals.append(Refusal(Unmergeable(f"{name} {error.message}", error.hint), ""))

    def _path(self, shown: str) -> str:
        """The path of a folder of the record."""
        return (
            shown.replace("~", self._target.folders["HOME"], 1) if shown.startswith("~/") else self._draft.below(shown)
        )


def _without_handlers(data: bytes) -> bytes:
    """The settings without handlers of ours that stand beside others."""
    items = jsonfile.get_entry(data, HOOK_KEYS)
    for number, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, dict) and isinstance(item.get("hooks"), list):
            data = jsonfile.remove_items(data, (*HOOK_KEYS, number, "hooks"), is_hook_command, prune=False)
    return data


def _without_empty(data: bytes, kept: int) -> bytes:
    """The settings without those of the hook's containers that came with it and hold nothing any more."""
    for depth in range(len(HOOK_KEYS), kept, -1):
        if jsonfile.get_entry(data, HOOK_KEYS[:depth]) not in ({}, []):
            break
        data = jsonfile.remove_entry(data, HOOK_KEYS[:depth], prune=False)
    return data


def _is_empty(path: str, data: bytes) -> bool:
    """Whether nothing is left in a file of the kind that its name says."""
    if path.endswith((".json", ".jsonc")):
        return not jsonfile.get_entry(data, ())
    if path.endswith(".toml"):
        return not tomlfile.get_entry(data, ()) and not data.strip()
    return not data.strip(b"\xef\xbb\xbf \r\n")
