"""The order in which squares get units (G2-GROW-10, G2-GROW-2): each key of it, one at a time."""

import pytest

from games.gods2.rules.geometry.placement import ground_of, stood
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.state.records import Level
from games.gods2.rules.units.events import UnitsStarved
from tests.playbook import of_kind
from tests.rules.gods2.worlds import People, earth_of, happen, race, units_of

Spot = tuple[int, int]


def sequence(rows: list[str], people: People, count: int, features: tuple[tuple[str, Spot], ...] = ()) -> list[Spot]:
    """Where the first, the second ... new unit of a race is placed."""
    state = earth_of(rows, people, features=features)
    ground, level = ground_of(state, people.id), state.races[people.id].level
    found: list[Spot] = []
    before = ground.held.copy()
    for new in range(1, count + 1):
        stand = ground.held.copy()
        assert stood(level, ground, stand, new) == 0
        (grown,) = (stand - before).nonzero()[0].tolist()
        found.append((int(ground.rows[grown]), int(ground.columns[grown])))
        before = stand
    return found


@pytest.mark.rule("G2-GROW-10", "G2-AMB-5")
def test_of_free_squares_the_one_with_the_higher_limit_comes_first() -> None:
    pair = race("Pair", {(1, 1): 1, (1, 2): 1})
    assert sequence(["PPPP"] * 3, pair, 2, (("river", (0, 0)),)) == [(0, 0), (0, 1)]


@pytest.mark.rule("G2-GROW-10", "G2-AMB-5")
def test_of_equal_limits_the_one_beside_more_own_squares_comes_first_even_if_it_is_farther() -> None:
    """One lives far to the west of four others: the centre is at column 5."""
    people = race("Norse", {(0, 0): 1, (0, 5): 1, (0, 6): 1, (0, 7): 1, (1, 7): 1})
    first, second = sequence(["PPPPPPPP"] * 2, people, 2)
    assert (first, second) == ((1, 6), (1, 5))


@pytest.mark.rule("G2-GROW-10", "G2-AMB-5")
def test_of_equal_neighbours_the_nearest_to_the_centre_comes_first_then_rows_then_columns() -> None:
    one = race("One", {(1, 1): 1})
    sides, corners = [(0, 1), (1, 0), (1, 2), (2, 1)], [(0, 0), (0, 2), (2, 0), (2, 2)]
    assert sequence(["PPP"] * 3, one, 8) == [*sides, *corners]


@pytest.mark.rule("G2-GROW-10", "G2-AMB-5")
def test_of_occupied_squares_the_roomiest_comes_first_then_the_nearest_to_the_centre() -> None:
    people = race("Norse", {(0, 0): 3, (0, 1): 4, (0, 2): 4, (0, 3): 4, (0, 4): 4}, "civilized")
    assert sequence(["PPPPP"], people, 6) == [(0, 0), (0, 2), (0, 1), (0, 3), (0, 0), (0, 4)]


@pytest.mark.rule("G2-GROW-10", "G2-AMB-5")
def test_of_occupied_squares_that_are_equal_rows_then_columns_decide() -> None:
    people = race("Norse", {(r, c): 4 for r in range(2) for c in range(2)}, "civilized")
    assert sequence(["PP"] * 2, people, 4) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.rule("G2-GROW-2", "G2-GROW-5")
def test_new_units_go_to_no_square_of_others_and_none_where_nobody_can_live() -> None:
    norse, picts = race("Norse", {(0, 1): 4}, "civilized"), race("Picts", {(0, 0): 1})
    state = earth_of(["PPPP", "IWPI"], norse, picts)
    ground = ground_of(state, norse.id)
    assert [tuple(s) for s in ground.free] == [(0, 2), (1, 2)]
    stand = ground.held.copy()
    assert stood(Level.CIVILIZED, ground, stand, 13) == 2
    assert stand.tolist() == [5, 5, 5]


def grow_race(rows: list[str], people: People, features: tuple[tuple[str, Spot], ...] = ()) -> dict[Spot, int]:
    """The units of a race after it has grown; nobody starves."""
    state = earth_of(rows, people, features=features)
    events = happen(state, lambda s, ctx: grow(s, ctx, people.id))
    assert of_kind(events, UnitsStarved) == []
    return units_of(state, people)


@pytest.mark.rule("G2-GROW-3", "G2-AMB-52")
def test_primitive_people_send_one_to_each_free_square_and_the_rest_go_where_there_is_room() -> None:
    # 5 and 2 new; one stays, one goes next door; of the other five four go to the square that holds five, one next door
    lush = (("fertile_land", (0, 0)), ("game_animals", (0, 0)), ("game_birds", (0, 1)))
    assert grow_race(["PP"], race("Norse", {(0, 0): 5}), lush) == {(0, 0): 5, (0, 1): 2}


@pytest.mark.rule("G2-GROW-4", "G2-AMB-3")
def test_barbarians_who_find_no_room_to_stay_join_those_who_spread() -> None:
    assert grow_race(["PPP"], race("Norse", {(0, 0): 3, (0, 1): 3}, "barbarian")) == {(0, 0): 3, (0, 1): 3, (0, 2): 2}


@pytest.mark.rule("G2-GROW-4", "G2-AMB-3")
def test_barbarians_who_find_no_square_to_spread_to_go_back() -> None:
    assert grow_race(["PP"], race("Norse", {(0, 0): 2, (0, 1): 2}, "barbarian")) == {(0, 0): 3, (0, 1): 2}


@pytest.mark.rule("G2-GROW-4", "G2-AMB-3")
def test_barbarians_go_round_the_free_squares_one_at_a_time() -> None:
    # 12 and 3 new: two spread, one stays but finds no room; they go west, east, and west again
    people = race("Norse", {(0, c): 3 for c in range(1, 5)}, "barbarian")
    assert grow_race(["PPPPPP"], people) == {(0, 0): 2, **{(0, c): 3 for c in range(1, 5)}, (0, 5): 1}


@pytest.mark.rule("G2-GROW-5")
def test_civilized_people_fill_their_squares_and_then_go_round_the_free_ones() -> None:
    people = race("Norse", {(0, 1): 5, (0, 2): 5, (0, 3): 4}, "civilized")
    # 14 and 4 new: one fills the last square, three go west, east and west again
    assert grow_race(["PPPPP"], people) == {(0, 0): 2, (0, 1): 5, (0, 2): 5, (0, 3): 5, (0, 4): 1}
