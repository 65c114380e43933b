"""`roots` in a config: which names and folders it may have, and what its user must approve."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from docs_rag import trust
from docs_rag.config import Config, load
from docs_rag.errors import ConfigError, Unapproved


def write(folder: Path, roots: object, vault: str = "../docs") -> str:
    file = folder / ".rag" / "config.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    (folder / "docs").mkdir(exist_ok=True)
    file.write_text(json.dumps({"vaultPath": vault, "roots": roots}), encoding="utf-8")
    return str(file)


def read(folder: Path, roots: object) -> Config:
    return load(write(folder, roots), strict=True)[0]


def test_folders_count_from_the_config_file_and_from_home(tmp_path: Path, home: Path) -> None:
    config = read(tmp_path, {"papers": "../papers", "논문": "~/papers"})
    assert config.roots == (("papers", str(tmp_path / "papers")), ("논문", str(home / "papers")))
    assert config.root_names == ("papers", "논문")
    assert read(tmp_path, {}).roots == ()


@pytest.mark.parametrize(
    ("roots", "said"),
    [
        ([], "expected names with folders"),
        ({"a/b": "../x"}, '"a/b" is no name'),
        ({".x": "../x"}, '".x" is no name'),
        ({"": "../x"}, '"" is no name'),
        ({"..": "../x"}, '".." is no name'),
        ({"a*": "../x"}, '"a*" is no name'),
        ({"c:": "../x"}, '"c:" is no name'),
        ({"a#b": "../x"}, '"a#b" is no name'),
        ({" a": "../x"}, '" a" is no name'),
        ({"a\nb": "../x"}, "is no name"),
        ({"a" * 65: "../x"}, "is no name"),
        ({"a": 3}, 'where "a" has 3: expected a path'),
        ({"a": " "}, "expected a path"),
        ({"a": "../x", "A": "../y"}, '"a" stands there twice'),
        ({"a": "../docs/sub"}, "expected a folder that shares no file with vaultPath"),
        ({"a": ".."}, "expected a folder that shares no file with vaultPath"),
        ({"a": "../x", "b": "../x/y"}, "roots.b is"),
        ({"a": "converted"}, "expected a folder that shares no file with .rag"),
        ({"a": "~nobody-at-all/x"}, "there is no such home folder"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, roots: Any, said: str) -> None:
    path = write(tmp_path, roots)
    with pytest.raises(ConfigError) as error:
        load(path, strict=True)
    assert said in error.value.message
    config, notices = load(path, strict=False)
    assert (config.roots, config.auto_refresh) == ((), False)
    assert any(said in notice for notice in notices)


def test_a_name_of_something_in_the_vault_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs" / "papers").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"roots\.papers has the name of papers in the vault"):
        read(tmp_path, {"papers": "../elsewhere"})


def test_a_root_outside_the_project_needs_approval(tmp_path: Path) -> None:
    project = tmp_path / "clone"
    project.mkdir()
    outside = str(tmp_path / "papers")
    config = read(project, {"mine": "../own", "papers": "../../papers"})
    assert [(each.key, each.value) for each in trust.requests(config)] == [("roots.papers", os.path.realpath(outside))]
    with pytest.raises(Unapproved, match=r"roots\.papers"):
        trust.require(config, trust_once=False)
    trust.approve(config)
    trust.require(config, trust_once=False)
    for other in ({"papers": "../../others"}, {"notes": "../../papers"}, {"papers": "../../papers", "b": "../../b"}):
        assert not trust.is_approved(read(project, other))


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_root_that_leads_out_of_the_project_by_a_link_needs_approval(tmp_path: Path) -> None:
    project = tmp_path / "clone"
    project.mkdir()
    (tmp_path / "secret").mkdir()
    (project / "papers").symlink_to(tmp_path / "secret", target_is_directory=True)
    config = read(project, {"papers": "../papers"})
    assert [each.value for each in trust.requests(config)] == [os.path.realpath(tmp_path / "secret")]
