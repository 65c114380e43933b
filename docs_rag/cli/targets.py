"""The notes and folders that a caller names on the command line, as the vault knows them."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from docs_rag.config import lies_in
from docs_rag.core.documents import DocPath, note_path
from docs_rag.core.rootpaths import Roots, join_root
from docs_rag.errors import UsageError


def start_folder(folder: str | None) -> Path:
    """The folder that relative names count from: `-C`, else the working directory; absolute, links not resolved.

    Raises `UsageError` when the working directory is needed and gone.
    """
    try:
        return Path(os.path.normpath(Path(folder or ".").expanduser().absolute()))
    except FileNotFoundError:
        raise UsageError("the working directory is gone", "change to another one") from None


def in_vault(vault: str, paths: Iterable[str], *, folder: str | None, roots: Roots = ()) -> tuple[DocPath, ...]:
    """Paths, counted from `folder` or the working directory, relative to the vault (absolute).

    One that is not there but in the vault counts from the vault, as answers write it; one in another folder of `roots`
    begins with its name. Empty when one of them is the whole vault. Raises `UsageError` for one that lies outside.
    """
    found = [_below(vault, roots, _place(vault, roots, path, folder), path) for path in paths]
    return () if "" in found else tuple(found)


def named_record(vault: str, typed: str, *, folder: str | None, roots: Roots = ()) -> str:
    """A record as its vault calls it, where a path from `folder` or the working directory was typed; else as typed.

    NFC, as names in the vault are: a terminal may hand a name over as it is spelt on disk.
    """
    said = unicodedata.normalize("NFC", typed)
    note = note_path(typed)
    try:
        (path,) = in_vault(vault, [note], folder=folder, roots=roots) or ("",)
        is_there = bool(path) and _place(vault, roots, note, folder).is_file()
    except (UsageError, ValueError, OSError):  # outside the vault; no path at all; a title too long for a name
        return said
    return path + said[len(unicodedata.normalize("NFC", note)) :] if is_there else said


def named_notes(
    vault: str, paths: Iterable[str], *, folder: str | None, roots: Roots = ()
) -> tuple[DocPath, ...] | None:
    """Paths as `in_vault` has them, those outside the vault passed over: a hook names whatever was committed.

    None when one of them is the whole vault, or holds it. Raises `UsageError` for one that is not there.
    """
    found: list[DocPath] = []
    for path in paths:
        place = _place(vault, roots, path, folder)
        if not _is_there(place):
            raise UsageError(f"there is no {path}", "name notes or folders of the vault")
        if lies_in(str(Path(vault).resolve()), str(place.resolve())):
            return None
        held = [DocPath(name) for name, root in roots if lies_in(str(Path(root).resolve()), str(place.resolve()))]
        if held:
            found.extend(held)
            continue
        try:
            inside = in_vault(vault, [path], folder=folder, roots=roots)
        except UsageError:
            continue
        if not inside:
            return None
        found.extend(inside)
    return tuple(found)


def seen_from(vault: str, *, folder: str | None, in_repository: bool) -> str:
    """Where the vault lies below the repository that holds it, else below `folder` or the working directory.

    `/` separated; empty when the vault is that folder, or lies elsewhere.
    """
    place = Path(vault)
    base = start_folder(folder)
    if in_repository:
        base = next((each for each in (place, *place.parents) if (each / ".git").exists()), base)
    for root, target in ((base, place), (base.resolve(), place.resolve())):
        if lies_in(str(target), str(root)):
            relative = target.relative_to(root).as_posix()
            return "" if relative == "." else relative
    return ""


def for_the_shell(place: str, *, folder: str | None) -> str:
    """An absolute path as a command started in `folder` or the working directory takes it.

    Relative where it lies below that, and never to be taken for an option.
    """
    try:
        base = start_folder(folder)
    except UsageError:  # the working directory is gone
        return place
    target = Path(place)
    for root, found in ((base, target), (base.resolve(), target.parent.resolve() / target.name)):
        if lies_in(str(found), str(root)):
            relative = str(found.relative_to(root))
            return os.path.join(os.curdir, relative) if relative.startswith("-") else relative  # noqa: PTH118
    return place


def _place(vault: str, roots: Roots, path: str, folder: str | None) -> Path:
    """Where a path leads from `folder` or the working directory; from the vault, where only that leads anywhere.

    From the vault, a path that begins with the name of a root leads into its folder.

    Raises `UsageError` for the home folder of someone who has none.
    """
    try:
        place = start_folder(folder) / Path(path).expanduser()
    except RuntimeError:
        raise UsageError(f"there is no {path}", "name notes or folders of the vault") from None
    if os.path.lexists(place):
        return place
    first, *rest = Path(path).parts or ("",)
    inside = Path(dict(roots).get(unicodedata.normalize("NFC", first), Path(vault) / first), *rest)
    return inside if os.path.lexists(inside) else place


def _below(vault: str, roots: Roots, place: Path, written: str) -> DocPath:
    """The place as it is written, else as it really is: either side may be reached through a link."""
    folders = [(name, Path(each)) for name, each in (("", vault), *roots)]
    for real in (False, True):
        target = place.resolve() if real else Path(os.path.normpath(place))
        for name, each in folders:
            root = each.resolve() if real else each
            if lies_in(str(target), str(root)):
                relative = unicodedata.normalize("NFC", target.relative_to(root).as_posix())
                return DocPath(name) if relative == "." else join_root(name, relative)
    raise UsageError(f"{written} does not lie in the vault {vault}", "name notes or folders of the vault")


def _is_there(place: Path) -> bool:
    try:
        return place.exists()
    except OSError:  # no name of a file: too long, or below what is no folder
        return False


def unmatched(wanted: Sequence[DocPath], known: Iterable[DocPath]) -> list[DocPath]:
    """Those of `wanted` that neither are nor hold a note that is known."""
    notes = list(known)
    return [path for path in wanted if not any(each == path or each.startswith(f"{path}/") for each in notes)]
