"""The land: terrain that gods change, features they put (section 1.15 of the rulebook)."""

from dataclasses import replace

import pytest

from games.engine.board.board import Square
from games.gods2.rules.casting.events import PowerCast
from games.gods2.rules.cities.events import CityDestroyed, CivilizationLost
from games.gods2.rules.effects.events import FeatureRemoved, TerrainChanged
from games.gods2.rules.effects.registry import check, perform
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.pack.operations import TerrainSet, read_operation
from games.gods2.rules.setup.commands import SetMap
from games.gods2.rules.setup.events import FeatureAdded
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Cell, Place
from games.gods2.rules.workings.context import Working
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.era import HOST, set_up
from tests.rules.gods2.lands import ROWS, cast, features, game, put, terrain, work
from tests.rules.gods2.worlds import earth_of, race, units_of


def land_part(state: State, power: str) -> list[TerrainSet]:
    """What a power of the pack does to the land."""
    return [e for e in state.pack.powers[power].effects if isinstance(e, TerrainSet)]


@pytest.mark.rule("G2-TERR-1")
@pytest.mark.parametrize(
    ("power", "square", "before", "after"),
    [
        ("raise_mountain", (0, 1), "IPPPWFMD", "IMPPWFMD"),
        ("forest_growth", (0, 2), "IPPPWFMD", "IPFPWFMD"),
        ("drown_the_shore", (0, 3), "IPPPWFMD", "IPPWWFMD"),
        ("spread_ice", (0, 1), "IPPPWFMD", "IIPPWFMD"),
        ("spread_ice", (0, 7), "IPPPWFMD", "IPPPWFMI"),
    ],
)
def test_a_power_changes_the_base_terrain_of_the_named_square(power, square, before, after) -> None:
    book = game()
    assert terrain(book.state)[0] == before
    events = cast(book, power, square)
    (changed,) = of_kind(events, TerrainChanged)
    (paid,) = of_kind(events, PowerCast)
    assert (changed.cause, changed.casting) == (power, paid.casting)
    assert terrain(book.state) == [after, *ROWS[1:]]
    assert {h.audience for h in book.log if isinstance(h.event, TerrainChanged)} == {"public"}


@pytest.mark.rule("G2-TERR-1")
def test_the_caster_names_up_to_three_squares_that_all_satisfy_the_target() -> None:
    book = game()
    cast(book, "forest_growth", (0, 1), (1, 1), (1, 5))
    assert terrain(book.state) == ["IFPPWFMD", "PFPPPFPP", *ROWS[2:]]
    for squares in [((0, 2), (0, 4)), ((0, 1),)]:
        with refused("target.unfit", book.state):
            cast(book, "forest_growth", *squares)
    with refused("target.invalid", book.state):
        cast(book, "forest_growth", (3, 0), (3, 1), (3, 2), (3, 3))
    with refused("square.unfit", book.state):
        cast(book, "raise_mountain", (0, 6))
    with refused("target.unfit", book.state):
        cast(book, "drown_the_shore", (3, 0))


@pytest.mark.rule("G2-TERR-2")
@pytest.mark.parametrize("resistant", ["stable_ground", "blessed_land"])
def test_a_square_with_a_resistant_feature_is_refused_before_payment(resistant) -> None:
    book = game()
    put(book.state, resistant, 0, 1)
    for power in ("raise_mountain", "spread_ice", "forest_growth"):
        with refused("square.locked", book.state):
            cast(book, power, (0, 1))
    with refused("square.locked", book.state):
        cast(book, "forest_growth", (0, 2), (0, 1))
    cast(book, "forest_growth", (0, 2))


@pytest.mark.rule("G2-TERR-2")
@pytest.mark.parametrize(
    ("power", "rows", "resistant", "after"),
    [
        ("rewilding", ["FPP", "PPP"], "blessed_land", ["FPP", "FFP"]),
        ("scorching_age", ["IPI", "III"], "glacial_ice_pack", ["WPI", "WIW"]),
        ("ice_age", ["PPI", "PPP"], "stable_ground", ["PPI", "PII"]),
    ],
)
def test_powers_of_the_whole_earth_pass_resistant_squares_by(power, rows, resistant, after) -> None:
    where = {"rewilding": (0, 1), "scorching_age": (1, 1), "ice_age": (0, 1)}[power]
    state = earth_of(rows, features=[(resistant, where)])
    if power == "scorching_age":
        put(state, "glacial_ice_pack", 0, 2)
    work(state, land_part(state, power), earth=True)
    assert terrain(state) == after


