"""Teaching and forgetting at their edges (G2-KNOW-1 to 4, 7; G2-LVL-1; G2-CITY-3, 8): operations `learn`, `forget`."""

from typing import Any

import pytest

from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.cities.events import CityFounded, CivilizationLost, LevelChanged
from games.gods2.rules.cities.rules import level_of
from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.knowledge.events import KnowledgeLearned, KnowledgeLost
from games.gods2.rules.knowledge.tree import knowledge_tree
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.state.records import CityKind, Level
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.lands import century_begins
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.strikes import cast, let, pack_of
from tests.rules.gods2.worlds import earth_of, happen, race

LESSON = {"op": "learn", "knowledge": "writing"}


def asking(*conditions: dict[str, Any]) -> dict[int, Pack]:
    """The default pack in which fishing asks for this of a race, and its power for nothing more."""
    raw = raw_pack(1)
    next(k for k in raw["knowledges"] if k["id"] == "fishing")["requires"] = list(conditions)
    next(p for p in raw["powers"] if p["id"] == "teach_fishing")["requires"] = []
    return {2: build(2, raw)}


@pytest.mark.rule("G2-KNOW-1", "G2-KNOW-2")
def test_a_lesson_for_a_race_that_knows_it_or_lacks_what_it_needs_is_refused_before_payment() -> None:
    norse = race("Norse", {(0, 0): 1}, knowledges=("toolmaking", "pottery"))
    for power, code in (
        ("teach_toolmaking", "knowledge.known"),
        ("teach_boat_building", "knowledge.prerequisite"),  # fishing is missing, toolmaking is not
        ("teach_writing", "knowledge.prerequisite"),
    ):
        with refused(code):
            cast(earth_of(["PPP"], norse), power, norse)
    assert of_kind(cast(earth_of(["PPP"], norse), "teach_metalworking", norse), KnowledgeLearned)


@pytest.mark.rule("G2-KNOW-2", "G2-KNOW-5")
@pytest.mark.parametrize(
    ("condition", "rows", "code"),
    [
        ({"coastal": True}, ["PPP"], "target.unfit"),
        ({"coastal": True}, ["PPW"], None),
        ({"terrain": ["D"]}, ["PPW"], "target.unfit"),
        ({"wealth_gte": 1}, ["PPP"], "wealth.low"),
        ({"level": "barbarian"}, ["PPP"], "target.unfit"),
        ({"not_level": "barbarian"}, ["PPP"], None),
    ],
)
def test_a_knowledge_asks_for_what_it_says_of_the_race_or_of_one_of_its_squares(
    condition: dict[str, Any], rows: list[str], code: str | None
) -> None:
    norse = race("Norse", {(0, 0): 1, (0, 1): 1})
    state = earth_of(rows, norse, packs=asking(condition))
    assert ("fishing" in knowledge_tree(state).progress[0].next) is (code is None)
    if code is None:
        assert of_kind(cast(state, "teach_fishing", norse), KnowledgeLearned)
    else:
        with refused(code):
            cast(state, "teach_fishing", norse)


@pytest.mark.rule("G2-KNOW-2", "G2-GLOB-4")
def test_a_lesson_for_the_whole_earth_is_learned_by_the_races_that_can() -> None:
    packs = pack_of(None, dawn={"codes": ["G"], "target": "earth", "effects": [LESSON]})
    able, unable = race("Able", {(0, 0): 1}, "civilized"), race("Unable", {(0, 2): 1})
    state = earth_of(["PPP"], able, unable, packs=packs)
    assert of_kind(cast(state, "dawn"), KnowledgeLearned) == [event_like(KnowledgeLearned, race=able.id)]
    assert state.races[unable.id].knowledges == ()


@pytest.mark.rule("G2-KNOW-2")
@pytest.mark.parametrize(("free", "learned"), [(True, True), (False, False)])
def test_a_lesson_that_waits_teaches_no_race_that_lacks_what_it_needs_unless_it_is_free(
    free: bool, learned: bool
) -> None:
    lesson = {**LESSON, "on": "century_start", "free": free}
    norse = race("Norse", {(0, 0): 1})
    packs = pack_of(None, vision={"codes": ["Mv"], "effects": [lesson]})
    state = earth_of(["PPP"], norse, packs=packs, century=2)
    cast(state, "vision", norse)
    century_begins(state)
    assert ("writing" in state.races[norse.id].knowledges) is learned


