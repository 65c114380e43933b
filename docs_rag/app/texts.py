"""The texts in which the sections of an index count their lines: notes, and what documents were converted to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from docs_rag.app.reader import FileText
from docs_rag.core.ports import Effort, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.core.documents import DocPath, FileStamp
    from docs_rag.core.ports import Converter, Vault

CONVERT_SECONDS: Final = 10.0
"""How long a reader waits for a document that has changed."""
EARLIER: Final = "the document has changed and could not be converted again ({why}): its earlier text is shown"


class VaultTexts:
    """Reads texts of one vault; documents of other formats come from what a converter keeps of them."""

    def __init__(
        self, vault: Vault, root: str, place: Callable[[str], str], converter: Converter | None = None
    ) -> None:
        """`root`: the vault's folder, absolute. `place` tells which file, absolute, holds the text of a path."""
        self._vault = vault
        self._root = root
        self._place = place
        self._converter = converter

    @property
    def vault(self) -> str:
        """The vault's folder, absolute."""
        return self._root

    def read(self, path: DocPath) -> FileText:
        """The text of a note as it is now; raises `Unreadable`, also for what leads out of the vault."""
        stamp, data = self._vault.read(path)
        if self._converter is not None and self._converter.handles(path):
            return self._converted(self._converter, stamp, data)
        from docs_rag.core.parsing import decode  # noqa: PLC0415  # loads what only a note that is read needs

        return FileText(stamp=stamp, text=decode(data), place=self._place(path), beside=self._beside(path))

    def _beside(self, path: DocPath) -> str | None:
        from docs_rag.app.reading import beside_text  # noqa: PLC0415  # loads what only a note that is read needs

        try:
            return beside_text(self._vault, path)
        except Unreadable:
            return None

    def _converted(self, converter: Converter, stamp: FileStamp, data: bytes) -> FileText:
        """What is kept of a document; where that is of another version and cannot be made anew, it says so."""
        notices: tuple[str, ...] = ()
        try:
            kept = converter.convert(stamp, data, effort=Effort(CONVERT_SECONDS))
        except Unreadable as error:
            earlier = converter.kept(stamp.path)
            if earlier is None:
                raise
            kept, notices = earlier, (EARLIER.format(why=error),)
            stamp = stamp._replace(mtime_ns=0, ctime_ns=0)
        return FileText(
            stamp=stamp,
            text=kept.markdown,
            place=self._place(stamp.path),
            stretches=kept.stretches,
            beside=self._beside(stamp.path),
            notices=(*notices, *kept.warnings),
        )
