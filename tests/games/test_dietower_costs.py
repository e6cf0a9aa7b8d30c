"""What the Die Tower costs: queries do not grow with dice that stand, past rolls, encounters or sessions."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry
from games.dietower.models import Placement, Roll, Session
from games.reads import selectors
from games.storage import state_cache
from tests.games.dietower import HOPELESS, Evening, begin, made
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
OPTIONS = {"half_width": 8}


def queries(work, *arguments: object) -> int:
    """The queries of some work, without a state that is still known."""
    state_cache.STATE_CACHE.clear()
    with CaptureQueriesContext(connection) as captured:
        work(*arguments)
    return len(captured)


def with_a_past() -> Evening:
    """A game of three sessions with many rolls, dice for the tower and two encounters behind it."""
    here = begin(OPTIONS)
    here.does("gm", "save-monster", name="Gnaw", health=9)
    for _ in range(2):
        for _ in range(6):
            for name in ("ann", "bob"):
                here.fails(name)
                here.places_all(name)
        here.does("gm", "open-encounter", members=[here.of("Gnaw")])
        here.does("gm", "close-encounter")
        here.does("gm", "close-session")
        here.does("gm", "open-session")
    return here


def costs(here: Evening) -> dict[str, int]:
    """The queries of loading and showing a game, and of what is done most."""
    game, store = here.game, registry.store("dietower")
    found = {
        "load": queries(store.load, game),
        "state": queries(selectors.state_for, game, Visibility.nobody()),
        "events": queries(selectors.events_for, game, Visibility.nobody()),
    }
    here.does("gm", "reset-tower", reason="For the test.")
    here.does("gm", "award-wish", actor=here.of("ann"), reason="story")  # so that she can hold no more
    return found | costs_of_a_die(here)


def costs_of_a_die(here: Evening) -> dict[str, int]:
    """The queries of a check, of its end, and of the one die that it owes: the first of a tower."""
    while True:
        asked = made("request-check", actor=here.of("ann"), intent="climb", ruling=HOPELESS)
        found = {"check": queries(here.run, asked, "gm")}
        closing = made("close-roll", roll=here.roll_of("ann"))
        found["close"] = queries(here.run, closing, "ann")
        placing = made("place-die", placement=here.due)
        found["place"] = queries(here.run, placing, "ann")
        if here.events_of("PoolRolled")[-1]["pool"] in ([2], [3], [4], [5]):  # neither Critical nor Fail
            return found
        here.places_all("ann")
        here.does("gm", "reset-tower", reason="For the test.")


def test_a_long_past_costs_not_one_query_more():
    fresh, long = begin(OPTIONS), with_a_past()
    assert Roll.objects.filter(game=long.id).count() >= 24 <= Placement.objects.filter(game=long.id).count()
    assert Session.objects.filter(game=long.id).count() == 3
    small, large = costs(fresh), costs(long)
    assert {name: (small[name], large[name]) for name in small if large[name] > small[name]} == {}
    assert max(small.values()) <= 100


def test_what_is_over_leaves_the_state_that_is_shown():
    """Past checks, rolls and placements are read from their lists: the state does not grow with them."""
    fresh, long = begin(OPTIONS), with_a_past()
    sizes = [selectors.state_for(here.game, Visibility.nobody()) for here in (fresh, long)]
    for table in ("checks", "rolls", "placements", "encounters"):
        assert [len(size[table]) for size in sizes] == [0, 0], table
    assert all("sessions" not in size for size in sizes)
