"""Documents whose conversion once took the square of their size, found by repeating pieces of documents.

A conversion that grows so again runs into a limit far beyond what it needs.
"""

from __future__ import annotations

import hwpfiles
import pytest
from fuzz.documents import deadline

from docs_rag.adapters.converters import CONVERTERS, resolve

SECONDS = 30.0
"""Of processor time; these take up to two, and took minutes."""
COUNT = 60_000


def equation(script: str) -> bytes:
    return hwpfiles.hwpx(hwpfiles.run("x", f"<hp:equation><hp:script>{script}</hp:script></hp:equation>"))


DOCUMENTS = {
    "rst: words that could be references": (".rst", b"6-0" * COUNT),
    "rst: roles that are none": (".rst", b":a:" * COUNT),
    "rst: literals that never end": (".rst", b"``a " * (COUNT // 2)),
    "rst: rules of simple tables": (".rst", b"\n\n=== ==\n\n   * -" * (COUNT // 8)),
    "rst: rows of one grid": (".rst", b" b |\n+===+===+\n| c |" * (COUNT // 8)),
    "org: code that never ends": (".org", b" =ceta" * (COUNT // 2)),
    "org: blocks that never end": (".org", b">\n#+BEGIN_x" * (COUNT // 4)),
    "org: formulas that never end": (".org", b"\\begin{a}\nx\n" * (COUNT // 4)),
    "html: rows without a table": (".html", b"<body>" + b"/Kids<tr>" * COUNT),
    "html: text between the rows of a table": (".html", b"<table>" + b"<tr>text" * COUNT),
    "hwpx: lines over lines": (".hwpx", equation("1 over 2 " * (COUNT // 2))),
}


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "data"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_work_grows_like_the_document(suffix: str, data: bytes) -> None:
    with deadline(SECONDS):
        assert resolve(CONVERTERS[suffix])(data, f"a{suffix}").markdown
