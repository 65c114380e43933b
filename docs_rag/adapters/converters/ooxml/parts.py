"""The parts of an Office Open XML package and how they refer to each other (ECMA-376 part 2)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.adapters.converters.zipxml import Archive, attribute, local, open_zip
from docs_rag.core.converted import Picture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_NO_TITLES: Final = frozenset({"powerpoint presentation", "powerpoint 프레젠테이션", "slide 1", "untitled"})
"""What programs write where nobody gave a title."""
_ODD: Final = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Relation:
    """Where a part refers to."""

    kind: str
    """The last segment of the type: `image`, `slide`, `hyperlink`."""
    target: str
    """The name of a part, or an address outside the package."""
    is_outside: bool


class Package:
    """An opened package; collects the pictures that its text refers to, and what could not be read."""

    def __init__(self, archive: Archive) -> None:
        """Own the archive."""
        self.archive = archive
        self.warnings: dict[str, None] = {}
        self._pictures: dict[str, Picture] = {}
        self._relations: dict[str, dict[str, Relation]] = {}

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures so far, in the order of their first use."""
        return tuple(self._pictures.values())

    def main(self, default: str) -> str:
        """The name of the part that everything else hangs on; `default` where the package does not say."""
        named = [each.target for each in self.relations("").values() if each.kind == "officeDocument"]
        return next((name for name in named if name in self.archive), default)

    def relations(self, part: str) -> dict[str, Relation]:
        """Identifier -> relation of a part (`""`: of the package); none where they cannot be read, with a warning."""
        if part not in self._relations:
            self._relations[part] = dict(self._read_relations(part))
        return self._relations[part]

    def related(self, part: str, kind: str) -> list[str]:
        """The parts of a kind that a part refers to and that exist."""
        found = (each for each in self.relations(part).values() if each.kind == kind and not each.is_outside)
        return [each.target for each in found if each.target in self.archive]

    def optional(self, name: str) -> Element | None:
        """A part that text can do without; None with a warning when it is there but cannot be read."""
        if name not in self.archive:
            return None
        try:
            return self.archive.xml(name)
        except Unconvertible as failure:
            if failure.code == "too-large":
                raise
            self.warnings[str(failure)] = None
            return None

    def picture(self, part: str, identifier: str, words: str) -> str:
        """The markdown image for a relation of `part`; empty when there is none in the package."""
        relation = self.relations(part).get(identifier)
        if relation is None or relation.is_outside or relation.target not in self.archive:
            return ""
        if relation.target not in self._pictures:
            taken = {each.name for each in self._pictures.values()}
            name = _ODD.sub("-", posixpath.basename(relation.target))
            name = name if name not in taken else f"{len(taken)}-{name}"
            try:
                self._pictures[relation.target] = Picture(name, self.archive.read(relation.target))
            except Unconvertible as failure:
                if failure.code == "too-large":
                    raise
                self.warnings[str(failure)] = None
                return ""
        alt = " ".join(re.sub(r"[][]", " ", words).split())
        return f"![{alt}]({self._pictures[relation.target].name})"

    def title(self) -> str:
        """The title among the document's properties."""
        for name in self.related("", "core-properties"):
            properties = self.optional(name)
            for each in properties if properties is not None else ():
                if local(each) == "title":
                    title = " ".join((each.text or "").split())
                    return "" if title.casefold() in _NO_TITLES else title
        return ""

    def _read_relations(self, part: str) -> Iterator[tuple[str, Relation]]:
        folder, name = posixpath.split(part)
        root = self.optional(posixpath.join(folder, "_rels", f"{name}.rels"))
        for each in root if root is not None else ():
            is_outside = each.get("TargetMode") == "External"
            target = each.get("Target", "")
            if not is_outside:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = each.get("Type", "").rpartition("/")[2]
            yield attribute(each, "Id"), Relation(kind, target, is_outside)


def open_package(data: bytes, name: str) -> Package:
    """Open a package; raises `Unconvertible`, also for encrypted and old binary documents under a new suffix."""
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise Unconvertible("encrypted", f"{name} is protected by a password; save a copy without one")
        raise Unconvertible("unsupported", f"{name} is an Office document of the years before 2007; save it anew")
    return Package(open_zip(data))
