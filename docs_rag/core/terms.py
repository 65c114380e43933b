"""Words: how text becomes what FTS keeps, and how a question becomes what FTS is asked for.

The index's tokenizer folds case and accents, stems English and cuts at everything that is no letter and no digit.
Scripts that write without spaces, and Korean with its glued particles, are cut into overlapping pairs before that:
`会议室` is kept as `会议 议室 室`, so a word of any length is found as a phrase of pairs, a word of one character
as the beginning of a pair. Both sides of a search go through the same function.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from docs_rag.core.everyday import EVERYDAY_WORDS
from docs_rag.core.naming import ask_for_capitals, is_either, is_quantity, is_stressed
from docs_rag.core.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docs_rag.core.ports import Analyser

MAX_TERMS = 48
"""A question's words beyond this many are left out: the work for one query stays bounded."""

MAX_QUERY_CHARS = 4_000
"""Of a longer question only the beginning is looked at."""

_UNSPACED = (
    "\u3005\u3006\u3040-\u30ff\u31f0-\u31ff"  # 々〆, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # Han
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
)

_KATAKANA = "[\u30a0-\u30ff\u31f0-\u31ff]"

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」|`([^`]+)`')
_SPACES = re.compile(r"\s+")
_EDGES = "()[]{}<>,;:!?\"'`“”‘’«»「」『』【】〈〉《》、。，．！？；：…*~^|=&%$@\\"
_ALNUM = re.compile(r"[^\W_]+")
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]+[A-Z]")
_PARTICLES = re.compile(
    "(?:에서는|으로는|에게서|이라는|에서|에게|으로|까지|부터|처럼|보다|한테|이나|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)


@cache
def _run() -> re.Pattern[str]:
    """Finds a run of an unspaced script; its large ranges are compiled only for texts that are not ASCII."""
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _words() -> re.Pattern[str]:
    """Finds the words in a run: what is in katakana, and what is in neither kana.

    Hiragana stands between them: particles and endings, which stand everywhere.
    """
    return re.compile(f"{_KATAKANA}+|[^\u3040-\u309f{_KATAKANA[1:]}+")


def _is_katakana(letter: str) -> bool:
    return re.match(_KATAKANA, letter) is not None


def _has_run(text: str) -> bool:
    return not text.isascii() and _run().search(text) is not None


class UnicodeAnalyser:
    """The default `Analyser`: NFKC, and overlapping pairs where words are not set apart by spaces."""

    name = "unicode-1"

    def index_text(self, text: str) -> str:
        """The text as FTS shall see it; ASCII passes through untouched."""
        if text.isascii():
            return text
        folded = text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)
        return _run().sub(_pairs, folded)


def _pairs(run: re.Match[str]) -> str:
    letters = "".join(filter(str.isalnum, run.group()))
    pairs = [letters[i : i + 2] for i in range(len(letters))]
    return f" {' '.join(pairs)} "


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a question asks for."""

    text: str
    """As written in the question."""
    match: str
    """The FTS5 expression that finds it: one quoted phrase, so that no character of a question is an operator."""
    is_identifier: bool = False
    """It has the form of a name in code or of a number: digit, `_`, `/`, inner `.` or `-`, capitals."""
    is_quoted: bool = False
    literal: str = ""
    """Case-folded text that a section must hold as well, where the tokenizer drops what matters (`c++`)."""
    is_name: bool = False
    """An identifier, or a word with a capital where the sentence asks for none: it names something."""
    is_word: bool = True
    """False for a compound whose parts are terms too: it is evidence, but no word of its own to be counted."""

    @property
    def is_everyday(self) -> bool:
        """Whether it is an everyday word, which says little where it stands nowhere."""
        return self.text.casefold() in EVERYDAY_WORDS


def is_unspaced(text: str) -> bool:
    """Whether a word is written in a script without spaces, or in Hangul."""
    return _has_run(text)


_PIECES: Final = {
    "[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]": ('"니다"', '"에서"', '"하는"', '"한다"', '"으로"'),
    "[\u3040-\u30ff]": ('"する"', '"ます"', '"こと"', '"です"', '"ない"'),
    "[\u4e00-\u9fff]": ('"的"*', '"是"*', '"不"*', '"する"', '"ます"'),
    "[\u0e00-\u0e7f]": ('"ที่"', '"กา"', '"าร"'),
}
"""Script -> FTS expressions for pieces that any few sentences in it hold. Han is Japanese too."""


def pieces_of(query: str) -> list[str]:
    """What stands in any text of the scripts without spaces that a question is written in, as FTS expressions."""
    return [piece for script, pieces in _PIECES.items() if re.search(script, query) for piece in pieces]


def stop_words_of(query: str) -> list[str]:
    """The words of a question that no search looks for, in order and once; those of unspaced scripts are left out."""
    words = dict.fromkeys(_ALNUM.findall(query[:MAX_QUERY_CHARS].casefold()))
    return [word for word in words if word in STOP_WORDS and not _has_run(word)]


def fold(text: str) -> str:
    """Case, width and spacing folded: what two spellings of one name have in common."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


