"""What a config may not do unasked, and how an approval is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docs_rag import trust
from docs_rag.config import Config, for_vault, load
from docs_rag.errors import Unapproved
from docs_rag.statefiles import user_state_folder

REPOSITORY = Path(__file__).resolve().parents[1]


def configure(folder: Path, **settings: object) -> Config:
    """Write a config into a project's folder and read it."""
    file = folder / ".rag" / "config.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"vaultPath": "..", **settings}), encoding="utf-8")
    return load(str(file), strict=True)[0]


def asked(config: Config) -> list[tuple[str, str]]:
    return [(each.key, each.value) for each in trust.requests(config)]


def state_file(name: str) -> Path:
    return Path(user_state_folder()) / name


def test_a_config_that_stays_at_home_needs_no_approval(tmp_path: Path) -> None:
    config = configure(
        tmp_path, vaultPath="../docs", indexPath="deep/i.db", ollamaHost="localhost:11500", limit=3, embedModel="x"
    )
    assert trust.requests(config) == ()
    assert trust.is_approved(config)
    trust.require(config, trust_once=False)
    trust.approve(config)
    assert not Path(user_state_folder()).exists()


@pytest.mark.parametrize("vault", ["/", "../../", "../../other", "~", "/etc"])
def test_case_46_a_vault_outside_the_project_needs_approval(tmp_path: Path, home: Path, vault: str) -> None:
    config = configure(tmp_path / "clone", vaultPath=vault)
    assert asked(config) == [("vaultPath", os.path.realpath(config.vault_path))]
    with pytest.raises(Unapproved) as error:
        trust.require(config, trust_once=False)
    assert f'vaultPath "{os.path.realpath(config.vault_path)}"' in error.value.message
    assert error.value.hint == f"docs-rag trust --config {config.path}"
    assert str(error.value).endswith(f"; look at it and approve it with: docs-rag trust --config {config.path}")
    trust.require(config, trust_once=True)
    assert not trust.is_approved(config)


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("indexPath", "/elsewhere/i.db", "/elsewhere/i.db"),
        ("indexPath", "../../i.db", None),
        ("ollamaHost", "https://gpu.example", "https://gpu.example:443"),
        ("ollamaHost", "192.168.0.7", "http://192.168.0.7:11434"),
        ("ollamaHost", "127.0.0.1.example", "http://127.0.0.1.example:11434"),
        ("ollamaHost", "ollama.com", "https://ollama.com:443"),
        ("serverName", "notes", "notes"),
        ("toolDescription", "What we decided.", "What we decided."),
    ],
)
def test_case_46_what_else_needs_approval(tmp_path: Path, key: str, value: str, shown: str | None) -> None:
    config = configure(tmp_path / "clone", **{key: value})
    assert asked(config) == [(key, shown or str(tmp_path / "i.db"))]
    with pytest.raises(Unapproved):
        trust.require(config, trust_once=False)


def test_all_that_is_asked_for_is_told_at_once(tmp_path: Path) -> None:
    config = configure(tmp_path / "p", vaultPath="/etc", ollamaHost="h.example", serverName="n", toolDescription="d")
    with pytest.raises(Unapproved) as error:
        trust.require(config, trust_once=False)
    assert all(
        each.key in error.value.message and each.reason in error.value.message for each in trust.requests(config)
    )
    assert len(trust.requests(config)) == 4


def test_a_link_that_leads_out_of_the_project_counts_as_outside(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "docs").symlink_to(outside)
    assert asked(configure(clone, vaultPath="../docs")) == [("vaultPath", str(outside))]
    (clone / ".rag" / "index.db").symlink_to(outside / "victim")
    assert asked(configure(clone)) == [("indexPath", str(outside / "victim"))]


def test_a_state_folder_that_leads_out_of_the_project_counts_as_outside(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".rag").symlink_to(tmp_path / "outside")
    assert [key for key, _ in asked(configure(tmp_path / "clone"))] == ["indexPath", ".rag"]


def test_a_project_that_is_reached_by_a_link_is_still_one_project(tmp_path: Path) -> None:
    configure(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    config, _ = load(str(tmp_path / "link" / ".rag" / "config.json"), strict=True)
    assert trust.requests(config) == ()


def test_the_users_own_words_need_no_approval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "https://gpu.example")
    config = configure(tmp_path)
    assert config.ollama_host == "https://gpu.example:443"
    assert trust.is_approved(config)
    assert trust.is_approved(for_vault("/"))
    trust.approve(for_vault("/"))
    assert not Path(user_state_folder()).exists()


def test_an_approval_holds_for_exactly_what_was_approved(tmp_path: Path) -> None:
    config = configure(tmp_path / "p", vaultPath="/etc")
    trust.approve(config)
    trust.require(config, trust_once=False)
    assert trust.is_approved(configure(tmp_path / "p", vaultPath="/etc", limit=3, exclude=["a/"]))
    assert not trust.is_approved(configure(tmp_path / "p", vaultPath="/"))
    assert not trust.is_approved(configure(tmp_path / "p", vaultPath="/etc", serverName="x"))
    assert not trust.is_approved(configure(tmp_path / "copy", vaultPath="/etc"))
    assert trust.is_approved(configure(tmp_path / "p", vaultPath="/etc"))


def test_a_link_that_is_turned_elsewhere_loses_its_approval(tmp_path: Path) -> None:
    for name in ("clone", "harmless", "private"):
        (tmp_path / name).mkdir()
    docs = tmp_path / "clone" / "docs"
    docs.symlink_to(tmp_path / "harmless")
    config = configure(tmp_path / "clone", vaultPath="../docs")
    trust.approve(config)
    assert trust.is_approved(config)
    docs.unlink()
    docs.symlink_to(tmp_path / "private")
    assert not trust.is_approved(config)


