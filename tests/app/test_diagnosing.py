"""What `doctor` finds of notes, index and model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FakeEmbedder
from workbench import Workbench, benches, note

from docs_rag.adapters.synced import conflicted_copies
from docs_rag.app.diagnosing import embedding_facts, index_facts, notes_facts, see
from docs_rag.core.diagnosis.facts import Index
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.statusrules import StatusRules
from docs_rag.errors import VaultError

FILES: dict[str, str | bytes] = {f"{name}.md": note(f"# {name}\n\nText of {name}.") for name in ("a", "b", "c", "d")}
Make = Callable[[dict[str, str | bytes], FakeEmbedder | None], Workbench]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Make]:
    with benches(tmp_path) as make:
        yield make


def index(made: Workbench) -> Index:
    return index_facts("/index.db", made.store, made.own_make(), see(made.vault))


def test_an_index_that_knows_every_note_is_fresh(bench: Make) -> None:
    found = index(bench(FILES, None))
    assert (found.documents, found.chunks, found.changed, found.pending) == (4, 4, 0, 0)
    assert not found.has_vanished
    assert not found.is_foreign
    assert found.last_run is not None and found.last_run.ok


def test_new_changed_and_deleted_notes_are_counted(bench: Make) -> None:
    made = bench(FILES, None)
    made.vault.write("new.md", "# New\n")
    made.vault.write("a.md", "# A, rewritten\n")
    made.vault.delete("b.md")
    found = index(made)
    assert found.changed == 3
    assert not found.has_vanished


def test_a_note_that_cannot_be_read_now_is_not_gone(bench: Make) -> None:
    made = bench(FILES, None)
    made.vault.delete("b.md")
    made.vault.skipped.append(Skipped(DocPath("b.md"), "unreadable", "no access"))
    assert index(made).changed == 0


def test_a_vault_that_is_empty_has_vanished(bench: Make) -> None:
    made = bench(FILES, None)
    for path in FILES:
        made.vault.delete(path)
    assert index(made).has_vanished


def test_a_vault_that_cannot_be_seen_leaves_it_open(bench: Make) -> None:
    made = bench(FILES, None)
    made.vault.missing = True
    with pytest.raises(VaultError):
        see(made.vault)
    assert index_facts("/index.db", made.store, made.own_make(), None).changed is None


def test_other_status_rules_make_an_index_foreign(bench: Make) -> None:
    made = bench(FILES, None)
    assert index(made.under(StatusRules(key="state"))).is_foreign


def test_a_model_that_answers(bench: Make) -> None:
    embedder = FakeEmbedder()
    made = bench(FILES, embedder)
    found = embedding_facts("fake", embedder, made.store)
    assert (found.name, found.indexed_with, found.has_changed, found.fault) == ("fake", "fake", False, None)


def test_a_model_that_is_down_and_one_that_was_replaced(bench: Make) -> None:
    embedder = FakeEmbedder()
    made = bench(FILES, embedder)
    embedder.weights = "sha256:other"
    assert embedding_facts("fake", embedder, made.store).has_changed
    embedder.down = True
    found = embedding_facts("fake", embedder, made.store)
    assert found.fault is not None and found.fault.hint == "switch it on"
    assert not found.has_changed


def test_without_a_model_or_an_index(bench: Make) -> None:
    assert embedding_facts("none", None, bench(FILES, None).store).name == "none"
    assert embedding_facts("fake", FakeEmbedder(), None).indexed_with == ""


def test_sections_that_wait_are_counted(bench: Make) -> None:
    embedder = FakeEmbedder()
    made = bench(FILES, embedder)
    made.vault.write("a.md", "# A\n\nNew words.\n")
    made.embedder = None
    made.index()
    assert index(made).pending == 1


def test_notes_with_copies_and_files_that_cannot_be_had(bench: Make) -> None:
    made = bench({**FILES, "a (conflicted copy 2026-01-02).md": "# A\n"}, None)
    made.vault.skipped += [
        Skipped(DocPath("x.md"), "encoding", "not UTF-8"),
        Skipped(DocPath("y.md"), "outside-vault", "a link that leads outside the vault"),
    ]
    found = notes_facts("/v", see(made.vault), conflicted_copies)
    assert found.count == 5
    assert found.unreadable == ("x.md: not UTF-8",)
    assert found.copies == ("a (conflicted copy 2026-01-02).md",)