@pytest.mark.rule("G2-KNOW-2", "G2-KNOW-6")
def test_a_random_lesson_is_one_that_can_be_taught_and_a_free_one_any_of_its_code() -> None:
    norse = race("Norse", {(0, 0): 1})
    for free, key in ((False, "weather_wisdom"), (True, "writing")):
        packs = pack_of(None, spark={"codes": ["K"], "effects": [{"op": "learn", "random": "Ks", "free": free}]})
        events = cast(earth_of(["PPP"], norse, packs=packs), "spark", norse, dice=[d(7, "learn", 7)] if free else [])
        # astronomy, medicine, navigation, philosophy, printing, weather wisdom, writing
        assert [e.knowledge for e in of_kind(events, KnowledgeLearned)] == [key]


@pytest.mark.rule("G2-KNOW-3", "G2-KNOW-4")
def test_a_knowledge_that_is_forgotten_takes_all_its_effects_with_it_and_nothing_else() -> None:
    known = ("toolmaking", "archery", "pottery", "fire_keeping", "metalworking")
    norse = race("Norse", {(0, 0): 1, (0, 1): 1}, knowledges=known)
    state = earth_of(["PPP"], norse, features=[("mineral_resource", (0, 0))])
    before = (stat(state, norse.id, "military").value, stat(state, norse.id, "wealth").value)
    assert before == (1 + 1 + 2, 1 + 1 + 1 + 3)  # archery, metalworking, wealth 6; tools, pots, one mine, its ore
    assert of_kind(let(state, {"op": "forget", "knowledge": "metalworking"}, race=norse), KnowledgeLost)
    assert (stat(state, norse.id, "military").value, stat(state, norse.id, "wealth").value) == (1 + 1, 5)
    let(state, {"op": "forget", "knowledge": "fire_keeping"}, race=norse)
    assert state.races[norse.id].knowledges == ("archery", "pottery", "toolmaking")


@pytest.mark.rule("G2-KNOW-7")
def test_a_power_that_takes_a_knowledge_away_does_not_teach_it() -> None:
    raw = raw_pack(1)
    raw["powers"] = [p for p in raw["powers"] if p["id"] != "teach_explosives"]
    next(p for p in raw["powers"] if p["id"] == "lost_lore")["effects"] = [{"op": "forget", "knowledge": "explosives"}]
    with refused("pack.invalid"):
        build(2, raw)


@pytest.mark.rule("G2-CITY-4", "G2-CITY-8")
def test_a_city_that_waits_for_its_century_is_not_founded_where_it_is_not_allowed() -> None:
    packs = pack_of(
        None, walls={"codes": ["Mv"], "effects": [{"op": "found_city", "kind": "city", "on": "century_start"}]}
    )
    for squares, level, founded in ((6, "civilized", 1), (5, "civilized", 0), (6, "barbarian", 0)):
        norse = race("Norse", {(0, c): 1 for c in range(squares)}, level)
        state = earth_of(["P" * 8], norse, packs=packs, century=2)
        cast(state, "walls", norse)
        assert len(of_kind(century_begins(state), CityFounded)) == founded


@pytest.mark.rule("G2-LVL-1", "G2-CITY-8", "G2-CITY-9")
def test_an_effect_other_than_a_knowledge_makes_no_race_civilized_without_a_city() -> None:
    raw = raw_pack(1)
    effect = {"op": "level_set", "level": "civilized"}
    raw["attributes"].append({"id": "noble", "name": "Noble", "cost": 1, "origin": "test", "effects": [effect]})
    for cities, level in (({}, Level.BARBARIAN), ({(0, 0): CityKind.CITY}, Level.CIVILIZED)):
        norse = race("Norse", {(0, 0): 1, (0, 1): 1}, attributes=["noble"], cities=cities)
        state = earth_of(["PPP"], norse, packs={2: build(2, raw)})
        events = happen(state, lambda s, ctx: settle(s, ctx, "test"))
        assert level_of(state, norse.id) is state.races[norse.id].level is level
        assert [type(e) for e in events] == [LevelChanged] and not of_kind(events, CivilizationLost)
        assert state.invariants() is None
