"""The range winds around places, and Roads keep off third ones (FB-MAP-9, 10, 11)."""

from itertools import pairwise, starmap

import pytest

from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.geometry import Segment, is_crossed
from games.forgeborn.rules.realm.realm import Realm, Ridge
from games.forgeborn.rules.state.sheet import MapDie, Point
from tests.rules.forgeborn.maps import MAP_A, STANDARD, all_d6, changed, faces, roads, trails


def standard(drop: tuple[MapDie, ...]) -> Realm:
    return build(drop, STANDARD)


AWAY = {"d8b": (20, 20), "d8c": (60, 20), "d4a": (20, 60), "d4b": (60, 60), "d4c": (20, 100), "d4d": (60, 100)}
"""Villages and Ruins that are in nobody's way, with the Citadel, the City and the Lair to be laid."""


def open_drop(lair: tuple[int, int]) -> tuple[MapDie, ...]:
    """No mountains; the City, the Citadel 60 below it, and a Lair."""
    drop = faces(MAP_A, d8a=8, d8b=1, d8c=2, **all_d6(1))
    return changed(drop, d8a=(200, 50), d10=(200, 110), d12=lair, **AWAY)


def drop_with(lair: tuple[int, int], citadel: tuple[int, int] = (280, 5)) -> tuple[MapDie, ...]:
    """A range from (150, 100) to (250, 100), the City above it, and a Lair."""
    peaks = {"d6a": (2, 150, 100), "d6b": (2, 250, 100)}
    woods = {f"d6{letter}": (1, 20 + 20 * number, 190) for number, letter in enumerate("cdef")}
    return changed(faces(MAP_A, d8a=8, d8b=1, d8c=2), d12=lair, d10=citadel, d8a=(200, 20), **AWAY, **peaks, **woods)


def ridge_of(lair: tuple[int, int], citadel: tuple[int, int] = (280, 5)) -> Ridge:
    """The only ridge of that range."""
    (ridge,) = standard(drop_with(lair, citadel)).ridges
    return ridge


@pytest.mark.rule("FB-MAP-9", "FB-AMB-63", "FB-EX-115")
@pytest.mark.parametrize(
    ("lair", "bends"),
    [
        ((200, 94), ()),
        ((200, 95), (Point(200, 104),)),
        ((200, 100), (Point(200, 109),)),
        ((200, 105), (Point(200, 96),)),
        ((200, 106), ()),
        ((149, 104), ()),
    ],
    ids=["6 above", "5 above", "on it", "5 below", "6 below", "behind its end"],
)
def test_the_range_turns_nine_units_from_a_place_that_it_would_pass_nearer_than_six(
    lair: tuple[int, int], bends: tuple[Point, ...]
) -> None:
    realm = standard(drop_with(lair))
    assert realm.ridges == (Ridge("d6a", "d6b", bends),)
    turns = [Point(150, 100), *bends, Point(250, 100)]
    assert realm.range()[2:] == tuple(starmap(Segment, pairwise(turns)))


@pytest.mark.rule("FB-MAP-9", "FB-AMB-63")
def test_the_range_turns_on_the_other_side_where_the_first_is_another_places_and_again_for_each_place() -> None:
    assert ridge_of((200, 98)).bends == (Point(200, 107),)
    assert ridge_of((200, 98), citadel=(200, 111)).bends == (Point(200, 89),)
    assert [bend.x for bend in ridge_of((180, 99), citadel=(220, 101)).bends] == [180, 221]


@pytest.mark.rule("FB-MAP-9", "FB-MAP-10", "FB-AMB-63")
def test_links_are_judged_by_the_range_as_it_winds() -> None:
    """Between the straight line and the bend around the Lair a link crosses the one and not the other."""
    drop, link = drop_with((180, 104)), Segment(Point(170, 96), Point(190, 96))
    winding, straight = standard(drop), build(drop, STANDARD, winds=False)
    assert winding.ridges[0].bends == (Point(180, 95),) and not straight.ridges[0].bends
    assert is_crossed(link, winding.range()) and not is_crossed(link, straight.range())


@pytest.mark.rule("FB-MAP-10", "FB-AMB-63", "FB-EX-116")
@pytest.mark.parametrize(("beside", "is_free"), [(5, False), (6, True), (-5, False), (-6, True)])
def test_a_road_keeps_six_units_off_a_third_place(beside: int, is_free: bool) -> None:
    """Of the City's neighbours the Citadel is nearest; the Lair lies beside their link."""
    drop = open_drop((200 + beside, 80))
    assert (("d10", "d8a") in roads(standard(drop))) is is_free
    assert ("d10", "d8a") in roads(build(drop, STANDARD, winds=False))


@pytest.mark.rule("FB-MAP-11", "FB-AMB-63")
def test_networks_that_no_road_may_join_are_joined_by_the_shortest_trail_that_does_not_cross_the_range() -> None:
    """Every settlement lies on one line, with a Ruin or the Lair between the two networks."""
    line = {
        "d8a": (200, 100),
        "d10": (220, 100),
        "d4a": (120, 100),
        "d4b": (100, 100),
        "d4c": (80, 100),
        "d4d": (60, 100),
    }
    drop = changed(faces(MAP_A, d8a=8, d8b=1, d8c=2, **all_d6(1)), **line, d12=(160, 100), d8b=(20, 20), d8c=(280, 20))
    found = standard(changed(drop, **{f"d6{n}": (20 + 20 * k, 190) for k, n in enumerate("abcdef")}))
    assert ("d4a", "d8a") in trails(found) and ("d4a", "d8a") not in roads(found)
    assert ("d4a", "d8a") in roads(build(drop, STANDARD, winds=False))
