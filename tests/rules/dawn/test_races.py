"""Races (DW-RACE-*): alone or jointly created, raised by tiers, on which squares they live."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.answering import AnswerConsent
from games.dawn.rules.answers import ConsentAnswered, ConsentAsked, SharesDrawn
from games.dawn.rules.dealing import GivePoints
from games.dawn.rules.land import ShapeLand, at_home_on_water, require_fit
from games.dawn.rules.orders import OrderCreated
from games.dawn.rules.powers import PowerDeclared, PowerResolved, PowerWithdrawn
from games.dawn.rules.races import CoCreator, CreateRace, RaceCreated, RaceUpgraded, UpgradeRace
from games.dawn.rules.records import Edge, Order
from games.dawn.rules.tables import TIER_ATTACK, TIER_DEFENCE
from games.dawn.rules.turning import EndTurn, LeaveSeat
from games.dawn.rules.vocabulary import (
    EdgeKind,
    EdgeTag,
    Life,
    OrderKind,
    Place,
    ShapeKind,
    Share,
    Terrain,
    Tier,
)
from games.engine.kernel import Actor, Event, Issuer
from games.engine.offers import Offer, Offering
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    A,
    B,
    C,
    asked,
    balances,
    begun,
    give,
    log_tells_the_state,
    people,
    playing,
    sound,
)

HOME = Place(x=1, y=1)


def stage(age: int = 2, gods: int = 3, **points: int) -> Playbook:
    """A's turn, with plains at (1, 1) and (2, 1) in the ocean."""
    book = playing(gods, age=age, **points)
    for at in ((1, 1), (2, 1)):
        book.state.squares[at] = replace(book.state.squares[at], terrain=Terrain.PLAINS)
    return book


def create(name: str = "Elves", shares: Iterable[tuple[UUID, int]] = (), **fields: Any) -> CreateRace:
    with_whom = tuple(CoCreator(seat=seat, share=share) for seat, share in shares)
    return CreateRace(**{"name": name, "home": HOME, "co_creators": with_whom, **fields})


def created(book: Playbook, command: CreateRace, by: UUID = A) -> UUID:
    (made,) = (e for e in book.when(command, by=by) if isinstance(e, RaceCreated))
    return made.race


def agree(book: Playbook, seat: UUID, yes: bool = True) -> list[Event]:
    return book.when(AnswerConsent(prompt=asked(book), yes=yes), by=seat)


def offers(book: Playbook, command: type[Offering], seat: UUID = A) -> list[Offer]:
    return list(command.offers(book.state, Actor(Issuer.SEAT, seat=seat)))


def floods(book: Playbook, race: UUID = ELVES) -> None:
    """Give a race an edge that crosses water."""
    tags = (EdgeTag.CROSSES_WATER,)
    book.state.edges[race, "Boats"] = Edge(race, "Boats", EdgeKind.OTHER, tags, 1)


# -- DW-RACE-1 -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-RACE-1", "DW-AMB-11")
def test_a_race_is_mortal_at_home_and_has_a_free_religious_order():
    book = stage(a=6)
    events = book.when(create(), by=A)
    declared, made, order, settled = of_kind(events, PowerDeclared, RaceCreated, OrderCreated, PowerResolved)
    assert (declared, made) == (
        event_like(PowerDeclared, price=6),
        event_like(RaceCreated, name="Elves", creators=(A,), home=HOME, tier=Tier.MORTAL, alignment=0),
    )
    assert (order, settled) == (
        event_like(OrderCreated, race=made.race, name="Faith of Elves", owners=(A,)),  # type: ignore[attr-defined]
        event_like(PowerResolved),
    )
    race = book.state.races[made.race]  # type: ignore[attr-defined]
    assert (race.tier, race.life, race.parents) == (Tier.MORTAL, Life.ALIVE, ())
    assert book.state.land_of(race.id) == {(1, 1)} and balances(book, A) == [0]
    (faith,) = book.state.orders.values()
    assert (faith.kind, faith.race, faith.owners) == (OrderKind.RELIGIOUS, race.id, (A,)) and sound(book)