def test_two_states_of_a_config_can_both_be_approved(tmp_path: Path) -> None:
    for vault in ("/etc", "/usr"):
        trust.approve(configure(tmp_path, vaultPath=vault))
    assert trust.is_approved(configure(tmp_path, vaultPath="/etc"))
    assert trust.is_approved(configure(tmp_path, vaultPath="/usr"))


def test_an_approval_is_found_whatever_link_leads_to_the_config(tmp_path: Path) -> None:
    trust.approve(configure(tmp_path / "real", vaultPath="/etc"))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    config, _ = load(str(tmp_path / "link" / ".rag" / "config.json"), strict=True)
    assert trust.is_approved(config)


def test_approvals_are_the_users_alone(tmp_path: Path) -> None:
    trust.approve(configure(tmp_path, vaultPath="/etc"))
    assert state_file("approvals.json").stat().st_mode & 0o777 == 0o600
    assert Path(user_state_folder()).stat().st_mode & 0o777 == 0o700
    assert sorted(each.name for each in Path(user_state_folder()).iterdir()) == [
        "approvals.json",
        "approvals.json.lock",
    ]


def test_a_file_in_the_project_never_approves(tmp_path: Path) -> None:
    config = configure(tmp_path / "p", vaultPath="/etc")
    trust.approve(config)
    approvals = state_file("approvals.json")
    for place in (tmp_path / "p", tmp_path / "p" / ".rag"):
        (place / "approvals.json").write_bytes(approvals.read_bytes())
    approvals.unlink()
    assert not trust.is_approved(config)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b'{"a": 1}', b'{"a": [1]}', b"\xff\xfe", b"[" * 100_000, b" " * 5_000_001],
    ids=lambda content: ascii(content)[:20],
)
def test_a_damaged_file_approves_nothing_and_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    first, second = configure(tmp_path / "a", vaultPath="/etc"), configure(tmp_path / "b", vaultPath="/etc")
    trust.approve(first)
    state_file("approvals.json").write_bytes(content)
    assert not trust.is_approved(first)
    trust.approve(second)
    assert trust.is_approved(second)
    assert not trust.is_approved(first)
    assert state_file("approvals.json.damaged").read_bytes() == content


def test_a_file_that_others_can_write_or_that_is_a_link_approves_nothing(tmp_path: Path) -> None:
    config = configure(tmp_path / "p", vaultPath="/etc")
    trust.approve(config)
    approvals = state_file("approvals.json")
    approvals.chmod(0o620)
    assert not trust.is_approved(config)
    approvals.chmod(0o600)
    assert trust.is_approved(config)
    approvals.rename(tmp_path / "planted.json")
    approvals.symlink_to(tmp_path / "planted.json")
    assert not trust.is_approved(config)
    before = (tmp_path / "planted.json").read_bytes()
    trust.approve(config)
    assert trust.is_approved(config)
    assert (tmp_path / "planted.json").read_bytes() == before


def test_many_at_once_lose_no_approval(tmp_path: Path) -> None:
    configs = [configure(tmp_path / str(number), vaultPath="/etc") for number in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(trust.approve, configs))
    assert all(map(trust.is_approved, configs))


def test_two_processes_lose_no_approval(tmp_path: Path) -> None:
    paths = [str(configure(tmp_path / str(number), vaultPath="/etc").path) for number in range(16)]
    code = (
        "import sys; from docs_rag import config, trust\n"
        "for path in sys.argv[1:]: trust.approve(config.load(path, strict=True)[0])"
    )
    running = [
        subprocess.Popen([sys.executable, "-S", "-c", code, *paths[start::2]], cwd=REPOSITORY) for start in (0, 1)
    ]
    assert [process.wait() for process in running] == [0, 0]
    assert all(trust.is_approved(load(path, strict=True)[0]) for path in paths)


def test_an_index_is_known_by_place_and_token(tmp_path: Path) -> None:
    index = str(tmp_path / "index.db")
    assert not trust.known_index(index, "abc")
    trust.remember_index(index, "abc")
    assert trust.known_index(index, "abc")
    assert not trust.known_index(index, "ab")
    assert not trust.known_index(str(tmp_path / "other.db"), "abc")
    (tmp_path / "link").symlink_to(tmp_path)
    assert trust.known_index(str(tmp_path / "link" / "index.db"), "abc")
    trust.remember_index(index, "new")
    assert trust.known_index(index, "new")
    assert not trust.known_index(index, "abc")
    assert state_file("indexes.json").stat().st_mode & 0o777 == 0o600


def test_remembering_an_index_again_writes_nothing(tmp_path: Path) -> None:
    trust.remember_index(str(tmp_path / "index.db"), "abc")
    before = state_file("indexes.json").stat()
    trust.remember_index(str(tmp_path / "index.db"), "abc")
    assert state_file("indexes.json").stat().st_ino == before.st_ino


def test_the_list_of_indexes_does_not_grow_for_ever(tmp_path: Path) -> None:
    trust.remember_index("/first", "t")
    entries = {f"/i{number}": ["t"] for number in range(2500)}
    state_file("indexes.json").write_text(json.dumps(entries), encoding="utf-8")
    trust.remember_index("/last", "t")
    assert trust.known_index("/last", "t")
    assert trust.known_index("/i2499", "t")
    assert not trust.known_index("/i0", "t")
