"""The key `check` of a config: levels by code, and codes that are left out.

Light to import: every command reads the config.
"""

from __future__ import annotations

from typing import NamedTuple

from docs_rag.core.checks import Wrong
from docs_rag.core.jsontext import shown

_EXAMPLE = '{"levels": {"DR012": "error"}, "ignore": ["DR031"]}'


class CheckRules(NamedTuple):
    """What a project wants of `docs-rag check`; codes by id, name or a beginning of ids."""

    levels: tuple[tuple[str, str], ...] = ()
    """Pairs of a code and `error`, `warning` or `info`."""
    ignore: tuple[str, ...] = ()


def check_rules(value: object) -> CheckRules:
    """The rules in a JSON object; raises `Wrong`, which names the nearest right code, level or key."""
    if not isinstance(value, dict):
        raise Wrong(f"expected an object such as {_EXAMPLE}")
    unknown = next((key for key in value if key not in CheckRules._fields), None)
    if unknown is not None:
        raise Wrong(f"where {shown(unknown)} is unknown; expected an object such as {_EXAMPLE}")
    levels, ignore = value.get("levels", {}), value.get("ignore", [])
    if (
        not isinstance(levels, dict)
        or not isinstance(ignore, list)
        or not all(isinstance(each, str) for each in ignore)
    ):
        raise Wrong(f"expected an object such as {_EXAMPLE}")
    for code in (*levels, *ignore):
        _known(code)
    return CheckRules(tuple((code, _level(code, level)) for code, level in levels.items()), tuple(ignore))


def _known(code: str) -> None:
    from docs_rag.core.linting.findings import UnknownCode, known_codes  # noqa: PLC0415  (few configs need the table)

    try:
        known_codes(code)
    except UnknownCode as error:
        raise Wrong(f"where {error}") from None


def _level(code: str, level: object) -> str:
    from docs_rag.core.linting.codes import Level  # noqa: PLC0415

    if isinstance(level, str) and level.lower() in set(Level):
        return level.lower()
    raise Wrong(f"where {shown(code)} has {shown(level)}: expected {', '.join(Level)}, or the code in `ignore`")
