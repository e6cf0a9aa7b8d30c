"""Albraxas through both APIs: the same rows, refusals and secrets; commitments alone; what may be done, tried dry."""

import json
from uuid import UUID

import pytest
from django.core.cache import caches
from django.utils import timezone

from api.graphql.commands import camel
from games import registry
from games.albraxas import api
from games.albraxas.rules.leaving import Concede
from games.albraxas.rules.travelling import LockLocation, SetLocation
from games.albraxas.rules.writing import SealOrders, WriteOrders
from games.engine.amend import canonical
from games.engine.sealed import digest_of
from games.models import LoggedEvent, Receipt
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, PEOPLE, Battle, battle, begun, define, opened, writing

pytestmark = pytest.mark.django_db
JSON = "application/json"
RULESET = registry.ruleset("albraxas")
OWN = [command for command in RULESET.open_commands.values() if command.__module__.startswith("games.albraxas.")]
SALT, PAPER = "sixteen and some", {"convalesce": False, "orders": []}


@pytest.fixture(autouse=True)
def empty_caches():
    caches["throttles"].clear()


def graphql(who, query: str, **variables) -> dict:
    answer = who.post("/graphql/", {"query": query, "variables": variables}, content_type=JSON).json()
    assert "errors" not in answer, answer
    return answer["data"]


def over_rest(here: Battle, name: str, command: str, body: dict, query: str = ""):
    """(status, body) of a command."""
    answer = client(user(name)).post(here.url(f"commands/{command}/{query}"), json.dumps(body), content_type=JSON)
    return answer.status_code, answer.json()


def over_graphql(here: Battle, name: str, command: str, body: dict) -> dict:
    """The result of the same command."""
    kind = "".join(part.title() for part in command.split("-"))
    head, given = (f", $i: Albraxas{kind}Input!", ", input: $i") if body else ("", "")
    query = f"""mutation($g: UUID!{head}) {{ it: albraxas{kind}(game: $g{given}) {{ __typename
        ... on CommandDone {{ events {{ type fields }} }} ... on Refusal {{ code detail rules facts }} }} }}"""
    sent = {camel(key): value for key, value in body.items()}
    return graphql(client(user(name)), query, g=str(here.id), **({"i": sent} if body else {}))["it"]


def standing(here: Battle) -> tuple[int, int, int]:
    """What a refusal or a dry run must not move."""
    return here.game.seq, LoggedEvent.objects.filter(game=here.id).count(), Receipt.objects.count()


# --- commitments alone ------------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-AMB-31", "CF-9")
def test_a_turn_is_sealed_and_opened_over_both_apis_alike():
    """Ria sends over REST, Albert over GraphQL, and each keeps the orders until all are in."""
    here = begun(now=timezone.now())
    here.go(ria=1, rex=2)
    orders = {"convalesce": False, "orders": [{"action": "battle", "dice": None, "tie": {"max": 2, "mode": "if_wins"}}]}
    digest = digest_of(SALT, canonical(orders))
    status, sealed = over_rest(here, "ria", "seal-orders", {"digest": digest})
    assert status == 201
    again = over_graphql(here, ALBERT, "seal-orders", {"digest": digest})
    kinds = ["OrdersWritten", "OrdersSealed"]
    assert [e["type"] for e in sealed["events"]] == [e["type"] for e in again["events"]] == kinds
    assert sealed["events"][1]["digest"] == again["events"][1]["fields"]["digest"] == digest
    assert sealed["events"][0]["paper"] is None
    assert over_rest(here, "ria", "open-orders", orders | {"salt": SALT})[1]["code"] == "prompt.closed"
    here.write(rex=())
    for kind in ("write-orders", "seal-orders"):
        body = {"digest": digest} if kind == "seal-orders" else PAPER
        assert over_rest(here, "ria", kind, body)[1]["code"] == "prompt.open"
    for salt, other, code in (
        (SALT, PAPER, "seal.broken"), ("other " + SALT, orders, "seal.broken"), ("short", orders, "seal.weak"),
    ):  # fmt: skip
        body = other | {"salt": salt}
        before = standing(here)
        refused, told = over_rest(here, "ria", "open-orders", body)[1], over_graphql(here, "ria", "open-orders", body)
        assert refused["code"] == told["code"] == code and refused["facts"] == told["facts"]
        assert standing(here) == before
    prompts = client(user("ria")).get(here.url("prompts/")).json()["results"]
    assert [(p["kind"], p["answered"]) for p in prompts if p["kind"] == "order.open"] == [("order.open", False)]
    status, done = over_rest(here, "ria", "open-orders", orders | {"salt": SALT})
    assert status == 201
    assert [e["type"] for e in done["events"]] == ["PromptAnswered", "PromptCounted", "OrdersWritten"]
    prompts = client(user("ria")).get(here.url("prompts/")).json()["results"]
    assert [(p["kind"], p["answered"]) for p in prompts if p["kind"] == "order.open"] == [("order.open", True)]
    assert over_rest(here, "ria", "open-orders", orders | {"salt": SALT})[1]["code"] == "seal.opened"
    last = over_graphql(here, ALBERT, "open-orders", orders | {"salt": SALT})
    shown = next(e["fields"] for e in last["events"] if e["type"] == "OrdersRevealed")
    assert {p["seat"]: p["digest"] for p in shown["papers"] if p["orders"]} == {
        str(here.seats["ria"]): digest, str(here.seats[ALBERT]): digest,
    }  # fmt: skip
    here.rows_agree()


