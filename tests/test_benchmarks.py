"""The benchmarks' own parts that say something without a clock."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")

from benchmarks.__main__ import edit, floors, table
from benchmarks.generated import invented, write_vault
from benchmarks.speed import again, index
from benchmarks.warm import MadeUp, questions


def test_a_table_has_a_column_for_each_size_and_the_ratio_to_an_earlier_run() -> None:
    run = {"10": {"index": {"seconds": 1.5, "new": 2.0}}, "1000": {"index": {"seconds": 30.0, "new": 1.0}}}
    head, seconds, new, machine = table(run, {"10": {"index": {"seconds": 3.0}}})
    assert head.split() == ["10", "1,000", "notes"]
    assert seconds.split() == ["index", "seconds", "1.5", "(0.50x)", "30.0"]
    assert new.split() == ["index", "new", "2.0", "1.0"]
    assert "Python" in machine


def test_the_parts_measure_a_small_vault(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    size = write_vault(vault, 12)
    assert floors(vault)["megabytes"] == round(size / 1e6, 2)
    built = index(vault)
    assert (built["notes"], built["sections"] > 24) == (12, True)
    assert again(vault)["ratio"] > 0
    found = edit(vault)
    assert found["milliseconds"] > 0 < found["namedMilliseconds"]


def test_generated_things_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_vault(tmp_path / name, 3)
    texts = [[file.read_text() for file in sorted((tmp_path / name).rglob("*.md"))] for name in ("one", "other")]
    assert texts[0] == texts[1]
    assert list(questions(4)) == list(questions(9))[:4]
    assert len({invented(place) for place in range(5000)}) == 5000
    assert MadeUp().embed_query("a question") == MadeUp().embed_query("a question") != MadeUp().embed_query("another")
