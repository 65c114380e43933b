"""Inline markup taken off: what is left reads as a person would read the rendered note.

Markdown, Obsidian and Dataview marks in one table of rules. Nothing here understands blocks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Final

_Replacement = str | Callable[[re.Match[str]], str]


def plain(text: str) -> str:
    """`text`, of one line or many, without inline markup; words and line breaks stay."""
    if not _ANY_MARK.search(text):
        return text
    codes: list[str] = []

    def put_away(match: re.Match[str]) -> str:
        codes.append(match[2].strip())
        return f"\ue000{len(codes) - 1}\ue001"

    def put_back(match: re.Match[str]) -> str:
        number = int(match[1])
        return codes[number] if number < len(codes) else ""

    if "`" in text:
        text = _CODE.sub(put_away, text)
    for needle, pattern, replacement in _RULES:
        if needle[0] in text and needle in text:  # a single character is found many times faster than two
            text = pattern.sub(replacement, text)
    return _PUT_AWAY.sub(put_back, text) if codes else text


def _wikilink(match: re.Match[str]) -> str:
    """`[[target|label]]` is its label, else its target; a label that is an image size says nothing."""
    target, _, label = match[1].replace("\\|", "|").partition("|")
    if label.strip() and not _SIZE.fullmatch(label.strip()):
        return label.strip()
    return target.replace("#^", " ").replace("#", " ").strip()


_ANY_MARK: Final = re.compile(r"[`\[<*_~=&\\^:#]")
_CODE: Final = re.compile(r"(`(?<!``)`{0,7})(?!`)((?:[^\n]|\n(?![ \t]*\n)){1,500}?)(?<!`)\1(?!`)")
_PUT_AWAY: Final = re.compile("\ue000(\\d{1,6})\ue001")
"""Stands for a code span while the rules run; from the private use area, so that no real text means it."""
_SIZE: Final = re.compile(r"\d+(?:x\d+)?")
_TARGET: Final = (
    r"""(?:\([ \t]*(?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:"[^"]*"|'[^']*'))?[ \t]*\)|\[[^\[\]]*\])"""
)

_RULES: Final[tuple[tuple[str, re.Pattern[str], _Replacement], ...]] = (
    ("^", re.compile(r"(?:^|[ \t])\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE), ""),
    ("{#", re.compile(r"[ \t]*\{#[^{}\n]*\}(?=[ \t]*$)", re.MULTILINE), ""),
    ("[[", re.compile(r"(?:!\[|\[)\[([^\[\]\n]*)\]\]"), _wikilink),
    ("[^", re.compile(r"\[\^[^\]\s]*\]:?"), ""),
    ("::", re.compile(r"[\[(]([^\[\]():\n]{1,60})::[ \t]*+([^\[\]()\n]*+)[\])]"), r"\1 \2"),
    ("::", re.compile(r"^([ \t]*[\w][\w \t-]{0,60})::(?=[ \t]|$)", re.MULTILINE), r"\1"),
    ("![", re.compile(r"!\[([^\[\]]*)\]" + _TARGET), r"\1"),
    ("](", re.compile(r"\[([^\[\]]*)\]" + _TARGET), r"\1"),
    ("][", re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]"), r"\1"),
    ("<", re.compile(r"<((?:https?|mailto|ftp):[^<>\s]*)>"), r"\1"),
    ("<", re.compile(r"</?[A-Za-z][^<>]{0,2000}>"), " "),
    ("**", re.compile(r"\*\*(?:(?<!\\\*\*)\*?(?=[^\s*])|(?<=[^\s\\]\*\*)\*?)"), ""),
    ("*", re.compile(r"\*(?<![\w*\\]\*)(?=[^\s*])([^*\n]{1,500})(?<=[^\s\\])\*(?!\w)"), r"\1"),
    ("_", re.compile(r"(_(?<![\w\\]_)_{0,2})(?=[^\s_])([^\n]{1,300}?)(?<=[^\s_\\])\1(?!\w)"), r"\2"),
    ("~~", re.compile(r"~~(?=\S)([^~\n]{1,500})~~"), r"\1"),
    ("==", re.compile(r"==(?=[^\s=])([^=\n]{1,500})(?<=\S)=="), r"\1"),
    ("#", re.compile(r"#(?<![^\s(]#)(?=[^\W\d_])"), ""),
    ("&", re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{1,31});"), lambda match: html.unescape(match[0])),
    ("\\", re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
"""What must stand in the text for a rule to be tried, the rule, and what takes its match's place; in this order.

A rule begins with the character that it looks for, and looks back afterwards: it is found many times faster then.
"""


def says_something(text: str) -> bool:
    """Whether a text has more than two words of its own; marks, pictures, numbers and link targets are no words."""
    if _THREE_WORDS.search(text):
        return True
    return sum(map(_words_in, plain(text).split())) > 2


def _words_in(token: str) -> int:
    """How many words a run without spaces stands for: in Chinese and Japanese two characters are about one."""
    is_word = any(map(str.isalpha, token))
    return int(is_word) if token.isascii() else max(len(_UNSPACED.findall(token)) // 2, is_word)


_THREE_WORDS: Final = re.compile(r"\b[^\W\d_]+,? [^\W\d_]+,? [^\W\d_]+\b")
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