def query_terms(query: str, analyser: Analyser) -> tuple[Term, ...]:
    """The terms of a question in order, stop words and repetitions left out, at most `MAX_TERMS`."""
    sound = query[:MAX_QUERY_CHARS].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    query = unicodedata.normalize("NFKC", sound)
    quoted = [next(filter(None, found.groups())) for found in _QUOTED.finditer(query)]
    shouting = query.isupper() and len(query.split()) > 1
    terms = [_term(part, analyser, quoted=True) for part in quoted]
    words = _QUOTED.sub(" … ", query).split()
    for raw, asked in zip(words, ask_for_capitals(words), strict=True):
        word = raw.lower() if len(words) > 1 and is_stressed(raw.strip(_EDGES)) else raw
        found = _terms_of(word, analyser, shouting)
        terms.extend(found if shouting or (asked and not _has_run(raw)) else _as_names(found))
    unique: dict[tuple[str, str], Term] = {}
    for term in terms:
        if term.match:
            unique.setdefault((term.match.casefold(), term.literal), term)
    return tuple(unique.values())[:MAX_TERMS]


def _as_names(terms: Sequence[Term]) -> Sequence[Term]:
    """The terms of one word whose capital tells something; `Wi-Fi` is one name, so its first part stands for it."""
    if any(term.is_name for term in terms):
        return terms
    for place, term in enumerate(terms):
        if term.text[:1].isupper() and not term.is_everyday and (term.is_word or len(terms) == 1):
            return [*terms[:place], replace(term, is_name=True), *terms[place + 1 :]]
    return terms


def _terms_of(raw: str, analyser: Analyser, shouting: bool) -> list[Term]:
    word = raw.strip(_EDGES).rstrip(".-")
    if not word:
        return []
    if _has_run(word):
        return _mixed_terms(word, analyser)
    word = re.sub(r"['’]s?$", "", word)
    parts = _ALNUM.findall(word)
    if is_identifier(word, shouting=shouting):
        return _identifier_terms(word, parts, analyser)
    return [_term(part, analyser) for part in parts if _is_content(part)]


def _identifier_terms(word: str, parts: Sequence[str], analyser: Analyser) -> list[Term]:
    """A name in code, alone; of what may be a name or several words, these as well."""
    if is_either(word):
        each = [term for part in word.split("/") for term in _terms_of(part, analyser, False)]
        return [replace(_term(word, analyser, identifier=True, is_word=False), is_name=False), *each]
    term = _term(word, analyser, identifier=True)
    term = replace(term, is_name=term.is_name and not is_quantity(word))
    if len(parts) == 1 or not re.fullmatch(r"[^\W\d_]+(?:[^\w/][^\W\d_]+)+|\d+(?:-[^\W\d_]+)+", word):
        return [term]
    whole = replace(term, is_word=False)
    words = [_term(part, analyser) for part in parts if _is_content(part)]
    if "." in word or any(map(str.isdigit, word)):
        return [whole, *words]
    whole = replace(whole, match=_or_joined(whole.match, parts), is_name=term.is_name and word.isupper())
    return [whole, *(replace(each, match=_or_joined(each.match, parts)) for each in words)]


