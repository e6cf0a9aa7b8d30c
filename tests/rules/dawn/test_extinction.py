"""The end of a race: objection, the last of it, and what ends with it (DW-MIR-3..5)."""

from uuid import UUID

import pytest

from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandRace
from games.dawn.rules.command.events import CityFounded
from games.dawn.rules.conflict.events import ConflictOpened, ConflictResolved
from games.dawn.rules.orders.commands import CreateOrder
from games.dawn.rules.powers.answer_commands import RaiseChallenge, RaiseObjection, WaiveObjection
from games.dawn.rules.powers.events import ObjectionRaised, PowerDeclared, PowerFailed, PowerResolved
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.state.records import Alliance, Territory
from games.dawn.rules.state.schema_types import EdgeKind, Life, OrderKind, Place, WonderKind, Works
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.war.battle_events import CityFell
from games.dawn.rules.wonders.commands import WorkWonder
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct, RaceNearlyExtinct, WonderWorked
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.field import EAST, HOLD, area, bid, field, fold, log_folds_to_rest, snapshot, wild, work
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    balances,
    city,
    edge,
    give,
    inner_prompt,
    order,
    people,
    playing,
    sound,
)

# -- extinguish_race ------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-MIR-3")
def test_a_race_ends_that_has_a_city_no_longer_and_none_that_never_had_one():
    book = playing(age=2, a=50)
    people(book, B, had_city=False)
    wonder = WorkWonder(
        kind=WonderKind.CATASTROPHE, squares=(Place(x=1, y=1),), works=Works.EXTINGUISH_RACE, targets=(ELVES,)
    )
    with refused("race.without_city", book.state):
        book.when(wonder, by=A)
    assert not _listed(book)
    founded = CityFounded(city=HAVEN, race=ELVES, square=Place(x=1, y=1), name="Haven", controller=B, alignment=0)
    founded.apply(book.state)
    with refused("race.has_city", book.state):
        book.when(wonder, by=A)
    CityRazed(city=HAVEN, square=Place(x=1, y=1), name="Haven").apply(book.state)
    assert _listed(book)
    assert of_kind(book.when(wonder, by=A), PowerDeclared)


@pytest.mark.rule("DW-MIR-3", "DW-WAR-10")
def test_a_race_that_has_conquered_a_city_has_had_one():
    book = playing(age=2, a=50)
    people(book, B, had_city=False)
    people(book, A, race=DWARVES, x=2)
    city(book, DWARVES, at=(2, 1))
    fallen = {"armies": (), "avatars": (), "fled": ()}
    CityFell(city=HAVEN, controller=B, race=ELVES, **fallen).apply(book.state)
    assert book.state.races[ELVES].had_city


def _listed(book):
    """Whether the menu has a people that may be extinguished."""
    found = legal_commands_for(book.state, (WorkWonder,), Actor(Issuer.SEAT, seat=A))
    return [each for each in found if Works.EXTINGUISH_RACE in each.choices("works")]


@pytest.mark.rule("DW-MIR-3")
def test_only_a_race_without_a_city_and_with_land_in_the_area_ends():
    book = field()
    race = wild(book, B)
    for targets, at, code in (
        ((DWARVES,), (EAST,), "race.has_city"),
        ((race,), (EAST,), "effect.invalid"),
        ((), ((3, 3),), "effect.invalid"),
        ((race, race), ((3, 3),), "effect.invalid"),
        ((HOLD,), ((3, 3),), "effect.invalid"),
    ):
        with refused(code, book.state):
            work(book, Works.EXTINGUISH_RACE, *targets, at=at)
    assert balances(book, A) == [20]


