"""Turning points: the chapters in which a chart swings most."""

from games.engine.insight.charts import About, Chart, Moment, Row, Series
from games.engine.insight.turning_points import TurningPoint, turning_points


def series(*rows: Row, chapters: tuple[int, ...] = (0, 1, 2, 3, 4)) -> Series:
    """A chart with a moment in each of these chapters."""
    chart = Chart("Population", "units", About.NOBODY, lambda state, subject: ())
    return Series(chart, "Century", tuple(Moment(number, ended=True) for number in chapters), rows)


def test_the_largest_changes_are_told_in_the_order_in_which_they_were_played():
    found = turning_points(series(Row("n", "Norsemen", (10, 14, 4, 5, 5)), Row("e", "Low Elves", (10, 11, 11, 18, 18))))
    assert found == (
        TurningPoint(1, "Norsemen", 10, 14),
        TurningPoint(2, "Norsemen", 14, 4),
        TurningPoint(3, "Low Elves", 11, 18),
    )


def test_one_chapter_is_one_turning_point():
    (found,) = turning_points(series(Row("n", "Norsemen", (10, 2)), Row("e", "Low Elves", (5, 9)), chapters=(0, 1)))
    assert (found.name, found.change) == ("Norsemen", -8)


def test_what_is_new_began_with_nothing_and_what_stays_turns_nothing():
    found = turning_points(series(Row("n", "Norsemen", (None, None, 6, 6, 6)), Row("e", "Low Elves", (7,) * 5)))
    assert found == (TurningPoint(2, "Norsemen", 0, 6),)


def test_a_chart_at_events_swings_by_the_last_event_of_each_chapter():
    tower = Row("h", "Tower", (1, 9, 2, 5, 6))
    assert turning_points(series(tower, chapters=(1, 1, 1, 2, 2))) == (TurningPoint(2, "Tower", 2, 6),)
    assert turning_points(series(tower, chapters=(1, 1, 1, 1, 1))) == turning_points(series()) == ()
