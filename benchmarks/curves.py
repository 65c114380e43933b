"""How figures grow with the vault: both axes logarithmic, as a text for the terminal and as an SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from string import ascii_lowercase
from typing import Final, NamedTuple

from benchmarks.results import Results


class Curve(NamedTuple):
    """A figure in milliseconds, by size."""

    title: str
    points: tuple[tuple[float, float], ...]
    """(notes, milliseconds), both above 0."""


SHOWN: Final = (
    ("bare walk", "noChange", "walkMilliseconds", 1.0),
    ("nothing changed", "noChange", "milliseconds", 1.0),
    ("one edit, found", "edit", "milliseconds", 1.0),
    ("one edit, named", "edit", "namedMilliseconds", 1.0),
    ("first index", "index", "seconds", 1000.0),
    ("cold search by words", "coldSearch", "milliseconds", 1.0),
    ("cold search by meaning", "coldMeaning", "milliseconds", 1.0),
    ("warm question", "warmSearch", "milliseconds", 1.0),
    ("server: first answer", "server", "firstAnswerMilliseconds", 1.0),
    ("hook", "hook", "nothingToStartMilliseconds", 1.0),
)
"""Title, part, figure, its unit in milliseconds."""

COLUMNS, ROWS = 60, 18
WIDTH, HEIGHT, EDGE, LEGEND = 900, 480, 60, 210
HEAD: Final = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">'
)
COLOURS: Final = (
    "#1b6ca8",
    "#c1440e",
    "#2a7f3f",
    "#8a2be2",
    "#111111",
    "#b8860b",
    "#d6336c",
    "#0b7285",
    "#5c5c5c",
    "#795548",
)


def curves(results: Results) -> list[Curve]:
    """What was measured in at least two sizes."""
    found = []
    for title, part, figure, unit in SHOWN:
        values = ((notes, results.value(str(notes), part, figure)) for notes in results.generated())
        points = tuple((float(notes), value * unit) for notes, value in values if value and value > 0)
        if len(points) > 1:
            found.append(Curve(title, points))
    return found


class _Scale(NamedTuple):
    """Where a value stands between the ends of an axis, from 0 to 1; the ends are powers of ten."""

    low: int
    high: int

    def at(self, value: float) -> float:
        return (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self) -> range:
        return range(self.low, self.high + 1)


def _scales(shown: Sequence[Curve]) -> tuple[_Scale, _Scale]:
    axes = zip(*(point for curve in shown for point in curve.points), strict=True)
    across, up = (_scale(min(axis), max(axis)) for axis in axes)
    return across, up


def _scale(least: float, most: float) -> _Scale:
    low = math.floor(math.log10(least))
    return _Scale(low, max(low + 1, math.ceil(math.log10(most))))


def plot(results: Results) -> Iterator[str]:
    """The curves as lines of text, a letter each; nothing for fewer than two sizes."""
    shown = curves(results)
    if not shown:
        return
    across, up = _scales(shown)
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    for letter, curve in zip(ascii_lowercase, shown, strict=False):
        for x, y in _dots(curve, across, up):
            column, row = round(x * (COLUMNS - 1)), round((1 - y) * (ROWS - 1))
            grid[row][column] = letter if grid[row][column] in (" ", letter) else "*"
    labels = {round((1 - up.at(10**tick)) * (ROWS - 1)): f"{10**tick:,g} ms" for tick in up.ticks()}
    for row, cells in enumerate(grid):
        yield f"{labels.get(row, ''):>12} |" + "".join(cells).rstrip()
    yield f"{'':12} +" + "-" * COLUMNS
    ends = f"{10**across.low:,g} notes", f"{10**across.high:,g} notes"
    yield f"{'':14}{ends[0]}{ends[1]:>{COLUMNS - len(ends[0])}}"
    yield from (f"{'':14}{letter}  {curve.title}" for letter, curve in zip(ascii_lowercase, shown, strict=False))


def _dots(curve: Curve, across: _Scale, up: _Scale) -> Iterator[tuple[float, float]]:
    """Places of the points and of some between them, from 0 to 1."""
    places = [(across.at(x), up.at(y)) for x, y in curve.points]
    yield places[0]
    for (x1, y1), (x2, y2) in pairwise(places):
        steps = COLUMNS // 3
        yield from ((x1 + (x2 - x1) * n / steps, y1 + (y2 - y1) * n / steps) for n in range(1, steps + 1))


def svg(now: Results, before: Results) -> str:
    """The curves as a picture; those of the earlier run are dashed."""
    shown, earlier = curves(now), {curve.title: curve for curve in curves(before)}
    if not shown:
        raise SystemExit("growth is drawn from two sizes on: give --notes twice")
    across, up = _scales([*shown, *earlier.values()])
    parts = [*_frame(across, up)]
    for place, curve in enumerate(shown):
        colour = COLOURS[place % len(COLOURS)]
        parts.append(_line(curve, across, up, colour, ""))
        if curve.title in earlier:
            parts.append(_line(earlier[curve.title], across, up, colour, ' stroke-dasharray="5 4"'))
        y = EDGE + 20 * place
        parts.append(f'<text x="{WIDTH - LEGEND + 10}" y="{y}" fill="{colour}">{escape(curve.title)}</text>')
    note = escape(now.machine + (", dashed: the run compared with" if earlier else ""))
    parts.append(f'<text x="{EDGE}" y="{HEIGHT - 8}" font-size="11">{note}</text>')
    return "\n".join([HEAD, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>"]) + "\n"


def _place(across: _Scale, up: _Scale, x: float, y: float) -> tuple[float, float]:
    right, bottom = WIDTH - LEGEND, HEIGHT - EDGE
    return round(EDGE + across.at(x) * (right - EDGE), 1), round(bottom - up.at(y) * (bottom - EDGE / 2), 1)


def _frame(across: _Scale, up: _Scale) -> Iterator[str]:
    for tick in across.ticks():
        x, y = _place(across, up, 10**tick, 10**up.low)
        yield f'<line x1="{x}" y1="{y}" x2="{x}" y2="{EDGE / 2}" stroke="#ddd"/>'
        yield f'<text x="{x}" y="{y + 18}" text-anchor="middle">{10**tick:,g} notes</text>'
    for tick in up.ticks():
        x, y = _place(across, up, 10**across.low, 10**tick)
        yield f'<line x1="{x}" y1="{y}" x2="{WIDTH - LEGEND}" y2="{y}" stroke="#ddd"/>'
        yield f'<text x="{x - 6}" y="{y + 4}" text-anchor="end">{_duration(10**tick)}</text>'


def _duration(number: float) -> str:
    return f"{number:,g} ms" if number < 1000 else f"{number / 1000:,g} s"


def _line(curve: Curve, across: _Scale, up: _Scale, colour: str, more: str) -> str:
    points = " ".join(",".join(map(str, _place(across, up, x, y))) for x, y in curve.points)
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{more}/>'
