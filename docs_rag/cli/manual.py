"""What `docs-rag COMMAND --help` says after the options: one row for each command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

Rows = tuple[tuple[str, str], ...]
"""Pairs of what stands on the left and what it means."""


class Entry(NamedTuple):
    """One command's row."""

    examples: Rows
    """Commands to copy, and what each does."""
    status: str = ""
    """What exit status 1 means here beside a known error."""
    environment: tuple[str, ...] = ()
    """Keys of `VARIABLES`."""
    files: Rows = ()
    see: str = ""
    """Other commands."""
    never_fails: bool = False
    """The exit status is 0 whatever happens."""


VARIABLES: Final = {
    "CLAUDE_PROJECT_DIR": "the project's folder, as Claude Code sets it; looked at before the working directory",
    "OLLAMA_HOST": "where Ollama listens, unless the config says it",
    "NO_COLOR": "anything: no colour and no hyperlinks",
    "FORCE_HYPERLINK": "1: paths are hyperlinks on any terminal; 0: on none",
    "VISUAL, EDITOR": "what --open starts where Obsidian is not meant",
    "LC_ALL, LANG": "a Korean locale: questions in Korean",
}
"""What commands read from the environment."""

_INDEX: Final = (".rag/index.db", "the index; it can be deleted and built again")
_CONFIG: Final = (".rag/config.json", "the config; found from the working directory upwards")
_JOURNAL: Final = (".rag/undo.jsonl", "what changes of notes replaced, for undo")

