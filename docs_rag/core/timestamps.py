"""Points in time as the product writes them."""

from datetime import UTC, datetime


def utc(nanoseconds: int) -> str:
    """Nanoseconds since 1970 as `2026-11-30T09:12:03Z`."""
    return datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
