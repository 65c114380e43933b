"""What the hook and the background run leave for each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.hookfiles import OUTCOME, SEEN
from docs_rag.core.hookstate import LastRun, as_bytes, following, hook_state, last_run


def test_nothing_is_known_of_a_hook_that_never_ran() -> None:
    state = hook_state(lambda name: None)
    assert (state.seen_at, state.last_run) == (None, None)


def test_both_files_are_read() -> None:
    run = following(None, at="2026-11-30T09:00:00Z", ok=True, message="1 added")
    files = {SEEN: b'{"at": "2026-11-30T08:59:59Z"}', OUTCOME: as_bytes(run)}
    state = hook_state(files.get)
    assert state.seen_at == "2026-11-30T08:59:59Z"
    assert state.last_run == run


def test_failures_in_a_row_are_one_episode() -> None:
    first = following(None, at="1", ok=False, message="no vault")
    second = following(first, at="2", ok=False, message="still none")
    well = following(second, at="3", ok=True, message="done")
    again = following(well, at="4", ok=False, message="gone again")
    assert [each.since for each in (first, second, well, again)] == ["1", "1", "", "4"]


@given(ok=st.booleans(), message=st.text(max_size=50))
def test_an_outcome_is_read_as_it_was_written(ok: bool, message: str) -> None:
    written = following(None, at="2026", ok=ok, message=message)
    assert last_run(as_bytes(written)) == written


def test_a_message_is_kept_in_part_when_it_is_endless() -> None:
    assert len(following(None, at="1", ok=False, message="x" * 10_000).message) == 1000


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"at": 1}', b"[" * 100_000,
     b'{"at": "1", "ok": 1, "message": "", "since": ""}'],
)  # fmt: skip
def test_odd_content_is_no_outcome(data: bytes) -> None:
    assert last_run(data) is None
    assert hook_state(lambda name: data).last_run is None


def test_the_value_is_plain() -> None:
    assert last_run(b'{"at": "1", "ok": true, "message": "m", "since": ""}') == LastRun(
        at="1", ok=True, message="m", since=""
    )
