"""The rules against the rulebook's text as plain loops (`tests.oracle`): the same world in, the same century out.

The oracle plays first and its dice are noted; the rules play with the same dice, all of them and no more, so their
order is compared too (section 6).
"""

from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.board.board import Square
from games.gods2.rules.mana.rules import factors
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.mana_sources import sources
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, CityKind, Factor, God, Phase, Share
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf
from tests.dice import GivenDice
from tests.oracle.gifts import ATTRIBUTES, FEATURES, KNOWLEDGES
from tests.oracle.growth import COMPASS
from tests.oracle.peopled import random_earth
from tests.oracle.twins import Century, century_by_rules, differences, factors_of
from tests.oracle.twins import earth_of as oracle_of
from tests.rules.gods2.era import EARTH
from tests.rules.gods2.worlds import KNOWN, People, context, earth_of, id_of, race

GODS = tuple(id_of(name) for name in ("Sun", "Moon"))
SPHERES = ("FE", "NA", "SE", "SI", "CW", "CK", "LB", "WA", "CH", "DE", "FJ", "LI")


def rule(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rule(*(f"G2-{number}" for number in numbers))


def with_faith(state: State, draw: Random) -> State:
    """Two gods with cards, and a pantheon for each race; some races are in turmoil."""
    for god in GODS:
        state.gods[god] = God(god, f"God {god}")
        cards = [CardOf(sphere=sphere, count=draw.randint(1, 6)) for sphere in draw.sample(SPHERES, 6)]
        for held in factors(sources(state), cards):
            state.factors[god, held.source] = Factor(god, held.source, Decimal(held.factor))
    for who in list(state.races):
        del state.shares[who, ATHEISM]
        members = draw.sample([*map(str, GODS), ATHEISM, DIABOLISM], draw.randint(1, 4))
        cuts = sorted(draw.sample(range(1, 10_000), len(members) - 1))
        for member, low, high in zip(members, [0, *cuts], [*cuts, 10_000], strict=True):
            state.shares[who, member] = Share(who, member, high - low)
    return state


def agree(state: State, seed: int, last: bool = False) -> Century:
    """Let both play a century and compare."""
    roll = Random(seed)
    century = Century.of(oracle_of(state), lambda sides: roll.randint(1, sides), factors_of(state), last=last)
    dice = GivenDice(century.dice)
    events = century_by_rules(state, context(dice))
    assert dice.is_exhausted(), "the rules roll fewer dice than the rulebook"
    assert differences(state, events, century) == []
    return century


squares = st.tuples(st.integers(0, 6), st.integers(0, 6))
natures = st.lists(st.sampled_from(sorted(ATTRIBUTES)), max_size=3, unique=True)
learning = st.lists(st.sampled_from(sorted(set(KNOWLEDGES) - {"tribal_law", "civilization"})), max_size=4, unique=True)


@st.composite
def worlds(draw: st.DrawFn) -> State:
    """A map of 7 x 7 with two to four races, unsettled, some of them on the move or in turmoil."""
    rows = draw(st.lists(st.text("PPPPFDMIW", min_size=7, max_size=7), min_size=7, max_size=7))
    places = draw(st.lists(squares, min_size=4, max_size=24, unique=True))
    count = draw(st.integers(2, 4))
    peoples: list[People] = []
    for n in range(count):
        own = sorted(places[n::count])
        level = draw(st.sampled_from(sorted(KNOWN)))
        cities = {s: draw(st.sampled_from(CityKind)) for s in own[: draw(st.integers(1, 2))]}
        units = {square: draw(st.integers(1, 6)) for square in own}
        peoples.append(
            race(f"R{n}", units, level, attributes=draw(natures), knowledges=draw(learning),
                 cities=cities if level == "civilized" else {})
        )  # fmt: skip
    features = draw(st.lists(st.tuples(st.sampled_from(FEATURES), squares), max_size=8, unique=True))
    state = with_faith(earth_of(rows, *peoples, features=features), Random(draw(st.integers(0, 2**32))))
    state.set_era(phase=Phase.CLOSED, century=draw(st.sampled_from((0, 7, 15))))
    for people in peoples:
        goal = draw(st.none() | st.sampled_from(sorted(COMPASS)) | squares)
        if goal is not None:
            way, square = (goal, None) if isinstance(goal, str) else (None, Square(*goal))
            state.migrations[people.id] = Migration(people.id, way, square)
        if len(state.pantheon(people.id)) > 1 and draw(st.integers(0, 3)) == 0:  # of one member: G2-TURM-9
            trouble(state, people)
    return state


def trouble(state: State, people: People) -> None:
    """The race is in turmoil since the century before."""
    state.races[people.id] = replace(state.races[people.id], turmoil=True, troubled=True)


RULES = (
    *("POP-2", "POP-3", "POP-4", "POP-5", "AGG-3", "AGG-4", "AGG-6", "DIP-4", "WLTH-1", "WLTH-2"),
    *("MOVE-2", "MOVE-4", "MOVE-5", "MOVE-6", "GROW-2", "GROW-3", "GROW-4", "GROW-5", "GROW-6", "GROW-7", "GROW-8"),
    *("GROW-9", "GROW-10", "LIM-1", "LIM-2", "LIM-4", "CITY-7", "CITY-9", "CITY-10", "TURM-2", "TURM-3", "TURM-4"),
    *("TURM-6", "WAR-2", "WAR-3", "WAR-5", "WAR-6", "WAR-8", "WAR-9", "WAR-10", "WAR-11", "WAR-12", "WAR-13"),
    *("WAR-14", "CALC-1", "CALC-2", "MANA-2", "MANA-3", "MANA-4", "MANA-5"),
)


@rule(*RULES)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds(), st.integers(0, 2**32))
def test_a_century_is_what_the_rulebook_says(state: State, seed: int) -> None:
    agree(state, seed, last=state.era.century == 15)


@rule("GROW-10", "WAR-8", "WAR-9", "MANA-2")
@pytest.mark.parametrize("seed", range(3))
def test_the_real_earth_goes_the_same_way_for_three_centuries(seed: int) -> None:
    state = random_earth(EARTH.read_text(encoding="ascii").split(), 6, settled=0.8)
    wars = 0
    for century in range(3):
        wars += len(agree(state, 10 * seed + century).report.wars)
        for purse in list(state.purses.values()):  # the oracle carries no fraction over
            state.purses[purse.id] = replace(purse, carried=Decimal(0))
        pool = state.pools[state.info.id]
        state.pools[pool.id] = replace(pool, carried=Decimal(0))
    assert wars > 5
