"""The numbers of a race and their sources (G2-AGG-1, G2-MIL, G2-DIP-1, G2-WLTH, G2-POP-2)."""

import pytest

from games.gods2.rules.geometry.stats import diplomacy_by_nature, growth_rate, stat, strength, wealth_bonus
from games.gods2.rules.state.records import CityKind
from tests.rules.gods2.worlds import earth_of, race


@pytest.mark.rule("G2-W03", "G2-POP-1", "G2-POP-2", "G2-CITY-1")
def test_cities_count_three_and_great_cities_six() -> None:
    cities = {(0, 0): CityKind.CITY, (0, 1): CityKind.CITY, (0, 2): CityKind.GREAT}
    norse = race("Norse", {(0, c): 5 for c in range(4)}, "civilized", cities=cities)
    state = earth_of(["PPPP"], norse)
    assert state.board.units_of(norse.id) == 20
    assert strength(state, norse.id) == 32


@pytest.mark.rule("G2-W04", "G2-WLTH-2")
@pytest.mark.parametrize(("wealth", "bonus"), [(0, 0), (2, 0), (8, 2), (3, 1)])
def test_each_full_three_points_of_wealth_give_one(wealth: int, bonus: int) -> None:
    assert wealth_bonus(wealth) == bonus


@pytest.mark.rule("G2-W05", "G2-MIL-1", "G2-LVL-3", "G2-WLTH-1", "G2-KNOW-3")
def test_military_is_the_sum_of_its_sources() -> None:
    knowledges = ("archery", "iron_weapons", "pottery", "toolmaking")
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, "barbarian", attributes=["warlike", "greedy"], knowledges=knowledges)
    state = earth_of(["PP"], norse, features=[("mineral_resource", (0, 1))])
    found = stat(state, norse.id, "military")
    assert stat(state, norse.id, "wealth").value == 7
    assert found.value == 1 + 3 + 1 + 2
    assert {p.source: p.amount for p in found.parts} == {
        "attribute:warlike": 1,
        "knowledge:archery": 1,
        "knowledge:iron_weapons": 2,
        "level:barbarian": 1,
        "wealth": 2,
    }


@pytest.mark.rule("G2-W06", "G2-AGG-1", "G2-AGG-2", "G2-LVL-3")
def test_a_starved_barbarian_who_knows_law_has_aggression_three() -> None:
    norse = race("Norse", {(0, 0): 1}, "barbarian", knowledges=["law"])
    state = earth_of(["P"], norse)
    assert stat(state, norse.id, "aggression").value == 1
    state.races[norse.id] = type(state.races[norse.id])(
        norse.id, "Norse", knowledges=norse.knowledges, level=norse.level, starved=True
    )
    assert stat(state, norse.id, "aggression").value == 3


@pytest.mark.rule("G2-AGG-1")
def test_aggression_may_be_negative() -> None:
    calm = race("Calm", {(0, 0): 1}, attributes=["peaceful"])
    assert stat(earth_of(["P"], calm), calm.id, "aggression").value == -3


@pytest.mark.rule("G2-MIL-2")
def test_a_part_for_a_role_counts_only_in_that_role() -> None:
    riders = race("Riders", {(0, 0): 1}, attributes=["forest_folk"], knowledges=["horsemanship"])
    state = earth_of(["P"], riders)
    roles = (None, "attacker", "defender")
    assert [stat(state, riders.id, "military", role).value for role in roles] == [0, 1, 1]


@pytest.mark.rule("G2-MIL-1", "G2-AMB-45")
def test_a_feature_counts_once_for_military_and_on_each_square_for_wealth() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1})
    features = [
        ("earthworks", (0, 0)),
        ("earthworks", (0, 1)),
        ("mineral_resource", (0, 0)),
        ("mineral_resource", (0, 1)),
    ]
    state = earth_of(["PPP"], norse, features=[*features, ("mineral_resource", (0, 2))])
    assert stat(state, norse.id, "military", "defender").value == 2 + 2
    assert stat(state, norse.id, "wealth").value == 6
    assert stat(state, norse.id, "diplomacy").value == 2


@pytest.mark.rule("G2-WLTH-1")
def test_metalworking_gives_wealth_on_each_square_with_ore() -> None:
    smiths = race("Smiths", {(0, 0): 1, (0, 1): 1}, knowledges=["metalworking"])
    state = earth_of(["PPP"], smiths, features=[("mineral_resource", (0, 0)), ("mineral_resource", (0, 2))])
    assert stat(state, smiths.id, "wealth").value == 3 + 1


@pytest.mark.rule("G2-W65", "G2-WLTH-1", "G2-CITY-2", "G2-CITY-12")
def test_two_cities_and_a_great_one_are_wealth_three_and_coinage_doubles_it() -> None:
    cities = {(0, 0): CityKind.CITY, (0, 1): CityKind.CITY, (0, 2): CityKind.GREAT}
    units = {(0, c): 1 for c in range(3)}
    plain = race("Norse", units, "civilized", cities=cities)
    rich = race("Norse", units, "civilized", cities=cities, knowledges=["coinage"])
    for norse, wealth in ((plain, 3), (rich, 6)):
        state = earth_of(["PPP"], norse)
        assert stat(state, norse.id, "wealth").value == wealth
        assert stat(state, norse.id, "military").value == wealth // 3
        assert stat(state, norse.id, "diplomacy").value == wealth // 3


@pytest.mark.rule("G2-POP-4")
def test_growth_modifiers_add_to_the_twenty_five() -> None:
    many = race("Many", {(0, 0): 1}, attributes=["prolific", "giants"], knowledges=["animal_husbandry"])
    assert growth_rate(earth_of(["P"], many), many.id) == 25 + 10 - 5 + 5


@pytest.mark.rule("G2-MOVE-1")
def test_ranges_begin_with_one_by_land_and_none_by_sea() -> None:
    plain, sailors = race("Plain", {(0, 0): 1}), race("Sailors", {(0, 1): 1}, attributes=["sea_folk", "winged"])
    state = earth_of(["PP"], plain, sailors)
    assert [stat(state, plain.id, n).value for n in ("move", "sea")] == [1, 0]
    assert [stat(state, sailors.id, n).value for n in ("move", "sea")] == [2, 2]


@pytest.mark.rule("G2-DIP-2")
def test_a_peaceful_race_always_tries_diplomacy() -> None:
    calm, plain = race("Calm", {(0, 0): 1}, attributes=["peaceful"]), race("Plain", {(0, 1): 1})
    state = earth_of(["PP"], calm, plain)
    assert diplomacy_by_nature(state, calm.id) is True
    assert diplomacy_by_nature(state, plain.id) is None


def test_the_parts_of_a_number_add_up_to_it() -> None:
    cities = {(0, 0): CityKind.GREAT}
    everything = tuple(sorted(earth_of(["P"]).pack.knowledges))
    norse = race(
        "Norse", {(0, 0): 2}, "civilized", cities=cities, attributes=["greedy", "warlike"], knowledges=everything
    )
    state = earth_of(["P"], norse, features=[("mineral_resource", (0, 0))])
    for name in ("aggression", "military", "diplomacy", "wealth", "move", "sea", "growth_pct", "growth_flat"):
        found = stat(state, norse.id, name, "defender")
        assert sum(p.amount for p in found.parts) == found.value, name
