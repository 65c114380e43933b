"""`kep.yaml` beside `README.md`: part of the note's stamp, and opened as carefully as a note."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from docs_rag.adapters.vault import FolderVault, entries, walking
from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.ports import Unreadable

posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")
README = DocPath("keps/12-x/README.md")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault" / "keps" / "12-x"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# X\n", encoding="utf-8")
    return tmp_path / "vault"


@pytest.fixture
def kep(root: Path) -> Path:
    return root / "keps" / "12-x" / "kep.yaml"


def vault_at(root: Path, exclude: Sequence[str] = (), limit: int = 1000) -> FolderVault:
    return FolderVault(str(root), include=["**/*.md"], exclude=exclude, gitignore=True, max_bytes=limit)


def stamp_of(vault: FolderVault, path: DocPath = README) -> FileStamp:
    """The note's stamp, which a scan, a look and a reading agree on."""
    (found,) = (each for each in vault.scan() if each.path == path)
    assert isinstance(found, FileStamp)
    assert found == vault.stamp(path) == vault.read(path)[0]
    return found


def refusal(vault: FolderVault) -> str:
    with pytest.raises(Unreadable) as caught:
        vault.sidecar(README)
    return caught.value.code


def test_a_note_without_a_sidecar_has_none(root: Path) -> None:
    vault = vault_at(root)
    assert vault.sidecar(README) is None
    assert stamp_of(vault) == entries.stamp_of(README, (root / README).stat())


def test_its_coming_changing_and_going_moves_the_notes_stamp(root: Path, kep: Path) -> None:
    vault = vault_at(root)
    seen = [stamp_of(vault)]
    for text in ("", "status: implemented\n", "status: implementable\n"):
        kep.write_text(text, encoding="utf-8")
        assert vault.sidecar(README) == text.encode()
        assert vault.read(README)[1] == b"# X\n"
        seen.append(stamp_of(vault))
    assert len(set(seen)) == 4
    kep.unlink()
    assert vault.sidecar(README) is None
    assert stamp_of(vault) == seen[0]


def test_the_sidecar_itself_is_no_note_and_other_notes_have_none(root: Path, kep: Path) -> None:
    kep.write_text("status: draft\n", encoding="utf-8")
    (kep.parent / "notes.md").write_text("x", encoding="utf-8")
    vault = vault_at(root)
    assert sorted(each.path for each in vault.scan()) == [README, "keps/12-x/notes.md"]
    assert vault.sidecar(DocPath("keps/12-x/notes.md")) is None


def test_exclude_holds_for_it(root: Path, kep: Path) -> None:
    kep.write_text("status: draft\n", encoding="utf-8")
    vault = vault_at(root, exclude=["**/*.yaml"])
    assert vault.sidecar(README) is None
    assert stamp_of(vault).size == 4


@posix
@pytest.mark.parametrize("outside", [True, False])
def test_a_link_is_followed_within_the_vault_only(root: Path, kep: Path, tmp_path: Path, outside: bool) -> None:
    target = (tmp_path if outside else root) / "other.yaml"
    target.write_text("status: draft\n", encoding="utf-8")
    kep.symlink_to(target)
    vault = vault_at(root)
    if outside:
        assert refusal(vault) == "outside-vault"
    else:
        assert vault.sidecar(README) == b"status: draft\n"
    assert stamp_of(vault).size > 4


@posix
def test_a_dead_link_is_no_sidecar(root: Path, kep: Path) -> None:
    kep.symlink_to("nothing.yaml")
    assert vault_at(root).sidecar(README) is None
    assert stamp_of(vault_at(root)).size == 4


@posix
def test_a_fifo_is_not_waited_for(root: Path, kep: Path) -> None:
    os.mkfifo(kep)
    vault = vault_at(root)
    assert refusal(vault) == "not-a-file"
    assert stamp_of(vault).size > 4


def test_a_folder_of_its_name_is_none_that_can_be_read(root: Path, kep: Path) -> None:
    kep.mkdir()
    assert refusal(vault_at(root)) in {"not-a-file", "unreadable"}
    stamp_of(vault_at(root))


def test_a_large_one_is_refused(root: Path, kep: Path) -> None:
    kep.write_text("# " + "x" * 2000, encoding="utf-8")
    assert refusal(vault_at(root)) == "too-large"


@posix
def test_a_linked_folder_has_the_sidecar_beside_its_note(root: Path, kep: Path) -> None:
    kep.write_text("status: draft\n", encoding="utf-8")
    (root / "zz").symlink_to("keps/12-x")
    vault = vault_at(root)
    stamp_of(vault)
    assert vault.sidecar(DocPath("zz/README.md")) == b"status: draft\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs names in any Unicode form")
def test_folders_in_another_unicode_form(root: Path) -> None:
    folder = root / "cafe\u0301"
    folder.mkdir()
    (folder / "README.md").write_text("x", encoding="utf-8")
    (folder / "kep.yaml").write_text("status: draft\n", encoding="utf-8")
    note = DocPath("caf\u00e9/README.md")
    assert stamp_of(vault_at(root), note).size > 1
    assert vault_at(root).sidecar(note) == b"status: draft\n"


def test_where_case_may_be_folded_the_disk_is_asked(root: Path, kep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "_MAY_FOLD_CASE", True)
    stamp_of(vault_at(root))
    kep.write_text("status: draft\n", encoding="utf-8")
    stamp_of(vault_at(root))
