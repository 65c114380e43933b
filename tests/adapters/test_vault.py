"""The vault on disk: what a scan tells, what it leaves out, and reading that is never led astray."""

from __future__ import annotations

import inspect
import os
import shutil
import socket
import stat
import sys
import tempfile
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from docs_rag.adapters.vault import FolderVault, entries, opening
from docs_rag.core.documents import DocPath, FileStamp, Skipped
from docs_rag.core.ports import Unreadable, Vault
from docs_rag.errors import ConfigError, VaultError

LIMIT = 1000

posix = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file system")
bytes_as_names = pytest.mark.skipif(sys.platform != "linux", reason="the file system takes only names in Unicode")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def fill(root: Path, *paths: str, text: str = "x") -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def vault_at(
    root: Path, include: Sequence[str] = ("**/*.md",), exclude: Sequence[str] = (), limit: int = LIMIT
) -> FolderVault:
    return FolderVault(str(root), include=include, exclude=exclude, gitignore=True, max_bytes=limit)


def paths(vault: FolderVault) -> list[str]:
    """What a scan finds; it must skip nothing."""
    found = list(vault.scan())
    assert not [each for each in found if isinstance(each, Skipped)]
    return sorted(each.path for each in found)


def skipped(vault: FolderVault) -> dict[str, str]:
    return {each.path: each.code for each in vault.scan() if isinstance(each, Skipped)}


def refusal(vault: FolderVault, path: str) -> str:
    with pytest.raises(Unreadable) as caught:
        vault.read(DocPath(path))
    assert str(caught.value)
    return caught.value.code


# --- What is found -------------------------------------------------------------------------------------------


def test_it_answers_the_port(root: Path) -> None:
    vault: Vault = vault_at(root)
    assert list(vault.scan()) == []


def test_notes_at_every_depth_are_told_with_their_stamps(root: Path) -> None:
    fill(root, "a.md", "b/c/D.MD", "b/picture.png")
    found = sorted(vault_at(root).scan(), key=lambda each: each.path)
    assert [each.path for each in found] == ["a.md", "b/c/D.MD"]
    status = (root / "b/c/D.MD").stat()
    assert found[1] == entries.stamp_of("b/c/D.MD", status)
    assert (found[1].mtime_ns, found[1].size) == (status.st_mtime_ns, 1)
    assert abs(found[1].ctime_ns - status.st_ctime_ns) < 2_000_000


@posix
def test_files_written_in_one_tick_of_the_clock_have_stamps_of_their_own() -> None:
    def status(number: int) -> os.stat_result:
        times = {"st_atime_ns": 0, "st_mtime_ns": 7, "st_ctime_ns": 1_800_000_000_000_000_000}
        return os.stat_result((stat.S_IFREG, number, 1, 1, 0, 0, 5, 0, 0, 0), times)

    stamps = {entries.stamp_of("a.md", status(number)) for number in range(1_000, 1_100)}
    assert len(stamps) == 100


def test_an_empty_note_is_a_note(root: Path) -> None:
    fill(root, "empty.md", text="")
    vault = vault_at(root)
    assert paths(vault) == ["empty.md"]
    assert vault.read(DocPath("empty.md"))[1] == b""


def test_includes_and_excludes(root: Path) -> None:
    fill(root, "a.md", "docs/a.md", "docs/drafts/b.md", "docs/x.txt", "old/c.md", "src/d.md")
    vault = vault_at(root, include=["docs/**", "old/*.md"], exclude=["**/drafts", "old/c.md"])
    assert paths(vault) == ["docs/a.md", "docs/x.txt"]
    assert vault.ignored() == {"exclude": 2}


def test_a_folder_that_no_include_reaches_is_not_entered(root: Path) -> None:
    fill(root, "docs/a.md", "src/.hidden/b.md", "src/vendor/c.md")
    vault = vault_at(root, include=["docs/**/*.md"])
    assert paths(vault) == ["docs/a.md"]
    assert vault.ignored() == {}


def test_a_relative_root_means_the_folder_of_that_moment(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, "a.md")
    monkeypatch.chdir(root.parent)
    vault = FolderVault("vault", include=["**/*.md"], exclude=[], gitignore=True, max_bytes=LIMIT)
    monkeypatch.chdir(root)
    assert paths(vault) == ["a.md"]
    assert vault.read(DocPath("a.md"))[1] == b"x"


