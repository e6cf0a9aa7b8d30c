"""How a war is fought (G2-WAR-2 to 14, G2-DIP-2 to 4)."""

import pytest

from games.engine.board.board import Square
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.geometry.reach import reach
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.state.records import Level, WarStatus
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from games.gods2.rules.war.battle import (
    casualties,
    kills,
    loses,
    percentage,
    razes,
    retreat,
    settlers,
    vacated_count,
    vacated_squares,
)
from games.gods2.rules.war.events import (
    CityFell,
    DiplomacyTried,
    SquaresTaken,
    SquaresVacated,
    UnitsRetreated,
    WarFought,
)
from tests.dice import d
from tests.playbook import event_like, of_kind
from tests.rules.gods2.wars import WARRIORS, fight_war, romans_and_greeks, ultra_dwarves_and_low_elves
from tests.rules.gods2.worlds import earth_of, forecast, movements, race, row_major, units_of


@pytest.mark.rule("G2-W23", "G2-WAR-2", "G2-WAR-3", "G2-WAR-5", "G2-WAR-6", "G2-WAR-7", "G2-WAR-18")
def test_the_ultra_dwarves_kill_seven_elves_and_lose_three() -> None:
    state, dwarves, elves = ultra_dwarves_and_low_elves()
    events = fight_war(state, dwarves, elves)
    fight_events = events[0]
    assert fight_events == event_like(WarFought, race=elves.id, count=2)
    assert [(s.strength, s.military, s.percent, s.losses) for s in fight_events.sides] == [
        (43, 8, 16, 3),
        (65, 2, 4, 7),
    ]
    assert [e.units for e in of_kind(events, UnitsDied)] == [3, 7]
    assert len(of_kind(events, SquaresVacated)[0].squares) == 2
    assert of_kind(events, SquaresTaken) == []
    assert (state.board.units_of(dwarves.id), state.board.units_of(elves.id)) == (40, 58)
    assert state.lines["box", "war"].count == 10
    war = next(iter(state.wars.values()))
    assert (war.status, war.attacker_lost, war.defender_lost, war.loser) == (WarStatus.FOUGHT, 3, 7, elves.id)
    assert len(war.vacated) == 2
    assert of_kind(events, SourceCounted) == [event_like(SourceCounted, source="wa_war_fought")]
    assert events[-1] == event_like(HistoryEntered, cause="god", war=war.id)
    assert state.invariants() is None


@pytest.mark.rule("G2-W23")
def test_the_forecast_is_the_war_itself_and_changes_nothing() -> None:
    state, dwarves, elves = ultra_dwarves_and_low_elves()
    expected = forecast(state, dwarves.id, elves.id)
    assert (expected.attacker.losses, expected.defender.losses, expected.loser, expected.squares) == (3, 7, elves.id, 2)
    assert state.board.units_of(elves.id) == 65


@pytest.mark.rule("G2-W24", "G2-WAR-5", "G2-AMB-10")
@pytest.mark.parametrize(
    ("a", "b", "loser", "squares"),
    [(6, 4, "A", 1), (5, 4, "", 0), (1, 0, "A", 0), (0, 0, "", 0), (3, 2, "A", 0), (4, 6, "B", 1)],
)
def test_a_side_loses_with_half_as_many_losses_again(a: int, b: int, loser: str, squares: int) -> None:
    assert ("A" if loses(a, b) else "B" if loses(b, a) else "") == loser
    if loser:
        assert vacated_count(max(a, b), min(a, b)) == squares


@pytest.mark.rule("G2-W25", "G2-WAR-2", "G2-WAR-4", "G2-AMB-19")
@pytest.mark.parametrize(("relative", "percent"), [(-10, 0), (-12, 0), (9, 19), (12, 22)])
def test_percentages_are_never_below_zero(relative: int, percent: int) -> None:
    assert percentage(relative, 0) == percent


@pytest.mark.rule("G2-W26", "G2-WAR-3", "G2-AMB-20")
def test_kills_round_up_and_stop_at_the_enemys_units() -> None:
    assert kills(1, 1, 100) == 1
    assert kills(0, 50, 100) == 0
    assert kills(10, 33, 100) == 4
    assert kills(22, 100, 6) == 6


@pytest.mark.rule("G2-W30", "G2-WAR-14")
def test_the_aggression_of_the_winner_burns_cities() -> None:
    assert [razes(2, 2), razes(3, 2), razes(1, 0), razes(6, 6)] == [True, False, False, True]


