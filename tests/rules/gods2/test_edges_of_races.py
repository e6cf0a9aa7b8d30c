"""Races at their edges: what ends with them, what is nearly a code, who can attack (POP-5, RES-2, MOVE-6)."""

from datetime import timedelta
from typing import Any

import pytest

from games.engine.board.board import Square
from games.engine.board.grid import squares_in
from games.engine.errors import Refused
from games.engine.kernel import Context
from games.engine.lifecycle.gm_commands import EndNow, Start
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.rules import carry_out_casting, prepare_casting
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.geometry.adjacency import coastal, land
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.reach import reach
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.growth.events import MigrationEnded
from games.gods2.rules.growth.rules import grow, growth
from games.gods2.rules.pack.pack import build
from games.gods2.rules.pack.resistance import parse
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.setup.commands import SetMap
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import City, CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CityAt, PartOf, Place, Target
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.workings.events import ModificationEnded
from tests.dice import d
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM, HOST, A, B, C, define, lobby, set_up, shares, two_peoples, units
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.strikes import able, cast, kill, let, pack_of
from tests.rules.gods2.worlds import earth_of, happen, id_of, race, units_of


@pytest.mark.rule("G2-POP-5", "G2-GROW-11")
def test_with_the_last_unit_go_modifications_and_the_order_to_migrate() -> None:
    norse = race("Norse", {(0, 0): 1})
    state = earth_of(["PPP"], norse)
    cast(state, "call_to_arms", norse)
    state.migrations[norse.id] = Migration(norse.id, "e", None)
    state.board.put(Square(0, 0), None, 0)
    events = happen(state, lambda s, ctx: settle(s, ctx, "test"))
    found = of_kind(events, RaceDestroyed, MigrationEnded, ModificationEnded)
    assert [type(e) for e in found] == [RaceDestroyed, MigrationEnded, ModificationEnded]
    assert found[1].sentence(state) == "Norse migrate no more." and not state.migrations


@pytest.mark.rule("G2-RES-2")
@pytest.mark.parametrize(
    "text", ["F-2\n", "F-1.5", "F -1", "FE-1", "F-+1", "X-INF", "F+inf", "F/inf", "F*1", "-2", "F-٢"]
)
def test_what_is_nearly_a_code_is_none(text: str) -> None:
    with pytest.raises(Refused):
        parse(text)


@pytest.mark.rule("G2-TIME-3")
@pytest.mark.parametrize(
    ("length", "margin", "closes_before"),
    [(30, 300, 300), (30, 600, 600), (15, 300, 300), (45, 300, 300), (20, 480, 480), (45, 600, 600)],
)
def test_the_activity_phase_ends_five_to_ten_minutes_before_the_century_however_long_that_is(
    length: int, margin: int, closes_before: int
) -> None:
    book = set_up(options=Gods2Options(century_minutes=length, activity_margin_seconds=margin))
    define(book, "Dwarves", units((1, 1, 1)), attributes=("peaceful",), pantheon=shares(a=100))
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    era = book.state.era
    assert era.ends_at - era.activity_ends_at == timedelta(seconds=closes_before)
    assert era.ends_at - era.starts_at == timedelta(minutes=length)


@pytest.mark.rule("G2-TIME-3")
@pytest.mark.parametrize("margin", [299, 601])
def test_no_setting_lets_the_activity_phase_end_earlier_or_later(margin: int) -> None:
    with pytest.raises(ValueError, match="activity_margin_seconds"):
        Gods2Options(activity_margin_seconds=margin)


@pytest.mark.rule("G2-MOVE-6", "G2-DICE-3")
def test_a_random_attacker_is_one_that_can_reach_the_defender() -> None:
    """The wanderers two squares away reach the Norse; the Picts there do not, and the Elves stand beside them."""
    norse, elves = race("Norse", {(1, 3): 1}), race("Elves", {(1, 4): 1})
    far, near = race("Far", {(0, 1): 1}, attributes=["wanderers"]), race("Picts", {(2, 1): 1})
    effect = {"op": "war_declare", "attacker": "random_contact", "defender": "target1"}
    state = earth_of(
        ["P" * 6] * 3, norse, elves, far, near, packs=pack_of(None, hatred={"codes": ["X"], "effects": [effect]})
    )
    state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    attackers = sorted((elves.id, far.id))
    for die in (1, 2):
        declared = of_kind(cast(state, "hatred", norse, dice=[d(2, "war/against", die)]), WarDeclared)
        assert declared == [event_like(WarDeclared, attacker=attackers[die - 1], defender=norse.id)]


