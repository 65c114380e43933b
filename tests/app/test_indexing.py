"""Runs of `index` over a vault in memory and a real index."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FAKE_MODEL, FakeEmbedder
from workbench import START_NS, Workbench, note, workbench

from docs_rag.app.indexing import Indexer, IndexRequest
from docs_rag.app.intake import BATCH_NOTES
from docs_rag.app.progress import NoProgress
from docs_rag.core.documents import DocPath, Skipped
from docs_rag.core.identity import Make
from docs_rag.core.status import Status
from docs_rag.core.statusrules import PLAIN, StatusRules
from docs_rag.errors import VaultError

Bench = Callable[..., Workbench]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    opened: list[Workbench] = []

    def make(files: dict[str, str | bytes], embedder: FakeEmbedder | None = None) -> Workbench:
        opened.append(workbench(tmp_path, files, embedder or FakeEmbedder()))
        return opened[-1]

    yield make
    for each in opened:
        each.store.close()


def section_notes(count: int) -> dict[str, str | bytes]:
    return {
        f"n{n}.md": f"# Title {n}\n\nalpha{n} beta{n} gamma{n} delta{n} stands in this note about matter{n}.\n"
        for n in range(count)
    }


class Told(NoProgress):
    """What is told of the progress."""

    def __init__(self) -> None:
        self.steps: list[int] = []

    def step(self, count: int = 1) -> None:
        self.steps.append(count)


def test_notes_that_are_written_together_are_told_together(bench: Bench) -> None:
    the, told = bench(section_notes(BATCH_NOTES + 2)), Told()
    Indexer(the.vault, the.store, None, the.own_make(), progress=told, now_ns=lambda: START_NS).run(IndexRequest())
    assert told.steps == [BATCH_NOTES, 2], "else the first of many seems to have taken as long as all"


def test_the_report_counts(bench: Bench) -> None:
    the = bench(section_notes(3))
    first = the.index()
    assert (first.added, first.modified, first.removed, first.unchanged) == (3, 0, 0, 0)
    assert (first.chunks, first.embedded, first.pending) == (3, 3, 0)
    the.vault.write("n0.md", "# Title 0\n\nsomething else altogether stands here now\n")
    the.vault.delete("n1.md")
    the.vault.write("n9.md", "# Nine\n\nnew words in a new note are here\n")
    second = the.index()
    assert (second.added, second.modified, second.removed, second.unchanged) == (1, 1, 1, 1)


def test_case_25_nothing_changed_embeds_and_reads_nothing(bench: Bench) -> None:
    the = bench(section_notes(3))
    assert the.embedder is not None
    the.index()
    reads, batches = len(the.vault.reads), len(the.embedder.batches)
    report = the.index()
    assert report.unchanged == 3
    assert (len(the.vault.reads), len(the.embedder.batches)) == (reads, batches)


def test_case_25_touching_all_reads_but_embeds_nothing(bench: Bench) -> None:
    the = bench(section_notes(3))
    assert the.embedder is not None
    the.index()
    batches = len(the.embedder.batches)
    for path, text in list(the.vault.files.items()):
        the.vault.write(path, text)
    report = the.index()
    assert (report.modified, report.unchanged) == (0, 3)
    assert len(the.embedder.batches) == batches
    reads = len(the.vault.reads)
    the.index()
    assert len(the.vault.reads) == reads, "the new stamps were kept"


def test_case_25_a_heading_edit_embeds_its_section_alone(bench: Bench) -> None:
    sections = [f"## Heading {n}\n\nparagraph number{n} with some words of its own{n}\n" for n in range(50)]
    the = bench({"a.md": "# Note\n\n" + "\n".join(sections)})
    assert the.embedder is not None
    the.index()
    before = len(the.embedder.embedded)
    the.vault.write("a.md", str(the.vault.files["a.md"]).replace("## Heading 7\n", "## Another heading\n"))
    the.index()
    assert [text for text in the.embedder.embedded[before:] if "Another heading" in text] == the.embedder.embedded[
        before:
    ]
    assert len(the.embedder.embedded) == before + 1


def test_a_moved_note_costs_no_embedding_and_is_found_once(bench: Bench) -> None:
    the = bench(section_notes(3))
    assert the.embedder is not None
    the.index()
    before = len(the.embedder.embedded)
    the.vault.write("moved/n0.md", the.vault.files["n0.md"])
    the.vault.delete("n0.md")
    report = the.index()
    assert (report.added, report.removed) == (1, 1)
    assert len(the.embedder.embedded) == before
    assert the.paths("alpha0 beta0 gamma0") == ["moved/n0.md"]


def test_a_vault_that_moved_as_a_whole_is_no_vanished_one(bench: Bench) -> None:
    the = bench(section_notes(3))
    the.index()
    for path, text in list(the.vault.files.items()):
        the.vault.delete(path)
        the.vault.write(f"new/{path}", text)
    assert the.index().removed == 3


def test_a_vault_that_vanished_wipes_nothing(bench: Bench) -> None:
    the = bench(section_notes(4))
    the.index()
    for n in range(3):
        the.vault.delete(f"n{n}.md")
    with pytest.raises(VaultError, match="3 of 4") as raised:
        the.index()
    assert "--accept-removals" in raised.value.hint
    assert the.store.lookup.counts()[0] == 4
    assert the.index(accept_removals=True).removed == 3
    the.vault.missing = True
    with pytest.raises(VaultError):
        the.index()
    assert the.store.lookup.counts()[0] == 1
    with pytest.raises(VaultError):
        the.index(full=True)
    the.vault.missing, the.vault.files = False, {}
    with pytest.raises(VaultError, match="1 of 1"):
        the.index(full=True)
    assert the.store.lookup.counts()[0] == 1
    run = the.store.last_run()
    assert run is not None and not run.ok


def test_case_24_an_unreadable_note_keeps_its_former_text_marked_stale(bench: Bench) -> None:
    the = bench(section_notes(3))
    the.index()
    the.vault.write("n0.md", "# Changed\n\nwhat nobody can read\n")
    the.vault.unreadable["n0.md"] = ("unreadable", "permission denied")
    report = the.index()
    assert [(each.path, each.code) for each in report.failed] == [("n0.md", "unreadable")]
    assert the.listed("n0.md").stale
    (hit,) = the.ask("alpha0 beta0 gamma0").hits
    assert hit.section.stale
    del the.vault.unreadable["n0.md"]
    assert the.index().modified == 1
    assert not the.listed("n0.md").stale


def test_case_24_a_folder_that_cannot_be_listed_loses_nothing(bench: Bench) -> None:
    the = bench({**section_notes(1), "f/a.md": "# A\n\nwords of note a are these\n"})
    the.index()
    the.vault.delete("f/a.md")
    the.vault.skipped = [Skipped(DocPath("f"), "unreadable", "permission denied")]
    assert the.index().removed == 0
    assert the.listed("f/a.md").stale


def test_case_24_odd_bytes_are_listed_with_their_reason(bench: Bench) -> None:
    the = bench({**section_notes(1), "cp949.md": "한글".encode("cp949"), "empty.md": b"", "nul.md": b"a\0b"})
    report = the.index()
    assert {each.path: each.code for each in report.failed} == {"cp949.md": "encoding", "nul.md": "encoding"}
    assert the.listed("cp949.md").indexed is False
    assert the.listed("empty.md").indexed


def test_an_edit_inside_the_clocks_grain_is_noticed(bench: Bench) -> None:
    the = bench({"a.md": "# A\n\nthe first words are apples\n"})
    the.vault.mtimes["a.md"] = the.vault.ctimes["a.md"] = 1_900_000_000_000_000_000 - 1
    the.index()
    the.vault.files["a.md"] = "# A\n\nthe first words are pears!\n"
    assert the.index().modified == 1


def test_text_and_status_are_there_although_the_model_is_down(bench: Bench) -> None:
    the = bench(
        {"old.md": note("# Old\n\nwidgets are blue", status="superseded"), "new.md": "# New\n\nwidgets are red\n"}
    )
    assert the.embedder is not None
    the.embedder.down = True
    report = the.index()
    assert (report.added, report.embedded, report.pending) == (2, 0, 2)
    assert "cannot reach the fake embedder" in report.warnings[0]
    assert the.listed("old.md").status is Status.SUPERSEDED
    answer = the.ask("widgets red")
    assert answer.index.mode.startswith("lexical")
    assert [hit.section.path for hit in answer.hits] == ["new.md"]
    the.embedder.down = False
    assert the.index().embedded == 2


def test_case_37_one_poisonous_text_is_listed_and_tried_again(bench: Bench) -> None:
    the = bench({**section_notes(5), "bad.md": "# Bad\n\npoison in the well of words\n"})
    assert the.embedder is not None
    the.embedder.refuses = {"poison"}
    report = the.index()
    assert (report.embedded, report.pending) == (5, 1)
    assert any("bad.md" in warning for warning in report.warnings)
    assert [problem.code for problem in the.listed("bad.md").problems] == ["embed-failed"]
    batches = len(the.embedder.batches)
    the.index()
    assert [len(batch) for batch in the.embedder.batches[batches:]] == [1], "the next run tries that text alone"
    the.embedder.refuses = set()
    assert the.index().pending == 0
    assert the.listed("bad.md").problems == ()


def test_case_38_a_text_that_was_read_in_part_is_listed(bench: Bench) -> None:
    the = bench({"long.md": "# Long\n\n" + "many words in here " * 40})
    assert the.embedder is not None
    the.embedder.shortens = 20
    the.index()
    assert "truncated" in [problem.code for problem in the.listed("long.md").problems]
    assert the.listed("long.md").embedded


def test_a_stopped_run_goes_on_where_it_stopped(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    the = bench(section_notes(80))
    assert the.embedder is not None
    embed, calls = the.embedder.embed_documents, 0

    def stop_at_the_second(texts: list[str]) -> object:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return embed(texts)

    monkeypatch.setattr(the.embedder, "embed_documents", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        the.index()
    done = the.store.vectors.coverage(1)[0]
    assert 0 < done < 80
    monkeypatch.undo()
    before = len(the.embedder.embedded)
    assert the.index().embedded == 80
    assert len(the.embedder.embedded) - before == 80 - done


def test_another_model_fills_its_vectors_before_it_answers(bench: Bench) -> None:
    from dataclasses import replace

    the = bench(section_notes(3))
    the.index()
    other = FakeEmbedder(replace(FAKE_MODEL, name="other"))
    other.refuses = set()
    the.embedder = other
    report = the.index()
    active = the.store.vectors.active()
    assert active is not None and active.name == "other"
    assert report.embedded == 3


def test_case_41_other_weights_under_the_same_name_are_embedded_again(bench: Bench) -> None:
    the = bench(section_notes(3))
    assert the.embedder is not None
    the.index()
    the.embedder.weights = "sha256:another"
    before = len(the.embedder.embedded)
    the.index()
    assert len(the.embedder.embedded) == before + 3


def test_another_chunker_reads_every_note_again(bench: Bench) -> None:
    the = bench(section_notes(3))
    the.index()
    the.make = Make(parser=1, chunker=2, analyser="unicode-1")
    assert the.index().modified == 3


def test_other_status_rules_read_every_note_again(bench: Bench) -> None:
    the = bench({"a.md": note("# A\n\ntext", status="compost"), "b.md": "# B\n\ntext\n"})
    the.index()
    the.under(StatusRules(words={"compost": Status.ARCHIVED}))
    assert the.index().modified == 2
    assert the.listed("a.md").status is Status.ARCHIVED
    assert the.index().modified == 0
    assert the.under(PLAIN).index(only=(DocPath("b.md"),)).modified == 2
    assert the.listed("a.md").status is Status.CURRENT


def test_a_run_under_new_rules_that_was_stopped_leaves_nothing_read_under_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = {f"n{n:02}.md": note(f"# N{n}\n\ntext", status="compost") for n in range(BATCH_NOTES + 5)}
    the = bench(notes)
    the.index()
    the.under(StatusRules(words={"compost": Status.ARCHIVED}))
    read, left = the.vault.read, BATCH_NOTES + 2

    def stop(path: DocPath) -> object:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return read(path)

    monkeypatch.setattr(the.vault, "read", stop)
    with pytest.raises(KeyboardInterrupt):
        the.index()
    monkeypatch.undo()
    assert the.store.by_status()["archived"] == BATCH_NOTES
    the.under(PLAIN).index()
    assert the.store.by_status() == {"current": len(notes)}


def test_an_index_that_is_not_believed_is_read_again_and_keeps_its_vectors(bench: Bench) -> None:
    the = bench(section_notes(3))
    assert the.embedder is not None
    the.index()
    before = len(the.embedder.embedded)
    the.told.clear()
    report = the.index(reread=True, only=(DocPath("n0.md"),))
    assert report.modified == 3
    assert len(the.embedder.embedded) == before
    assert the.told == ["read"]


def test_full_empties_the_index_first(bench: Bench) -> None:
    the = bench(section_notes(3))
    the.index()
    the.told.clear()
    report = the.index(full=True)
    assert (report.added, report.embedded) == (3, 3)
    assert the.told == ["read", "read"]
    the.store.check()


def test_single_notes_and_folders_can_be_indexed(bench: Bench) -> None:
    the = bench({"f/a.md": "# A\n\nwords of a\n", "g/b.md": "# B\n\nwords of b\n"})
    assert the.index(only=(DocPath("f"),)).added == 1
    assert the.index(only=(DocPath("g/b.md"),)).added == 1
    assert the.index().unchanged == 2


def test_a_calibration_comes_with_fifty_sections(bench: Bench) -> None:
    the = bench(section_notes(49))
    assert the.index().calibration is None
    the.vault.write("more.md", "# More\n\nthe fiftieth section stands here\n")
    report = the.index()
    assert report.calibration is not None
    assert report.calibration.pairs > 400
    assert report.floor is not None and report.floor.source == "registry"
    assert the.index().calibration == report.calibration


def test_nothing_is_embedded_without_a_model(tmp_path: Path) -> None:
    the = workbench(tmp_path, section_notes(2), None)
    report = the.index()
    assert (report.chunks, report.embedded, report.pending, report.measured) == (2, 0, 0, False)
    the.store.close()


def test_a_note_nested_too_deep_costs_the_others_nothing(bench: Bench) -> None:
    the = bench({**section_notes(2), "deep.md": "---\nx: " + "[" * 3000 + "]" * 3000 + "\n---\nzebra\n"})
    assert the.index().added >= 2
    assert the.ask("alpha0 beta0 gamma0").hits
