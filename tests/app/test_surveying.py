"""The sample of notes that `init` looks at."""

from __future__ import annotations

from fakes import MemoryVault
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.app.surveying import MOST_OF_A_FOLDER, MOST_READ, sample, survey_statuses
from docs_rag.core.documents import DocPath


def test_what_notes_say_and_what_folders_do_not() -> None:
    vault = MemoryVault(
        {
            "decisions/1.md": "# A\n\n## Status\n\nAccepted\n",
            "zettel/1.md": "---\nstatus: 🌱 seedling\n---\n",
            "archived/1.md": "text\n",
            "keps/1/README.md": "# K\n",
            "keps/1/kep.yaml": "status: implemented\n",
            "bad.md": b"\xff\xfe\x00",
            "log.md": "# Log\n\n## D-001 Tea → superseded by D-002\n\nx\n\n## D-002 Coffee\n\ny\n",
            "form.md": '---\nstatus: "{accepted | rejected}"\n---\n',
        }
    )
    paths = [DocPath(path) for path in vault.files if path.endswith(".md")]
    said = survey_statuses(vault, paths)
    assert said.statuses == {
        "archived/1.md": "",
        "decisions/1.md": "Accepted",
        "form.md": "",
        "keps/1/README.md": "implemented",
        "log.md": "",
        "zettel/1.md": "🌱 seedling",
    }
    assert said.logs == {"log.md"}


def test_a_small_folder_is_not_lost_beside_a_large_one() -> None:
    paths = [DocPath(f"zettel/{n:05}.md") for n in range(25_000)] + [DocPath("decisions/1.md")]
    chosen = sample(paths)
    assert len(chosen) == MOST_OF_A_FOLDER + 1
    assert DocPath("decisions/1.md") in chosen


@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 40)).map(lambda at: DocPath(f"{at[0]}/{at[1]}.md"))))
def test_a_sample_is_bounded_and_of_each_folder_if_there_are_few(paths: list[DocPath]) -> None:
    chosen = sample(set(paths))
    assert len(chosen) == len(set(chosen)) <= MOST_READ
    folders = {path.partition("/")[0] for path in paths}
    assert len({path.partition("/")[0] for path in chosen}) == min(len(folders), MOST_READ)


def test_many_folders_give_a_note_each() -> None:
    paths = [DocPath(f"{folder}/{n}.md") for folder in range(1_000) for n in range(3)]
    assert len(sample(paths)) == MOST_READ