@pytest.mark.rule("G2-WAR-14", "G2-WAR-12", "G2-LVL-4", "G2-CITY-9")
def test_a_civilized_winner_occupies_the_city_that_does_not_burn() -> None:
    state, romans, greeks = romans_and_greeks()
    events = fight_war(state, romans, greeks, [d(6, "diplomacy/defender", 1), d(6, "city", 1)])
    assert events[0] == event_like(DiplomacyTried, race=greeks.id, yes=False)
    assert of_kind(events, CityFell) == [event_like(CityFell, race=romans.id, square=Place(x=5, y=0))]
    assert len([c for c in state.cities.values() if c.race == romans.id]) == 2
    assert len(of_kind(events, CivilizationLost)) == 1
    assert units_of(state, romans)[0, 5] == 2
    assert state.invariants() is None


@pytest.mark.rule("G2-WAR-14")
def test_a_warlike_winner_destroys_it() -> None:
    state, romans, greeks = romans_and_greeks(("warlike",))
    events = fight_war(state, romans, greeks, [d(6, "diplomacy/defender", 1), d(6, "city", 2)])
    assert of_kind(events, CityFell, CityDestroyed) == [event_like(CityDestroyed, race=greeks.id, cause="war")]
    assert state.invariants() is None


@pytest.mark.rule("G2-WAR-13", "G2-LVL-3")
def test_barbarians_destroy_the_city_they_move_into_without_a_die() -> None:
    state, romans, greeks = romans_and_greeks(level="barbarian")
    events = fight_war(state, romans, greeks, [d(6, "diplomacy/defender", 1)])
    assert of_kind(events, SquaresTaken, CityDestroyed) == [
        event_like(SquaresTaken, race=romans.id),
        event_like(CityDestroyed, race=greeks.id),
    ]


@pytest.mark.rule("G2-LVL-2", "G2-WAR-12", "G2-WAR-13")
def test_primitive_winners_stay_where_they_are() -> None:
    dwarves = race("Dwarves", {(0, c): 1 for c in range(20)}, knowledges=WARRIORS)
    greeks = race("Greeks", {(1, 0): 2, (1, 1): 2, (1, 2): 2}, "civilized")
    state = earth_of(["P" * 20, "P" * 20], dwarves, greeks)
    events = fight_war(state, dwarves, greeks, [d(6, "diplomacy/defender", 1)])
    assert events[1] == event_like(WarFought, race=greeks.id)
    assert of_kind(events, SquaresTaken) == []
    assert len(units_of(state, dwarves)) == 20 - 1
    assert state.invariants() is None


@pytest.mark.rule("G2-LVL-2", "G2-WAR-12")
def test_primitive_winners_stay_even_with_units_to_spare() -> None:
    dwarves = race("Dwarves", {(0, c): 2 for c in range(20)}, knowledges=WARRIORS)
    greeks = race("Greeks", {(1, 0): 2, (1, 1): 2, (1, 2): 2}, "civilized")
    state = earth_of(["P" * 20, "P" * 20], dwarves, greeks)
    events = fight_war(state, dwarves, greeks, [d(6, "diplomacy/defender", 1)])
    assert events[1] == event_like(WarFought, race=greeks.id)
    assert of_kind(events, SquaresTaken) == []


@pytest.mark.rule("G2-W78", "G2-WAR-12", "G2-AMB-14")
def test_two_units_move_in_one_where_the_limit_is_one() -> None:
    romans = race("Romans", {(0, 0): 5, (1, 0): 4}, "civilized")
    picts = race("Picts", {(0, 0): 5, (1, 0): 1}, "barbarian")
    home = [Square(0, 0), Square(1, 0)]
    plains, mountains = earth_of(["PP", "PP"], romans), earth_of(["PM", "PP"], picts)
    border = reach(plains, romans.id)
    assert settlers(plains, romans.id, [Square(0, 1)], home, border) == {(Square(0, 0), Square(0, 1)): 2}
    assert settlers(mountains, picts.id, [Square(0, 1)], home, border) == {(Square(0, 0), Square(0, 1)): 1}


