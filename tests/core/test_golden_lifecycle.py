"""What real corpora say of their records, against what a careful reader concludes.

The corpora lie beside the repository; where they are not, these tests are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs_rag.core.citations import take_apart
from docs_rag.core.documents import DocPath
from docs_rag.core.parsing import decode, parse_document
from docs_rag.core.status import Status
from docs_rag.core.succession import Record, Standing, resolve

STATES = {"moved": "archived", "withdrawn": "rejected", "deferred": "draft"}
"""Words of the collections for our states."""
FRONTMATTER = ("FIPs", "solana-improvement-documents", "CIPs", "govuk-rfcs", "EIPs")
SECTIONS = ("dotcom-rendering", "govuk-aws", "james-project", "modernisation-platform", "architecture", "java")
SECTIONS_TOO = ("celestia-app", "openedx-proposals")
CLAIMANTS = {
    "text/2052-epochs.md": (
        "text/3085-edition-2021.md",
        "# Summary\n\nIt supersedes [RFC 2052].\n\n[RFC 2052]: https://github.com/a/b/blob/master/text/2052-epochs.md\n",
    ),
    "features/0037-present-proof/README.md": (
        "features/0454-present-proof-v2/README.md",
        "# 0454\n\n- Status: [ADOPTED](/README.md)\n- Supersedes: [RFC 0037](../0037-present-proof/README.md)\n",
    ),
    "features/0160-connection-protocol/README.md": (
        "features/0023-did-exchange/README.md",
        "# 0023\n\n- Status: [ACCEPTED](/README.md)\n- Supersedes: [RFC 0160](../0160-connection-protocol/README.md)\n",
    ),
    "proposals/0048-native-program-for-secp256r1-sigverify.md": (
        "proposals/0075-precompile-for-secp256r1-sigverify.md",
        '---\nstatus: Implemented\nsupersedes: "0048"\n---\n',
    ),
    "FIPS/fip-0035.md": ("FIPS/fip-0044.md", '---\nfip: "0044"\nstatus: Final\nreplaces: "FIP-OO35"\n---\n'),
    "FIPS/fip-0003.md": ("FIPS/fip-0078.md", "---\nstatus: Draft\nreplaces: FIP-0003\n---\n"),
    "FIPS/fip-0052.md": (
        "FIPS/fip-0056.md",
        "---\nstatus: Rejected\nreplaces: (https://github.com/a/b/blob/master/FIPS/fip-0052.md\n---\n",
    ),
    "proposals/0387-bls-pubkey-management-in-vote-account.md": (
        "proposals/0458-later.md",
        "---\nstatus: Review\nsupersedes: SIMD-0387\n---\n",
    ),
}
"""Records whose newer end alone says it, with that end: the collection describes it in words."""
MISSING_LINES = ("FIPS/fip-0016.md", "proposals/0500-disable-deployment-of-sbpf-v0-v1-v2.md")
"""Records of which the collection gives every line but the status."""
BY_THE_RULE = {"ecosystem/sep-0026.md": "superseded"}
"""Abandoned in favour of another: the collection calls it archived, the rules for such phrases superseded."""


def _record(path: str, text: str) -> Record:
    document = parse_document(DocPath(path), text)
    return Record(document.path, document.title, document.aliases, document.lifecycle, links=document.links)


def _load(shared: Path, name: str) -> Any:
    return json.loads((shared / "golden" / name).read_text(encoding="utf-8"))


def test_every_snippet_reads_as_a_person_reads_it(shared: Path) -> None:
    wrong = []
    for snippet in _load(shared, "lifecycle-snippets.json")["snippets"]:
        life = parse_document(DocPath("notes/note.md"), snippet["raw"]).lifecycle
        references = [take_apart(each).path for each in life.successors or life.partial]
        expected = snippet["expected"]
        wanted = (expected["state"], expected["successor_refs"], expected["date"], expected["superseded_on"])
        if (str(life.status), references, life.date, life.superseded_on) != wanted:
            wrong.append((snippet["raw"], references, life))
    assert wrong == []


def _note(record: dict[str, Any]) -> str:
    """The lines that the collection gives of a record, where its form says that they stood."""
    raw, form, repository = record["raw"], record["form"], record["repository"].rpartition("/")[2]
    if "code fence" in form:
        return f"---\nStatus: Active\n---\n\n# Process\n\n## Status\n\n```\n{raw}\n```\n"
    if "commented-out" in form:
        return f"---\n{raw}\n---\n# {{{{title}}}}\n"
    if repository in FRONTMATTER:
        return f"---\ntitle: x\n{raw}\n---\n\n# Title\n\nText.\n"
    if "THIRD" in form:
        raw = f"Accepted (lazy consensus)\n\nImplemented\n\n{raw}"
    if repository in SECTIONS + SECTIONS_TOO:
        return f"# Title\n\n## Context\n\nText on deprecated things.\n\n## Status\n\n{raw}\n"
    if "fenced preamble" in form:
        return f"# Title\n\n## Preamble\n\n```\nSEP: 0026\n{raw}\n```\n\n## Summary\n\nText.\n"
    if "Proposed-Replacement" in raw:
        return f"<pre>\n  Title: x\n  Status: Closed\n{raw}\n</pre>\n"
    return f"{raw}\n\nText.\n" if "banner" in form else f"# Title\n\n{raw}\n\n## Summary\n\nText.\n"


def _vault(record: dict[str, Any]) -> Iterator[Record]:
    """The record with its newer ends: the one that speaks, and stubs for those that are only named."""
    yield _record(record["path"], _note(record))
    claimant = CLAIMANTS.get(record["path"])
    if claimant is not None:
        yield _record(*claimant)
    for path in record["expected"]["successors"]:
        if claimant is None or claimant[0] != path:
            yield _record(path, f"# {path.rpartition('/')[2]}\n")


def _conclusion(record: dict[str, Any]) -> tuple[str, list[str]]:
    vault = list(_vault(record))
    life = vault[0].lifecycle
    standing = resolve(vault).get(vault[0].path, Standing(status=life.status))
    return "template" if life.template else str(standing.status), list(standing.superseded_by)


def test_every_record_stands_as_a_person_concludes(shared: Path) -> None:
    wrong = []
    for record in _load(shared, "lifecycle-records.json")["records"]:
        path, expected = record["path"], record["expected"]
        if path in MISSING_LINES:
            continue
        state = BY_THE_RULE.get(path) or STATES.get(expected["state"], expected["state"])
        successors = [] if expected["partial"] else expected["successors"]
        if _conclusion(record) != (state, successors):
            wrong.append((path, record["raw"], _conclusion(record)))
    assert wrong == []


UNREADABLE = "EIPS/eip-2315.md"
"""Its successor is described, not named."""


@pytest.mark.parametrize("name", ["govuk-forms", "eips-lite"])
def test_every_superseded_record_of_a_corpus_and_no_other(shared: Path, name: str) -> None:
    corpus = shared / "golden" / name
    files = sorted(file for file in corpus.rglob("*") if file.suffix.lower() == ".md")
    records = [_record(file.relative_to(corpus).as_posix(), decode(file.read_bytes())) for file in files]
    standings = resolve(records)
    told = _load(shared, f"{name}.json")
    dead = {path: each for path, each in standings.items() if each.status is Status.SUPERSEDED}
    dead |= {
        each.path: Standing(status=Status.SUPERSEDED)
        for each in records
        if each.path not in standings and each.lifecycle.status is Status.SUPERSEDED
    }
    assert set(dead) == {each["path"] for each in told["superseded"]}
    for each in told["superseded"]:
        standing = dead[DocPath(each["path"])]
        assert standing.superseded_on == each["superseded_on"]
        assert list(standing.superseded_by) == ([] if each["path"] == UNREADABLE else each["successors"])
    for record in records:
        state = told["other_states"].get(record.path)
        if state is not None:
            assert ("template" if record.lifecycle.template else str(record.lifecycle.status)) == state, record.path
