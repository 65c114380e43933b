"""What stands within lines of reStructuredText, as markdown: literals, roles, links, notes, substitutions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from docs_rag.core.mdwriting import safe

_TARGET: Final = re.compile(r"^\s*\.\. _(?P<name>`[^`]+`|(?:\\.|[^\\:])+):\s+(?P<url>\S.*)$")
_SUBSTITUTION: Final = re.compile(r"^\s*\.\. \|(?P<name>[^|]+)\|\s+(?P<kind>replace|image|unicode)::\s*(?P<text>.*)$")
_ACTIVE: Final = re.compile(r"[*_`<>\[\]$~|\\^#=&%]")
_NUMBERED: Final = {"pep": "PEP ", "rfc": "RFC "}

# What is open is looked for only so far: to the end of the paragraph for each that is never closed would take the
# square of its length.
_MARKS: Final = re.compile(
    r"(?P<escape>\\.)"
    r"|``(?P<literal>.{1,2000}?)``(?!`)"
    r"|:(?P<role>[\w.:+-]{1,80}):`(?P<roletext>(?:\\.|[^`\\]){1,2000})`(?!_)"
    r"|`(?P<quoted>(?:\\.|[^`\\]){1,2000})`(?::(?P<after>[\w.:+-]{1,80}):|(?P<link>__?))?"
    r"|\[(?P<note>\d{1,9}|\#[\w.-]{0,200}|\*|[A-Za-z][\w.-]{0,200})\]_(?!\w)"
    r"|\|(?P<substitution>[^|\s](?:[^|\n]{0,200}[^|\s])?)\|(?:__?)?"
    r"|(?<![\w*])\*\*(?P<strong>\S(?:[^*\n]|\*(?!\*)|\n(?!\n)){0,2000}?)(?<=[^\s\\])\*\*(?!\w)"
    r"|(?<![\w*])\*(?P<emphasis>[^\s*](?:[^*\n]|\n(?!\n)){0,2000}?)(?<=[^\s\\])\*(?![\w*])"
    r"|(?<![\w`])(?P<word>[A-Za-z0-9][\w.+-]{0,200}?)(?P<wordlink>__?)(?![\w`])",
    re.DOTALL,
)


class Inline:
    """Writes the text of one document, whose targets and substitutions it knows."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Learn them from all its lines."""
        self._targets: dict[str, str] = {}
        self._substitutions: dict[str, str] = {}
        for line in lines:
            if (found := _TARGET.match(line)) is not None:
                self._targets[_folded(found["name"].strip("`"))] = found["url"].strip()
            elif (found := _SUBSTITUTION.match(line)) is not None and found["kind"] != "image":
                self._substitutions[_folded(found["name"])] = found["text"].strip()

    def text(self, lines: Iterable[str]) -> str:
        """Lines as markdown, each without the white space around it."""
        joined = "\n".join(line.strip() for line in lines)
        return safe(self._written(joined, 2))

    def _written(self, text: str, depth: int) -> str:
        return _MARKS.sub(lambda found: self._mark(found, depth), text)

    def _mark(self, found: re.Match[str], depth: int) -> str:
        groups: Mapping[str, str | None] = found.groupdict()
        if (escape := groups["escape"]) is not None:
            return "" if escape[1].isspace() else f"\\{escape[1]}" if escape[1] in "`*_[" else escape[1]
        if (literal := groups["literal"]) is not None:
            return code(literal)
        if (text := groups["roletext"]) is not None:
            return self._role(str(groups["role"]), text)
        if (text := groups["quoted"]) is not None:
            return self._role(groups["after"] or "", text) if not groups["link"] else self._link(text)
        if (note := groups["note"]) is not None:
            return f"[^{note.lstrip('#') or 'auto'}]"
        if (name := groups["substitution"]) is not None:
            value = self._substitutions.get(_folded(name))
            return found[0] if value is None else self._written(value, depth - 1) if depth else value
        if (word := groups["word"]) is not None:
            url = self._targets.get(_folded(word))
            return found[0] if url is None else _linked(word, url)
        return self._written(groups["strong"] or groups["emphasis"] or "", depth - 1) if depth else found[0]

    def _role(self, role: str, text: str) -> str:
        name = role.rpartition(":")[2].lower()
        text = text.replace("\\`", "`")
        if name == "math":
            return f"${' '.join(text.split())}$"
        if name in ("code", "literal", "kbd", "command", "option", "file", "samp"):
            return code(text)
        if name in _NUMBERED and text.isdigit():
            return _NUMBERED[name] + text
        shown, target = _parted(text)
        return _linked(shown, target) if "://" in target else shown.lstrip("~!")

    def _link(self, text: str) -> str:
        shown, target = _parted(text)
        if target.endswith("_"):
            target = self._targets.get(_folded(target[:-1].strip("`")), "")
        return _linked(shown, target or self._targets.get(_folded(shown), ""))


def code(text: str) -> str:
    """A literal, marked as code when markdown would read signs in it."""
    text = " ".join(text.split())
    if not _ACTIVE.search(text):
        return text
    ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    gap = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{ticks}{gap}{text}{gap}{ticks}"


def _parted(text: str) -> tuple[str, str]:
    """`words <target>` as the two; what stands in pointed brackets alone is both."""
    found = re.fullmatch(r"\s*(?P<shown>.*?)\s*<(?P<target>[^<>]+)>\s*", text, re.DOTALL)
    if found is None:
        return " ".join(text.split()), ""
    return " ".join((found["shown"] or found["target"]).split()), "".join(found["target"].split())


def _linked(shown: str, url: str) -> str:
    if not re.match(r"(?:https?|mailto|ftp):", url) or shown == url:
        return shown
    return f"[{shown}]({url.replace('(', '%28').replace(')', '%29')})"


def _folded(name: str) -> str:
    return " ".join(name.replace("\\", "").casefold().split())
