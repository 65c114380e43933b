"""The checks of `doctor`, one row each: a name, and what it says of the facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.counting import counted
from docs_rag.core.diagnosis.facts import Facts, Hook, Index, Notes, Registration, Unread
from docs_rag.core.diagnosis.findings import Fault, Finding, Said, broken, ok, warn

INDEX: Final = "docs-rag index"
SCAFFOLD: Final = "docs-rag scaffold ."
_MOST_NAMED: Final = 3


def diagnose(facts: Facts) -> tuple[Finding, ...]:
    """What all the checks say, in their order."""
    return tuple(
        Finding(check.name, said.verdict, said.message, said.mend.removeprefix("run: "))
        for check in CHECKS
        for said in check.judge(facts)
    )


def _program(facts: Facts) -> Iterator[Said]:
    found = facts.program
    what = f"docs-rag {found.version}, Python {found.python}"
    if found.on_path is None:
        where = f" ({found.place})" if found.place else ""
        yield warn(
            f"{what}{where}, but `docs-rag` is not on the search path, where clients and the hook look for it",
            "add the folder of the program to PATH, or scaffold with --local",
        )
    elif found.place not in (None, found.on_path):
        yield warn(f"{what}, but `docs-rag` on the search path is {found.on_path}", "uninstall one of the two")
    else:
        yield ok(f"{what}, {found.on_path}")


def _sqlite(facts: Facts) -> Iterator[Said]:
    if isinstance(facts.sqlite, Fault):
        yield broken(*facts.sqlite)
    else:
        yield ok(f"SQLite {facts.sqlite} with FTS5")


def _config(facts: Facts) -> Iterator[Said]:
    yield broken(*facts.config) if isinstance(facts.config, Fault) else ok(facts.config)


def _vault(facts: Facts) -> Iterator[Said]:
    if isinstance(facts.notes, Fault):
        yield broken(*facts.notes)
    elif facts.notes is not None:
        yield from _notes(facts.notes)


def _notes(notes: Notes) -> Iterator[Said]:
    if not notes.count:
        yield warn(
            f"{notes.folder} holds no note that the config asks for", "look at vaultPath, include and exclude in it"
        )
    else:
        yield ok(f"{counted(notes.count, 'note')} in {notes.folder}")
    for each in notes.roots:
        if each.fault:
            yield warn(each.fault, f"mount the disk it is on, or correct roots.{each.name} in the config")
        else:
            yield ok(f"{counted(each.count, 'note')} of root {each.name} in {each.folder}")
    if notes.unreadable:
        count = counted(len(notes.unreadable), "file")
        yield warn(f"{count} cannot be read: {_some(notes.unreadable)}", "docs-rag list --problems")


def _index(facts: Facts) -> Iterator[Said]:
    if isinstance(facts.index, Fault):
        yield broken(*facts.index)
    elif facts.index is not None:
        found = facts.index
        changed = f", changed {found.updated_at}" if found.updated_at else ""
        size = f"{counted(found.documents, 'note')}, {counted(found.chunks, 'section')}"
        yield ok(f"{size} in {found.path}{changed}")
        if found.failed:
            count = counted(len(found.failed), "file")
            yield warn(f"{count} could not be read: {_some(found.failed)}", "docs-rag list --problems")


def _freshness(facts: Facts) -> Iterator[Said]:
    if isinstance(facts.index, Index):
        stale = [*_stale(facts.index)]
        is_fresh = not stale and facts.index.changed == 0
        yield from [ok("the index knows every note as it is")] if is_fresh else stale


def _stale(index: Index) -> Iterator[Said]:
    if index.has_vanished:
        yield broken(
            "more than half of the indexed notes are gone: is the vault mounted",
            "mount it, or if they are gone on purpose: docs-rag index --accept-removals",
        )
    elif index.is_foreign:
        yield warn("the notes were read by another version of docs-rag or under other status rules", INDEX)
    elif index.changed:
        yield warn(f"{counted(index.changed, 'note')} changed since they were read; a search reads them first", INDEX)
    if index.last_run is not None and not index.last_run.ok:
        yield warn(f"the last run of index failed ({index.last_run.at}): {index.last_run.message}", INDEX)


def _model(facts: Facts) -> Iterator[Said]:
    found = facts.embedding
    if found is None:
        return
    if isinstance(found, Fault):
        yield broken(f"search goes by words alone: {found.message}", found.hint)
    elif found.fault is not None:
        yield broken(
            f"{found.name} does not answer, search goes by words alone: {found.fault.message}", found.fault.hint
        )
    elif found.name == "none":
        yield _no_model(found.configured)
    elif found.indexed_with and found.indexed_with != found.name:
        yield broken(f"the index was made with {found.indexed_with}, the config asks for {found.name}", INDEX)
    elif found.has_changed:
        yield broken(f"{found.name} is another version of it than the index was made with", INDEX)
    elif isinstance(facts.index, Index) and facts.index.pending:
        share = f"{facts.index.pending} of {counted(facts.index.chunks, 'section')}"
        yield warn(f"{found.name} answers, but {share} cannot be searched by meaning yet", INDEX)
    else:
        yield ok(f"{found.name} answers")


def _no_model(configured: str) -> Said:
    if configured == "none":
        return ok("none, as the config says: search goes by words alone")
    return warn("there is none here: search goes by words alone", "ollama pull bge-m3 && docs-rag index")


def _ollama(facts: Facts) -> Iterator[Said]:
    found = facts.ollama
    if isinstance(found.models, Fault):
        yield broken(*found.models) if found.is_wanted else ok(f"does not answer at {found.url}, and is not needed")
    elif found.models:
        yield ok(f"{found.url} has {', '.join(found.models)}")
    else:
        yield ok(f"{found.url} has no embedding model")


def _builtin(facts: Facts) -> Iterator[Said]:
    embedding = facts.embedding
    is_wanted = not isinstance(embedding, Fault | None) and BUILTIN_E5 in (embedding.configured, embedding.indexed_with)
    if facts.builtin is None:
        yield ok("can run here")
    elif is_wanted:
        yield broken(*facts.builtin)
    else:
        yield ok(f"cannot run here, and is not needed ({facts.builtin.message})")


def _sync(facts: Facts) -> Iterator[Said]:
    places = facts.places
    if places is None:
        return
    if places.index_by:
        yield warn(
            f"{places.index_by} copies the index while it is written, and another machine may write over it",
            f'set "indexPath": "{places.cache}" in the config, then: docs-rag trust && docs-rag index',
        )
    elif places.vault_by:
        yield ok(f"{places.vault_by} copies the vault; the index lies elsewhere: {places.index}")
    else:
        yield ok("neither vault nor index lies in a folder that is copied to other machines")


def _conflicts(facts: Facts) -> Iterator[Said]:
    if isinstance(facts.notes, Notes) and facts.notes.copies:
        count = counted(len(facts.notes.copies), "note")
        yield warn(
            f"{count} may be a conflicted copy, and both versions answer: {_some(facts.notes.copies)}",
            "bring each together with its original, and delete it",
        )


def _clients(facts: Facts) -> Iterator[Said]:
    if facts.places is None:
        return
    here = [each for each in facts.registrations if isinstance(each, Unread) or each.is_here]
    yield from (_registration(each) for each in here)
    if not here:
        yield warn("no MCP client is set up to search these notes", SCAFFOLD)
    works = Counter(
        each.client for each in here if isinstance(each, Registration) and not (each.problem or each.is_off)
    )
    for client, count in works.items():
        if count > 1:
            yield warn(f"{client} starts {count} servers for these notes, and shows each one's tool", "take one out")


def _registration(found: Registration | Unread) -> Said:
    if isinstance(found, Unread):
        return warn(f"{found.client} speaks of docs-rag in {found.file}, which {found.why}", "look at it yourself")
    what = f"{found.client}: {found.server} in {found.file}"
    if found.problem:
        return broken(f"{what} {found.problem}", f"{SCAFFOLD} --client {found.name}")
    if found.is_off:
        return warn(f"{what} is switched off", f"switch it on in {found.client}")
    return ok(what)


def _hook(facts: Facts) -> Iterator[Said]:
    found = facts.hook
    if found is None:
        return
    if not found.files:
        yield ok("not installed; a search reads changed notes all the same (docs-rag scaffold . --hook)")
    elif found.problem:
        yield broken(f"{found.files[0]} {found.problem}", f"{SCAFFOLD} --hook")
    elif found.off_in:
        yield warn(f"installed, but {found.off_in} turns all hooks off (disableAllHooks)", f"edit {found.off_in}")
    else:
        yield from _installed(found)


def _installed(hook: Hook) -> Iterator[Said]:
    """Whether Claude Code runs it: no file says so for sure, so what counts is whether it ever ran."""
    if hook.state.seen_at is None:
        yield warn(
            "installed, but it never ran here: Claude Code holds hooks back until you trust the project",
            "start `claude` here, accept its question, and let it edit a note",
        )
        return
    run = hook.state.last_run
    if run is not None and not run.ok:
        yield warn(f"its runs of index fail since {run.since}: {run.message}", f"{INDEX}; see {hook.log}")
    else:
        yield ok(f"installed, last ran {hook.state.seen_at}")


class Check(NamedTuple):
    """One check."""

    name: str
    judge: Callable[[Facts], Iterator[Said]]
    """What it says; nothing where it has nothing to look at."""


CHECKS: Final = (
    Check("program", _program),
    Check("sqlite", _sqlite),
    Check("config", _config),
    Check("vault", _vault),
    Check("index", _index),
    Check("freshness", _freshness),
    Check("model", _model),
    Check("ollama", _ollama),
    Check("builtin", _builtin),
    Check("sync", _sync),
    Check("conflicts", _conflicts),
    Check("clients", _clients),
    Check("hook", _hook),
)
"""Every check, in the order in which people read what it says."""


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
