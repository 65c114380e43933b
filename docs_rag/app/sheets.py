"""The file in which a record's state is written: its note, or the metadata file beside that.

A metadata file is read as the frontmatter that it would be, so that a mark need not know of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from docs_rag.core.declared import statements_in
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import WriteFile, write
from docs_rag.core.exact import decode_exact
from docs_rag.core.linting.corpus import Subject
from docs_rag.core.ports import Unreadable, Vault
from docs_rag.core.sidecars import sidecar_of
from docs_rag.core.spellings import Role
from docs_rag.core.statusrules import StatusRules
from docs_rag.errors import DocsRagError

_FENCE: Final = "---\n"
_BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One file as it is now."""

    note: DocPath
    path: DocPath
    """The file: `note` itself, or its metadata file."""
    data: bytes
    text: str
    """Exact."""
    codec: str

    @property
    def is_beside(self) -> bool:
        """Whether this is a metadata file beside its note."""
        return self.path != self.note

    @property
    def markable(self) -> str:
        """The text as a note's."""
        if not self.is_beside:
            return self.text
        text = self.text.removeprefix(_BOM)
        return f"{_FENCE}{text}{'' if text.endswith(chr(10)) else chr(10)}{_FENCE}"

    def as_file(self, marked: str) -> str:
        """What the file holds once `markable` has become `marked`."""
        if not self.is_beside:
            return marked
        text = marked.removeprefix(_FENCE).removesuffix(_FENCE)
        mark = _BOM if self.text.startswith(_BOM) else ""
        return mark + (text if self.text.endswith("\n") else text.removesuffix("\n"))

    def edit(self, text: str) -> WriteFile:
        """The edit that gives the file another text."""
        return write(self.path, self.data, text.encode(self.codec))


def sheet_of(vault: Vault, subject: Subject, rules: StatusRules) -> Sheet:
    """Where a record has its state. Raises `DocsRagError` for a file that cannot be read."""
    note = subject.note.path
    beside = sidecar_of(note)
    try:
        data = vault.sidecar(note) if beside is not None and not _speaks_itself(subject, rules) else None
        path = note if data is None or beside is None else beside
        held = vault.read(note)[1] if data is None else data
        text, codec = decode_exact(held)
    except Unreadable as error:
        raise DocsRagError(f"{note} cannot be read: {error}", "look at the file") from error
    return Sheet(note=note, path=path, data=held, text=text, codec=codec)


def _speaks_itself(subject: Subject, rules: StatusRules) -> bool:
    """Whether a note states its status in its own text."""
    said = statements_in(subject.note.path, subject.note.text, rules)
    return bool(subject.part) or any(each.role is Role.STATUS and each.form != "folder" for each in said)
