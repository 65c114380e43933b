"""OLLAMA_HOST as Ollama reads it."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.hosts import DEFAULT_HOST, is_loopback, parse_host
from docs_rag.errors import ConfigError


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (None, DEFAULT_HOST),
        ("", DEFAULT_HOST),
        ("   ", DEFAULT_HOST),
        ('""', DEFAULT_HOST),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("http://0.0.0.0:11434", "http://127.0.0.1:11434"),
        ("::", "http://[::1]:11434"),
        ("[::]:11500", "http://[::1]:11500"),
        (":11500", "http://127.0.0.1:11500"),
        ("http://h", "http://h:80"),
        ("https://h", "https://h:443"),
        ("HTTPS://h", "https://h:443"),
        ("http://h:11434", "http://h:11434"),
        ("h:11434/", "http://h:11434"),
        ("h", "http://h:11434"),
        (" h ", "http://h:11434"),
        ("'h:1'", "http://h:1"),
        ("h:", "http://h:11434"),
        ("h:+81", "http://h:81"),
        ("h:99999", "http://h:11434"),
        ("http://h:99999", "http://h:80"),
        ("h:-1", "http://h:11434"),
        ("h:word", "http://h:11434"),
        ("[::1]:11434", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("::1", "http://[::1]:11434"),
        ("0:0:0:0:0:0:0:1", "http://[::1]:11434"),
        ("localhost", "http://localhost:11434"),
        ("https://h/ollama/", "https://h:443/ollama"),
        ("h:1234/a/b", "http://h:1234/a/b"),
        ("ollama.com", "https://ollama.com:443"),
        ("http://ollama.com", "http://ollama.com:80"),
    ],
)
def test_case_40_hosts_are_read_as_ollama_reads_them(value: str | None, url: str) -> None:
    assert parse_host(value) == url
    assert parse_host(url) == url


@pytest.mark.parametrize(
    "value",
    [
        "ftp://h",
        "file:///etc/x",
        "user:word@h",
        "127.0.0.1@evil.example",
        "h h",
        "h#x",
        "h?x",
        "a\\b",
        "h\n:1",
        "a:b:c",
        "[abc]",
    ],
)
def test_what_is_no_host_is_refused(value: str) -> None:
    with pytest.raises(ConfigError, match="not an address of an Ollama server"):
        parse_host(value)


@given(st.text(alphabet="ah01.:/[]@%-+ ftps", max_size=24))
def test_any_text_is_a_url_or_a_config_error(value: str) -> None:
    try:
        url = parse_host(value)
    except ConfigError:
        return
    parts = urlsplit(url)
    assert parts.hostname
    assert parts.port is not None
    assert not url.endswith("/")
    assert parse_host(url) == url


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, True),
        ("localhost", True),
        ("LOCALHOST:1", True),
        ("127.8.9.1", True),
        ("[::1]:1", True),
        ("[::ffff:127.0.0.1]:1", True),
        ("0.0.0.0", True),
        ("192.168.0.7", False),
        ("host.docker.internal", False),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
        ("https://ollama.com", False),
    ],
)
def test_case_40_loopback_is_told_from_other_hosts(value: str | None, expected: bool) -> None:
    assert is_loopback(parse_host(value)) is expected


@pytest.mark.parametrize("url", ["", "http://", "http://[bad:1", "nothing", "http://a@127.0.0.1.x", "http://127.1@b"])
def test_what_cannot_be_read_is_not_this_machine(url: str) -> None:
    assert not is_loopback(url)
