"""A document format of the tests' own, `.odd`: its documents say what the converter is to do."""

from __future__ import annotations

import sys
from pathlib import Path

from docs_rag.adapters.converters import Row
from docs_rag.adapters.converters.worker import Worker

SECONDS = 20.0
ROW = Row("odd_converter:convert", 1, None, "odd files", SECONDS)
CONVERTER = """
import os, time
from docs_rag.adapters.converters.failing import Unconvertible
from docs_rag.core.converted import Converted, Picture, Stretch

def convert(data, name):
    word = data.decode("utf-8")
    print("libraries chat")
    with open({log!r}, "a") as log:
        log.write(name + "\\n")
    if word == "hang":
        time.sleep(60)
    if word == "crash":
        os.abort()
    if word == "greedy":
        return Converted(markdown="x" * len(bytearray(3_000_000_000)))
    if word == "deep":
        return convert(data, name)
    if word == "odd":
        raise ValueError("/etc/passwd")
    if word == "unloadable":
        import no_such_package_of_ours
    if word == "locked":
        raise Unconvertible("encrypted", "it has a password")
    if word == "lacking":
        raise Unconvertible("missing-extra", "needs more")
    if word == "empty":
        return Converted(markdown=" \\n")
    if word == "leave":
        with open("left.txt", "w") as file:
            file.write(os.environ["TMPDIR"])
        return Converted(markdown=os.getcwd())
    if word == "pid":
        return Converted(markdown=str(os.getpid()))
    if word == "escape":
        return Converted(markdown="x", pictures=(Picture("../../out.png", b"x"), Picture("text.md", b"y")))
    pages = word.split("|")
    lines = [line for page in pages for line in page.split("/")]
    stretches, first = [], 1
    for number, page in enumerate(pages, 1):
        last = first + page.count("/")
        stretches.append(Stretch((first, last), f"p. {{number}}"))
        first = last + 1
    return Converted(markdown="\\n".join(lines), stretches=tuple(stretches),
                     pictures=(Picture("a.png", b"\\x00\\x01"),), title="T", warnings=("one",) if "?" in word else ())
"""
"""A plain document has `|` between its pages and `/` between its lines."""


def odd_worker(folder: Path, row: Row = ROW) -> Worker:
    """A worker whose process knows `.odd`; each document that it converts is a line of `converted.log`."""
    source = CONVERTER.format(log=str(folder / "converted.log"))
    (folder / "odd_converter.py").write_text(source, encoding="utf-8")
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "from docs_rag.adapters.converters import CONVERTERS, Row, child\n"
        f"CONVERTERS['.odd'] = Row('odd_converter:convert', {row.version}, None, 'odd files', {row.seconds})\n"
        "sys.exit(child.main())\n"
    )
    return Worker({".odd": row}, (sys.executable, "-P", "-c", program))


def converted(folder: Path) -> list[str]:
    """The names of the documents that were converted, each as often as it was."""
    log = folder / "converted.log"
    return log.read_text(encoding="utf-8").split() if log.exists() else []
