"""Tables that are drawn with rules: the rules give the cells, also merged ones, and the characters fill them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from docs_rag.adapters.converters.pdf.shapes import Char, Line, Rows, Rule, joined, words
from docs_rag.core.mdtables import Cell

_NEAR: Final = 2.0
"""Points between places that count as one."""
_MOST_CROSSINGS: Final = 200_000
_MOST_CELLS: Final = 10_000
_FILLED: Final = 0.25
"""Grids with a smaller share of cells that hold text are charts or forms for handwriting."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where rules cross: `xs` from left to right, `ys` from top to bottom, and the rules themselves."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    horizontals: tuple[Rule, ...]
    verticals: tuple[Rule, ...]

    def place(self, word: Sequence[Char]) -> tuple[int, int] | None:
        """Row and column of the place that a word's middle is in, also where it juts out; None outside."""
        x = (min(char.left for char in word) + max(char.right for char in word)) / 2
        y = (word[0].bottom + word[0].top) / 2
        column = bisect_right(self.xs, x) - 1
        row = bisect_right([-each for each in self.ys], -y) - 1
        inside = 0 <= column < len(self.xs) - 1 and 0 <= row < len(self.ys) - 1
        return (row, column) if inside else None

    def is_open_right(self, row: int, column: int) -> bool:
        """Whether no rule parts a place from the one to its right."""
        middle = (self.ys[row] + self.ys[row + 1]) / 2
        return not any(_crosses(rule, self.xs[column + 1], middle) for rule in self.verticals)

    def is_open_below(self, row: int, column: int) -> bool:
        """Whether no rule parts a place from the one below."""
        middle = (self.xs[column] + self.xs[column + 1]) / 2
        return not any(_crosses(rule, self.ys[row + 1], middle) for rule in self.horizontals)


def grids(rules: Iterable[Rule]) -> list[Grid]:
    """The grids of several columns that the rules of a page draw; boxes around text are none."""
    horizontals, verticals = _whole(rules, horizontal=True), _whole(rules, horizontal=False)
    if len(horizontals) * len(verticals) > _MOST_CROSSINGS:
        return []
    found = [_grid(*group) for group in _groups(horizontals, verticals)]
    return [grid for grid in found if len(grid.xs) > 2 and len(grid.xs) * len(grid.ys) <= _MOST_CELLS]


def filled(grid: Grid, lines: Sequence[Line]) -> Rows | None:
    """The rows of a grid with the text of these lines; None where it is no table after all.

    A merged cell has its text in its first place; rows and columns without any text are left out.
    """
    spans = _spans(grid)
    texts = _texts(grid, spans, lines)
    if len(texts) < _FILLED * len(spans):
        return None
    tall = {row for places in spans.values() if places[0][0] < places[-1][0] for row, _ in places}
    columns = sorted({column for _, column in texts})
    rows = [
        cells
        for row in sorted({row for row, _ in texts})
        for cells in _split([texts.get((row, column), []) for column in columns], is_tall=row in tall)
    ]
    return rows if len(columns) > 1 else None


_Place = tuple[int, int]


class _Text(NamedTuple):
    """One line of text in a cell."""

    text: str
    bottom: float


def _texts(grid: Grid, spans: Mapping[_Place, list[_Place]], lines: Sequence[Line]) -> dict[_Place, list[_Text]]:
    """The lines of text in each cell that has any, by its first place."""
    owners = {place: owner for owner, places in spans.items() for place in places}
    found: dict[_Place, list[_Text]] = {}
    for line in lines:
        for owner, chars in _by_owner(grid, owners, line).items():
            found.setdefault(owner, []).append(_Text(joined(chars), min(char.bottom for char in chars)))
    return found


def _split(row: Sequence[list[_Text]], *, is_tall: bool) -> Rows:
    """A row as several where rules are missing between them: all its cells hold equally many lines at one height."""
    first, *others = [texts for texts in row if texts]
    together = len(others) > 1 and all(
        len(texts) == len(first)
        and all(abs(one.bottom - other.bottom) <= _NEAR for one, other in zip(first, texts, strict=True))
        for texts in others
    )
    if is_tall or not together:
        return [[Cell("\n".join(each.text for each in texts)) for texts in row]]
    return [[Cell(texts[at].text if texts else "") for texts in row] for at in range(len(first))]


