"""Dawn through the one writer: a whole game, and a peopled world whose rows are what the log says."""

import json
from datetime import timedelta

import pytest

from games.dawn import models as own
from games.dawn.rules.state.invariants import violations
from games.engine.dice import die
from games.engine.lifecycle.gm_commands import EndSetup
from games.models import Die, Prompt, Timer
from tests.games.dawn import of_bots, peopled_world
from worlds.models import Army, Avatar, City, Deity, Order, Race, Square

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("bots", [2])
@pytest.mark.rule("DW-AGE-1", "DW-AGE-3", "DW-INC-1", "DW-PTS-1")
def test_a_game_of_bots_passes_through_three_ages_and_its_replay_is_its_rows(bots: int) -> None:
    here = of_bots(bots, {"open_challenge": bots == 2})
    here.fire(until=here.now + timedelta(seconds=10))
    here.run(EndSetup())
    for _ in range(5000):
        if here.game.status == "finished":
            break
        here.fire()
    course = own.Course.objects.get(game=here.id)
    assert (here.game.status, course.step, course.age) == ("finished", "finished", 3)
    assert 15 <= course.rounds <= 30
    assert here.events_of("TimerRefused", "BotPassed", "TimerFailed") == []
    here.rows_agree()
    assert violations(here.state) == []
    assert own.SquareSheet.objects.filter(game=here.id).count() == 48
    assert own.SquareSheet.objects.filter(game=here.id, shaped_by__isnull=False).count() > 4
    assert (own.Power.objects.count(), own.Hold.objects.count(), own.Conflict.objects.count()) == (0, 0, 0)
    assert (Prompt.objects.filter(game=here.id).count(), Timer.objects.filter(game=here.id).count()) == (0, 0)
    incomes = here.events_of("IncomeRolled")
    assert len(incomes) == course.rounds * bots and all(e["gain"] == sum(e["dice"]) + 2 for e in incomes)
    dice, secret = list(Die.objects.filter(game=here.id)), bytes(here.game.secret.dice)
    assert [die(secret, str(here.id), d.label, d.index, d.sides) for d in dice] == [d.value for d in dice]


def test_a_world_is_peopled_and_its_rows_are_what_the_log_says() -> None:
    """Common things stand in the world's own rows, those of Dawn alone on sheets beside them."""
    here = peopled_world()
    here.rows_agree()
    assert violations(here.state) == []
    ann, bob = here.seats["ann"], here.seats["bob"]
    world = here.game.world
    assert (world.width, world.height, world.adjacency) == (8, 6, 4)
    assert Square.objects.get(world=world, x=6, y=4).terrain == "plains"
    isle = own.SquareSheet.objects.get(square__world=world, square__x=6, square__y=4)
    assert (isle.climate, isle.fantastic, isle.floating, isle.shaped_by_id) == ("polar", True, True, ann)
    assert (isle.region.name, isle.region.squares.count(), isle.region.fantastic) == ("Isle of Glass", 2, True)
    assert sorted(Deity.objects.filter(world=world).values_list("name", flat=True)) == [
        "Great ann", "Great bob", "Great cat",
    ]  # fmt: skip
    god = own.GodSheet.objects.get(seat=ann)
    assert (god.deity_id, json.loads(god.portfolio), god.moral) == (ann, ["rivers", "storms"], "good")

    elves = Race.objects.get(world=world, name="Elves")
    sheet = elves.dawn_sheet
    assert (sheet.tier, sheet.alignment, sheet.life, elves.extinct) == ("mortal", 0, "alive", False)
    assert ((sheet.home.x, sheet.home.y), json.loads(sheet.creators)) == ((1, 1), [str(ann)])
    land = own.Territory.objects.filter(race=elves).values_list("square__x", "square__y")
    assert sorted(land) == [(1, 1), (1, 2)]

    town = City.objects.get(world=world, name="Oakhold")
    assert ((town.square.x, town.square.y), town.race) == ((1, 1), elves)
    assert (town.dawn_sheet.controller_id, town.dawn_sheet.alignment, town.dawn_sheet.raised) == (ann, 1, 2)
    edges = own.Edge.objects.filter(game=here.id).order_by("given")
    assert [(e.name, e.kind, e.city_id is None, e.tags) for e in edges[:2]] == [
        ("thick walls", "defensive", False, "[]"), ("good ships", "other", True, '["crosses_water"]'),
    ]  # fmt: skip
    assert (edges[0].city, edges[1].race) == (town, elves)

    armies = Army.objects.filter(race=elves)
    assert {(a.city_id, a.square_id) for a in armies} == {(town.pk, town.square_id)} and armies.count() == 2
    horn = Avatar.objects.get(deity_id=ann)
    assert (horn.name, horn.kind, horn.square_id) == ("Horn", "beast", town.square_id)
    assert horn.dawn_sheet.leads in armies and horn.dawn_sheet.square_id == town.square_id
    orders = Order.objects.filter(race=elves).order_by("name")
    assert [(o.name, o.kind, json.loads(o.dawn_sheet.owners)) for o in orders] == [
        ("Temple of Elves", "religious", [str(ann)]), ("Weavers", "guild", [str(ann)]),
    ]  # fmt: skip
    assert all(o.founded.startswith("Age 1, round ") for o in orders)
    allies = own.Alliance.objects.get(game=here.id)
    assert {allies.one, allies.other_id} == set(Race.objects.filter(world=world).values_list("pk", flat=True))
    purse = own.Purse.objects.get(seat=bob)
    assert purse.balance == here.state.balance(bob) and purse.spent > 0