@pytest.mark.rule("DW-MIR-3", "DW-MIR-5")
def test_a_race_for_which_nobody_speaks_ends_with_its_land_orders_and_alliances():
    book = field()
    race = wild(book, B, C)
    founded = order(book, race, B)
    book.state.alliances[UUID(int=1)] = Alliance(UUID(int=1), DWARVES, race)
    book.state.alliances[UUID(int=2)] = Alliance(UUID(int=2), ELVES, DWARVES)
    edge(book, race, "music")
    since = snapshot(book)
    work(book, Works.EXTINGUISH_RACE, race, at=((2, 3),))
    prompt = inner_prompt(book)
    book.when(WaiveObjection(prompt=prompt), by=B)
    events = book.when(WaiveObjection(prompt=prompt), by=C)
    assert of_kind(events, WonderWorked, RaceExtinct, PowerResolved) == [
        event_like(WonderWorked),
        event_like(RaceExtinct, race=race),
        event_like(PowerResolved),
    ]
    ended = book.state.races[race]
    assert ended.life is Life.EXTINCT and book.state.land_of(race) == set()
    assert [o.id for o in book.state.orders.values() if o.dissolved] == [founded]
    assert [a.ended for a in book.state.alliances.values()] == [True, False]
    assert log_folds_to_rest(book, since) and sound(book)
    give(book, A, 30)
    for command in (
        GiftEdge(target=race, name="songs", kind=EdgeKind.OTHER),
        ShiftAlignment(target=race, dir=1),
        CommandRace(race=race, act=Act.DEED, args=Args(text="?")),
        CreateOrder(race=race, kind=OrderKind.GUILD, name="Weavers"),
        WorkWonder(kind=WonderKind.CATASTROPHE, squares=area((2, 3)), works=Works.EXTINGUISH_RACE, targets=(race,)),
    ):
        with refused("race.extinct", book.state):
            book.when(command, by=A)


@pytest.mark.rule("DW-MIR-5", "DW-SUB-4")
def test_a_subrace_lives_on_with_its_own_orders_alone():
    book = field()
    parent = wild(book, A)
    child = people(book, A, race=UUID(int=0x91), x=2, y=3, parents=(parent,))
    order(book, parent, A)
    deed = CommandRace(race=child, act=Act.DEED, args=Args(text="They sing."))
    book.when(deed, by=A)
    work(book, Works.EXTINGUISH_RACE, parent, at=((3, 3),))
    assert book.state.races[child].life is Life.ALIVE and book.state.land_of(child) == {(2, 3)}
    give(book, A, 20)
    with refused("presence.missing", book.state):
        book.when(deed, by=A)
    order(book, child, A)
    book.when(deed, by=A)


@pytest.mark.rule("DW-EX-33", "DW-MIR-3", "DW-MIR-4", "DW-DC-4", "DW-DC-5", "DW-AMB-23")
def test_a_creator_who_wins_saves_the_last_of_their_race():
    book = field(a=10, b=5, c=5)
    race = wild(book, B)
    order(book, race, B)
    edge(book, race, "music")
    since = snapshot(book)
    work(book, Works.EXTINGUISH_RACE, race, at=((2, 3),))
    events = book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    assert of_kind(events, ObjectionRaised, ConflictOpened) == [
        event_like(ObjectionRaised, seat=B),
        event_like(ConflictOpened, invoker=B, challenger=A),
    ]
    events = bid(book, B, 1)
    assert of_kind(events, ConflictResolved, PowerFailed, WonderWorked, RaceNearlyExtinct, PowerResolved) == [
        event_like(ConflictResolved),
        event_like(WonderWorked),
        event_like(RaceNearlyExtinct, race=race, square=Place(x=3, y=3)),
        event_like(PowerResolved),
    ]
    assert balances(book, A, B) == [0, 4]
    assert book.state.races[race].life is Life.NEAR_EXTINCT and book.state.land_of(race) == {(3, 3)}
    assert [o.dissolved for o in book.state.orders.values() if o.race == race] == [False]
    assert (race, "music") in book.state.edges and log_folds_to_rest(book, since) and sound(book)


@pytest.mark.rule("DW-MIR-3")
def test_a_creator_who_loses_has_lost_the_race():
    book = field(a=15, b=5)
    race = wild(book, B, C)
    work(book, Works.EXTINGUISH_RACE, race, at=((2, 3),))
    prompt = inner_prompt(book)
    book.when(RaiseObjection(prompt=prompt), by=B)
    with refused("prompt.closed", book.state):
        book.when(RaiseObjection(prompt=prompt), by=C)
    bid(book, B, 1)
    bid(book, A, 2)
    events = fold(book, B)
    assert of_kind(events, RaceExtinct, RaceNearlyExtinct) == [event_like(RaceExtinct, race=race)]
    assert balances(book, A, B) == [3, 4]


@pytest.mark.rule("DW-MIR-3")
def test_the_caster_does_not_object_to_their_own_wonder():
    book = field()
    race = wild(book, A)
    events = work(book, Works.EXTINGUISH_RACE, race, at=((3, 3),))
    assert of_kind(events, RaceExtinct) == [event_like(RaceExtinct, race=race)]
    book = field()
    race = wild(book, A, B)
    work(book, Works.EXTINGUISH_RACE, race, at=((3, 3),))
    assert book.state.prompts[inner_prompt(book)].owners == (f"seat:{B}",)


