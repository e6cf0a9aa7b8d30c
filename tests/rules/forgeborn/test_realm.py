"""The map of a drop (FB-MAP-4 to 14): the worked maps of the rulebook, every tie, and what the range shuts in."""

import pytest

from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.geometry import Segment, is_crossed, squared_distance
from games.forgeborn.rules.realm.realm import FOREST, Link, Realm, Ridge
from games.forgeborn.rules.realm.scenery import centre_distance, patches_of
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import MapDie, Point
from tests.rules.forgeborn.maps import MAP_A, STANDARD, all_d6, changed, faces, roads, trails, way_of

MAP_B = changed(MAP_A, d10=(40, 190))
MAP_C = changed(MAP_A, d6a=(2, 50, 10), d6b=(4, 10, 60), d6f=(6, 50, 50))
DOZEN = ForgebornOptions(dragon_fixed=12)


def standard(drop: tuple[MapDie, ...]) -> Realm:
    return build(drop, STANDARD)


def segment(a: tuple[int, int], b: tuple[int, int]) -> Segment:
    return Segment(Point(*a), Point(*b))


def power(realm: Realm, key: str) -> int:
    return realm.by_key()[key].power


@pytest.mark.rule("FB-MAP-4", "FB-EX-19", "FB-AMB-18")
@pytest.mark.parametrize(("face", "options", "expected"), [(5, STANDARD, 8), (8, STANDARD, 8), (11, STANDARD, 11)])
def test_the_dragon_has_the_power_of_its_die_and_8_at_least(
    face: int, options: ForgebornOptions, expected: int
) -> None:
    assert power(build(faces(MAP_A, d12=face), options), "lair") == expected
    assert power(build(faces(MAP_A, d12=face), DOZEN), "lair") == 12


@pytest.mark.rule("FB-EX-31")
def test_a_dragon_that_the_group_has_fixed_takes_no_power_from_the_die() -> None:
    assert power(build(MAP_A, ForgebornOptions(dragon_fixed=14)), "lair") == 14


@pytest.mark.rule("FB-EX-27", "FB-MAP-5", "FB-MAP-6")
def test_map_a_has_its_dragon_its_citadel_its_city_and_its_ruins() -> None:
    realm = standard(MAP_A)
    assert [power(realm, key) for key in ("lair", "citadel", "city")] == [8, 7, 8]
    assert {site.die: site.power for site in realm.sites if site.kind is PlaceKind.RUINS} == {"d8b": 6, "d8c": 3}
    assert realm.by_key()["city"].die == "d8a"


@pytest.mark.rule("FB-EX-76", "FB-MAP-7")
def test_each_d4_is_a_village_with_a_problem_of_its_face() -> None:
    assert [power(standard(MAP_A), f"village-{number}") for number in (1, 2, 3, 4)] == [1, 3, 4, 2]


@pytest.mark.rule("FB-EX-37", "FB-MAP-6")
def test_of_equal_d8_the_nearest_to_the_centre_is_the_city() -> None:
    drop = faces(MAP_A, d8a=6, d8b=6)
    assert [centre_distance(die.point, STANDARD) for die in drop if die.name in ("d8a", "d8b")] == [17509, 33109]
    realm = standard(drop)
    assert [(site.key, site.die, site.power) for site in realm.sites if site.die.startswith("d8")] == [
        ("city", "d8a", 8),
        ("ruins-1", "d8b", 6),
        ("ruins-2", "d8c", 3),
    ]
    assert standard(changed(drop, d8b=(150, 60))).by_key()["city"].die == "d8b"


