"""Commanding races and cities (DW-CMDR-*, DW-CMDC-*): one act each, at the price of the Age."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.acts import Act, Args, Target
from games.dawn.rules.alliances import AllianceMade, alliances_ended
from games.dawn.rules.answering import AnswerConsent
from games.dawn.rules.answers import ConsentAnswered, ConsentAsked
from games.dawn.rules.commanding import CommandCity, CommandRace
from games.dawn.rules.directions import ArmyRaised, CityFounded, DeedRecorded, TerritorySettled
from games.dawn.rules.edges import GiftEdge
from games.dawn.rules.land import ShapeLand
from games.dawn.rules.marching import WarDeclared
from games.dawn.rules.orders import CreateOrder
from games.dawn.rules.powers import PowerDeclared, PowerResolved, PowerWithdrawn
from games.dawn.rules.races import CreateRace
from games.dawn.rules.records import Alliance, Territory
from games.dawn.rules.turning import EndTurn, LeaveSeat
from games.dawn.rules.vocabulary import EdgeKind, EdgeTag, Life, OrderKind, Place, ShapeKind, Terrain
from games.engine.kernel import Actor, Issuer
from games.engine.offers import Offer, offers_for
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    A,
    B,
    C,
    army,
    asked,
    avatar,
    balances,
    begun,
    city,
    log_tells_the_state,
    order,
    people,
    playing,
    rounds,
    sound,
    turn_of,
)

OTHER = UUID(int=0xC2)


def stage(age: int = 2, **points: int) -> Playbook:
    """A's turn; Elves of A at (1, 1), a plain, with an order of A; all the rest is ocean but (2, 1) and (1, 2)."""
    book = playing(age=age, **{"a": 40, **points})
    dry(book, (1, 1), (2, 1), (1, 2), (3, 3), (3, 2))
    people(book, A, alignment=1)
    order(book, ELVES, A)
    return book


def dry(book: Playbook, *squares: tuple[int, int]) -> None:
    for at in squares:
        book.state.squares[at] = replace(book.state.squares[at], terrain=Terrain.PLAINS)


def at(x: int, y: int) -> Place:
    return Place(x=x, y=y)


def race(act: Act, number: UUID = ELVES, **args: Any) -> CommandRace:
    return CommandRace(race=number, act=act, args=Args(**args))


def town(act: Act, number: UUID = HAVEN, **args: Any) -> CommandCity:
    return CommandCity(city=number, act=act, args=Args(**args))


def offers(book: Playbook, kind: type, seat: UUID = A) -> list[Offer]:
    return offers_for(book.state, (kind,), Actor(Issuer.SEAT, seat=seat))


def offered(book: Playbook, kind: type, act: Act) -> list[Offer]:
    return [o for o in offers(book, kind) if "act" in o.arguments and o.arguments["act"].values == (act.value,)]


# -- what each act does ---------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-CMDR-1", "DW-CMDR-2")
@pytest.mark.parametrize(("age", "price"), [(1, 8), (2, 4), (3, 3)])
def test_a_race_founds_a_city_of_its_own_alignment_that_the_commander_controls(age: int, price: int):
    book = stage(age)
    events = book.when(race(Act.FOUND_CITY, square=at(1, 1), name="Haven"), by=A)
    assert of_kind(events, PowerDeclared, CityFounded, PowerResolved) == [
        event_like(PowerDeclared, price=price, escrow=price),
        event_like(CityFounded, race=ELVES, square=at(1, 1), name="Haven", controller=A, alignment=1),
        event_like(PowerResolved),
    ]
    (haven,) = book.state.cities.values()
    assert (haven.controller, haven.alignment, book.state.armies_in(haven.id)) == (A, 1, [])
    assert balances(book, A) == [40 - price] and sound(book)


@pytest.mark.rule("DW-CMDR-2")
def test_the_commander_controls_the_city_also_where_the_race_is_anothers():
    book = stage()
    people(book, B, race=DWARVES, x=3, y=3)
    avatar(book, A, (3, 3))
    book.when(race(Act.FOUND_CITY, DWARVES, square=at(3, 3), name="Deep"), by=A)
    (deep,) = book.state.cities.values()
    assert (deep.controller, deep.race) == (A, DWARVES)