def _by_owner(grid: Grid, owners: dict[_Place, _Place], line: Line) -> dict[_Place, list[Char]]:
    found: dict[_Place, list[Char]] = {}
    for word in words(line):
        if (place := grid.place(word)) is not None:
            found.setdefault(owners[place], []).extend(word)
    return found


def _spans(grid: Grid) -> dict[_Place, list[_Place]]:
    """Each cell's first place and all its places."""
    found: dict[_Place, list[_Place]] = {}
    taken: set[_Place] = set()
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    for row in range(rows):
        for column in range(columns):
            if (row, column) not in taken:
                found[row, column] = list(_places(grid, row, column, taken))
                taken.update(found[row, column])
    return found


def _places(grid: Grid, row: int, column: int, taken: set[_Place]) -> Iterator[_Place]:
    right = column
    while right < len(grid.xs) - 2 and (row, right + 1) not in taken and grid.is_open_right(row, right):
        right += 1
    below = row
    while below < len(grid.ys) - 2 and all(grid.is_open_below(below, each) for each in range(column, right + 1)):
        below += 1
    return ((each, across) for each in range(row, below + 1) for across in range(column, right + 1))


def _crosses(rule: Rule, at: float, middle: float) -> bool:
    return abs(rule.at - at) <= _NEAR and rule.start - _NEAR <= middle <= rule.end + _NEAR


def _whole(rules: Iterable[Rule], *, horizontal: bool) -> list[Rule]:
    """Rules of one direction, pieces that lie on one line and touch made one."""
    found: list[Rule] = []
    for group in _lanes(sorted(rule for rule in rules if rule.horizontal is horizontal)):
        at = group[0].at
        for rule in sorted(group, key=lambda each: each.start):
            if found and found[-1].at == at and rule.start <= found[-1].end + _NEAR:
                found[-1] = found[-1]._replace(end=max(found[-1].end, rule.end))
            else:
                found.append(rule._replace(at=at))
    return found


def _lanes(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules in order of their place, those near the first of a group together."""
    groups: list[list[Rule]] = []
    for rule in rules:
        if groups and rule.at - groups[-1][0].at <= _NEAR:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return groups


def _groups(horizontals: Sequence[Rule], verticals: Sequence[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Rules that cross one another, directly or through others."""
    left = set(range(len(verticals)))
    unseen = set(range(len(horizontals)))
    while unseen:
        waiting = [unseen.pop()]
        across: list[Rule] = []
        down: list[Rule] = []
        while waiting:
            rule = horizontals[waiting.pop()]
            across.append(rule)
            met = [at for at in left if _meet(rule, verticals[at])]
            left.difference_update(met)
            down.extend(verticals[at] for at in met)
            reached = [at for at in unseen if any(_meet(horizontals[at], verticals[each]) for each in met)]
            unseen.difference_update(reached)
            waiting.extend(reached)
        if len(across) > 1 and down:
            yield across, down


def _meet(across: Rule, down: Rule) -> bool:
    return across.start - _NEAR <= down.at <= across.end + _NEAR and down.start - _NEAR <= across.at <= down.end + _NEAR


def _grid(across: Sequence[Rule], down: Sequence[Rule]) -> Grid:
    """The grid of rules that cross; rules that are missing at its sides are where the others end."""
    xs = [rule.at for rule in down] + [end for rule in across for end in (rule.start, rule.end)]
    ys = [rule.at for rule in across] + [end for rule in down for end in (rule.start, rule.end)]
    return Grid(tuple(_distinct(xs)), tuple(reversed(_distinct(ys))), tuple(across), tuple(down))


def _distinct(places: Iterable[float]) -> list[float]:
    found: list[float] = []
    for place in sorted(places):
        if not found or place - found[-1] > _NEAR * 2:
            found.append(place)
    return found
