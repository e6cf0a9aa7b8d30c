"""Dawn through the one writer: whole games, rows that are what the log says, rewinding, corrections, what it costs."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry
from games.dawn import models as own
from games.dawn.rules.invariants import violations
from games.dawn.rules.setup import StartGame
from games.dawn.rules.turning import EndTurn
from games.engine.amend import Amend, Change, Deed, FieldChange
from games.engine.audience import SERVER
from games.engine.conduct import Pause, Resume, Rewind
from games.engine.dice import die
from games.engine.errors import Refused
from games.models import Answer, Die, Prompt, Timer
from games.store import TABLE_TABLES
from tests.games.dawn import World, altered, begun, command, named, of_bots, opened, peopled, setting_up
from worlds.models import Army, Avatar, City, Deity, Order, Race, Square

pytestmark = pytest.mark.django_db


# --- the whole of it --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bots", [2])
@pytest.mark.rule("DW-AGE-1", "DW-AGE-3", "DW-INC-1", "DW-PTS-1")
def test_a_game_of_bots_passes_through_three_ages_and_its_replay_is_its_rows(bots: int) -> None:
    here = of_bots(bots, {"open_challenge": bots == 2})
    here.fire(until=here.now + timedelta(seconds=10))
    here.run(StartGame())
    for _ in range(5000):
        if here.game.status == "finished":
            break
        here.fire()
    course = own.Course.objects.get(game=here.id)
    assert (here.game.status, course.step, course.age) == ("finished", "finished", 3)
    assert 15 <= course.rounds <= 30
    assert here.told("TimerRefused", "BotPassed", "TimerFailed") == []
    here.rows_agree()
    assert violations(here.state) == []
    assert own.SquareSheet.objects.filter(game=here.id).count() == 48
    assert own.SquareSheet.objects.filter(game=here.id, shaped_by__isnull=False).count() > 4
    assert (own.Power.objects.count(), own.Hold.objects.count(), own.Conflict.objects.count()) == (0, 0, 0)
    assert (Prompt.objects.filter(game=here.id).count(), Timer.objects.filter(game=here.id).count()) == (0, 0)
    incomes = here.told("IncomeRolled")
    assert len(incomes) == course.rounds * bots and all(e["gain"] == sum(e["dice"]) + 2 for e in incomes)
    dice, secret = list(Die.objects.filter(game=here.id)), bytes(here.game.secret.dice)
    assert [die(secret, str(here.id), d.label, d.index, d.sides) for d in dice] == [d.value for d in dice]


def test_a_world_is_peopled_and_its_rows_are_what_the_log_says() -> None:
    """Common nouns stand in the world's own rows, what Dawn alone has on sheets beside them."""
    here = peopled()
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


# --- what is open -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("DW-LAND-3", "DW-DC-2", "DW-DC-4", "DW-DC-5")
def test_a_power_that_is_asked_for_and_fought_over_stands_in_rows_until_it_is_settled() -> None:
    here = begun()
    here.turn_of("bob")
    here.grant("bob", 20)
    here.shape("bob", "Bob's shore", (0, 0), (1, 0))
    here.turn_of("ann")
    here.grant("ann", 20)
    here.shape("ann", "Ann's shore", (1, 0), (2, 0))
    power = own.Power.objects.get(game=here.id)
    assert (power.does, power.caster_id, power.price_row, power.price) == (
        "shape-land", here.seats["ann"], "shape_mundane", 2,
    )  # fmt: skip
    assert own.Hold.objects.get(undertaking=power.pk).amount == 2
    assert own.Purse.objects.get(seat=here.seats["ann"]).held == 2
    here.rows_agree()
    here.run(command("answer-leave", prompt=here.asked("ask.leave"), yes=False), "bob")
    here.run(command("open-conflict", prompt=here.asked("ask.decide")), "ann")
    conflict = own.Conflict.objects.get(game=here.id)
    assert (conflict.cause, conflict.invoker_id, conflict.challenger_id, conflict.about) == (
        "leave", here.seats["ann"], here.seats["bob"], power.pk,
    )  # fmt: skip
    here.run(command("place-bid", conflict=conflict.pk, total=3), "ann")
    conflict.refresh_from_db()
    assert (conflict.paid_invoker, conflict.paid_challenger, conflict.to_act) == (3, 0, 1)
    here.rows_agree()
    here.run(command("fold", conflict=conflict.pk), "bob")
    assert (own.Conflict.objects.count(), own.Power.objects.count(), own.Hold.objects.count()) == (0, 0, 0)
    shaped = own.SquareSheet.objects.get(square__world=here.game.world, square__x=1, square__y=0)
    assert (shaped.shaped_by_id, shaped.region.name) == (here.seats["ann"], "Ann's shore")
    here.rows_agree()