@pytest.mark.rule("G2-RES-7", "G2-AMB-26")
def test_more_deaths_fall_on_the_race_where_it_stands_nearest_to_what_was_struck() -> None:
    norse = race("Norse", {(0, 0): 2, (0, 3): 2, (0, 5): 2, (1, 1): 1}, "barbarian", attributes=["small_folk"])
    state = earth_of(["P" * 6] * 2, norse)
    events: list[Any] = let(state, kill("target", "all"), codes=["Ba"], at=[(0, 0)])
    # two counted, A+1: a third one, on the square beside
    left = {(r, c): int(state.board.units[r, c]) for r, c in norse.units}
    assert left == {(0, 0): 0, (0, 3): 2, (0, 5): 2, (1, 1): 0} and events


@pytest.mark.rule("G2-GROW-11")
@pytest.mark.parametrize(
    ("duration", "steps"), [(None, 1), ("century", 1), ("centuries:1", 1), ("centuries:3", 3), ("era", 15)]
)
def test_an_order_to_migrate_counts_for_as_many_growths_as_its_data_say(duration: str | None, steps: int) -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1})
    trek = {"codes": ["X"], "effects": [{"op": "migrate", "mode": "direction"}]}
    packs = pack_of(None, trek={**trek, **({"duration": duration} if duration else {})})
    state = earth_of(["P" * 20], norse, packs=packs)
    god, aim = able(state, "trek"), (Target(race=norse.id, direction="e"),)

    def cast_trek(state: State, ctx: Context) -> Any:
        casting = prepare_casting(state, (god,), "trek", aim)
        yield from carry_out_casting(state, ctx, casting, (PartOf(seat=god.id, amount=casting.price.amount),))

    happen(state, cast_trek)
    grown = 0
    while norse.id in state.migrations and grown < 20:
        state.set_era(century=state.era.century + 1)
        happen(state, lambda s, ctx: grow(s, ctx, norse.id))
        grown += 1
    assert grown == steps


@pytest.mark.rule("G2-MAP-1")
def test_a_map_has_thirty_rows_of_twenty_squares_unless_the_host_says_otherwise() -> None:
    book = lobby()
    book.when(SetMap(rows=("P" * 20,) * 30), by=HOST)
    board = book.state.board
    assert (board.height, board.width, board.terrain.size) == (30, 20, 600)
    with refused("map.invalid", book.state):
        book.when(SetMap(height=30, rows=("P" * 20,) * 29), by=HOST)
    book.when(SetMap(width=2, height=1, rows=("PW",)), by=HOST)
    assert (book.state.board.height, book.state.board.width) == (1, 2)


@pytest.mark.rule("G2-MAP-2", "G2-MAP-5")
def test_plains_forest_desert_and_mountains_are_land_and_ice_and_water_are_not() -> None:
    state = earth_of(["PWFWDWMWIWW", "WWWWWWWWWWW"])
    assert squares_in(land(state.board)) == [(0, 0), (0, 2), (0, 4), (0, 6)]
    assert [int(n) for n in coastal(state)[0]] == [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    assert [int(n) for n in coastal(state)[1]] == [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0]


@pytest.mark.rule("G2-MAP-1", "G2-MAP-4")
def test_the_map_does_not_wrap_around() -> None:
    norse = race("Norse", {(0, 0): 1})
    assert squares_in(reach(earth_of(["PPPP"] * 4, norse), norse.id)) == [(0, 1), (1, 0), (1, 1)]


@pytest.mark.rule("G2-MAP-7")
def test_a_square_carries_several_features_and_one_city() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, "civilized")
    state = earth_of(["PP"], norse)
    for kind in ("river", "landmark", "fertile_land"):
        let(state, {"op": "feature_add", "feature": kind, "scope": "target"}, at=[(0, 0)])
    assert sorted(f.kind for f in state.features.values()) == ["fertile_land", "landmark", "river"]
    state.invariants()
    second = City(id_of("second"), norse.id, Square(0, 0))
    state.cities[second.id] = second
    with pytest.raises(Refused, match="Two cities stand at 0, 0"):
        state.invariants()
    book = lobby()
    book.when(SetMap(width=2, height=1, rows=("PP",)), by=HOST)
    twice = (CityAt(square=Place(x=0, y=0)), CityAt(square=Place(x=0, y=0), kind="great"))
    known = ("agriculture", "civilization", "toolmaking", "tribal_law")
    with refused("race.invalid", book.state):
        define(book, "Dwarves", units((0, 0, 1)), knowledges=known, cities=twice)
    define(book, "Dwarves", units((0, 0, 1)), knowledges=known, cities=twice[:1])