@pytest.mark.rule("G2-TERR-1")
def test_the_scopes_of_the_earth_take_what_they_say_and_no_more() -> None:
    people = race("Elves", {(0, 1): 1})
    state = earth_of(["FPPD", "PPPP", "MPPP"], people)
    (event,) = work(state, land_part(state, "rewilding"), earth=True)
    assert event == event_like(TerrainChanged, terrain="F", squares=(Place(x=0, y=1), Place(x=1, y=1)))
    assert terrain(state) == ["FPPD", "FFPP", "MPPP"]

    state = earth_of(["PFWI", "DMPW", "PPPP"])
    work(state, land_part(state, "ice_age"), earth=True)
    assert terrain(state) == ["PFWI", "DMIW", "PPPP"]

    state = earth_of(["PIIW", "WWWI"])
    work(state, land_part(state, "scorching_age"), earth=True)
    assert terrain(state) == ["PWIW", "WWWI"]

    some = read_operation({"op": "terrain_set", "to": "I", "from": "L", "scope": "land_beside_ice", "max": 2})
    state = earth_of(["PPP", "PIP"])
    work(state, [some], earth=True)
    assert terrain(state) == ["IIP", "PIP"]


@pytest.mark.rule("G2-TERR-1")
def test_wildfire_burns_only_forest_and_drought_dries_the_named_square() -> None:
    state = earth_of(["FD"])
    work(state, land_part(state, "wildfire"), squares=(Square(0, 0), Square(0, 1)))
    assert terrain(state) == ["PD"]
    work(state, land_part(state, "drought"), squares=(Square(0, 0),))
    assert terrain(state) == ["DD"]


def test_conditions_about_races_are_asked_of_the_races_on_a_square() -> None:
    elves, norse = race("Elves", {(0, 0): 1}), race("Norse", {(0, 1): 1}, knowledges=["toolmaking"])
    state = earth_of(["PPPP"], elves, norse)
    dries = {"op": "terrain_set", "to": "D", "scope": "chosen", "if": [{"lacks": "toolmaking"}]}
    work(state, [read_operation(dries)], squares=tuple(Square(0, x) for x in range(4)))
    assert terrain(state) == ["DPPP"]


@pytest.mark.rule("G2-TERR-3")
@pytest.mark.parametrize(
    ("to", "left"),
    [
        ("D", ["game_birds", "landmark"]),
        ("I", ["landmark"]),
        ("W", ["landmark"]),
        ("P", ["dead_zone", "game_birds", "landmark"]),
    ],
)
def test_after_a_change_fp_stays_fl_while_it_is_land_and_ft_goes(to, left) -> None:
    state = earth_of(["PP"])
    for kind in ("landmark", "game_birds", "dead_zone"):
        put(state, kind, 0, 0)
    put(state, "dead_zone", 0, 1)
    events = work(state, [read_operation({"op": "terrain_set", "to": to, "scope": "here"})], squares=(Square(0, 0),))
    assert [kind for kind, _, column in features(state) if column == 0] == left
    assert ("dead_zone", 0, 1) in features(state)
    gone = {"dead_zone", "game_birds", "landmark"} - set(left)
    assert {e.kind for e in of_kind(events, FeatureRemoved)} == gone


@pytest.mark.rule("G2-TERR-3", "G2-CITY-7", "G2-CITY-9")
def test_a_city_whose_square_becomes_water_is_destroyed_and_civilization_with_it() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, "civilized")
    state = earth_of(["PPW"], norse)
    events = work(state, [read_operation({"op": "terrain_set", "to": "W", "scope": "target"})], squares=(Square(0, 0),))
    assert [type(e) for e in events][:3] == [TerrainChanged, CityDestroyed, SourceCounted]
    assert of_kind(events, CityDestroyed) == [event_like(CityDestroyed, square=Place(x=0, y=0), cause="test")]
    assert len(of_kind(events, CivilizationLost)) == 1
    assert (state.races[norse.id].level, dict(state.cities)) == (Level.BARBARIAN, {})
    assert units_of(state, norse) == {(0, 1): 2}


@pytest.mark.rule("G2-CITY-7", "G2-TERR-3")
def test_a_city_goes_with_a_change_to_ice_and_stays_with_a_change_of_land() -> None:
    snow = race("Snow", {(0, 0): 1, (0, 1): 1}, "civilized", attributes=["snow_folk"], cities={
        (0, 0): CityKind.CITY, (0, 1): CityKind.GREAT})  # fmt: skip
    state = earth_of(["IP"], snow)
    work(state, [])
    assert len(state.cities) == 2  # a city on ice stands where nothing has changed
    work(state, [read_operation({"op": "terrain_set", "to": "M", "scope": "target"})], squares=(Square(0, 1),))
    assert len(state.cities) == 2
    work(state, [read_operation({"op": "terrain_set", "to": "I", "scope": "target"})], squares=(Square(0, 1),))
    assert [c.square for c in state.cities.values()] == [(0, 0)]


@pytest.mark.rule("G2-CITY-10", "G2-TERR-3")
def test_what_a_change_destroys_goes_when_all_effects_have_run() -> None:
    norse = race("Norse", {(0, 0): 1}, "civilized")
    state = earth_of(["PPP"], norse, features=[("earthworks", (0, 0))])
    drown = read_operation({"op": "terrain_set", "to": "W", "scope": "here"})
    here = read_operation(
        {"op": "terrain_set", "to": "F", "scope": "chosen", "if": [{"feature": ["earthworks", "city"]}]}
    )
    events = work(state, [drown, here], squares=(Square(0, 0),))
    found = [type(e) for e in of_kind(events, TerrainChanged, FeatureRemoved, CityDestroyed)]
    assert found == [TerrainChanged, TerrainChanged, FeatureRemoved]
    assert terrain(state) == ["FPP"]