@pytest.mark.rule("G2-W78", "G2-WAR-13")
def test_a_square_where_the_winner_cannot_live_stays_empty_and_its_city_burns() -> None:
    romans = race("Romans", {(0, c): 3 for c in range(5)}, "civilized", knowledges=WARRIORS)
    snow = race("Snow Folk", {(0, 5): 2, (0, 6): 2, (0, 7): 2}, "civilized", attributes=["snow_folk"])
    state = earth_of(["PPPPPIII"], romans, snow)
    events = fight_war(state, romans, snow, [d(6, "diplomacy/defender", 1)])
    assert of_kind(events, SquaresTaken, CityFell, CityDestroyed) == [event_like(CityDestroyed, race=snow.id)]
    assert state.board.people_at(Square(0, 5)) is None
    assert state.invariants() is None


@pytest.mark.rule("G2-WAR-12", "G2-AMB-14")
def test_settlers_come_from_the_fullest_square_and_never_empty_one() -> None:
    romans = race("Romans", {(0, 0): 2, (1, 0): 3, (2, 0): 1}, "civilized")
    state = earth_of(["PP", "PP", "PP"], romans)
    home = [Square(0, 0), Square(1, 0), Square(2, 0)]
    ways = settlers(state, romans.id, [Square(1, 1), Square(0, 1)], home, reach(state, romans.id))
    assert ways == {(Square(1, 0), Square(1, 1)): 1, (Square(0, 0), Square(1, 1)): 1, (Square(1, 0), Square(0, 1)): 1}


@pytest.mark.rule("G2-WAR-8", "G2-AMB-11")
def test_those_nearest_to_the_enemy_die_first_spread_out() -> None:
    units = {Square(0, 0): 2, Square(0, 1): 3, Square(1, 1): 3, Square(2, 0): 9}
    enemy = [Square(0, 2)]
    # ring 1: (0,1) and (1,1) in turn until both are empty, then ring 2
    assert casualties(units, enemy, 3) == {Square(0, 1): 2, Square(1, 1): 1}
    assert casualties(units, enemy, 8) == {Square(0, 1): 3, Square(1, 1): 3, Square(0, 0): 1, Square(2, 0): 1}


@pytest.mark.rule("G2-WAR-9", "G2-AMB-12", "G2-AMB-58")
def test_squares_are_vacated_by_ring_then_deaths_then_enemies_beside() -> None:
    picts = race("Picts", {(0, 0): 1, (1, 0): 1, (2, 0): 1, (2, 2): 1})
    state = earth_of(["PPP"] * 3, picts, race("Norse", {(0, 1): 1}))
    units = {Square(r, c): n for (r, c), n in units_of(state, picts).items()}
    dead = {Square(1, 0): 1}
    enemy = [Square(0, 1)]
    assert vacated_squares(state, units, dead, enemy, 2) == [(1, 0), (0, 0)]
    assert vacated_squares(state, units, {}, enemy, 3) == [(0, 0), (1, 0), (2, 0)]
    assert len(vacated_squares(state, units, {}, enemy, 9)) == 4


@pytest.mark.rule("G2-WAR-10", "G2-AMB-13")
def test_units_retreat_to_the_nearest_square_with_room_own_before_free() -> None:
    picts = race("Picts", {(0, 1): 3, (0, 2): 2, (0, 5): 1}, "barbarian")
    state = earth_of(["PPPPPP"], picts)
    ways, starved = retreat(state, picts.id, [Square(0, 1)])
    assert ways == {(Square(0, 1), Square(0, 2)): 1, (Square(0, 1), Square(0, 0)): 2}
    assert starved == {}


@pytest.mark.rule("G2-WAR-10")
def test_a_square_that_is_vacated_is_no_refuge() -> None:
    picts = race("Picts", {(0, 0): 3, (0, 1): 3}, "barbarian")
    state = earth_of(["PPWW"], picts)
    assert retreat(state, picts.id, [Square(0, 0), Square(0, 1)]) == ({}, {Square(0, 0): 3, Square(0, 1): 3})


