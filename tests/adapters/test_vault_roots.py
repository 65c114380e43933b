"""Several folders as one vault: what is told of each, and that none leads into another."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from gitrepo import Repository

from docs_rag.adapters.files import FolderFiles
from docs_rag.adapters.git.joined import JoinedOrigins
from docs_rag.adapters.git.origins import GitOrigins
from docs_rag.adapters.vault import FolderVault
from docs_rag.adapters.vault.joined import JoinedVault
from docs_rag.core.digests import bytes_digest
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.edits import WriteFile
from docs_rag.core.ports import PlacedVault, Unreadable
from docs_rag.errors import DocsRagError, VaultError

posix = pytest.mark.skipif(os.name == "nt", reason="needs links")


def fill(folder: Path, *paths: str) -> None:
    for path in paths:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{folder.name} {path}", encoding="utf-8")


def joined(base: Path, *, exclude: tuple[str, ...] = ()) -> PlacedVault:
    """A vault in `docs`, with the roots `papers` and `old`."""

    def folder(name: str, below: str = "") -> FolderVault:
        return FolderVault(
            str(base / name), include=["**/*.md"], exclude=exclude, gitignore=True, max_bytes=1000, below=below
        )

    return JoinedVault(folder("docs"), {"papers": folder("elsewhere/papers", "papers"), "old": folder("attic", "old")})


@pytest.fixture
def base(tmp_path: Path) -> Path:
    fill(tmp_path / "docs", "a.md", "sub/b.md")
    fill(tmp_path / "elsewhere/papers", "a.md", "deep/c.md")
    fill(tmp_path / "attic", "d.md")
    return tmp_path


def told(vault: PlacedVault) -> tuple[list[str], dict[str, str]]:
    found = list(vault.scan())
    skipped = {str(each.path): each.code for each in found if isinstance(each, Skipped)}
    return sorted(each.path for each in found if not isinstance(each, Skipped)), skipped


def test_notes_of_roots_begin_with_their_name(base: Path) -> None:
    vault = joined(base)
    assert told(vault) == (["a.md", "old/d.md", "papers/a.md", "papers/deep/c.md", "sub/b.md"], {})
    for stamp in vault.scan():
        assert vault.stamp(stamp.path) == stamp
        assert vault.read(stamp.path)[0] == stamp
    assert vault.read(DocPath("a.md"))[1] == b"docs a.md"
    assert vault.read(DocPath("papers/a.md"))[1] == b"papers a.md"
    assert vault.place("papers/deep/c.md") == str(base / "elsewhere/papers/deep/c.md")
    assert vault.stamp(DocPath("papers")) is None


@posix
def test_folders_of_roots_are_known_again_by_their_name(base: Path) -> None:
    fill(base / "docs", "papers/shadowed.md")
    (base / "attic/link.md").symlink_to("d.md")
    vault = joined(base)
    listings = list(vault.survey({}))
    assert {stamp for each in listings for stamp in each.stamps} == set(vault.scan())
    known = {each.path: each.known() for each in listings if each.fingerprint}
    assert {path: each.notes for path, each in known.items()} == {"": 1, "sub": 1, "papers": 1, "papers/deep": 1}
    again = {each.path: each.recognised for each in vault.survey(known)}
    assert again == {**known, "old": None}
    fill(base / "elsewhere/papers", "deep/e.md")
    assert [each.path for each in vault.survey(known) if not each.recognised] == ["papers/deep", "old"]


def test_a_folder_is_not_known_by_what_a_root_hides_in_it(base: Path) -> None:
    def folder(name: str, below: str = "") -> FolderVault:
        return FolderVault(
            str(base / name), include=["**/*.md"], exclude=[], gitignore=True, max_bytes=1000, below=below
        )

    vault = JoinedVault(folder("docs"), {"a.md": folder("attic", "a.md")})
    assert {each.path: bool(each.fingerprint) for each in vault.survey({})} == {"": False, "sub": True, "a.md": True}


@posix
def test_one_path_of_a_root_is_looked_at_without_the_others(base: Path) -> None:
    vault = joined(base)

    def at(path: str) -> list[str] | None:
        found = vault.look_at(DocPath(path))
        return None if found is None else [stamp.path for each in found for stamp in each.stamps]

    assert at("papers/deep") == at("papers/deep/c.md") == ["papers/deep/c.md"]
    assert at("sub/b.md") == ["sub/b.md"]
    assert at("sub/absent.md") == []
    assert at("papers") is None
    (base / "attic").rename(base / "gone")
    assert at("old/d.md") is None
    (base / "docs/there").symlink_to("sub")
    assert at("there/b.md") is None
    (base / "docs").rename(base / "gone/docs")
    with pytest.raises(VaultError):
        at("a.md")


def test_globs_match_with_the_name_and_ignore_files_count_in_their_folder(base: Path) -> None:
    fill(base / "elsewhere/papers", "drafts/e.md", "scratch.md")
    (base / "elsewhere/papers/.gitignore").write_text("scratch.md\n", encoding="utf-8")
    fill(base / "docs", "scratch.md", "drafts/e.md")
    vault = joined(base, exclude=("papers/drafts/", "old/d.md"))
    assert told(vault)[0] == ["a.md", "drafts/e.md", "papers/a.md", "papers/deep/c.md", "scratch.md", "sub/b.md"]
    assert vault.ignored() == {"exclude": 2, "gitignore": 1}


@posix
def test_no_link_leads_from_one_folder_into_another(base: Path) -> None:
    (base / "docs/in.md").symlink_to(base / "elsewhere/papers/a.md")
    (base / "elsewhere/papers/out.md").symlink_to(base / "docs/a.md")
    (base / "attic/papers").symlink_to(base / "elsewhere/papers", target_is_directory=True)
    (base / "attic/own.md").symlink_to("d.md")
    vault = joined(base)
    found, skipped = told(vault)
    assert "old/own.md" in found
    assert skipped == dict.fromkeys(("in.md", "papers/out.md", "old/papers"), "outside-vault")
    for path in ("in.md", "papers/out.md", "old/papers/a.md", "papers/../../docs/a.md", "old/../docs/a.md"):
        assert vault.stamp(DocPath(path)) is None
        with pytest.raises(Unreadable):
            vault.read(DocPath(path))


def test_a_missing_root_is_told_and_costs_no_other(base: Path) -> None:
    (base / "attic").rename(base / "gone")
    vault = joined(base)
    assert told(vault) == (["a.md", "papers/a.md", "papers/deep/c.md", "sub/b.md"], {"old": "missing-root"})
    messages = [each.message for each in vault.scan() if isinstance(each, Skipped)]
    assert messages == [f"the folder {base / 'attic'} of root old is not there"]
    (base / "docs").rename(base / "docs2")
    with pytest.raises(VaultError):
        vault.scan()


def test_a_folder_of_the_vault_that_came_later_is_not_taken_for_the_root(base: Path) -> None:
    fill(base / "docs", "papers/mine.md")
    vault = joined(base)
    assert "papers/mine.md" not in told(vault)[0]
    with pytest.raises(Unreadable):
        vault.read(DocPath("papers/mine.md"))


def test_a_decomposed_name_in_a_root_is_found_by_its_nfc(base: Path) -> None:
    fill(base / "attic", unicodedata.normalize("NFD", "결정.md"))
    vault = joined(base)
    assert "old/결정.md" in told(vault)[0]
    assert Path(vault.place("old/결정.md")).exists()


def files_of(base: Path) -> FolderFiles:
    return FolderFiles(
        str(base / "docs"), str(base / "undo.jsonl"), roots={"old": str(base / "attic"), "papers": str(base / "none")}
    )


def edit(path: str, before: bytes, after: bytes) -> WriteFile:
    return WriteFile(DocPath(path), bytes_digest(before), after)


def test_a_change_is_made_in_both_folders_and_taken_back(base: Path) -> None:
    files = files_of(base)
    batch = files.apply([edit("a.md", b"docs a.md", b"1"), edit("old/d.md", b"attic d.md", b"2")], "both")
    assert ((base / "docs/a.md").read_bytes(), (base / "attic/d.md").read_bytes()) == (b"1", b"2")
    assert files.read(DocPath("old/d.md")) == b"2"
    assert sorted(files_of(base).undo(batch)) == ["a.md", "old/d.md"]
    assert ((base / "docs/a.md").read_bytes(), (base / "attic/d.md").read_bytes()) == (b"docs a.md", b"attic d.md")


def test_what_fails_in_one_folder_changes_none(base: Path) -> None:
    files = files_of(base)
    with pytest.raises(DocsRagError, match=r"papers/x\.md"):
        files.apply([edit("a.md", b"docs a.md", b"1"), edit("papers/x.md", b"", b"2")], "both")
    with pytest.raises(DocsRagError, match=r"old/d\.md has changed"):
        files.apply([edit("a.md", b"docs a.md", b"1"), edit("old/d.md", b"other", b"2")], "both")
    assert (base / "docs/a.md").read_bytes() == b"docs a.md"


@posix
def test_nothing_is_written_through_a_link_out_of_a_root(base: Path) -> None:
    (base / "attic/out.md").symlink_to(base / "docs/a.md")
    files = files_of(base)
    with pytest.raises(DocsRagError, match=r"old/out\.md leads outside its root"):
        files.apply([edit("old/out.md", b"docs a.md", b"1")], "out")
    for path in ("old/../docs/a.md", "old/.git/x", "old/"):
        with pytest.raises(DocsRagError):
            files.read(DocPath(path))


def test_a_note_is_dated_by_the_history_of_its_folder(tmp_path: Path) -> None:
    Repository(tmp_path / "docs").commit("2024-01-02", a="# A\n")
    Repository(tmp_path / "attic").commit("2020-03-04", a="# A\n")
    (tmp_path / "plain").mkdir()
    origins = JoinedOrigins(
        {"": GitOrigins(str(tmp_path / "docs")), "old": GitOrigins(str(tmp_path / "attic")),
         "plain": GitOrigins(str(tmp_path / "plain"))}
    )  # fmt: skip
    paths = [DocPath(each) for each in ("a.md", "old/a.md", "plain/a.md")]
    assert origins.first_days(paths) == {"a.md": "2024-01-02", "old/a.md": "2020-03-04"}
    assert len(origins.version().split()) == 2
    assert origins.warning == ""