@pytest.mark.rule("G2-FEAT-1", "G2-MAP-7")
@pytest.mark.parametrize(
    ("power", "square", "kind"),
    [
        ("fertile_soil", (0, 1), "fertile_land"),
        ("glacial_pack", (0, 0), "glacial_ice_pack"),
        ("mineral_strike", (0, 0), "mineral_resource"),
        ("open_void_gate", (0, 4), "void_gate"),
        ("ghost_land", (0, 2), "dead_zone"),
        ("holy_ground", (0, 6), "blessed_land"),
    ],
)
def test_a_power_puts_a_feature_and_leaves_the_terrain_alone(power, square, kind) -> None:
    book = game()
    put(book.state, "chasm", *square)
    (added,) = of_kind(cast(book, power, square), FeatureAdded)
    assert (added.kind, added.square, added.cause) == (kind, Place(x=square[1], y=square[0]), power)
    assert added.casting is not None
    assert features(book.state) == sorted([("chasm", *square), (kind, *square)])
    assert terrain(book.state) == list(ROWS)
    with refused("square.unfit", book.state):
        cast(book, power, square)


@pytest.mark.rule("G2-FEAT-1")
def test_a_feature_is_refused_where_its_terrains_do_not_allow_it() -> None:
    book = game()
    for power in ("fertile_soil", "glacial_pack", "ghost_land"):
        with refused("target.unfit", book.state):
            cast(book, power, (0, 4))
    with refused("target.unfit", book.state):
        cast(book, "ghost_land", (2, 2))
    state = earth_of(["PW"])
    volcano = read_operation({"op": "feature_add", "feature": "volcano", "scope": "target"})
    working = Working(cause="test", perform=perform, squares=(Square(0, 0), Square(0, 1)))
    with refused("square.unfit", state):
        check(state, working, [volcano])
    check(state, replace(working, squares=(Square(0, 0),)), [volcano])


@pytest.mark.rule("G2-MAP-7")
def test_a_map_may_carry_any_number_of_features_on_a_square_and_no_city() -> None:
    book = set_up()
    kinds = ("river", "fertile_land", "landmark", "void_gate")
    book.when(SetMap(width=1, height=1, cells=(Cell(terrain="P", features=kinds),)), by=HOST)
    assert sorted(f.kind for f in book.state.features.values()) == sorted(kinds)
    with refused("map.invalid", book.state):
        book.when(SetMap(width=1, height=1, cells=(Cell(terrain="P", features=("city",)),)), by=HOST)


@pytest.mark.rule("G2-FEAT-1")
def test_a_feature_is_taken_away_from_the_named_squares_alone() -> None:
    state = earth_of(["PPP"], features=[("river", (0, 0)), ("river", (0, 1)), ("landmark", (0, 0))])
    dry = read_operation({"op": "feature_remove", "feature": "river", "scope": "target"})
    events = work(state, [dry], squares=(Square(0, 0),))
    assert [(type(e), e.kind, e.square, e.cause) for e in events] == [
        (FeatureRemoved, "river", Place(x=0, y=0), "test"),
    ]
    assert features(state) == [("landmark", 0, 0), ("river", 0, 1)]


@pytest.mark.rule("G2-MANA-7")
def test_a_new_volcano_is_counted_for_the_races_beside_it() -> None:
    state = earth_of(["PM"])
    volcano = next(e for e in state.pack.powers["create_volcano"].effects if e.op == "feature_add")
    events = work(state, [volcano], squares=(Square(0, 0),))
    assert [e.source for e in of_kind(events, SourceCounted)] == ["fe_feature_created_volcano"]


@pytest.mark.rule("G2-TERR-1", "G2-TERR-2")
@pytest.mark.parametrize(
    ("power", "squares", "after"),
    [
        ("wildfire", [(0, 5)], "IPPPWPMD"),
        ("drought", [(0, 5)], "IPPPWDMD"),
        ("drought", [(0, 3)], "IPPDWFMD"),
        ("rewilding", [], "IPPPWFMD"),
        ("scorching_age", [], "WPPPWFMD"),
        ("ice_age", [], "IIPPWFMD"),
    ],
)
def test_disasters_and_global_powers_change_the_land_too(power, squares, after) -> None:
    book = game()
    cast(book, power, *squares)
    assert terrain(book.state)[0] == after
    changed = {"rewilding": "PPPPFFFP", "ice_age": "IIPPPPPP"}
    assert terrain(book.state)[1:] == [changed.get(power, "PPPPPPPP"), *ROWS[2:]]


@pytest.mark.rule("G2-FEAT-1", "G2-MAP-7")
def test_a_volcano_rises_beside_mountains_alone() -> None:
    book = game()
    with refused("target.unfit", book.state):
        cast(book, "create_volcano", (3, 0))
    cast(book, "create_volcano", (1, 5))
    assert features(book.state) == [("volcano", 1, 5)]
    assert terrain(book.state) == list(ROWS)
