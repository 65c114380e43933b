"""The protocol side, and the only place that imports the SDK: the server's handlers, and frames on two streams.

Handlers are written for the SDK's low-level `Server`, which hands over arguments as they came and publishes schemas
as they were written. The frames are read and written here because the SDK's own stdio transport ends lines with
CRLF on Windows (python-sdk#2433) and drops requests that are unanswered when stdin ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, BinaryIO, Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server import Server, ServerRequestContext
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    ListToolsResult,
    PaginatedRequestParams,
    RequestId,
    TextContent,
    Tool,
    ToolAnnotations,
    jsonrpc_message_adapter,
)

from docs_rag import __version__
from docs_rag.app.serving import Desk
from docs_rag.core import arguments
from docs_rag.core.description import Overview, instructions, tool_description
from docs_rag.core.jsontext import shown
from docs_rag.core.readarguments import SCHEMAS
from docs_rag.errors import DocsRagError
from docs_rag.mcp_server import replies
from docs_rag.mcp_server.readingtools import TOOLS, ReadingTool
from docs_rag.mcp_server.resources import Resources

TOOL: Final = "search_notes"
READER: Final = "reader"
"""The value of `tools` with which the reading tools are there."""
LOOK_SECONDS: Final = 0.5
"""How long the start waits for the first look at the project, which is over long before the SDK is imported."""
DRAIN_SECONDS: Final = 0.5
"""How long requests that came before the end of stdin may still be answered."""

_log = logging.getLogger(__name__)


def speak(desk: Desk, source: BinaryIO, sink: BinaryIO, when_over: Callable[[], None]) -> None:
    """Serve one host, frame by line, until `source` ends or nobody reads `sink`.

    `when_over` is called as soon as that is so: what is left to do then may hang on a host that does not read.
    """
    anyio.run(partial(serve_frames, build_server(desk), source, sink, when_over))


def build_server(desk: Desk) -> Server[Any]:
    """A server whose questions go to an open desk: with one tool, or, as its config says, with the reading tools too.

    Which tools there are follows the config while the server runs; whether there are resources is told at the start.
    """
    overview = desk.overview(LOOK_SECONDS)

    async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        seen = desk.overview()
        return ListToolsResult(tools=[_search_tool(tool_description(seen)), *_reading_tools(seen)])

    async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        if params.name == TOOL:
            return await _search(desk, params.arguments)
        if params.name in TOOLS and desk.overview().tools == READER:
            return await _consult(desk, TOOLS[params.name], params.arguments)
        return _failed(_no_tool(params.name, desk.overview()))

    resources = Resources(desk, overview.name) if overview.tools == READER else None
    return Server(
        overview.name,
        version=__version__,
        instructions=instructions(overview),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=None if resources is None else resources.list,
        on_list_resource_templates=None if resources is None else resources.templates,
        on_read_resource=None if resources is None else resources.read,
    )


def _no_tool(name: str, overview: Overview) -> str:
    if overview.tools != READER:
        return f"there is no tool {shown(name)}; the only one is {TOOL}"
    return f"there is no tool {shown(name)}; there are {', '.join((TOOL, *TOOLS))}"


def _search_tool(description: str) -> Tool:
    return Tool(
        name=TOOL,
        description=description,
        input_schema=arguments.input_schema(),
        output_schema=replies.OUTPUT_SCHEMA,
        annotations=_only_reads("Search notes"),
    )


def _reading_tools(overview: Overview) -> list[Tool]:
    return [
        Tool(
            name=name,
            description=tool.description,
            input_schema=SCHEMAS[name],
            output_schema=tool.output_schema(),
            annotations=_only_reads(tool.title),
        )
        for name, tool in TOOLS.items()
        if overview.tools == READER
    ]


def _only_reads(title: str) -> ToolAnnotations:
    return ToolAnnotations(
        title=title, read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )


async def _search(desk: Desk, given: dict[str, Any] | None) -> CallToolResult:
    async def answer() -> tuple[str, dict[str, object]]:
        found = await asyncio.wrap_future(desk.ask(arguments.read(given)))
        return replies.as_text(found), replies.as_object(found)

    return await _replied(answer)


async def _consult(desk: Desk, tool: ReadingTool, given: dict[str, Any] | None) -> CallToolResult:
    async def answer() -> tuple[str, dict[str, object]]:
        return tool.reply(await asyncio.wrap_future(tool.ask(desk, given)))

    return await _replied(answer)


async def _replied(answer: Callable[[], Awaitable[tuple[str, dict[str, object]]]]) -> CallToolResult:
    """The reply to one call. A call that is cancelled leaves the queue, and nothing is sent for it."""
    try:
        text, found = await answer()
    except DocsRagError as error:
        return _failed(replies.failure(error))
    except Exception:
        # What a library says is for the log; a model could only misread it.
        _log.exception("a question failed")
        return _failed(replies.BUG)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=found)


def _failed(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)


async def serve_frames(server: Server[Any], source: BinaryIO, sink: BinaryIO, when_over: Callable[[], None]) -> None:
    """Connect a server with two streams of bytes, one JSON message a line."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
    unanswered: set[RequestId] = set()
    async with anyio.create_task_group() as tasks:

        def leave() -> None:
            when_over()
            tasks.cancel_scope.cancel()

        tasks.start_soon(_read, source, to_server, outgoing.clone(), unanswered, when_over)
        tasks.start_soon(_write, sink, from_server, unanswered, leave)
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _read(
    source: BinaryIO,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    to_host: MemoryObjectSendStream[SessionMessage],
    unanswered: set[RequestId],
    when_over: Callable[[], None],
) -> None:
    """Hand over frame by frame. After the last one the stream stays open for a moment: closing it ends all calls."""
    async with to_server, to_host:
        while line := await anyio.to_thread.run_sync(source.readline, abandon_on_cancel=True):
            frame = _parsed(line)
            if isinstance(frame, SessionMessage):
                _note(frame, unanswered)
                await to_server.send(frame)
            elif (refusal := _refusal(line)) is not None:
                await to_host.send(refusal)
        with anyio.move_on_after(DRAIN_SECONDS):
            while unanswered:
                await anyio.sleep(0.01)
    when_over()


