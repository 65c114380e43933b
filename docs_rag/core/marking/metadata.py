"""Changes to the frontmatter of a page: one key at a time, every other byte kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from docs_rag.core.frontmatter import fold_key
from docs_rag.core.marking.page import Page
from docs_rag.core.metablock import ITEM, KEY, SPACE, Block, Draft, cut_block
from docs_rag.core.values import is_empty

_CLOSING: Final = re.compile(r"(?:---|\.\.\.)[ \t]*")
_QUOTED: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")
_COMMENT: Final = re.compile(r"(?:^|[ \t]+)#(?=[ \t]|$).*|[ \t]+#.*|[ \t]+$")
_DASH: Final = re.compile(r"[ \t]*-(?:[ \t]+|$)")
_FLOW_END: Final = re.compile(r"[,\s]*\](?=[ \t]*(?:#.*)?$)")
_PLAIN: Final = re.compile(r"[^\W_][^\x00-\x1f#:\"'\[\]{},&*!|>%@`]*")
_BARE_NUMBER: Final = re.compile(r"[\d._]+|(?:true|false|yes|no|on|off|null)", re.IGNORECASE)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


class Metadata:
    """The frontmatter of a page, changed in place."""

    def __init__(self, page: Page) -> None:
        """Work on `page`; it need not have a frontmatter yet."""
        self._page = page

    @property
    def exists(self) -> bool:
        """Whether the page has a frontmatter."""
        return self._block() is not None

    def labels(self) -> tuple[str, ...]:
        """The keys as written, in order."""
        return tuple(draft.key for draft in self._drafts())

    def label(self, *keys: str) -> str:
        """The first of these folded keys that is there, as written; empty when none is."""
        known = {fold_key(draft.key): draft.key for draft in self._drafts()}
        return next((known[key] for key in keys if key in known), "")

    def put(self, label: str, value: str, *, after: str = "") -> None:
        """Let a key hold one value and nothing else; a new key stands after another one, else at the end.

        `value` is YAML as `scalar` gives it; quotes and a remark behind the former value stay.
        """
        draft = self._draft(label)
        if draft is None:
            self._add(f"{label}: {value}", after)
            return
        last = self._last_line(draft)
        self._set_first(draft, value)
        if last > draft.line:
            self._page.delete(draft.line + 1, last)

    def include(self, label: str, value: str, *, after: str = "") -> None:
        """Add a value to those that a key holds; a list stays the list it is, and a value becomes one."""
        draft = self._draft(label)
        if draft is None:
            self._add(f"{label}: {value}", after)
        elif draft.rest and not draft.first.strip(SPACE).partition("#")[0] and self._has_items(draft):
            self._append_item(draft, value)
        elif draft.first.startswith("[") and not draft.first.startswith("[["):
            self._append_flow(draft, value)
        elif is_empty(_cut(draft.first)[0]) and not draft.rest:
            self._set_first(draft, value)
        else:
            held, _ = _cut(draft.first)
            kept = held if _QUOTED.fullmatch(held) or not re.search(r"[\[\]{}]", held) else scalar(held)
            self.put(label, f"[{kept}, {value}]")

    def create(self, lines: Iterable[str]) -> None:
        """Open the page with a frontmatter of these lines."""
        first = self._page[1] if len(self._page) else ""
        self._page.insert(1, "---", *lines, "---", *([""] if first.strip() else []))

    def _block(self) -> Block | None:
        return cut_block(self._page.plain())

    def _drafts(self) -> list[Draft]:
        block = self._block()
        return [] if block is None else block.drafts

    def _draft(self, label: str) -> Draft | None:
        """The entry of a key; where it stands twice, the last one counts."""
        key = fold_key(label)
        return next((draft for draft in reversed(self._drafts()) if fold_key(draft.key) == key), None)

    def _end(self) -> int:
        """The line before which a key is the last one of the block."""
        block = self._block()
        lines = 0 if block is None else block.lines
        return lines if _CLOSING.fullmatch(self._page[lines]) and lines > 1 else lines + 1

    def _last_line(self, draft: Draft) -> int:
        """The last line of an entry, without the blank and commented ones that follow it."""
        following = [each.line for each in self._drafts() if each.line > draft.line]
        last = min(following, default=self._end()) - 1
        while last > draft.line and (not self._page[last].strip() or self._page[last].startswith("#")):
            last -= 1
        return last

    def _add(self, text: str, after: str) -> None:
        draft = self._draft(after) if after else None
        self._page.insert(self._end() if draft is None else self._last_line(draft) + 1, text)

    def _set_first(self, draft: Draft, value: str) -> None:
        line = self._page[draft.line]
        found = KEY.match(line)
        start = len(line) if found is None else found.start("value")
        held, remark = _cut(line[start:])
        lead = line[:start] if line[:start].endswith(tuple(SPACE)) else line[:start] + " "
        quote = held[:1] if _QUOTED.fullmatch(held) and not _QUOTED.fullmatch(value) and value[:1] not in "[" else ""
        self._page.replace(draft.line, f"{lead}{quote}{value}{quote}{remark}")

    def _has_items(self, draft: Draft) -> bool:
        lines = range(draft.line + 1, self._last_line(draft) + 1)
        return any((found := ITEM.match(self._page[n])) and not is_empty(found["value"].strip()) for n in lines)

    def _append_item(self, draft: Draft, value: str) -> None:
        last = self._last_line(draft)
        marks = [found[0] for n in range(draft.line + 1, last + 1) if (found := _DASH.match(self._page[n]))]
        self._page.insert(last + 1, (marks[0] if marks[0].endswith(" ") else marks[0] + " ") + value)

    def _append_flow(self, draft: Draft, value: str) -> None:
        last = self._last_line(draft)
        line = self._page[last]
        values = [each for each in draft.first.strip("[]").split(",") if not is_empty(each.strip(" \"'"))]
        if last == draft.line and not values:
            self._set_first(draft, f"[{value}]")
        elif (found := _FLOW_END.search(line)) is not None:
            self._page.replace(last, f"{line[: found.start()]}, {value}]{line[found.end() :]}")


def scalar(text: str) -> str:
    """A text as a YAML value: plain where every reader takes it for text, else in double quotes."""
    plain = _PLAIN.fullmatch(text) and text == text.strip() and not _BARE_NUMBER.fullmatch(text)
    if plain or _DAY.fullmatch(text) or re.fullmatch(r"\.{1,2}/[^\s\"'#:,\[\]{}]+", text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def spelt(words: str, labels: Iterable[str]) -> str:
    """A new key as the other keys are spelt: `superseded by` is `superseded-by` beside `last-updated`."""
    parts = words.split()
    for label in labels:
        if re.fullmatch(r"[a-z]+(?:-[a-z]+)+", label):
            return "-".join(parts)
        if re.fullmatch(r"[A-Z][a-z]+(?:-[A-Z][a-z]+)+", label):
            return "-".join(part.capitalize() for part in parts)
        if re.fullmatch(r"[a-z]+(?:[A-Z][a-z]+)+", label):
            return parts[0] + "".join(part.capitalize() for part in parts[1:])
        if re.fullmatch(r"[A-Za-z]+(?:_[A-Za-z]+)+", label):
            break
    return "_".join(parts)


def _cut(value: str) -> tuple[str, str]:
    """What follows a colon, and the remark (with the space before it) that is no part of the value."""
    quoted = _QUOTED.match(value)
    start = quoted.end() if quoted is not None else 0
    found = _COMMENT.search(value, start)
    return (value, "") if found is None else (value[: found.start()], value[found.start() :])