def test_a_tree_deeper_than_any_recursion_is_walked(root: Path) -> None:
    note = f"{'d/' * 300}a.md"
    fill(root, note)
    vault = vault_at(root)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        found, (_, data) = [each.path for each in vault.scan()], vault.read(DocPath(note))
    finally:
        sys.setrecursionlimit(usual)
    assert (found, data) == ([note], b"x")


@pytest.mark.parametrize("broken", ["include", "exclude"])
def test_case_26_a_pattern_that_leads_outside_is_an_error(root: Path, broken: str) -> None:
    patterns = {"include": ["**/*.md"], "exclude": []} | {broken: ["../**/*.md"]}
    with pytest.raises(ConfigError, match=f"{broken} pattern"):
        vault_at(root, include=patterns["include"], exclude=patterns["exclude"])


# --- What is left out ----------------------------------------------------------------------------------------


def test_case_27_hidden_folders_are_left_out_below_the_root_but_not_above(tmp_path: Path) -> None:
    root = tmp_path / ".notes" / "build" / "v"
    fill(root, "a.md", ".obsidian/x.md", ".trash/y.md", "sub/.git/z.md", ".rag/w.md", "node_modules/z.md")
    vault = vault_at(root)
    assert paths(vault) == ["a.md"]
    assert vault.ignored() == {"hidden": 2, "vendor": 1}


def test_vendor_folders_are_left_out_at_any_depth(root: Path) -> None:
    names = ["node_modules", "venv", "env", "site-packages", "vendor", "target", "dist", "build", "__pycache__"]
    fill(root, *(f"a/{name}/deep/x.md" for name in names), "vendor.md", "vendors/x.md")
    vault = vault_at(root, include=["**/*.md", "a/vendor/**"])
    assert paths(vault) == ["vendor.md", "vendors/x.md"]
    assert vault.ignored() == {"vendor": len(names)}


def test_hidden_files_count_when_they_are_asked_for(root: Path) -> None:
    fill(root, ".draft.md", ".config", "a.md")
    vault = vault_at(root)
    assert paths(vault) == ["a.md"]
    assert vault.ignored() == {"hidden": 1}


def test_counts_are_those_of_the_last_scan(root: Path) -> None:
    fill(root, ".draft.md")
    vault = vault_at(root)
    assert vault.ignored() == {}
    for _ in range(2):
        assert paths(vault) == []
        assert vault.ignored() == {"hidden": 1}


# --- What cannot be had --------------------------------------------------------------------------------------


@posix
def test_case_24_what_is_no_file_is_skipped_with_a_reason_and_never_waited_for(root: Path) -> None:
    fill(root, "a.md", "folder.md/inner.md")
    os.mkfifo(root / "fifo.md")
    os.mkfifo(root / "fifo.txt")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "gone.txt").symlink_to("nowhere.txt")
    (root / "circle.md").symlink_to("circle.md")
    (root / "to-fifo.md").symlink_to("fifo.md")
    vault = vault_at(root)
    expected = {"fifo.md", "gone.md", "circle.md", "to-fifo.md", "folder.md"}
    assert skipped(vault) == dict.fromkeys(expected, "not-a-file")
    for path in ("fifo.md", "circle.md", "to-fifo.md", "folder.md"):
        assert refusal(vault, path) == "not-a-file"
        assert vault.stamp(DocPath(path)) is None
    assert refusal(vault, "gone.md") == "unreadable"
    assert sorted(each.path for each in vault.scan() if isinstance(each, FileStamp)) == ["a.md", "folder.md/inner.md"]


@posix
def test_case_24_a_socket_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    # The name of a socket may be no longer than about a hundred bytes.
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(short)
        server.bind("s.md")
        vault = vault_at(Path(short))
        assert skipped(vault) == {"s.md": "not-a-file"}
        assert refusal(vault, "s.md") == "not-a-file"