@pytest.mark.rule("G2-POP-3", "G2-POP-4")
@pytest.mark.parametrize(
    ("living", "rate", "flat", "gained"),
    [
        (20, -25, 0, 0),
        (100, 0, -7, 0),
        (4, 25, -3, 0),
        (4, 25, -1, 0),
        (8, 25, -1, 1),
        (100, -50, 60, 10),
        (1, 1, 0, 1),
    ],
)
def test_growth_is_rounded_before_what_is_flat_and_never_below_nothing(
    living: int, rate: int, flat: int, gained: int
) -> None:
    assert growth(living, rate, flat) == gained


@pytest.mark.rule("G2-LVL-2", "G2-RES-1", "G2-RES-5")
@pytest.mark.parametrize(("level", "dead"), [("primitive", 3), ("barbarian", 4), ("civilized", 4)])
@pytest.mark.parametrize("code", ["Bf", "B", "Gi"])
def test_primitive_people_resist_whatever_strikes_by_one(level: str, dead: int, code: str) -> None:
    norse = race("Norse", {(0, c): 1 for c in range(5)}, level)
    state = earth_of(["PPPPP"], norse)
    (died,) = of_kind(let(state, kill("race", amount=4), codes=[code], race=norse), UnitsDied)
    assert (died.counted, died.units) == (4, dead)


@pytest.mark.rule("G2-RES-1", "G2-RES-3")
def test_attributes_knowledges_modifications_and_level_resist_together() -> None:
    """Ten are struck by fire: F-1 of the desert, F-1 of aqueducts, X-1 of the dawn, X-1 of the primitive."""
    norse = race("Norse", {(0, c): 1 for c in range(12)}, attributes=["desert_race"], knowledges=["aqueducts"])
    state = earth_of(["P" * 12], norse)
    cast(state, "blessing_of_dawn", norse)
    (died,) = of_kind(let(state, kill("race", amount=10), codes=["Bf"], race=norse), UnitsDied)
    assert (died.counted, died.units) == (10, 6)


@pytest.mark.rule("G2-AGG-2", "G2-AGG-1")
def test_the_anger_of_the_starved_ends_with_the_century() -> None:
    book = set_up(("WWW", "WPW", "WWW"))
    norse = define(book, "Norse", units((1, 1, 1)), attributes=("peaceful",), pantheon=shares(a=100))
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    assert stat(book.state, norse, "aggression").value == -3 + 2
    book.when(EndNow(), by=GM)
    assert stat(book.state, norse, "aggression").value == -3 + 2
    book.when(ApproveWorksheet(), by=GM)
    assert (stat(book.state, norse, "aggression").value, book.state.races[norse].starved) == (-3, False)


@pytest.mark.rule("G2-DIP-1", "G2-WLTH-2", "G2-MIL-1")
@pytest.mark.parametrize(("mines", "bonus"), [(0, 0), (1, 1), (2, 2)])
def test_diplomacy_is_the_sum_of_nature_knowledge_modifications_and_a_third_of_the_wealth(
    mines: int, bonus: int
) -> None:
    norse = race(
        "Norse", {(0, c): 1 for c in range(3)}, "barbarian", attributes=["silver_tongued"], knowledges=["writing"]
    )
    packs = pack_of(None, charm={"codes": ["M"], "effects": [{"op": "stat_add", "stat": "diplomacy", "amount": -1}]})
    state = earth_of(["PPP"], norse, features=[("mineral_resource", (0, c)) for c in range(mines)], packs=packs)
    cast(state, "charm", norse)
    assert stat(state, norse.id, "wealth").value == 3 * mines
    assert stat(state, norse.id, "diplomacy").value == 2 + 1 - 1 + bonus
    assert stat(state, norse.id, "military").value == 1 + bonus