PAGES: Final = {
    "init": Entry(
        (
            ("docs-rag init", "ask, with what was found as the proposal"),
            ("docs-rag init --yes", "ask nothing and take what was found"),
        ),
        environment=("OLLAMA_HOST", "LC_ALL, LANG"),
        files=(_CONFIG,),
        see="index, scaffold, doctor",
    ),
    "scaffold": Entry(
        (
            ("docs-rag scaffold . --dry-run", "show every change, and write nothing"),
            ("docs-rag scaffold . --yes --hook", "this project, with the hook that keeps its index fresh"),
            ("docs-rag scaffold . --client cursor --client codex", "for these clients"),
            ("docs-rag scaffold . --agents", "a block for AGENTS.md and CLAUDE.md too"),
            ("docs-rag scaffold . --remove", "take out what scaffold wrote"),
        ),
        files=(
            _CONFIG,
            (".mcp.json", "the server's entry for Claude Code"),
            (".claude/settings.local.json", "the hook"),
            (".gitignore", "lines for what is this machine's own"),
        ),
        see="clients, doctor, init",
    ),
    "index": Entry(
        (
            ("docs-rag index", "take in what is new and what changed"),
            ("docs-rag index docs/adr", "only what lies in this folder"),
            ("docs-rag index --vault notes", "a folder without a config"),
            ("docs-rag index --full", "after a doubt: read and embed everything again"),
        ),
        status="another run is at work (--no-wait), notes failed (--strict), or more than half of them are gone",
        environment=("OLLAMA_HOST",),
        files=(_CONFIG, _INDEX),
        see="status, search, doctor",
    ),
    "search": Entry(
        (
            ("docs-rag search how long does a session last", "the notes that hold today"),
            ("docs-rag search --all sessions", "those too that were superseded or archived, labelled"),
            ("docs-rag search --as-of 2025-06-30 sessions", "what was in force on that day"),
            ("docs-rag search --within adr --tag auth tokens", "only in this folder, only with this tag"),
            ("docs-rag search -0 tokens | xargs -0 grep -n TTL", "hand the notes to another program"),
            ("vim -q <(docs-rag search --vimgrep tokens)", "from hit to hit in an editor"),
            ("docs-rag search --json tokens | jq '.hits[0].path'", "the whole answer, for a script"),
        ),
        status="no hit (--exit-code)",
        environment=("OLLAMA_HOST", "VISUAL, EDITOR", "NO_COLOR", "FORCE_HYPERLINK"),
        files=(_CONFIG, _INDEX),
        see="history, list, status",
    ),
    "read": Entry(
        (
            ("docs-rag read reference/auth.md", "the note from its beginning, with line numbers"),
            ("docs-rag read reference/auth.md:41", "the whole section that holds line 41"),
            ("docs-rag read reference/auth.md:41 --around 1", "with the sections before and after it"),
            ("docs-rag read reference/auth.md --heading Tokens", "what stands under this heading"),
            ("docs-rag read 'reference/auth.md#7@c41f0a'", "a hit of a search, by its id"),
            ("docs-rag read ADR-12 --json", "for a script"),
        ),
        files=(_CONFIG, _INDEX),
        see="search, history, list",
    ),
    "convert": Entry(
        (
            ("docs-rag convert plans/manual.pdf", "its text as markdown, as it is indexed"),
            ("docs-rag convert plans/manual.pdf --again", "converted anew, for example with another tool installed"),
            ("docs-rag convert plans/manual.pdf --where", "the file that holds the text, with its pictures beside it"),
            ("docs-rag convert plans/manual.pdf --json", "for a script: the text, and which lines stand on which page"),
        ),
        status="the document cannot be converted; the line on stderr says why",
        files=(_CONFIG, (".rag/converted/", "the texts of documents; it can be deleted and is made again")),
        see="read, index, list",
    ),
    "list": Entry(
        (
            ("docs-rag list", "every note with its state"),
            ("docs-rag list decisions/", "those below a folder"),
            ("docs-rag list --status superseded", "what is no longer in force, and by what it was replaced"),
            ("docs-rag list --problems", "what could not be read or understood"),
        ),
        see="check, history, status",
    ),
    "history": Entry(
        (
            ("docs-rag history ADR-4", "by its id"),
            ("docs-rag history decisions/0004-labels.md", "by its path"),
            ("docs-rag history log.md#D-013", "one decision of a log"),
            ("docs-rag history --mermaid ADR-4", "to be put into a note"),
        ),
        see="search, supersede",
    ),
    "check": Entry(
        (
            ("docs-rag check", "the whole vault"),
            ("docs-rag check --fix --dry-run", "what could be mended, and how"),
            ("docs-rag check --diff origin/main --format github", "in CI: only notes that a branch changed"),
            ("docs-rag check --explain DR012", "what a code means"),
            ("docs-rag check --write-baseline", "take today's findings as known"),
        ),
        status="an error is left (--exit-zero: never)",
        files=(_CONFIG, (".rag/check-baseline.json", "findings that are known"), _JOURNAL),
        see="supersede, undo, list",
    ),
    "eval": Entry(
        (
            ("docs-rag eval --bootstrap -o questions.yaml", "draft a question file, to be gone through"),
            ("docs-rag eval questions.yaml --wrong", "figures, and what went wrong"),
            ("docs-rag eval questions.yaml --json > base.json", "keep a run"),
            ("docs-rag eval questions.yaml --compare base.json", "is it worse than that run?"),
        ),
        status="worse than the former run (--compare)",
        environment=("OLLAMA_HOST",),
        see="search, status",
    ),
    "status": Entry(
        (
            ("docs-rag status", "what is indexed, what is not, and why"),
            ("docs-rag status --json | jq .pending", "for a script"),
        ),
        files=(_CONFIG, _INDEX),
        see="doctor, index, list",
    ),
    "doctor": Entry(
        (
            ("docs-rag doctor", "every check, with the command that mends what is wrong"),
            ("docs-rag doctor --json", "for a script"),
        ),
        status="something is broken",
        environment=("OLLAMA_HOST",),
        files=(_CONFIG, _INDEX),
        see="status, index, scaffold",
    ),
    "serve": Entry(
        (
            ("claude mcp add docs -- docs-rag serve", "register it with Claude Code"),
            ("docs-rag serve --vault notes", "a folder without a config"),
            ("docs-rag serve --tools reader", "for agents that cannot open files"),
            ("docs-rag serve --config /abs/.rag/config.json", "for hosts that start it elsewhere"),
        ),
        environment=("CLAUDE_PROJECT_DIR", "OLLAMA_HOST"),
        files=(_CONFIG, _INDEX),
        see="clients, scaffold, search",
    ),
    "clients": Entry(
        (
            ("docs-rag clients", "the clients that are known, and their files"),
            ("docs-rag clients codex", "what to paste for one of them"),
            ("docs-rag clients --schedule cron", "a line that indexes at fixed hours"),
        ),
        see="scaffold, serve",
    ),
    "bundle": Entry(
        (
            ("docs-rag bundle", "write docs-rag.mcpb, to be opened with Claude Desktop"),
            ("docs-rag bundle ~/notes.mcpb", "under another name"),
        ),
        see="clients, serve",
    ),
    "hook": Entry(
        (
            ("docs-rag scaffold . --hook", "register it with Claude Code, which then calls it after each edit"),
            ("docs-rag hook < event.json", "what Claude Code does"),
        ),
        environment=("CLAUDE_PROJECT_DIR",),
        files=((".rag/hook.log", "what background runs had to say"),),
        see="scaffold, doctor, index",
        never_fails=True,
    ),
    "supersede": Entry(
        (
            ("docs-rag supersede ADR-12 ADR-34", "show what changes, and ask"),
            ("docs-rag supersede ADR-12 ADR-34 --dry-run", "only show it"),
            ("docs-rag supersede log.md#D-013 log.md#D-026", "decisions of a log"),
        ),
        files=(_JOURNAL,),
        see="history, undo, check",
    ),
    "undo": Entry(
        (
            ("docs-rag undo", "show what comes back, and ask"),
            ("docs-rag undo --yes", "ask nothing"),
        ),
        files=(_JOURNAL,),
        see="supersede, check",
    ),
    "trust": Entry(
        (
            ("docs-rag trust", "show what the config asks for, and ask"),
            ("docs-rag search --trust-once tokens", "in CI: for one call"),
        ),
        files=(_CONFIG,),
        see="init, doctor",
    ),
    "completion": Entry(
        (
            ('eval "$(docs-rag completion bash)"', "in ~/.bashrc (bash 4.4 or later)"),
            ('eval "$(docs-rag completion zsh)"', "in ~/.zshrc, after compinit"),
            ("docs-rag completion fish | source", "in ~/.config/fish/config.fish"),
        ),
    ),
    "demo": Entry((("docs-rag demo", "one screen"),), see="init, search"),
}
"""By the command's name."""

_STATUS: Final = (
    ("0", "done"),
    ("1", "a known error, in one line on stderr"),
    ("2", "wrong usage"),
    ("3", "a bug; the traceback is in .rag/docs-rag.log"),
    ("130", "interrupted"),
)
_NEVER_FAILS: Final = ("0", "whatever happens")


def sections(name: str) -> Iterator[tuple[str, Rows]]:
    """Titles and rows of a command's page; nothing for a name that has none."""
    entry = PAGES.get(name)
    if entry is None:
        return
    yield "Examples", entry.examples
    yield (
        "Exit status",
        (_NEVER_FAILS,) if entry.never_fails else tuple(_with_more(*row, entry.status) for row in _STATUS),
    )
    if entry.environment:
        yield "Environment", tuple((name, VARIABLES[name]) for name in entry.environment)
    if entry.files:
        yield "Files", entry.files
    if entry.see:
        yield "See also", ((", ".join(f"docs-rag {other}" for other in entry.see.split(", ")), ""),)


def _with_more(number: str, meaning: str, more: str) -> tuple[str, str]:
    return (number, f"{meaning}; or: {more}") if more and number == "1" else (number, meaning)
