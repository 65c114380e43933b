"""The file in which a record's state is written, and how a mark gets into it: a row of `FORMS` for each kind of place.

A metadata file, and a row in the table of a README, are read as the frontmatter that they would be, so that a mark need
not know of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_rag.app.reading import table_row
from docs_rag.core.companions import companion_of
from docs_rag.core.declared import statements_in
from docs_rag.core.doctable import rows, with_row
from docs_rag.core.documents import DocPath
from docs_rag.core.edits import WriteFile, write
from docs_rag.core.exact import decode_exact
from docs_rag.core.linting.corpus import Subject
from docs_rag.core.ports import Unreadable, Vault
from docs_rag.core.sidecars import sidecar_of
from docs_rag.core.spellings import Role
from docs_rag.core.statusrules import StatusRules
from docs_rag.errors import DocsRagError

if TYPE_CHECKING:
    from docs_rag.core.ports import Converter

_FENCE: Final = "---\n"
_BOM: Final = "\ufeff"


class Form(NamedTuple):
    """How the text of a file and the text of a note become each other; `name` is that of the record's own file."""

    shown: Callable[[str, str], str]
    """(text of the file, name) -> what a mark is written into."""
    put: Callable[[str, str, str], str]
    """(text of the file, name, marked text) -> text of the file."""
    beside: Callable[[str, str], str] | None
    """(text of the file, name) -> what the record's own file is told by it; None where it is that file."""


def _fenced(text: str, name: str) -> str:
    text = text.removeprefix(_BOM)
    return f"{_FENCE}{text}{'' if text.endswith(chr(10)) else chr(10)}{_FENCE}"


def _unfenced(text: str, name: str, marked: str) -> str:
    bare = marked.removeprefix(_FENCE).removesuffix(_FENCE)
    mark = _BOM if text.startswith(_BOM) else ""
    return mark + (bare if text.endswith("\n") else bare.removesuffix("\n"))


def _row_text(text: str, name: str) -> str:
    return rows(text)[name].text


FORMS: Final = {
    "note": Form(lambda text, name: text, lambda text, name, marked: marked, None),
    "metadata": Form(_fenced, _unfenced, lambda text, name: text),
    "companion": Form(
        lambda text, name: text, lambda text, name, marked: marked, lambda text, name: text.removeprefix(_BOM)
    ),
    "table": Form(_row_text, lambda text, name, marked: with_row(text, rows(text)[name], marked), _row_text),
}
"""The places in which a state may be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One file as it is now, for one record."""

    note: DocPath
    """The record's own file."""
    path: DocPath
    """The file that is written: `note` itself, or one beside it."""
    data: bytes | None
    """None: there is no such file yet."""
    text: str
    """Exact."""
    codec: str
    form: Form

    @property
    def _name(self) -> str:
        return self.note.rpartition("/")[2]

    def shown(self, text: str) -> str:
        """What a mark is written into, of what the file holds by now."""
        return self.form.shown(text, self._name)

    def put(self, text: str, marked: str) -> str:
        """What the file holds once `shown(text)` has become `marked`."""
        return self.form.put(text, self._name, marked)

    def beside(self, text: str) -> str | None:
        """What the file says for a record whose own file it is not; None where it is that file."""
        return None if self.form.beside is None else self.form.beside(text, self._name)

    def edit(self, text: str) -> WriteFile:
        """The edit that gives the file another text."""
        return write(self.path, self.data, text.encode(self.codec))


def sheet_of(vault: Vault, subject: Subject, rules: StatusRules, converter: Converter | None = None) -> Sheet:
    """Where a record has its state: for a document that nothing speaks for yet, a note that is to be made.

    Raises `DocsRagError` for a file that cannot be read.
    """
    note = subject.note.path
    try:
        if converter is not None and converter.handles(note):
            return _document_sheet(vault, note)
        beside = sidecar_of(note)
        data = vault.sidecar(note) if beside is not None and not _speaks_itself(subject, rules) else None
        if data is None or beside is None:
            return _sheet(note, note, vault.read(note)[1], "note")
        return _sheet(note, beside, data, "metadata" if companion_of(note) is None else "companion")
    except Unreadable as error:
        raise DocsRagError(f"{note} cannot be read: {error}", "look at the file") from error


def _document_sheet(vault: Vault, document: DocPath) -> Sheet:
    data = vault.sidecar(document)
    found = table_row(vault, document) if data is None else None
    if found is None:
        return _sheet(document, DocPath(f"{document}.md"), data, "companion")
    return _sheet(document, found[0], vault.read(found[0])[1], "table")


def _sheet(note: DocPath, path: DocPath, data: bytes | None, form: str) -> Sheet:
    text, codec = ("", "utf-8") if data is None else decode_exact(data)
    return Sheet(note=note, path=path, data=data, text=text, codec=codec, form=FORMS[form])


def _speaks_itself(subject: Subject, rules: StatusRules) -> bool:
    """Whether a note states its status in its own text."""
    said = statements_in(subject.note.path, subject.note.text, rules)
    return bool(subject.part) or any(each.role is Role.STATUS and each.form != "folder" for each in said)
