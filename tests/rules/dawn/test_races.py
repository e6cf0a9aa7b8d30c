"""Races (DW-RACE-1..3, DW-RACE-5): created, raised by tiers, on which squares they live."""

from dataclasses import replace

import pytest

from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.land.shaping import at_home_on_water, require_fit
from games.dawn.rules.orders.events import OrderCreated
from games.dawn.rules.powers.events import PowerDeclared, PowerResolved
from games.dawn.rules.races.commands import CreateRace, UpgradeRace
from games.dawn.rules.races.events import RaceCreated, RaceUpgraded
from games.dawn.rules.state.constants import TIER_ATTACK, TIER_DEFENCE
from games.dawn.rules.state.records import Order
from games.dawn.rules.state.schema_types import Life, OrderKind, Place, ShapeKind, Terrain, Tier
from games.dawn.rules.trade.commands import GivePoints
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.war.battle_events import BattleRolled
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.creating import HOME, agree, create, create_race, floods, legal_commands_of, stage
from tests.rules.dawn.field import HOLD, armies, commit, field, march, set_tier
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    A,
    B,
    C,
    balances,
    begin,
    give,
    incomes,
    log_folds_to_state,
    people,
    playing,
    sound,
)

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
    create_race(book, create(order_name="The Lamp"))
    with refused("name.taken", book.state):
        book.when(create("ELVES"), by=A)
    with refused("name.taken", book.state):
        book.when(create("Dwarves", order_name="The Lamp"), by=A)
    create_race(book, create("Dwarves", order_name="The Anvil"))
    assert {order.name for order in book.state.orders.values()} == {"The Lamp", "The Anvil"}
    longest = "Q" * 80
    create_race(book, create(longest))
    assert {len(order.name) for order in book.state.orders.values()} == {8, 9, 80}


@pytest.mark.rule("DW-RACE-1", "DW-AMB-46")
@pytest.mark.parametrize(
    ("free", "alignment", "legal"),
    [(False, 0, True), (False, 1, False), (False, -2, False), (True, -2, True), (True, 2, True), (True, 3, False)],
)
def test_an_alignment_other_than_0_is_an_option(free: bool, alignment: int, legal: bool):
    book = stage(a=6)
    book.state.set_course(free_alignment=free)
    (candidate,) = legal_commands_of(book, CreateRace)
    assert (alignment in (candidate.arguments["alignment"].values or ())) is legal
    if legal:
        assert book.state.races[create_race(book, create(alignment=alignment))].alignment == alignment
    else:
        with refused("alignment.range", book.state):
            book.when(create(alignment=alignment), by=A)


# -- DW-RACE-2, 3 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-08", "DW-RACE-2", "DW-RACE-3")
def test_a_race_is_raised_step_by_step_for_the_price_of_a_new_one():
    book = stage(a=24)
    race = create_race(book, create())
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
        legal_commands_of(book, UpgradeRace)
    assert sound(book)


@pytest.mark.rule("DW-RACE-3")
@pytest.mark.parametrize(
    ("tier", "attack", "defence"), [(Tier.MORTAL, 0, 0), (Tier.MONSTROUS, 1, 0), (Tier.MAJESTIC, 2, 1)]
)
def test_a_tier_counts_in_battle_for_itself_alone(tier: Tier, attack: int, defence: int):
    book = field(1, 1)
    set_tier(book, ELVES, tier)
    set_tier(book, DWARVES, tier)
    march(book)
    commit(book, A, *armies(book))
    (battle,) = of_kind(
        commit(book, B, *armies(book, HOLD), dice=[d(6, "attacker", 6), d(6, "defender", 1)]), BattleRolled
    )
    assert (battle.attacker.total, battle.defender.total) == (6 + attack, 1 + defence)  # type: ignore[attr-defined]


@pytest.mark.rule("DW-RACE-2")
@pytest.mark.parametrize(("age", "price"), [(1, 22), (2, 6), (3, 15)])
def test_a_step_costs_what_a_race_costs_in_this_age(age: int, price: int):
    book = stage(age=age, a=price)
    people(book, A)
    (candidate,) = legal_commands_of(book, UpgradeRace)
    assert (candidate.price, candidate.legal, candidate.arguments["race"].values) == (price, True, (ELVES,))
    book.when(UpgradeRace(race=ELVES), by=A)
    assert balances(book, A) == [0]


@pytest.mark.rule("DW-RACE-2", "DW-AMB-47")
def test_only_creators_raise_a_race_that_lives():
    book = stage(a=20, b=20)
    people(book, B, C)
    with refused("creator.missing", book.state):
        book.when(UpgradeRace(race=ELVES), by=A)
    with refused("creator.missing"):
        legal_commands_of(book, UpgradeRace)
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


# -- DW-RACE-5: where it lives ---------------------------------------------------------------------------------------


@pytest.mark.rule("DW-RACE-5", "DW-AMB-51")
def test_a_new_race_lives_on_land_and_territories_may_overlap():
    book = stage(a=12)
    with refused("square.unfit", book.state):
        book.when(create(home=Place(x=0, y=0)), by=A)
    with refused("square.off_map", book.state):
        book.when(create(home=Place(x=6, y=0)), by=A)
    elves, dwarves = create_race(book, create()), create_race(book, create("Dwarves"))
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


# -- legal commands --------------------------------------------------------------------------------------------------


def test_the_legal_command_of_a_race_names_land_partners_and_the_price():
    book = stage()
    (candidate,) = legal_commands_of(book, CreateRace)
    assert (candidate.price, candidate.legal) == (6, True), "others may pay all of it"
    assert candidate.arguments["home"].values == ({"x": 1, "y": 1}, {"x": 2, "y": 1})
    assert candidate.choices("co_creators.seat") == (B, C)
    with refused("turn.not_yours"):
        legal_commands_of(book, CreateRace, B)
    people(book, A)
    (raising,) = legal_commands_of(book, UpgradeRace)
    assert raising.barred is not None and raising.barred.code == "points.short"
    with refused("square.unfit"):
        legal_commands_of(playing(), CreateRace)


def test_a_race_needs_creators():
    book = stage()
    people(book, A)
    book.state.orders[ELVES] = Order(ELVES, ELVES, OrderKind.GUILD, "Guild", (A,), 1, 1)
    assert sound(book)
    book.state.races[ELVES] = replace(book.state.races[ELVES], creators=())
    with pytest.raises(AssertionError):
        sound(book)


def test_the_log_has_a_sentence_for_each_event_of_races():
    book = begin(dice=incomes({A: (6, 6), B: (6, 5), C: (6, 4)}))
    first, second, third = book.state.course.order
    for seat in (second, third):
        book.when(GivePoints(to=first, amount=book.state.balance(seat) - 4), by=seat)
    book.when(ShapeLand(kind=ShapeKind.MUNDANE, squares=(HOME,), terrain=Terrain.HILLS), by=first)
    book.when(create(shares=[(second, 3), (third, 1)]), by=first)
    for seat in (second, third):
        agree(book, seat)
    assert [race.creators for race in book.state.races.values()] == [(first, second, third)]
    assert log_folds_to_state(book) and sound(book)