def test_case_24_an_oversized_note_is_skipped_with_size_and_limit(root: Path) -> None:
    fill(root, "big.md", text="x" * 3_000_000)
    fill(root, "just.md", text="x" * 2_097_152)
    vault = vault_at(root, limit=2_097_152)
    found = {str(each.path): each for each in vault.scan()}
    assert found["big.md"] == Skipped(DocPath("big.md"), "too-large", "2.861 MB; the limit is 2 MB")
    assert isinstance(found["just.md"], FileStamp)
    assert refusal(vault, "big.md") == "too-large"
    assert len(vault.read(DocPath("just.md"))[1]) == 2_097_152


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (SimpleNamespace(st_file_attributes=0x1000), True),
        (SimpleNamespace(st_file_attributes=0x40000 | 0x20), True),
        (SimpleNamespace(st_file_attributes=0x400000), True),
        (SimpleNamespace(st_file_attributes=0x20), False),
        (SimpleNamespace(st_flags=0x40000000), True),
        (SimpleNamespace(st_flags=0x20), False),
        (SimpleNamespace(), False),
    ],
)
def test_case_24_a_status_tells_of_a_file_that_is_only_online(status: SimpleNamespace, expected: bool) -> None:
    assert entries.is_online_only(status) is expected


def test_case_24_a_placeholder_stands_for_a_note_that_is_only_online(root: Path) -> None:
    fill(root, "sub/.note.md.icloud", "sub/.picture.png.icloud")
    vault = vault_at(root)
    assert skipped(vault) == {"sub/note.md": "not-downloaded"}
    assert vault.ignored() == {}


