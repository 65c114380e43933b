"""Folders that a program copies to other machines behind everybody's back, and the copies that it leaves there.

An SQLite file in such a folder is copied in the middle of a write, and two machines then write over each other. How
the services call their folders and copies is taken from what they leave on disk: one row each.
"""

# `pathlib` has no way to ask of a name whether it is there at all, be it a dead link.
# ruff: noqa: PTH118, PTH119, PTH120

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple


class Service(NamedTuple):
    """How a folder that a service keeps in step is known."""

    name: str
    folders: str = ""
    """Pattern of one segment of the path, as the service itself spells it; empty: none is telling."""
    markers: tuple[str, ...] = ()
    """Entries that it leaves in the folder that it keeps in step, any one of them, `/` separated."""
    variables: tuple[str, ...] = ()
    """Environment variables that hold the folder."""


SERVICES: Final = (
    Service("OneDrive", r"OneDrive(?: ?- ?.+)?", (), ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")),
    Service("iCloud Drive", r"com~apple~CloudDocs|iCloud~.+|iCloudDrive|iCloud Drive"),
    # Not `.dropbox`: in a home folder that is where the program keeps its settings.
    Service("Dropbox", r"Dropbox(?:[ -].+)?", (".dropbox.cache",)),
    Service("Syncthing", "", (".stfolder",)),
    Service("Google Drive", r"Google Drive|GoogleDrive(?:-.+)?|My Drive", (".tmp.driveupload", ".tmp.drivedownload")),
    Service("Nextcloud", r"Nextcloud|ownCloud", (".nextcloudsync.log", ".owncloudsync.log")),
    Service("Resilio Sync", r"Resilio Sync", (".sync/ID",)),
    Service("Synology Drive", r"SynologyDrive", (".SynologyWorkingDirectory",)),
    Service("MEGA", "", (".megaignore",)),
    Service("pCloud", r"pCloudDrive|pCloud Drive"),
    Service("Proton Drive", r"ProtonDrive(?:-.+)?|Proton Drive"),
    Service("Seafile", r"Seafile"),
    Service("Box", r"Box-Box|Box Sync"),
)
"""The services, the first that fits is named."""


class Copy(NamedTuple):
    """How a service names the copy of a note that was changed on two machines."""

    stem: str
    """Pattern of the name without its suffix; the group `original` is the name of the note that it is a copy of."""
    needs_original: bool = False
    """The name alone proves nothing: only beside the original it counts."""
    service: str = ""
    """The only service whose folders it counts in; empty: everywhere."""


COPIES: Final = (
    # Dropbox, Nextcloud, Obsidian Sync: `a (Anna's conflicted copy 2026-01-02)`.
    Copy(r"(?P<original>.+?) ?\((?:[^()]* )?(?:(?i:conflicted copy)|In Konflikt stehende Kopie|충돌된 사본)[^()]*\)"),
    Copy(r"(?P<original>.+)\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}"),  # Syncthing
    Copy(r"(?P<original>.+)\.Conflict"),  # Resilio Sync
    Copy(r"(?P<original>.+) \(SFConflict .+\)"),  # Seafile
    Copy(r"(?P<original>.+?)_.+_[A-Z][a-z]{2}-\d{2}-\d{4,6}-\d{4}_Conflict"),  # Synology Drive
    Copy(r"(?P<original>.+) \[conflicted(?:-\d+)?\]"),  # pCloud
    Copy(r"(?P<original>.+)-(?:DESKTOP|LAPTOP)-[A-Z0-9]{7}(?:-\d+)?", needs_original=True),  # OneDrive, on Windows
    Copy(r"(?P<original>.+) \(\d{1,2}\)", needs_original=True, service="Google Drive"),
    Copy(r"(?P<original>.+) \d{1,2}", needs_original=True, service="iCloud Drive"),
)
"""The forms of copies, the first that fits decides."""


def synced_by(path: str) -> str | None:
    """The service that keeps a file or folder (absolute, there or not yet) in step, or None.

    Both the path as it is written and the one that its links lead to are looked at.
    """
    places = dict.fromkeys((os.path.normpath(path), os.path.realpath(path)))
    return next((each.name for each in SERVICES if any(_keeps(each, place) for place in places)), None)


def conflicted_copies(names: Iterable[str], service: str | None = None) -> list[str]:
    """Those of the paths (`/` separated) that look like copies which a service made of a note that was changed twice.

    `service` is the one that keeps their folder in step, if any: some forms mean something in its folders alone.
    """
    known = set(names)
    return sorted(name for name in known if _is_copy(name, known, service))


def _keeps(service: Service, place: str) -> bool:
    folders = list(_upwards(place))
    homes = {os.path.normpath(os.environ[name]) for name in service.variables if os.environ.get(name)}
    if homes & set(folders):
        return True
    if service.folders and any(re.fullmatch(service.folders, os.path.basename(each)) for each in folders):
        return True
    return any(os.path.lexists(os.path.join(folder, *marker.split("/")))
               for folder in folders for marker in service.markers)  # fmt: skip


def _upwards(place: str) -> Iterator[str]:
    """The place and the folders above it."""
    while True:
        yield place
        above = os.path.dirname(place)
        if above == place:
            return
        place = above


def _is_copy(name: str, known: set[str], service: str | None) -> bool:
    folder, slash, file = name.rpartition("/")
    stem, dot, suffix = file.rpartition(".")
    for form in COPIES:
        found = re.fullmatch(form.stem, stem if dot else file)
        if found is not None and form.service in ("", service):
            original = f"{folder}{slash}{found['original']}{dot}{suffix if dot else ''}"
            return not form.needs_original or original in known
    return False