@pytest.mark.rule("FB-MAP-6")
@pytest.mark.parametrize(("one", "other"), [((100, 60), (196, 60)), ((196, 60), (100, 60))])
def test_of_equal_d8_as_far_from_the_centre_the_earlier_is_the_city(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    options = ForgebornOptions(width=296)
    assert centre_distance(Point(*one), options) == centre_distance(Point(*other), options)
    drop = changed(MAP_A, d8a=(1, 148, 105), d8b=(6, *one), d8c=(6, *other))
    assert build(drop, options).by_key()["city"].die == "d8b"


@pytest.mark.rule("FB-EX-28", "FB-MAP-8", "FB-MAP-9", "FB-MAP-13")
def test_map_a_has_a_range_of_three_and_two_patches() -> None:
    realm = standard(MAP_A)
    assert realm.mountains == ("d6a", "d6b", "d6f")
    assert realm.ridges == (Ridge("d6a", "d6f"), Ridge("d6b", "d6f", (Point(191, 180),)))
    assert [patch.dice for patch in realm.patches] == [("d6c", "d6d"), ("d6e",)]
    assert realm.by_key()[FOREST].die == "d6d"


@pytest.mark.rule("FB-EX-29", "FB-MAP-10")
def test_map_a_has_its_roads() -> None:
    assert roads(standard(MAP_A)) == [("d10", "d4b"), ("d10", "d8a"), ("d4a", "d8a"), ("d4c", "d4d")]


@pytest.mark.rule("FB-EX-30", "FB-MAP-11", "FB-MAP-12", "FB-MAP-13", "FB-AMB-24")
def test_map_a_has_its_trails() -> None:
    assert trails(standard(MAP_A)) == [
        ("FOREST", "d4b"),
        ("d10", "d4c"),
        ("d12", "d4a"),
        ("d4c", "d8c"),
        ("d4d", "d8b"),
    ]


@pytest.mark.rule("FB-EX-41", "FB-MAP-13", "FB-AMB-55")
def test_the_forest_stands_where_its_trail_begins() -> None:
    realm = standard(MAP_A)
    forest, village = realm.by_key()[FOREST], realm.by_key()["village-2"]
    assert (forest.die, forest.point, village.die) == ("d6d", Point(80, 190), "d4b")
    assert squared_distance(forest.point, village.point) == 2500


@pytest.mark.rule("FB-EX-32", "FB-MAP-8")
def test_without_an_odd_d6_the_farthest_from_the_centre_is_the_forest() -> None:
    realm = standard(faces(MAP_A, **all_d6(2)))
    assert [patch.dice for patch in realm.patches] == [("d6e",)]
    assert realm.mountains == ("d6a", "d6b", "d6c", "d6d", "d6f")


@pytest.mark.rule("FB-MAP-8")
@pytest.mark.parametrize(("one", "other"), [((10, 10), (286, 200)), ((286, 200), (10, 10))])
def test_of_d6_as_far_from_the_centre_the_earlier_is_the_forest(one: tuple[int, int], other: tuple[int, int]) -> None:
    options = ForgebornOptions(width=296)
    assert centre_distance(Point(*one), options) == centre_distance(Point(*other), options)
    drop = changed(faces(MAP_A, **all_d6(4)), d6b=one, d6e=other)
    assert [patch.dice for patch in build(drop, options).patches] == [("d6b",)]


@pytest.mark.rule("FB-EX-40", "FB-MAP-8", "FB-MAP-9", "FB-MAP-11")
def test_without_an_even_d6_there_are_no_mountains() -> None:
    realm = standard(faces(MAP_A, **all_d6(1)))
    assert (realm.mountains, realm.ridges, realm.range()) == ((), (), ())
    assert [len(patch.dice) for patch in realm.patches] == [6]
    assert ("d10", "d4c") in roads(realm)
    assert ("FOREST", "d8b") in trails(realm)


@pytest.mark.rule("FB-EX-33", "FB-MAP-9", "FB-AMB-3")
def test_a_patch_grows_around_the_range() -> None:
    points = {"A": (100, 100), "B": (120, 100), "C": (110, 160)}
    woods = [MapDie(name, 6, 1, Point(*point)) for name, point in points.items()]
    (patch,) = patches_of(woods, [segment((110, 80), (110, 120))])
    assert patch.dice == ("A", "B", "C")
    assert patch.ridges == (Ridge("A", "C"), Ridge("B", "C"))


@pytest.mark.rule("FB-EX-34", "FB-MAP-10")
def test_a_link_through_a_mountain_point_crosses_and_one_that_ends_there_does_not() -> None:
    mountain_range = [segment((195, 10), (195, 90)), segment((195, 90), (195, 200))]
    assert is_crossed(segment((150, 90), (240, 90)), mountain_range)
    assert not is_crossed(segment((150, 90), (195, 90)), mountain_range)


@pytest.mark.rule("FB-MAP-10")
@pytest.mark.parametrize(
    ("_case", "part", "expected"),
    [
        ("a peak on the link", ((10, 0), (10, 0)), True),
        ("a peak at its end", ((20, 0), (20, 0)), False),
        ("a peak beyond its end", ((21, 0), (21, 0)), False),
        ("a peak beside it", ((10, 1), (10, 1)), False),
        ("across", ((10, -5), (11, 5)), True),
        ("across the line, not the link", ((25, -5), (25, 5)), False),
        ("touching it from one side", ((10, 0), (10, 9)), True),
        ("ending before it", ((10, 1), (10, 9)), False),
        ("through its end", ((0, -5), (0, 5)), False),
        ("from its end onward", ((20, 0), (30, 5)), False),
        ("along it from within", ((5, 0), (30, 0)), True),
        ("along it, all of it", ((0, 0), (20, 0)), True),
        ("along it and beyond both ends", ((-5, 0), (25, 0)), True),
        ("along it from its end outward", ((20, 0), (30, 0)), False),
        ("on its line, apart", ((25, 0), (30, 0)), False),
        ("beside it all the way", ((0, 1), (20, 1)), False),
    ],
)
def test_a_link_crosses_what_shares_a_point_that_is_not_its_end(
    _case: str, part: tuple[tuple[int, int], tuple[int, int]], expected: bool
) -> None:
    for ends in (((0, 0), (20, 0)), ((20, 0), (0, 0))):
        for one, other in (part, part[::-1]):
            assert is_crossed(segment(*ends), [segment(one, other)]) is expected
    assert not is_crossed(segment((10, 0), (10, 0)), [segment(*part)]), "two places on one point are not apart"


@pytest.mark.rule("FB-EX-35", "FB-MAP-11")
def test_networks_are_joined_by_roads_and_through_mountains_by_a_trail() -> None:
    realm = standard(MAP_B)
    assert roads(realm) == [("d10", "d4b"), ("d4a", "d4b"), ("d4a", "d8a"), ("d4c", "d4d")]
    assert ("d4b", "d4c") in trails(realm)


@pytest.mark.rule("FB-EX-36", "FB-MAP-12", "FB-AMB-5")
def test_a_lair_that_the_range_walls_in_has_a_trail_across_it() -> None:
    realm = standard(MAP_C)
    assert ("d12", "d4a") in trails(realm)
    lair, village = realm.by_key()["lair"], realm.by_key()["village-1"]
    assert is_crossed(Segment(lair.point, village.point), realm.range())
    assert ("d10", "d4c") in roads(realm)


@pytest.mark.rule("FB-AMB-5")
@pytest.mark.parametrize("drop", [MAP_A, MAP_B, MAP_C], ids=["A", "B", "C"])
def test_every_place_can_be_reached_from_every_other(drop: tuple[MapDie, ...]) -> None:
    realm = standard(drop)
    reached, new = set(), {realm.sites[0].key}
    while new:
        reached |= new
        new = {b for link in realm.links for a, b in ((link.a, link.b), (link.b, link.a)) if a in new} - reached
    assert reached == {site.key for site in realm.sites}


@pytest.mark.rule("FB-MAP-12", "FB-AMB-4")
def test_the_trail_of_ruins_leads_to_the_nearest_that_is_not_behind_the_mountains() -> None:
    drop = changed(MAP_A, d8c=(185, 120), d4c=(205, 120))
    ruins, behind, free = Point(185, 120), Point(205, 120), Point(150, 100)
    assert squared_distance(ruins, behind) < squared_distance(ruins, free)
    assert way_of(standard(drop), "d8c") == ["d10"]


@pytest.mark.rule("FB-EX-77", "FB-MAP-14")
def test_of_settlements_equally_near_the_city_comes_first_and_the_citadel_last() -> None:
    drop = changed(MAP_A, d10=(80, 160))
    city, citadel, village = (next(d.point for d in drop if d.name == name) for name in ("d8a", "d10", "d4a"))
    assert squared_distance(village, city) == squared_distance(village, citadel) == 5200
    found = roads(standard(drop))
    assert ("d4a", "d8a") in found and ("d10", "d4a") in found


EVEN = changed(
    faces(MAP_A, d8a=8, d8b=1, d8c=2, **all_d6(1)),
    d12=(150, 0), d10=(100, 100), d8a=(200, 100), d8b=(0, 200), d8c=(296, 200),
    d4a=(100, 120), d4b=(200, 120), d4c=(100, 80), d4d=(200, 80), d6f=(1, 225, 90),
)  # fmt: skip
"""Two clusters, each a settlement between two Villages 20 away: ties of FB-MAP-14."""
CLUSTERS = (("d10", "d4a"), ("d10", "d4c"), ("d4b", "d8a"), ("d4d", "d8a"))
"""The Roads inside them."""


@pytest.mark.rule("FB-MAP-14", "FB-MAP-11")
def test_equal_pairs_are_taken_by_the_earlier_of_the_first_and_then_of_the_second() -> None:
    realm = standard(EVEN)
    joining = [ends for ends in roads(realm) if ends not in CLUSTERS]
    assert joining == [("d10", "d8a")], "City - Citadel, Village 1 - 2 and 3 - 4 are 100 apart: the City is first"
    moved = standard(changed(EVEN, d8a=(201, 100)))
    assert ("d4a", "d4b") in roads(moved) and ("d10", "d8a") not in roads(moved)


@pytest.mark.rule("FB-MAP-14", "FB-MAP-10")
@pytest.mark.parametrize(("one", "other"), [((170, 100), (130, 100)), ((130, 100), (170, 100))])
def test_of_villages_equally_near_the_first_has_the_road(one: tuple[int, int], other: tuple[int, int]) -> None:
    """The Citadel stands in an arch of five settlements that hang together; both feet are 20 away."""
    arch = {"d8a": (165, 85), "d4c": (150, 79), "d4d": (135, 85)}
    realm = standard(changed(EVEN, d10=(150, 100), d4a=one, d4b=other, **arch))
    assert [ends for ends in roads(realm) if "d10" in ends] == [("d10", "d4a")]


@pytest.mark.rule("FB-MAP-14", "FB-MAP-12")
@pytest.mark.parametrize(
    ("_case", "lair", "target"),
    [
        ("the City before Village 3", (150, 90), "d8a"),
        ("Village 3 before Village 4", (150, 0), "d4c"),
        ("Village 1 before Village 2", (150, 200), "d4a"),
        ("Village 1 before the Citadel", (80, 110), "d4a"),
    ],
)
def test_a_trail_leads_to_the_first_of_those_equally_near(_case: str, lair: tuple[int, int], target: str) -> None:
    assert way_of(standard(changed(EVEN, d12=lair)), "d12") == [target]


@pytest.mark.rule("FB-MAP-14", "FB-MAP-9")
def test_ridges_of_one_length_are_taken_by_the_dice_in_drop_order() -> None:
    square = {"d6a": (2, 100, 100), "d6b": (2, 140, 140), "d6c": (2, 140, 100), "d6d": (2, 100, 140)}
    realm = standard(changed(MAP_A, **square, d6e=(1, 270, 150), d6f=(1, 10, 10)))
    assert realm.ridges == (Ridge("d6a", "d6c"), Ridge("d6a", "d6d"), Ridge("d6b", "d6c"))


@pytest.mark.rule("FB-MAP-13")
def test_of_patches_as_large_the_nearest_to_the_centre_is_the_forest_then_that_of_the_first_die() -> None:
    wall = {"d6a": (2, 148, 0), "d6b": (2, 148, 209)}
    sides = {"d6c": (1, 40, 40), "d6d": (1, 40, 60), "d6e": (1, 260, 40), "d6f": (1, 260, 60)}
    drop = changed(MAP_A, **wall, **sides)
    realm = standard(drop)
    assert [patch.dice for patch in realm.patches] == [("d6c", "d6d"), ("d6e", "d6f")]
    assert centre_distance(Point(40, 60), STANDARD) < centre_distance(Point(260, 60), STANDARD)
    nearer = standard(changed(drop, d6f=(1, 200, 60)))
    assert realm.by_key()[FOREST].die in ("d6c", "d6d")
    assert nearer.by_key()[FOREST].die in ("d6e", "d6f")
    even = build(changed(drop, d6e=(1, 256, 40), d6f=(1, 256, 60)), ForgebornOptions(width=296))
    assert even.by_key()[FOREST].die in ("d6c", "d6d")


@pytest.mark.rule("FB-MAP-13")
def test_the_patch_of_most_points_is_the_forest_wherever_it_lies() -> None:
    wall = {"d6a": (2, 148, 0), "d6b": (2, 148, 209)}
    realm = standard(changed(MAP_A, **wall, d6c=(1, 140, 100), d6d=(1, 280, 10), d6e=(1, 290, 10), d6f=(2, 148, 100)))
    assert [patch.dice for patch in realm.patches] == [("d6c",), ("d6d", "d6e")]
    assert realm.by_key()[FOREST].die in ("d6d", "d6e")


@pytest.mark.rule("FB-MAP-14", "FB-MAP-13")
def test_the_forests_trail_looks_at_the_places_first_and_then_at_the_forest_points() -> None:
    woods = {"d6a": (1, 60, 150), "d6b": (1, 20, 150), "d6c": (1, 60, 155)}
    rest = {"d6d": (1, 61, 160), "d6e": (1, 62, 165), "d6f": (1, 63, 170)}
    drop = changed(MAP_A, d4a=(40, 150), d4d=(80, 150), d8b=(6, 60, 130), **woods, **rest)
    realm = standard(drop)
    assert realm.by_key()[FOREST].die == "d6a", "Village 1 is 20 from d6a and d6b, Village 4 and Ruins are 20 from d6a"
    assert way_of(realm, "FOREST") == ["d4a"]
    without_first = standard(changed(drop, d4a=(150, 30)))
    assert way_of(without_first, "FOREST") == ["d4d"], "a Village before Ruins"
    later = standard(changed(drop, d6a=(1, 70, 150)))
    assert (later.by_key()[FOREST].die, way_of(later, "FOREST")) == ("d6a", ["d4d"]), "10 away goes before 20"


@pytest.mark.rule("FB-MAP-13", "FB-AMB-17")
def test_mountains_do_not_matter_to_the_forests_trail() -> None:
    drop = changed(MAP_A, d6a=(2, 90, 100), d6b=(2, 90, 209), d6f=(2, 90, 150), d4a=(40, 20))
    realm = standard(drop)
    assert way_of(realm, "FOREST") == ["d4b"]
    sites = realm.by_key()
    assert is_crossed(Segment(sites[FOREST].point, sites["village-2"].point), realm.range())


@pytest.mark.rule("FB-MAP-10")
def test_a_link_that_two_settlements_choose_counts_once() -> None:
    links = standard(MAP_A).links
    assert len({link.ends for link in links}) == len(links) == 9
    assert Link("village-3", "village-4", WayKind.ROAD) in links


def test_places_stand_in_the_order_of_ties_and_so_do_ways() -> None:
    realm = standard(MAP_A)
    keys = [site.key for site in realm.sites]
    assert keys == [
        "city", "village-1", "village-2", "village-3", "village-4", "citadel", "ruins-1", "ruins-2", "lair", "forest",
    ]  # fmt: skip
    places = [(keys.index(link.a), keys.index(link.b)) for link in realm.links]
    assert places == sorted(places) and all(a < b for a, b in places)


@pytest.mark.rule("FB-MAP-9", "FB-AMB-3")
def test_of_forest_links_equally_long_those_of_earlier_dice_come_first_and_none_closes_a_circle() -> None:
    corners = {"A": (0, 0), "B": (10, 0), "C": (10, 10), "D": (0, 10)}
    woods = [MapDie(name, 6, 1, Point(*point)) for name, point in corners.items()]
    (patch,) = patches_of(woods, [])
    assert patch.ridges == (Ridge("A", "B"), Ridge("A", "D"), Ridge("B", "C"))


@pytest.mark.rule("FB-MAP-9", "FB-AMB-3")
def test_forest_on_both_sides_of_the_range_is_two_patches() -> None:
    woods = [MapDie(name, 6, 1, Point(*point)) for name, point in {"A": (100, 100), "B": (120, 100)}.items()]
    assert [patch.dice for patch in patches_of(woods, [segment((110, 0), (110, 900))])] == [("A",), ("B",)]
