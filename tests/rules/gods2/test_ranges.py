"""Ranges, borders and contact (G2-MOVE-*)."""

import pytest

from games.engine.board.grid import squares_in
from games.gods2.rules.geometry.reach import free_border, in_contact, reach
from games.gods2.rules.geometry.stats import contacts
from tests.rules.gods2.worlds import People, earth_of, race


def reachable_squares(rows: list[str], people: People, **more: object) -> list[tuple[int, int]]:
    state = earth_of(rows, people, **more)  # type: ignore[arg-type]
    return [tuple(s) for s in squares_in(reach(state, people.id))]  # type: ignore[misc]


@pytest.mark.rule("G2-W53", "G2-MOVE-2", "G2-MOVE-3", "G2-MAP-4", "G2-AMB-1")
def test_a_unit_reaches_eight_neighbours_and_with_range_two_the_next_ring() -> None:
    near = race("Near", {(0, 0): 1})
    far = race("Far", {(0, 0): 1}, attributes=["wanderers"])
    assert reachable_squares(["PPPP", "PPPP"], near) == [(0, 1), (1, 0), (1, 1)]
    assert reachable_squares(["PPPP", "PPPP"], far) == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.rule("G2-W54", "G2-MOVE-2")
@pytest.mark.parametrize(
    ("attributes", "knowledges", "expected"),
    [
        ((), (), []),
        ((), ("boat_building",), [(0, 1), (0, 2)]),
        (("wanderers",), ("boat_building",), [(0, 1), (0, 2), (0, 3)]),
    ],
)
def test_land_and_water_have_a_range_of_their_own(
    attributes: tuple[str, ...], knowledges: tuple[str, ...], expected: list[tuple[int, int]]
) -> None:
    assert (
        reachable_squares(["PWPP"], race("Norse", {(0, 0): 1}, attributes=attributes, knowledges=knowledges))
        == expected
    )


@pytest.mark.rule("G2-W55", "G2-MOVE-5", "G2-MOVE-6", "G2-AMB-2")
def test_contact_is_one_way() -> None:
    a = race("A", {(0, 0): 1}, attributes=["wanderers", "winged"])
    b = race("B", {(0, 2): 1})
    state = earth_of(["PPPPP"], a, b)
    assert squares_in(reach(state, a.id)) == [(0, 1), (0, 2)]
    assert squares_in(reach(state, b.id)) == [(0, 1), (0, 3)]
    assert contacts(state, a.id) == [b.id]
    assert contacts(state, b.id) == []
    assert in_contact(state, b.id, a.id)


@pytest.mark.rule("G2-MOVE-4", "G2-AMB-69")
def test_an_impassable_square_is_neither_entered_nor_crossed_but_left() -> None:
    norse = race("Norse", {(0, 0): 1}, attributes=["wanderers"])
    assert reachable_squares(["PPP"], norse, features=[("chasm", (0, 1))]) == []
    assert reachable_squares(["PPP"], norse, features=[("chasm", (0, 0))]) == [(0, 1), (0, 2)]


@pytest.mark.rule("G2-MOVE-4")
def test_some_races_pass_where_others_do_not() -> None:
    bridges = race("Bridges", {(0, 0): 1}, knowledges=["bridge_building"])
    wings = race("Wings", {(0, 0): 1}, attributes=["winged"])
    woods = race("Woods", {(0, 0): 1}, attributes=["forest_folk"])
    assert reachable_squares(["PPP"], bridges, features=[("chasm", (0, 1))]) == [(0, 1)]
    assert reachable_squares(["PMP"], wings, features=[("impenetrable_mountains", (0, 1))]) == [(0, 1), (0, 2)]
    assert reachable_squares(["PFP"], woods, features=[("impenetrable_forest", (0, 1))]) == [(0, 1)]
    assert reachable_squares(["PFP"], wings, features=[("impenetrable_forest", (0, 1))]) == []


@pytest.mark.rule("G2-MOVE-9")
def test_ranges_can_start_from_one_square() -> None:
    norse = race("Norse", {(0, 0): 1, (0, 4): 1})
    state = earth_of(["PPPPPP"], norse)
    one = state.board.own(norse.id)
    one[0, 4] = False
    assert squares_in(reach(state, norse.id, one)) == [(0, 1)]


@pytest.mark.rule("G2-GROW-2")
def test_free_bordering_squares_can_hold_a_unit() -> None:
    norse, picts = race("Norse", {(0, 1): 1}), race("Picts", {(0, 2): 1})
    state = earth_of(["PPP", "WDI"], norse, picts)
    assert squares_in(free_border(state, norse.id)) == [(0, 0), (1, 1), (1, 2)]


@pytest.mark.rule("G2-AMB-1")
def test_a_setting_lets_corners_not_count() -> None:
    norse = race("Norse", {(0, 0): 1})
    state = earth_of(["PP", "PP"], norse)
    state.info = type(state.info)(id=state.info.id, ruleset="gods2", options='{"adjacency":4}')
    assert squares_in(reach(state, norse.id)) == [(0, 1), (1, 0)]