def _or_joined(match: str, parts: Sequence[str]) -> str:
    """The expression, or the parts in one word: `wifi` for `Wi-Fi`."""
    return f'({match} OR "{"".join(parts)}")'


def _mixed_terms(word: str, analyser: Analyser) -> list[Term]:
    """Terms of a word that holds an unspaced script, perhaps beside Latin letters or digits."""
    terms: list[Term] = []
    for run in _run().findall(word):
        terms.extend(_term(piece, analyser) for piece in _run_pieces(run) if _is_content(piece))
    for rest in _run().sub(" ", word).split():
        terms.extend(_terms_of(rest, analyser, False))
    return terms


def _run_pieces(run: str) -> list[str]:
    """What to ask for of one run: a Korean word without its particle; a short run whole; of a longer one its words.

    Where nothing but hiragana is there, every pair of it.
    """
    if "\uac00" <= run[0] <= "\ud7a3":
        stem = _PARTICLES.sub("", run)
        return [stem if len(stem) > 1 else run]
    if len(run) <= 3:
        return [run]
    words = [found.group() for found in _words().finditer(run)]
    return [piece for word in words for piece in _pieces(word)] or _overlapping(run)


def _pieces(word: str) -> list[str]:
    """A loanword in katakana, or one or two letters, whole; a longer compound of Chinese letters pair by pair."""
    return [word] if len(word) <= 2 or _is_katakana(word[0]) else _overlapping(word)


def _overlapping(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _term(
    text: str,
    analyser: Analyser,
    *,
    identifier: bool = False,
    quoted: bool = False,
    is_word: bool = True,
) -> Term:
    identifier = identifier or (quoted and is_identifier(text.strip()))
    indexed = analyser.index_text(text)
    expression = _expression(text, indexed)
    named = quoted or (identifier and (text != text.lower() or bool(re.search(r"[\d_/]", text))))
    return Term(text, expression, identifier, quoted, _literal(text), named, is_word)


def _expression(text: str, indexed: str) -> str:
    tokens = _ALNUM.findall(indexed)
    if not tokens:
        return ""
    last = tokens[-1]
    if len(last) == 1 and _has_run(last):
        # The lone last character of a run closes its phrase in the text, but not inside a longer run.
        tokens = tokens[:-1] if len(tokens) > 1 else tokens
        prefix = "*" if len(tokens) == 1 and tokens[0] == last else ""
    else:
        prefix = ""
    phrase = " ".join(tokens).replace('"', '""')
    return f'"{phrase}"{prefix}'


def _literal(text: str) -> str:
    """The text itself where tokens lose what tells it apart: `C++`, `C#`, `.NET`."""
    return text.casefold() if re.fullmatch(r"\w+[+#]+|\.\w+", text) else ""


def _is_content(word: str) -> bool:
    return word.casefold() not in STOP_WORDS


def is_identifier(word: str, *, shouting: bool = False) -> bool:
    """Whether a word of a question has the form of a name in code, a version or a number of a record.

    `shouting` says that the whole question is in capitals, so that capitals tell nothing.
    """
    if not word or " " in word or not _ALNUM.search(word):
        return False
    if any(char.isdigit() for char in word) or re.search(r"[_/+#]|\w[.\-]\w|^\.\w", word):
        return True
    if shouting:
        return False
    return bool(_INNER_CAPITAL.search(word)) or (len(word) > 1 and word.isupper())


MOST_RARE = 2_000
"""A word of so many sections says little, however many others there are; listing more of them takes too long."""


def is_rare(frequency: int, sections: int, ratio: float) -> bool:
    """The gate of the lexical track, measured on the user's own sections whose state is not hidden."""
    return 1 <= frequency <= rarity_limit(sections, ratio)


def rarity_limit(sections: int, ratio: float) -> int:
    """The most sections that a rare term may stand in: `max(5, ratio x n)`, but no more than half, or `MOST_RARE`."""
    return int(min(max(5.0, ratio * sections), max(1.0, sections / 2), MOST_RARE))
