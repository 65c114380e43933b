"""`OLLAMA_HOST` as Ollama itself reads it (envconfig/config.go: `Host`, `ConnectableHost`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from docs_rag.errors import ConfigError

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

DEFAULT_HOST: Final = "http://127.0.0.1:11434"

_OLLAMA_PORT: Final = 11434
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
"""Ports of an address that names its scheme; without one it is Ollama's own."""

_CLOUD: Final = "ollama.com"

_UNSPECIFIED: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""Addresses to listen on, and where a client finds that listener (Windows cannot connect to 0.0.0.0)."""

_FORBIDDEN: Final = re.compile(r"[\s@?#\\\x00-\x1f\x7f]")
"""No host name has these, but a URL with them means another host to one reader than to the next."""


def parse_host(value: str | None) -> str:
    """The base URL, without a trailing slash, that a value of `OLLAMA_HOST` or `ollamaHost` stands for.

    None and blank stand for the default. As in Ollama a wrong port falls back to the default one. Raises
    `ConfigError` for a value that is no host at all.
    """
    text = (value or "").strip().strip("\"'").strip()
    if not text:
        return DEFAULT_HOST
    scheme, found, rest = text.partition("://")
    if not found:
        scheme, rest = ("https", f"{_CLOUD}:443") if text == _CLOUD else ("http", text)
    address, _, path = rest.partition("/")
    host, port = _split(address, _DEFAULT_PORTS.get(scheme.lower(), 0) if found else _OLLAMA_PORT)
    host = _UNSPECIFIED.get(host, host)
    no_host = re.search(r"[:\[\]]", host) and not _address(host)
    if scheme.lower() not in _DEFAULT_PORTS or no_host or _FORBIDDEN.search(rest):
        raise ConfigError(f"not an address of an Ollama server: {text!r}", f"write it like {DEFAULT_HOST}")
    netloc = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"{scheme.lower()}://{netloc}/{path}".rstrip("/")


def is_loopback(url: str) -> bool:
    """True when the URL's host is this machine: nothing that is sent there leaves it."""
    from urllib.parse import urlsplit  # noqa: PLC0415  # most commands ask nothing of a host

    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if host == "localhost":
        return True
    address = _address(host)
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None:
        address = mapped
    return address is not None and address.is_loopback


def _split(address: str, default_port: int) -> tuple[str, int]:
    """Host and port as Go's `net.SplitHostPort` finds them; the whole is the host where it finds none."""
    match = re.fullmatch(r"(?:\[([^\[\]]*)\]|([^:\[\]]*)):([^:]*)", address)
    if match:
        return match[1] or match[2] or "", _port(match[3], default_port)
    bare = _address(address.strip("[]"))
    return str(bare) if bare else address, default_port


def _port(text: str, default_port: int) -> int:
    if not re.fullmatch(r"\+?[0-9]{1,9}", text) or int(text) > 65535:
        return default_port
    return int(text)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    from ipaddress import ip_address  # noqa: PLC0415

    try:
        return ip_address(text)
    except ValueError:
        return None