async def _write(
    sink: BinaryIO,
    from_server: MemoryObjectReceiveStream[SessionMessage],
    unanswered: set[RequestId],
    leave: Callable[[], None],
) -> None:
    """Write frame by frame, in bytes, so that no text layer can touch the line ends."""
    async with from_server:
        async for frame in from_server:
            data = frame.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            try:
                await anyio.to_thread.run_sync(_write_all, sink, data, abandon_on_cancel=True)
            except OSError:
                leave()  # nobody reads any more
                return
            _note(frame, unanswered)


def _write_all(sink: BinaryIO, data: bytes) -> None:
    """An unbuffered stream may take less than it is given."""
    rest = memoryview(data)
    while rest:
        rest = rest[sink.write(rest) :]


def _note(frame: SessionMessage, unanswered: set[RequestId]) -> None:
    """Keep account of the requests that wait for their answer."""
    message = frame.message
    if isinstance(message, JSONRPCRequest):
        unanswered.add(message.id)
    elif isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
        unanswered.discard(message.id)
    elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
        wanted = (message.params or {}).get("requestId")
        if isinstance(wanted, str | int):
            unanswered.discard(wanted)


def _parsed(line: bytes) -> SessionMessage | Exception:
    """One frame, or why it is none.

    Half of a surrogate pair, which a cut emoji leaves behind, is mended: the SDK's parser takes it for no JSON, and
    the host would wait for its answer in vain.
    """
    text = line.decode("utf-8", "replace")
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError as error:
        broken = error
    try:
        mended = json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "replace")
        return SessionMessage(jsonrpc_message_adapter.validate_json(mended, by_name=False))
    except (ValueError, RecursionError):
        return broken


def _refusal(line: bytes) -> SessionMessage | None:
    """The answer to a request that breaks the rules: its host would wait. None where no id can be read."""
    try:
        request = json.loads(line.decode("utf-8", "replace"))
        number = request.get("id") if isinstance(request, dict) and "method" in request else None
        json.dumps(number, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):  # no JSON, or an id that no frame can hold
        return None
    if not isinstance(number, str | int) or isinstance(number, bool):
        return None
    error = ErrorData(code=INVALID_REQUEST, message="not a request as JSON-RPC 2.0 and MCP have it")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))