@pytest.mark.rule("DW-RACE-1")
def test_names_of_races_and_of_their_orders_occur_once():
    book = stage(a=30)
    created(book, create(order_name="The Lamp"))
    with refused("name.taken", book.state):
        book.when(create("ELVES"), by=A)
    with refused("name.taken", book.state):
        book.when(create("Dwarves", order_name="The Lamp"), by=A)
    created(book, create("Dwarves", order_name="The Anvil"))
    assert {order.name for order in book.state.orders.values()} == {"The Lamp", "The Anvil"}
    longest = "Q" * 80
    created(book, create(longest))
    assert {len(order.name) for order in book.state.orders.values()} == {8, 9, 80}


@pytest.mark.rule("DW-RACE-1", "DW-AMB-46")
@pytest.mark.parametrize(
    ("free", "alignment", "legal"),
    [(False, 0, True), (False, 1, False), (False, -2, False), (True, -2, True), (True, 2, True), (True, 3, False)],
)
def test_an_alignment_other_than_0_is_an_option(free: bool, alignment: int, legal: bool):
    book = stage(a=6)
    book.state.set_course(free_alignment=free)
    (offer,) = offers(book, CreateRace)
    assert (alignment in (offer.arguments["alignment"].values or ())) is legal
    if legal:
        assert book.state.races[created(book, create(alignment=alignment))].alignment == alignment
    else:
        with refused("alignment.range", book.state):
            book.when(create(alignment=alignment), by=A)


# -- DW-RACE-2, 3 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-08", "DW-RACE-2", "DW-RACE-3")
def test_a_race_is_raised_step_by_step_for_the_price_of_a_new_one():
    book = stage(a=24)
    race = created(book, create())
    tiers = [(TIER_ATTACK[Tier.MORTAL], TIER_DEFENCE[Tier.MORTAL])]
    for tier in (Tier.MONSTROUS, Tier.MAJESTIC):
        (raised,) = of_kind(book.when(UpgradeRace(race=race), by=A), RaceUpgraded)
        assert raised == event_like(RaceUpgraded, race=race, tier=tier)
        now = book.state.races[race].tier
        tiers.append((TIER_ATTACK[now], TIER_DEFENCE[now]))
    assert balances(book, A) == [24 - 18] and tiers == [(0, 0), (1, 0), (2, 1)], "totals, not added up"
    with refused("tier.top", book.state):
        book.when(UpgradeRace(race=race), by=A)
    with refused("tier.top"):
        offers(book, UpgradeRace)
    assert sound(book)


@pytest.mark.rule("DW-RACE-2")
@pytest.mark.parametrize(("age", "price"), [(1, 22), (2, 6), (3, 15)])
def test_a_step_costs_what_a_race_costs_in_this_age(age: int, price: int):
    book = stage(age=age, a=price)
    people(book, A)
    (offer,) = offers(book, UpgradeRace)
    assert (offer.price, offer.legal, offer.arguments["race"].values) == (price, True, (ELVES,))
    book.when(UpgradeRace(race=ELVES), by=A)
    assert balances(book, A) == [0]


@pytest.mark.rule("DW-RACE-2", "DW-AMB-47")
def test_only_creators_raise_a_race_that_lives():
    book = stage(a=20, b=20)
    people(book, B, C)
    with refused("creator.missing", book.state):
        book.when(UpgradeRace(race=ELVES), by=A)
    with refused("creator.missing"):
        offers(book, UpgradeRace)
    with refused("race.missing", book.state):
        book.when(UpgradeRace(race=DWARVES), by=A)
    people(book, A, C, race=DWARVES, life=Life.EXTINCT)
    with refused("race.extinct", book.state):
        book.when(UpgradeRace(race=DWARVES), by=A)
    book.when(EndTurn(), by=A)
    assert of_kind(book.when(UpgradeRace(race=ELVES), by=B), RaceUpgraded) == [event_like(RaceUpgraded)]
    give(book, B, 5)
    with refused("points.short", book.state):
        book.when(UpgradeRace(race=ELVES), by=B)


