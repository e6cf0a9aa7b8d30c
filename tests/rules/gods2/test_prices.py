"""Prices on the map (G2-CITY-11, G2-FILT-2, W66), wealth that a power asks for (G2-WLTH-3), no rebate (AMB-57)."""

from dataclasses import replace

import pytest

from games.engine.board.board import Square
from games.gods2.pack import load
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.rules import prepare_casting
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.pack.pack import build
from games.gods2.rules.state.records import ATHEISM, Cards, CityKind, God
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, ShareOf, Target
from tests.playbook import refused
from tests.rules.gods2.era import ANA
from tests.rules.gods2.joint import with_powers
from tests.rules.gods2.position import deity, position
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import earth_of, race

NORSE = race(
    "Norse",
    {(0, 0): 3, (0, 1): 3, (0, 2): 3},
    "civilized",
    cities={(0, 0): CityKind.GREAT, (0, 1): CityKind.GREAT, (0, 2): CityKind.CITY},
    knowledges=("masonry", "metalworking", "toolmaking"),
)


def price_of(state: State, power: str, target: Target, cards: int = 6) -> int:
    """What a god with so many cards pays."""
    god = state.gods[ANA] = God(ANA, "Ashkar")
    state.cards[ANA, state.pack.powers[power].sphere] = Cards(ANA, state.pack.powers[power].sphere, cards)
    return prepare_casting(state, (god,), power, (target,)).price.amount


def at(column: int) -> Target:
    return Target(squares=(Place.of(Square(0, column)),))


@pytest.mark.rule("G2-W66", "G2-CITY-11", "G2-FILT-2", "G2-AMB-42", "G2-HIST-6")
def test_a_disaster_on_great_cities_costs_half_as_much_again_once() -> None:
    state = earth_of(["PPPPPP"], NORSE)
    whole = Target(race=NORSE.id)
    assert state.pack.powers["earthquake"].cost == state.pack.powers["arctic_blast"].cost == 9
    assert price_of(state, "earthquake", at(0)) == 14  # not 21: the factor of the feature alone
    assert price_of(state, "arctic_blast", whole) == 14  # two great cities, one factor
    assert price_of(state, "teach_iron_weapons", whole) == 9  # no disaster
    assert price_of(state, "earthquake", at(1)) == 14
    assert price_of(state, "earthquake", at(4)) == 9  # its ring reaches no great city
    assert price_of(state, "earthquake", at(2)) == 14  # its ring reaches one


@pytest.mark.rule("G2-AMB-57")
def test_more_cards_than_a_power_needs_make_it_no_cheaper() -> None:
    state = earth_of(["PPPPPP"], NORSE)
    assert {price_of(state, "teach_iron_weapons", Target(race=NORSE.id), cards) for cards in (3, 4, 6)} == {9}


@pytest.mark.rule("G2-WLTH-3")
def test_the_wealth_that_a_power_asks_for_is_looked_at_when_it_is_cast_and_not_after() -> None:
    fair = {
        "codes": ["Mp"],
        "requires": [{"wealth_gte": 2}],
        "effects": [{"op": "stat_add", "stat": "sea", "amount": 1}],
    }
    book, dwarves, _ = with_powers(fair=fair)
    wish = CastPower(power="fair", targets=(Target(race=dwarves),))
    with refused("wealth.low", book.state):
        book.when(wish, by=ANA)
    book.state.races[dwarves] = replace(book.state.races[dwarves], attributes=("greedy",))
    before = stat(book.state, dwarves, "sea").value
    book.when(wish, by=ANA)
    book.state.races[dwarves] = replace(book.state.races[dwarves], attributes=())
    assert stat(book.state, dwarves, "sea").value == before + 1


@pytest.mark.rule("G2-FILT-2", "G2-AMB-64")
def test_a_factor_that_two_of_the_races_concerned_carry_counts_once() -> None:
    """A wave of 10 over both peoples, whose holy ground makes disasters dearer by half: 15, not 22.5 and so 23."""
    raw = raw_pack(1)
    holy = {"op": "cost_mult", "filter": "B", "factor": 150}
    raw["attributes"].append({"id": "holy", "name": "Holy", "cost": 1, "origin": "test", "effects": [holy]})
    norse, picts = (race(name, {(0, c): 1}, attributes=("holy",)) for name, c in (("Norse", 1), ("Picts", 2)))
    heathens = race("Heathens", {(0, 4): 1})
    book = position(
        ["PPPPPP", "WWWWWW"], norse, picts, heathens, gods=(deity(ANA, cards={"SE": 3}),), packs={2: build(2, raw)}
    )

    def wave(*columns: int) -> int:
        return price_of(book.state, "tidal_wave", Target(squares=tuple(Place(x=x, y=0) for x in columns)))

    assert wave(1, 2) == wave(1) == wave(2) == 15
    assert wave(4) == 10


@pytest.mark.rule("G2-AMB-75", "G2-HIST-6")
@pytest.mark.parametrize(("held", "paid"), [(0, 13), (999, 13), (1000, 16), (5999, 28), (10_000, 43)])
def test_faith_costs_its_god_more_the_more_that_god_holds_and_the_listed_price_tells_nobody(
    held: int, paid: int
) -> None:
    members = {str(ANA): held, ATHEISM: 10_000 - held}
    faith = tuple(ShareOf(member=member, share=share) for member, share in members.items() if share)
    norse = race(
        "Norse", {(0, 0): 3}, "civilized", cities={(0, 0): CityKind.CITY}, knowledges=("writing",), faith=faith
    )
    state = earth_of(["PPPPPP"], norse, packs={3: load(3)})
    god = state.gods[ANA] = God(ANA, "Ashkar")
    state.cards[ANA, "CW"] = Cards(ANA, "CW", 6)
    price = prepare_casting(state, (god,), "teach_proselytism", (Target(race=norse.id),)).price
    assert (price.amount, price.listed) == (paid, 13)
