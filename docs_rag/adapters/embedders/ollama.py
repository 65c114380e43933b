"""Embeds through an Ollama server (`/api/embed`, `/api/tags`, `/api/show`).

One failing text fails its whole request there, so a refused request is halved until the guilty text stands
alone. Texts are sent with `truncate: false`, because a server that cuts a text does not say so; what is too
long is shortened here and reported in `last_truncated`.
"""

from __future__ import annotations

import re
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from docs_rag.core.hosts import is_loopback
from docs_rag.core.models import Model, lookup, plain_name, refuse_remote
from docs_rag.core.ports import EmbedFailure, Vector
from docs_rag.core.sending import groups, plain, sendable, shorter
from docs_rag.core.vectors import normalise
from docs_rag.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import httpx

_EMBED: Final = "/api/embed"

_CONNECT_SECONDS: Final = 2.0
_BUSY: Final = frozenset({429, 503})
_BUSY_PAUSES: Final = (0.2, 0.5, 1.0)
"""Seconds to wait before each new try when the server's queue is full."""

_TOO_LONG: Final = re.compile(r"(input|context) (length|size)|too (long|large)|exceeds", re.IGNORECASE)
_CRASH: Final = re.compile(r"\bEOF\b|terminated|no longer running|forcibly closed", re.IGNORECASE)
_CRASH_BYTES: Final = 2048
"""A runner that crashes on a text of this size most likely crashed on its length (ollama#6094, #16582)."""

_UNKNOWN_LIMIT: Final = 8192
"""Tokens, for a model whose host does not tell."""

_HEALTH_TEXT: Final = "harmless"


class _Refused(Exception):
    """The server is there and has the model, but gave no vectors for these texts."""


@dataclass(frozen=True, slots=True)
class _Embedded:
    """What became of one text."""

    result: Vector | EmbedFailure
    cut: bool = False


