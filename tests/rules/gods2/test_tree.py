"""The knowledge tree (G2-KNOW-5), how it is laid out, and the figures of charts, without a database."""

from dataclasses import replace
from itertools import combinations
from uuid import UUID
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.drawing.charts import chart_svg, step_of, wall_chart_svg
from games.drawing.layers import layer_nodes
from games.drawing.trees import tree_svg
from games.engine.insight.charts import Chart, Moment, Node, Row, Series, Tree
from games.gods2.rules.century.charts import CHARTS, mana, population
from games.gods2.rules.knowledge.rules import learnable
from games.gods2.rules.knowledge.tree import knowledge_tree
from games.gods2.rules.state.records import God, GodKind, Pool, Purse
from games.gods2.rules.workings.context import Working
from tests.playbook import refused
from tests.rules.gods2.worlds import earth_of, id_of, race

SPACE = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert('1')</script>&\"\u202e\u0000]]>"
TIERS = {
    "fire_keeping": 1, "toolmaking": 1, "tribal_law": 1, "agriculture": 2, "boat_building": 2, "metalworking": 3,
    "civilization": 3, "writing": 4, "astronomy": 5, "navigation": 6, "explosives": 6,
}  # fmt: skip
"""Of the table of section 4.4."""


def elves(*known: str):
    return race("Elves", {(0, 0): 3}, knowledges=known)


def standing(*known: str):
    (found,) = knowledge_tree(earth_of(["PPP"], elves(*known))).progress
    return found


@pytest.mark.rule("G2-KNOW-5")
def test_the_tree_has_every_knowledge_with_what_it_needs():
    state = earth_of(["PPP"], elves())
    tree = knowledge_tree(state)
    nodes = {node.key: node for node in tree.nodes}
    assert nodes.keys() == state.pack.knowledges.keys() and len(tree.nodes) == 36
    assert {key: nodes[key].level for key in TIERS} == TIERS
    assert all(nodes[k.id].level == k.tier for k in state.pack.knowledges.values())
    assert nodes["civilization"].needs == ("agriculture", "tribal_law")
    assert set(tree.edges) == {(need, k.id) for k in state.pack.knowledges.values() for need in k.prereqs}


@pytest.mark.rule("G2-KNOW-5")
def test_the_tree_shows_what_a_race_knows_can_learn_next_and_cannot_yet():
    found = standing("toolmaking", "fishing")
    assert found.known == ("fishing", "toolmaking")
    first = {"fire_keeping", "hunting_lore", "weather_wisdom", "desert_survival", "tribal_law"}
    assert set(found.next) == first | {"archery", "agriculture", "boat_building", "masonry"}
    assert {"pottery", "metalworking", "civilization", "navigation"} <= set(found.locked)
    everything = [*found.known, *found.next, *found.locked]
    assert len(everything) == len(set(everything)) == 36


@pytest.mark.rule("G2-KNOW-5")
def test_what_is_next_is_what_a_power_could_teach():
    state = earth_of(["PPP"], elves("toolmaking", "tribal_law", "agriculture"))
    working = Working(cause="anything", perform=lambda *_: iter(()))
    assert list(knowledge_tree(state).progress[0].next) == learnable(state, id_of("Elves"), working)


@pytest.mark.rule("G2-KNOW-5")
def test_one_race_is_shown_or_all_that_live():
    state = earth_of(["PPP"], elves("fishing"), race("Dwarves", {(0, 1): 1}), race("Lost", {(0, 2): 1}))
    state.races[id_of("Lost")] = replace(state.races[id_of("Lost")], extinct=True)
    assert [s.name for s in knowledge_tree(state).progress] == ["Dwarves", "Elves"]
    assert [s.known for s in knowledge_tree(state, id_of("Elves")).progress] == [("fishing",)]
    with refused("race.missing"):
        knowledge_tree(state, UUID(int=3))


