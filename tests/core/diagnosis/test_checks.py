"""What each check says of facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.diagnosis.checks import CHECKS, diagnose
from docs_rag.core.diagnosis.facts import (
    Embedding,
    Facts,
    Hook,
    Index,
    Notes,
    Ollama,
    Places,
    Program,
    Registration,
    Unread,
)
from docs_rag.core.diagnosis.findings import Fault, Finding, Verdict, as_json, is_broken
from docs_rag.core.hookstate import HookState, LastRun
from docs_rag.core.overview import Run

FAULT = Fault("it is gone", "run: docs-rag index")
PROGRAM = Program(version="1.0", python="3.12.1", place="/bin/docs-rag", on_path="/bin/docs-rag")
OLLAMA = Ollama(url="http://127.0.0.1:11434", models=("bge-m3",), is_wanted=True)
NOTES = Notes(folder="/v", count=3, unreadable=(), copies=())
INDEX = Index(
    path="/v/.rag/index.db",
    documents=3,
    chunks=9,
    updated_at="2026-11-30T09:12:03Z",
    changed=0,
    failed=(),
    has_vanished=False,
    is_foreign=False,
    pending=0,
    last_run=Run("2026-11-30T09:12:03Z", True, "3 added"),
)
EMBEDDING = Embedding(configured="auto", name="bge-m3", indexed_with="bge-m3", has_changed=False, fault=None)
PLACES = Places(vault_by="", index_by="", index="/v/.rag/index.db", cache="~/.cache/docs-rag/v-1/index.db")
ENTRY = Registration(
    client="Cursor", name="cursor", file="/v/.cursor/mcp.json", server="v-docs", is_here=True, problem="", is_off=False
)
SEEN = HookState(seen_at="2026-11-30T09:00:00Z", last_run=None)
HOOK = Hook(files=("/v/.claude/settings.local.json",), off_in="", problem="", state=SEEN, log="/v/.rag/hook.log")
WELL = Facts(
    program=PROGRAM,
    sqlite="3.45.0",
    config="/v/.rag/config.json",
    builtin=None,
    ollama=OLLAMA,
    notes=NOTES,
    index=INDEX,
    embedding=EMBEDDING,
    places=PLACES,
    registrations=(ENTRY,),
    hook=HOOK,
)


def said(facts: Facts, check: str) -> list[tuple[str, str, str]]:
    return [(str(each.verdict), each.message, each.mend) for each in diagnose(facts) if each.check == check]


def the(facts: Facts, check: str) -> tuple[str, str, str]:
    (only,) = said(facts, check)
    return only


def test_where_all_is_well_every_check_but_one_says_so() -> None:
    findings = diagnose(WELL)
    assert {each.verdict for each in findings} == {Verdict.OK}
    assert all(each.mend == "" for each in findings)
    assert [each.check for each in findings] == [each.name for each in CHECKS if each.name != "conflicts"]


def test_without_a_config_only_the_machine_is_spoken_of() -> None:
    facts = Facts(program=PROGRAM, sqlite="3.45.0", config=FAULT, builtin=None, ollama=OLLAMA)
    assert [each.check for each in diagnose(facts)] == ["program", "sqlite", "config", "ollama", "builtin"]
    assert the(facts, "config") == ("broken", "it is gone", "docs-rag index")


@pytest.mark.parametrize("name", ["sqlite", "config", "vault", "index"])
def test_what_could_not_be_had_is_broken_with_its_own_advice(name: str) -> None:
    facts = replace(WELL, **{"notes" if name == "vault" else name: FAULT})  # type: ignore[arg-type]
    assert the(facts, name) == ("broken", "it is gone", "docs-rag index")


@pytest.mark.parametrize(
    ("changes", "verdict", "part"),
    [
        ({"on_path": None}, "warn", "(/bin/docs-rag), but `docs-rag` is not on the search path"),
        ({"on_path": None, "place": None}, "warn", "Python 3.12.1, but `docs-rag` is not"),
        ({"on_path": "/usr/bin/docs-rag"}, "warn", "is /usr/bin/docs-rag"),
        ({"place": None}, "ok", "/bin/docs-rag"),
    ],
)
def test_program(changes: dict[str, str | None], verdict: str, part: str) -> None:
    found = the(replace(WELL, program=replace(PROGRAM, **changes)), "program")  # type: ignore[arg-type]
    assert found[0] == verdict
    assert part in found[1]


def test_vault() -> None:
    assert the(replace(WELL, notes=replace(NOTES, count=0)), "vault")[0] == "warn"
    names = tuple(f"{name}.md: no access" for name in "abcde")
    first, second = said(replace(WELL, notes=replace(NOTES, unreadable=names)), "vault")
    assert first == ("ok", "3 notes in /v", "")
    assert second == (
        "warn",
        "5 files cannot be read: a.md: no access, b.md: no access, c.md: no access and 2 more",
        "docs-rag list --problems",
    )


@pytest.mark.parametrize(
    ("changes", "verdict", "part", "mend"),
    [
        ({"changed": 1}, "warn", "1 note changed", "docs-rag index"),
        ({"changed": 8, "has_vanished": True}, "broken", "is the vault mounted", "--accept-removals"),
        ({"is_foreign": True, "changed": 3}, "warn", "another version", "docs-rag index"),
        ({"last_run": Run("2026-11-30", False, "no space")}, "warn", "(2026-11-30): no space", "docs-rag index"),
    ],
)
def test_freshness(changes: dict[str, object], verdict: str, part: str, mend: str) -> None:
    found = the(replace(WELL, index=replace(INDEX, **changes)), "freshness")  # type: ignore[arg-type]
    assert found[0] == verdict
    assert part in found[1]
    assert mend in found[2]


def test_freshness_is_not_known_of_a_vault_that_cannot_be_seen() -> None:
    assert said(replace(WELL, notes=FAULT, index=replace(INDEX, changed=None)), "freshness") == []


@pytest.mark.parametrize(
    ("changes", "verdict", "part"),
    [
        ({"fault": FAULT}, "broken", "bge-m3 does not answer, search goes by words alone: it is gone"),
        ({"name": "other"}, "broken", "made with bge-m3, the config asks for other"),
        ({"has_changed": True}, "broken", "another version"),
        ({"name": "none", "configured": "none"}, "ok", "as the config says"),
        ({"name": "none", "configured": "auto"}, "warn", "there is none here"),
        ({"indexed_with": ""}, "ok", "bge-m3 answers"),
    ],
)
def test_model(changes: dict[str, object], verdict: str, part: str) -> None:
    found = the(replace(WELL, embedding=replace(EMBEDDING, **changes)), "model")  # type: ignore[arg-type]
    assert found[0] == verdict
    assert part in found[1]


def test_a_model_whose_name_is_refused_is_broken() -> None:
    assert the(replace(WELL, embedding=FAULT), "model")[:2] == ("broken", "search goes by words alone: it is gone")


def test_sections_that_wait_are_a_warning() -> None:
    verdict, message, mend = the(replace(WELL, index=replace(INDEX, pending=4)), "model")
    assert (verdict, mend) == ("warn", "docs-rag index")
    assert "4 of 9 sections cannot be searched by meaning yet" in message


@pytest.mark.parametrize(
    ("changes", "verdict", "part"),
    [
        ({"models": FAULT}, "broken", "it is gone"),
        ({"models": FAULT, "is_wanted": False}, "ok", "is not needed"),
        ({"models": ()}, "ok", "has no embedding model"),
    ],
)
def test_ollama(changes: dict[str, object], verdict: str, part: str) -> None:
    found = the(replace(WELL, ollama=replace(OLLAMA, **changes)), "ollama")  # type: ignore[arg-type]
    assert found[0] == verdict
    assert part in found[1]


@pytest.mark.parametrize(
    ("configured", "indexed", "verdict"),
    [("auto", "bge-m3", "ok"), ("auto", BUILTIN_E5, "broken"), (BUILTIN_E5, "", "broken"), ("none", "", "ok")],
)
def test_builtin(configured: str, indexed: str, verdict: str) -> None:
    embedding = replace(EMBEDDING, configured=configured, indexed_with=indexed)
    assert the(replace(WELL, builtin=FAULT, embedding=embedding), "builtin")[0] == verdict
    assert the(replace(WELL, builtin=FAULT, embedding=FAULT), "builtin")[0] == "ok"


def test_sync() -> None:
    verdict, message, mend = the(replace(WELL, places=replace(PLACES, vault_by="x", index_by="Dropbox")), "sync")
    assert verdict == "warn"
    assert message.startswith("Dropbox copies the index")
    assert '"indexPath": "~/.cache/docs-rag/v-1/index.db"' in mend
    elsewhere = replace(WELL, places=replace(PLACES, vault_by="Dropbox"))
    assert the(elsewhere, "sync")[:2] == ("ok", "Dropbox copies the vault; the index lies elsewhere: /v/.rag/index.db")


def test_conflicted_copies_are_named() -> None:
    verdict, message, _ = the(replace(WELL, notes=replace(NOTES, copies=("a (conflicted copy).md",))), "conflicts")
    assert verdict == "warn"
    assert "1 note may be a conflicted copy, and both versions answer: a (conflicted copy).md" in message


@pytest.mark.parametrize(
    ("changes", "verdict", "part", "mend"),
    [
        ({}, "ok", "Cursor: v-docs in /v/.cursor/mcp.json", ""),
        ({"problem": "starts /x, which is not there"}, "broken", "which is not there", "scaffold . --client cursor"),
        ({"is_off": True}, "warn", "is switched off", "switch it on in Cursor"),
        ({"is_here": False}, "warn", "no MCP client", "docs-rag scaffold ."),
    ],
)
def test_clients(changes: dict[str, object], verdict: str, part: str, mend: str) -> None:
    found = the(replace(WELL, registrations=(replace(ENTRY, **changes),)), "clients")  # type: ignore[arg-type]
    assert found[0] == verdict
    assert part in found[1]
    assert mend in found[2]


def test_two_servers_for_the_same_notes_are_one_too_many() -> None:
    twice = (ENTRY, replace(ENTRY, file="/h/.cursor/mcp.json", server="other"))
    assert [verdict for verdict, _, _ in said(replace(WELL, registrations=twice), "clients")] == ["ok", "ok", "warn"]
    off = (ENTRY, replace(twice[1], is_off=True))
    assert "starts" not in said(replace(WELL, registrations=off), "clients")[-1][1]
    others = (ENTRY, replace(ENTRY, client="Zed"))
    assert [verdict for verdict, _, _ in said(replace(WELL, registrations=others), "clients")] == ["ok", "ok"]


def test_a_file_that_cannot_be_read_is_said_to_be_so() -> None:
    unread = Unread(client="Zed", file="/h/settings.json", why="has comments (line 1)")
    verdict, message, _ = the(replace(WELL, registrations=(unread,)), "clients")
    assert (verdict, message) == ("warn", "Zed speaks of docs-rag in /h/settings.json, which has comments (line 1)")


FAILED = LastRun(at="2026-11-30T10:00:00Z", ok=False, message="no model", since="2026-11-29T08:00:00Z")


@pytest.mark.parametrize(
    ("changes", "verdict", "part"),
    [
        ({}, "ok", "installed, last ran 2026-11-30T09:00:00Z"),
        ({"files": ()}, "ok", "not installed"),
        ({"problem": "starts docs-rag, which is not on the search path"}, "broken", "is not on the search path"),
        ({"off_in": "/h/.claude/settings.json"}, "warn", "/h/.claude/settings.json turns all hooks off"),
        ({"state": HookState(seen_at=None, last_run=None)}, "warn", "never ran here"),
        ({"state": replace(SEEN, last_run=FAILED)}, "warn", "fail since 2026-11-29T08:00:00Z: no model"),
        ({"state": replace(SEEN, last_run=replace(FAILED, ok=True))}, "ok", "last ran"),
    ],
)
def test_hook(changes: dict[str, object], verdict: str, part: str) -> None:
    found = the(replace(WELL, hook=replace(HOOK, **changes)), "hook")  # type: ignore[arg-type]
    assert found[0] == verdict
    assert part in found[1]


def test_the_document() -> None:
    findings = [Finding("a", Verdict.WARN, "b", "c"), Finding("d", Verdict.OK, "e", "")]
    assert as_json(findings, "/x") == {
        "ok": True,
        "config": "/x",
        "checks": [
            {"check": "a", "verdict": "warn", "message": "b", "mend": "c"},
            {"check": "d", "verdict": "ok", "message": "e", "mend": None},
        ],
    }
    assert is_broken([*findings, Finding("f", Verdict.BROKEN, "g", "h")])


def test_files_that_could_not_be_read_are_named() -> None:
    facts = replace(WELL, index=replace(INDEX, failed=("a.pdf: it has a password",)))
    warning = ("warn", "1 file could not be read: a.pdf: it has a password", "docs-rag list --problems")
    assert said(facts, "index")[-1] == warning
    assert said(facts, "freshness") == said(WELL, "freshness")
