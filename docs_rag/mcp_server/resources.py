"""Notes as MCP resources: `docs-rag://<server>/<path>`, with the same text that `read_note` gives."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from docs_rag.app.serving import Desk
from docs_rag.core.cleaning import one_line
from docs_rag.core.labels import dated
from docs_rag.core.listing import ListedNote
from docs_rag.core.notelist import Filter
from docs_rag.core.status import Status
from docs_rag.core.wanted import address, wanted
from docs_rag.errors import DocsRagError
from docs_rag.mcp_server import replies
from docs_rag.mcp_server.readingtools import TOOLS

MIME: Final = "text/plain"
"""Numbered lines below what must be known of the note: no longer markdown."""
TITLE_CHARS: Final = 200


class Resources:
    """Answers the host's questions for resources, through a desk."""

    def __init__(self, desk: Desk, server: str) -> None:
        """`server`: the server's name, which every address begins with."""
        self._desk = desk
        self._server = server

    async def list(self, _: ServerRequestContext[Any], params: PaginatedRequestParams | None) -> ListResourcesResult:
        """The notes by path, page by page."""
        after = (params.cursor if params is not None else None) or ""
        try:
            found = await asyncio.wrap_future(self._desk.consult(lambda library: library.notes(Filter(after=after))))
        except DocsRagError as error:
            raise _refused(error) from None
        resources = [self._resource(note) for note in found.notes if note.indexed and "#" not in note.path]
        return ListResourcesResult(resources=resources, next_cursor=found.after or None)

    async def templates(
        self, _: ServerRequestContext[Any], __: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """How the address of any note is made."""
        template = ResourceTemplate(
            uri_template=address(self._server, "") + "{+path}{?lines,heading}",
            name="note",
            title="A note, or a part of it",
            description="path counts from the vault; lines: 41-68; heading: the section under it",
            mime_type=MIME,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read(self, _: ServerRequestContext[Any], params: ReadResourceRequestParams) -> ReadResourceResult:
        """One note; what became of it stands before its text."""
        uri = str(params.uri)
        if not uri.startswith(address(self._server, "")):
            raise MCPError(INVALID_PARAMS, f"addresses here begin with {address(self._server, '')}")
        try:
            asked = wanted(uri)
            found = await asyncio.wrap_future(self._desk.consult(lambda library: library.read(asked)))
        except DocsRagError as error:
            raise _refused(error) from None
        text, _object = TOOLS["read_note"].reply(found)
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, mime_type=MIME, text=text)])

    def _resource(self, note: ListedNote) -> Resource:
        said = [] if note.status is Status.CURRENT else [str(note.status).upper()]
        day = dated(note.date, note.date_source)
        return Resource(
            uri=address(self._server, note.path),
            name=one_line(note.path),
            title=one_line(note.title)[:TITLE_CHARS],
            description="; ".join(filter(None, [*said, day])) or None,
            mime_type=MIME,
        )


def _refused(error: DocsRagError) -> MCPError:
    """A known error as the protocol has it; nothing that nobody has approved is repeated."""
    return MCPError(INVALID_PARAMS, one_line(replies.failure(error)))