# --- refusals ---------------------------------------------------------------------------------------------------------
def one(action: str, **more) -> dict:
    """A paper with one order."""
    return {"orders": [{"action": action, **more}]}


NAMED = {"name": "Great ria", "backbone": 4, "battle": 5, "blitz": 4}
REFUSED = {
    "writing": [
        ("host", "configure-game", {"phases": 3, "sides": 6, "check_from": 1}, "config.range", "AX-SET-5"),
        ("host", "configure-game", {"phases": 9, "sides": 6, "check_from": 9}, "config.range", "AX-END-6"),
        ("host", "start-game", {}, "game.not_ready", "AX-SET-1"),
        ("ria", "start-game", {}, "issuer.other", ""),
        ("ria", "play-albraxas", {}, "albraxas.taken", "AX-AMB-30"),
        ("rex", "play-albraxas", {"seat": "ria"}, "seat.other", ""),
        ("rex", "define-character", {**NAMED, "name": "X", "blitz": 5}, "attributes.sum", "AX-SET-2"),
        (ALBERT, "define-character", {**NAMED, "name": "X"}, "attributes.sum", "AX-SET-2"),
        ("rex", "define-character", {**NAMED, "name": "X", "backbone": 0, "blitz": 8}, "attributes.min", "AX-AMB-1"),
        ("rex", "define-character", NAMED, "name.taken", ""),
        ("rex", "set-location", {"phase": 1}, "phase.closed", "AX-TRN-1"),
        ("rex", "concede", {}, "phase.closed", "AX-TRN-1"),
    ],
    "locate": [
        ("rex", "set-location", {"phase": 17}, "phase.range", "AX-TRN-2"),
        ("ria", "set-location", {"phase": 2}, "location.locked", "AX-TRN-2"),
        ("ria", "lock-location", {}, "location.locked", "AX-TRN-2"),
        ("rex", "lock-location", {}, "location.missing", "AX-TRN-2"),
        ("rex", "unlock-location", {}, "location.open", "AX-TRN-2"),
        (ALBERT, "set-location", {"phase": 1}, "phase.closed", "AX-SET-7"),
        ("rex", "write-orders", {}, "phase.closed", "AX-TRN-1"),
        ("host", "configure-game", {"phases": 9, "sides": 6, "check_from": 1}, "phase.closed", "AX-TRN-1"),
        ("rex", "define-character", NAMED, "phase.closed", "AX-TRN-1"),
    ],
    "order": [
        ("rex", "write-orders", {"orders": 5 * [{"action": "hole_up"}]}, "orders.too_many", "AX-TRN-6"),
        ("rex", "write-orders", {"convalesce": True, **one("battle")}, "orders.too_many", "AX-TRN-6"),
        ("rex", "write-orders", one("pray"), "action.unknown", "AX-TRN-5"),
        ("rex", "write-orders", one("convalesce"), "action.unknown", "AX-TRN-5"),
        ("rex", "write-orders", one("blitz"), "dice.range", "AX-ACT-4"),
        ("rex", "write-orders", one("blitz", dice=5), "dice.range", "AX-ACT-4"),
        ("rex", "write-orders", one("battle", dice=1), "dice.range", "AX-ACT-4"),
        ("rex", "write-orders", one("battle", tie={"max": -1}), "policy.invalid", "AX-DIE-5"),
        ("rex", "write-orders", one("battle", tie={"mode": "never"}), "policy.invalid", "AX-DIE-5"),
        ("rex", "open-orders", {"salt": SALT}, "prompt.closed", ""),
        ("rex", "set-location", {"phase": 1}, "phase.closed", "AX-TRN-1"),
    ],
    "travel": [("rex", "set-location", {"phase": 1}, "dynamism.short", "AX-TRN-3")],
}  # fmt: skip


