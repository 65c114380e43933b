"""Ask an advisory service whether any of the pinned distributions has a known vulnerability.

    python .ci/audit.py REQUIREMENTS [--auditor COMMAND]

REQUIREMENTS is what `pip freeze` prints. pip-audit is installed into a folder of its own, so that it neither changes
what is audited nor is audited itself. Exit status 1 for a vulnerability; 0 where none is known, and, with a line that
says so, where the service cannot be asked: a check that needs the network must not stop work without one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

INSTALL_SECONDS: Final = 90
AUDIT_SECONDS: Final = 120


def main(words: Sequence[str] | None = None) -> int:
    """Print what was found in a line or a line for each vulnerability; returns the exit status."""
    parser = argparse.ArgumentParser(description="Look for known vulnerabilities.")
    parser.add_argument("requirements", type=Path)
    parser.add_argument("--auditor", nargs="+", help="the command line of pip-audit, instead of a fresh one")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            report = audit(arguments.auditor or installed(Path(scratch)), arguments.requirements, Path(scratch))
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            print(f"dependency audit: skipped, pip-audit did not run ({type(error).__name__})")
            return 0
    return tell(report)


def installed(scratch: Path) -> list[str]:
    """pip-audit's command line, after it was installed below `scratch`. Raises `SubprocessError` where it cannot be."""
    venv.create(scratch / "venv", with_pip=True)
    python = scratch / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    command = [str(python), "-m", "pip", "install", "--quiet", "--retries", "0", "--timeout", "10", "pip-audit"]
    subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    return [str(python), "-m", "pip_audit"]


def audit(auditor: Sequence[str], requirements: Path, scratch: Path) -> list[dict[str, Any]]:
    """What pip-audit says of each distribution. Raises what goes wrong on the way, `OSError` for no report."""
    report = scratch / "report.json"
    options = ["--requirement", str(requirements), "--no-deps", "--disable-pip", "--timeout", "10"]
    options += ["--progress-spinner", "off", "--format", "json", "--output", str(report)]
    subprocess.run([*auditor, *options], capture_output=True, timeout=AUDIT_SECONDS, check=False)
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["dependencies"]
    return found


def tell(report: Sequence[dict[str, Any]]) -> int:
    """Print the outcome; 1 for a known vulnerability."""
    asked = [each for each in report if "skip_reason" not in each]
    found = list(vulnerable(asked))
    if not asked:
        print("dependency audit: skipped, the advisory service knows none of these distributions or cannot be asked")
    elif not found:
        print(f"dependency audit: no known vulnerability in {len(asked)} of {len(report)} distributions")
    else:
        print(*found, sep="\n")
    return 1 if found else 0


def vulnerable(report: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each known vulnerability."""
    for each in report:
        for advisory in each.get("vulns", ()):
            mended = ", ".join(advisory.get("fix_versions") or ()) or "no release"
            yield f"dependency audit: {each['name']} {each['version']}: {advisory['id']}, mended in {mended}"


if __name__ == "__main__":
    sys.exit(main())