@pytest.mark.rule("DW-CMDR-1", "DW-RACE-5")
def test_where_a_city_may_be_founded():
    book = stage()
    city(book, controller=B)
    book.state.territory[ELVES, 0, 1] = Territory(ELVES, 0, 1)
    for code, args in (
        ("city.exists", {"square": at(1, 1), "name": "Haven"}),
        ("square.unfit", {"square": at(2, 1), "name": "Haven"}),
        ("square.unfit", {"square": at(0, 1), "name": "Haven"}),
        ("square.off_map", {"square": at(6, 0), "name": "Haven"}),
        ("act.invalid", {"square": at(1, 2)}),
        ("act.invalid", {"name": "Haven"}),
        ("act.invalid", {"square": at(1, 2), "name": "Haven", "text": "?"}),
    ):
        with refused(code, book.state):
            book.when(race(Act.FOUND_CITY, **args), by=A)
    book.state.territory[ELVES, 1, 2] = Territory(ELVES, 1, 2)
    with refused("name.taken", book.state):
        book.when(race(Act.FOUND_CITY, square=at(1, 2), name="CITY C1"), by=A)
    (offer,) = offered(book, CommandRace, Act.FOUND_CITY)
    assert offer.arguments["args.square"].values == ({"x": 1, "y": 2},)
    book.when(GiftEdge(target=ELVES, name="boats", kind=EdgeKind.OTHER, tags=(EdgeTag.CROSSES_WATER,)), by=A)
    book.when(race(Act.FOUND_CITY, square=at(0, 1), name="Port"), by=A)
    assert len(book.state.cities) == 2 and sound(book)


@pytest.mark.rule("DW-MIR-4")
def test_a_race_that_founds_a_city_is_near_extinct_no_more():
    book = stage()
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.NEAR_EXTINCT)
    book.when(race(Act.FOUND_CITY, square=at(1, 1), name="Haven"), by=A)
    assert book.state.races[ELVES].life is Life.ALIVE


@pytest.mark.rule("DW-CMDR-1", "DW-AMB-51")
def test_a_race_settles_one_square_next_to_its_territory():
    book = stage()
    people(book, B, race=DWARVES, x=2, y=1)
    (offer,) = offered(book, CommandRace, Act.SETTLE)
    assert (offer.price, offer.legal) == (4, True)
    assert offer.arguments["args.square"].values == ({"x": 2, "y": 1}, {"x": 1, "y": 2})
    events = book.when(race(Act.SETTLE, square=at(2, 1)), by=A)
    assert of_kind(events, TerritorySettled) == [event_like(TerritorySettled, race=ELVES, square=at(2, 1))]
    assert book.state.land_of(ELVES) == {(1, 1), (2, 1)} and book.state.land_of(DWARVES) == {(2, 1)}
    for code, square in (
        ("square.unfit", at(2, 1)),
        ("square.unfit", at(3, 3)),
        ("square.unfit", at(0, 1)),
        ("square.off_map", at(-1, 1)),
    ):
        with refused(code, book.state):
            book.when(race(Act.SETTLE, square=square), by=A)
    with refused("act.invalid", book.state):
        book.when(race(Act.SETTLE), by=A)
    assert balances(book, A) == [36] and sound(book)


@pytest.mark.rule("DW-CMDR-1", "DW-CMDC-1")
def test_a_deed_is_told_and_changes_nothing():
    book = stage()
    city(book)
    before = (dict(book.state.cities), dict(book.state.races), dict(book.state.territory))
    events = book.when(race(Act.DEED, text="They plant a forest."), by=A)
    events += book.when(town(Act.DEED, text="They build a bridge."), by=A)
    assert of_kind(events, DeedRecorded) == [
        event_like(DeedRecorded, by=ELVES, words="They plant a forest."),
        event_like(DeedRecorded, by=HAVEN, words="They build a bridge."),
    ]
    assert (dict(book.state.cities), dict(book.state.races), dict(book.state.territory)) == before
    assert balances(book, A) == [40 - 4 - 3]
    for words in ({}, {"text": ""}):
        with refused("act.invalid", book.state):
            book.when(race(Act.DEED, **words), by=A)


