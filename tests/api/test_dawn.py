"""Dawn through both APIs: the same refusals, the same shapes, the same effects."""

from typing import Any

import pytest
from django.utils import timezone

from tests.api.dawn import over_graphql, over_rest, standing
from tests.games.dawn import World, begin, command, peopled_world, record_named, setting_up

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]


def refused_cases(here: World) -> list[tuple[str, str, dict[str, Any], str, str]]:
    """(who, command, body, code, rule): what is refused in Ann's turn."""
    state = here.state
    elves, dwarves = (record_named(state.races, name).id for name in ("Elves", "Dwarves"))
    oakhold, deephall = (record_named(state.cities, name).id for name in ("Oakhold", "Deephall"))
    horn, guild = record_named(state.avatars, "Horn").id, record_named(state.orders, "Weavers").id
    bob, army = here.seats["bob"], min(state.armies)
    shape = {"kind": "mundane", "terrain": "plains", "climate": "temperate", "name": "There"}
    at = {"x": 5, "y": 5}
    march = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(army)]}
    return [
        ("bob", "end-turn", {}, "turn.not_yours", "DW-TRN-1"),
        ("ann", "define-god", {"name": "X", "portfolio": ["a"], "moral": "good"}, "phase.closed", ""),
        ("host", "end-setup", {}, "phase.closed", ""),
        ("ann", "shape-land", {**shape, "squares": [{"x": 8, "y": 0}]}, "square.off_map", "DW-SET-3"),
        ("ann", "shape-land", {**shape, "squares": [at, {"x": 0, "y": 0}]}, "squares.apart", "DW-LAND-1"),
        ("ann", "create-race", {"name": "Elves", "home": {"x": 1, "y": 2}}, "name.taken", ""),
        ("ann", "upgrade-race", {"race": dwarves}, "creator.missing", "DW-RACE-2"),
        ("ann", "command-race", {"race": dwarves, "act": "deed", "args": {}}, "presence.missing", "DW-PRC-2"),
        ("ann", "command-city", {"city": oakhold, "act": "found_city"}, "act.invalid", ""),
        ("ann", "command-city", {"city": oakhold, "act": "raise_army"}, "army.cap", "DW-CMDC-2"),
        ("ann", "command-city", {"city": deephall, "act": "war", "args": march}, "presence.missing", "DW-PRC-2"),
        ("ann", "gift-edge", {"target": bob, "name": "x", "kind": "other"}, "target.missing", ""),
        ("ann", "gift-edge", {"target": oakhold, "name": "thick walls", "kind": "other"}, "edge.exists", "DW-EDGE-2"),
        ("ann", "command-avatar", {"avatar": horn}, "act.invalid", "DW-AVA-3"),
        ("ann", "give-points", {"to": bob, "amount": 5000}, "points.short", "DW-PTS-1"),
        ("bob", "give-points", {"to": here.seats["cat"], "amount": 1}, "pair.inactive", "DW-PTS-2"),
        ("ann", "place-bid", {"conflict": horn, "total": 1}, "prompt.closed", ""),
        ("ann", "cast-ballot", {"motion": horn, "yes": True}, "motion.closed", "DW-AGE-5"),
        ("ann", "open-motion", {"length": 11}, "length.range", "DW-AGE-2"),
        ("ann", "open-motion", {"length": 5}, "length.range", "DW-AGE-2"),
        ("ann", "answer-leave", {"prompt": horn, "yes": True}, "prompt.closed", ""),
        ("ann", "offer-place", {"to": bob, "price": 1}, "turn.begun", "DW-ORD-3"),
        ("ann", "command-order", {"order": horn, "task": "Weave."}, "order.missing", ""),
        ("ann", "accept-offer", {"offer": guild}, "offer.closed", ""),
        ("ann", "create-subrace", {"name": "S", "parents": [elves], "home": at}, "home.outside", "DW-SUB-1"),
    ]  # fmt: skip


def test_both_apis_refuse_alike_and_nothing_has_changed() -> None:
    here = peopled_world(now=timezone.now())
    here.shape("ann", "Shore", (5, 0))
    here.run(command("command-city", city=record_named(here.state.cities, "Oakhold").id, act="raise_army"), "ann")
    wrong = []
    for name, does, body, code, rule in refused_cases(here):
        before = standing(here)
        status, problem = over_rest(here, name, does, body)
        answer = over_graphql(here, name, does, body)
        assert status >= 400 and answer.pop("__typename") == "Refusal", (does, problem, answer)
        assert answer == {part: problem[part] for part in ("code", "detail", "rules", "facts")}, does
        assert status == (404 if problem["code"].endswith(".missing") else 409), (does, status, problem)
        assert standing(here) == before, does
        if problem["code"] != code or rule not in (*problem["rules"], ""):
            wrong.append((does, code, rule, problem["code"], problem["rules"]))
    assert wrong == []


@pytest.mark.parametrize(
    ("does", "body"),
    [
        ("set-map", {"width": "8", "height": 6, "preset": "all_ocean"}),
        ("define-god", {"name": "Ann\nBob", "portfolio": ["a"], "moral": "good"}),
        ("define-god", {"name": "Ann", "portfolio": ["a"], "moral": "nice"}),
        ("define-god", {"name": "Ann", "portfolio": ["a"], "moral": "good", "temper": "bad"}),
    ],
)
def test_what_has_not_the_shape_of_a_command_is_a_422(does: str, body: dict[str, Any]) -> None:
    here = setting_up(now=timezone.now())
    assert over_rest(here, "host" if does == "set-map" else "ann", does, body)[0] == 422


def test_a_command_of_nested_values_does_the_same_over_both_apis() -> None:
    rows = []
    for over in ("rest", "graphql"):
        here = begin(now=timezone.now())
        here.turn_of("ann")
        here.grant("ann", 20)
        squares = [{"x": 1, "y": 1}, {"x": 2, "y": 1}]
        body = {"kind": "fantastic", "squares": squares, "terrain": "jungle", "climate": "arid", "name": "Singing Wood"}
        if over == "rest":
            status, done = over_rest(here, "ann", "shape-land", body)
            assert status == 201
            events = [(e["type"], e["data"].get("squares"), e["data"].get("terrain")) for e in done["events"]]
        else:
            done = over_graphql(here, "ann", "shape-land", body)
            events = [(e["type"], e["dataJson"].get("squares"), e["dataJson"].get("terrain")) for e in done["events"]]
        rows.append(events)
        here.rows_agree()
    assert rows[0] == rows[1]
    assert ("dawn.LandShaped", squares, "jungle") in rows[0]
