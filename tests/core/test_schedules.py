"""Blocks for schedulers: the command in them is the command that was meant, whatever signs it holds."""

from __future__ import annotations

import plistlib
import re
import shlex

import pytest

from docs_rag.core.schedules import SCHEDULES

COMMAND = ("/opt/my tools/docs-rag", "index", "--config", "/home/me/100% sure & <'fine'>/.rag/config.json")


def test_cron_runs_the_command_every_half_hour() -> None:
    line = SCHEDULES["cron"].block("docs", COMMAND)
    assert line.startswith("*/30 * * * * ")
    assert line.endswith(" >/dev/null")
    assert re.search(r"(?<!\\)%", line) is None
    words = shlex.split(line.removeprefix("*/30 * * * * ").removesuffix(" >/dev/null").replace(r"\%", "%"))
    assert tuple(words) == COMMAND


def test_launchd_reads_its_block() -> None:
    read = plistlib.loads(SCHEDULES["launchd"].block("docs", COMMAND).encode())
    assert tuple(read["ProgramArguments"]) == COMMAND
    assert (read["Label"], read["StartInterval"]) == ("docs-rag.docs", 1800)


def test_powershell_gets_one_text_per_argument() -> None:
    action, trigger, register = SCHEDULES["windows"].block("docs", COMMAND).splitlines()
    texts = [text.replace("''", "'") for text in re.findall(r"'((?:[^']|'')*)'", action)]
    assert texts == [COMMAND[0], f'index --config "{COMMAND[3]}"']
    assert "-Minutes 30" in trigger
    assert register.startswith("Register-ScheduledTask -TaskName 'docs-rag docs' ")


@pytest.mark.parametrize("name", SCHEDULES)
def test_every_block_says_what_to_do_with_it(name: str) -> None:
    assert SCHEDULES[name].then.format(name="docs").endswith((".", ".plist", "-e"))
    assert "{" not in SCHEDULES[name].then.format(name="docs")
