"""Population limits (G2-LIM-1, G2-LIM-2)."""

import pytest

from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.state.records import CityKind, Level
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import earth_of, race


@pytest.mark.rule("G2-LIM-1")
@pytest.mark.parametrize(
    ("level", "expected"),
    [("primitive", [1, 1, 1, 1, 1, 0]), ("barbarian", [3, 3, 2, 1, 1, 0]), ("civilized", [5, 3, 3, 2, 0, 0])],
)
def test_the_table_of_limits(level: str, expected: list[int]) -> None:
    norse = race("Norse", {(0, 0): 1}, level)
    assert limits(earth_of(["PFDMIW"], norse), norse.id)[0].tolist() == expected


@pytest.mark.rule("G2-W32", "G2-LIM-2", "G2-AMB-44")
def test_a_rise_never_lifts_a_limit_of_nothing() -> None:
    norse = race("Norse", {(0, 0): 1}, "civilized")
    state = earth_of(["PW"], norse, features=[("fertile_land", (0, 0)), ("fertile_land", (0, 1))])
    assert limits(state, norse.id)[0].tolist() == [7, 0]


@pytest.mark.rule("G2-W70", "G2-LIM-2", "G2-AMB-65")
def test_set_comes_before_add_and_set_here_beats_everything() -> None:
    snow = race("Snow", {(0, 0): 1}, "civilized", attributes=["snow_folk"])
    features = [("dead_zone", (0, 1)), ("fertile_land", (0, 2)), ("dead_zone", (0, 2))]
    assert limits(earth_of(["IIP"], snow, features=features), snow.id)[0].tolist() == [2, 0, 0]


@pytest.mark.rule("G2-W70", "G2-LIM-2")
def test_of_several_sets_the_largest_counts_before_what_is_added() -> None:
    norse = race("Norse", {(0, 0): 1}, "civilized", attributes=["two", "four"])
    state = earth_of(["P"], norse, features=[("fertile_land", (0, 0))], packs={2: pack_with_sets()})
    assert limits(state, norse.id)[0].tolist() == [6]


def pack_with_sets() -> Pack:
    plain = raw_pack(1)
    for key, amount in (("two", 2), ("four", 4)):
        effect = {"op": "limit_set", "terrain": "P", "amount": amount}
        plain["attributes"].append({"id": key, "name": key, "cost": 1, "origin": "test", "effects": [effect]})
    return build(2, plain)


@pytest.mark.rule("G2-LIM-2", "G2-MAP-5")
def test_knowledges_raise_limits_by_terrain_coast_river_and_city() -> None:
    knowledges = ["agriculture", "fishing", "irrigation", "engineering", "aqueducts"]
    norse = race("Norse", {(0, 1): 1}, "civilized", knowledges=knowledges, cities={(0, 1): CityKind.CITY})
    state = earth_of(["WPPPW", "WPPPP"], norse, features=[("river", (0, 2))])
    # plains 5 + agriculture 1; + fishing 1 beside water; + city 1 + 2; + river 1 + irrigation 1
    assert limits(state, norse.id).tolist() == [[0, 10, 8, 7, 0], [0, 7, 6, 7, 7]]


@pytest.mark.rule("G2-LIM-1")
def test_limits_can_be_asked_for_another_level() -> None:
    norse = race("Norse", {(0, 0): 1})
    assert limits(earth_of(["PI"], norse), norse.id, Level.CIVILIZED)[0].tolist() == [5, 0]
