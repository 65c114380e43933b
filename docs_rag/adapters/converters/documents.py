"""Documents of other formats as text: converted once, kept, and used again until the document changes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters import row_of, suffix_of
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.keeping import MOST_WARNINGS, KeptTexts, Made, clean_text, short
from docs_rag.adapters.converters.tools import tools
from docs_rag.core.ports import Effort, Interrupted, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.adapters.converters.worker import Worker
    from docs_rag.core.converted import Converted, KeptText
    from docs_rag.core.documents import FileStamp

MENDABLE: Final = frozenset({"missing-extra", "needs-ocr", "unsupported"})
"""Failures that a further tool may mend."""


class DocumentConverter:
    """Converts documents for one index; answers the port `Converter`."""

    def __init__(self, folder: str, secret: Callable[[], str], worker: Worker | None = None) -> None:
        """`folder` is `.rag/converted`. `secret` tells kept texts of ours from planted ones: the index's token."""
        self._kept = KeptTexts(folder, secret)
        self._worker = worker

    def handles(self, path: str) -> bool:
        """Whether a row of the table is for this file."""
        return row_of(path) is not None

    def mark(self, path: str) -> bytes:
        """Which converter reads this file, in which version: `.pdf 3`."""
        row = row_of(path)
        return b"" if row is None else f"{suffix_of(path)} {row.version}".encode()

    def refusal(self, stamp: FileStamp) -> Unreadable | None:
        """The failure that is known of this very file, unless something that may mend it has come since."""
        made = self._kept.made(stamp.path)
        if made is None or not made.code or made.stamp != _stamp(stamp) or self._has_changed(stamp.path, made):
            return None
        return Unreadable(made.code, made.message)

    def is_outdated(self, path: str) -> bool:
        """Whether what is kept was made by another version, or with fewer tools than there are now."""
        made = self._kept.made(path)
        return made is None or self._has_changed(path, made)

    def _has_changed(self, path: str, made: Made) -> bool:
        if made.mark != self._own_mark(path):
            return True
        is_mendable = bool(made.warnings) or made.code in MENDABLE
        return is_mendable and not set(tools()) <= set(made.had)

    def convert(self, stamp: FileStamp, data: bytes, *, racy: bool = False, effort: Effort | None = None) -> KeptText:
        """The text of a document; from what is kept where that was made of these bytes by this version."""
        path = stamp.path
        made = self._kept.made(path)
        if made is not None and made.key == self._key(path, data) and not self._has_changed(path, made):
            if made.code:
                self._recognise(stamp, made, racy=racy)
                raise Unreadable(made.code, made.message)
            if (text := self._kept.text(path, made)) is not None:
                return text
        if effort is not None and effort.seconds == 0:
            raise Interrupted
        return self.convert_again(stamp, data, racy=racy, effort=effort)

    def _recognise(self, stamp: FileStamp, made: Made, *, racy: bool) -> None:
        """Remember the stamp of a document that is known to fail, once it proves that it is the same."""
        if not racy and made.stamp != _stamp(stamp):
            known = replace(made, stamp=_stamp(stamp))
            self._keep(lambda: self._kept.put_failure(stamp.path, known))

    def convert_again(
        self, stamp: FileStamp, data: bytes, *, racy: bool = False, effort: Effort | None = None
    ) -> KeptText:
        """The same, whatever is kept."""
        effort = effort or Effort()
        made = Made(key=self._key(stamp.path, data), mark=self._own_mark(stamp.path))
        try:
            converted = self._run(stamp.path, data, effort)
        except Unconvertible as error:
            if effort.seconds is None or error.code != "timeout":
                seen = None if racy else _stamp(stamp)
                had = tools() if error.code in MENDABLE else ()
                failed = replace(made, stamp=seen, code=error.code, message=str(error), had=had)
                self._keep(lambda: self._kept.put_failure(stamp.path, failed))
            raise Unreadable(error.code, str(error)) from error
        return self._put(stamp.path, made, converted)

    def _put(self, path: str, made: Made, converted: Converted) -> KeptText:
        text = clean_text(converted)
        warnings = tuple(map(short, converted.warnings[:MOST_WARNINGS]))
        made = replace(
            made,
            digest=self._kept.seal(text),
            title=short(converted.title),
            warnings=warnings,
            stretches=tuple((*each.lines, short(each.location)) for each in converted.stretches),
            had=tools() if warnings else (),
        )
        self._keep(lambda: self._kept.put(path, made, text, converted.pictures))
        kept = self._kept.text(path, made)
        if kept is None:
            raise Unreadable("unreadable", "its text was replaced while it was kept; run: docs-rag index")
        return kept

    def _keep(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            why = (error.strerror or type(error).__name__).lower()
            raise Unreadable("unreadable", f"its text cannot be kept in .rag/converted: {why}") from error

    def _run(self, path: str, data: bytes, effort: Effort) -> Converted:
        if self._worker is None:
            from docs_rag.adapters.converters.worker import Worker  # noqa: PLC0415  # only where one is converted

            self._worker = Worker()
        name = path.rpartition("/")[2]
        return self._worker.convert(suffix_of(path), data, name, seconds=effort.seconds, is_wanted=effort.is_wanted)

    def _key(self, path: str, data: bytes) -> str:
        return self._kept.seal(self.mark(path), b"\0", data)

    def _own_mark(self, path: str) -> str:
        """The mark, as only this index writes it."""
        mark = self.mark(path)
        return f"{mark.decode()} {self._kept.seal(mark)[:8]}"

    def kept(self, path: str) -> KeptText | None:
        """What was last made of a document; nothing that another index or somebody else put there."""
        made = self._kept.made(path)
        return None if made is None else self._kept.text(path, made)

    def move(self, old: str, new: str) -> None:
        """Let what is kept of a document that is gone be what is kept of another one, unless there is something."""
        if self.handles(new) and self._kept.made(new) is None and self._kept.made(old) is not None:
            with suppress(OSError):  # then it is converted anew
                self._kept.move(old, new)

    def text_place(self, path: str) -> str:
        """The file with the kept text."""
        return self._kept.text_place(path)

    def sweep(self, is_wanted: Callable[[str], bool]) -> None:
        """Forget every document but those that are wanted, by path."""
        self._kept.sweep(is_wanted)

    def close(self) -> None:
        """End the process that converts."""
        if self._worker is not None:
            self._worker.close()


def _stamp(stamp: FileStamp) -> tuple[int, int, int]:
    return stamp.mtime_ns, stamp.ctime_ns, stamp.size
