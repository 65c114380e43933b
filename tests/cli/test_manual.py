"""What a command's help says after the options; and that its examples can be run as they stand."""

from __future__ import annotations

import re
import shlex

import click
import pytest
from commandline import CommandLine

from docs_rag import cli
from docs_rag.cli.manual import PAGES, VARIABLES


def test_every_command_has_a_page() -> None:
    assert set(cli.COMMANDS) == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_within_100_columns(name: str, docs_rag: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = docs_rag(name, "--help").out
    titles = re.findall(r"^(\w[\w ]*):$", shown, re.MULTILINE)
    assert titles[:3] == ["Options", "Examples", "Exit status"]
    assert titles[3:] == [title for title in ("Environment", "Files", "See also") if title in titles]
    assert ("130  interrupted" in shown) is not PAGES[name].never_fails
    assert max(map(len, shown.splitlines())) <= 100
    assert not [line for line in shown.splitlines() if line != line.rstrip()]


def examples() -> list[str]:
    return [command for entry in PAGES.values() for command, _ in entry.examples]


@pytest.mark.parametrize("example", examples())
def test_examples_are_understood(example: str) -> None:
    found = re.search(r"docs-rag (?:-C \S+ )?([a-z]+)(.*?)(?:[|<>)]|$)", example)
    assert found is not None
    name, arguments = found[1], shlex.split(found[2].removesuffix(')"'))
    command = cli.group.get_command(click.Context(cli.group), name)
    assert command is not None
    parser = command.make_parser(click.Context(command))
    _, rest, _ = parser.parse_args(arguments)
    assert rest == []


@pytest.mark.parametrize("entry", PAGES.values(), ids=list(PAGES))
def test_what_a_page_names_is_there(entry: object) -> None:
    page = next(each for each in PAGES.values() if each is entry)
    assert set(page.environment) <= set(VARIABLES)
    assert {name for name in page.see.split(", ") if name} <= set(cli.COMMANDS)
