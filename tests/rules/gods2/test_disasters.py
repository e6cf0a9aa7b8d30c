"""Disasters and global powers (G2-DIS-*, G2-GLOB-*, G2-RES-3 to 8): who is counted, who resists, who dies where."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.game_state import dump
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.effects.events import DisasterStruck, TerrainChanged
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.units.events import UnitsDied, UnitsMoved
from tests.playbook import event_like, of_kind, state_from_log
from tests.rules.gods2.era import ANA, fresh, two_peoples
from tests.rules.gods2.strikes import cast, deaths_by_race, deaths_by_square, kill, let, only, pack_of
from tests.rules.gods2.worlds import earth_of, id_of, race, row_major, units_of

NORSE, ELVES = id_of("Norse"), id_of("Elves")


@pytest.mark.rule("G2-W60", "G2-DIS-5", "G2-AMB-61", "G2-GLOB-1", "G2-GLOB-2", "G2-GLOB-3", "G2-RES-5")
@pytest.mark.parametrize(
    ("_case", "units", "level", "attributes", "code", "percent", "expected"),
    [
        ("nature, all races", row_major(10, 0, 10), "primitive", [], "Gn", 25, (3, 2, "nature")),
        ("X-1 saves the only one", row_major(10, 0, 10), "primitive", [], "Gn", 5, (0, 0, "")),
        ("no codes", row_major(10, 0, 10), "barbarian", [], "Gf", 10, (1, 1, "fire")),
        ("a disaster", {(0, c): 4 for c in range(10)}, "civilized", [], "Bn", 30, (12, 12, "nature")),
        ("halved", {(0, c): 4 for c in range(10)}, "civilized", ["long_lived"], "Bn", 30, (12, 6, "nature")),
        ("no element", row_major(10, 0, 7), "primitive", [], "G", 25, (2, 2, "global")),
    ],
)
def test_a_percentage_of_a_whole_race_is_rounded_up_once(
    _case, units, level, attributes, code, percent, expected
) -> None:
    norse = race("Norse", units, level, attributes=attributes)
    scope = "race" if code == "Bn" else "all_races"
    target = norse if code == "Bn" else None
    events = let(
        earth_of(["P" * 10], norse), kill(scope, "percent", percent), codes=[code], race=target, earth=target is None
    )
    assert only(events) == expected


@pytest.mark.rule("G2-W61", "G2-DIS-5", "G2-RES-7")
def test_deaths_of_a_whole_race_come_from_its_fullest_squares() -> None:
    units = {(0, 0): 3, (0, 1): 2, (0, 2): 1}
    for level, expected in (("barbarian", {(0, 0): 2, (0, 1): 1}), ("primitive", {(0, 0): 1, (0, 1): 1})):
        norse = race("Norse", units, level)
        events = let(earth_of(["PPP"], norse), kill("race", "percent", 50), codes=["Bn"], race=norse)
        assert (only(events)[0], deaths_by_square(events)) == (3, expected)


@pytest.mark.rule("G2-W62", "G2-DIS-5", "G2-RES-7")
def test_a_percentage_of_squares_is_rounded_up_on_each() -> None:
    units = {(0, 0): 1, (0, 1): 3, (0, 2): 1}
    for attributes, expected, squares in (
        ([], (4, 4, "earth"), {(0, 0): 1, (0, 1): 2, (0, 2): 1}),
        (["winged"], (4, 3, "earth"), {(0, 0): 1, (0, 1): 1, (0, 2): 1}),
    ):
        state = earth_of(["PPP"], race("Norse", units, "barbarian", attributes=attributes))
        events = cast(state, "earthquake", at=[(0, 1)])
        assert (only(events), deaths_by_square(events)) == (expected, squares)
    state = earth_of(["PP"], race("Norse", {(0, 0): 1, (0, 1): 1}, "barbarian"))
    assert only(cast(state, "wasting", at=[(0, 0)])) == (1, 1, "nature")


@pytest.mark.rule("G2-DIS-1", "G2-DIS-3", "G2-CALC-1")
@pytest.mark.parametrize(
    ("power", "at", "expected"),
    [
        ("tremor", (1, 1), {(1, 1): 1}),
        ("wildfire", (0, 1), {(0, 1): 2}),
        ("eruption", (1, 1), {(1, 1): 3, (0, 0): 2, (0, 1): 2, (0, 2): 2, (1, 0): 2, (1, 2): 2}),
        ("create_volcano", (1, 2), {(1, 2): 3, (0, 1): 2, (0, 2): 2, (1, 1): 2, (0, 3): 1}),
        ("flood", (1, 2), {(1, 2): 2}),
        ("hurricane", (1, 2), {(1, 2): 1, (0, 1): 1, (0, 2): 1, (0, 3): 1, (1, 1): 1}),
        ("wasting", (0, 3), {(0, 3): 1}),
        ("tidal_wave", (1, 2), {(1, 2): 2}),
    ],
)
def test_disasters_of_squares_kill_there_and_beside(power: str, at: tuple[int, int], expected: dict) -> None:
    units = {(0, 0): 3, (0, 1): 3, (0, 2): 3, (0, 3): 1, (1, 0): 3, (1, 1): 3, (1, 2): 3}
    features = [("volcano", (1, 1))] if power == "eruption" else []
    state = earth_of(["PFPM", "PPPW"], race("Norse", units, "barbarian"), features=features)
    box = {"tremor": "earth", "wildfire": "fire", "wasting": "nature", "hurricane": "air"}.get(power, "water")
    events = cast(state, power, at=[at])
    total = sum(expected.values())
    assert deaths_by_square(events) == expected
    assert only(events) == (total, total, "fire+earth" if power in ("eruption", "create_volcano") else box)
    (strike,) = of_kind(events, DisasterStruck)
    assert strike.races == (NORSE,) and Place.of(Square(*at)) in strike.squares
    assert strike.elements == tuple(only(events)[2].split("+"))
    kinds = [type(e) for e in events]
    assert kinds.index(PowerCast) < kinds.index(DisasterStruck) < kinds.index(UnitsDied)


@pytest.mark.rule("G2-GLOB-1", "G2-GLOB-2", "G2-GLOB-3", "G2-DIS-4")
@pytest.mark.parametrize(
    ("power", "expected"),
    [
        ("great_dying", {"Norse": (3, 3, "nature"), "Elves": (2, 1, "nature")}),
        ("day_of_judgment", {"Elves": (2, 2, "global")}),
        ("scorching_age", {"Norse": (1, 1, "fire"), "Elves": (1, 0, "fire")}),
    ],
)
def test_global_powers_reach_every_race_and_each_resists_for_itself(power: str, expected: dict) -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 3, (0, 2): 3}, "barbarian")
    elves = race("Elves", {(1, 3): 1, (0, 4): 1, (1, 4): 1, (0, 5): 1, (1, 5): 1})
    state = earth_of(["PPPWPP", "PPWPPP"], norse, elves)
    state.races[ELVES] = replace(state.races[ELVES], turmoil=True)
    events = cast(state, power)
    values = {state.races[UUID(k)].name: v for k, v in deaths_by_race(events).items()}
    assert values == {name: found for name, found in expected.items() if found[1]}
    assert [e.race for e in of_kind(events, UnitsDied)] == sorted(e.race for e in of_kind(events, UnitsDied))
    assert not of_kind(events, DisasterStruck)


@pytest.mark.rule("G2-GLOB-1", "G2-GLOB-2", "G2-DIS-5")
def test_the_great_deluge_takes_one_unit_from_each_coastal_plain() -> None:
    norse = race("Norse", {(0, 0): 3, (0, 2): 3, (1, 1): 3, (1, 2): 3}, "barbarian")
    sea = race("Elves", {(0, 4): 3, (1, 4): 1, (1, 5): 1}, "barbarian", attributes=["sea_folk"])
    events = cast(earth_of(["PPPWPP", "PPFWPF"], norse, sea), "great_deluge")
    assert deaths_by_square(events) == {(0, 2): 1, (1, 4): 1}
    assert {e.race: (e.counted, e.units) for e in of_kind(events, UnitsDied)} == {NORSE: (1, 1), ELVES: (2, 1)}


@pytest.mark.rule("G2-RES-3", "G2-RES-6")
def test_two_categories_ask_for_the_codes_of_both_and_for_each_x_once() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 5, (0, 2): 2}, attributes=["desert_race", "winged"])
    state = earth_of(["PPP"], norse, features=[("volcano", (0, 1))])
    assert only(cast(state, "eruption", at=[(0, 1)])) == (7, 4, "fire+earth")  # F-1, E-1 and X-1 of 5 + 1 + 1


@pytest.mark.rule("G2-DIS-2", "G2-RES-5", "G2-AMB-28")
def test_only_x_codes_work_on_a_disaster_without_a_category() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(5)}, "barbarian", attributes=["warlike", "desert_race", "winged"])
    assert only(cast(earth_of(["PPPPP"], norse), "judgment", norse)) == (3, 3, "disaster")
    wild = race("Norse", {(0, c): 3 for c in range(5)}, "barbarian", attributes=["warlike", "survivor_race"])
    assert only(cast(earth_of(["PPPPP"], wild), "judgment", wild)) == (3, 1, "disaster")


@pytest.mark.rule("G2-DIS-3")
def test_a_race_on_which_no_condition_holds_is_not_hit() -> None:
    norse = race("Norse", {(0, 0): 3}, "barbarian", attributes=["peaceful"])
    events = cast(earth_of(["P"], norse), "judgment", norse)
    assert not of_kind(events, DisasterStruck, UnitsDied)


@pytest.mark.rule("G2-RES-6")
@pytest.mark.parametrize(
    "effects",
    [
        (kill("target"), kill("adjacent")),
        (kill("target"), {"op": "terrain_set", "to": "D", "scope": "target"}, kill("adjacent")),
    ],
)
def test_all_kills_of_one_working_are_one_sum(effects: tuple[dict, ...]) -> None:
    given = [e if e["op"] != "kill" else {**e, "amount": 2} for e in effects]
    norse = race("Norse", {(0, 0): 3, (0, 1): 3})
    assert only(let(earth_of(["PP"], norse), *given, codes=["Be"], at=[(0, 0)])) == (4, 3, "earth")


@pytest.mark.rule("G2-DIS-5")
def test_no_unit_is_counted_twice() -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 1}, "barbarian")
    effects = (kill("target", "all"), kill("target+adjacent", "percent", 50), kill("race", "count", 9))
    assert only(let(earth_of(["PP"], norse), *effects, codes=["B"], at=[(0, 0)])) == (4, 4, "disaster")
    beside = let(earth_of(["PP"], norse), kill("adjacent", "all"), codes=["B"], at=[(0, 0), (0, 1)])
    assert only(beside) == (0, 0, "")
    two = (kill("target", "percent", 50), kill("target", "percent", 50))
    assert only(let(earth_of(["PP"], norse), *two, codes=["B"], at=[(0, 0)])) == (3, 3, "disaster")


@pytest.mark.rule("G2-RES-6", "G2-RES-7", "G2-AMB-26", "G2-AMB-27", "G2-DIS-4")
def test_a_vulnerable_race_loses_its_nearest_units_too_and_never_more_than_it_has() -> None:
    small = race("Norse", {(0, 0): 2, (0, 2): 1, (0, 4): 1, (0, 5): 1}, "barbarian", attributes=["small_folk"])
    elves = race("Elves", {(1, 0): 1}, attributes=["fragile"])
    state = earth_of(["PPPPPP", "PPPPPW"], small, elves)
    events = cast(state, "hurricane", at=[(0, 5)])
    assert (only(events), deaths_by_square(events)) == ((2, 3, "air"), {(0, 2): 1, (0, 4): 1, (0, 5): 1})
    assert of_kind(events, DisasterStruck) == [event_like(DisasterStruck, races=(NORSE,))]
    last = race("Norse", {(0, 0): 1}, "barbarian", attributes=["small_folk"])
    events = cast(earth_of(["PW"], last), "hurricane", at=[(0, 0)])
    assert only(events) == (1, 1, "air")
    assert of_kind(events, RaceDestroyed) == [event_like(RaceDestroyed, race=NORSE, cause="hurricane")]


@pytest.mark.rule("G2-W21", "G2-RES-8", "G2-DIS-3")
@pytest.mark.parametrize(("attribute", "destroyed"), [("mountain_folk", [(0, 0)]), ("winged", [])])
def test_named_city_losses_ask_for_the_same_codes(attribute: str, destroyed: list) -> None:
    cities = {(0, 0): CityKind.CITY, (0, 2): CityKind.CITY}
    norse = race("Norse", {(0, c): 5 for c in range(3)}, "civilized", attributes=[attribute], cities=cities)
    events = cast(earth_of(["PPP"], norse), "earthquake", at=[(0, 0)])
    gone = of_kind(events, CityDestroyed)
    assert [(e.square.y, e.square.x) for e in gone] == destroyed
    assert all(e.cause == "earthquake" for e in gone)
    kinds = [type(e) for e in events]
    assert not gone or kinds.index(DisasterStruck) < kinds.index(UnitsDied) < kinds.index(CityDestroyed)


@pytest.mark.rule("G2-RES-8")
def test_more_cities_fall_nearest_first_where_a_race_is_vulnerable() -> None:
    cities = {(0, c): CityKind.CITY for c in (0, 2, 3, 5)}
    norse = race("Norse", {(0, c): 3 for c in range(6)}, "civilized", attributes=["fragile"], cities=cities)
    razing = {"op": "destroy_city", "scope": "target", "count": 1}
    events = let(earth_of(["PPPPPP"], norse), razing, codes=["Be"], at=[(0, 3)])
    assert [(e.square.y, e.square.x) for e in of_kind(events, CityDestroyed)] == [(0, 3), (0, 2)]
    both = let(earth_of(["PPPPPP"], norse), kill("target", "all"), razing, codes=["B"], at=[(0, 3)])
    assert [(e.square.y, e.square.x) for e in of_kind(both, CityDestroyed)] == [(0, 3), (0, 2)]
    every = {"op": "destroy_city", "scope": "race", "count": 9}
    assert len(of_kind(let(earth_of(["PPPPPP"], norse), every, codes=["Be"], race=norse), CityDestroyed)) == 4


@pytest.mark.rule("G2-RES-8", "G2-CITY-10")
def test_no_code_saves_a_city_whose_people_have_died() -> None:
    cities = {(0, 0): CityKind.CITY, (0, 2): CityKind.CITY}
    norse = race("Norse", {(0, 0): 2, (0, 2): 3}, "civilized", attributes=["winged"], cities=cities)
    state = earth_of(["PPP"], norse, features=[("volcano", (0, 0))])
    events = cast(state, "eruption", at=[(0, 0)])
    assert only(events) == (2, 1, "fire+earth")
    assert not of_kind(events, CityDestroyed)
    state = earth_of(["PPP"], norse)
    events = cast(state, "wasting", at=[(0, 0)])
    assert of_kind(events, CityDestroyed) == [event_like(CityDestroyed, cause="wasting", square=Place(x=0, y=0))]


@pytest.mark.rule("G2-W76", "G2-DIS-5", "G2-CITY-10", "G2-LIM-4", "G2-TERR-3")
@pytest.mark.parametrize(
    ("_case", "attributes", "knowledges", "dead", "left"),
    [
        ("no codes", [], [], (2, 2, "fire"), {(0, 0): 3}),
        ("F-1", ["cool"], [], (2, 1, "fire"), {(0, 0): 3, (0, 1): 1}),
        ("Weather Wisdom", [], ["weather_wisdom"], (0, 0, ""), {(0, 0): 3, (0, 1): 2}),
    ],
)
def test_a_drought_kills_the_units_above_the_limit_of_the_desert(_case, attributes, knowledges, dead, left) -> None:
    norse = race("Norse", {(0, 0): 5}, "civilized", attributes=attributes, knowledges=knowledges)
    state = earth_of(["PP"], norse, packs=pack_of({"cool": ["F-1"]}))
    events = cast(state, "drought", at=[(0, 0)])
    assert (only(events), units_of(state, NORSE)) == (dead, left)
    kinds = [type(e) for e in events if isinstance(e, TerrainChanged | UnitsDied | UnitsMoved)]
    assert kinds == [TerrainChanged, *([UnitsDied] if dead[1] else []), *([UnitsMoved] if len(left) > 1 else [])]


@pytest.mark.rule("G2-FILT-2")
def test_nobody_dies_at_a_fountain_of_youth() -> None:
    norse = race("Norse", {(0, 0): 3, (0, 1): 3, (0, 2): 1}, "barbarian", attributes=["fragile"])
    fountains = [("fountain_of_youth", (0, 0))]
    events = cast(earth_of(["PPP"], norse, features=fountains), "earthquake", at=[(0, 1)])
    assert (only(events), deaths_by_square(events)) == ((3, 4, "earth"), {(0, 1): 3, (0, 2): 1})
    events = cast(earth_of(["PPP"], norse, features=fountains), "black_plague", norse)
    assert (only(events), deaths_by_square(events)) == ((3, 4, "nature"), {(0, 1): 3, (0, 2): 1})


@pytest.mark.rule("G2-CALC-1", "G2-RES-5")
@pytest.mark.parametrize("level", ["primitive", "barbarian"])
def test_what_kills_without_codes_is_no_disaster(level: str) -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, level, attributes=["fragile"])
    events = let(earth_of(["PP"], norse), kill("here", "count", 1), at=[(0, 0)])
    assert only(events) == (1, 1, "other")
    assert not of_kind(events, DisasterStruck)


@pytest.mark.rule("G2-DIS-3", "G2-CITY-10")
def test_a_disaster_that_takes_the_last_city_takes_civilization() -> None:
    norse = race("Norse", {(0, 0): 2, (0, 1): 3}, "civilized")
    state = earth_of(["PP"], norse)
    events = cast(state, "wasting", at=[(0, 0)])
    assert of_kind(events, UnitsDied, CityDestroyed, CivilizationLost) == [
        event_like(UnitsDied, units=2),
        event_like(CityDestroyed, race=NORSE),
        event_like(CivilizationLost, race=NORSE),
    ]
    assert state.races[NORSE].level is Level.BARBARIAN


@pytest.mark.rule("G2-DIS-1", "G2-HREC-1")
def test_a_disaster_is_public_and_its_author_is_not_and_the_log_gives_the_same_state() -> None:
    book, dwarves, elves = two_peoples(cards={ANA: {"FE": 6, "SI": 6}})
    start = len(book.log)
    for power in ("earthquake", "cold_snap"):
        book.when(CastPower(power=power, targets=(Target(squares=(Place(x=3, y=1),)),)), by=ANA)
    rows = [h for h in book.log[start:] if isinstance(h.event, DisasterStruck | UnitsDied)]
    strikes = [h.event for h in rows if isinstance(h.event, DisasterStruck)]
    assert {h.audience for h in rows} == {"public"}
    assert [e.races for e in strikes] == [tuple(sorted((dwarves, elves)))] * 2
    assert all(str(ANA) not in h.event.model_dump_json() for h in book.log[start:] if h.audience == "public")
    book.wait(timedelta(minutes=31))
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)