@pytest.fixture
def as_nobody() -> Iterator[tuple[Path, Callable[[], None]]]:
    """A folder that everybody may pass through, and how to become a user without privileges, if one is not."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755)
        was = os.geteuid()
        try:
            yield folder, lambda: os.seteuid(was or 65534)
        finally:
            os.seteuid(was)
            for path in folder.rglob("*"):
                path.chmod(0o755)


@posix
def test_case_24_what_may_not_be_read_is_told(as_nobody: tuple[Path, Callable[[], None]]) -> None:
    root, become_nobody = as_nobody
    fill(root, "a.md", "secret.md", "closed/b.md", "no-way-in/c.md")
    (root / "secret.md").chmod(0)
    (root / "closed").chmod(0)
    (root / "no-way-in").chmod(0o444)
    become_nobody()
    vault = vault_at(root)
    found = {str(each.path): each for each in vault.scan()}
    assert isinstance(found["a.md"], FileStamp)
    assert found["closed"] == Skipped(DocPath("closed"), "unreadable", "the folder cannot be listed: permission denied")
    assert found["no-way-in/c.md"] == Skipped(DocPath("no-way-in/c.md"), "unreadable", "permission denied")
    assert refusal(vault, "secret.md") == "unreadable"
    assert refusal(vault, "closed/b.md") == "unreadable"
    assert vault.stamp(DocPath("secret.md")) is not None


def test_a_missing_vault_is_an_error_with_advice(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="not there") as caught:
        vault_at(tmp_path / "absent").scan()
    assert caught.value.hint


def test_a_vault_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    fill(tmp_path, "file")
    with pytest.raises(VaultError, match="not a folder"):
        vault_at(tmp_path / "file").scan()


@posix
def test_a_vault_that_may_not_be_listed_is_an_error(as_nobody: tuple[Path, Callable[[], None]]) -> None:
    root, become_nobody = as_nobody
    (root / "v").mkdir(mode=0)
    become_nobody()
    with pytest.raises(VaultError, match="permission denied"):
        vault_at(root / "v").scan()


# --- Links ---------------------------------------------------------------------------------------------------


@posix
def test_case_26_links_that_lead_outside_are_never_followed(tmp_path: Path, root: Path) -> None:
    fill(tmp_path, "outside/secret.md", "outside/tool", "vault-2/near.md")
    fill(root, "a.md")
    (root / "file.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "folder").symlink_to("../outside")
    (root / "sibling").symlink_to("../vault-2")
    (root / "up").symlink_to("../..")
    (root / "tool").symlink_to("../outside/tool")
    vault = vault_at(root)
    assert skipped(vault) == dict.fromkeys(["file.md", "folder", "sibling", "up"], "outside-vault")
    for path in ("file.md", "folder/secret.md", "sibling/near.md", "up/vault/a.md/../a.md"):
        assert refusal(vault, path) == "outside-vault"
        assert vault.stamp(DocPath(path)) is None


@posix
def test_links_that_stay_inside_are_followed(root: Path) -> None:
    fill(root, "notes/a.md", "other/b.md")
    (root / "notes" / "link.md").symlink_to("../other/b.md")
    (root / "notes" / "folder").symlink_to("../other")
    vault = vault_at(root, include=["notes/**/*.md"])
    assert paths(vault) == ["notes/a.md", "notes/folder/b.md", "notes/link.md"]
    fill(root, "other/b.md", text="through the link")
    for path in ("notes/link.md", "notes/folder/b.md"):
        stamp, data = vault.read(DocPath(path))
        assert (stamp.path, data) == (path, b"through the link")
        assert vault.stamp(DocPath(path)) == stamp
    assert {stamp for stamp in vault.scan() if stamp.path == "notes/link.md"} == {vault.stamp(DocPath("notes/link.md"))}


@posix
def test_case_26_loops_end_and_a_note_is_found_once_under_its_own_path(root: Path) -> None:
    fill(root, "z/deep/a.md")
    (root / "a-link").symlink_to("z")
    (root / "z" / "deep" / "loop").symlink_to("..")
    (root / "z" / "self").symlink_to(".")
    (root / "z" / "root").symlink_to(root)
    assert paths(vault_at(root)) == ["z/deep/a.md"]


@posix
def test_of_two_links_to_one_folder_the_first_in_order_names_it(root: Path) -> None:
    fill(root, "store/a.md")
    for name in ("m", "c", "x", "a"):
        (root / "notes").mkdir(exist_ok=True)
        (root / "notes" / name).symlink_to("../store")
    assert paths(vault_at(root, include=["notes/"])) == ["notes/a/a.md"]


@posix
@pytest.mark.parametrize("barred", [".rag", ".git", "node_modules", "sub/.private"])
def test_a_link_is_no_way_into_what_is_never_read(root: Path, barred: str) -> None:
    fill(root, f"{barred}/x.md", "a.md")
    (root / "link.md").symlink_to(f"{barred}/x.md")
    (root / "linked").symlink_to(barred)
    vault = vault_at(root)
    assert skipped(vault) == {"link.md": "outside-vault", "linked": "outside-vault"}
    assert refusal(vault, "link.md") == "outside-vault"
    assert refusal(vault, "linked/x.md") == "outside-vault"


@posix
def test_links_are_judged_by_the_rules_for_their_own_path(root: Path) -> None:
    fill(root, "real/a.md", ".gitignore", text="ignored*\n")
    for name in ("ignored", "excluded", "venv", ".hidden"):
        (root / name).symlink_to("real")
    (root / "ignored.md").symlink_to("real/a.md")
    vault = vault_at(root, exclude=["excluded/"])
    assert paths(vault) == ["real/a.md"]
    assert vault.ignored() == {"exclude": 1, "gitignore": 2, "vendor": 1}


@posix
def test_a_root_that_is_a_link_is_walked(tmp_path: Path, root: Path) -> None:
    fill(root, "a.md")
    (root / "b.md").symlink_to("a.md")
    (tmp_path / "link").symlink_to(root)
    vault = vault_at(tmp_path / "link")
    assert paths(vault) == ["a.md", "b.md"]
    assert vault.read(DocPath("b.md"))[1] == b"x"


@posix
def test_a_folder_that_becomes_a_link_after_the_scan_is_not_read_through(tmp_path: Path, root: Path) -> None:
    fill(tmp_path, "outside/a.md", text="secret")
    fill(root, "sub/a.md")
    vault = vault_at(root)
    assert paths(vault) == ["sub/a.md"]
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to("../outside")
    assert refusal(vault, "sub/a.md") == "outside-vault"
    assert vault.stamp(DocPath("sub/a.md")) is None


@pytest.mark.parametrize(
    "path", ["../outside.md", "/etc/hosts", "a/../../outside.md", "", ".", "a//b.md", "a\0b.md", "\ud800.md",
             ".rag/x.md", ".git/config", "node_modules/x.md"]
)  # fmt: skip
def test_a_path_that_no_scan_tells_is_never_opened(tmp_path: Path, root: Path, path: str) -> None:
    fill(tmp_path, "outside.md")
    fill(root, "a/x.md", ".rag/x.md", ".git/config", "node_modules/x.md")
    vault = vault_at(root)
    assert refusal(vault, path) == "outside-vault"
    assert vault.stamp(DocPath(path)) is None


# --- Names ---------------------------------------------------------------------------------------------------


def test_case_26_names_that_differ_in_case_are_two_notes(root: Path) -> None:
    fill(root, "README.md", "readme.md")
    if len(list(root.iterdir())) == 1:
        pytest.skip("the file system does not tell upper from lower case")
    assert paths(vault_at(root)) == ["README.md", "readme.md"]


@bytes_as_names
@pytest.mark.parametrize("scanned", [True, False])
def test_identity_is_nfc_and_the_spelling_on_disk_is_found_again(root: Path, scanned: bool) -> None:
    nfc = "회의/caf\u00e9/노트.md"
    fill(root, unicodedata.normalize("NFD", nfc), text="hello")
    fill(root, "회의 2/b.md")
    vault = vault_at(root, include=["회의*/**"])
    if scanned:
        assert paths(vault) == ["회의 2/b.md", nfc]
    stamp, data = vault.read(DocPath(nfc))
    assert (stamp.path, data) == (nfc, b"hello")
    assert vault.stamp(DocPath(nfc)) == stamp
    assert vault.stamp(DocPath("회의/absent.md")) is None


@bytes_as_names
def test_a_file_renamed_to_the_other_form_after_the_scan_is_found(root: Path) -> None:
    nfc, nfd = "caf\u00e9.md", "cafe\u0301.md"
    fill(root, nfd)
    vault = vault_at(root)
    assert paths(vault) == [nfc]
    (root / nfd).rename(root / nfc)
    assert vault.read(DocPath(nfc))[1] == b"x"


@bytes_as_names
def test_of_two_names_that_differ_in_form_alone_one_is_kept_and_the_other_told(root: Path) -> None:
    fill(root, "caf\u00e9.md", text="composed")
    fill(root, "cafe\u0301.md", "pi\u00f1a/a.md", "pin\u0303a/b.md")
    vault = vault_at(root)
    found = list(vault.scan())
    assert sorted(each.path for each in found if isinstance(each, FileStamp)) == ["caf\u00e9.md", "pi\u00f1a/a.md"]
    assert {each.path: each.code for each in found if isinstance(each, Skipped)} == {
        "cafe\u0301.md": "encoding",
        "pin\u0303a": "encoding",
    }
    assert vault.read(DocPath("caf\u00e9.md"))[1] == b"composed"


@bytes_as_names
def test_case_24_a_name_that_is_not_utf8_is_told_in_a_form_that_can_be_printed(root: Path) -> None:
    fill(root, "a.md")
    folder = os.fsencode(root)
    for name in (b"caf\xe9.md", b"\xb0\xa1\xb3\xaa.md", b"\xff.txt", b".\xff.md"):
        with open(os.path.join(folder, name), "wb"):  # noqa: PTH118, PTH123
            continue
    os.mkdir(os.path.join(folder, b"d\xe9"))  # noqa: PTH102, PTH118
    vault = vault_at(root)
    told = skipped(vault)
    assert told == {"caf\ufffd.md": "encoding", "\ufffd\ufffd\ufffd\ufffd.md": "encoding", "d\ufffd": "encoding"}
    assert all(path.encode("utf-8") for path in told)
    excluding = vault_at(root, exclude=["*.md", "d?"])
    assert (skipped(excluding), excluding.ignored()) == ({"d\ufffd": "encoding"}, {"exclude": 3})


# --- Reading -------------------------------------------------------------------------------------------------


def test_the_bytes_come_as_they_are_with_the_stamp_that_a_scan_tells(root: Path) -> None:
    (root / "a.md").write_bytes(b"\xef\xbb\xbfa\r\n\x00\xff")
    vault = vault_at(root)
    stamp, data = vault.read(DocPath("a.md"))
    assert data == b"\xef\xbb\xbfa\r\n\x00\xff"
    assert list(vault.scan()) == [stamp]
    assert vault.stamp(DocPath("a.md")) == stamp


def test_a_deleted_note_has_no_stamp_and_cannot_be_read(root: Path) -> None:
    fill(root, "a.md")
    vault = vault_at(root)
    assert paths(vault) == ["a.md"]
    (root / "a.md").unlink()
    assert vault.stamp(DocPath("a.md")) is None
    assert refusal(vault, "a.md") == "unreadable"
    assert refusal(vault, "a.md/b.md") == "unreadable"


def test_a_note_below_a_file_is_not_there(root: Path) -> None:
    fill(root, "a.md")
    assert refusal(vault_at(root), "a.md/b.md") == "unreadable"


def test_a_vault_that_vanished_has_no_stamps(root: Path) -> None:
    fill(root, "a.md")
    vault = vault_at(root)
    assert paths(vault) == ["a.md"]
    shutil.rmtree(root)
    assert vault.stamp(DocPath("a.md")) is None
    assert refusal(vault, "a.md") == "unreadable"


def test_what_is_read_belongs_to_its_stamp_while_an_editor_writes(root: Path) -> None:
    file = root / "a.md"
    versions = [str(number % 10) * (5000 + number) for number in range(40)]
    file.write_text(versions[0], encoding="utf-8")
    vault = vault_at(root, limit=10_000)
    done = threading.Event()

    def edit() -> None:
        for version in versions:
            file.write_text(version, encoding="utf-8")
        done.set()

    editor = threading.Thread(target=edit)
    editor.start()
    while not done.is_set():
        try:
            stamp, data = vault.read(DocPath("a.md"))
        except Unreadable as error:
            assert "changes while it is read" in str(error)
        else:
            assert stamp.size == len(data)
    editor.join()
    assert vault.read(DocPath("a.md"))[1].decode() == versions[-1]


@pytest.mark.parametrize(("writes", "attempts"), [(0, 1), (1, 2), (2, 3)])
def test_a_file_that_changes_while_it_is_read_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, writes: int, attempts: int
) -> None:
    fill(root, "a.md", text="0")
    reads = written_to_while_read(root / "a.md", writes, monkeypatch)
    stamp, data = vault_at(root).read(DocPath("a.md"))
    assert (len(reads), data) == (attempts, b"0" + b"+" * writes)
    assert stamp == vault_at(root).stamp(DocPath("a.md"))


def test_a_file_that_never_rests_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, "a.md")
    reads = written_to_while_read(root / "a.md", 99, monkeypatch)
    with pytest.raises(Unreadable, match="changes while it is read"):
        vault_at(root).read(DocPath("a.md"))
    assert len(reads) == 3


def written_to_while_read(file: Path, writes: int, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Lets an editor append a byte after each of the first `writes` reads; collects what was read."""
    reads: list[bytes] = []
    real = opening.read_all

    def read_all(descriptor: int, limit: int) -> bytes:
        reads.append(real(descriptor, limit))
        if len(reads) <= writes:
            with file.open("ab") as stream:
                stream.write(b"+")
        return reads[-1]

    monkeypatch.setattr(opening, "read_all", read_all)
    return reads


