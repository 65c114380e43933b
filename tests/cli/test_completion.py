"""What a shell gets that asks for completions, as click's scripts ask; and bash itself, where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import SECONDS, CommandLine, spawn

from docs_rag.cli import COMMANDS, COMPLETION


def completed(line: str, shell: str = "bash") -> list[str]:
    """What the program answers for a line whose last word is being typed."""
    words = line.split(" ")
    place = words[-1] if shell == "fish" else str(len(words) - 1)
    env = {COMPLETION: f"{shell}_complete", "COMP_WORDS": line, "COMP_CWORD": place}
    result = spawn(env=env)
    assert (result.status, result.err) == (0, "")
    return result.out.splitlines()


def test_commands_are_completed() -> None:
    assert {f"plain,{name}" for name in COMMANDS} <= set(completed("docs-rag "))
    assert completed("docs-rag sea") == ["plain,search"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("docs-rag search --vim", ["plain,--vimgrep"]),
        ("docs-rag -C x search --vim", ["plain,--vimgrep"]),
        ("docs-rag list --status super", ["plain,superseded"]),
        ("docs-rag check --explain DR01", [f"plain,DR01{n}" for n in range(8)]),
        ("docs-rag completion z", ["plain,zsh"]),
        ("docs-rag index --vault no", ["dir,no"]),
        ("docs-rag -C no", ["dir,no"]),
        ("docs-rag index --config no", ["file,no"]),
        ("docs-rag index no", ["file,no"]),
        ("docs-rag history no", ["file,no"]),
        ("docs-rag supersede a no", ["file,no"]),
        ("docs-rag search no", []),
        ("docs-rag nonsense --no", []),
    ],
)
def test_each_place_gets_what_belongs_there(line: str, expected: list[str]) -> None:
    assert [each for each in completed(line) if each] == expected


def test_zsh_and_fish_get_the_help_too() -> None:
    found = completed("docs-rag sea", "zsh")
    assert found == ["plain", "search", COMMANDS["search"].help]
    fish = completed("docs-rag sea", "fish")
    assert "search" in " ".join(fish)
    assert COMMANDS["search"].help in " ".join(fish)


def test_completion_opens_no_project_and_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"vaultPath": "/", no json', encoding="utf-8")
    program = (
        "import sys; from docs_rag.__main__ import main; sys.argv = ['docs-rag']; status = main();"
        "print(sorted({'mcp', 'numpy', 'httpx', 'yaml', 'markdown_it', 'rich', 'sqlite3', 'docs_rag.wiring'}"
        " & set(sys.modules)), file=sys.stderr); sys.exit(status)"
    )
    env = {**os.environ, COMPLETION: "bash_complete", "COMP_WORDS": "docs-rag se", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=env, cwd=tmp_path, capture_output=True, check=False)
    assert done.stdout.decode("utf-8").split() == ["plain,search", "plain,serve"]
    assert done.stderr.decode("utf-8").strip() == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_for_each_shell(shell: str, docs_rag: CommandLine) -> None:
    result = docs_rag("completion", shell)
    assert result.status == 0
    assert f"{COMPLETION}={shell}_complete" in result.out
    assert spawn(env={COMPLETION: f"{shell}_source"}).out == result.out


def test_a_shell_that_is_not_known(docs_rag: CommandLine) -> None:
    assert docs_rag("completion", "csh").status == 2
    result = spawn(env={COMPLETION: "csh_complete"})
    assert result.status == 2
    assert result.err.startswith("docs-rag: there is no completion for the shell csh")


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes_with_it(tmp_path: Path) -> None:
    program = tmp_path / "docs-rag"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m docs_rag "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = """
        eval "$(docs-rag completion bash)"
        complete -p docs-rag
        COMP_WORDS=(docs-rag search --vi) COMP_CWORD=2
        $(complete -p docs-rag | sed 's/.*-F \\([^ ]*\\).*/\\1/') docs-rag --vi search
        echo "found ${COMPREPLY[*]}"
    """
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "--norc", "-c", script]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert "found --vimgrep" in done.stdout, done.stderr
