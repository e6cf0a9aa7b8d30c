"""The picture of the realm (FB-MAP-16): its marks, ways and people; the same every time, on sheets of all sizes."""

from dataclasses import replace
from random import Random
from uuid import UUID
from xml.etree import ElementTree

import pytest

from games.forgeborn.drawing import realm_svg, realm_wall_svg
from games.forgeborn.rules.realm.realm_view import RealmView, realm_view
from games.forgeborn.rules.state.schema_types import PlaceKind
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import S1, S2, playing, smith

SVG = "{http://www.w3.org/2000/svg}"


def view_of(book) -> RealmView:
    """The map as it is now."""
    view = realm_view(book.state)
    assert view is not None
    return view


def titles(svg: str) -> list[str]:
    """What is read of the marks when they are pointed at."""
    root = ElementTree.fromstring(svg)
    return [title.text or "" for group in root.iter(f"{SVG}g") for title in group.findall(f"{SVG}title")]


@pytest.mark.rule("FB-MAP-16", "FB-ROW-3", "FB-EX-109")
def test_every_place_has_its_mark_with_its_power_and_ways_join_them():
    book = playing()
    view = view_of(book)
    assert (len(view.places), len(view.ways), len(book.state.dice), len(view.characters)) == (10, 9, 15, 3)
    assert sum(way.kind == "road" for way in view.ways) == 4
    assert {character.place for character in view.characters} == {book.state.place_of_kind(PlaceKind.CITADEL).id}
    found = titles(realm_svg(view))
    for words in ("Lair of the Dragon, Power 8", "Citadel of the Forge, Power 7", "City of the Prince, Power 8"):
        assert words in found
    assert {"Village 1, Power 1", "Ruins 1, Power 6", "Forest"} <= set(found)
    assert {"Smith 11", "Smith 12", "Smith 13"} <= set(found)


@pytest.mark.rule("FB-MAP-16")
def test_roads_are_solid_trails_are_dotted_and_peaks_and_woods_are_drawn():
    view = view_of(playing())
    paths = [path.attrib for path in ElementTree.fromstring(realm_svg(view)).iter(f"{SVG}path")]
    dotted = [path["d"] for path in paths if path.get("stroke-dasharray") and "L" in path["d"]]
    solid = [path["d"] for path in paths if path.get("stroke-width") == "4" and "L" in path["d"]]
    assert (dotted[0].count("L"), solid[0].count("L")) == (5, 4)
    assert len(view.peaks) == 3 and len(view.range) == 2 and [len(wood.points) for wood in view.woods] == [2, 1]


@pytest.mark.rule("FB-MAP-16", "FB-RUI-1")
def test_spent_ruins_are_empty():
    book = playing()
    ruins = book.state.place_of_kind(PlaceKind.RUINS, 1)
    before = realm_svg(view_of(book))
    book.state.set_place(ruins.id, is_spent=True)
    after = realm_svg(view_of(book))
    assert before != after and "Ruins 1, spent" in titles(after)


@pytest.mark.rule("FB-MAP-16")
def test_the_rose_points_north_and_each_kind_of_place_has_a_mark_of_its_own():
    view = view_of(playing())
    root = ElementTree.fromstring(realm_svg(view))
    (rose,) = [group for group in root.iter(f"{SVG}g") if [t.text for t in group.findall(f"{SVG}text")] == ["N"]]
    assert float(rose.find(f"{SVG}text").get("y")) < 0  # above the middle of the rose
    marks = {}
    for place in view.places:
        bare = replace(place, id=view.places[0].id, name="", power=0, point=view.places[0].point)
        marks.setdefault(place.kind, set()).add(realm_svg(replace(view, places=(bare,), ways=(), characters=())))
    drawn = [mark for same in marks.values() for mark in same]
    assert len(marks) == 6 and len(drawn) == len(set(drawn)) == 6


@pytest.mark.rule("FB-MAP-16")
def test_everybody_sees_the_same_picture():
    book = playing()
    views = [book.state.view_for(seats, gm=gm) for seats, gm in ((frozenset(), False), ({S1}, False), ({S2}, True))]
    assert {realm_svg(realm_view(view)) for view in views} == {realm_svg(view_of(book))}


def test_a_realm_for_a_wall_has_the_same_marks_and_says_who_is_who():
    view = view_of(playing())
    near, wall = (ElementTree.fromstring(draw(view, "The Forge")) for draw in (realm_svg, realm_wall_svg))
    assert titles(realm_wall_svg(view)) == titles(realm_svg(view))
    written = {text.text for text in wall.iter(f"{SVG}text")}
    assert {text.text for text in near.iter(f"{SVG}text")} > written and "Trail" not in written
    assert any((text or "").endswith("Smith 11") for text in written)
    assert float(wall.get("width", "")) < 0.75 * float(near.get("width", ""))


def test_a_game_without_a_map_has_no_picture():
    assert realm_view(stage.new_state(S1, S2)) is None


def test_the_same_realm_is_drawn_the_same_and_names_cannot_steer_a_page():
    book = playing()
    book.state.set_character(smith(book, S1).id, name='<script>alert("x")</script>' + "W" * 50)
    book.state.set_place(book.state.place_of_kind(PlaceKind.CITY).id, name="M" * 80)
    one, other = realm_svg(view_of(book), "round 1"), realm_svg(view_of(book), "round 1")
    assert one == other and "<script" not in one


@pytest.mark.parametrize(("width", "height"), [(100, 100), (2000, 2000), (100, 2000), (297, 210)])
def test_sheets_of_all_sizes_hold_forty_ruins(width, height):
    view, lot = view_of(playing()), Random(7)
    ruins = next(place for place in view.places if place.kind is PlaceKind.RUINS)
    more = tuple(
        replace(
            ruins,
            id=UUID(int=number),
            name=f"Ruins {number}",
            point=replace(ruins.point, x=lot.randrange(width), y=lot.randrange(height)),
        )
        for number in range(3, 41)
    )
    svg = realm_svg(replace(view, width=width, height=height, places=(*view.places, *more)))
    root = ElementTree.fromstring(svg)
    assert len([title for title in titles(svg) if title.startswith("Ruins")]) == 40
    assert max(float(root.attrib["width"]), float(root.attrib["height"])) < 1300
