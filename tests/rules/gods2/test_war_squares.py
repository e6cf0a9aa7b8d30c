"""Which squares change hands in a war (G2-WAR-10, G2-WAR-12): by the borders of before the war, one unit at a time."""

import pytest

from games.engine.board.board import Square
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.state.records import CityKind
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Move, Place
from games.gods2.rules.war.battle import retreat
from games.gods2.rules.war.events import SquaresTaken, WarFought
from games.gods2.rules.war.forecast import plan_of
from games.gods2.rules.war.gm_plan import plan_by_hand
from tests.dice import d
from tests.playbook import of_kind, refused
from tests.rules.gods2.wars import WARRIORS, fight_war
from tests.rules.gods2.worlds import People, earth_of, forecast, movements, race, units_of


def kelts_and_lapps(front: int = 1, attributes: tuple[str, ...] = ()) -> tuple[State, People, People]:
    """A row of squares: the Kelts stand on the first three, the Lapps, whom they beat, on the next two."""
    kelts = race(
        "Kelts", {(0, 0): 5, (0, 1): 5, (0, 2): front}, "civilized", attributes=attributes, knowledges=WARRIORS
    )
    lapps = race("Lapps", {(0, 3): 5, (0, 4): 5}, "civilized", cities={(0, 4): CityKind.CITY})
    return earth_of(["PPPPPPPP"], kelts, lapps), kelts, lapps


@pytest.mark.rule("G2-WAR-10", "G2-AMB-13")
def test_a_free_square_into_which_a_unit_has_retreated_is_an_own_square_for_the_next_unit() -> None:
    picts = race("Picts", {(1, 1): 3, (1, 3): 1}, "barbarian")
    ways, starved = retreat(earth_of(["PPPP"] * 4, picts), picts.id, [Square(1, 1)])
    # all squares beside are free: once the first unit has settled on (0,0), the next two follow it there
    assert ways == {(Square(1, 1), Square(0, 0)): 3}
    assert starved == {}


@pytest.mark.rule("G2-W86", "G2-WAR-12", "G2-AMB-14")
def test_the_winner_moves_in_beside_a_front_square_that_its_own_losses_have_emptied() -> None:
    state, kelts, lapps = kelts_and_lapps()
    events = fight_war(state, kelts, lapps, [d(6, "diplomacy/defender", 1)])
    event = of_kind(events, WarFought)[0]
    assert (event.race, event.count) == (lapps.id, 1)
    assert units_of(state, kelts).keys() == {(0, 0), (0, 1), (0, 3)}
    assert sum(units for _, to, units in movements(of_kind(events, SquaresTaken)) if to == (0, 3)) == 2
    assert state.invariants() is None


@pytest.mark.rule("G2-W87", "G2-WAR-12", "G2-AMB-14")
def test_squares_that_are_vacated_in_this_war_are_no_bridge_to_those_behind_them() -> None:
    state, kelts, lapps = kelts_and_lapps(front=5, attributes=("wanderers",))
    expected = forecast(state, kelts.id, lapps.id)
    plan = plan_of(state, expected, gone=[Square(0, 3), Square(0, 4)])
    assert stat(state, kelts.id, "move").value == 2
    assert {to for _, to in plan.taking} == {Square(0, 3)}


@pytest.mark.rule("G2-WAR-12", "G2-AMB-14")
def test_a_gm_too_lets_the_winner_in_by_the_borders_of_before_the_war() -> None:
    state, kelts, lapps = kelts_and_lapps()
    expected = forecast(state, kelts.id, lapps.id)
    losses = (Held(square=Place(x=2, y=0), units=1), Held(square=Place(x=3, y=0), units=3))
    retreating = Move(from_square=Place(x=3, y=0), to_square=Place(x=5, y=0), units=2)
    taking = Move(from_square=Place(x=1, y=0), to_square=Place(x=3, y=0), units=2)
    plan = plan_by_hand(state, expected, losses, (Place(x=3, y=0),), (retreating, taking))
    assert plan.taking == {(Square(0, 1), Square(0, 3)): 2}
    behind = Held(square=Place(x=3, y=0), units=3), Held(square=Place(x=2, y=0), units=1)
    beyond = Move(from_square=Place(x=1, y=0), to_square=Place(x=4, y=0), units=2)
    fleeing = Move(from_square=Place(x=4, y=0), to_square=Place(x=3, y=0), units=3)
    further = Move(from_square=Place(x=4, y=0), to_square=Place(x=5, y=0), units=2)
    with refused("placement.invalid", state):
        plan_by_hand(state, expected, behind, (Place(x=4, y=0),), (fleeing, further, beyond))
