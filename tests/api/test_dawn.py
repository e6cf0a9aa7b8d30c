"""Dawn through both APIs: the same rows, filters, refusals and secrets; what may be done, tried dry; its pictures."""

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.cache import caches
from django.utils import timezone

from api.graphql.commands import camel
from api.nouns.resource import Resource
from api.nouns.worlds import RESOURCES as NOUNS
from api.nouns.worlds import WORLDS
from games.dawn import api
from games.dawn import models as own
from games.models import LoggedEvent, Receipt
from tests.api.worlds import client, user
from tests.games.dawn import PEOPLE, World, begun, command, named, peopled, setting_up
from worlds.models import City, Race

pytestmark = pytest.mark.django_db
JSON = "application/json"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    for name in ("throttles", "responses"):
        caches[name].clear()


def graphql(who: Any, query: str, **variables: Any) -> dict[str, Any]:
    answer = who.post("/graphql/", {"query": query, "variables": variables}, content_type=JSON).json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]
    return found


def over_rest(here: World, name: str, does: str, body: Mapping[str, Any], query: str = "") -> tuple[int, Any]:
    """(status, body) of a command."""
    sent = json.dumps(body, default=str)
    answer = client(user(name)).post(here.url(f"commands/{does}/{query}"), sent, content_type=JSON)
    return answer.status_code, answer.json()


def camelled(value: Any) -> Any:
    """A value with the names that GraphQL has."""
    if isinstance(value, Mapping):
        return {camel(key): camelled(held) for key, held in value.items()}
    if isinstance(value, list):
        return [camelled(held) for held in value]
    return value if isinstance(value, bool | int) or value is None else str(value)