@pytest.mark.rule("G2-LIM-2", "G2-AMB-65")
@pytest.mark.parametrize(("features", "limit"), [(("waste",), 2), (("waste", "dead_zone"), 0), (("waste", "river"), 2)])
def test_of_several_limits_set_for_a_square_itself_the_smallest_counts(features: tuple[str, ...], limit: int) -> None:
    raw = raw_pack(1)
    holds = {"op": "limit_set", "where": "here", "amount": 2}
    raw["features"].append(
        {"id": "waste", "name": "Waste", "code": "Fp", "terrains": ["any"], "origin": "test", "effects": [holds]}
    )
    for order in (features, features[::-1]):
        norse = race("Norse", {(0, 1): 1}, "civilized")
        state = earth_of(["PP"], norse, features=[(kind, (0, 0)) for kind in order], packs={2: build(2, raw)})
        assert limits(state, norse.id)[0].tolist() == [limit, 5]


@pytest.mark.rule("G2-CITY-8")
def test_a_civilized_people_comes_with_a_city_and_no_other_people_with_one() -> None:
    book = lobby()
    book.when(SetMap(width=2, height=1, rows=("PP",)), by=HOST)
    city = (CityAt(square=Place(x=0, y=0)),)
    for knowledges, cities in ((("civilization",), ()), (("tribal_law",), city), ((), city)):
        with refused("race.invalid", book.state):
            define(book, "Dwarves", units((0, 0, 1)), knowledges=knowledges, cities=cities)
    with refused("race.invalid", book.state):
        define(book, "Dwarves", units((1, 0, 1)), knowledges=("civilization",), cities=city)
    define(book, "Dwarves", units((0, 0, 1)), knowledges=("civilization",), cities=city)
    assert book.state.invariants() is None


@pytest.mark.rule("G2-CITY-9")
def test_nothing_takes_civilization_from_a_race_that_owns_a_city() -> None:
    norse = race("Norse", {(0, 0): 1}, "civilized")
    for effect in ({"op": "forget", "knowledge": "civilization"}, {"op": "forget", "random": "any"}):
        state = earth_of(["PP"], norse, packs=pack_of(None, fog={"codes": ["X"], "effects": [effect]}))
        with refused("knowledge.kept"):
            cast(state, "fog", norse)
        assert let(state, effect, race=norse) == [] and state.races[norse.id].knowledges == ("civilization",)


@pytest.mark.rule("G2-CITY-10", "G2-CITY-9")
def test_a_level_has_fallen_before_limits_are_checked() -> None:
    """No civilized unit lives on ice, a barbarian does: who is left stays, as the city and the level go first."""
    norse = race("Norse", {(0, 0): 2, (0, 1): 1}, "civilized")
    state = earth_of(["PP"], norse)
    state.board.put(Square(0, 0), None, 0)
    state.board.set_terrain(Square(0, 1), TERRAINS.index("I"))
    events = happen(state, lambda s, ctx: settle(s, ctx, "test"))
    assert [type(e).__name__ for e in events] == ["CityDestroyed", "SourceCounted", "CivilizationLost", "LevelChanged"]
    assert (units_of(state, norse), state.races[norse.id].level) == ({(0, 1): 1}, Level.BARBARIAN)


@pytest.mark.rule("G2-CITY-12", "G2-AMB-16")
def test_a_great_city_takes_the_place_of_its_city_and_is_raised_once() -> None:
    norse = race("Norse", {(0, 0): 1}, "civilized")
    state = earth_of(["PP"], norse)
    (city,) = state.cities
    god, aim = able(state, "found_great_city"), (Target(city=city),)

    def found_great_city(state: State, ctx: Context) -> Any:
        casting = prepare_casting(state, (god,), "found_great_city", aim)
        yield from carry_out_casting(state, ctx, casting, (PartOf(seat=god.id, amount=casting.price.amount),))

    happen(state, found_great_city)
    assert [(c.id, c.kind, c.square) for c in state.cities.values()] == [(city, CityKind.GREAT, (0, 0))]
    with refused("city.great"):
        happen(state, found_great_city)


@pytest.mark.rule("G2-PAN-4", "G2-PAN-3")
def test_an_order_removes_adds_and_moves_and_a_new_member_does_not_sign() -> None:
    book, dwarves, _ = two_peoples()
    order = book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=30, c=70)), by=ANA)[0].order
    book.when(SignPantheonOrder(order=order), by=ANA)
    book.when(HandInPantheonOrder(order=order), by=ANA)
    assert book.state.pantheon(dwarves) == {A: 6000, B: 4000}  # Belun has not signed
    book.when(SignPantheonOrder(order=order), by=BEN)
    book.when(HandInPantheonOrder(order=order), by=ANA)
    assert book.state.pantheon(dwarves) == {A: 3000, C: 7000}