def stood(step: str) -> Battle:
    """A game in which the cases of a step are refused."""
    if step == "writing":
        here = writing({"phases": 16}, now=timezone.now())
        define(here, "ria")
        return here
    phases = 400 if step == "travel" else 16
    here = begun({"phases": phases, "check_from": phases - 1}, now=timezone.now())
    if step == "locate":
        here.go(ria=1)
    if step == "order":
        here.go(ria=1, rex=2)
    if step == "travel":
        here.go(ria=1, rex=400)
        here.write(ria=(), rex=(battle(),), albert=())  # 20 Dynamism, less 1
    return here


@pytest.mark.parametrize("step", REFUSED)
def test_both_apis_refuse_alike_and_nothing_has_changed(step: str):
    here = stood(step)
    for name, command, sent, code, rule in REFUSED[step]:
        body = {**sent, "seat": str(here.seats[sent["seat"]])} if "seat" in sent else sent
        before = standing(here)
        status, problem = over_rest(here, name, command, body)
        told = over_graphql(here, name, command, body)
        assert problem["code"] == code, (command, sent, problem)
        assert status == (404 if code.endswith(".missing") else 409)
        assert told.pop("__typename") == "Refusal"
        assert told == {part: problem[part] for part in ("code", "detail", "rules", "facts")}, command
        assert rule in (*problem["rules"], "")
        assert standing(here) == before
    codes = {case[3] for cases in REFUSED.values() for case in cases}
    assert {"seal.broken", "seal.weak", "seal.opened"} | codes >= CODES


CODES = {
    "config.range", "albraxas.taken", "seat.other", "attributes.sum", "attributes.min", "name.taken", "game.not_ready",
    "phase.range", "location.locked", "dynamism.short", "location.missing", "location.open", "orders.too_many",
    "dice.range", "action.unknown", "policy.invalid", "seal.broken", "seal.weak", "seal.opened", "phase.closed",
}  # fmt: skip
"""Every code of section 10 of the rulebook."""


@pytest.mark.parametrize(
    ("command", "body"),
    [
        ("write-orders", {"orders": 65 * [{"action": "hole_up"}]}),
        ("write-orders", one("x" * 41)),
        ("write-orders", one("battle", tie={"max": 1, "most": 2})),
        ("seal-orders", {"digest": "A" * 64}),
        ("seal-orders", {"digest": "a" * 63}),
        ("set-location", {"phase": "1"}),
        ("define-character", {**NAMED, "name": "Ria\nRex"}),
    ],
)
def test_what_has_not_the_shape_of_a_command_is_a_422(command: str, body: dict):
    here = begun(now=timezone.now())
    assert over_rest(here, "rex", command, body)[0] == 422


# --- what may be done -------------------------------------------------------------------------------------------------
STEPS = ("lobby", "characters", "locate", "locked", "order", "opening")


def at(step: str) -> Battle:
    """A game in this step; in `opening` Ria and Albert have handed in digests alone."""
    if step == "lobby":
        return opened(now=timezone.now())
    if step == "characters":
        here = writing(now=timezone.now())
        for name in PEOPLE:
            define(here, name)
        return here
    here = begun(now=timezone.now())
    if step == "locked":
        here.run(SetLocation(phase=2), "rex")
        here.go(ria=3)
    if step in ("order", "opening"):
        here.go(ria=1, rex=2)
    if step == "opening":
        for name in ("ria", ALBERT):
            here.run(SealOrders(digest=digest_of(SALT, canonical(PAPER))), name)
        here.run(WriteOrders(), "rex")
    return here


