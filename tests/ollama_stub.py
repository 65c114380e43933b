"""A real HTTP server on loopback that speaks the part of Ollama's API that docs-rag uses, faults included.

    with OllamaStub(StubModel("bge-m3", dimensions=1024)) as stub:
        OllamaEmbedder(stub.url, "bge-m3")

It counts words and marks as tokens (and two more for a text's ends) and embeds a bag of words, so texts that
share words are alike.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

NAN_IN_VECTOR = "embedding contains NaN or Inf values"
NAN_IN_ANSWER = "failed to encode response: json: unsupported value: NaN"
TOO_LONG = "the input length exceeds the context length"
CRASHED = 'do embedding request: Post "http://127.0.0.1:33967/embedding": EOF'
PROXY_PAGE = "<html><head><title>Bad gateway</title></head><body>nginx</body></html>"


@dataclass(kw_only=True)
class Reply:
    """What the server says in place of its own answer: a JSON value, or text as it is."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


def failure(status: int, message: str) -> Reply:
    """An error in Ollama's own form."""
    return Reply(status=status, body={"error": message})


@dataclass
class StubModel:
    """A model that the server has."""

    name: str
    """With its tag; without one it is `:latest`, as in Ollama."""
    dimensions: int = 512
    context: int = 512
    """Tokens that one text may have."""
    digest: str = "sha256:one"
    capabilities: list[str] | None = field(default_factory=lambda: ["embedding"])
    """As listed in the tags; None: an older server that does not say."""
    remote_host: str = ""
    norm: float = 1.0
    """Length of its vectors."""
    cuts_silently: bool = False
    """True for a server that cuts long texts whatever `truncate` says."""

    @property
    def full_name(self) -> str:
        return self.name if ":" in self.name else f"{self.name}:latest"


class OllamaStub:
    """The server; faults may be set at any time, and hold until they are changed."""

    def __init__(self, *models: StubModel) -> None:
        self.models = list(models)
        self.poison: dict[str, Reply] = {}
        """A word: what a request whose texts hold it gets, the whole batch with it."""
        self.replies: list[Reply] = []
        """Given out to the next requests in order, whatever they ask."""
        self.alter: Callable[[list[Any]], Any] | None = None
        """Changes the list of vectors before it is sent."""
        self.hang_up = 0
        """So many of the next requests are cut off without an answer."""
        self.delay = 0.0
        """Seconds before every answer."""
        self.requests: list[tuple[str, str, Any]] = []
        """Method, path and JSON of every request, in order."""
        self.connections = 0
        self._server: _Server | None = None

    def __enter__(self) -> Self:
        self._server = _Server(self)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it listens, without a trailing slash."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def embedded(self) -> list[list[str]]:
        """The texts of every embedding request, in order."""
        return [body["input"] for _, path, body in self.requests if path == "/api/embed"]

    def model(self, name: str) -> StubModel | None:
        """The model that a request means, whatever its case and with or without `:latest`."""
        wanted = StubModel(name).full_name.lower()
        return next((model for model in self.models if model.full_name.lower() == wanted), None)

    def answer(self, method: str, path: str, body: Any) -> Reply:
        """What the server says to a request."""
        if self.replies:
            return self.replies.pop(0)
        route = _ROUTES.get((method, path))
        return route(self, body) if route else Reply(status=404, body="404 page not found")

    def _version(self, _body: Any) -> Reply:
        return Reply(body={"version": "0.30.0"})

    def _tags(self, _body: Any) -> Reply:
        return Reply(body={"models": [_tag(model) for model in self.models]})

    def _show(self, body: Any) -> Reply:
        model = self.model(body["model"])
        if model is None:
            return failure(404, f"model '{body['model']}' not found")
        sizes = {"bert.context_length": model.context, "bert.embedding_length": model.dimensions}
        return Reply(
            body={
                "details": {"family": "bert"},
                "model_info": {"general.architecture": "bert", **sizes},
                "capabilities": model.capabilities or ["embedding"],
            }
        )

    def _embed(self, body: Any) -> Reply:
        model = self.model(body["model"])
        if model is None:
            return failure(404, f'model "{body["model"]}" not found, try pulling it first')
        texts = body.get("input") or []
        texts = [texts] if isinstance(texts, str) else texts
        if not all(isinstance(text, str) for text in texts):
            return failure(400, "invalid input type")
        poisoned = next((reply for word, reply in self.poison.items() if word in " ".join(texts)), None)
        return poisoned or self._vectors(model, texts, body.get("truncate", True))

    def _vectors(self, model: StubModel, texts: list[str], truncate: bool) -> Reply:
        tokens = [_tokens(text) for text in texts]
        fits = model.context - 2
        if not truncate and not model.cuts_silently and any(len(each) > fits for each in tokens):
            return failure(400, TOO_LONG)
        vectors: Any = [_bag(each[:fits], model) for each in tokens]
        count = sum(min(len(each), fits) + 2 for each in tokens)
        if self.alter:
            vectors = self.alter(vectors)
        return Reply(body={"model": model.name, "embeddings": vectors, "prompt_eval_count": count})


_ROUTES: dict[tuple[str, str], Callable[[OllamaStub, Any], Reply]] = {
    ("GET", "/"): lambda _stub, _body: Reply(body="Ollama is running"),
    ("GET", "/api/version"): OllamaStub._version,
    ("GET", "/api/tags"): OllamaStub._tags,
    ("POST", "/api/show"): OllamaStub._show,
    ("POST", "/api/embed"): OllamaStub._embed,
}


def _tag(model: StubModel) -> dict[str, Any]:
    listed: dict[str, Any] = {"name": model.full_name, "model": model.full_name, "digest": model.digest}
    if model.capabilities is not None:
        listed["capabilities"] = model.capabilities
    if model.remote_host:
        listed |= {"remote_host": model.remote_host, "remote_model": model.name}
    return listed


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text.casefold())


def _bag(tokens: list[str], model: StubModel) -> list[float]:
    numbers = [0.0] * model.dimensions
    for token in set(tokens):
        numbers[zlib.crc32(token.encode("utf-8", "replace")) % model.dimensions] += 1.0
    length = sum(number * number for number in numbers) ** 0.5 or 1.0
    return [number / length * model.norm for number in numbers]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, stub: OllamaStub) -> None:
        self.stub = stub
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.stub.connections += 1

    def do_GET(self) -> None:
        self._respond(None)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._respond(json.loads(data))

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""

    def _respond(self, body: Any) -> None:
        stub = self.server.stub
        stub.requests.append((self.command, self.path, body))
        time.sleep(stub.delay)
        if stub.hang_up:
            stub.hang_up -= 1
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        reply = stub.answer(self.command, self.path, body)
        is_text = isinstance(reply.body, str)
        data = (reply.body if is_text else json.dumps(reply.body)).encode("utf-8")
        self.send_response(reply.status)
        headers = {"Content-Type": "text/html" if is_text else "application/json"} | reply.headers
        for name, value in (headers | {"Content-Length": str(len(data))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
