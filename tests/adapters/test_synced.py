"""Folders that a service keeps in step, and the copies that it leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from docs_rag.adapters.synced import COPIES, SERVICES, conflicted_copies, synced_by


@pytest.mark.parametrize(
    ("below", "service"),
    [
        ("OneDrive/notes", "OneDrive"),
        ("OneDrive - Orchard Ltd/notes", "OneDrive"),
        ("Library/CloudStorage/OneDrive-Personal/notes", "OneDrive"),
        ("Library/Mobile Documents/iCloud~md~obsidian/Documents/notes", "iCloud Drive"),
        ("Library/Mobile Documents/com~apple~CloudDocs/notes", "iCloud Drive"),
        ("iCloudDrive/notes", "iCloud Drive"),
        ("Dropbox/notes", "Dropbox"),
        ("Dropbox (Personal)/notes", "Dropbox"),
        ("Library/CloudStorage/GoogleDrive-anna@example.org/My Drive/notes", "Google Drive"),
        ("Nextcloud/notes", "Nextcloud"),
        ("pCloudDrive/notes", "pCloud"),
        ("projects/dropbox-client/docs", None),
        ("projects/onedrive/docs", None),
        ("notes", None),
    ],
)
def test_a_folder_is_known_by_its_name(below: str, service: str | None, tmp_path: Path) -> None:
    assert synced_by(str(tmp_path / below / "index.db")) == service


@pytest.mark.parametrize(
    ("marker", "service"),
    [(marker, each.name) for each in SERVICES for marker in each.markers],
)
def test_a_folder_is_known_by_what_lies_in_it(marker: str, service: str, tmp_path: Path) -> None:
    place = tmp_path / "sync" / marker
    place.parent.mkdir(parents=True)
    place.write_text("", encoding="utf-8")
    assert synced_by(str(tmp_path / "sync" / "notes" / "deep")) == service
    assert synced_by(str(tmp_path / "elsewhere")) is None


def test_settings_of_dropbox_in_a_home_folder_are_no_synced_folder(tmp_path: Path) -> None:
    (tmp_path / ".dropbox").mkdir()
    assert synced_by(str(tmp_path / "notes")) is None


def test_a_folder_is_known_by_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OneDriveCommercial", str(tmp_path / "Firma"))
    assert synced_by(str(tmp_path / "Firma" / "notes")) == "OneDrive"
    assert synced_by(str(tmp_path / "Firma2" / "notes")) is None


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_link_into_a_synced_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "Dropbox" / "notes").mkdir(parents=True)
    (tmp_path / "notes").symlink_to(tmp_path / "Dropbox" / "notes")
    assert synced_by(str(tmp_path / "notes")) == "Dropbox"


@pytest.mark.parametrize(
    ("name", "service"),
    [
        ("a/tea (Anna's conflicted copy 2026-01-02).md", None),
        ("a/tea (conflicted copy 2026-01-02 101500).md", None),
        ("a/tea (Conflicted copy laptop 202601021015).md", None),
        ("a/tea (Anna의 충돌된 사본 2026-01-02).md", None),
        ("a/tea.sync-conflict-20260102-101500-ABC2DEF.md", None),
        ("a/tea.Conflict.md", None),
        ("a/tea (SFConflict anna@example.org 2026-01-02-10-15-00).md", None),
        ("a/tea_laptop_Jan-02-1015-2026_Conflict.md", None),
        ("a/tea [conflicted].md", None),
        ("a/tea-DESKTOP-AB12CD3.md", None),
        ("a/tea (1).md", "Google Drive"),
        ("a/tea 2.md", "iCloud Drive"),
    ],
)
def test_a_copy_is_known_by_its_name(name: str, service: str | None) -> None:
    assert conflicted_copies(["a/tea.md", name, "a/cups.md"], service) == [name]


@pytest.mark.parametrize(
    "names",
    [
        ["a/tea-DESKTOP-AB12CD3.md", "b/tea.md"],
        ["tea.md", "tea 2.md"],
        ["tea.md", "tea (1).md"],
        ["conflicts.md", "how to mend a conflicted copy.md", "Conflict.md", "adr/0012-conflict.md"],
        ["2026-01-02.md", "2026-01-02 (draft).md"],
        [],
    ],
)
def test_other_names_are_no_copies(names: list[str]) -> None:
    assert conflicted_copies(names) == []


def test_a_number_counts_beside_its_original_alone() -> None:
    assert conflicted_copies(["tea 2.md", "cups.md"], "iCloud Drive") == []
    assert conflicted_copies(["tea 2.md", "tea.md"], "Dropbox") == []


def test_the_tables_are_whole() -> None:
    assert all(each.folders or each.markers for each in SERVICES)
    assert all("(?P<original>" in each.stem for each in COPIES)
    assert {each.service for each in COPIES} <= {"", *(each.name for each in SERVICES)}
