"""Legal commands of Dawn through both APIs, tried as dry runs; and forecasts."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from games.dawn.rules import RULESET
from games.dawn.rules.powers.frame import PowerRules
from tests.api.dawn import camel_case, graphql, over_rest, standing
from tests.games.dawn import PEOPLE, World, alteration, begin, command, peopled_world, record_named
from tests.play.ruleless import body_for, choices

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
FORECASTS = {name for name, kind in RULESET.open_commands.items() if issubclass(kind, PowerRules)}


@pytest.fixture
def world() -> World:
    """Ann's turn in a world with two peoples, and wolves who have a city no longer."""
    here = peopled_world(now=timezone.now())
    elves = record_named(here.state.races, "Elves").id
    here.run(command("create-subrace", name="Wolves", parents=[elves], home={"x": 1, "y": 2}), "ann")
    wolves = record_named(here.state.races, "Wolves").id
    here.run(alteration("races", str(wolves), had_city="true"), "gm")
    return here


def legal_commands(here: World, name: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The commands of Dawn that are legal for a player now, and the whole answer."""
    answer: dict[str, Any] = here.client(name).get(here.url("legal-commands/")).json()
    return [candidate for candidate in answer["results"] if candidate["legal"]], answer


WANTED = {
    "shape-land", "create-race", "create-subrace", "gift-edge", "shift-alignment", "create-order", "create-avatar",
    "end-turn", "command-order", "command-avatar", "open-motion", "give-points", "make-offer",
    "work-wonder", "upgrade-race", "command-race", "command-city",
}  # fmt: skip
"""What the legal commands include at least, each of which must be tried."""
ACTS = {
    ("command-race", "settle"), ("command-city", "war"), ("command-race", "deed"), ("work-wonder", "deed"),
    ("work-wonder", "ravage"), ("work-wonder", "raze_city"), ("work-wonder", "kill_avatar"),
    ("work-wonder", "extinguish_race"),
}  # fmt: skip


def test_every_legal_command_is_accepted_in_a_dry_run_and_nothing_moves(world: World) -> None:
    """Each legal command of each god is tried, with a body by its schema; so is each kind's forecast."""
    here = world
    before, tried = standing(here), set()
    for name in PEOPLE:
        legal, answer = legal_commands(here, name)
        for candidate in legal:
            if candidate["command"] in ("hand-over", "report-message"):
                continue  # a person is named, or a message, whom no schema lists
            body = body_for(candidate, answer, Random(str(candidate)))
            status, done = over_rest(here, name, candidate["command"], body, "?dry_run=1")
            assert status == 200, (name, candidate, body, done)
            assert done["dry_run"] and done["events"], candidate
            does = (candidate["command"], str(body.get("act", body.get("works", ""))))
            if candidate["command"] in FORECASTS and does not in tried:
                said = over_rest(here, name, candidate["command"], body, address="forecast")
                declared = next(event for event in done["events"] if event["type"] == "dawn.PowerDeclared")
                price = declared["data"]["price"]
                assert (said[0], said[1]["price"], said[1]["barred"]) == (200, price, None), candidate
            tried.add(does)
    assert standing(here) == before
    here.rows_agree()
    assert {does for does, _ in tried} >= WANTED
    assert tried >= ACTS


# --- forecasts --------------------------------------------------------------------------------------------------------
FORECAST = """query($g: UUID!, $c: String!, $b: JSON!) { game(id: $g) { forecast(command: $c, body: $b) { price exact
    steps { key name rule does amount amountOver value } hidden barred { code rules }
    prospects { what subject key low high odds { amount chance chanceOver } squares { x y } } } } }"""


def forecast_of(here: World, name: str, does: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The forecast of a command, which must be the same through both APIs."""
    status, rest = over_rest(here, name, does, body, address="forecast")
    assert status == 200, rest
    same = graphql(here.client(name), FORECAST, g=str(here.id), c=does, b=json.loads(json.dumps(body, default=str)))
    found: dict[str, Any] = same["game"]["forecast"]
    for part in ("price", "exact", "hidden"):
        assert rest[part] == found[part]
    assert (
        {part: rest["barred"][part] for part in ("code", "rules")} == found["barred"]
        if rest["barred"]
        else (found["barred"] is None)
    )
    assert camel_case(rest["prospects"]) == camel_case(found["prospects"])
    names = ("key", "name", "rule", "does", "amount", "value")
    assert [[step[n] for n in names] for step in rest["steps"]] == [[step[n] for n in names] for step in found["steps"]]
    return rest


def what(values: Mapping[str, Any]) -> list[tuple[str, str, int]]:
    """(what, key, how much) of each prospect."""
    return [(p["what"], p["key"], p["low"]) for p in values["prospects"]]


@pytest.mark.rule("DW-LAND-3", "DW-ALN-2", "DW-ORDR-2", "DW-RACE-4", "DW-DC-7")
def test_powers_without_dice_forecast_their_price_and_the_seats_they_ask(world: World) -> None:
    here, state = world, world.state
    ann, bob, cat = (str(here.seats[name]) for name in PEOPLE)
    dwarves = str(record_named(state.races, "Dwarves").id)
    before = standing(here)
    square = {"x": 3, "y": 1}
    shaped = forecast_of(here, "ann", "shape-land", {"kind": "mundane", "terrain": "forest", "squares": [square]})
    assert (shaped["price"], what(shaped)) == (1, [("shaped", "forest", 1), ("leave", bob, 1)])
    shift = forecast_of(here, "ann", "shift-alignment", {"target": dwarves, "dir": -1})
    assert (shift["price"], what(shift)) == (4, [("object", bob, 1), ("alignment_shifted", dwarves, -1)])
    faith = record_named(state.orders, "Temple of Dwarves").id
    task = forecast_of(here, "ann", "command-order", {"order": str(faith), "task": "Weave."})
    assert [(step["rule"], step["amount"]) for step in task["steps"]] == [("DW-PRC-3", 4), ("DW-ORDR-2", 10)]
    race = {"name": "Gnomes", "home": square, "co_creators": [{"seat": cat, "share": 2}]}
    joint = forecast_of(here, "ann", "create-race", race)
    assert what(joint)[:3] == [("consent", cat, 1), ("share", ann, 20), ("share", cat, 2)]
    waiting = forecast_of(here, "bob", "shift-alignment", {"target": dwarves, "dir": 1})
    assert (waiting["barred"]["code"], what(waiting)) == ("turn.not_yours", [("alignment_shifted", dwarves, 1)])
    status, refused = over_rest(here, "ann", "upgrade-race", {"race": dwarves}, address="forecast")
    assert (status, refused["code"], refused["rules"]) == (404, "creator.missing", ["DW-RACE-2", "DW-AMB-47"])
    assert standing(here) == before


@pytest.mark.rule("DW-ORD-3", "DW-ORD-4")
def test_legal_commands_have_a_place_for_sale_only_where_a_god_may_buy_it() -> None:
    here = begin(now=timezone.now())
    here.turn_of("ann")
    query = "query($g: UUID!) { game(id: $g) { legalCommands { results { command legal barred { code rules } } } } }"
    for _ in PEOPLE:
        name = here.active
        listed = here.client(name).get(here.url("legal-commands/?command=offer-place")).json()
        answer = listed["results"]
        every = graphql(here.client(name), query, g=str(here.id))["game"]["legalCommands"]["results"]
        same = [candidate for candidate in every if candidate["command"] == "offer-place"]
        late = [seat for seat in here.state.course.order if seat not in (*here.state.course.acted, here.seats[name])]
        assert [each["legal"] for each in (*answer, *same)] == [bool(late)] * 2 * max(1, len(late))
        if late:
            assert [choices(sale, listed, "to") for sale in answer] == [[str(seat)] for seat in late]
        else:
            (sale,), (again,) = answer, same
            assert (sale["barred"]["code"], sale["barred"]["rules"]) == ("place.acted", ["DW-ORD-4"])
            assert again["barred"] == {"code": "place.acted", "rules": ["DW-ORD-4"]}
            return
        here.run(command("end-turn"), name)
    raise AssertionError("somebody is the last of the round")
