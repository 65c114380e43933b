"""The long form: `python tests/fuzz/long.py --seconds 600`, by mutation or, with `--guided`, led by coverage.

Prints how many inputs each target was given. A finding is written to `tests/fuzz/found/TARGET-DIGEST` and ends the
run of its target with a traceback; put it into the corpus once it is mended. `--guided` needs the extra `fuzz`
(https://github.com/google/atheris) and takes one target.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

SLOW = 2.0
"""Seconds of processor time for one small input that make it a finding."""


def main() -> int:
    """Run; 1 when something was found."""
    asked = _options()
    logging.disable(logging.CRITICAL)  # libraries for documents have much to say of these
    if asked.guided:
        return _guided(asked.guided, asked.seconds)
    from fuzz.targets import TARGETS

    names = asked.target or list(TARGETS)
    results = [_mutating(name, asked.seed, asked.seconds / len(names)) for name in names]
    return int(not all(results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Feed hostile bytes to docs-rag.")
    parser.add_argument("--seconds", type=float, default=600.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="another run of the same inputs")
    parser.add_argument("--target", action="append", help="only this one; may be given several times")
    parser.add_argument("--guided", metavar="TARGET", help="led by coverage, with atheris")
    return parser.parse_args()


def _mutating(name: str, seed: int, seconds: float) -> bool:
    from fuzz.mutating import inputs
    from fuzz.targets import try_one

    end, count, slowest = time.monotonic() + seconds, 0, 0.0
    for data in inputs(name, seed):
        if time.monotonic() > end:
            break
        count += 1
        begun = time.process_time()
        try:
            try_one(name, data)
        except Exception:
            traceback.print_exc()
            return _keep(name, data)
        slowest = max(slowest, time.process_time() - begun)
        if slowest > SLOW:
            sys.stderr.write(f"{name}: {slowest:.1f} s for {len(data)} bytes\n")
            return _keep(name, data)
    sys.stdout.write(f"{name}: {count} inputs of seed {seed}, the slowest took {slowest * 1000:.0f} ms\n")
    return True


def _keep(name: str, data: bytes) -> bool:
    folder = Path(__file__).parent / "found"
    folder.mkdir(exist_ok=True)
    place = folder / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    place.write_bytes(data)
    sys.stderr.write(f"{name}: kept in {place}\n")
    return False


def _guided(name: str, seconds: float) -> int:
    import atheris

    with atheris.instrument_imports(include=["docs_rag"]):
        from fuzz.documents import DOCUMENTS
        from fuzz.targets import try_one

        if name in DOCUMENTS:
            _load_converters()
    from fuzz.mutating import DOCUMENT_PIECES, PIECES, seeds

    with tempfile.TemporaryDirectory() as folder:
        grown, known, words = Path(folder, "grown"), Path(folder, "known"), Path(folder, "words")
        grown.mkdir()
        known.mkdir()
        for number, data in enumerate(seeds(name)):
            (known / str(number)).write_bytes(data)
        pieces = DOCUMENT_PIECES if name in DOCUMENTS else PIECES
        words.write_text("".join(f'"{_quoted(each)}"\n' for each in pieces if len(each) < 60), encoding="ascii")
        limits = [f"-max_total_time={seconds:.0f}", "-timeout=10", "-max_len=8000", f"-dict={words}"]
        # What it learns goes to the first of its folders.
        atheris.Setup([sys.argv[0], *limits, str(grown), str(known)], lambda data: try_one(name, data))
        atheris.Fuzz()
    return 0


def _load_converters() -> None:
    """They are loaded on first use otherwise, when nothing watches any more what is imported."""
    from docs_rag.adapters.converters import CONVERTERS, resolve

    for row in CONVERTERS.values():
        resolve(row)


def _quoted(piece: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in piece)


if __name__ == "__main__":
    sys.exit(main())
