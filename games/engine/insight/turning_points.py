"""The turning points of a game: the chapters in which a chart swings most (pure)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from games.engine.insight.charts import Row, Series

MOST = 3


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A chapter in which one row of a chart rose or fell as no other did. before, after: amounts at its two ends."""

    chapter: int
    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        """By how much, in amounts."""
        return self.after - self.before


def turning_points(series: Series, most: int = MOST) -> tuple[TurningPoint, ...]:
    """The chapters with the largest changes of one row, at most one a chapter, in the order in which they were played.

    Of equal changes the later chapter counts. A row that is new in a chapter began it with nothing. A chart that is
    taken at events gives the events' chapters, by the amounts of the last event of each.
    """
    largest: dict[int, TurningPoint] = {}
    for found in _changes(series):
        former = largest.get(found.chapter)
        if former is None or abs(found.change) > abs(former.change):
            largest[found.chapter] = found
    ranked = sorted(largest.values(), key=lambda each: (-abs(each.change), -each.chapter))
    return tuple(sorted(ranked[:most], key=lambda each: each.chapter))


def _changes(series: Series) -> Iterator[TurningPoint]:
    """What each row does from the end of a chapter to the end of the next that the chart has."""
    last_of_chapters = {moment.chapter: place for place, moment in enumerate(series.moments)}
    for row in series.rows:
        for (_, earlier), (chapter, later) in pairwise(last_of_chapters.items()):
            before, after = _amount(row, earlier), _amount(row, later)
            if before != after:
                yield TurningPoint(chapter, row.name, before, after)


def _amount(row: Row, place: int) -> int:
    return row.amounts[place] or 0