# -- DW-RACE-4: joint creation ---------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-45", "DW-RACE-4")
def test_shares_are_drawn_when_all_agree_and_all_are_creators():
    book = stage(b=4, c=2)
    events = book.when(create(shares=[(B, 4), (C, 2)]), by=A)
    shares = (Share(seat=B, amount=4), Share(seat=C, amount=2))
    assert of_kind(events, PowerDeclared, ConsentAsked, RaceCreated) == [
        event_like(PowerDeclared, price=6, escrow=0),
        event_like(ConsentAsked, seats=(B, C), shares=shares),
    ]
    agree(book, B)
    assert balances(book, B) == [4]
    events = agree(book, C)
    assert of_kind(events, ConsentAnswered, SharesDrawn, RaceCreated, OrderCreated, PowerResolved) == [
        event_like(ConsentAnswered, seat=C, yes=True),
        event_like(SharesDrawn, shares=shares),
        event_like(RaceCreated, creators=(A, B, C)),
        event_like(OrderCreated, owners=(A, B, C)),
        event_like(PowerResolved),
    ]
    assert balances(book, A, B, C) == [0, 0, 0] and sound(book)


@pytest.mark.rule("DW-EX-45", "DW-RACE-4")
@pytest.mark.parametrize(
    ("_case", "shares"),
    [
        ("5 of 6, by all", [(A, 0), (B, 3), (C, 2)]),
        ("5 of 6, and nothing is left of the caster's", [(B, 3), (C, 2)]),
        ("7 of 6", [(B, 4), (C, 3)]),
        ("7 of 6, his own among them", [(A, 1), (B, 4), (C, 2)]),
        ("one named twice", [(B, 2), (B, 4)]),
        ("himself named twice", [(A, 0), (A, 0), (B, 6)]),
    ],
)
def test_shares_that_are_not_the_price_are_refused(_case: str, shares: list[tuple[UUID, int]]):
    book = stage(b=9, c=9)
    with refused("shares.mismatch", book.state):
        book.when(create(shares=shares), by=A)


@pytest.mark.rule("DW-EX-45", "DW-RACE-4")
def test_who_cannot_pay_his_share_cannot_agree_and_nobody_pays():
    book = stage(b=3, c=2)
    book.when(create(shares=[(B, 4), (C, 2)]), by=A)
    with refused("points.short", book.state):
        agree(book, B)
    agree(book, C)
    events = book.wait(timedelta(seconds=90))
    assert of_kind(events, ConsentAnswered, PowerWithdrawn) == [
        event_like(ConsentAnswered, seat=B, yes=False),
        event_like(PowerWithdrawn, refund=0),
    ]
    assert balances(book, A, B, C) == [0, 3, 2] and book.state.races == {} and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_the_caster_pays_the_rest_and_gets_it_back_after_one_no():
    book = stage(a=9, b=9, c=9)
    (declared,) = of_kind(book.when(create(shares=[(B, 2), (C, 1)]), by=A), PowerDeclared)
    assert declared == event_like(PowerDeclared, price=6, escrow=3) and balances(book, A) == [6]
    agree(book, B)
    events = agree(book, C, yes=False)
    assert of_kind(events, PowerWithdrawn, RaceCreated) == [event_like(PowerWithdrawn, refund=3)]
    assert balances(book, A, B, C) == [9, 9, 9]
    book.when(create(shares=[(B, 0), (A, 6)]), by=A)
    assert of_kind(agree(book, B), RaceCreated) == [event_like(RaceCreated, creators=(A, B))]
    assert balances(book, A, B) == [3, 9] and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_a_share_that_is_given_away_meanwhile_counts_as_no():
    book = stage(a=4, b=2, c=1)
    book.when(create(shares=[(B, 2), (C, 0)]), by=A)
    agree(book, B)
    book.when(GivePoints(to=A, amount=1), by=B)
    assert of_kind(agree(book, C), PowerWithdrawn, RaceCreated) == [event_like(PowerWithdrawn, refund=4)]
    assert balances(book, A, B, C) == [5, 1, 1] and sound(book)


