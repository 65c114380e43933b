from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from desks import BenchProject, asked, is_closed
from fakes import FAKE_MODEL, FakeEmbedder
from workbench import Workbench, note, workbench

from docs_rag.adapters.sqlite.schema import SCHEMA_VERSION
from docs_rag.app.answering import BEING_INDEXED
from docs_rag.app.sessions import ADDED_CHARS, BEGIN_SECONDS, RETRY_SECONDS, Project, Session, with_notices
from docs_rag.core.answers import Answer
from docs_rag.core.documents import DocPath
from docs_rag.errors import (
    DocsRagError,
    EmbedderUnavailable,
    IndexDamaged,
    IndexMismatch,
    IndexMissing,
    IndexOutdated,
    Unapproved,
)

NOTES: dict[str, str | bytes] = {
    "decisions/old.md": note("# Sessions\n\nA session lasts an hour.", status="superseded", superseded_by="new.md"),
    "decisions/new.md": note("# Sessions\n\nA session lasts half an hour."),
    "guide/food.md": note("# Food\n\nBread is baked on Monday."),
}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = workbench(tmp_path, NOTES, FakeEmbedder())
    bench.index()
    yield bench
    bench.store.close()


@pytest.fixture
def project(bench: Workbench) -> BenchProject:
    return BenchProject(bench)


