"""Queries do not grow with the map: a command on a large Earth costs as many as on a small one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import Pause, Resume, Start
from games.engine.lifecycle.seating import AddSeat
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.state.value_types import Held, Place, ShareOf
from games.models import Seat, Timer
from games.reads import selectors
from worlds.map_survey import plan_of
from worlds.models import Square
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db


def era(side: int):
    """A running Era Centrum on plains of side x side squares, with one race in each corner."""
    host = User.objects.create_user(f"host-{side}")
    game = services.open_game("gods2", f"Plains {side}", user=host.pk)
    gm, lead = (Actor(Issuer(role), host.pk, Seat.objects.get(game=game, role=role).pk) for role in ("gm", "host"))
    services.run(game.pk, AddSeat(name="Sun"), actor=lead)
    sun = Seat.objects.get(game=game, name="Sun").pk
    setup = [
        ConfigureGame(),
        SetMap(width=side, height=side, rows=("P" * side,) * side),
        DefineGod(seat=sun, name="Sun"),
    ]
    for n, (x, y) in enumerate(((0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1))):
        placed = (Held(square=Place(x=x, y=y), units=1),)
        share = (ShareOf(member=str(sun), share=10_000),)
        setup.append(DefineRace(name=f"Race {n}", pantheon=share, placed=placed))
    for command in (*setup, Start()):
        services.run(game.pk, command, actor=lead)
    services.run(game.pk, OpenSession(), actor=gm)
    game.refresh_from_db()
    return game, gm


def cost(work) -> int:
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def costs(side: int) -> dict[str, int]:
    game, gm = era(side)
    assert Square.objects.filter(world=game.world).count() == side * side
    timer = Timer.objects.filter(game=game, does="close-activity").get()
    return {
        "pause": cost(lambda: services.run(game.pk, Pause(), actor=gm, now=game.last_at)),
        "resume": cost(lambda: services.run(game.pk, Resume(), actor=gm, now=game.last_at)),
        "state": cost(lambda: selectors.state_for(game, Visibility.nobody())),
        "events": cost(lambda: selectors.events_for(game, Visibility.nobody())),
        "map": cost(lambda: plan_of(game.world)),
        "activity ends": cost(lambda: services.fire_due(game.pk, now=timer.due)),
    }


def test_a_hundred_times_the_squares_cost_not_one_query_more():
    small, large = costs(6), costs(60)
    assert large == small
    assert small["map"] == 9
    assert max(small.values()) < 60
