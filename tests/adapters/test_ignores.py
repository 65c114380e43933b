"""Ignore files: single lines, whole files, and git's own answer for random ones."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from docs_rag.adapters.vault import FolderVault
from docs_rag.adapters.vault.ignores import IgnoreFile, parse_rule
from docs_rag.core.documents import FileStamp


def verdict(lines: str, path: str) -> bool | None:
    """What a file of these lines says of a path; one that ends with `/` is a folder."""
    rules = [rule for rule in map(parse_rule, lines.split("\n")) if rule]
    bare = path.rstrip("/")
    return IgnoreFile(rules).verdict(bare, bare.rpartition("/")[2], bare != path)


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        ("*.log", "a/b.log", True),
        ("*.log", "a/b.md", None),
        ("*.log", "b.LOG", None),
        ("tmp", "a/tmp", True),
        ("tmp", "a/tmp/", True),
        ("tmp/", "a/tmp/", True),
        ("tmp/", "a/tmp", None),
        ("tmp", "tmp/a.md", None),
        ("/tmp", "tmp", True),
        ("/tmp", "a/tmp", None),
        ("a/tmp", "a/tmp", True),
        ("a/tmp", "x/a/tmp", None),
        ("**/a/tmp", "x/a/tmp", True),
        ("a/**", "a/b/c", True),
        ("a/**", "a/", None),
        ("a/**/c", "a/c", True),
        ("a/**/c", "a/x/y/c", True),
        ("a/*", "a/b", True),
        ("a/*", "a/b/c", None),
        ("**", "a", True),
        ("**/", "a", None),
        ("**/", "a/", True),
        ("*.md\n!keep.md", "a/keep.md", False),
        ("!keep.md\n*.md", "a/keep.md", True),
        ("*\n!*/\n!*.md", "docs/", False),
        ("*\n!*/\n!*.md", "docs/x.md", False),
        ("*\n!*/\n!*.md", "docs/x.txt", True),
        ("# note", "# note", None),
        ("\\# note", "# note", True),
        ("\\!a", "!a", True),
        ("a  ", "a", True),
        ("a\\ ", "a ", True),
        ("a\\ ", "a", None),
        ("a\\\\ ", "a\\", True),
        (" a", " a", True),
        ("a\r", "a", True),
        ("[ab", "[ab", None),
        ("a\\", "a", None),
        ("/", "a/", None),
        ("!", "a", None),
        ("", "a", None),
        ("회의*", "회의록.md", True),
    ],
)
def test_what_a_line_says(lines: str, path: str, expected: bool | None) -> None:
    assert verdict(lines, path) is expected


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """An empty vault below a folder that is not in any repository of this machine."""
    folder = tmp_path / "project" / "vault"
    folder.mkdir(parents=True)
    return folder


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def scan(root: Path, *, gitignore: bool = True) -> tuple[list[str], dict[str, int]]:
    vault = FolderVault(str(root), include=["**/*.md"], exclude=[], gitignore=gitignore, max_bytes=1000)
    found = list(vault.scan())
    assert all(isinstance(each, FileStamp) for each in found)
    return sorted(each.path for each in found), vault.ignored()


def test_a_nested_file_decides_before_one_above_it(vault: Path) -> None:
    write(vault, {".gitignore": "*.md\n", "a.md": "", "sub/.gitignore": "!b.md\n", "sub/b.md": "", "sub/c.md": ""})
    assert scan(vault) == (["sub/b.md"], {"gitignore": 2})


def test_nothing_in_an_ignored_folder_can_be_brought_back(vault: Path) -> None:
    write(vault, {".gitignore": "old/\n!old/a.md\n", "old/.gitignore": "!*\n", "old/a.md": "", "b.md": ""})
    assert scan(vault) == (["b.md"], {"gitignore": 1})


def test_the_kinds_have_an_order_that_depth_does_not_change(vault: Path) -> None:
    write(
        vault,
        {
            ".ragignore": "!kept.md\ndropped.md\n",
            ".ignore": "!kept-too.md\n",
            ".gitignore": "kept-too.md\n",
            "sub/.gitignore": "kept.md\nkept-too.md\n!dropped.md\n",
            "sub/.ignore": "kept.md\n!dropped.md\n",
            "sub/kept.md": "",
            "sub/kept-too.md": "",
            "sub/dropped.md": "",
        },
    )
    assert scan(vault) == (["sub/kept-too.md", "sub/kept.md"], {"gitignore": 1})


def test_switched_off_no_ignore_file_counts(vault: Path) -> None:
    write(vault, {".gitignore": "a.md", ".ragignore": "b.md", "a.md": "", "b.md": ""})
    assert scan(vault, gitignore=False) == (["a.md", "b.md"], {})


def test_ignore_files_above_count_up_to_the_root_of_the_repository(vault: Path) -> None:
    project = vault.parent
    write(
        project,
        {
            ".git/info/exclude": "private.md\n",
            ".gitignore": "/vault/anchored.md\n/unanchored-only-here.md\ndraft-*.md\n",
            "vault/anchored.md": "",
            "vault/unanchored-only-here.md": "",
            "vault/draft-1.md": "",
            "vault/private.md": "",
            "vault/a.md": "",
        },
    )
    write(project.parent, {".gitignore": "a.md\n"})
    assert scan(vault) == (["a.md", "unanchored-only-here.md"], {"gitignore": 3})


def test_without_a_repository_nothing_above_the_vault_counts(vault: Path) -> None:
    write(vault.parent, {".gitignore": "a.md\n", ".ignore": "a.md\n", "vault/a.md": ""})
    assert scan(vault) == (["a.md"], {})


@pytest.mark.parametrize(
    "line", ["vault", "vault/", "/vault/", "/vault/*", "vault/**", "*", "**", "/*", "va*", "project/", "**/vault/**"]
)
def test_a_vault_that_itself_is_ignored_is_indexed(vault: Path, line: str) -> None:
    write(vault.parent, {".git/HEAD": "", ".gitignore": f"{line}\n*.tmp.md\n", "vault/a.md": "", "vault/b.tmp.md": ""})
    assert scan(vault) == (["a.md"], {"gitignore": 1})


def test_a_vault_in_an_ignored_folder_is_indexed(tmp_path: Path) -> None:
    vault = tmp_path / "project" / "local" / "deep" / "vault"
    vault.mkdir(parents=True)
    write(tmp_path / "project", {".git/HEAD": "", ".gitignore": "local/\n", "local/.gitignore": "deep\n"})
    write(vault, {"a.md": ""})
    assert scan(vault) == (["a.md"], {})


def test_a_repository_inside_begins_anew_but_for_the_tools_own_files(vault: Path) -> None:
    write(
        vault,
        {
            ".git/info/exclude": "a.md\n",
            ".gitignore": "b.md\n",
            ".ragignore": "c.md\n",
            "inner/.git/info/exclude": "d.md\n",
        },
    )
    write(vault, {f"inner/{name}.md": "" for name in "abcde"})
    assert scan(vault) == (["inner/a.md", "inner/b.md", "inner/e.md"], {"gitignore": 2})


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_line(vault: Path) -> None:
    write(vault, {"a.md": "", "b.md": "", "c.md": ""})
    (vault / ".gitignore").write_bytes(b"\xef\xbb\xbfa.md\r\nb.md\r\n\xff\xfe\r\n")
    assert scan(vault) == (["c.md"], {"gitignore": 2})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_an_ignore_file_that_is_no_plain_file_is_passed_over(vault: Path) -> None:
    write(vault.parent, {"outside": "a.md\n", "vault/a.md": "", "vault/b/a.md": "", "vault/c/.gitignore/x": ""})
    (vault / ".gitignore").symlink_to("../outside")
    os.mkfifo(vault / ".ragignore")
    (vault / "b" / ".git").symlink_to("../../outside")
    assert scan(vault) == (["a.md", "b/a.md"], {"hidden": 1})


def test_of_an_endless_file_whole_lines_are_read(vault: Path) -> None:
    line = "x" * 99 + "\n"
    write(vault, {".gitignore": "a.md\n" + line * 2621 + "b.md and what was cut off\n" * 9, "a.md": "", "b.md": ""})
    assert (vault / ".gitignore").stat().st_size > 256 * 1024
    assert scan(vault) == (["b.md"], {"gitignore": 1})


ATOMS = ["a", "b", "ab", "foo", "*", "**", "?", "a*", "*b", "*.md", "foo.md", "[ab]", "[!a]", "[a-b]*", "[^b]",
         "\\a", "x[[]1]", "**b", "*.*", "f*o", "[b-a]", "[[:alpha:]]*",
         "foo\\ bar", "\\#c", "b\\!", "[!]a]*", "*a*b*"]  # fmt: skip
NAMES = ["a", "b", "ab", "foo", "foo bar", "x[1]", "b!", "#c", " s", "a.md", "b.md", "foo.md"]


def random_line(chance: random.Random) -> str:
    """A line of an ignore file; a bracket with a `/` in it, where git has a view of its own, is avoided."""
    while True:
        line = "/".join(chance.choice(ATOMS) for _ in range(chance.choice([1, 1, 1, 2, 2, 3])))
        if not re.search(r"\[[^\]]*/", line):
            break
    line = chance.choice(["", "", "", "/"]) + line + chance.choice(["", "", "", "/"])
    return chance.choice(["", "", "!"]) + line + chance.choice(["", "", "", " ", "\\ "])


def random_tree(root: Path, chance: random.Random) -> None:
    """Some folders, four files in each, and an ignore file in the first and two others."""
    folders = [root]
    for _ in range(8):
        folder = chance.choice(folders) / chance.choice(NAMES[:9])
        if not folder.exists():
            folder.mkdir()
            folders.append(folder)
    for folder in folders:
        for name in chance.sample(NAMES, 4):
            if not (folder / name).exists():
                (folder / name).touch()
    for folder in [root, *chance.sample(folders, min(2, len(folders)))]:
        lines = "\n".join(random_line(chance) for _ in range(chance.randint(1, 4)))
        (folder / ".gitignore").write_text(lines, encoding="utf-8")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize("seed", range(40))
def test_a_random_vault_is_seen_as_git_sees_it(tmp_path: Path, seed: int) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    random_tree(tmp_path, random.Random(seed))
    command = ["git", "-c", "core.excludesFile=", "ls-files", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout.decode().split("\0")
    vault = FolderVault(str(tmp_path), include=["**"], exclude=[], gitignore=True, max_bytes=1000)
    expected = {path for path in listed if path and not path.endswith(".gitignore")}
    assert {found.path for found in vault.scan()} == expected
