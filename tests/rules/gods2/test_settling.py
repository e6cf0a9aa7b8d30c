"""Cities, levels and what follows from any event (G2-CITY-*, G2-LVL-*, G2-LIM-4, G2-POP-5)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.game_state import Timer
from games.gods2.rules.cascade.events import RaceDestroyed, WarLapsed
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.cities.events import CityDestroyed, CityFounded, CivilizationLost, LevelChanged
from games.gods2.rules.cities.rules import city_site, found_city, level_of, room_for_city
from games.gods2.rules.declarations.rules import war_key
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.state.records import CityKind, Level, WarKind, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsStarved
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.worlds import DAWN, People, earth_of, happen, id_of, plant_war, race, units_of


def settle_earth(state: State) -> list[Any]:
    return happen(state, lambda s, ctx: settle(s, ctx, "test"))


@pytest.mark.rule("G2-W31", "G2-CITY-4")
@pytest.mark.parametrize(
    ("squares", "cities", "allowed"), [(1, 0, True), (5, 1, False), (6, 1, True), (11, 2, False), (12, 2, True)]
)
def test_each_city_needs_six_inhabited_squares_for_the_next(squares: int, cities: int, allowed: bool) -> None:
    assert room_for_city(squares, cities) is allowed


@pytest.mark.rule("G2-W33", "G2-CITY-5", "G2-CITY-6", "G2-AMB-17")
def test_a_city_stands_where_most_live_nearest_to_the_centre() -> None:
    norse = race("Norse", {(0, 0): 4, (1, 1): 4, (2, 2): 2}, "civilized", cities={})
    assert city_site(earth_of(["PPP"] * 3, norse), norse.id) == (1, 1)
    row = race("Norse", {(0, c): 3 for c in range(4)}, "civilized", cities={})
    assert city_site(earth_of(["PPPP"], row), row.id) == (0, 1)


@pytest.mark.rule("G2-W80", "G2-CITY-5", "G2-AMB-72")
def test_a_city_avoids_squares_where_its_people_could_not_stay() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1, (0, 2): 1}, "barbarian")
    assert city_site(earth_of(["PIP"], norse), norse.id) == (0, 0)
    cold = race("Cold", {(0, 0): 1, (0, 1): 1}, "barbarian")
    assert city_site(earth_of(["II"], cold), cold.id) == (0, 0)


@pytest.mark.rule("G2-CITY-5", "G2-AMB-72")
def test_a_square_where_a_city_can_stay_goes_before_one_where_more_people_live() -> None:
    """Three on the ice, where the civilized limit is 0, and one on the plains: the one. Of the plains the fuller."""
    norse = race("Norse", {(0, 0): 1, (0, 1): 3, (0, 2): 2}, "barbarian")
    assert city_site(earth_of(["PIP"], norse), norse.id) == (0, 2)
    assert city_site(earth_of(["PII"], norse), norse.id) == (0, 0)


@pytest.mark.rule("G2-CITY-3", "G2-CITY-4", "G2-CITY-8")
def test_only_the_free_city_needs_no_six_squares() -> None:
    norse = race("Norse", {(0, c): 1 for c in range(5)}, "civilized")
    state = earth_of(["PPPPPW"], norse)
    with refused("city.squares", state):
        happen(state, lambda s, ctx: found_city(s, ctx, norse.id, "power"))
    events = happen(state, lambda s, ctx: found_city(s, ctx, norse.id, "power", free=True))
    assert events[0] == event_like(CityFounded, race=norse.id, cause="power")
    assert [e.source for e in of_kind(events, SourceCounted)] == ["cw_city_founded"]
    assert state.invariants() is None


@pytest.mark.rule("G2-CITY-8")
def test_barbarians_found_no_city() -> None:
    norse = race("Norse", {(0, 0): 1}, "barbarian")
    state = earth_of(["P"], norse)
    with refused("race.invalid", state):
        happen(state, lambda s, ctx: found_city(s, ctx, norse.id, "power", free=True))


@pytest.mark.rule("G2-W56", "G2-CITY-7", "G2-CITY-9", "G2-CITY-10", "G2-AMB-22")
def test_with_its_last_city_a_race_loses_all_that_needs_civilization() -> None:
    known = ["tribal_law", "toolmaking", "agriculture", "fishing", "masonry", "civilization", "writing"]
    known += ["law", "engineering"]
    norse = race("Norse", {(0, 1): 3}, "civilized", knowledges=known, cities={(0, 0): CityKind.CITY})
    state = earth_of(["PP"], norse)
    events = settle_earth(state)
    assert events == [
        event_like(CityDestroyed, race=norse.id, cause="test"),
        event_like(SourceCounted, source="ch_city_destroyed", count=1),
        event_like(CivilizationLost, knowledges=("civilization", "engineering", "law", "writing")),
        event_like(LevelChanged, level=Level.BARBARIAN),
    ]
    left = ("agriculture", "fishing", "masonry", "toolmaking", "tribal_law")
    assert state.races[norse.id].knowledges == left
    assert state.races[norse.id].level is Level.BARBARIAN


@pytest.mark.rule("G2-W79", "G2-CITY-9", "G2-LVL-1", "G2-AMB-68")
def test_a_race_that_forgot_its_law_is_barbarian_all_the_same() -> None:
    norse = race("Norse", {(0, 0): 3}, "civilized", knowledges=["agriculture", "toolmaking"], cities={})
    state = earth_of(["P"], norse)
    settle_earth(state)
    assert state.races[norse.id].knowledges == ("agriculture", "toolmaking")
    assert state.races[norse.id].level is Level.BARBARIAN
    assert level_of(state, norse.id) is Level.BARBARIAN


@pytest.mark.rule("G2-W58", "G2-LIM-4", "G2-LVL-5", "G2-AMB-21")
def test_units_that_fit_nowhere_after_a_fall_starve_without_anger() -> None:
    norse = race("Norse", {(0, 0): 5, (0, 1): 5}, "civilized", cities={})
    state = earth_of(["PP"], norse)
    events = settle_earth(state)
    assert of_kind(events, UnitsStarved) == [event_like(UnitsStarved, units=4, aggression=0)]
    assert units_of(state, norse) == {(0, 0): 3, (0, 1): 3}
    assert stat(state, norse.id, "aggression").value == 2


@pytest.mark.rule("G2-W59", "G2-LIM-4")
def test_only_the_units_above_the_limit_move() -> None:
    norse = race("Norse", {(0, 0): 5, (0, 1): 5}, "civilized", cities={})
    state = earth_of(["PPPP"], norse)
    settle_earth(state)
    assert units_of(state, norse) == {(0, 0): 3, (0, 1): 3, (0, 2): 3}
    assert state.lines["box", "starvation"].count == 1


@pytest.mark.rule("G2-CITY-10", "G2-AMB-43", "G2-CITY-7", "G2-AMB-24")
def test_settling_begins_anew_when_moving_empties_the_city_square() -> None:
    norse = race("Norse", {(0, 0): 2, (0, 1): 5}, "civilized")
    state = earth_of(["IPPP"], norse)
    settle_earth(state)
    # nobody may stay on ice; the two move on, the city goes, and the barbarians' limit of 3 moves two more
    assert units_of(state, norse) == {(0, 1): 3, (0, 2): 3, (0, 3): 1}
    assert not state.cities
    assert state.races[norse.id].level is Level.BARBARIAN
    assert state.invariants() is None


@pytest.mark.rule("G2-POP-5", "G2-WAR-1")
def test_a_race_without_units_is_extinct_and_its_wars_lapse() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 1): 1})
    state = earth_of(["PP"], norse, picts)
    war = plant_war(state, norse, picts)
    state.timers[war_key(war)] = Timer(war_key(war), "fight-war", "{}", 1, DAWN + timedelta(seconds=9))
    state.board.put(Square(0, 1), None, 0)
    events = settle_earth(state)
    assert of_kind(events, RaceDestroyed, WarLapsed, SourceCounted) == [
        event_like(RaceDestroyed, race=picts.id),
        event_like(SourceCounted, source="de_race_destroyed"),
        event_like(WarLapsed, war=war),
    ]
    assert state.races[picts.id].extinct
    assert state.wars[war].status is WarStatus.LAPSED
    assert not state.timers


@pytest.mark.rule("G2-AMB-9", "G2-POP-5", "G2-WAR-1")
def test_the_wars_of_a_race_that_dies_lapse_in_the_order_in_which_they_would_have_been_fought() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 1): 1})
    state = earth_of(["PP"], norse, picts)

    def war(kind: WarKind, due: int, order: int = 0, group: UUID | None = None) -> UUID:
        posted = plant_war(state, norse, picts, kind)
        due_at = DAWN + timedelta(seconds=due)
        state.wars[posted] = replace(state.wars[posted], due=due_at, order=order, group=group)
        return posted

    together = id_of("combined")
    late = war(WarKind.GOD, 900)
    third, second = war(WarKind.AGGRESSIVE, 600, 2), war(WarKind.AGGRESSIVE, 300, 1)
    with_third = war(WarKind.GOD, 600)
    waited = war(WarKind.AGGRESSIVE, -20, 3, together), war(WarKind.AGGRESSIVE, -10, 4, together)
    first = war(WarKind.GOD, -5)  # overdue with two that are combined: gods' wars go first
    state.board.put(Square(0, 1), None, 0)
    lapsed = [e.war for e in of_kind(settle_earth(state), WarLapsed)]
    assert lapsed == [first, *waited, second, with_third, third, late]
    assert lapsed != sorted(lapsed)


@pytest.mark.rule("G2-POP-5", "G2-CITY-7")
def test_the_cities_of_a_race_go_before_it_is_extinct() -> None:
    norse = race("Norse", {(0, 0): 2}, "civilized")
    state = earth_of(["I"], norse)
    events = settle_earth(state)
    assert [type(e) for e in events if not isinstance(e, SourceCounted)] == [UnitsStarved, CityDestroyed, RaceDestroyed]
    assert not state.cities


@pytest.mark.rule("G2-LVL-1")
def test_the_level_follows_the_highest_knowledge() -> None:
    for known, level in (((), "primitive"), (("tribal_law",), "barbarian"), (("civilization",), "civilized")):
        people = People("Norse", {(0, 0): 1}, knowledges=known)
        assert level_of(earth_of(["P"], people), people.id) == level


def test_a_settled_earth_stays_as_it_is() -> None:
    norse = race("Norse", {(0, 0): 5}, "civilized")
    assert settle_earth(earth_of(["PP"], norse)) == []


def test_invariants_name_every_violation() -> None:
    norse = race("Norse", {(0, 0): 2}, cities={(0, 1): CityKind.CITY})
    state = earth_of(["PP"], norse)
    with pytest.raises(Refused) as caught:
        state.invariants()
    assert caught.value.code == "amend.invalid"
    assert len(caught.value.facts["violations"]) == 3
