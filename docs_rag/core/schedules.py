"""Blocks that let the system's own scheduler bring an index up to date every half hour."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

MINUTES: Final = 30
"""Between two runs; a run that finds nothing changed costs little."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """One scheduler."""

    title: str
    block: Callable[[str, Sequence[str]], str]
    """The block, for a name (letters, digits, `-`, `_`) and a command, without a final newline."""
    then: str
    """What to do with it."""


def _cron(name: str, command: Sequence[str]) -> str:
    r"""crontab(5): a bare `%` would end the command. What is printed to stderr is mailed."""
    line = shlex.join(command).replace("%", r"\%")
    return f"*/{MINUTES} * * * * {line} >/dev/null"


def _launchd(name: str, command: Sequence[str]) -> str:
    """launchd.plist(5)."""
    words = "\n".join(f"    <string>{escape(word, quote=False)}</string>" for word in command)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>docs-rag.{name}</string>
  <key>ProgramArguments</key>
  <array>
{words}
  </array>
  <key>StartInterval</key>
  <integer>{MINUTES * 60}</integer>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>"""


def _windows(name: str, command: Sequence[str]) -> str:
    """PowerShell's own commands: `schtasks /TR` takes 261 characters at most."""
    arguments = " ".join(_windows_word(word) for word in command[1:])
    every = f"(New-TimeSpan -Minutes {MINUTES})"
    return "\n".join(
        (
            f"$action = New-ScheduledTaskAction -Execute {_quoted(command[0])} -Argument {_quoted(arguments)}",
            f"$trigger = New-ScheduledTaskTrigger -Once -At (Get-Date) -RepetitionInterval {every}",
            f"Register-ScheduledTask -TaskName {_quoted(f'docs-rag {name}')} -Action $action -Trigger $trigger",
        )
    )


def _windows_word(word: str) -> str:
    """A Windows path holds no quotation mark; a backslash before the closing one would hide it."""
    return f'"{word.rstrip(chr(92))}"' if " " in word else word


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


SCHEDULES: Final = {
    "cron": Schedule("cron", _cron, "Add the line with: crontab -e"),
    "launchd": Schedule(
        "launchd (macOS)",
        _launchd,
        "Save it as ~/Library/LaunchAgents/docs-rag.{name}.plist, then: "
        "launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/docs-rag.{name}.plist",
    ),
    "windows": Schedule("Windows Task Scheduler", _windows, "Run the three lines in PowerShell."),
}
"""Every scheduler, by the name that `docs-rag clients --schedule` takes."""
