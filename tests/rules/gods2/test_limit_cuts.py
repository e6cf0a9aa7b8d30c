"""Cuts of population limits (G2-LIM-3, G2-RES-9, 10): whom they touch, how long, and who has to go."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.effects.events import DisasterStruck, LimitsCut, LimitsRestored
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.state.effect_records import Cut
from games.gods2.rules.state.records import Cards, Level
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.units.events import UnitsMoved, UnitsStarved
from tests.playbook import event_like, of_kind
from tests.rules.gods2.era import ANA, two_peoples
from tests.rules.gods2.strikes import cast, let, pack_of
from tests.rules.gods2.worlds import earth_of, id_of, movements, race, units_of

NORSE, ELVES = id_of("Norse"), id_of("Elves")


@pytest.mark.rule("G2-RES-9", "G2-RES-10", "G2-AMB-25", "G2-LIM-3")
@pytest.mark.parametrize(
    ("_case", "attributes", "knowledges", "amount"),
    [
        ("nothing", [], [], 2),
        ("I-1", [], ["fire_keeping"], 1),
        ("I-1 and X-2", ["survivor_race"], ["fire_keeping"], 1),
        ("immune", ["snow_folk"], [], 0),
        ("vulnerable", ["fireborn"], [], 3),
        ("both", ["fireborn"], ["fire_keeping"], 2),
        ("against fire", ["desert_race"], [], 2),
    ],
)
def test_a_cut_is_changed_by_one_at_most(_case, attributes, knowledges, amount) -> None:
    norse = race("Norse", {(0, 0): 3}, "barbarian", attributes=attributes, knowledges=knowledges)
    state = earth_of(["PPF"], norse)
    before = limits(state, NORSE)
    events = cast(state, "arctic_blast", norse)
    assert [(e.race, e.amount, e.terrain, e.squares) for e in of_kind(events, LimitsCut)] == (
        [(NORSE, amount, "P", ())] if amount else []
    )
    assert (before - limits(state, NORSE)).tolist() == [[amount, amount, 0]]
    assert of_kind(events, DisasterStruck) == [
        event_like(DisasterStruck, elements=("ice",), squares=(), races=(NORSE,))
    ]


@pytest.mark.rule("G2-RES-5", "G2-GLOB-2", "G2-GLOB-3", "G2-GLOB-1")
def test_a_global_cut_asks_for_resistances_only_if_it_has_an_element() -> None:
    cut = {"op": "limit_cut", "amount": 1, "scope": "all_races"}
    norse, elves = race("Norse", {(0, 0): 1}), race("Elves", {(0, 1): 1}, "barbarian")
    for code, hit in (("Gi", [ELVES]), ("G", sorted([NORSE, ELVES]))):
        events = let(earth_of(["PP"], norse, elves), cut, codes=[code], earth=True)
        assert [e.race for e in of_kind(events, LimitsCut)] == hit
        assert not of_kind(events, DisasterStruck)


@pytest.mark.rule("G2-GLOB-1", "G2-GLOB-2", "G2-RES-9")
def test_an_ice_age_cuts_the_plains_of_every_race() -> None:
    norse, elves = (
        race("Norse", {(0, 0): 3}, "barbarian"),
        race("Elves", {(0, 2): 3}, "barbarian", attributes=["snow_folk"]),
    )
    state = earth_of(["PPP"], norse, elves)
    events = cast(state, "ice_age")
    assert [(e.race, e.amount) for e in of_kind(events, LimitsCut)] == [(NORSE, 1)]
    assert movements(events) == [((0, 0), (0, 1), 1)]


@pytest.mark.rule("G2-W77", "G2-CITY-9", "G2-CITY-10", "G2-LIM-3", "G2-LIM-4", "G2-RES-9")
def test_two_cold_snaps_take_a_city_and_its_people_do_not_starve() -> None:
    norse = race("Norse", {(0, 0): 2, (0, 1): 5}, "civilized")
    state = earth_of(["MPPP"], norse)
    first = cast(state, "cold_snap", at=[(0, 0)])
    assert units_of(state, NORSE) == {(0, 0): 1, (0, 1): 4, (0, 2): 2}
    assert not of_kind(first, CityDestroyed, UnitsStarved)
    state = earth_of(["MPPP"], norse)
    second = cast(state, "cold_snap", at=[(0, 0)], times=2)[len(first) :]
    events = [type(e) for e in of_kind(second, UnitsMoved, CityDestroyed, CivilizationLost, UnitsStarved)]
    assert events == [UnitsMoved, CityDestroyed, CivilizationLost, UnitsMoved]
    assert units_of(state, NORSE) == {(0, 1): 1, (0, 2): 3, (0, 3): 3}
    assert state.races[NORSE].level is Level.BARBARIAN


@pytest.mark.rule("G2-LIM-3", "G2-RES-9", "G2-DIS-4")
def test_cold_squares_hold_less_of_every_race_that_does_not_resist() -> None:
    norse, elves = race("Norse", {(0, 0): 2}, "barbarian"), race("Elves", {(0, 3): 1}, "barbarian")
    hardy = race("Dwarves", {(0, 4): 1})
    state = earth_of(["PPPPP"], norse, elves, hardy)
    events = cast(state, "cold_snap", at=[(0, 0)])
    cold = (Place(x=0, y=0), Place(x=1, y=0))
    assert {(e.race, e.squares, e.amount) for e in of_kind(events, LimitsCut)} == {(NORSE, cold, 1), (ELVES, cold, 1)}
    assert of_kind(events, DisasterStruck)[0].races == (NORSE,)
    assert limits(state, ELVES).tolist() == [[2, 2, 3, 3, 3]]


@pytest.mark.rule("G2-LIM-3")
def test_a_cut_of_no_square_cuts_nothing() -> None:
    norse = race("Norse", {(0, 0): 2}, "barbarian")
    cut = {"op": "limit_cut", "amount": 1, "scope": "target", "if": [{"terrain": ["M"]}]}
    assert not let(earth_of(["PP"], norse), cut, codes=["Bi"], at=[(0, 0)])


@pytest.mark.rule("G2-LIM-3")
@pytest.mark.parametrize(
    ("duration", "until"), [(None, 3), ("century", 3), ("centuries:2", 4), ("next_century", 4), ("permanent", None)]
)
def test_a_cut_lasts_until_the_century_ends_unless_its_data_says_otherwise(duration, until) -> None:
    effect = {"op": "limit_cut", "amount": 1, "scope": "race"}
    norse = race("Norse", {(0, 0): 2}, "barbarian")
    whole = {"codes": ["Bi"], "effects": [effect], **({"duration": duration} if duration else {})}
    state = earth_of(["PP"], norse, packs=pack_of(chill=whole), century=3)
    assert [e.until for e in of_kind(cast(state, "chill", norse), LimitsCut)] == [until]
    one = let(earth_of(["PP"], norse, century=3), {**effect, "duration": duration}, codes=["Bi"], race=norse)
    assert [e.until for e in of_kind(one, LimitsCut)] == [until]


@pytest.mark.rule("G2-LIM-3", "G2-SEQ-1")
def test_limits_are_restored_when_the_century_ends() -> None:
    book, dwarves, _ = two_peoples()
    book.state.cards[ANA, "NA"] = Cards(ANA, "NA", 6)
    barbarian = {"knowledges": ("tribal_law",), "level": Level.BARBARIAN}
    book.state.races[dwarves] = replace(book.state.races[dwarves], **barbarian)
    start = len(book.log)
    before = limits(book.state, dwarves).tolist()
    events = book.when(CastPower(power="locust_swarm", targets=(Target(race=dwarves),)), by=ANA)
    (cut,) = of_kind(events, LimitsCut)
    lasting_cut = Cut(dwarves, dwarves, 1, until=2)
    book.state.cuts[dwarves] = lasting_cut
    after = book.wait(timedelta(minutes=31))
    assert of_kind(after, LimitsRestored) == [event_like(LimitsRestored, cut=cut.cut)]
    assert list(book.state.cuts.values()) == [lasting_cut]
    assert {h.audience for h in book.log[start:] if isinstance(h.event, LimitsCut | LimitsRestored)} == {"public"}
    book.wait(timedelta(minutes=30))
    assert not book.state.cuts and limits(book.state, dwarves).tolist() == before