@pytest.mark.rule("G2-WAR-9", "G2-AMB-12")
def test_squares_emptied_by_the_losses_count_among_those_vacated() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(12)}, "barbarian", knowledges=WARRIORS)
    picts = race("Picts", {(1, 0): 3, (1, 2): 3, (2, 0): 3, (2, 1): 2, (2, 2): 3}, "barbarian", attributes=["giants"])
    state = earth_of(["P" * 12] * 3, norse, picts)
    events = fight_war(state, norse, picts, [d(6, "diplomacy/defender", 1)])
    # 36 at +9 against 14 at +3: 16% kill 6, 4% kill 1; the two squares of ring 1 are emptied and vacated
    assert [(s.percent, s.losses) for s in events[1].sides] == [(16, 1), (4, 6)]
    assert of_kind(events, SquaresVacated) == [event_like(SquaresVacated, squares=(Place(x=2, y=1), Place(x=0, y=1)))]
    assert of_kind(events, UnitsRetreated) == []
    assert [to for _, to, _ in movements(of_kind(events, SquaresTaken))] == [(1, 2), (1, 2), (1, 0), (1, 0)]
    assert state.invariants() is None


@pytest.mark.rule("G2-WAR-10", "G2-WAR-11", "G2-RES-11", "G2-AMB-13", "G2-AMB-21")
def test_units_without_refuge_starve_on_the_spot_without_anger() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(7)}, "barbarian", knowledges=WARRIORS)
    picts = race("Picts", {(0, 7): 3, (0, 8): 3, (0, 9): 3}, "barbarian", attributes=["survivor_race"])
    state = earth_of(["P" * 10], norse, picts)
    events = fight_war(state, norse, picts, [d(6, "diplomacy/defender", 1)])
    # 21 at +9 against 9 at +1: 18% kill 4, 2% kill 1; (0,7) is emptied by the losses, nobody is left to retreat
    assert of_kind(events, UnitsStarved) == []
    assert units_of(state, picts) == {(0, 8): 2, (0, 9): 3}
    big = race("Norse", {(0, c): 3 for c in range(12)}, "barbarian", knowledges=WARRIORS)
    few = race("Picts", {(1, 0): 3, (1, 1): 3, (1, 2): 3, (1, 3): 3}, "barbarian")
    state = earth_of(["P" * 12, "PPPPWWWWWWWW"], big, few)
    events = fight_war(state, big, few, [d(6, "diplomacy/defender", 1)])
    # 36 at +9 against 12 at +1: 7 die, 1 dies; three squares go, all of ring 1 (2, 2, 2, 1 deaths); 1, 1, 1 retreat
    assert of_kind(events, SquaresVacated) == [
        event_like(SquaresVacated, squares=(Place(x=1, y=1), Place(x=2, y=1), Place(x=0, y=1)))
    ]
    assert movements(of_kind(events, UnitsRetreated)) == [((1, 1), (1, 3), 1)]
    assert of_kind(events, UnitsStarved) == [event_like(UnitsStarved, race=few.id, units=2, aggression=0, cause="war")]
    assert not state.races[few.id].starved
    assert state.invariants() is None


@pytest.mark.rule("G2-POP-5", "G2-AMB-20")
def test_a_race_that_loses_everybody_is_no_more() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(9)}, "barbarian", knowledges=WARRIORS)
    picts = race("Picts", {(0, 9): 1})
    state = earth_of(["P" * 10], norse, picts)
    events = fight_war(state, norse, picts, [d(6, "diplomacy/defender", 2)])
    assert of_kind(events, RaceDestroyed) == [event_like(RaceDestroyed, race=picts.id)]
    assert state.races[picts.id].extinct and state.invariants() is None


@pytest.mark.rule("G2-WAR-4")
def test_with_a_difference_of_ten_the_stronger_loses_nobody() -> None:
    norse = race("Norse", row_major(10, 0, 20), knowledges=WARRIORS, attributes=["giants"])
    picts = race("Picts", row_major(10, 20, 20))
    state = earth_of(["P" * 10] * 5, norse, picts)
    expected = forecast(state, norse.id, picts.id)
    assert (expected.attacker.percent, expected.defender.percent) == (20, 0)
    events = fight_war(state, norse, picts, [d(6, "diplomacy/defender", 1)])
    assert [e.race for e in of_kind(events, UnitsDied)] == [picts.id]
    assert state.races[picts.id].level is Level.PRIMITIVE


@pytest.mark.rule("G2-AMB-18")
def test_the_fighting_itself_rolls_no_die() -> None:
    twice = []
    for _ in range(2):
        state, dwarves, elves = ultra_dwarves_and_low_elves()
        events = fight_war(state, dwarves, elves, [])  # a die that is rolled and not given is an error
        twice.append([e for e in events if not isinstance(e, HistoryEntered)])
    assert twice[0] == twice[1] and of_kind(twice[0], UnitsDied)
