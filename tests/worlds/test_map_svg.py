"""The picture of a map: the same bytes, safe texts, and a plan in a fixed number of queries."""

import re
from dataclasses import replace
from uuid import UUID
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worlds.conftest import uid
from worlds import atlas
from worlds.drawing.contours import loops, num, path_of
from worlds.drawing.labels import Box, Ground, lines_of, plain, shorten, width_of
from worlds.drawing.map_svg import map_svg, wall_map_svg
from worlds.drawing.map_view import MapPlan, PlanCity, PlanLand, PlanMark, PlanRace
from worlds.drawing.palette import colour_or_grey, mix
from worlds.map_survey import plan_of
from worlds.models import Army, Avatar, City, Deity, Feature, Place, PlaceSquare, Presence, Race, World

SPACE = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert('1')</script>&\"\u202e\u0000\u001b\ufffe\u2066]]>"


def plan(**changes: object) -> MapPlan:
    """A map of 3 by 2 squares: Elves (4 units) in the west, a city and a volcano."""
    base = MapPlan(
        width=3,
        height=2,
        terrain=tuple("PFWDMI"),
        owner=(0, 0, -1, -1, -1, -1),
        units=(3, 1, 0, 0, 0, 0),
        races=(PlanRace(UUID(int=1), "Elves", "#c0201c", 4, 1),),
        cities=(PlanCity(0, 0, "Tir", great=True),),
        marks=(PlanMark(1, 1, "volcano", "Old Smoke"),),
        lands=(PlanLand("West", ((0, 0), (0, 1))),),
        title="Small Earth",
        subtitle="Century 3, Activity",
        attribution="After Beck et al. 2018",
    )
    return replace(base, **changes)


def texts(svg: str) -> list[str]:
    """All written texts, in order."""
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SPACE}text")]


def test_the_same_map_view_gives_the_same_bytes():
    assert map_svg(plan()) == map_svg(plan())


def test_the_picture_shows_names_numbers_legend_title_and_attribution():
    written = texts(map_svg(plan()))

    for words in ("Small Earth", "Century 3, Activity", "After Beck et al. 2018", "West", "Tir", "3", "1"):
        assert words in written
    assert "Elves · 1 city" in written
    assert "4 UNITS" in written
    for words in ("great city", "volcano", "plains", "water"):
        assert words in written


def test_the_picture_describes_itself_in_text():
    root = ElementTree.fromstring(map_svg(plan()))

    assert root.get("role") == "img"
    assert root.findtext(f"{SPACE}title") == "Small Earth: Century 3, Activity"
    assert root.findtext(f"{SPACE}desc") == (
        "A map of 3 columns and 2 rows with 1 cities. Races and their units: Elves (4)."
    )


def test_golden_snippets_of_the_drawing():
    svg = map_svg(plan())

    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 544 394" width="544" height="394"')
    # The territory of the Elves: two squares of 56 pixels, outer corners rounded by 0.3 of a square.
    assert '<clipPath id="t0"><path d="M0 16.8Q0 0 16.8 0L95.2 0Q112 0 112 16.8L112 39.2Q112 56 95.2 56' in svg
    assert 'fill="#c0201c" fill-opacity=".4"' in svg
    assert "<title>great city: Tir</title>" in svg
    assert "<title>volcano: Old Smoke</title>" in svg
    assert svg.endswith("</svg>\n")


def test_no_text_of_a_person_can_leave_its_place():
    svg = map_svg(
        plan(
            title=EVIL,
            subtitle=EVIL,
            attribution=EVIL,
            races=(PlanRace(UUID(int=1), EVIL, '"/><script>', 4, 1),),
            cities=(PlanCity(0, 0, EVIL),),
            marks=(PlanMark(1, 1, EVIL, EVIL),),
            lands=(PlanLand(EVIL, ((0, 0),)),),
            terrain=(EVIL, *"FWDMI"),
        )
    )
    tags = {node.tag.removeprefix(SPACE) for node in ElementTree.fromstring(svg).iter()}

    assert tags <= {"svg", "title", "desc", "style", "rect", "text", "tspan", "g", "defs", "path", "clipPath", "use"}
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\x00-\x08\x0b-\x1f\ufffe]", svg)
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert 'fill="#808080"' in svg