@pytest.mark.rule("DW-AGE-5")
def test_ballots_are_answers_for_their_own_seat_until_the_motion_is_closed() -> None:
    here = begun()
    here.run(command("open-motion", length=7), "ann")
    motion = own.Motion.objects.get(game=here.id)
    assert (motion.by_id, motion.length) == (here.seats["ann"], 7)
    here.run(command("cast-ballot", motion=motion.pk, yes=True), "bob")
    ballot = Answer.objects.get(prompt_id=motion.pk)
    assert (ballot.owner, ballot.audience) == (f"seat:{here.seats['bob']}",) * 2
    here.rows_agree()
    imagined = here.run(command("cast-ballot", motion=motion.pk, yes=True), "cat", dry_run=True).imagined
    told = [type(h.event).__name__ for h in imagined if h.audience != SERVER]
    assert told == ["BallotCast", "BallotSealed"]  # how the others voted is theirs
    here.run(command("cast-ballot", motion=motion.pk, yes=True), "cat")
    assert (own.Motion.objects.count(), own.Course.objects.get(game=here.id).length) == (0, 7)
    here.rows_agree()


def test_offers_and_what_is_said_in_advance_are_rows_of_their_own() -> None:
    here = begun()
    here.turn_of("ann")
    here.run(command("make-offer", to=here.seats["bob"], give=1, want=1, memo="To friendship."), "ann")
    offer = own.Offer.objects.get(game=here.id)
    assert (offer.maker_id, offer.taker_id, offer.give, offer.want) == (here.seats["ann"], here.seats["bob"], 1, 1)
    here.run(command("set-standing-answer", kind="leave", seat=here.seats["ann"], answer="always"), "cat")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=9), "cat")
    rows = own.Advance.objects.filter(seat=here.seats["cat"]).order_by("kind")
    assert [(a.kind, a.answer, a.most, a.audience) for a in rows] == [
        ("leave", "always", 0, f"seat:{here.seats['cat']}"), ("max_bid", "ask", 9, f"seat:{here.seats['cat']}"),
    ]  # fmt: skip
    here.rows_agree()
    here.run(EndTurn(), "ann")
    assert own.Offer.objects.count() == 0
    here.rows_agree()


@pytest.mark.rule("DW-WAR-1", "DW-WAR-4", "DW-WAR-10")
def test_a_war_stands_in_a_row_and_a_fallen_city_in_its_own() -> None:
    """Sealed armies are answers for their own seat; whoever wins, the rows are those of the log."""
    here = peopled()
    town, prey = (City.objects.get(world=here.game.world, name=name) for name in ("Oakhold", "Deephall"))
    army = named(here.state.avatars, "Horn").leads
    orders = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(army)]}
    here.run(command("command-city", city=town.pk, act="war", args=orders), "ann")
    war = own.War.objects.get(game=here.id)
    assert (war.attacker_id, (war.square.x, war.square.y), war.city_id) == (here.seats["ann"], (3, 1), prey.pk)
    assert json.loads(war.armies) == [str(army)]
    here.rows_agree()
    for _ in range(30):
        if not own.War.objects.exists():
            break
        here.fire()
    assert not own.War.objects.exists()
    here.rows_agree()
    assert here.told("WarEnded", "CityFell")


@pytest.mark.rule("DW-MIR-2", "DW-MIR-5")
def test_a_razed_city_goes_with_its_edges_and_another_may_stand_in_its_place() -> None:
    here = peopled()
    prey = City.objects.get(world=here.game.world, name="Deephall")
    told = {"kind": "catastrophe", "works": "raze_city", "squares": [{"x": 3, "y": 1}], "targets": [prey.pk]}
    here.run(command("work-wonder", **told), "ann")
    assert not City.objects.filter(name="Deephall").exists() and not own.Edge.objects.filter(target=prey.pk).exists()
    assert own.Edge.objects.filter(game=here.id).count() == 3
    here.rows_agree()
    to = here.game.seq
    here.turn_of("bob")
    dwarves = named(here.state.races, "Dwarves").id
    found = {"square": {"x": 3, "y": 1}, "name": "Deephall the Second"}
    here.run(command("command-race", race=dwarves, act="found_city", args=found), "bob")
    here.rows_agree()
    here.run(Rewind(to=to, reason="Not yet."), "gm")
    assert not City.objects.filter(name__startswith="Deephall").exists()
    here.run(Rewind(to=here.told_seq("CityRazed") - 2, reason="It did not happen."), "gm")
    back = City.objects.get(name="Deephall")
    assert (back.pk, back.dawn_edges.count()) == (prey.pk, 1)
    here.rows_agree()


