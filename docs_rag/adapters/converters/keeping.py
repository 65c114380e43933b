"""Converted texts on disk: a folder for each document, at the document's own path below `.rag/converted`.

A folder holds `text.md`, the pictures that it shows, and `made.json`, which says what they were made of. Each file is
replaced as a whole, `made.json` last: with a digest of the text in it, it proves that the two belong together.
"""

# Paths are plain text here, as everywhere around the vault.
# ruff: noqa: PTH103, PTH105, PTH106, PTH108, PTH118, PTH123, PTH208

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from docs_rag.core.converted import KeptText, Stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from docs_rag.core.converted import Converted, Picture

TEXT: Final = "text.md"
MADE: Final = "made.json"
MOST_WARNINGS: Final = 20
MOST_CHARS: Final = 300
"""Of a title or a warning."""
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What `made.json` says."""

    key: str
    """Of what it was made: bytes, converter, and the secret of the one index that may believe it."""
    mark: str
    """Which converter made it, in which version."""
    stamp: tuple[int, int, int] | None = None
    """`mtime_ns`, `ctime_ns` and size of a file that could not be converted, where they prove that it is the same."""
    code: str = ""
    """Why there is no text; empty where there is one."""
    message: str = ""
    digest: str = ""
    """The seal of the text."""
    title: str = ""
    warnings: tuple[str, ...] = ()
    stretches: tuple[tuple[int, int, str], ...] = ()
    had: tuple[str, ...] = ()
    """The tools there were, where there was something that further tools might mend."""


class KeptTexts:
    """The texts below one folder; whatever lies there is ours to replace."""

    def __init__(self, folder: str, secret: Callable[[], str]) -> None:
        """`folder`: `.rag/converted`, absolute; made when the first text is kept. `secret` seals the texts."""
        self._folder = folder
        self._secret = secret

    def seal(self, *parts: bytes) -> str:
        """A digest that only who knows the secret can make."""
        found = hashlib.blake2b(key=self._secret().encode()[:64], digest_size=20)
        for part in parts:
            found.update(part)
        return found.hexdigest()

    def text_place(self, path: str) -> str:
        """Where the text of a document lies, or would."""
        return os.path.join(self._folder, *path.split("/"), TEXT)

    def made(self, path: str) -> Made | None:
        """What is known of a document; None where that is nothing, or nothing whole."""
        found = _read(os.path.join(self._folder, *path.split("/"), MADE))
        try:
            values = json.loads(found or b"null")
            return _made(values)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def text(self, path: str, made: Made) -> KeptText | None:
        """The text that belongs to what `made` says; None where there is none, or it is another one."""
        data = None if made.code else _read(self.text_place(path))
        if data is None or self.seal(data) != made.digest:
            return None
        return KeptText(
            markdown=data.decode("utf-8"),
            stretches=tuple(Stretch((first, last), place) for first, last, place in made.stretches),
            title=made.title,
            warnings=made.warnings,
        )

    def put(self, path: str, made: Made, data: bytes, pictures: Sequence[Picture]) -> None:
        """Keep a text with its pictures in place of what was there; raises `OSError`."""
        folder = self._made_folder(path)
        names = {picture_name(each.name): each.data for each in pictures}
        for name, picture in names.items():
            _replace(folder, name, picture)
        _replace(folder, TEXT, data)
        self._finish(folder, made, {TEXT, *names})

    def put_failure(self, path: str, made: Made) -> None:
        """Remember why a document has no text; one that it had goes. Raises `OSError`."""
        self._finish(self._made_folder(path), made, set())

    def move(self, old: str, new: str) -> None:
        """Keep under another path what is kept of a document; raises `OSError`."""
        source, target = os.path.join(self._folder, *old.split("/")), self._made_folder(new)
        names = [name for name in os.listdir(source) if not _is_folder(os.path.join(source, name))]
        for name in sorted(names, key=MADE.__eq__):
            os.replace(os.path.join(source, name), os.path.join(target, name))

    def _finish(self, folder: str, made: Made, kept: set[str]) -> None:
        _replace(folder, MADE, json.dumps(asdict(made), ensure_ascii=False).encode("utf-8", "replace"))
        _clear(folder, {MADE, *kept})

    def _made_folder(self, path: str) -> str:
        """The folder of a document, made step by step: a link on the way is removed, never followed."""
        folder = self._folder
        for name in ("", *path.split("/")):
            folder = os.path.join(folder, name) if name else folder
            if os.path.lexists(folder) and not _is_folder(folder):
                os.unlink(folder)
            os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder

    def sweep(self, is_wanted: Callable[[str], bool]) -> None:
        """Remove what is kept of every document but those that are wanted, by path, and folders that hold nothing."""
        for folder, path in list(self._folders()):
            if not is_wanted(path):
                _clear(folder, set())
                with suppress(OSError):
                    os.rmdir(folder)  # stays where another document lies below it

    def _folders(self) -> Iterator[tuple[str, str]]:
        """Every folder with the path that it stands for, the deepest first."""
        if not _is_folder(self._folder):
            return
        for folder, _, _ in os.walk(self._folder, topdown=False):
            if folder != self._folder:
                yield folder, os.path.relpath(folder, self._folder).replace(os.sep, "/")


def picture_name(name: str) -> str:
    """The name under which a picture is kept: no way out of its folder, none of our own files."""
    plain = re.sub(r"[^\w.() -]", "_", name.replace("\\", "/").rpartition("/")[2]).lstrip(".")[-100:]
    return f"_{plain}" if plain.casefold() in (TEXT, MADE, "") else plain


def clean_text(converted: Converted) -> bytes:
    """The markdown as a file: UTF-8, line ends `\\n`, no NUL, a line end at the end."""
    text = converted.markdown.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    if text and not text.endswith("\n"):
        text += "\n"
    return text.encode("utf-8", "replace")


def short(text: str) -> str:
    """A title or a warning on one line."""
    return " ".join(text.split())[:MOST_CHARS]


def _made(values: dict[str, object]) -> Made:
    """What a `made.json` says; raises `TypeError`, `KeyError`, `ValueError` for one that says nothing."""
    stamp = values["stamp"]
    stretches, warnings, had = values["stretches"], values["warnings"], values["had"]
    if not (isinstance(stretches, list) and isinstance(warnings, list) and isinstance(had, list)):
        raise TypeError("not what we write")
    texts = {name: str(values[name]) for name in ("key", "mark", "code", "message", "digest", "title")}
    return Made(
        **texts,
        stamp=(int(stamp[0]), int(stamp[1]), int(stamp[2])) if isinstance(stamp, list) else None,
        warnings=tuple(map(str, warnings)),
        stretches=tuple((int(first), int(last), str(place)) for first, last, place in stretches),
        had=tuple(map(str, had)),
    )


def _is_folder(place: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(place).st_mode)
    except OSError:
        return False


def _read(place: str) -> bytes | None:
    """The bytes of a regular file; None for anything else."""
    try:
        descriptor = os.open(place, _READ)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return file.read()


def _replace(folder: str, name: str, data: bytes) -> None:
    """Write a file as a whole, for its user alone, in place of whatever has its name."""
    descriptor, written = tempfile.mkstemp(prefix=".writing-", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.replace(written, os.path.join(folder, name))
    except BaseException:
        with suppress(OSError):
            os.unlink(written)
        raise


def _clear(folder: str, kept: Collection[str]) -> None:
    """Remove the files of a folder but these; folders in it belong to other documents."""
    for name in os.listdir(folder):
        place = os.path.join(folder, name)
        if name not in kept and not _is_folder(place):
            with suppress(OSError):
                os.unlink(place)
