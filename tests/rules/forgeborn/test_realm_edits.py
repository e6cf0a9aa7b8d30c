"""Changes of a map: by the table before it is accepted (FB-MAP-3), and by new Ruins (FB-RUI-2)."""

import pytest

from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.drop import is_crowded
from games.forgeborn.rules.realm.edits import add_ruins, edit, name_of_next_ruins
from games.forgeborn.rules.realm.geometry import Segment, is_crossed, squared_distance
from games.forgeborn.rules.realm.realm import Link
from games.forgeborn.rules.state.schema_types import WayKind
from games.forgeborn.rules.state.sheet import Point
from tests.playbook import refused
from tests.rules.forgeborn.maps import MAP_A, STANDARD, changed, faces, roads, trails, way_of

A = build(MAP_A, STANDARD)
ROAD, TRAIL = WayKind.ROAD, WayKind.TRAIL


@pytest.mark.rule("FB-EX-91", "FB-MAP-3", "FB-AMB-61")
def test_moved_dice_build_the_map_anew_and_earlier_edits_are_gone() -> None:
    edited = edit(A, {}, [("citadel", "city")], [("village-3", "city", ROAD)])
    assert ("d10", "d8a") not in roads(edited) and ("d4c", "d8a") in roads(edited)
    sites = edited.by_key()
    assert is_crossed(Segment(sites["village-3"].point, sites["city"].point), edited.range())
    moved = edit(edited, {"d10": Point(40, 190)}, [], [])
    assert moved == build(changed(MAP_A, d10=(40, 190)), STANDARD)


@pytest.mark.rule("FB-MAP-3")
def test_dice_are_moved_first_then_ways_removed_then_added() -> None:
    edited = edit(A, {"d10": Point(40, 190)}, [("village-3", "village-2")], [("village-2", "village-3", ROAD)])
    assert trails(build(changed(MAP_A, d10=(40, 190)), STANDARD)).count(("d4b", "d4c")) == 1
    assert ("d4b", "d4c") in roads(edited) and ("d4b", "d4c") not in trails(edited)
    assert edited.links == tuple(
        sorted(edited.links, key=lambda link: [edited.by_key()[end].rank for end in link.ends])
    )


@pytest.mark.rule("FB-MAP-3")
def test_an_edit_of_nothing_changes_nothing() -> None:
    assert edit(A, {}, [], []) == A


@pytest.mark.rule("FB-MAP-3", "FB-AMB-17")
@pytest.mark.parametrize(
    ("_case", "code", "removed", "added"),
    [
        ("no such way", "route.missing", [("lair", "city")], []),
        ("removed twice", "route.missing", [("lair", "village-1"), ("village-1", "lair")], []),
        ("a place and itself", "route.missing", [], [("city", "city", ROAD)]),
        ("no such place", "place.missing", [("lair", "ruins-3")], []),
        ("there already", "route.exists", [], [("city", "citadel", ROAD)]),
        ("there already, of another kind", "route.exists", [], [("lair", "village-1", ROAD)]),
        ("a second way of the Forest", "route.exists", [], [("forest", "village-1", TRAIL)]),
        ("a Road to the Forest", "route.exists", [("forest", "village-2")], [("forest", "village-2", ROAD)]),
        ("the Lair is cut off", "map.disconnected", [("lair", "village-1")], []),
        ("the Forest is cut off", "map.disconnected", [("village-2", "forest")], []),
        ("half of the map is cut off", "map.disconnected", [("citadel", "village-3")], []),
    ],
)
def test_what_does_not_fit_the_map_is_refused(
    _case: str, code: str, removed: list[tuple[str, str]], added: list[tuple[str, str, WayKind]]
) -> None:
    with refused(code):
        edit(A, {}, removed, added)


@pytest.mark.rule("FB-MAP-3")
@pytest.mark.parametrize(
    ("code", "die", "point"), [("point.off_sheet", "d10", (297, 5)), ("die.missing", "d20", (5, 5))]
)
def test_a_die_off_the_sheet_or_none_of_the_fifteen_is_refused(code: str, die: str, point: tuple[int, int]) -> None:
    with refused(code):
        edit(A, {die: Point(*point)}, [], [])


@pytest.mark.rule("FB-MAP-3", "FB-AMB-17")
def test_the_trail_of_the_forest_may_lead_elsewhere() -> None:
    edited = edit(A, {}, [("forest", "village-2")], [("lair", "forest", TRAIL)])
    assert way_of(edited, "FOREST") == ["d12"]
    assert Link("lair", "forest", TRAIL) in edited.links


@pytest.mark.rule("FB-EX-39", "FB-RUI-2", "FB-AMB-26", "FB-AMB-29")
def test_new_ruins_keep_their_distance_and_are_joined_by_a_trail() -> None:
    assert squared_distance(Point(185, 100), Point(195, 90)) == 200
    assert is_crowded(Point(185, 100), A.dice) and not is_crowded(Point(180, 175), A.dice)
    found = {die.name: squared_distance(Point(180, 175), die.point) for die in A.dice}
    assert (found["d8b"], found["d4d"], found["d4b"]) == (425, 4925, 5525)
    realm = add_ruins(A, 7, Point(180, 175))
    assert way_of(realm, "ruins-3") == ["d4b"]
    assert realm.by_key()["ruins-3"].power == 7
    assert set(realm.links) - set(A.links) == {Link("village-2", "ruins-3", TRAIL)}


@pytest.mark.rule("FB-RUI-2", "FB-AMB-29")
def test_new_ruins_may_be_joined_to_ruins_and_behind_the_range_to_the_nearest_of_all() -> None:
    assert way_of(add_ruins(A, 1, Point(210, 195)), "ruins-3") == ["d8b"]
    again = add_ruins(add_ruins(A, 1, Point(180, 175)), 2, Point(165, 190))
    assert way_of(again, "ruins-4") == ["ruins-3"]
    walled = build(changed(MAP_A, d6a=(2, 50, 10), d6b=(4, 10, 60), d6f=(6, 50, 50)), STANDARD)
    assert way_of(add_ruins(walled, 1, Point(30, 40)), "ruins-3") == ["d4a"]


@pytest.mark.rule("FB-RUI-2", "FB-MAP-14")
def test_of_a_settlement_and_ruins_equally_near_the_settlement_has_the_trail() -> None:
    assert way_of(add_ruins(build(faces(MAP_A, d6a=1, d6b=1, d6f=1), STANDARD), 1, Point(225, 180)), "ruins-3") == [
        "d4d"
    ]


@pytest.mark.rule("FB-RUI-2", "FB-MAP-1")
def test_the_die_of_new_ruins_is_named_by_their_number_and_is_a_d8() -> None:
    assert name_of_next_ruins(A) == "ruins-3"
    realm = add_ruins(A, 8, Point(180, 175))
    assert (realm.dice[-1].name, realm.dice[-1].sides, name_of_next_ruins(realm)) == ("ruins-3", 8, "ruins-4")
    with refused("die.range"):
        add_ruins(A, 9, Point(180, 175))
    with refused("point.off_sheet"):
        add_ruins(A, 8, Point(180, 210))
    assert add_ruins(A, 8, Point(20, 20)).by_key()["ruins-3"].point == Point(20, 20), "the table keeps no distance"