def test_a_city_that_takes_the_place_of_another_by_a_rewind_is_saved() -> None:
    """What is gone is deleted before what comes is written: the square holds one city at a time."""
    here = peopled()
    prey = City.objects.get(world=here.game.world, name="Deephall")
    before = here.game.seq
    told = {"kind": "catastrophe", "works": "raze_city", "squares": [{"x": 3, "y": 1}], "targets": [prey.pk]}
    here.run(command("work-wonder", **told), "ann")
    here.turn_of("bob")
    found = {"square": {"x": 3, "y": 1}, "name": "Newhall"}
    here.run(command("command-race", race=prey.race_id, act="found_city", args=found), "bob")
    here.run(Rewind(to=before, reason="Both, one after the other."), "gm")
    assert City.objects.get(square_id=prey.square_id).pk == prey.pk
    here.rows_agree()


# --- set-up -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DW-SET-3", "DW-SET-4")
def test_the_map_is_drawn_anew_until_the_start_and_rewinding_gives_the_former_one() -> None:
    here = setting_up()
    world = here.game.world
    assert (world.width, world.height, world.squares.count()) == (8, 6, 48)
    to = here.game.seq
    cells = [{"terrain": "forest", "climate": "cold", "fantastic": n == 3} for n in range(20)]
    here.run(command("set-map", width=5, height=4, cells=cells))
    world.refresh_from_db()
    assert (world.width, world.height, world.squares.count()) == (5, 4, 20)
    third = own.SquareSheet.objects.get(square__world=world, square__x=3, square__y=0)
    assert (third.square.terrain, third.climate, third.fantastic, third.shaped_by) == ("forest", "cold", True, None)
    here.rows_agree()
    here.run(Rewind(to=to, reason="The old map was better."), "gm")
    world.refresh_from_db()
    assert (world.width, world.height, set(world.squares.values_list("terrain", flat=True))) == (8, 6, {"ocean"})
    here.rows_agree()


@pytest.mark.rule("DW-SET-8")
def test_who_is_no_god_at_the_deadline_is_dropped_and_with_too_few_the_game_closes() -> None:
    here = setting_up()
    for name in ("ann", "bob"):
        here.run(command("define-god", name=name.title(), portfolio=["rivers"], moral="neutral"), name)
    here.fire()
    assert here.told("SeatDropped") == [{"seat": str(here.seats["cat"])}]
    assert own.Course.objects.get(game=here.id).step == "turn"
    here.rows_agree()
    other = setting_up()
    other.fire()
    assert (other.game.status, own.Course.objects.get(game=other.id).step) == ("finished", "finished")
    other.rows_agree()


def test_a_pause_keeps_what_is_left_of_a_turn() -> None:
    here = begun()
    due = Timer.objects.get(game=here.id, key__startswith="prompt:").due
    here.now += timedelta(seconds=30)
    here.run(Pause(reason="Tea."))
    here.now += timedelta(hours=1)
    here.run(Resume())
    assert Timer.objects.get(game=here.id, key__startswith="prompt:").due == due + timedelta(hours=1)
    here.rows_agree()