@pytest.mark.rule("DW-CMDC-1", "DW-AMB-33")
def test_a_city_settles_next_to_its_own_square_and_founds_nothing():
    book = stage()
    city(book, at=(3, 3))
    (offer,) = offered(book, CommandCity, Act.SETTLE)
    assert offer.arguments["args.square"].values == ({"x": 3, "y": 2},)
    book.when(town(Act.SETTLE, square=at(3, 2)), by=A)
    assert book.state.land_of(ELVES) == {(1, 1), (3, 2)}
    with refused("square.unfit", book.state):
        book.when(town(Act.SETTLE, square=at(2, 1)), by=A)
    with refused("act.invalid", book.state):
        book.when(town(Act.FOUND_CITY, square=at(1, 1), name="Deep"), by=A)
    with refused("act.invalid", book.state):
        book.when(race(Act.RAISE_ARMY), by=A)


# -- armies ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-CMDC-2", "DW-AMB-48")
def test_a_city_raises_one_army_a_round_whoever_commands():
    book = stage(3, b=40)
    city(book, controller=B)
    order(book, ELVES, B)
    (offer,) = offered(book, CommandCity, Act.RAISE_ARMY)
    assert (offer.price, offer.legal, offer.arguments["args.count"].values) == (2, True, (1,))
    events = book.when(town(Act.RAISE_ARMY), by=A)
    assert of_kind(events, ArmyRaised) == [event_like(ArmyRaised, city=HAVEN, most=1)]
    (raised,) = book.state.armies_in(HAVEN)
    assert raised.race == ELVES
    with refused("army.cap", book.state):
        book.when(town(Act.RAISE_ARMY), by=A)
    (offer,) = offered(book, CommandCity, Act.RAISE_ARMY)
    assert offer.barred is not None and offer.barred.code == "army.cap"
    turn_of(book, B)
    with refused("army.cap", book.state):
        book.when(town(Act.RAISE_ARMY, count=1), by=B)
    rounds(book, 1)
    turn_of(book, B)
    book.when(town(Act.RAISE_ARMY, count=1), by=B)
    assert len(book.state.armies_in(HAVEN)) == 2 and sound(book)


@pytest.mark.rule("DW-CMDC-2")
@pytest.mark.parametrize("count", [-1, 0, 2, 3])
def test_by_command_of_the_city_no_other_number_than_one(count: int):
    book = stage()
    city(book)
    with refused("act.invalid", book.state):
        book.when(town(Act.RAISE_ARMY, count=count), by=A)


# -- war ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-39", "DW-AMB-38")
def test_only_the_commanders_own_armies_march():
    book = stage(3)
    dry(book, (2, 2), (3, 1))
    city(book, controller=B)
    city(book, controller=A, at=(1, 2), id=OTHER)
    people(book, C, race=DWARVES, x=3, y=3)
    city(book, DWARVES, controller=C, at=(3, 3), id=UUID(int=0xC3))
    theirs, mine = [army(book, HAVEN), army(book, HAVEN)], army(book, OTHER)
    target = Target(square=at(3, 3))
    with refused("army.foreign", book.state):
        book.when(race(Act.WAR, target=target, armies=(*theirs, mine)), by=A)
    (offer,) = offered(book, CommandRace, Act.WAR)
    assert offer.arguments["args.armies"].values == (mine,)
    assert {"x": 3, "y": 3} in offer.arguments["args.target.square"].values
    events = book.when(race(Act.WAR, target=target, armies=(mine,)), by=A)
    assert [type(e) for e in of_kind(events, PowerDeclared, WarDeclared, PowerResolved)] == [
        PowerDeclared,
        WarDeclared,
        PowerResolved,
    ]
    assert balances(book, A) == [37]


@pytest.mark.rule("DW-CMDC-1")
def test_a_city_marches_with_its_own_armies_alone():
    book = stage()
    dry(book, (2, 2), (3, 1))
    city(book)
    city(book, at=(1, 2), id=OTHER)
    people(book, C, race=DWARVES, x=3, y=3)
    city(book, DWARVES, controller=C, at=(3, 3), id=UUID(int=0xC3))
    here, there = army(book, HAVEN), army(book, OTHER)
    target = Target(square=at(3, 3))
    with refused("army.foreign", book.state):
        book.when(town(Act.WAR, target=target, armies=(there,)), by=A)
    with refused("army.missing", book.state):
        book.when(town(Act.WAR, target=target), by=A)
    with refused("act.invalid", book.state):
        book.when(town(Act.WAR, armies=(here,)), by=A)
    assert len(of_kind(book.when(town(Act.WAR, target=target, armies=(here,)), by=A), WarDeclared)) == 1


