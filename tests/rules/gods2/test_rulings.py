"""Rules and rulings that are a sentence each: poles, labels, forgetting, shares, great cities, races without gods."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.engine.board.board import Square
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.cities.events import CityFounded, CivilizationLost
from games.gods2.rules.cities.rules import check_city
from games.gods2.rules.effects.events import DisasterStruck, TerrainChanged
from games.gods2.rules.geometry.stats import stat, strength
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.knowledge.events import KnowledgeLost
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    HandInPantheonOrder,
    PantheonOrderDrafted,
    SignPantheonOrder,
)
from games.gods2.rules.pantheon.events import PantheonOrderAccepted, PantheonOrderRefused
from games.gods2.rules.setup.commands import DefineRace
from games.gods2.rules.setup.events import RaceDefined
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, CityKind, Level
from games.gods2.rules.state.shares import apportion, cult, dissenter
from games.gods2.rules.war.events import WarFought
from games.gods2.rules.war.rules import fight
from games.gods2.rules.workings.events import ModificationEnded
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import ANA, HOST, begin, define, endow, minutes, set_up, shares, units
from tests.rules.gods2.lands import SPHERES
from tests.rules.gods2.lands import cast as cast_on
from tests.rules.gods2.strikes import cast, deaths_by_square, kill, let, pack_of
from tests.rules.gods2.worlds import earth_of, happen, plant_war, race, row_major, units_of


@pytest.mark.rule("G2-MAP-3")
@pytest.mark.parametrize(("pole", "cold", "hot"), [("north", 0, 3), ("south", 3, 0)])
def test_ice_spreads_from_the_cold_pole_which_a_setting_puts_in_the_north_or_the_south(
    pole: Any, cold: int, hot: int
) -> None:
    book = set_up(("PPPP",) * 4, options=Gods2Options(cold_pole=pole))
    define(book, "Dwarves", units((1, 1, 1)), attributes=("peaceful",), pantheon=shares(a=100))
    begin(book)
    endow(book, ANA, 300, *SPHERES)
    for warm in ((hot, 0), (1, 0), (2, 0)):
        with refused("target.unfit", book.state):
            cast_on(book, "spread_ice", warm)
    assert of_kind(cast_on(book, "spread_ice", (cold, 0)), TerrainChanged)


@pytest.mark.rule("G2-MAP-3")
def test_the_north_is_cold_unless_the_game_says_otherwise() -> None:
    assert Gods2Options().cold_pole == "north"


@pytest.mark.rule("G2-KNOW-4", "G2-AMB-22")
def test_a_modification_that_needed_a_lost_knowledge_stays_and_works_on() -> None:
    norse = race("Norse", {(0, 0): 3}, "barbarian", knowledges=("toolmaking", "archery", "pottery", "metalworking"))
    state = earth_of(["PPP"], norse)
    before = stat(state, norse.id, "military").value
    events = let(state, {"op": "forget", "knowledge": "toolmaking"}, race=norse)
    assert [e.knowledges for e in of_kind(events, KnowledgeLost)] == [("toolmaking",)]
    assert set(state.races[norse.id].knowledges) == {"archery", "metalworking", "pottery", "tribal_law"}
    assert stat(state, norse.id, "military").value == before


@pytest.mark.rule("G2-KNOW-4", "G2-CITY-9")
def test_only_civilization_takes_with_it_what_needed_it() -> None:
    known = ("tribal_law", "toolmaking", "agriculture", "writing", "law")
    norse = race("Norse", {(0, 0): 3}, "civilized", knowledges=known)
    state = earth_of(["PPP"], norse)
    let(state, {"op": "forget", "knowledge": "writing"}, race=norse)
    assert "law" in state.races[norse.id].knowledges
    for city in list(state.cities):
        del state.cities[city]
    from_cities = happen(state, lambda s, ctx: _settle(s, ctx))
    assert [e.knowledges for e in of_kind(from_cities, CivilizationLost)] == [("civilization", "law")]


def _settle(state: Any, ctx: Any) -> Any:
    return settle(state, ctx, "test")


LABELS: Mapping[str, Mapping[str, Any]] = {
    f"{name}_{code.lower()}": {"codes": [code], "effects": [effect], "requires": []}
    for name, effect in {
        "might": {"op": "stat_add", "stat": "military", "amount": 2},
        "blow": kill("race", amount=3),
    }.items()
    for code in ("M", "Mi", "Mn")
}


@pytest.mark.rule("G2-MOD-6")
def test_a_label_does_nothing_by_itself() -> None:
    found = []
    for code in ("m", "mi", "mn"):
        norse = race("Norse", row_major(10, 0, 20))
        state = earth_of(["P" * 10] * 3, norse, packs=pack_of(None, **LABELS))
        state.set_era(century=3)
        cast(state, f"might_{code}", norse)
        events = cast(state, f"blow_{code}", norse)
        here = sorted(state.modifications.values(), key=lambda m: m.place)
        found.append(
            (
                stat(state, norse.id, "military").value,
                sum(deaths_by_square(events).values()),
                len(of_kind(events, DisasterStruck)),
                [(m.status, m.until) for m in here],
            )
        )
    assert found[0] == found[1] == found[2] and found[0][:3] == (2, 3, 0)


@pytest.mark.rule("G2-MOD-6", "G2-FILT-1")
def test_other_powers_filter_on_labels() -> None:
    norse = race("Norse", row_major(10, 0, 20))
    state = earth_of(["P" * 10] * 3, norse, packs=pack_of(None, **LABELS))
    for code in ("m", "mi", "mn"):
        cast(state, f"might_{code}", norse)
    events = let(state, {"op": "strip", "filter": "Mi"}, race=norse)
    assert [e.power for e in of_kind(events, ModificationEnded)] == ["might_mi"]
    events = let(state, {"op": "strip", "filter": "Mn"}, race=norse)
    assert [e.power for e in of_kind(events, ModificationEnded)] == ["might_mn"]


@pytest.mark.rule("G2-AMB-6", "G2-PAN-9")
def test_shares_are_hundredths_and_the_largest_remainders_get_what_is_left() -> None:
    assert cult({"a": 5000, "b": 3300, "c": 1700}, {"a": 500}) == {"a": 5500, "b": 2970, "c": 1530}
    assert apportion({"a": 1, "b": 1, "c": 1}, 10_000) == {"a": 3334, "b": 3333, "c": 3333}
    assert apportion({"a": 2, "b": 3, "c": 1}, 10_000) == {"a": 3333, "b": 5000, "c": 1667}
    for parts in range(1, 40):
        assert sum(apportion({f"m{n:02}": n + 1 for n in range(parts)}, 10_000).values()) == 10_000


@pytest.mark.rule("G2-AMB-16", "G2-CITY-12", "G2-CITY-4", "G2-CITY-1")
@pytest.mark.parametrize("kind", [CityKind.CITY, CityKind.GREAT])
def test_a_great_city_takes_the_place_of_a_city_and_counts_as_one(kind: CityKind) -> None:
    norse = race("Norse", row_major(6, 0, 12), "civilized", cities={(0, 0): CityKind.CITY, (0, 1): kind})
    state = earth_of(["P" * 6] * 3, norse)
    check_city(state, norse.id)  # twelve squares are enough for a third one, great or not
    assert strength(state, norse.id) == 12 + 3 + (6 if kind is CityKind.GREAT else 3)
    state.board.put(Square(1, 5), None, 0)
    with refused("city.squares", state):
        check_city(state, norse.id)


@pytest.mark.rule("G2-AMB-23", "G2-CITY-3")
def test_a_race_that_learns_civilization_again_builds_a_city_again() -> None:
    norse = race("Norse", {(0, 0): 2, (0, 1): 3}, "civilized", knowledges=("tribal_law", "agriculture", "toolmaking"))
    state = earth_of(["PPP"], norse)
    for city in list(state.cities):
        del state.cities[city]
    assert of_kind(happen(state, _settle), CivilizationLost)
    assert state.races[norse.id].level is Level.BARBARIAN
    events = cast(state, "teach_civilization", norse)
    assert [(e.square.y, e.square.x) for e in of_kind(events, CityFounded)] == [(0, 1)]
    assert not of_kind(events, CivilizationLost) and state.races[norse.id].level is Level.CIVILIZED


@pytest.mark.rule("G2-AMB-29", "G2-PAN-5")
def test_a_veto_asks_for_five_points_of_the_whole_and_not_for_a_twentieth_of_the_share() -> None:
    before = {"a": 9000, DIABOLISM: 1000}
    assert dissenter(before, {"a": 8950, DIABOLISM: 1050}) == DIABOLISM  # five percent more of its share
    assert dissenter(before, {"a": 8501, DIABOLISM: 1499}) == DIABOLISM
    assert dissenter(before, {"a": 8500, DIABOLISM: 1500}) is None
    book = set_up()
    norse = define(book, "Norse", units((1, 1, 1)), pantheon=shares(a=90, diabolism=10))
    begin(book)
    for points, kind in ((10.5, PantheonOrderRefused), (15, PantheonOrderAccepted)):
        drafted = book.when(DraftPantheonOrder(race=norse, pantheon=shares(a=100 - points, diabolism=points)), by=ANA)
        order = of_kind(drafted, PantheonOrderDrafted)[0].order
        book.when(SignPantheonOrder(order=order), by=ANA)
        assert of_kind(book.when(HandInPantheonOrder(order=order), by=ANA), kind)


@pytest.mark.rule("G2-AMB-36", "G2-MAP-6")
def test_two_races_never_share_a_square() -> None:
    book = set_up(("PPP",))
    norse = define(book, "Norse", units((0, 0, 1)), attributes=("peaceful",))
    with refused("square.taken", book.state):
        book.when(DefineRace(name="Picts", placed=units((0, 0, 1))), by=HOST)
    picts = define(book, "Picts", units((2, 0, 1)), attributes=("peaceful",))
    begin(book)
    for _ in range(3):
        grew = of_kind(book.wait(minutes(30)), RaceGrew)
        owners = [book.state.board.people_at(Square(0, column)) for column in range(3)]
        assert owners[0] == norse and owners[2] == picts
        for event in grew:
            other = picts if event.race == norse else norse
            assert all(book.state.board.people_at(h.square.square) != other for h in event.placed)


@pytest.mark.rule("G2-AMB-36", "G2-WAR-12")
def test_a_winner_moves_in_only_where_the_loser_has_gone() -> None:
    norse = race("Norse", {(0, 0): 60, (0, 1): 60}, "barbarian")
    picts = race("Picts", {(0, 2): 20, (0, 3): 20}, "barbarian")
    state = earth_of(["PPPP"], norse, picts)
    war = plant_war(state, norse, picts)
    events = happen(state, lambda s, ctx: fight(s, ctx, war), None)
    assert of_kind(events, WarFought)
    assert not set(units_of(state, norse)) & set(units_of(state, picts))


@pytest.mark.rule("G2-AMB-47")
def test_a_race_without_gods_believes_in_none() -> None:
    book = set_up()
    defined = book.when(DefineRace(name="Norse", placed=units((1, 1, 1))), by=HOST)
    norse = of_kind(defined, RaceDefined)[0].race
    assert book.state.pantheon(norse) == {ATHEISM: 10_000}
    begin(book)
    paid = book.wait(minutes(30))
    assert not [e for e in paid if getattr(e, "race", None) == norse and type(e).__name__ == "ManaPaid"]
    assert book.state.pantheon(norse) == {ATHEISM: 10_000}
