"""Figures and their table: medians, and ratios to what stands beside them; never one absolute time alone."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HEADS = ("what", "measured", "beside it", "ratio", "aim", "met")
MISSED_HEADS = ("aim missed", "measured", "beside it", "ratio", "aim", "why")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table.

    value: against the aim: a ratio, or a size in the unit that `aim` names. most: whether the aim is an upper bound.
    reason: why the aim is missed where it is missed, as far as it is known.
    """

    what: str
    measured: str
    beside: str = ""
    ratio: float | None = None
    aim: float | None = None
    value: float | None = None
    unit: str = ""
    most: bool = False
    reason: str = ""

    def cells(self) -> tuple[str, ...]:
        """The line as text."""
        return (
            self.what,
            self.measured,
            self.beside,
            "" if self.ratio is None else f"{self.ratio:.2f}",
            "" if self.aim is None else f"{'at most' if self.most else 'at least'} {self.aim:g}{self.unit}",
            self.verdict,
        )

    @property
    def verdict(self) -> str:
        """Whether the aim is met; empty where there is none."""
        value = self.ratio if self.value is None else self.value
        if self.aim is None or value is None:
            return ""
        return "yes" if (value <= self.aim if self.most else value >= self.aim) else "no"


def missed_aims(figures: Iterable[Figure]) -> list[str]:
    """What misses its aim, a line each: the figure, what was measured, the aim, the reason."""
    late = [figure for figure in figures if figure.verdict == "no"]
    return [
        f"{f.what}: {f.beside or f.measured}; the aim is {f.cells()[HEADS.index('aim')]}{f.reason and f' ({f.reason})'}"
        for f in late
    ]


def report(figures: Sequence[Figure]) -> str:
    """The figures as Markdown: a table of the missed aims with their reasons, then a table of all."""
    missed = [(*figure.cells()[:-1], figure.reason) for figure in figures if figure.verdict == "no"]
    first = lines(MISSED_HEADS, missed) if missed else "Every aim is met."
    return f"{first}\n\n{table(figures)}"


def table(figures: Iterable[Figure]) -> str:
    """The figures as a Markdown table."""
    return lines(HEADS, [figure.cells() for figure in figures])


def lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def spread(values: Sequence[float], unit: str = "ms") -> str:
    """p50, p95 and p99 of some times, and the longest."""
    p50, p95, p99 = (percentile(values, p) for p in (50, 95, 99))
    return f"p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f}, max {max(values):.0f} {unit}"


def ratio_of_pairs(ours: Sequence[float], beside: Sequence[float]) -> float:
    """The median of the ratios of rounds that stood side by side, so that noise hits both."""
    return statistics.median(a / b for a, b in zip(ours, beside, strict=True))
