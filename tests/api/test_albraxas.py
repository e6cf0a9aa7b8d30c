"""Albraxas through both APIs: the same commands and refusals; commitments alone."""

import pytest
from django.utils import timezone

from games.engine.lifecycle.amend import canonical
from games.engine.lifecycle.gm_commands import EndSetup
from games.engine.prompts.sealed import digest_of
from tests.api.albraxas import PAPER, SALT, over_graphql, over_rest, standing
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, Battle, battle, begin, define, writing

pytestmark = pytest.mark.django_db


# --- commitments alone ------------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-AMB-31", "CF-9")
def test_a_turn_is_sealed_and_opened_over_both_apis_alike():
    """Ria sends over REST, Albert over GraphQL, and each keeps the orders until all are in."""
    here = begin(now=timezone.now())
    here.go(ria=1, rex=2)
    orders = {"convalesce": False, "orders": [{"action": "battle", "dice": None, "tie": {"max": 2, "mode": "if_wins"}}]}
    digest = digest_of(SALT, canonical(orders))
    status, sealed = over_rest(here, "ria", "seal-orders", {"digest": digest})
    assert status == 201
    again = over_graphql(here, ALBERT, "seal-orders", {"digest": digest})
    kinds = ["albraxas.OrdersWritten", "albraxas.OrdersSealed"]
    assert [e["type"] for e in sealed["events"]] == [e["type"] for e in again["events"]] == kinds
    assert sealed["events"][1]["data"]["digest"] == again["events"][1]["dataJson"]["digest"] == digest
    assert sealed["events"][0]["data"]["paper"] is None
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
        refused, answer = over_rest(here, "ria", "open-orders", body)[1], over_graphql(here, "ria", "open-orders", body)
        assert refused["code"] == answer["code"] == code and refused["facts"] == answer["facts"]
        assert standing(here) == before
    prompts = client(user("ria")).get(here.url("prompts/")).json()["results"]
    assert [(p["kind"], p["answered"]) for p in prompts if p["kind"] == "order.open"] == [("order.open", False)]
    status, done = over_rest(here, "ria", "open-orders", orders | {"salt": SALT})
    assert status == 201
    assert [e["type"] for e in done["events"]] == [
        "core.PromptAnswered",
        "core.PromptCounted",
        "albraxas.OrdersWritten",
    ]
    prompts = client(user("ria")).get(here.url("prompts/")).json()["results"]
    assert [(p["kind"], p["answered"]) for p in prompts if p["kind"] == "order.open"] == [("order.open", True)]
    assert over_rest(here, "ria", "open-orders", orders | {"salt": SALT})[1]["code"] == "seal.opened"
    last = over_graphql(here, ALBERT, "open-orders", orders | {"salt": SALT})
    shown = next(e["dataJson"] for e in last["events"] if e["type"] == "albraxas.OrdersRevealed")
    assert {p["seat"]: p["digest"] for p in shown["papers"] if p["orders"]} == {
        str(here.seats["ria"]): digest, str(here.seats[ALBERT]): digest,
    }  # fmt: skip
    here.rows_agree()


@pytest.mark.rule("AX-TRN-5")
def test_an_order_without_a_tie_policy_is_taken_and_shown_alike_by_both_apis():
    """`tie: null` and `dice: null` are written as the rulebook has them; a `tie` that is left out is its default."""
    here = begin(now=timezone.now())
    here.go(ria=1, rex=2)
    bare = {"action": "battle", "dice": None, "tie": None}
    assert over_rest(here, "ria", "write-orders", {"orders": [bare]})[0] == 201
    answer = over_graphql(here, "rex", "write-orders", {"orders": [bare, {"action": "hole_up"}]})
    assert answer["__typename"] == "CommandDone"
    here.write(albert=())
    papers = {p["seat"]: p["orders"] for p in here.events_of("OrdersRevealed")[0]["papers"]}
    assert papers[str(here.seats["ria"])] == [bare]
    usual = {"max": 0, "mode": "if_wins"}
    assert papers[str(here.seats["rex"])] == [bare, {"action": "hole_up", "dice": None, "tie": usual}]


# --- refusals ---------------------------------------------------------------------------------------------------------
def one(action: str, **more) -> dict:
    """A paper with one order."""
    return {"orders": [{"action": action, **more}]}


NAMED = {"name": "Great ria", "backbone": 4, "battle": 5, "blitz": 4}
REFUSED = {
    "writing": [
        ("host", "configure-game", {"phases": 3, "sides": 6, "check_from": 1}, "config.range", "AX-SET-5"),
        ("host", "configure-game", {"phases": 9, "sides": 6, "check_from": 9}, "config.range", "AX-END-6"),
        ("host", "end-setup", {}, "game.not_ready", "AX-SET-1"),
        ("ria", "end-setup", {}, "issuer.other", ""),
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
        (ALBERT, "set-location", {"phase": 1}, "side.other", "AX-SET-7"),
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
    if step == "travel":
        here = writing({"phases": 16, "check_from": 15}, now=timezone.now())
        define(here, "rex", (1, 2, 10))
        for name in ("ria", ALBERT):
            define(here, name)
        here.run(EndSetup())
        here.go(ria=1, rex=16)
        here.write(ria=(), rex=(battle(),), albert=())  # 2 Dynamism, less 1; the way back to 1 costs 4
        return here
    here = begin({"phases": 16, "check_from": 15}, now=timezone.now())
    if step == "locate":
        here.go(ria=1)
    if step == "order":
        here.go(ria=1, rex=2)
    return here


@pytest.mark.parametrize("step", REFUSED)
def test_both_apis_refuse_alike_and_nothing_has_changed(step: str):
    here = stood(step)
    for name, command, sent, code, rule in REFUSED[step]:
        body = {**sent, "seat": str(here.seats[sent["seat"]])} if "seat" in sent else sent
        before = standing(here)
        status, problem = over_rest(here, name, command, body)
        answer = over_graphql(here, name, command, body)
        assert problem["code"] == code, (command, sent, problem)
        assert status == (404 if code.endswith(".missing") else 409)
        assert answer.pop("__typename") == "Refusal"
        assert answer == {part: problem[part] for part in ("code", "detail", "rules", "facts")}, command
        assert rule in (*problem["rules"], "")
        assert standing(here) == before
    codes = {case[3] for cases in REFUSED.values() for case in cases}
    assert {"seal.broken", "seal.weak", "seal.opened"} | codes >= CODES


CODES = {
    "config.range", "albraxas.taken", "seat.other", "attributes.sum", "attributes.min", "name.taken", "game.not_ready",
    "phase.range", "location.locked", "dynamism.short", "location.missing", "location.open", "orders.too_many",
    "dice.range", "action.unknown", "policy.invalid", "seal.broken", "seal.weak", "seal.opened", "phase.closed",
    "side.other",
}  # fmt: skip
"""Every code of section 10 of the rulebook."""


SHAPELESS = (
    ("write-orders", {"orders": 65 * [{"action": "hole_up"}]}),
    ("write-orders", one("x" * 41)),
    ("write-orders", one("battle", tie={"max": 1, "most": 2})),
    ("seal-orders", {"digest": "A" * 64}),
    ("seal-orders", {"digest": "a" * 63}),
    ("set-location", {"phase": "1"}),
    ("define-character", {**NAMED, "name": "Ria\nRex"}),
)


def test_what_has_not_the_shape_of_a_command_is_a_422():
    here = begin(now=timezone.now())
    before = standing(here)
    assert [over_rest(here, "rex", command, body)[0] for command, body in SHAPELESS] == [422] * len(SHAPELESS)
    assert standing(here) == before
