"""Documents of other formats with hostile bytes in them: each is text, or refused in one line, within bounds."""

from __future__ import annotations

import io
import re
import signal
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

import hwpfiles
from fuzz.samples import SAMPLES, parted

from docs_rag.adapters.converters import CONVERTERS, resolve
from docs_rag.adapters.converters.failing import CODES, Unconvertible
from docs_rag.adapters.converters.wire import Garbled, pack, receive, unpack
from docs_rag.core.converted import Converted
from docs_rag.core.documents import DocPath
from docs_rag.core.parsing import parse_document

SECONDS: Final = 10.0
"""Processor time for one small document after which it counts as endless."""
MOST_TEXT: Final = 3_000_000
"""Characters that a few thousand bytes may become: 1,000 places of a table for each."""
ARCHIVES: Final = frozenset({"docx", "pptx", "xlsx", "odt", "ods", "hwpx", "epub"})
_MILLIONS: Final = re.compile(rb"(repeated=.)[1-9][\d.e]{3,}")
"""A million equal rows of a sheet are read, for as long as the process that converts may."""


class Endless(Exception):
    """It took more time than any small document may."""


def wire(data: bytes) -> None:
    """What the conversion process may say, whatever document has taken it over."""
    stream = io.BytesIO(data)
    try:
        while (message := receive(stream, 10_000)) is not None:
            check(unpack(*message), is_ours=False)
    except Garbled:
        return
    except Unconvertible as error:
        assert error.code in CODES
        assert "\n" not in str(error)


def document(suffix: str, data: bytes) -> None:
    """One document through its converter."""
    with deadline(SECONDS):
        try:
            converted = resolve(CONVERTERS[suffix])(data, f"a{suffix}")
        except Unconvertible as error:
            assert error.code in CODES, error.code
            assert "\n" not in str(error)
            assert len(str(error)) < 1_000, error
            return
        except RecursionError:  # the process that converts says that it is nested too deep
            return
        check(converted)
        parse_document(DocPath(f"a{suffix}"), converted.markdown)


def check(converted: Converted, *, is_ours: bool = True) -> None:
    """What the index relies on, and that it passes between processes as it is."""
    names = [each.name for each in converted.pictures]
    if is_ours:
        assert "\r" not in converted.markdown
        assert len(converted.markdown) < MOST_TEXT, len(converted.markdown)
        assert len({name.casefold() for name in names}) == len(names)
        assert not any("/" in name or "\\" in name or name.startswith(".") or "\0" in name for name in names), names
        assert "\n" not in converted.title, converted.title
        assert not any("\n" in each or len(each) > 1_000 for each in converted.warnings), converted.warnings
        lines, end = converted.markdown.count("\n") + 1, 0
        for each in converted.stretches:
            assert end < each.lines[0] <= each.lines[1] <= lines, (converted.stretches, lines)
            end = each.lines[1]
    again = unpack(*pack(converted))
    assert again.markdown == converted.markdown.encode("utf-8", "replace").decode("utf-8")
    assert (again.stretches, again.pictures, again.warnings) == (
        converted.stretches,
        converted.pictures,
        converted.warnings,
    )


def archive(parts: Mapping[str, bytes]) -> bytes:
    """A zip of parts, as they are called."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        for name, part in parts.items():
            opened.writestr(zipfile.ZipInfo(name or "x"), part)
    return made.getvalue()


def compound(parts: Mapping[str, bytes]) -> bytes:
    """A Hancom document of streams, packed where the format packs them."""
    streams = {name: part for name, part in parts.items() if name and name.count("/") < 2 and not name.endswith("/")}
    is_plain = {"FileHeader"}
    return hwpfiles.compound({
        name[:31]: part if name in is_plain else hwpfiles.packed(part) for name, part in streams.items()
    })  # fmt: skip


def made(target: str, data: bytes) -> bytes:
    """The file that an input stands for."""
    if target in ARCHIVES:
        return archive(parted(_MILLIONS.sub(rb"\g<1>999", data) if target == "ods" else data))
    return compound(parted(data)) if target == "hwp" else data


def _target(name: str) -> Callable[[bytes], None]:
    def target(data: bytes) -> None:
        document(f".{name}", made(name, data))

    return target


def _broken(data: bytes) -> None:
    for name in (*sorted(ARCHIVES), "hwp"):
        document(f".{name}", data)


DOCUMENTS: Final[Mapping[str, Callable[[bytes], None]]] = {
    **{name: _target(name) for name in SAMPLES},
    "packing": _broken,
    "wire": wire,
}
"""One target for each format, one for archives that are broken themselves, one for what passes between processes."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raises `Endless` in the block after so much processor time, where the system has such a clock."""
    if not hasattr(signal, "SIGVTALRM"):
        yield
        return

    def end(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Endless(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
