"""What of a map can be chosen says so in the picture: races, cities and what stands on squares by ids, and the grid."""

from uuid import UUID
from xml.etree import ElementTree

from tests.worlds.test_map_svg import EVIL, plan
from worlds.drawing.map_svg import map_svg, wall_map_svg
from worlds.drawing.map_view import PlanCity, PlanMark

CITY, ARMIES = UUID(int=2), (UUID(int=3), UUID(int=4))


def marks_of(svg: str) -> list[tuple[str, list[str]]]:
    """Kind and ids of everything that can be chosen, in the order in which it is drawn."""
    marked = [node for node in ElementTree.fromstring(svg).iter() if node.get("data-kind")]
    return [(node.get("data-kind", ""), node.get("data-id", "").split()) for node in marked]


def test_a_map_marks_its_grid_its_races_and_what_stands_on_it():
    there = {"cities": (PlanCity(0, 0, "Tir", id=CITY),), "marks": (PlanMark(1, 1, "army", "2 of Tir", ARMIES),)}
    for svg in (map_svg(plan(**there)), wall_map_svg(plan(**there))):
        assert marks_of(svg) == [
            ("square", []),
            ("race", [str(UUID(int=1))]),
            ("army", [str(each) for each in ARMIES]),
            ("city", [str(CITY)]),
        ]
        (grid,) = [node for node in ElementTree.fromstring(svg).iter() if node.get("data-columns")]
        assert (grid.get("data-columns"), grid.get("data-rows")) == ("3", "2")


def test_what_no_command_names_has_a_kind_alone_and_no_kind_steers_a_page():
    assert ("volcano", []) in marks_of(map_svg(plan()))
    kinds = [kind for kind, _ in marks_of(map_svg(plan(marks=(PlanMark(1, 1, EVIL),))))]
    assert not [each for kind in kinds for each in kind if ord(each) < 32 or ord(each) == 0x202E]