# --- corrections ------------------------------------------------------------------------------------------------------
AT_ONE = "1/1"
WRONG: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("courses", "", {"age": "4"}),
    ("courses", "", {"round": "6"}),
    ("courses", "", {"length": "11"}),
    ("courses", "", {"seats": "11"}),
    ("courses", "", {"width": "9"}),
    ("courses", "", {"step": '"finished"'}),
    ("courses", "", {"step": '"setup"'}),
    ("courses", "", {"active": "null"}),
    ("courses", "", {"rounds": "-1"}),
    ("courses", "", {"edges": "40000"}),
    ("gods", "ann", {"name": '"Great bob"'}),
    ("gods", "ann", {"name": '"' + 81 * "x" + '"'}),
    ("purses", "ann", {"balance": "-1"}),
    ("purses", "ann", {"balance": "1000"}),
    ("squares", AT_ONE, {"floating": "true"}),
    ("squares", AT_ONE, {"shaped_by": '"00000000-0000-4000-8000-000000000001"'}),
    ("squares", AT_ONE, {"region": '"00000000-0000-4000-8000-000000000001"'}),
    ("squares", AT_ONE, {"terrain": '"cheese"'}),
    ("races", "Elves", {"alignment": "3"}),
    ("races", "Elves", {"x": "8"}),
    ("races", "Elves", {"life": '"extinct"'}),
    ("races", "Elves", {"name": '"Dwarves"'}),
    ("cities", "Oakhold", {"x": "3"}),
    ("cities", "Oakhold", {"raised": "3"}),
    ("cities", "Oakhold", {"controller": "null"}),
    ("orders", "Weavers", {"age": "4"}),
    ("orders", "Weavers", {"owners": '["00000000-0000-4000-8000-000000000001"]'}),
    ("avatars", "Horn", {"y": "6"}),
    ("avatars", "Horn", {"killed_by": '"00000000-0000-4000-8000-000000000001"'}),
)


def row_named(here: World, table: str, name: str) -> str:
    """The key of a row: of the course, of somebody's, of one with a name, or of a square."""
    if table == "courses":
        return str(here.id)
    if name in here.seats:
        return str(here.seats[name])
    return name if "/" in name else str(named(getattr(here.state, table), name).id)


def test_a_correction_that_cannot_be_is_refused_and_nothing_has_changed() -> None:
    here = peopled()
    before = here.game.seq
    for table, name, values in WRONG:
        with pytest.raises(Refused) as refused:
            here.run(altered(table, row_named(here, table, name), **values), "gm")
        assert (refused.value.code, here.game.seq) == ("amend.invalid", before), (table, values)
    here.rows_agree()


def made(table: str, row: str, **values: Any) -> Change:
    """A new row."""
    told = tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in values.items())
    return Change(deed=Deed.CREATE, table=table, row=row, fields=told)


def test_a_game_master_moves_a_city_and_its_armies_stand_where_it_stands() -> None:
    here = peopled()
    city = named(here.state.cities, "Oakhold")
    here.run(altered("cities", str(city.id), y="2"), "gm")
    moved = here.game.world.square_id(1, 2)
    assert City.objects.get(pk=city.id).square_id == moved
    assert set(Army.objects.filter(city=city.id).values_list("square_id", flat=True)) == {moved}
    edge = made("edges", f"{city.id}/songs", target=str(city.id), name="songs", kind="other", tags=[], given=9)
    land = made("territory", f"{city.race}/0/0", race=str(city.race), x=0, y=0)
    here.run(Amend(changes=(edge, land), reason="Forgotten."), "gm")
    assert own.Edge.objects.get(name="songs").city_id == city.id
    assert own.Territory.objects.filter(race=city.race, square__x=0, square__y=0).exists()
    gone = Change(deed=Deed.DELETE, table="territory", row=f"{city.race}/0/0")
    here.run(Amend(changes=(gone,), reason="Too much."), "gm")
    assert not own.Territory.objects.filter(race=city.race, square__x=0, square__y=0).exists()
    here.rows_agree()


# --- what it costs ----------------------------------------------------------------------------------------------------
def queries(work: Any) -> int:
    """How many queries some work asks."""
    with CaptureQueriesContext(connection) as asked:
        work()
    return len(asked)


def test_a_state_is_loaded_in_one_query_a_table_however_large_it_is() -> None:
    store = registry.store("dawn")
    games = opened().game, begun({"width": 40, "height": 30}).game, peopled().game
    assert [queries(lambda g=g: store.load(g)) for g in games] == [len(TABLE_TABLES) + len(store.tables[7:])] * 3
    assert len(store.tables[7:]) == 21


def test_a_shaping_is_saved_in_as_many_queries_however_large_the_map_and_many_its_squares() -> None:
    asked = []
    for width, squares in ((8, 2), (40, 12)):
        here = begun({"width": width, "height": 6})
        here.turn_of("ann")
        here.grant("ann", 50)
        row = tuple((x % width, x // width) for x in range(min(squares, width)))
        asked.append(queries(lambda here=here, row=row: here.shape("ann", "Shore", *row)))
    assert asked[0] == asked[1] <= 70
