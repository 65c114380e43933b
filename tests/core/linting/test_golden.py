"""Two real corpora: every error that is told of is one that their maintainers can see."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_rag.core.documents import DocPath
from docs_rag.core.linting.codes import Level
from docs_rag.core.linting.corpus import Corpus
from docs_rag.core.linting.findings import choose
from docs_rag.core.linting.rules import check
from docs_rag.core.parsing import decode, parse_document

ERRORS = {
    "govuk-forms": ["design/prototype-version-7/README.MD DR010"],
    "eips-lite": ["EIPS/eip-2315.md DR010"],
}


@pytest.mark.parametrize("name", list(ERRORS))
def test_errors_of_a_real_corpus(name: str, shared: Path) -> None:
    root = shared / "golden" / name
    files = (path for path in sorted(root.rglob("*")) if path.suffix.lower() == ".md")
    documents = [
        parse_document(DocPath(path.relative_to(root).as_posix()), decode(path.read_bytes())) for path in files
    ]
    findings = check(Corpus(documents=documents), choose())
    assert [f"{each.path} {each.code.id}" for each in findings if each.level is Level.ERROR] == ERRORS[name]
    assert sum(each.level is Level.WARNING for each in findings) <= 8