class OllamaEmbedder:
    """A model on an Ollama server; nothing is asked before the first text or `digest`.

    `host` is a base URL as `core.hosts.parse_host` makes it, `timeout` the seconds that one request may take.
    Raises `ConfigError` for a name that says that the model runs elsewhere.
    """

    def __init__(self, host: str, model_name: str, *, timeout: float = 120.0) -> None:
        """Keep the settings; no connection yet."""
        refuse_remote(model_name)
        self._server = _Server(host, timeout)
        self._model = lookup(model_name)
        self._ready = False
        self.last_truncated: frozenset[int] = frozenset()
        """Places in the last `embed_documents` of texts that were cut to the model's length."""

    @property
    def model(self) -> Model:
        """What is known of the model; dimensions of an unknown one are there after the first answer."""
        return self._model

    def digest(self) -> str | None:
        """The digest of the model's weights as the host has them now; raises `EmbedderUnavailable`."""
        found = self._find().get("digest")
        return found if isinstance(found, str) and found else None

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | EmbedFailure]:
        """One result a text, in order; raises `EmbedderUnavailable` when the model cannot be asked."""
        self._prepare()
        done: list[_Embedded] = []
        for group in groups([sendable(self._model.document_prefix + text) for text in texts], self._limit):
            done += self._embed(group)
        self.last_truncated = frozenset(at for at, each in enumerate(done) if each.cut)
        return [each.result for each in done]

    def embed_query(self, text: str) -> Vector:
        """The query form of a text; raises `EmbedderUnavailable`, also when only this text is refused."""
        self._prepare()
        result = self._embed([sendable(self._model.query_prefix + text)])[0].result
        if isinstance(result, EmbedFailure):
            raise EmbedderUnavailable(f"the model could not embed this query: {result.message}")
        return result

    def close(self) -> None:
        """Close the connection; the next call opens a new one."""
        self._server.close()

    @property
    def _limit(self) -> int:
        return self._model.max_tokens or _UNKNOWN_LIMIT

    def _prepare(self) -> None:
        """Once, before any text is sent: the host must have the model and run it itself."""
        if self._ready:
            return
        self._find()
        if self._model.dimensions is None:
            self._learn(self._server.post("/api/show", {"model": self._model.name}).get("model_info"))
        self._ready = True

    def _find(self) -> Mapping[str, Any]:
        """The model's entry in the host's list; raises `EmbedderUnavailable` when missing or remote."""
        entries = self._server.models()
        entry = next((each for each in entries if each["name"].lower() == self._model.name.lower()), None)
        if entry is None:
            raise self._server.missing(self._model.name)
        if _is_remote(entry):
            raise EmbedderUnavailable(
                f"{self._model.name} at {self._server.url} runs on another host, and no note is sent there",
                "choose a model that Ollama runs locally, such as bge-m3",
            )
        return entry

    def _learn(self, info: Any) -> None:
        """Take dimensions and limit from `model_info`, whose keys begin with the architecture's name."""
        info = info if isinstance(info, dict) else {}
        family = info.get("general.architecture")
        dimensions, limit = info.get(f"{family}.embedding_length"), info.get(f"{family}.context_length")
        if isinstance(dimensions, int):
            self._model = replace(self._model, dimensions=dimensions)
        if isinstance(limit, int) and self._model.max_tokens is None:
            self._model = replace(self._model, max_tokens=limit)

    def _embed(self, texts: list[str]) -> list[_Embedded]:
        """Embed in one request, or in two halves when it is refused, down to the single text."""
        try:
            return self._ask(texts)
        except _Refused as refusal:
            if len(texts) == 1:
                return [self._mend(texts[0], str(refusal))]
        middle = len(texts) // 2
        return self._embed(texts[:middle]) + self._embed(texts[middle:])

    def _mend(self, text: str, refusal: str) -> _Embedded:
        """Try a refused text in other forms: shorter if it was too long, else without odd characters."""
        too_long = _is_too_long(text, refusal)
        for form in shorter(text, self._limit) if too_long else [plain(text)]:
            try:
                return replace(self._ask([form])[0], cut=too_long)
            except _Refused as again:
                refusal = str(again)
        self._check_health()
        return _Embedded(EmbedFailure(f"Ollama refused it: {refusal}"))

    def _check_health(self) -> None:
        """Tell a bad text from a server that embeds nothing: raises `EmbedderUnavailable` for the latter."""
        try:
            self._ask([self._model.document_prefix + _HEALTH_TEXT])
        except _Refused as refusal:
            raise EmbedderUnavailable(
                f"{self._model.name} at {self._server.url} embeds nothing: {refusal}",
                f"see the server's log, or run `ollama pull {self._model.name}` again",
            ) from None

    def _ask(self, texts: list[str]) -> list[_Embedded]:
        """One request. Raises `_Refused` when it yields no usable vector for each text."""
        body = {"model": self._model.name, "input": texts, "truncate": False}
        reply = self._server.post(_EMBED, body)
        rows = reply.get("embeddings")
        count = len(rows) if isinstance(rows, list) else 0
        if not isinstance(rows, list) or count != len(texts):
            raise _Refused(f"{count} vectors for {len(texts)} texts")
        tokens = reply.get("prompt_eval_count")
        # A long text is always asked alone, so a count at the limit tells that the server cut it anyway.
        cut = len(texts) == 1 and isinstance(tokens, int) and tokens >= self._limit
        return [_Embedded(self._vector(row), cut) for row in rows]

    def _vector(self, row: Any) -> Vector:
        try:
            vector = normalise(row)
        except (TypeError, ValueError, OverflowError):
            raise _Refused("a vector with values that are no numbers") from None
        dimensions = len(vector) // 4
        if self._model.dimensions is None and dimensions:
            self._model = replace(self._model, dimensions=dimensions)
        if dimensions != self._model.dimensions:
            raise EmbedderUnavailable(
                f"{self._model.name} at {self._server.url} answered with {dimensions} dimensions"
                f" where {self._model.dimensions} were expected",
                f"run `ollama pull {self._model.name}`, then `docs-rag index`",
            )
        return vector


def open_model(name: str, host: str) -> OllamaEmbedder:
    """The embedder for a configured name, as the table of embedders calls it."""
    return OllamaEmbedder(host, name)


def installed_embedding_models(host: str) -> list[str]:
    """Names, without `:latest`, of the embedding models that the server at `host` has and runs itself.

    Raises `EmbedderUnavailable` when no Ollama answers there.
    """
    server = _Server(host, timeout=10.0)
    try:
        return [each["name"] for each in server.models() if _embeds(each) and not _is_remote(each)]
    finally:
        server.close()


