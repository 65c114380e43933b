"""The audit of dependencies in the checks of every change: what it makes of what pip-audit says."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "audit.py"
if not SCRIPT.exists():
    pytest.skip("a source archive holds no checks", allow_module_level=True)
AUDIT: Callable[[list[str]], int] = runpy.run_path(str(SCRIPT))["main"]
FINE = {"name": "click", "version": "8.1.0", "vulns": []}
SKIPPED = {"name": "click", "skip_reason": "Dependency not found on PyPI"}
BAD = {"name": "click", "version": "8.1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["8.2"]}]}
FALSE_AUDITOR = """
import sys
if {report!r}:
    open(sys.argv[sys.argv.index("--output") + 1], "w").write({report!r})
sys.exit(1)
"""


def told(tmp_path: Path, capsys: pytest.CaptureFixture[str], report: str) -> tuple[int, str]:
    script = tmp_path / "auditor.py"
    script.write_text(FALSE_AUDITOR.format(report=report), encoding="utf-8")
    pinned = tmp_path / "pinned.txt"
    pinned.write_text("click==8.1.0\n", encoding="utf-8")
    status = AUDIT([str(pinned), "--auditor", sys.executable, str(script)])
    return status, capsys.readouterr().out


@pytest.mark.parametrize(
    ("report", "status", "words"),
    [
        ([FINE, SKIPPED], 0, "no known vulnerability in 1 of 2"),
        ([BAD, FINE], 1, "click 8.1.0: PYSEC-1, mended in 8.2"),
        ([SKIPPED], 0, "skipped"),
    ],
)
def test_a_vulnerability_fails_and_silence_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], report: list[dict[str, object]], status: int, words: str
) -> None:
    found = told(tmp_path, capsys, json.dumps({"dependencies": report}))
    assert found[0] == status
    assert words in found[1]
    assert found[1].count("\n") == 1


@pytest.mark.parametrize("report", ["", "no JSON"])
def test_an_auditor_that_could_not_ask_is_told_of_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], report: str
) -> None:
    status, said = told(tmp_path, capsys, report)
    assert (status, said.count("\n")) == (0, 1)
    assert said.startswith("dependency audit: skipped")