@given(st.text(max_size=60))
def test_any_name_gives_a_well_formed_picture(name):
    svg = map_svg(plan(title=name, races=(PlanRace(UUID(int=1), name, name, 4),), cities=(PlanCity(2, 1, name),)))

    assert ElementTree.fromstring(svg).tag == f"{SPACE}svg"


def test_direction_marks_go_and_piles_of_accents_are_cut():
    assert plain("a\u202eb\u200fc\nd") == "abc d"
    assert plain("a" + "\u0301" * 9) == "a" + "\u0301" * 3


def test_a_long_name_is_shortened_or_broken_to_fit():
    assert width_of(shorten("W" * 200, 12, 100), 12) <= 100
    assert shorten("Ys", 12, 100) == "Ys"
    assert lines_of("The Empire of the Sun", 10, 60, 2)[0] == "The Empire"
    assert len(lines_of("a b c d e f", 10, 5, 2)) == 2


def test_large_maps_carry_territories_but_no_numbers_or_marks():
    side = 100
    wide = MapPlan(
        side,
        side,
        ("P",) * side**2,
        (0,) * side**2,
        (7,) * side**2,
        (PlanRace(UUID(int=1), "Elves", "#c0201c", 7 * side**2),),
        marks=(PlanMark(1, 1, "volcano"),),
    )
    written = texts(map_svg(wide))

    assert "7" not in written
    assert "volcano" not in written
    assert written.count("Elves") == 2


def test_a_map_for_a_wall_is_the_map_alone_with_all_its_credit():
    credit = "After Beck et al. 2018, in many words that do not fit into one line of a map as small as this one"
    written = texts(wall_map_svg(plan(attribution=credit)))

    assert {"West", "Tir", "Elves", "3", "1"} <= set(written)
    assert " ".join(written).endswith(credit)
    for words in ("Small Earth", "Century 3, Activity", "Elves · 1 city", "4 UNITS", "great city", "plains", "0"):
        assert words not in written
    root = ElementTree.fromstring(wall_map_svg(plan()))
    assert root.findtext(f"{SPACE}title") == "Small Earth: Century 3, Activity"
    assert wall_map_svg(plan()) == wall_map_svg(plan())


def test_names_are_half_as_large_again_on_a_wall():
    size = 20 * 30
    nobody = plan(width=20, height=30, terrain=("P",) * size, owner=(-1,) * size, units=(0,) * size, lands=())
    middle = 15 * 20 + 10
    owner, units = [-1] * size, [0] * size
    owner[middle], units[middle] = 0, 9
    held = replace(nobody, owner=tuple(owner), units=tuple(units))

    def share(svg: str) -> float:
        """The height of the race's name, in heights of the picture."""
        name = next(node for node in ElementTree.fromstring(svg).iter(f"{SPACE}text") if node.text == "Elves")
        found = re.search(r"font-size:([0-9.]+)px", name.get("style", ""))
        return float(found[1]) / float(ElementTree.fromstring(svg).get("height", "")) if found else 0.0

    assert share(wall_map_svg(held)) > 1.5 * share(map_svg(held)) > 0


def test_no_text_of_a_person_can_leave_its_place_on_a_wall():
    svg = wall_map_svg(plan(title=EVIL, attribution=EVIL, lands=(PlanLand(EVIL, ((0, 0),)),)))
    assert "<script" not in svg and ElementTree.fromstring(svg) is not None


@pytest.mark.parametrize("draw", [map_svg, wall_map_svg])
def test_a_map_without_squares_is_still_a_picture(draw):
    assert "<svg" in draw(MapPlan(0, 0, (), (), ()))


@pytest.mark.parametrize(
    "changes",
    [{"owner": (1, -1, -1, -1, -1, -1)}, {"units": (1,)}, {"cities": (PlanCity(3, 0),)}, {"owner": (-2,) * 6}],
)
def test_a_map_view_that_contradicts_itself_is_refused(changes):
    with pytest.raises(ValueError, match=r"plan|map"):
        plan(**changes)


