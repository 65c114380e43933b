"""The settings of a config file: one row each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from docs_rag.core import checks
from docs_rag.core.linting.settings import CheckRules, check_rules
from docs_rag.core.statusrules import FOLDERS


@dataclass(frozen=True, slots=True)
class Field:
    """One setting."""

    key: str
    """As the config file spells it."""
    attribute: str
    """As `config.Config` spells it."""
    check: checks.Check
    default: object
    """What `config.Config` holds when the key is left out; None: worked out, or left to the model."""
    help: str
    """One line, for people."""


FIELDS: Final = (
    Field("vaultPath", "vault_path", checks.path, None, "folder of notes; required"),
    Field("roots", "roots", checks.roots, (), "other folders of notes, each under a name that their paths begin with"),
    Field("indexPath", "index_path", checks.path, None,
          "the index, an SQLite file; default: `index.db` in `.rag`"),
    Field("include", "include", checks.globs("include", least=1), ("**/*.md",),
          "globs of the notes to index"),
    Field("exclude", "exclude", checks.globs("exclude"), (), "globs that are never indexed"),
    Field("gitignore", "gitignore", checks.switch, True,
          "honour `.gitignore`, `.ignore` and `.ragignore` files"),
    Field("maxFileMb", "max_file_mb", checks.number(0.001, 1024), 10.0, "larger files are listed, not read"),
    Field("embedModel", "embed_model", checks.model, "auto",
          "`auto`, an Ollama embedding model, `builtin:multilingual-e5-small`, or `none` (lexical only)"),
    Field("ollamaHost", "ollama_host", checks.host, None,
          "where Ollama listens; default: `OLLAMA_HOST`, else `http://127.0.0.1:11434`"),
    Field("minScore", "min_score", checks.or_null(checks.number(0, 1), null=None), None,
          "floor under which nothing is a hit; default (also null): by model and calibration"),
    Field("relativeCutoff", "relative_cutoff", checks.or_null(checks.number(0, 1), null=0.0), None,
          "drop hits below this share of the best score; null is off; default: by model"),
    Field("lexicalMaxDocFreq", "lexical_max_doc_freq", checks.number(0, 1), 0.01,
          "a word is rare when at most this share of the sections holds it"),
    Field("lexicalSlots", "lexical_slots", checks.whole(0, 50), 2,
          "at most so many lexical-only hits beside semantic ones"),
    Field("limit", "limit", checks.whole(1, 50), 8, "hits when the caller names no limit"),
    Field("defaultExclude", "default_exclude", checks.folders, ("archive", "plans"),
          "folders that a search leaves out unless it asks for all"),
    Field("pathBoosts", "path_boosts", checks.factors, (),
          "factors on the order of hits, by folder; never on the score"),
    Field("followSuccession", "follow_succession", checks.switch, True,
          "let the live successor take the place of a superseded hit"),
    Field("statusWords", "status_words", checks.states('"🌱 seedling": "draft"'), (),
          "status words of your own, each with current, draft, rejected, superseded or archived"),
    Field("statusKey", "status_key", checks.text(64), "status",
          "metadata key that holds the status, beside the usual ones"),
    Field("lifecycleIn", "lifecycle_in", checks.globs("lifecycleIn"), ("**",),
          "globs of the notes whose status counts; all others are current"),
    Field("statusFolders", "status_folders", checks.states('"attic": "archived"'), tuple(FOLDERS.items()),
          "folders that give what lies in them a state; replaces the default, `{}` is none"),
    Field("gitDates", "git_dates", checks.switch, True,
          "take the date of a note that has none from its first commit"),
    Field("check", "check", check_rules, CheckRules(),
          "`docs-rag check`: levels by code, codes to leave out"),
    Field("autoRefresh", "auto_refresh", checks.switch, True, "take in changed notes before a search"),
    Field("serverName", "name", checks.text(64), None, "name of the MCP server; default: `<folder>-docs`"),
    Field("toolDescription", "tool_description", checks.text(1000), None,
          "what this knowledge base holds; default: built from counts and folder names"),
    Field("tools", "tools", checks.one_of("search", "reader"), "search",
          "`search`: one MCP tool, `search_notes`; `reader`: tools that read notes as well"),
)  # fmt: skip
"""The settings, in the order in which people read them; a new one is a row here and a line in `config.Config`."""