@pytest.mark.rule("DW-MIR-2", "DW-MIR-3")
def test_some_of_its_land_in_the_area_is_enough_and_all_of_it_goes():
    book = field(a=30)
    race = wild(book, A)
    events = work(book, Works.EXTINGUISH_RACE, race, at=((2, 4), (2, 3), (1, 3)))
    assert of_kind(events, RaceExtinct) == [event_like(RaceExtinct, race=race)]
    assert book.state.land_of(race) == set() and balances(book, A) == [10]


@pytest.mark.rule("DW-MIR-4", "DW-SET-6")
def test_the_nearest_square_is_counted_in_steps_over_edges():
    book = field(a=30, b=10)
    race = wild(book, B)
    for at in book.state.land_of(race):
        del book.state.territory[race, *at]
    for at in ((4, 4), (5, 3), (2, 1)):  # two steps, two steps in a lower row, three steps in a lower one still
        book.state.territory[race, *at] = Territory(race, *at)
    work(book, Works.EXTINGUISH_RACE, race, at=((4, 4),))
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    events = fold(book, A)
    assert of_kind(events, RaceNearlyExtinct) == [event_like(RaceNearlyExtinct, square=Place(x=5, y=3))]


@pytest.mark.rule("DW-MIR-4")
def test_the_last_live_on_the_square_nearest_to_their_home():
    book = field(a=40, b=10)
    race = wild(book, B)
    del book.state.territory[race, 3, 3]
    for at in ((3, 2), (3, 4), (5, 4)):
        book.state.territory[race, *at] = Territory(race, *at)
    work(book, Works.EXTINGUISH_RACE, race, at=((5, 4),))
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    events = fold(book, A)
    # One step from the home (3, 3): (3, 2), (2, 3), (4, 3), (3, 4); the lowest row comes first.
    assert of_kind(events, RaceNearlyExtinct) == [event_like(RaceNearlyExtinct, square=Place(x=3, y=2))]
    del book.state.territory[race, 3, 2]
    for at in ((2, 3), (4, 3)):
        book.state.territory[race, *at] = Territory(race, *at)
    work(book, Works.EXTINGUISH_RACE, race, at=((4, 3),))
    book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    events = fold(book, A)
    assert of_kind(events, RaceNearlyExtinct) == [event_like(RaceNearlyExtinct, square=Place(x=2, y=3))], "struck again"


@pytest.mark.rule("DW-MIR-4")
def test_a_city_ends_the_mark():
    book = field()
    race = wild(book, A, life=Life.NEAR_EXTINCT)
    order(book, race, A)
    found = CommandRace(race=race, act=Act.FOUND_CITY, args=Args(square=Place(x=3, y=3), name="Refuge"))
    book.when(found, by=A)
    assert book.state.races[race].life is Life.ALIVE and sound(book)


@pytest.mark.rule("DW-DC-7", "DW-MIR-3")
@pytest.mark.parametrize("works", [Works.RAVAGE, Works.EXTINGUISH_RACE])
def test_an_open_challenge_that_is_lost_ends_any_wonder_and_its_price_comes_back(works: Works):
    book = field(1, 1, a=10, b=5, c=5)
    book.state.set_course(open_challenge=True)
    race = wild(book, A)
    targets = (race,) if works is Works.EXTINGUISH_RACE else ()
    work(book, works, *targets, at=((3, 3),))
    book.when(RaiseChallenge(prompt=inner_prompt(book)), by=C)
    events = bid(book, C, 1)
    assert of_kind(events, WonderWorked, PowerFailed) == [event_like(PowerFailed, refund=10)]
    assert balances(book, A, C) == [10, 4] and book.state.races[race].life is Life.ALIVE and sound(book)


@pytest.mark.rule("DW-AMB-31")
@pytest.mark.rule("DW-ASK-1")
def test_silence_is_no_objection():
    book = field()
    race = wild(book, B)
    work(book, Works.EXTINGUISH_RACE, race, at=((3, 3),))
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    with refused("prompt.not_yours", book.state):
        book.when(WaiveObjection(prompt=inner_prompt(book)), by=C)
    give(book, B, 0)
    with refused("points.short", book.state):
        book.when(RaiseObjection(prompt=inner_prompt(book)), by=B)
    timer = next(t for t in book.state.timers.values() if t.subject == inner_prompt(book))
    events = book.wait(timer.due - book.now)
    assert of_kind(events, RaceExtinct) == [event_like(RaceExtinct, race=race)]
