"""Links of a note to records that no longer hold, found without reading the vault or its index.

The list is `core.deadrecords`'. Any link counts, in whatever words: the note's author is told of a fact, once.
"""

import re

_LINKS = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n|#^]{1,300})[^\[\]\n]{0,300}\]\]"
    r"|\]\(<?(?P<href>[^()\s<>]{1,400})"
    r"|^ {0,3}\[[^\[\]\n]{1,100}\]:[ \t]*<?(?P<target>[^\s<>]{1,400})",
    re.MULTILINE,
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SUFFIX = re.compile(r"\.(?:md|mdx|markdown)$")
_MOST_TOLD = 5


def cited(dead: object, note: str, text: str) -> str:
    """`auth.md cites 0012, superseded by 0034`; empty when the note (relative to the vault) cites no dead record."""
    records = [each for each in dead if isinstance(each, dict)] if isinstance(dead, list) else []
    folded = _unescaped(text).casefold()
    near = [each for each in records if any(name in folded for name in _names(each))]
    own = _bare(note)
    if not near or any(own == _bare(path) for each in records for path in _texts(each, "path")):
        return ""
    links = [*_links(text, note)]
    found = [each for each in near if own not in map(_bare, _texts(each, "kin")) and _is_linked(each, links)]
    told = [_fact(each) for each in found[:_MOST_TOLD]]
    more = len(found) - len(told)
    return f"{note} cites {'; '.join(told)}{f'; and {more} more' if more > 0 else ''}" if told else ""


def _names(record: dict[str, object]) -> list[str]:
    """What must stand in a text that links to a record."""
    return [*_texts(record, "called"), *(_bare(path).rpartition("/")[2] for path in _texts(record, "path"))]


def _links(text: str, note: str) -> list[tuple[str, bool]]:
    """What the note links to, bare: a path in the vault; with True the end of one, or a name."""
    found = []
    for link in _LINKS.finditer(text):
        if link["wiki"]:
            found.append((_bare(link["wiki"].strip().strip("/")), True))
            continue
        href = (link["href"] or link["target"]).partition("#")[0].partition("?")[0]
        if href and not _SCHEME.match(href):
            found.append((_bare(_walk(note, _unescaped(href))), False))
    return found


def _is_linked(record: dict[str, object], links: list[tuple[str, bool]]) -> bool:
    [path] = map(_bare, _texts(record, "path")[:1] or ["/"])
    names = _texts(record, "called")
    for target, is_wiki in links:
        if target == path or (is_wiki and (target in names or ("/" in target and path.endswith("/" + target)))):
            return True
    return False


def _fact(record: dict[str, object]) -> str:
    name = "".join(_texts(record, "name"))
    by = ", ".join(_texts(record, "by"))
    return f"{name}, superseded by {by}" if by else f"{name}, {''.join(_texts(record, 'state'))}"


def _texts(record: dict[str, object], key: str) -> list[str]:
    """The text or texts under a key; what is no text is passed over."""
    value = record.get(key)
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and each]


def _walk(note: str, href: str) -> str:
    """The path in the vault that a link in a note leads to."""
    steps = [] if href.startswith("/") else note.split("/")[:-1]
    for step in href.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in ("", "."):
            steps.append(step)
    return "/".join(steps)


def _unescaped(href: str) -> str:
    """`%20` and the like, as bytes of UTF-8."""
    if "%" not in href:
        return href
    data = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), href.encode("utf-8", "replace"))
    return data.decode("utf-8", "replace")


def _bare(path: str) -> str:
    """A path whose case and suffix do not matter."""
    return _SUFFIX.sub("", path.casefold())