class _Server:
    """HTTP with one Ollama server: what it cannot answer is an `EmbedderUnavailable` that names its URL."""

    def __init__(self, url: str, timeout: float) -> None:
        self.url = url
        self._timeout = timeout

    def models(self) -> list[dict[str, Any]]:
        """The models that it has, with `name` as `plain_name` gives it."""
        listed = self._request("GET", "/api/tags").get("models")
        entries = listed if isinstance(listed, list) else []
        return [each | {"name": plain_name(str(each.get("name")))} for each in entries if isinstance(each, dict)]

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Its answer; raises `_Refused` when it complains of texts that were sent to be embedded."""
        return self._request("POST", path, body)

    def missing(self, name: str) -> EmbedderUnavailable:
        """The error for a model that it does not have."""
        return EmbedderUnavailable(f"Ollama at {self.url} does not have {name}", f"run `ollama pull {name}`")

    def close(self) -> None:
        """Close the connection, if there is one."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx  # noqa: PLC0415  (110 ms that only a call to Ollama should cost)

        client = httpx.Client(
            base_url=self.url,
            timeout=httpx.Timeout(self._timeout, connect=_CONNECT_SECONDS),
            follow_redirects=False,
            # A proxy from the environment would be asked for this machine's own addresses too.
            trust_env=not is_loopback(self.url),
            # Loading the certificates takes longer than a query; plain HTTP needs none.
            verify=self.url.startswith("https:"),
        )
        weakref.finalize(self, client.close)
        return client

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        response = self._send(method, path, body)
        for pause in _BUSY_PAUSES:
            if response.status_code not in _BUSY:
                break
            time.sleep(pause)
            response = self._send(method, path, body)
        return self._read(response, path, body)

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> httpx.Response:
        import httpx  # noqa: PLC0415  (loaded with the client)

        try:
            try:
                return self._client.request(method, path, json=body)
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                # A kept connection that the server has closed meanwhile; a new one tells.
                return self._client.request(method, path, json=body)
        except httpx.ConnectError:
            raise self._unreachable("cannot reach Ollama at") from None
        except httpx.ConnectTimeout:
            raise self._unreachable(f"no answer within {_CONNECT_SECONDS:g} s from Ollama at") from None
        except httpx.TimeoutException:
            raise EmbedderUnavailable(
                f"Ollama at {self.url} gave no answer within {self._timeout:g} s",
                "wait until it has less to do, then try again",
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL):
            raise self._unreachable("the connection broke to Ollama at") from None

    def _unreachable(self, problem: str) -> EmbedderUnavailable:
        step = "start it with `ollama serve`" if is_loopback(self.url) else "see that it runs there"
        return EmbedderUnavailable(f"{problem} {self.url}", f"{step}, or correct ollamaHost or OLLAMA_HOST")

    def _read(self, response: httpx.Response, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        """The JSON object of a good answer; a bad one becomes the error that fits."""
        status = response.status_code
        try:
            content = response.json()
        except ValueError:
            content = None
        if status == 200 and isinstance(content, dict):
            return content
        complaint = content.get("error") if isinstance(content, dict) else None
        if not isinstance(complaint, str):
            raise EmbedderUnavailable(
                f"what answered at {self.url} is not Ollama (HTTP {status})",
                "correct ollamaHost or OLLAMA_HOST, or take the proxy away",
            )
        if status == 404 and body is not None:
            raise self.missing(body["model"])
        if status in (400, 500) and path == _EMBED:
            raise _Refused(_one_line(complaint))
        raise EmbedderUnavailable(
            f"Ollama at {self.url} cannot answer (HTTP {status}: {_one_line(complaint)})",
            "wait until it has less to do, then try again" if status in _BUSY else "see the server's log",
        )


def _is_too_long(text: str, refusal: str) -> bool:
    crashed = _CRASH.search(refusal) is not None and len(text.encode("utf-8")) >= _CRASH_BYTES
    return crashed or _TOO_LONG.search(refusal) is not None


def _one_line(text: str) -> str:
    """A server's message, fit to stand inside one of ours."""
    return plain(text)[:200]


def _is_remote(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("remote_host") or entry.get("remote_model"))


def _embeds(entry: Mapping[str, Any]) -> bool:
    """Whether a model is for embedding: as it says itself, else (older servers) as our table says."""
    capabilities = entry.get("capabilities")
    if isinstance(capabilities, list):
        return "embedding" in capabilities
    return lookup(entry["name"]).known
