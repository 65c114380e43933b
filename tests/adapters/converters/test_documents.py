"""Converted texts: kept, used again, and never believed when something else lies in their place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from converting import ROW, converted, odd_worker

from docs_rag.adapters.converters import CONVERTERS
from docs_rag.adapters.converters.documents import DocumentConverter
from docs_rag.core.converted import Stretch
from docs_rag.core.documents import DocPath, FileStamp
from docs_rag.core.ports import Effort, Unreadable

PATH = "plans/manual.odd"


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DocumentConverter]:
    monkeypatch.setitem(CONVERTERS, ".odd", ROW)
    made = DocumentConverter(str(tmp_path / "converted"), lambda: "secret", odd_worker(tmp_path))
    yield made
    made.close()


def stamp(path: str = PATH, mtime: int = 1) -> FileStamp:
    return FileStamp(DocPath(path), mtime, 0, 10)


def test_a_text_is_kept_and_used_again(documents: DocumentConverter, tmp_path: Path) -> None:
    first = documents.convert(stamp(), b"# Tea/hot|cold")
    again = documents.convert(stamp(), b"# Tea/hot|cold")
    assert first == again
    assert first.stretches == (Stretch((1, 2), "p. 1"), Stretch((3, 3), "p. 2"))
    assert converted(tmp_path) == ["manual.odd"]
    place = Path(documents.text_place(PATH))
    assert place == tmp_path / "converted" / "plans" / "manual.odd" / "text.md"
    assert place.read_text(encoding="utf-8") == first.markdown == "# Tea\nhot\ncold\n"
    assert (place.parent / "a.png").read_bytes() == b"\x00\x01"
    assert documents.kept(PATH) == first
    if os.name == "posix":
        assert (place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_other_bytes_are_converted_anew(documents: DocumentConverter, tmp_path: Path) -> None:
    documents.convert(stamp(), b"tea")
    assert documents.convert(stamp(), b"coffee").markdown == "coffee\n"
    assert len(converted(tmp_path)) == 2


def test_sources_that_differ_in_their_suffix_alone_do_not_collide(
    documents: DocumentConverter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CONVERTERS, ".pdf", ROW)
    assert documents.text_place("manual.odd") != documents.text_place("manual.pdf")


def test_another_version_converts_anew(
    documents: DocumentConverter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents.convert(stamp(), b"tea")
    assert not documents.is_outdated(PATH)
    monkeypatch.setitem(CONVERTERS, ".odd", ROW._replace(version=2))
    assert documents.is_outdated(PATH)
    documents.convert(stamp(), b"tea")
    assert len(converted(tmp_path)) == 2


@pytest.mark.parametrize("file", ["text.md", "made.json"])
@pytest.mark.parametrize("content", ["", "lies", "null", "[1]", '{"key": 1}'])
def test_what_somebody_else_put_there_is_not_believed(
    documents: DocumentConverter, tmp_path: Path, file: str, content: str
) -> None:
    documents.convert(stamp(), b"tea")
    (tmp_path / "converted" / PATH / file).write_text(content, encoding="utf-8")
    assert documents.kept(PATH) is None
    assert documents.convert(stamp(), b"tea").markdown == "tea\n"
    assert len(converted(tmp_path)) == 2


def test_texts_of_another_index_are_not_believed(documents: DocumentConverter, tmp_path: Path) -> None:
    documents.convert(stamp(), b"tea")
    other = DocumentConverter(str(tmp_path / "converted"), lambda: "another", odd_worker(tmp_path))
    assert other.kept(PATH) is None
    assert other.is_outdated(PATH)
    other.close()


def test_a_failure_is_remembered(documents: DocumentConverter, tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(Unreadable) as failure:
            documents.convert(stamp(), b"locked")
        assert (failure.value.code, str(failure.value)) == ("encrypted", "it has a password")
    assert len(converted(tmp_path)) == 1
    known = documents.refusal(stamp())
    assert known is not None
    assert known.code == "encrypted"
    assert documents.refusal(stamp(mtime=2)) is None
    assert documents.kept(PATH) is None


def test_a_racy_failure_is_known_by_its_bytes_alone(documents: DocumentConverter) -> None:
    with pytest.raises(Unreadable):
        documents.convert(stamp(), b"locked", racy=True)
    assert documents.refusal(stamp()) is None


def test_a_new_tool_is_a_reason_to_try_again(
    documents: DocumentConverter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unreadable):
        documents.convert(stamp(), b"lacking")
    documents.convert(stamp("part.odd"), b"in part?")
    documents.convert(stamp("whole.odd"), b"whole")
    assert not documents.is_outdated("part.odd")
    monkeypatch.setattr("docs_rag.adapters.converters.documents.tools", lambda: ("a new one",))
    assert documents.refusal(stamp()) is None
    assert documents.is_outdated("part.odd")
    assert not documents.is_outdated("whole.odd")


def test_a_timeout_in_a_hurry_is_no_failure_of_the_document(documents: DocumentConverter) -> None:
    with pytest.raises(Unreadable) as failure:
        documents.convert(stamp(), b"hang", effort=Effort(seconds=0.3))
    assert failure.value.code == "timeout"
    assert documents.refusal(stamp()) is None


def test_pictures_stay_in_their_folder(documents: DocumentConverter, tmp_path: Path) -> None:
    documents.convert(stamp(), b"escape")
    folder = tmp_path / "converted" / PATH
    assert sorted(each.name for each in folder.iterdir()) == ["_text.md", "made.json", "out.png", "text.md"]
    assert documents.kept(PATH) is not None


@pytest.mark.skipif(os.name != "posix", reason="links need no rights there")
def test_links_are_replaced_and_never_followed(documents: DocumentConverter, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "text.md").write_text("mine", encoding="utf-8")
    (tmp_path / "converted" / "plans").mkdir(parents=True)
    (tmp_path / "converted" / PATH).symlink_to(outside)
    documents.convert(stamp(), b"tea")
    assert (outside / "text.md").read_text(encoding="utf-8") == "mine"
    place = Path(documents.text_place(PATH))
    place.unlink()
    place.symlink_to(outside / "text.md")
    assert documents.convert(stamp(), b"tea").markdown == "tea\n"
    assert (outside / "text.md").read_text(encoding="utf-8") == "mine"


def test_what_has_no_source_any_more_is_swept(documents: DocumentConverter, tmp_path: Path) -> None:
    for path in ("a.odd", "a.odd/below/b.odd", "deep/down/c.odd", "d.odd"):
        documents.convert(stamp(path), b"tea")
    documents.sweep(["a.odd/below/b.odd", "d.odd"].__contains__)
    assert documents.kept("a.odd/below/b.odd") is not None
    assert documents.kept("d.odd") is not None
    assert documents.kept("a.odd") is None
    assert not (tmp_path / "converted" / "deep").exists()
    documents.sweep(lambda path: False)
    assert list((tmp_path / "converted").iterdir()) == []
