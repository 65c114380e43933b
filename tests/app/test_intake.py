"""Notes with a metadata file beside them, from the vault into answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import Workbench, benches

from docs_rag.core.status import Status

Bench = Callable[..., Workbench]
README = "# Sidecars\n\nlighthouse keepers sleep at noon\n"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with benches(tmp_path) as make:
        yield lambda files: make(files, FakeEmbedder())


def test_the_sidecar_says_the_state_of_its_note_as_soon_as_it_changes(bench: Bench) -> None:
    the = bench({"keps/1-a/README.md": README, "b.md": "# B\n\nlighthouse keepers wake\n"})
    assert "keps/1-a/README.md" in the.paths("lighthouse keepers sleep at noon")
    for text, found in (("status: withdrawn\nsuperseded-by: [b.md]\n", False), ("status: implemented\n", True)):
        the.vault.write("keps/1-a/kep.yaml", text)
        assert ("keps/1-a/README.md" in the.paths("lighthouse keepers sleep at noon")) is found
    assert the.listed("keps/1-a/README.md").status_text == "implemented"
    the.vault.delete("keps/1-a/kep.yaml")
    the.index()
    assert the.listed("keps/1-a/README.md").status_text == ""


def test_an_index_run_reads_a_note_whose_sidecar_alone_changed(bench: Bench) -> None:
    the = bench({"README.md": README, "kep.yaml": "status: draft\n"})
    assert the.listed("README.md").status is Status.DRAFT
    assert the.index().modified == 0
    the.vault.write("kep.yaml", "status: rejected\n")
    assert the.index().modified == 1
    assert the.listed("README.md").status is Status.REJECTED


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"status: caf\xe9\n", "encoding"),
        ("{{ not yaml\nstatus: superseded\n", "yaml"),
        ("status: draft\nnotes: [a\n", "yaml"),
    ],
)
def test_a_broken_sidecar_is_a_problem_of_its_note(bench: Bench, data: str | bytes, code: str) -> None:
    the = bench({"README.md": README, "kep.yaml": data})
    listed = the.listed("README.md")
    assert code in [problem.code for problem in listed.problems]
    assert listed.indexed


def test_a_sidecar_that_cannot_be_read_is_a_problem_until_it_can(bench: Bench) -> None:
    the = bench({"README.md": README, "kep.yaml": "status: draft\n"})
    the.vault.unreadable["kep.yaml"] = ("too-large", "12 MB; the limit is 10 MB")
    the.vault.write("kep.yaml", "status: rejected\n")
    the.index()
    listed = the.listed("README.md")
    assert [(problem.code, problem.message) for problem in listed.problems] == [
        ("too-large", "kep.yaml beside the note: 12 MB; the limit is 10 MB")
    ]
    the.vault.unreadable.clear()
    the.vault.write("kep.yaml", "status: rejected\n")
    the.index()
    assert (the.listed("README.md").status, the.listed("README.md").problems) == (Status.REJECTED, ())
