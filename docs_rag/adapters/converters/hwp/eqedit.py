"""Formulas of Hancom's equation editor as LaTeX.

The script is a line of words as in `{a} over {b}`; Hancom documents it as "한글 문서 파일 형식: 수식". Words are read
without regard to case, except for Greek letters, whose case is the letter's. What no rule knows is kept as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from docs_rag.adapters.converters.hwp.eqwords import (
    ACCENTS,
    DELIMITERS,
    FONTS,
    FUNCTIONS,
    GREEK,
    GRIDS,
    OPERATORS,
    SYMBOLS,
)

_DEEPEST: Final = 60
"""Groups in groups; a script that nests deeper is shown as it is."""
_LONGEST: Final = 10_000
"""Characters above a line; `1 over 2 over 3 ...` would be copied with each of its lines."""

_TOKEN: Final = re.compile(
    r"(\s*)("
    r'"[^"]*"|\\?[A-Za-z]+|\d+(?:\.\d+)?|<->|<=>|->|<-|=>|<=|>=|!=|==|<<|>>|\+-|-\+|\|\||\.\.\.|[^\x00-\x7f]+|.'
    r")",
    re.DOTALL,
)
_BRACE: Final = re.compile(r"\\.|[{}]")
_ESCAPED: Final = re.compile(r"([%$])")


class _TooDeep(Exception):
    """The script nests deeper than a formula does."""


class _Token(NamedTuple):
    text: str
    glued: bool
    """Nothing stands between it and the token before."""

    @property
    def word(self) -> str:
        return self.text.lstrip("\\").lower()


def to_latex(script: str) -> str:
    """One line of LaTeX without dollar signs; never raises. Empty for an empty script."""
    line = " ".join(script.split())
    tokens = [_Token(found[2], not found[1]) for found in _TOKEN.finditer(line)]
    try:
        return _Reader(tokens).everything()
    except _TooDeep:
        return _text(line)


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._font = ""
        self._columns = 1
        self._commands: dict[str, Callable[[], str]] = {
            "sqrt": lambda: rf"\sqrt{self._argument()}",
            "root": self._root,
            "left": self._fence,
            "right": self._stray_fence,
            "binom": lambda: rf"\binom{self._argument()}{self._argument()}",
            "longdiv": self._long_division,
            "rel": self._relation,
            "buildrel": self._relation,
            "not": lambda: rf"\not {self._atom()}",
            "lsub": lambda: f"{{}}_{self._argument()}",
            "lsup": lambda: f"{{}}^{self._argument()}",
            "color": self._colour,
        }

    def everything(self) -> str:
        rows = [self._row()]
        while self._at < len(self._tokens):
            if self._take().text == "#":
                rows.append(self._row())
            else:  # a brace that nothing opened
                rows[-1] = f"{rows[-1]} {self._row()}".strip()
        aligned = len(rows) > 1 or self._columns > 1
        return rf"\begin{{aligned}}{_ROW_END.join(rows)}\end{{aligned}}" if aligned else rows[0]

    def _row(self, stops: frozenset[str] = frozenset()) -> str:
        """Cells up to `#`, `}` or a stop word."""
        cells = [self._sequence(stops)]
        while self._peek() == "&":
            self._take()
            cells.append(self._sequence(stops))
        if self._depth == 0:
            self._columns = max(self._columns, len(cells))
        return " & ".join(cells)

    def _sequence(self, stops: frozenset[str]) -> str:
        font, parts, runs = self._font, list[str](), list[int]()
        while (word := self._peek()) and word not in "#&}" and word not in stops:
            if word in ("over", "atop", "choose"):
                self._take()
                self._divide(word, parts, runs)
                continue
            token, made = self._tokens[self._at], self._item()
            if made:
                joins = token.glued and token.text.isalnum() and bool(runs) and len(parts) > 0
                runs.append(runs[-1] if joins and parts[-1][-1:].isalnum() else len(parts))
                parts.append(made)
        self._font = font
        return " ".join(parts)

    def _divide(self, word: str, parts: list[str], runs: list[int]) -> None:
        """What stands before without a space is the upper part, the next item the lower one."""
        start = runs[-1] if runs else 0
        above = _bare(" ".join(parts[start:]))
        if len(above) > _LONGEST:
            raise _TooDeep
        del parts[start:], runs[start:]
        below = self._item()
        while self._runs_on():
            below = f"{below} {self._item()}"
        runs.append(len(parts))
        parts.append(_DIVISIONS[word] % (above, _bare(below)))

    def _runs_on(self) -> bool:
        """Whether the next token is a letter or number that belongs to what stands before it, as in `3y`."""
        word = self._peek()
        return word.isalnum() and self._tokens[self._at].glued and word not in _DIVISIONS and word != "right"

    def _item(self) -> str:
        """An atom with what is set above and below it."""
        made = self._atom()
        while (word := self._peek()) in _SCRIPTS:
            self._take()
            made += f"{_SCRIPTS[word]}{self._argument()}"
        return made

    def _argument(self) -> str:
        return f"{{{_bare(self._atom())}}}"

    def _atom(self) -> str:
        if self._peek() in ("", "}", "#", "&"):
            return ""
        token = self._take()
        if token.text == "{":
            return self._group()
        if token.text in _SCRIPTS:
            return f"{{}}{_SCRIPTS[token.text]}{self._argument()}"
        if token.text.lstrip("\\").isascii() and token.text.lstrip("\\").isalpha():
            return self._word(token)
        if token.text[0] == '"':
            return _text(token.text.strip('"'))
        if token.text[0] > "\x7f":
            return _text(token.text) if any(letter.isalpha() for letter in token.text) else token.text
        return OPERATORS.get(token.text, _ESCAPED.sub(r"\\\1", token.text))

    def _word(self, token: _Token) -> str:
        """The first table that has the word decides; a word in none is a product of letters."""
        word = token.word
        if token.text.lstrip("\\") in GREEK:
            return GREEK[token.text.lstrip("\\")]
        if word in self._commands:
            return self._nested(self._commands[word])
        if word in GRIDS:
            return self._nested(lambda: self._grid(*GRIDS[word]))
        if word in ACCENTS:
            return self._accent(ACCENTS[word])
        if word in FONTS:
            self._font = FONTS[word]
            return ""
        if word in SYMBOLS or word in FUNCTIONS:
            return SYMBOLS.get(word) or FUNCTIONS[word]
        if word[:-1] in FUNCTIONS and len(word) > 3:  # `sinx`
            return f"{FUNCTIONS[word[:-1]]} {token.text[-1]}"
        return f"{self._font}{{{token.text}}}" if self._font else token.text

    def _accent(self, accent: str) -> str:
        """LaTeX's bar is as wide as one letter."""
        below = self._nested(self._argument)
        return f"{accent if accent != _BAR or len(below) == len('{x}') else _LONG_BAR}{below}"

    def _nested(self, read: Callable[[], str]) -> str:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _TooDeep
        made = read()
        self._depth -= 1
        return made

    def _group(self) -> str:
        def read() -> str:
            rows = self._rows()
            return rows[0] if len(rows) == 1 else rf"\begin{{matrix}}{_ROW_END.join(rows)}\end{{matrix}}"

        return f"{{{self._nested(read)}}}"

    def _rows(self) -> list[str]:
        """The rows of a group whose brace is open; takes the closing one."""
        rows = [self._row()]
        while self._peek() == "#":
            self._take()
            rows.append(self._row())
        if self._peek() == "}":
            self._take()
        return rows

    def _grid(self, environment: str, columns: str) -> str:
        if self._peek() != "{":
            return ""
        self._take()
        return rf"\begin{{{environment}}}{columns}{_ROW_END.join(self._rows())}\end{{{environment}}}"

    def _root(self) -> str:
        """`root 3 of x`."""
        degree = self._argument()
        if self._peek() == "of":
            self._take()
            return rf"\sqrt[{degree[1:-1]}]{self._argument()}"
        return rf"\sqrt{degree}"

    def _fence(self) -> str:
        before = self._delimiter()
        inside = [self._row(frozenset({"right"}))]
        while self._peek() == "#":
            self._take()
            inside.append(self._row(frozenset({"right"})))
        text = inside[0] if len(inside) == 1 else rf"\begin{{matrix}}{_ROW_END.join(inside)}\end{{matrix}}"
        if self._peek() != "right":
            return rf"\left{before} {text} \right."
        self._take()
        return rf"\left{before} {text} \right{self._delimiter()}"

    def _stray_fence(self) -> str:
        """A closing fence that nothing opened stands for its sign."""
        sign = self._delimiter()
        return "" if sign == "." else sign

    def _delimiter(self) -> str:
        if self._at >= len(self._tokens):
            return "."
        token = self._take()
        return DELIMITERS.get(token.word, token.text if token.text in "()[]|/" else ".")

    def _long_division(self) -> str:
        """`longdiv{divisor}{quotient}{dividend}`."""
        divisor, quotient, dividend = self._argument(), self._argument(), self._argument()
        return rf"\overset{quotient}{{{divisor[1:-1]}\overline{{\smash{{)}}{dividend[1:-1]}}}}}"

    def _relation(self) -> str:
        """`rel <-> {above} {below}`: an arrow with a text on both sides."""
        sign, above = self._atom(), self._argument()
        below = self._argument() if self._peek() == "{" else "{}"
        made = rf"\overset{above}{{{sign}}}"
        return made if below == "{}" else rf"\underset{below}{{{made}}}"

    def _colour(self) -> str:
        """`color{r,g,b}{x}`: the colour says nothing about the formula."""
        self._atom()
        return self._atom()

    def _peek(self) -> str:
        """The next token as a word in lower case; empty at the end."""
        return self._tokens[self._at].word if self._at < len(self._tokens) else ""

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]


_BAR: Final = r"\bar"
_LONG_BAR: Final = r"\overline"
_ROW_END: Final = r" \\ "
_SCRIPTS: Final = {"^": "^", "_": "_", "sup": "^", "sub": "_", "from": "_", "to": "^"}
_DIVISIONS: Final = {"over": r"\frac{%s}{%s}", "atop": r"{%s \atop %s}", "choose": r"\binom{%s}{%s}"}


def _bare(text: str) -> str:
    """Without braces when one pair encloses all of it."""
    if not (text.startswith("{") and text.endswith("}")):
        return text
    depth = 0
    for found in _BRACE.finditer(text):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0 and found.end() < len(text):
            return text
    return text[1:-1]


def _text(words: str) -> str:
    plain = re.sub(r"[\\{}$#&%_^~]", lambda found: _PLAIN.get(found[0], f"\\{found[0]}"), words)
    return rf"\text{{{plain}}}" if plain else ""


_PLAIN: Final = {"\\": r"\backslash ", "^": r"\^{}", "~": r"\~{}"}