def body_for(offer: dict, name: str) -> dict:
    """Arguments from the domains that an offer names."""
    first = {
        part: domain["values"][0] if domain["values"] else domain["low"] for part, domain in offer["arguments"].items()
    }
    match offer["command"]:
        case "configure-game":
            return {**first, "phases": offer["arguments"]["phases"]["high"]}
        case "define-character":
            whole = offer["arguments"]["backbone"]["high"] + 2
            return {"name": f"{name} again", "backbone": 1, "battle": 1, "blitz": whole - 2}
        case "write-orders":
            most = offer["arguments"]["orders"]["high"]
            orders = [{"action": a} for a in offer["arguments"]["orders.action"]["values"] if a != "blitz"][:most]
            return {"convalesce": False, "orders": orders}
        case "seal-orders":
            return {"digest": digest_of(SALT, canonical(PAPER))}
        case "open-orders":
            return {"salt": SALT}
    return first


def test_what_is_offered_is_accepted_in_a_dry_run_and_nothing_moves():
    seen = set()
    for step in STEPS:
        here = at(step)
        before = standing(here)
        for name in ("host", *PEOPLE):
            eyes = "as=gm" if name == "host" else "as="
            told = client(user(name)).get(here.url(f"legal-commands/?{eyes}")).json()["results"]
            for offer in told:
                if not offer["legal"] or offer["command"] not in {c.slug() for c in OWN}:
                    continue
                status, done = over_rest(here, name, offer["command"], body_for(offer, name), f"?dry_run=1&{eyes}")
                assert status == 200, (step, name, offer, done)
                assert done["events"], (step, name, offer)
                seen.add(offer["command"])
        assert standing(here) == before
    assert seen == {command.slug() for command in OWN}


def test_who_has_nothing_to_write_is_not_offered_it():
    here = at("opening")
    for name, wanted in (("ria", ["open-orders"]), ("rex", []), (ALBERT, ["open-orders"])):
        told = client(user(name)).get(here.url("legal-commands/")).json()["results"]
        written = [o["command"] for o in told if o["legal"] and o["command"].endswith("-orders")]
        assert written == wanted, name
    barred = client(user("rex")).get(here.url("legal-commands/?command=write-orders")).json()["results"]
    assert [offer["barred"]["code"] for offer in barred] == ["prompt.open"]


# --- rows and secrets -------------------------------------------------------------------------------------------------
def rows_of(resource, here: Battle, name: str | None, *, gm: bool = False) -> list[dict]:
    """The rows of one game through both APIs, which must show the same."""
    who = client(user(name)) if name else client()
    query = {"game": str(here.id), "limit": "100", **({"as": "gm"} if gm else {})}
    rest = who.get(f"/api/v1/albraxas/{resource.name}/", query).json()["results"]
    names = " ".join(camel(part) for part in resource.fields)
    field = f"albraxas{resource.name.title()}"
    asked = (
        f"query($g: UUID!) {{ it: {field}(game: $g, first: 100, asGm: {str(gm).lower()}) {{ nodes {{ {names} }} }} }}"
    )
    nodes = graphql(who, asked, g=str(here.id))["it"]["nodes"]
    assert [{camel(k): v for k, v in row.items()} for row in rest] == nodes, resource.name
    return rest


@pytest.mark.parametrize("resource", api.RESOURCES, ids=lambda r: r.name)
def test_both_apis_show_the_same_rows_to_the_same_eyes(resource):
    found = 0
    for step in ("characters", "locked", "order"):
        here = at(step)
        if step == "order":
            here.write(ria=(battle(),), rex=(), albert=())
        found += len(rows_of(resource, here, None))
        for name in PEOPLE:
            found += len(rows_of(resource, here, name))
        found += len(rows_of(resource, here, "host", gm=True))
    assert found > 0


def of(name: str) -> object:
    """A resource by its name."""
    return next(r for r in api.RESOURCES if r.name == name)


