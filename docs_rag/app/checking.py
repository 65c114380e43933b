"""Looking a vault over: the use case of `check`. It reads the files themselves and needs no index."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from docs_rag.app.reading import beside_text, read_record
from docs_rag.core.documents import DocPath, Document, FileStamp, Skipped
from docs_rag.core.linting.baseline import Entry, compare
from docs_rag.core.linting.changed import is_blob
from docs_rag.core.linting.codes import find_codes
from docs_rag.core.linting.corpus import Close, Corpus
from docs_rag.core.linting.findings import Selection
from docs_rag.core.linting.ignoring import without_ignored
from docs_rag.core.linting.rules import check
from docs_rag.core.ports import Converter, Unreadable, Vault
from docs_rag.core.reports.outcome import Outcome
from docs_rag.core.sidecars import sidecar_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from docs_rag.core.statusrules import StatusRules


class Closeness(Protocol):
    """Something that knows which notes mean nearly the same."""

    def closest(
        self, stamps: Collection[FileStamp], wanted: Callable[[DocPath], bool], records: Sequence[DocPath]
    ) -> Sequence[Close]:
        """The closest pairs of records, best first; one of each is wanted."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """What one run is for."""

    selection: Selection
    only: tuple[DocPath, ...] | None = None
    """Notes and folders whose findings are told; None: all. The whole vault is read in any case."""
    since: Mapping[DocPath, str] | None = None
    """Ids of contents as git had them: only notes that are otherwise are told of."""
    baseline: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a run saw."""

    outcome: Outcome
    corpus: Corpus


class Checker:
    """Checks one vault."""

    def __init__(
        self, vault: Vault, rules: StatusRules, closeness: Closeness, converter: Converter | None = None
    ) -> None:
        """`rules` say what a status means here; `converter` knows documents of other formats, which are not read."""
        self._converter = converter
        self._vault = vault
        self._rules = rules
        self._closeness = closeness

    def run(self, request: CheckRequest) -> Checked:
        """Read the vault and tell what is wrong with the notes that the request is for. Raises `VaultError`."""
        reading = _Reading(self._vault, self._rules, request, self._converter)

        def close(records: Sequence[DocPath]) -> Sequence[Close]:
            return self._closeness.closest(reading.stamps, reading.is_wanted, records)

        corpus = Corpus(documents=reading.documents, skipped=reading.skipped, rules=self._rules, close=close)
        findings = [each for each in check(corpus, request.selection) if reading.is_wanted(each.path)]
        kept, suppressed = without_ignored(findings, corpus.documents)
        compared = compare(kept, [each for each in request.baseline if _concerns(each, request, reading)])
        outcome = Outcome(
            findings=compared.fresh,
            checked=tuple(sorted(path for path in reading.paths() if reading.is_wanted(path))),
            suppressed=suppressed,
            known=compared.known,
            stale=compared.stale,
        )
        return Checked(outcome=outcome, corpus=corpus)


class _Reading:
    """One walk through the vault."""

    def __init__(self, vault: Vault, rules: StatusRules, request: CheckRequest, converter: Converter | None) -> None:
        self._converter = converter
        self.documents: list[Document] = []
        self.skipped: list[Skipped] = []
        self.stamps: list[FileStamp] = []
        self._vault = vault
        self._rules = rules
        self._only = request.only
        self._since = request.since
        self._unchanged: set[DocPath] = set()
        for found in vault.scan():
            if isinstance(found, Skipped):
                self.skipped.append(found)
            else:
                self._take(found)

    def is_wanted(self, path: DocPath) -> bool:
        """Whether findings of a note are told."""
        if path in self._unchanged:
            return False
        return self._only is None or any(path == each or path.startswith(f"{each}/") for each in self._only)

    def paths(self) -> list[DocPath]:
        """Every file that was asked for."""
        return [*(each.path for each in self.documents), *(each.path for each in self.skipped)]

    def _take(self, stamp: FileStamp) -> None:
        path = stamp.path
        try:
            data, document = read_record(self._vault, self._converter, path, self._rules, self._beside(path))
        except Unreadable as error:
            self.skipped.append(Skipped(path, error.code, str(error)))
            return
        except RecursionError:  # nesting no person writes
            self.skipped.append(Skipped(path, "unreadable", "nested too deep to be read"))
            return
        self.documents.append(document)
        self.stamps.append(stamp)
        if self._since is not None and is_blob(data, self._since.get(path, "")) and self._is_beside_unchanged(path):
            self._unchanged.add(path)

    def _beside(self, path: DocPath) -> str | None:
        """The text of the metadata file beside a note; one that cannot be read says nothing."""
        try:
            return beside_text(self._vault, path)
        except Unreadable as error:
            self.skipped.append(Skipped(sidecar_of(path) or path, error.code, str(error)))
            return None

    def _is_beside_unchanged(self, path: DocPath) -> bool:
        sidecar = sidecar_of(path)
        data = None if sidecar is None else self._vault.sidecar(path)
        return data is None or is_blob(data, (self._since or {}).get(sidecar or path, ""))


def _concerns(entry: Entry, request: CheckRequest, reading: _Reading) -> bool:
    """Whether a run could have come upon what an entry of the baseline knows."""
    codes = find_codes(entry.code)
    return reading.is_wanted(DocPath(entry.path)) and request.selection.wants(*(code.id for code in codes))