# -- alliances ------------------------------------------------------------------------------------------------------


def with_dwarves(book: Playbook, *creators: UUID, orders: tuple[UUID, ...]) -> Playbook:
    """Dwarves at (3, 3), with an order of each of these gods."""
    people(book, *creators, race=DWARVES, x=3, y=3)
    for seat in orders:
        order(book, DWARVES, seat)
    return book


@pytest.mark.rule("DW-CMDR-3")
def test_an_alliance_needs_one_yes_of_a_creator_with_presence():
    book = with_dwarves(stage(b=1), B, C, orders=(B, C))
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked, AllianceMade) == [event_like(ConsentAsked, seats=(B, C))]
    assert balances(book, A) == [36]
    prompt = asked(book)
    with refused("prompt.not_yours", book.state):
        book.when(AnswerConsent(prompt=prompt, yes=True), by=A)
    book.when(AnswerConsent(prompt=prompt, yes=False), by=B)
    events = book.when(AnswerConsent(prompt=prompt, yes=True), by=C)
    assert of_kind(events, ConsentAnswered, AllianceMade, PowerResolved) == [
        event_like(ConsentAnswered, seat=C, yes=True),
        event_like(AllianceMade, parties=(ELVES, DWARVES)),
        event_like(PowerResolved),
    ]
    with refused("prompt.closed", book.state):
        book.when(AnswerConsent(prompt=prompt, yes=True), by=B)
    assert balances(book, A) == [36] and sound(book)


@pytest.mark.rule("DW-CMDR-3")
@pytest.mark.parametrize("silent", [False, True])
def test_all_no_or_silent_returns_the_price(silent: bool):
    book = with_dwarves(stage(), B, C, orders=(B, C))
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    prompt = asked(book)
    events = book.when(AnswerConsent(prompt=prompt, yes=False), by=B)
    if silent:
        events = book.wait(timedelta(seconds=90))
    else:
        events = book.when(AnswerConsent(prompt=prompt, yes=False), by=C)
    assert of_kind(events, AllianceMade, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=4)]
    assert balances(book, A) == [40] and book.state.alliances == {} and sound(book)


@pytest.mark.rule("DW-AMB-14")
@pytest.mark.parametrize(
    ("creators", "orders"),
    [((B,), ()), ((B,), (C,)), ((A, B), (A,)), ((A, B), (A, B))],
    ids=["no presence", "present is no creator", "the caster alone speaks", "the caster speaks for himself"],
)
def test_where_nobody_else_need_speak_no_consent_is_asked(creators: tuple[UUID, ...], orders: tuple[UUID, ...]):
    book = with_dwarves(stage(), *creators, orders=orders)
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked, AllianceMade) == [event_like(AllianceMade, parties=(ELVES, DWARVES))]


@pytest.mark.rule("DW-AMB-14", "DW-AMB-37")
def test_a_speaker_who_has_left_is_not_asked():
    book = with_dwarves(stage(), B, C, orders=(B, C))
    book.when(LeaveSeat(), by=B)
    events = book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    assert of_kind(events, ConsentAsked) == [event_like(ConsentAsked, seats=(C,))]


@pytest.mark.rule("DW-CMDC-1", "DW-CMDR-3", "DW-AMB-33")
def test_a_city_allies_for_itself():
    book = with_dwarves(stage(), B, orders=(B,))
    city(book)
    book.when(town(Act.ALLIANCE, race=DWARVES), by=A)
    book.when(AnswerConsent(prompt=asked(book), yes=True), by=B)
    (alliance,) = book.state.alliances.values()
    assert (alliance.one, alliance.other, alliance.ended) == (HAVEN, DWARVES, False)
    (offer,) = offered(book, CommandRace, Act.ALLIANCE)
    assert offer.arguments["args.race"].values == (DWARVES,), "the race itself is not allied"
    assert offered(book, CommandCity, Act.ALLIANCE) == []