def test_a_sheet_is_seen_by_its_own_seat_and_the_game_masters():
    here = at("characters")
    for name in PEOPLE:
        assert [row["seat"] for row in rows_of(of("sheets"), here, name)] == [str(here.seats[name])]
    assert rows_of(of("sheets"), here, "host") == rows_of(of("sheets"), here, None) == []
    assert len(rows_of(of("sheets"), here, "host", gm=True)) == 3


@pytest.mark.rule("AX-AMB-2", "AX-TRN-2")
def test_places_are_open_among_the_rebels_and_albraxas_sees_the_deadline_alone():
    here = at("locked")
    for name in ("ria", "rex"):
        assert [row["phase"] for row in rows_of(of("choices"), here, name)].count(2) == 1
        assert len(rows_of(of("choices"), here, name)) == 2
    assert rows_of(of("choices"), here, ALBERT) == rows_of(of("choices"), here, None) == []
    assert [row["locked"] for row in rows_of(of("choices"), here, "host", gm=True)].count(True) == 1
    albert, rex = client(user(ALBERT)), client(user("rex"))
    assert [p["kind"] for p in rex.get(here.url("prompts/")).json()["results"]] == ["locate"]
    assert albert.get(here.url("prompts/?all=1")).json()["results"] == []
    (seen,) = albert.get(here.url("timers/")).json()["results"]
    (own,) = rex.get(here.url("timers/")).json()["results"]
    assert (seen["key"], seen["due"]) == (own["key"], own["due"])
    told = albert.get(here.url("events/?limit=500")).content.decode()
    assert "LocationSet" not in told and "LocationLocked" not in told


@pytest.mark.rule("CF-9")
def test_orders_are_seen_by_nobody_else_before_all_are_in():
    here = at("order")
    here.run(WriteOrders(orders=(battle(3),)), "ria")
    secret = here.state.answers[next(iter(here.state.answers))]
    for name in (*PEOPLE, None):
        who = client(user(name)) if name else client()
        for part in ("state/", "events/?limit=500", "prompts/?all=1"):
            told = who.get(here.url(part)).content.decode()
            assert (secret.salt in told) is (name == "ria" and part != "prompts/?all=1"), (name, part)
        assert rows_of(of("written"), here, name) == []
    assert secret.salt in client(user("host")).get(here.url("state/?as=gm")).content.decode()
    assert [s["digest"] for s in here.told("OrdersSealed")] == [secret.digest]


@pytest.mark.rule("CF-9")
def test_a_dry_run_of_the_last_orders_shows_nobody_elses():
    here = at("order")
    *others, last = sorted(UUID(o.removeprefix("seat:")) for o in next(iter(here.state.prompts.values())).owners)
    names = {seat: name for name, seat in here.seats.items()}
    for seat in others:
        here.run(WriteOrders(orders=(battle(3),)), names[seat])
    for command in (WriteOrders(orders=(battle(1),)), Concede()):
        imagined = here.run(command, names[last], dry_run=True).imagined
        assert "OrdersRevealed" not in {type(h.event).__name__ for h in imagined}
        assert imagined
    here.run(WriteOrders(orders=(battle(1),)), names[last])
    assert here.told("OrdersRevealed")


def test_two_games_that_differ_in_a_place_look_alike_to_albraxas():
    """Neither that a rebel has chosen nor what is seen: prompts, offers, counts and rows are the same."""
    seen = []
    for phase in (None, 2, 3):
        here = begun(now=timezone.now())
        if phase is not None:
            here.run(SetLocation(phase=phase), "ria")
            here.run(LockLocation(), "ria")
        albert = client(user(ALBERT))
        state = albert.get(here.url("state/")).json()
        state.pop("cursor")
        bare = json.dumps([state, albert.get(here.url("legal-commands/")).json()["results"]], sort_keys=True)
        ids = {str(seat): f"<{name}>" for name, seat in here.seats.items()} | {str(here.id): "<game>"}
        for key, name in ids.items():
            bare = bare.replace(key, name)
        told = json.loads(bare)
        seen.append((told[0]["choices"], told[0]["prompts"], told[0]["answers"], sorted(map(str, told[1]))))
    assert seen[0] == seen[1] == seen[2]
