"""What a person pastes: a client's entry in the form of its file, as a whole file that holds nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from docs_rag.app.clients import Client, Launch
from docs_rag.core.merging import jsonfile, tomlfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """An entry to paste."""

    client: Client
    server: str
    """The name under which the entry stands."""
    entry: Mapping[str, object]
    text: str
    """A file with this entry alone; it ends with a newline."""


_WRITERS: Final[dict[str, Callable[[tuple[str, ...], dict[str, object]], bytes]]] = {
    "json": lambda keys, entry: jsonfile.set_entry(None, keys, entry),
    "toml": lambda keys, entry: tomlfile.set_entry(None, keys, entry),
}


def snippet(client: Client, server: str, launch: Launch) -> Snippet:
    """The entry that starts a server with a client. Raises `Unmergeable` for a path that is no valid Unicode."""
    entry = client.entry(launch)
    data = _WRITERS[client.format](client.place(server), entry)
    return Snippet(client=client, server=server, entry=entry, text=data.decode("utf-8"))
