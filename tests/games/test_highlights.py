"""Highlights: what happened at which places, drawn over a picture of the same size."""

from dataclasses import replace

import pytest

from games import registry
from games.drawing.highlights import Spots, highlights_svg
from games.engine.insight.event_pages import Highlight, HighlightKind
from worlds.drawing.map_svg import wall_map_svg, wall_size
from worlds.drawing.map_view import MapPlan

MARCH = HighlightKind.MARCH
LINE = Spots(100, 50, 10, {"1": (10.0, 10.0), "2": (90.0, 40.0)}.get)


@pytest.mark.parametrize("kind", HighlightKind)
def test_every_kind_is_drawn_at_the_places_that_the_picture_has(kind):
    drawn = highlights_svg(LINE, [Highlight(kind, ("1", "2"))])
    assert drawn != highlights_svg(LINE, []) and 'viewBox="0 0 100 50"' in drawn
    assert highlights_svg(LINE, [Highlight(kind, ("7",))]) == highlights_svg(LINE, [])


def test_an_arrow_needs_two_places():
    for places in (("1",), ("1", "1"), ("1", "7")):
        assert highlights_svg(LINE, [Highlight(MARCH, places)]) == highlights_svg(LINE, [])


def test_the_squares_of_a_wall_map_lie_where_it_says():
    plan = MapPlan(3, 2, ("P",) * 6, (-1,) * 6, (0,) * 6, attribution="Somebody's work")
    for each in (plan, replace(plan, attribution="")):
        _, wide, high = wall_size(each)
        assert f'viewBox="0 0 {wide} {high}"' in wall_map_svg(each)


@pytest.mark.parametrize("rules", registry.rulesets(), ids=lambda rules: rules.slug)
def test_headlines_and_stories_are_events_of_the_ruleset(rules):
    events = set(rules.events.values())
    pages = rules.pages
    assert {*pages.headlines, *pages.story.kinds, *pages.finished_by} <= events
    if pages.story.kinds:  # a sentence of the chronicle is the headline
        assert {*pages.headlines, *pages.finished_by} <= set(pages.story.sentence_kinds)
    assert pages.main_chart in {"", *rules.charts}