def over_graphql(here: World, name: str, does: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The result of the same command."""
    kind = "".join(part.title() for part in does.split("-"))
    head, given = (f", $i: Dawn{kind}Input!", ", input: $i") if body else ("", "")
    query = f"""mutation($g: UUID!{head}) {{ it: dawn{kind}(game: $g{given}) {{ __typename
        ... on CommandDone {{ events {{ type fields }} }} ... on Refusal {{ code detail rules facts }} }} }}"""
    told: dict[str, Any] = graphql(
        client(user(name)), query, g=str(here.id), **({"i": camelled(body)} if body else {})
    )["it"]
    return told


def standing(here: World) -> tuple[int, int, int]:
    """What a refusal or a dry run must not move."""
    return here.game.seq, LoggedEvent.objects.filter(game=here.id).count(), Receipt.objects.count()


# --- refusals ---------------------------------------------------------------------------------------------------------
def refused_cases(here: World) -> list[tuple[str, str, dict[str, Any], str, str]]:
    """(who, command, body, code, rule): what is refused in Ann's turn."""
    state = here.state
    elves, dwarves = (named(state.races, name).id for name in ("Elves", "Dwarves"))
    oakhold, deephall = (named(state.cities, name).id for name in ("Oakhold", "Deephall"))
    horn, guild = named(state.avatars, "Horn").id, named(state.orders, "Weavers").id
    bob, army = here.seats["bob"], min(state.armies)
    shape = {"kind": "mundane", "terrain": "plains", "climate": "temperate", "name": "There"}
    at = {"x": 5, "y": 5}
    march = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(army)]}
    return [
        ("bob", "end-turn", {}, "turn.not_yours", ""),
        ("ann", "define-god", {"name": "X", "portfolio": ["a"], "moral": "good"}, "phase.closed", ""),
        ("host", "start-game", {}, "phase.closed", ""),
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
        ("ann", "give-points", {"to": bob, "amount": 5000}, "points.short", ""),
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
    here = peopled(now=timezone.now())
    here.shape("ann", "Shore", (5, 0))
    here.run(command("command-city", city=named(here.state.cities, "Oakhold").id, act="raise_army"), "ann")
    wrong = []
    for name, does, body, code, rule in refused_cases(here):
        before = standing(here)
        status, problem = over_rest(here, name, does, body)
        told = over_graphql(here, name, does, body)
        assert status >= 400 and told.pop("__typename") == "Refusal", (does, problem, told)
        assert told == {part: problem[part] for part in ("code", "detail", "rules", "facts")}, does
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
    told = []
    for over in ("rest", "graphql"):
        here = begun(now=timezone.now())
        here.turn_of("ann")
        here.grant("ann", 20)
        squares = [{"x": 1, "y": 1}, {"x": 2, "y": 1}]
        body = {"kind": "fantastic", "squares": squares, "terrain": "jungle", "climate": "arid", "name": "Singing Wood"}
        if over == "rest":
            status, done = over_rest(here, "ann", "shape-land", body)
            assert status == 201
            events = [(e["type"], e.get("squares"), e.get("terrain")) for e in done["events"]]
        else:
            done = over_graphql(here, "ann", "shape-land", body)
            events = [(e["type"], e["fields"].get("squares"), e["fields"].get("terrain")) for e in done["events"]]
        told.append(events)
        here.rows_agree()
    assert told[0] == told[1]
    assert ("LandShaped", squares, "jungle") in told[0]


# --- what may be done -------------------------------------------------------------------------------------------------
WORDS = {
    "name": "Something new", "order_name": "Temple of it", "task": "Weave.", "text": "So be it.", "memo": "",
    "args.text": "A deed.", "args.name": "Newhall", "actions.text": "A deed.", "free_power.args.name": "New order",
    "free_power.args.task": "Weave.", "free_power.args.args.text": "A deed.",
}  # fmt: skip
MANY = frozenset({"portfolio", "squares", "tags", "parents", "targets", "armies", "actions", "co_creators"})
"""Arguments that take several values, by the last part of their names."""


def value_of(name: str, domain: Mapping[str, Any]) -> Any:
    """A value from a domain; nothing where none is named."""
    if domain["values"]:
        first = domain["values"][0]
        return [first] if name.rsplit(".", 1)[-1] in MANY else first
    if name == "portfolio":
        return ["rivers", "storms"]
    if name in WORDS:
        return WORDS[name]
    return domain["low"]


def body_for(offer: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments from the domains that an offer names; dotted names lie inside others."""
    body: dict[str, Any] = {}
    for name, domain in offer["arguments"].items():
        value, parts, inner = value_of(name, domain), name.split("."), body
        if value is None or parts[0] == "co_creators":
            continue
        for part in parts[:-1]:
            inner = inner.setdefault(part, {})
        inner[parts[-1]] = value
    if "actions" in body:
        body["actions"] = [body["actions"]]
    return body


def offered(here: World, name: str) -> list[dict[str, Any]]:
    """What somebody may do now, of the commands of Dawn."""
    told: list[dict[str, Any]] = client(user(name)).get(here.url("legal-commands/")).json()["results"]
    return [offer for offer in told if offer["legal"]]


def test_what_is_offered_is_accepted_in_a_dry_run_and_nothing_moves() -> None:
    """Alone what needs more than its domains tell is left out: an area that holds its targets, a whole map."""
    here = peopled(now=timezone.now())
    before, tried = standing(here), set()
    left_out = {"work-wonder", "create-subrace"}
    for name in PEOPLE:
        for offer in offered(here, name):
            nothing = any(domain["values"] == [] for domain in offer["arguments"].values())
            if offer["command"] in left_out or nothing:
                continue
            body = body_for(offer)
            status, done = over_rest(here, name, offer["command"], body, "?dry_run=1")
            if done.get("code") == "points.short":  # its price stands in the offer
                assert offer["price"] is not None
                continue
            assert status == 200, (name, offer, body, done)
            assert done["dry_run"] and done["events"], offer
            tried.add((offer["command"], str(body.get("act", ""))))
    assert standing(here) == before
    here.rows_agree()
    wanted = {"shape-land", "create-race", "gift-edge", "shift-alignment", "create-order", "create-avatar", "end-turn",
              "command-order", "command-avatar", "open-motion", "give-points", "make-offer"}  # fmt: skip
    assert wanted <= {does for does, _ in tried}
    assert {("command-race", "settle"), ("command-city", "war"), ("command-race", "deed")} <= tried


# --- rows, filters, secrets -------------------------------------------------------------------------------------------
def of(name: str) -> Resource:
    """A resource by its name."""
    return next(r for r in api.RESOURCES if r.name == name)


LINKED = {r.model for r in (WORLDS, *NOUNS) if r.key == "id"}
"""The nouns whose rows GraphQL shows where REST shows their ids."""


def inner(resource: Resource, name: str) -> str:
    """What is asked of a field: both numbers of a square, the id of another row."""
    if resource.to_square(name):
        return " { x y }"
    return " { id }" if resource.model._meta.get_field(name).related_model in LINKED else ""


def flat(value: Any) -> Any:
    """A row that was asked for its id alone, as that id."""
    return value["id"] if isinstance(value, dict) and value.keys() == {"id"} else value


def rows_of(name: str, here: World, who: str | None, /, *, gm: bool = False, **wanted: Any) -> list[dict[str, Any]]:
    """The rows of one game through both APIs, which must show the same."""
    resource, eyes = of(name), client(user(who)) if who else client()
    query = {"game": str(here.id), "limit": "100", **wanted, **({"as": "gm"} if gm else {})}
    answer = eyes.get(f"/api/v1/dawn/{name}/", {k: str(v).lower() if v is True else str(v) for k, v in query.items()})
    assert answer.status_code == 200, answer.content
    rest: list[dict[str, Any]] = answer.json()["results"]
    names = " ".join(camel(part) + inner(resource, part) for part in resource.fields)
    given = "".join(f", {camel(k)}: {json.dumps(v)}" for k, v in wanted.items())
    field = f"dawn{''.join(part.title() for part in name.split('-'))}"
    asked = (
        f"query($g: UUID!) {{ it: {field}(game: $g, first: 100, asGm: {str(gm).lower()}{given}) "
        f"{{ nodes {{ {names} }} }} }}"
    )
    nodes = graphql(eyes, asked, g=str(here.id))["it"]["nodes"]
    bare = [{key: flat(value) for key, value in node.items()} for node in nodes]
    assert [{camel(k): v for k, v in row.items()} for row in rest] == bare, name
    return rest


def test_both_apis_show_the_same_rows_to_the_same_eyes() -> None:
    here = peopled(now=timezone.now())
    here.run(command("make-offer", to=here.seats["bob"], give=1, want=1), "ann")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=3), "cat")
    here.run(command("open-motion", length=6), "bob")
    here.run(command("shift-alignment", target=named(here.state.races, "Dwarves").id, dir=1), "ann")
    seen = {resource.name: rows_of(resource.name, here, None) for resource in api.RESOURCES}
    assert {name for name, rows in seen.items() if not rows} == {"conflicts", "wars", "offers", "advances"}
    for resource in api.RESOURCES:
        own_eyes = rows_of(resource.name, here, "ann")
        if resource.name != "offers":
            assert own_eyes == seen[resource.name]
    assert [p["does"] for p in seen["powers"]] == ["shift-alignment"]
    assert seen["powers"][0]["arguments"]["dir"] == 1
    offers = {name: len(rows_of("offers", here, name)) for name in PEOPLE}
    assert offers == {"ann": 1, "bob": 1, "cat": 0}
    assert len(rows_of("offers", here, "host", gm=True)) == 1
    assert {name: len(rows_of("advances", here, name)) for name in PEOPLE} == {"ann": 0, "bob": 0, "cat": 1}


def test_rows_are_filtered_alike_in_both_apis() -> None:
    here = peopled(now=timezone.now())
    elves, dwarves = (Race.objects.get(world=here.game.world, name=name) for name in ("Elves", "Dwarves"))
    oakhold = City.objects.get(world=here.game.world, name="Oakhold")
    ann, bob = str(here.seats["ann"]), str(here.seats["bob"])

    def ids(name: str, field: str, /, **wanted: Any) -> list[Any]:
        return [row[field] for row in rows_of(name, here, "cat", **wanted)]

    assert ids("races", "race", name="Elves") == [str(elves.pk)]
    assert ids("races", "race", creator=bob) == [str(dwarves.pk)]
    assert sorted(ids("races", "race", edge="good ships")) == sorted([str(elves.pk), str(dwarves.pk)])
    assert ids("races", "race", tier="majestic") == ids("races", "race", alignment_min=1) == []
    assert len(ids("races", "race", alignment=0, life="alive")) == 2
    assert ids("cities", "city", alignment_min=1) == ids("cities", "city", controller=ann) == [str(oakhold.pk)]
    assert ids("cities", "city", edge="thick walls", race=str(elves.pk)) == [str(oakhold.pk)]
    assert ids("edges", "name", kind="defensive", city=str(oakhold.pk)) == ["thick walls"]
    assert ids("edges", "tags", race=str(elves.pk), tag="crosses_water") == [["crosses_water"]]
    assert ids("squares", "square", climate="polar") == [{"x": 6, "y": 4}, {"x": 7, "y": 4}]
    assert len(ids("squares", "square", fantastic=True)) == len(ids("squares", "square", floating=True)) == 2
    assert len(ids("squares", "square", shaped_by=ann)) == 6
    assert len(ids("squares", "square", terrain="plains", x_max=2)) == 4
    isle = own.Region.objects.get(name="Isle of Glass")
    assert len(ids("squares", "square", region=str(isle.pk))) == 2
    assert ids("regions", "name", fantastic=True) == ids("regions", "name", name_contains="glass") == ["Isle of Glass"]
    assert ids("territories", "square", race=str(elves.pk)) == [{"x": 1, "y": 1}, {"x": 1, "y": 2}]
    assert ids("territories", "race", x=3, y=1) == [str(dwarves.pk)]
    assert len(ids("orders", "order", owner=ann)) == 2
    assert len(ids("orders", "order", kind="religious")) == 2
    assert ids("avatars", "square", owner=ann, alive=True) == [{"x": 1, "y": 1}]
    assert len(ids("avatars", "avatar", owner=bob)) == 0
    assert len(ids("purses", "seat", balance_min=0)) == 3
    assert client().get("/api/v1/dawn/races/", {"colour": "red"}).status_code in (400, 422)


@pytest.mark.rule("DW-AGE-5", "DW-AMB-56")
def test_what_is_secret_is_told_to_its_own_seat_alone() -> None:
    """Ballots until the motion is closed; what is said in advance always, and from the game-master too."""
    here = begun(now=timezone.now())
    here.run(command("open-motion", length=7), "ann")
    motion = own.Motion.objects.get(game=here.id)
    here.run(command("cast-ballot", motion=motion.pk, yes=True), "bob")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=314159), "bob")
    assert [row["most"] for row in rows_of("advances", here, "bob")] == [314159]
    for name, gm in (("ann", False), ("cat", False), (None, False), ("host", True)):
        assert rows_of("advances", here, name, gm=gm) == []
        eyes, sight = client(user(name)) if name else client(), "as=gm" if gm else ""
        for part in (f"state/?{sight}", f"events/?limit=500&{sight}", f"prompts/?all=1&{sight}"):
            told = eyes.get(here.url(part)).content.decode()
            assert "314159" not in told and "BallotCast" not in told, (name, part)
        answers = eyes.get(here.url(f"state/?{sight}")).json()["answers"]
        assert answers == []
    mine = client(user("bob")).get(here.url("state/")).json()
    assert [a["value"] for a in mine["answers"]] == ["true"] or [a["value"] for a in mine["answers"]] == [True]


@pytest.mark.rule("DW-WAR-4")
def test_armies_that_a_side_commits_are_sealed_until_both_are_in() -> None:
    here = peopled(now=timezone.now())
    deephall, oakhold = (named(here.state.cities, name) for name in ("Deephall", "Oakhold"))
    here.turn_of("bob")
    here.run(command("command-city", city=deephall.id, act="raise_army"), "bob")
    here.turn_of("ann")
    armies = [a.id for a in here.state.armies_in(oakhold.id)]
    march = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(a) for a in armies]}
    here.run(command("command-city", city=oakhold.id, act="war", args=march), "ann")
    war = own.War.objects.get(game=here.id)
    here.run(command("commit-armies", war=war.pk, armies=[str(armies[0])]), "ann")
    for name, knows in (("ann", True), ("bob", False), ("cat", False)):
        told = client(user(name)).get(here.url("state/")).json()["answers"]
        assert (len(told) > 0) is knows, name
        log = client(user(name)).get(here.url("events/?limit=500")).content.decode()
        assert ("ArmiesCommitted" in log, "CommitSealed" in log) == (knows, True)
    here.rows_agree()
    (mine,) = here.state.armies_in(deephall.id)
    body = {"war": str(war.pk), "armies": [str(mine.id)]}
    answer = client(user("bob")).post(
        here.url("commands/commit-armies/?dry_run=1"), body, content_type="application/json"
    )
    assert (answer.status_code, [e["type"] for e in answer.json()["events"]]) == (
        200,
        ["ArmiesCommitted", "CommitSealed"],
    )
    assert str(armies[0]) not in answer.content.decode()


# --- pictures and the story -------------------------------------------------------------------------------------------
def test_the_map_shows_climates_wonders_regions_peoples_armies_and_avatars() -> None:
    here = peopled(now=timezone.now())
    drawn = client().get(here.url("map.svg"))
    assert (drawn.status_code, drawn["Content-Type"].split(";")[0]) == (200, "image/svg+xml")
    tree = ElementTree.fromstring(drawn.content)
    titles = {title.text for title in tree.iter(f"{SVG}title")}
    assert {"polar", "fantastic land", "floating land"} <= titles
    assert {"Elves", "Dwarves"} <= titles
    assert {"city: Oakhold", "city: Deephall", "army: 2 of Oakhold", "avatar: Horn"} <= titles
    written = "".join(text for text in tree.itertext())
    assert "Greenlands" in written and "Ironhills" in written and "Glass" in written
    assert "3 SQUARES" in written and "SHADES" in written
    assert "Age of Land, round" in written
    assert client().get(here.url("map.svg")).content == drawn.content
    shown = graphql(client(), "query($g: UUID!) { game(id: $g) { mapSvg(century: 1) } }", g=str(here.id))["game"][
        "mapSvg"
    ]
    assert shown.encode() == drawn.content
    world = client().get(f"/api/v1/worlds/{here.game.world_id}/map.svg").content.decode()
    assert "Oakhold" in world and "Greenlands" in world


def test_a_game_is_told_by_its_ages() -> None:
    here = begun(now=timezone.now())
    while here.state.course.age < 2:
        here.run(command("end-turn"), here.active)
    told = client().get(here.url("chronicle/?format=markdown&century=1")).content.decode()
    assert "## Age 1" in told and "## Age 2" not in told and "round 5 of 5" in told
    second = client().get(here.url("chronicle/?century=2")).json()["results"]
    assert [line["text"] for line in second][:2] == ["The Age of Races begins.", "Age of Races, round 1 of 5."]
    assert client().get(here.url("chronicle/?century=3")).json()["code"] == "century.ahead"
    assert client().get(here.url("map.svg?century=1")).status_code == 200
    charts = client().get(here.url("pictures/")).json()
    assert {"points", "territory", "armies"} == {chart["name"] for chart in charts["charts"]}
    assert client().get(here.url("charts/points.svg")).status_code == 200


def test_before_there_is_a_map_there_is_none_to_see() -> None:
    here = setting_up(now=timezone.now())
    assert client().get(here.url("map.svg")).status_code == 200
    lobby = client(user("host")).post("/api/v1/games/", {"ruleset": "dawn", "name": "Later"}, content_type=JSON).json()
    answer = client().get(f"/api/v1/games/{lobby['id']}/map.svg")
    assert (answer.status_code, answer.json()["code"]) == (404, "map.missing")