def test_without_a_pack_there_is_no_tree():
    state = earth_of(["PPP"], elves())
    state.set_era(pack_version=0)
    with refused("tree.missing"):
        knowledge_tree(state)


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each node."""
    found = []
    for group in ElementTree.fromstring(svg).iter(f"{SPACE}g"):
        box, title = group.find(f"{SPACE}rect"), group.find(f"{SPACE}title")
        if title is not None:
            x, y = map(float, group.get("transform")[len("translate(") : -1].split())
            found.append((x, y, x + float(box.get("width")), y + float(box.get("height"))))
    return found


def test_no_node_lies_upon_another_and_all_lie_on_the_sheet():
    tree = knowledge_tree(earth_of(["PPP"], elves("toolmaking")))
    svg = tree_svg(tree, tree.progress[0])
    root, found = ElementTree.fromstring(svg), boxes(svg)
    assert len(found) == 36
    for a, b in combinations(found, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    wide, high = float(root.get("width")), float(root.get("height"))
    assert all(x >= 0 and y >= 0 and right <= wide and low <= high for x, y, right, low in found)


def test_an_edge_that_passes_a_level_has_a_place_of_its_own_there():
    found = layer_nodes([("a", 1), ("b", 2), ("c", 3), ("d", 3)], [("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")])
    (passing,) = [item for item in found.columns[1] if item != "b"]
    assert set(found.steps) == {("a", "b"), ("b", "c"), ("a", passing), (passing, "c"), (passing, "d")}
    with pytest.raises(ValueError, match="does not lie above"):
        layer_nodes([("a", 1), ("b", 1)], [("a", "b")])


def series(*amounts: int | None, name: str = "Elves", over: int = 1, shared: bool = False) -> Series:
    chart: Chart = replace(CHARTS["population"], over=over, shared=shared)
    moments = tuple(Moment(at, ended=True) for at in range(len(amounts)))
    return Series(chart, "Century", moments, (Row("e", name, amounts),))


@given(st.text(max_size=60), st.lists(st.none() | st.integers(-5, 10**12), min_size=1, max_size=40), st.booleans())
def test_any_name_and_any_amounts_give_a_well_formed_chart(name, amounts, shared):
    svg = chart_svg(series(*amounts, name=name, over=100, shared=shared), name)
    assert svg == chart_svg(series(*amounts, name=name, over=100, shared=shared), name)
    assert ElementTree.fromstring(svg).tag == f"{SPACE}svg"


def test_a_chart_for_a_wall_is_written_larger_and_says_the_same():
    def sheet_of(svg: str) -> ElementTree.Element:
        return ElementTree.fromstring(svg)

    near, wall = sheet_of(chart_svg(series(3, 7), "Stage")), sheet_of(wall_chart_svg(series(3, 7), "Stage"))
    assert near.findtext(f"{SPACE}desc") == wall.findtext(f"{SPACE}desc")
    assert {"Elves", "7", "start", "Stage"} <= {"".join(node.itertext()) for node in wall.iter(f"{SPACE}text")}
    # The letters have the same size in pixels on a sheet less than half as wide.
    assert 2 * float(wall.get("width", "")) < float(near.get("width", ""))
    for x, y in (map(float, (n.get("x", ""), n.get("y", ""))) for n in wall.iter(f"{SPACE}text")):
        assert 0 <= x <= float(wall.get("width", "")) and 0 <= y <= float(wall.get("height", ""))


def test_no_text_of_a_person_can_leave_its_place():
    node = Node(EVIL, EVIL, 1, EVIL, (), (EVIL,))
    for svg in (chart_svg(series(3, 4, name=EVIL), EVIL), tree_svg(Tree(EVIL, EVIL, (node,), ()), None, EVIL)):
        tags = {n.tag.removeprefix(SPACE) for n in ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "title", "desc", "style", "rect", "text", "g", "path"}
        assert "\u202e" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("span", "over", "step"), [(0, 1, 1), (6, 1, 1), (7, 1, 2), (13, 1, 5), (60, 1, 10), (10_000, 100, 2_000)]
)
def test_the_axis_has_round_steps_and_six_at_most(span, over, step):
    assert step_of(span, over) == step


def test_a_chart_describes_itself_in_text():
    root = ElementTree.fromstring(chart_svg(series(3, 7), "Stage"))
    assert root.findtext(f"{SPACE}title") == "Population: Stage"
    assert root.findtext(f"{SPACE}desc") == "Lines, in units. Century 0, the start, to 1. Elves from 3 to 7."


def test_population_counts_units_and_strength_counts_cities_too():
    state = earth_of(["PPP"], race("Elves", {(0, 0): 3}, "civilized"), race("Dwarves", {(0, 1): 1}))
    assert [(f.name, f.amount) for f in population(state, None)] == [("Dwarves", 1), ("Elves", 3)]
    assert [(f.key, f.amount) for f in population(state, id_of("Elves"))] == [("units", 3), ("strength", 6)]


def test_mana_is_that_of_the_visible_purses():
    state, sun, moon = earth_of(["PPP"], elves()), UUID(int=1), UUID(int=2)
    for seat, name, amount in ((sun, "Sun", 9), (moon, "Moon", 4)):
        state.gods[seat] = God(seat, name, GodKind.GOD)
        state.purses[seat] = Purse(seat, amount)
    state.pools[state.info.id] = Pool(state.info.id, 5, demons=(moon,))
    values = {
        viewer: [(f.name, f.amount) for f in mana(state.view_for(frozenset(viewer[:1]), gm=len(viewer) > 1), None)]
        for viewer in ((), (sun,), (moon,), (sun, "gm"))
    }
    assert values[()] == []
    assert values[sun,] == [("Sun", 9)]
    assert values[moon,] == [("Moon", 4), ("The demons together", 5)]
    assert values[sun, "gm"] == [("Moon", 4), ("Sun", 9), ("The demons together", 5)]