class Clock:
    """Seconds that stand still until they are moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_session(project: BenchProject, clock: Clock) -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def start(find: Callable[[], Project] = lambda: project, may_embed: Callable[[], bool] = lambda: True) -> Session:
        sessions.append(Session(find, may_embed, clock))
        return sessions[-1]

    yield start
    for session in sessions:
        session.close()


def finish(session: Session) -> int:
    """Do upkeep until there is none left; returns the rounds. A session that never ends it fails the test."""
    for rounds in range(20):
        if not session.upkeep():
            return rounds + 1
    raise AssertionError("upkeep does not end")


def paths(answer: Answer) -> list[str]:
    return [hit.section.path for hit in answer.hits]


def test_it_answers_as_the_use_case_does(bench: Workbench, open_session: Callable[..., Session]) -> None:
    assert open_session().answer(asked("how long does a session last")) == bench.ask("how long does a session last")


def test_nothing_is_opened_again_while_nothing_changes(
    project: BenchProject, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    for _ in range(3):
        session.answer(asked("session"))
    assert [index.chosen for index in project.opened] == [1]


def test_the_configured_limit_counts(project: BenchProject, open_session: Callable[..., Session]) -> None:
    project.limit = 1
    assert len(open_session().answer(asked("session", search_all=True)).hits) == 1
    assert len(open_session().answer(asked("session", search_all=True, limit=5)).hits) == 2


def test_notices_of_the_call_and_the_config_come_before_the_answers_own(
    project: BenchProject, open_session: Callable[..., Session]
) -> None:
    project.notices = ("config: unknown key",)
    answer = open_session().answer(asked("old.md", notices=("limit 90 was set to 50",)))
    assert answer.notices[:2] == ("limit 90 was set to 50", "config: unknown key")
    assert "superseded" in answer.notices[2]


def test_no_index_then_one(tmp_path: Path, open_session: Callable[..., Session]) -> None:
    bench = workbench(tmp_path, NOTES, FakeEmbedder())
    bench.store.close()
    Path(bench.store.path).unlink()
    session = open_session(lambda: BenchProject(bench))
    for _ in range(2):
        with pytest.raises(IndexMissing, match="no index"):
            session.answer(asked("session"))
    later = workbench(tmp_path, NOTES, FakeEmbedder())
    later.index()
    later.store.close()
    assert paths(session.answer(asked("session"))) == ["decisions/new.md"]


def test_an_index_that_is_missing_is_made_in_the_background(
    tmp_path: Path, open_session: Callable[..., Session]
) -> None:
    bench = workbench(tmp_path, NOTES, FakeEmbedder())
    bench.store.close()
    Path(bench.store.path).unlink()
    project = BenchProject(bench, refused="")
    session = open_session(lambda: project)
    with pytest.raises(IndexMissing, match="in the background; ask again"):
        session.look()
    assert project.begun == 1
    project.refused = "there is no vault"
    with pytest.raises(IndexMissing, match=r"failed: there is no vault; run: docs-rag index"):
        session.answer(asked("session"))
    project.refused = None
    with pytest.raises(IndexMissing, match=r"yet; run: docs-rag index$"):
        session.answer(asked("session"))


def test_an_index_of_an_older_version_is_made_anew_in_the_background(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    project = BenchProject(bench, refused="")
    session = open_session(lambda: project)
    session.answer(asked("session"))
    with closing(sqlite3.connect(bench.store.path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
    with pytest.raises(IndexOutdated, match="up to date in the background; ask again"):
        session.answer(asked("session"))
    assert project.begun == 1
    project.refused = "there is no vault"
    with pytest.raises(IndexOutdated, match=r"failed: there is no vault; run: docs-rag index"):
        session.answer(asked("session"))


def test_a_server_sees_that_a_newer_version_has_laid_the_index_down_anew(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    project = BenchProject(bench, refused="")
    session = open_session(lambda: project)
    session.answer(asked("session"))
    with closing(sqlite3.connect(bench.store.path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(IndexDamaged, match="newer docs-rag; upgrade docs-rag"):
        session.answer(asked("session"))
    assert project.begun == 0


def test_an_index_without_vectors_gets_them_from_a_run_once_a_model_can_be_asked(
    tmp_path: Path, clock: Clock, open_session: Callable[..., Session]
) -> None:
    (folder := tmp_path / "lexical").mkdir()
    bench = workbench(folder, NOTES, None)
    bench.index()
    project = BenchProject(bench, refused="", may_have_vectors=False)
    session = open_session(lambda: project)
    finish(session)
    project.may_have_vectors = True
    for moment, begun in ((0.0, 0), (BEGIN_SECONDS - 1, 0), (BEGIN_SECONDS, 1), (BEGIN_SECONDS + 1, 1)):
        clock.now = moment
        session.answer(asked("zeppelin"))
        finish(session)
        assert project.begun == begun
    bench.embedder = FakeEmbedder()
    bench.index()
    finish(open_session(lambda: project))
    assert project.begun == 1
    bench.store.close()


def test_an_index_that_was_replaced_is_opened_again(
    project: BenchProject, bench: Workbench, tmp_path: Path, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    session.answer(asked("session"))
    (tmp_path / "other").mkdir()
    other = workbench(tmp_path / "other", {"wine.md": "# Wine\n\nWine of the session.\n"}, FakeEmbedder())
    other.index()
    other.store.close()
    bench.vault.files.clear()
    bench.vault.write("wine.md", "# Wine\n\nWine of the session.\n")
    bench.store.close()
    project.opened[0].index.close()
    Path(other.store.path).replace(bench.store.path)
    assert paths(session.answer(asked("wine"))) == ["wine.md"]
    assert len(project.opened) == 2


def test_an_index_that_is_gone_is_said_to_be_gone(bench: Workbench, open_session: Callable[..., Session]) -> None:
    session = open_session()
    session.answer(asked("session"))
    bench.store.close()
    for side in Path(bench.store.path).parent.glob("index.db*"):
        side.unlink()
    with pytest.raises(IndexMissing):
        session.answer(asked("session"))


def test_case_62_a_damaged_index_is_told_and_its_successor_used(
    project: BenchProject, bench: Workbench, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    session.answer(asked("session"))
    bench.store.close()
    session.close()
    whole = Path(bench.store.path).read_bytes()
    Path(bench.store.path).write_bytes(b"no database" * 1000)
    with pytest.raises(IndexDamaged):
        session.answer(asked("session"))
    Path(bench.store.path).write_bytes(whole)
    assert paths(session.answer(asked("session"))) == ["decisions/new.md"]


def test_an_index_that_can_no_longer_be_read_is_opened_again(bench: Workbench) -> None:
    assert not bench.store.was_replaced()
    bench.store.close()
    assert bench.store.was_replaced()


def test_what_another_process_indexed_is_in_the_next_answer(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    bench.automatic = False
    session = open_session()
    assert not session.answer(asked("whale")).hits
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    bench.index()
    assert paths(session.answer(asked("whale"))) == ["whale.md"]


def test_a_changed_config_is_read_again(project: BenchProject, open_session: Callable[..., Session]) -> None:
    session = open_session()
    session.answer(asked("session"))
    project.current = False
    session.answer(asked("session"))
    assert len(project.opened) == 2


def test_case_46_an_unapproved_config_is_served_as_soon_as_it_is_approved(
    project: BenchProject, open_session: Callable[..., Session]
) -> None:
    approved: list[BenchProject] = []

    def find() -> Project:
        if not approved:
            raise Unapproved("it asks for much", "docs-rag trust")
        return approved[0]

    session = open_session(find)
    with pytest.raises(Unapproved):
        session.answer(asked("session"))
    assert project.opened == []
    approved.append(project)
    assert session.answer(asked("session")).hits


def test_without_a_model_the_reason_is_a_notice(
    project: BenchProject, clock: Clock, open_session: Callable[..., Session]
) -> None:
    project.failure = "the model is not there"
    session = open_session()
    assert f"searched by words only: {project.failure}" in session.answer(asked("session")).notices
    project.failure = ""
    clock.now = RETRY_SECONDS - 1
    assert session.answer(asked("session")).index.mode == "lexical (embedder unavailable)"
    clock.now = RETRY_SECONDS
    assert session.answer(asked("session")).index.mode == "semantic+lexical"


def test_case_41_other_weights_of_the_same_name_are_never_scored(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    session = open_session()
    bench.embedder.weights = "sha256:other"
    answer = session.answer(asked("session"))
    assert answer.index.mode == "lexical (embedder unavailable)"
    assert [notice for notice in answer.notices if "other weights" in notice and "docs-rag index" in notice]
    bench.index()
    answer = session.answer(asked("session"))
    assert (answer.index.mode, answer.notices) == ("semantic+lexical", ())


def test_case_41_weights_that_could_not_be_looked_up_are_looked_up_later(
    bench: Workbench, clock: Clock, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    bench.embedder.down = True
    session = open_session()
    assert session.answer(asked("session")).index.mode == "lexical (embedder unavailable)"
    bench.embedder.down, bench.embedder.weights = False, "sha256:other"
    clock.now = RETRY_SECONDS
    (notice,) = session.answer(asked("session")).notices
    assert "other weights" in notice


def test_case_41_another_model_is_refused_until_the_index_has_it(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    session = open_session()
    bench.embedder = FakeEmbedder(replace(FAKE_MODEL, name="other"))
    with pytest.raises(IndexMismatch, match="docs-rag index"):
        session.answer(asked("session"))
    bench.index()
    assert session.answer(asked("session")).hits


def test_the_first_round_makes_a_questions_way_warm(
    bench: Workbench, project: BenchProject, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    session = open_session()
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    finish(session)
    assert len(bench.embedder.queries) >= 1
    assert "whale.md" in bench.store.notes.stamps()


def test_sections_of_changed_notes_are_embedded_between_questions(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    session = open_session()
    finish(session)
    before = len(bench.embedder.embedded)
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    session.close()
    session.answer(asked("whale"))
    finish(session)
    assert len(bench.embedder.embedded) == before + 1
    assert session.answer(asked("whale")).index.pending == 0


def test_a_question_embeds_what_it_has_time_for(bench: Workbench, open_session: Callable[..., Session]) -> None:
    session = open_session(may_embed=lambda: False)
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    answer = session.answer(asked("whale"))
    assert (paths(answer), answer.index.pending) == (["whale.md"], 0)


def test_upkeep_that_gives_way_embeds_a_few_sections_a_round_and_none_twice(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    session = open_session(may_embed=lambda: False)
    for number in range(7):
        bench.vault.write(f"whale{number}.md", f"# Whale {number}\n\nWhale {number} sings.\n")
    before = len(bench.embedder.embedded)
    counts = []
    while session.upkeep():
        counts.append(len(bench.embedder.embedded) - before)
    assert counts == [2, 4, 6, 7]
    assert session.answer(asked("whale")).index.pending == 0


def test_upkeep_that_gave_way_asks_no_probe_again(bench: Workbench, open_session: Callable[..., Session]) -> None:
    assert bench.embedder is not None
    session = open_session(may_embed=lambda: False)
    for name in ("whale", "seal", "gull"):
        bench.vault.write(f"{name}.md", f"# {name}\n\nThe {name} sings.\n")
    assert session.upkeep()
    queries = len(bench.embedder.queries)
    assert session.upkeep()
    assert len(bench.embedder.queries) == queries


def test_case_37_a_section_that_no_model_takes_does_not_keep_upkeep_going(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    bench.embedder.refuses = {"whale"}
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    session = open_session()
    finish(session)
    calls = len(bench.embedder.batches)
    session.answer(asked("bread"))
    assert not session.upkeep()
    assert len(bench.embedder.batches) == calls


def test_upkeep_ends_while_the_model_is_down_and_goes_on_when_it_is_back(
    bench: Workbench, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    session = open_session()
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    down_for_sections = bench.embedder.embed_documents

    def refuse(texts: object) -> list[object]:
        raise EmbedderUnavailable("the model is gone")

    bench.embedder.embed_documents = refuse  # type: ignore[method-assign,assignment]
    with pytest.raises(EmbedderUnavailable):
        finish(session)
    assert not session.upkeep()
    bench.embedder.embed_documents = down_for_sections  # type: ignore[method-assign]
    session.answer(asked("bread"))
    finish(session)
    assert session.answer(asked("whale")).index.pending == 0


def test_a_run_of_index_embeds_its_sections_itself(
    bench: Workbench, project: BenchProject, open_session: Callable[..., Session]
) -> None:
    assert bench.embedder is not None
    project.being_indexed = True
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    session = open_session()
    before = len(bench.embedder.embedded)
    finish(session)
    assert len(bench.embedder.embedded) == before
    project.being_indexed = False
    session.answer(asked("bread"))
    finish(session)
    assert len(bench.embedder.embedded) == before + 1


def test_an_answer_that_lacks_notes_says_that_a_run_of_index_is_at_work(
    bench: Workbench, project: BenchProject, open_session: Callable[..., Session]
) -> None:
    bench.automatic = False
    session = open_session()
    project.being_indexed = True
    assert BEING_INDEXED not in session.answer(asked("session")).notices
    assert session.answer(asked("zeppelin")).notices[0] == BEING_INDEXED
    bench.store.notes.remove(DocPath("guide/food.md"))
    answer = session.answer(asked("session"))
    assert answer.hits
    assert answer.notices[0] == BEING_INDEXED
    project.being_indexed = False
    assert BEING_INDEXED not in session.answer(asked("zeppelin")).notices


def test_while_a_run_is_at_work_no_answer_tells_to_start_one(
    bench: Workbench, project: BenchProject, open_session: Callable[..., Session]
) -> None:
    for number in range(9):
        bench.vault.write(f"session{number}.md", f"# Session {number}\n\nIt lasts {number} hours.\n")

    def refuse(texts: object) -> list[object]:
        raise EmbedderUnavailable("the model is at other work")

    assert bench.embedder is not None
    bench.embedder.embed_documents = refuse  # type: ignore[method-assign,assignment]
    session = open_session()
    with pytest.raises(EmbedderUnavailable):
        finish(session)
    (notice,) = (each for each in session.answer(asked("session 3")).notices if "by meaning" in each)
    assert notice.endswith("are searchable by meaning yet; run: docs-rag index")
    project.being_indexed = True
    notices = session.answer(asked("session 3")).notices
    assert notices[0] == BEING_INDEXED
    assert notice.removesuffix("; run: docs-rag index") in notices


def test_what_is_told_of_the_project_follows_it(
    bench: Workbench, project: BenchProject, open_session: Callable[..., Session]
) -> None:
    project.told = "decisions of team 7"
    session = open_session()
    assert session.overview.documents == 0
    session.look()
    assert session.overview.name == "bench-docs"
    assert session.overview.told == "decisions of team 7"
    assert (session.overview.documents, session.overview.folders) == (3, ("decisions", "guide"))
    bench.vault.write("whale.md", "# Whale\n\nThe whale sings.\n")
    finish(session)
    assert session.overview.documents == 4


def test_an_unapproved_config_tells_nothing(open_session: Callable[..., Session]) -> None:
    def find() -> Project:
        raise Unapproved("it asks for much", "docs-rag trust")

    session = open_session(find)
    with pytest.raises(DocsRagError):
        session.look()
    assert session.overview.name == "docs-rag"


def test_closing_gives_the_file_back(bench: Workbench, open_session: Callable[..., Session]) -> None:
    session = open_session()
    session.answer(asked("session"))
    bench.store.close()
    assert not is_closed(bench.store)
    session.close()
    assert is_closed(bench.store)


def test_added_notices_are_whole_lines_within_their_room(bench: Workbench) -> None:
    answer = bench.ask("session")
    added = with_notices(answer, ["two\nlines", "two\nlines", "x" * 600, "y" * 600, "z"]).notices
    assert added[0] == "two lines"
    assert sum(map(len, added)) <= ADDED_CHARS
    assert added[2].endswith("…")
    assert with_notices(answer, []) is answer