@pytest.mark.rule("DW-RACE-4")
def test_co_creators_are_gods_who_are_in_the_game():
    book = stage(a=9, b=9)
    with refused("seat.missing", book.state):
        book.when(create(shares=[(UUID(int=77), 3)]), by=A)
    book.when(LeaveSeat(), by=C)
    with refused("seat.missing", book.state):
        book.when(create(shares=[(C, 3)]), by=A)
    book.when(create(shares=[(B, 3)]), by=A)
    book.when(LeaveSeat(), by=B)
    assert book.state.powers == {} and book.state.races == {} and balances(book, A) == [9], "who leaves says no"


# -- DW-RACE-5: where it lives ---------------------------------------------------------------------------------------


@pytest.mark.rule("DW-RACE-5", "DW-AMB-51")
def test_a_new_race_lives_on_land_and_territories_may_overlap():
    book = stage(a=12)
    with refused("square.unfit", book.state):
        book.when(create(home=Place(x=0, y=0)), by=A)
    with refused("square.off_map", book.state):
        book.when(create(home=Place(x=6, y=0)), by=A)
    elves, dwarves = created(book, create()), created(book, create("Dwarves"))
    assert book.state.land_of(elves) == book.state.land_of(dwarves) == {(1, 1)} and sound(book)


@pytest.mark.rule("DW-RACE-5", "DW-AMB-51")
@pytest.mark.parametrize(
    ("ships", "afloat", "legal"), [(False, False, False), (True, False, True), (False, True, True)]
)
def test_water_is_for_a_race_with_ships_or_at_home_on_water(ships: bool, afloat: bool, legal: bool):
    book = stage()
    people(book, A, x=0 if afloat else 1)
    if ships:
        floods(book)
    assert at_home_on_water(book.state, ELVES) is legal
    require_fit(book.state, (ELVES,), (2, 1))
    if legal:
        require_fit(book.state, (ELVES,), (3, 1))
    else:
        with refused("square.unfit"):
            require_fit(book.state, (ELVES,), (3, 1))


# -- what is offered -------------------------------------------------------------------------------------------------


def test_the_offer_of_a_race_names_land_partners_and_the_price():
    book = stage()
    (offer,) = offers(book, CreateRace)
    assert (offer.price, offer.legal) == (6, True), "others may pay all of it"
    assert offer.arguments["home"].values == ({"x": 1, "y": 1}, {"x": 2, "y": 1})
    assert offer.arguments["co_creators"].values == (B, C)
    with refused("turn.not_yours"):
        offers(book, CreateRace, B)
    people(book, A)
    (raising,) = offers(book, UpgradeRace)
    assert raising.barred is not None and raising.barred.code == "points.short"
    with refused("square.unfit"):
        offers(playing(), CreateRace)


def test_a_race_needs_creators():
    book = stage()
    people(book, A)
    book.state.orders[ELVES] = Order(ELVES, ELVES, OrderKind.GUILD, "Guild", (A,), 1, 1)
    assert sound(book)
    book.state.races[ELVES] = replace(book.state.races[ELVES], creators=())
    with pytest.raises(AssertionError):
        sound(book)


def test_the_log_tells_the_races():
    book = begun(dice=[6, 6, 6, 5, 6, 4])
    first, second, third = book.state.course.order
    for seat in (second, third):
        book.when(GivePoints(to=first, amount=book.state.balance(seat) - 4), by=seat)
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=(HOME,), terrain=Terrain.HILLS), by=first)
    book.when(create(shares=[(second, 3), (third, 1)]), by=first)
    for seat in (second, third):
        agree(book, seat)
    assert [race.creators for race in book.state.races.values()] == [(first, second, third)]
    assert log_tells_the_state(book) and sound(book)
