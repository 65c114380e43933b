"""README, AUTHORING, the example config and the command line say the same."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import click
import pytest
from linted import lint

from docs_rag import cli
from docs_rag.app.clients import CLIENTS
from docs_rag.config import FIELDS
from docs_rag.core.documents import DocPath
from docs_rag.core.linting.codes import CODES
from docs_rag.core.parsing import parse_document
from docs_rag.core.status import Status
from docs_rag.core.succession import Record, resolve

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
AUTHORING = (ROOT / "AUTHORING.md").read_text(encoding="utf-8")


def command(name: str) -> click.Command:
    found = cli.group.get_command(click.Context(cli.group), name)
    assert found is not None
    return found


def test_the_readme_opens_with_the_two_commands_that_ci_runs() -> None:
    lines = ["pip install . && docs-rag demo", "pip install '.[dev]' && pytest"]
    blocks = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert blocks[:2] == lines
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in ci if line.startswith("pip install")] == lines


def test_every_setting_is_in_the_readme_and_the_example_config() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", README.partition("## Settings")[2], re.MULTILINE)
    keys = [field.key for field in FIELDS]
    assert rows == keys
    example = json.loads((ROOT / "config.example.json").read_text(encoding="utf-8"))
    assert {key for key in example if key != "$schema"} == set(keys)


def test_every_command_and_option_is_in_the_readme() -> None:
    table = README.partition("## Commands")[2].partition("## Settings")[0]
    for name in cli.COMMANDS:
        assert f"`docs-rag {name}" in table, name
        for parameter in command(name).params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert any(option in table for option in parameter.opts), (name, parameter.opts)


def test_the_readme_names_no_command_or_option_that_is_not_there() -> None:
    for name in re.findall(r"`?docs-rag ([a-z]+)", README):
        assert name in cli.COMMANDS or name in {"reads", "does", "looks", "is"}, name
    known = {option for name in cli.COMMANDS for parameter in command(name).params for option in parameter.opts}
    known |= {option for parameter in cli.group.params for option in parameter.opts}
    for option in re.findall(r"`(--[a-z-]+)", README):
        assert option in known, option


def test_the_readmes_table_of_clients_is_the_programs() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (?:`([^`]+)`)?[^|]*\|[^|]*\| `(\w+)` \|$", README, re.MULTILINE)
    assert rows == [(row.name, row.project or "", ".".join(row.keys)) for row in CLIENTS.values()]


def test_the_readmes_table_of_codes_is_the_programs() -> None:
    rows = re.findall(r"^\| `(DR\d+)` `([a-z-]+)` \| (\w+) \| (.*?) \|$", README, re.MULTILINE)
    assert rows == [(code.id, code.name, code.level, code.meaning) for code in CODES]


@pytest.mark.parametrize("text", [*re.findall(r"```md\n(.*?)```", AUTHORING, re.DOTALL)[:-1], None])
def test_check_has_nothing_against_authorings_records(text: str | None) -> None:
    old, new = examples()[:2]
    assert lint({"0012-sessions-last-a-day.md": text or old, "0034-short-sessions.md": new}) == []


def test_check_has_nothing_against_authorings_log() -> None:
    assert lint({"decisions.md": forms()[-1]}) == []


def test_every_extra_is_known() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra in re.findall(r"'(?:docs-rag|\.)\[(\w+)\]'", README):
        assert extra in extras


def examples() -> list[str]:
    return re.findall(r"```markdown\n(.*?)```", AUTHORING, re.DOTALL)


def test_authorings_records_are_read_as_it_says() -> None:
    old, new = (parse_document(DocPath(path), text) for path, text in zip(
        ("0012-sessions-last-a-day.md", "0034-short-sessions.md"), examples()[:2], strict=True
    ))  # fmt: skip
    assert old.problems == new.problems == ()
    assert (old.lifecycle.status, new.lifecycle.status) == (Status.SUPERSEDED, Status.CURRENT)
    standings = resolve(Record(each.path, each.title, each.aliases, each.lifecycle) for each in (old, new))
    assert standings[old.path].current_end == (new.path,)
    assert standings[old.path].superseded_on == "2026-03-01"
    assert all(not each.problems for each in standings.values())


def test_a_claim_of_the_new_record_alone_retires_the_old_one() -> None:
    new = parse_document(DocPath("0034-short-sessions.md"), examples()[1])
    old = parse_document(DocPath("0012-sessions-last-a-day.md"), "# Sessions last a day\n")
    standings = resolve(Record(each.path, each.title, each.aliases, each.lifecycle) for each in (old, new))
    assert standings[old.path].status is Status.SUPERSEDED
    assert [problem.code for problem in standings[old.path].problems] == ["one-sided"]


def forms() -> list[str]:
    return re.findall(r"```md\n(.*?)```", AUTHORING, re.DOTALL)


@pytest.mark.parametrize("text", forms()[:-1])
def test_every_form_of_authoring_says_the_same(text: str) -> None:
    old = parse_document(DocPath("0012-sessions-last-a-day.md"), text)
    new = parse_document(DocPath("0034-short-sessions.md"), examples()[1])
    standings = resolve(Record(each.path, each.title, each.aliases, each.lifecycle) for each in (old, new))
    assert standings[old.path].status is Status.SUPERSEDED
    assert standings[old.path].superseded_by == (new.path,)
    assert old.problems == ()


def test_authorings_log_has_a_state_for_each_decision() -> None:
    log = parse_document(DocPath("decisions.md"), forms()[-1])
    assert [(part.anchor, part.lifecycle.status) for part in log.parts] == [
        ("D-001", Status.SUPERSEDED),
        ("D-002", Status.CURRENT),
    ]


def spellings() -> list[str]:
    block = re.search(r"```yaml\n(.*?)```", AUTHORING, re.DOTALL)
    assert block is not None
    return block.group(1).splitlines()


@pytest.mark.parametrize("line", spellings())
def test_every_way_of_naming_a_record_names_it(line: str) -> None:
    old = parse_document(DocPath("decisions/0012-old.md"), f"---\n{line}\n---\n\n# Old\n")
    new = parse_document(DocPath("decisions/0034-short-sessions.md"), "# Sessions last 30 minutes\n")
    standings = resolve(Record(each.path, each.title, each.aliases, each.lifecycle) for each in (old, new))
    assert standings[old.path].superseded_by == (new.path,)


def test_every_word_of_authorings_table_is_understood() -> None:
    rows = re.findall(r"^\| (it [^|]*|something[^|]*) \| (.*?) \| (.*?) \|$", AUTHORING, re.MULTILINE)
    meanings = {"it holds": Status.CURRENT, "it is not decided": Status.DRAFT, "it was refused": Status.REJECTED,
                "something replaced it": Status.SUPERSEDED, "it is over": Status.ARCHIVED}  # fmt: skip
    assert len(rows) == len(meanings)
    for meaning, word, others in rows:
        for text in re.findall(r"`([^`]*)`", f"{word} {others}"):
            if not text.endswith("_by"):
                life = parse_document(DocPath("a.md"), f"---\nstatus: {text}\n---\n").lifecycle
                assert (life.status, life.known) == (meanings[meaning], True), text


def test_authorings_other_claims() -> None:
    partly = parse_document(DocPath("a.md"), "---\nstatus: partly superseded by ADR-0040\n---\n").lifecycle
    assert (partly.status, partly.partial) == (Status.CURRENT, ("ADR-0040",))
    form = parse_document(DocPath("a.md"), '---\nstatus: "{proposed | accepted}"\n---\n').lifecycle
    assert form.template
    named = parse_document(DocPath("a.md"), examples()[2])
    assert (named.aliases, named.tags) == (("session policy", "login duration"), ("auth", "security"))
