"""What scaffold notes down, and what it makes of files that it did not write."""

from __future__ import annotations

import pytest

from docs_rag.core.scaffoldrecord import Added, Record, read, written

RECORD = Record(
    entries=(Added(".mcp.json", ("mcpServers", "문서"), 1),),
    created=(".mcp.json",),
    blank=(".gitignore",),
    folders=(".cursor",),
    config="ab12",
)


def test_it_comes_back_as_it_was() -> None:
    assert read(written(RECORD)) == RECORD
    assert read(written(Record())) == Record()


def test_an_entry_is_found_by_its_place() -> None:
    assert RECORD.of(".mcp.json", ("mcpServers", "문서")) == RECORD.entries[0]
    assert RECORD.of(".mcp.json", ("mcpServers", "other")) is None


@pytest.mark.parametrize(
    "data",
    [None, b"", b"[]", b"{}", b"\xff", b'{"entries": [1], "created": [], "blank": [], "folders": [], "config": null}',
     b'{"entries": [], "created": [1], "blank": [], "folders": [], "config": null}',
     b'{"entries": [{"file": "a", "keys": ["b"], "kept": "c"}], "created": [], "blank": [], "folders": [],'
     b' "config": null}'],
)  # fmt: skip
def test_what_it_did_not_write_is_no_record(data: bytes | None) -> None:
    assert read(data) is None