@posix
def test_no_descriptor_stays_open(root: Path, tmp_path: Path) -> None:
    fill(root, "a/b/c.md")
    fill(tmp_path, "outside.md")
    os.mkfifo(root / "fifo.md")
    (root / "out.md").symlink_to("../outside.md")
    vault = vault_at(root)
    lowest = os.open(root, os.O_RDONLY)
    os.close(lowest)
    for _ in range(3):
        list(vault.scan())
        vault.read(DocPath("a/b/c.md"))
        for path in ("fifo.md", "out.md", "a/absent.md", "a/b/c.md/d", "a/absent/d.md"):
            refusal(vault, path)
    again = os.open(root, os.O_RDONLY)
    os.close(again)
    assert again == lowest


@posix
def test_where_folders_cannot_be_opened_links_are_found_by_comparing(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_CAN_DESCEND", False)
    fill(tmp_path, "outside/a.md")
    fill(root, "sub/a.md")
    (root / "out").symlink_to("../outside")
    (root / "out.md").symlink_to("../outside/a.md")
    (root / "in").symlink_to("sub")
    (root / "in.md").symlink_to("sub/a.md")
    vault = vault_at(root)
    assert skipped(vault) == {"out": "outside-vault", "out.md": "outside-vault"}
    for path in ("sub/a.md", "in/a.md", "in.md"):
        assert vault.read(DocPath(path)) == (vault.stamp(DocPath(path)), b"x")
    for path in ("out/a.md", "out.md"):
        assert refusal(vault, path) == "outside-vault"


def test_modes_are_named(root: Path) -> None:
    device = os.stat_result((stat.S_IFCHR, *[0] * 9))
    assert entries.why_not_read(device, LIMIT) == ("not-a-file", "a device, not a file")
