"""What passes between a process and its helpers: the length in eight bytes, then as many bytes."""

from __future__ import annotations

from typing import BinaryIO, Final

MOST_BYTES: Final = 1 << 30
"""In one message: of notes as large as the config allows, and what is made of them."""
_LENGTH: Final = 8


def send(stream: BinaryIO, message: bytes) -> None:
    """Write one message; raises `OSError` when nobody reads."""
    stream.write(len(message).to_bytes(_LENGTH, "little"))
    stream.write(message)
    stream.flush()


def receive(stream: BinaryIO) -> bytes | None:
    """The next message; None when the other side has ended, in the middle of one too."""
    head = stream.read(_LENGTH)
    size = int.from_bytes(head, "little")
    if len(head) < _LENGTH or size > MOST_BYTES:
        return None
    message = stream.read(size)
    return message if len(message) == size else None