@pytest.mark.rule("DW-CMDR-3")
def test_an_alliance_is_with_another_living_race_and_made_once():
    book = with_dwarves(stage(), B, orders=())
    for code, args in (
        ("act.invalid", {"race": ELVES}),
        ("act.invalid", {}),
        ("race.missing", {"race": UUID(int=1)}),
    ):
        with refused(code, book.state):
            book.when(race(Act.ALLIANCE, **args), by=A)
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    with refused("act.invalid", book.state):
        book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    alliances_ended(book.state, DWARVES)
    (ended,) = book.state.alliances.values()
    assert ended == Alliance(ended.id, ELVES, DWARVES, ended=True)
    book.state.races[DWARVES] = replace(book.state.races[DWARVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(race(Act.ALLIANCE, race=DWARVES), by=A)


@pytest.mark.rule("DW-CMDR-3")
def test_allies_may_make_war():
    book = with_dwarves(stage(), B, orders=())
    dry(book, (2, 2), (3, 1))
    city(book)
    marching = army(book)
    city(book, DWARVES, controller=B, at=(3, 3), id=OTHER)
    book.when(race(Act.ALLIANCE, race=DWARVES), by=A)
    events = book.when(race(Act.WAR, target=Target(square=at(3, 3)), armies=(marching,)), by=A)
    assert len(of_kind(events, WarDeclared)) == 1


# -- who and when ---------------------------------------------------------------------------------------------------


def test_a_race_or_city_that_is_not_there_is_not_commanded():
    book = stage()
    city(book)
    with refused("race.missing", book.state):
        book.when(race(Act.DEED, UUID(int=1), text="?"), by=A)
    with refused("city.missing", book.state):
        book.when(town(Act.DEED, UUID(int=1), text="?"), by=A)
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(race(Act.DEED, text="?"), by=A)
    with refused("race.extinct", book.state):
        book.when(town(Act.DEED, text="?"), by=A)


def test_commands_are_paid_and_given_on_ones_own_turn():
    book = stage(a=2)
    city(book)
    order(book, ELVES, B)
    with refused("points.short", book.state):
        book.when(race(Act.DEED, text="?"), by=A)
    with refused("points.short", book.state):
        book.when(town(Act.DEED, text="?"), by=A)
    with refused("turn.not_yours", book.state):
        book.when(race(Act.DEED, text="?"), by=B)
    assert {o.barred.code for o in offers(book, CommandRace) if o.barred} == {"points.short"}


@pytest.mark.rule("DW-PRC-2")
def test_offers_say_where_presence_is_missing():
    book = with_dwarves(stage(), B, orders=(B,))
    city(book)
    city(book, DWARVES, controller=A, at=(3, 3), id=OTHER)
    absent = [o for o in offers(book, CommandRace) if o.barred]
    assert [(o.arguments["race"].values, o.barred.code) for o in absent if o.barred] == [
        ((DWARVES,), "presence.missing")
    ]
    absent = [o for o in offers(book, CommandCity) if o.barred]
    assert [(o.arguments["city"].values, o.barred.code) for o in absent if o.barred] == [((OTHER,), "presence.missing")]
    (barred,) = offers(book, CommandRace, B)
    assert barred.barred is not None and barred.barred.code == "turn.not_yours"


def test_the_log_tells_of_peoples_cities_and_armies():
    book = begun(dice=[1, 1, 6, 6, 6, 5])
    while book.state.course.age < 2:
        book.when(EndTurn(), by=book.state.course.active)
    turn_of(book, A)
    plain = ShapeLand(kind=ShapeKind.MUNDANE, squares=(at(1, 1), at(2, 1)), terrain=Terrain.PLAINS)
    book.when(plain, by=A)
    book.when(CreateRace(name="Elves", home=at(1, 1)), by=A)
    (elves,) = book.state.races
    book.when(race(Act.SETTLE, elves, square=at(2, 1)), by=A)
    book.when(race(Act.FOUND_CITY, elves, square=at(2, 1), name="Haven"), by=A)
    (haven,) = book.state.cities
    book.when(town(Act.RAISE_ARMY, haven), by=A)
    book.when(town(Act.DEED, haven, text="They dance."), by=A)
    book.when(CreateOrder(race=elves, kind=OrderKind.KNIGHTLY, name="Riders"), by=A)
    assert len(book.state.armies_in(haven)) == 1 and sound(book)
    assert log_tells_the_state(book)