def test_the_border_of_a_ring_has_an_outer_loop_and_a_hole():
    ring = np.ones((3, 3), dtype=bool)
    ring[1, 1] = False

    assert [len(loop) for loop in loops(ring)] == [4, 4]
    assert path_of(ring, 10) == "M0 0L30 0L30 30L0 30ZM10 10L10 20L20 20L20 10Z"


def test_squares_that_touch_at_a_corner_have_loops_of_their_own():
    assert path_of(np.eye(2, dtype=bool), 1) == "M0 0L1 0L1 1L0 1ZM1 1L2 1L2 2L1 2Z"


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=5))
def test_the_loops_of_any_set_of_squares_enclose_exactly_its_squares(rows):
    mask = np.array(rows, dtype=bool)
    double_area = sum(
        x1 * y2 - x2 * y1 for loop in loops(mask) for (x1, y1), (x2, y2) in zip(loop, loop[1:] + loop[:1], strict=True)
    )

    assert double_area == 2 * int(mask.sum())


def test_a_name_is_put_where_it_hides_least():
    ground = Ground(Box(0, 0, 100, 100))
    ground.put(Box(0, 0, 50, 100), 1.0)

    found = ground.best([(0.0, Box(10, 10, 40, 20)), (5.0, Box(60, 10, 90, 20))])

    assert found == (5.0, Box(60, 10, 90, 20))
    assert ground.best([(0.0, Box(90, 90, 120, 95))]) is None


def test_numbers_and_colours_of_the_drawing_are_normalised():
    assert (num(3.0), num(3.25), num(-0.001)) == ("3", "3.25", "0")
    assert mix("#000000", "#ffffff", 50) == "#7f7f7f"
    assert colour_or_grey("#C0201C") == "#c0201c"


def create_populated_world(rows: int, columns: int, races: int) -> World:
    """The Earth in one size with some peoples."""
    chart = atlas.earth(rows, columns)
    world = World.objects.create(name="Earth", width=columns, height=rows, attribution=atlas.EARTH_ATTRIBUTION)
    atlas.lay_out(world, chart)
    squares = [at for at, key in enumerate(chart.terrain) if key != "W"]
    first = world.square_range[0]
    for number in range(races):
        race = Race.objects.create(world=world, name=f"Race {number:02}")
        Presence.objects.create(race=race, square_id=first + squares[number], units=number + 1)
        City.objects.create(world=world, race=race, square_id=first + squares[number], name=f"City {number}")
        Army.objects.create(race=race, square_id=first + squares[number])
    Feature.objects.create(world=world, square_id=first, kind="volcano")
    deity = Deity.objects.create(world=world, name="Ra")
    Avatar.objects.create(deity=deity, name="Falcon", square_id=first)
    place = Place.objects.create(world=world, kind="land", name="North")
    PlaceSquare.objects.create(place=place, square_id=first)
    return world


@pytest.mark.parametrize(("rows", "columns", "races"), [(30, 20, 2), (100, 100, 40)])
def test_a_map_view_takes_the_same_number_of_queries_whatever_the_size(
    db, django_assert_num_queries, rows, columns, races
):
    world = create_populated_world(rows, columns, races)

    with django_assert_num_queries(9):
        drawn = plan_of(world, subtitle="Century 1")

    assert sum(drawn.units) == races * (races + 1) // 2
    assert drawn.races[0].units == races
    assert len(drawn.cities) == races
    assert {mark.kind for mark in drawn.marks} == {"volcano", "army", "avatar"}
    assert drawn.lands == (PlanLand("North", ((0, 0),)),)
    assert drawn.attribution in map_svg(drawn)


def test_where_two_races_stand_the_more_numerous_owns_the_square(small):
    for number, (name, units) in enumerate((("Beta", 2), ("Alpha", 2), ("Gamma", 1))):
        race = Race.objects.create(id=uid(20 + number), world=small, name=name)
        Presence.objects.create(race=race, square_id=small.square_id(1, 0), units=units)

    drawn = plan_of(small)

    assert drawn.races[drawn.owner[1]].name == "Alpha"
    assert (drawn.units[1], drawn.owner[0]) == (2, -1)
