"""Refusals before payment through both APIs: the same code, rule and numbers, and nothing is paid or logged."""

import json
from datetime import timedelta

import pytest
from django.core.cache import caches

from games import services
from games.gods2.models import Era
from tests.api.gods2 import Earth, earth
from tests.rules.gods2.refusals import CASES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
JSON = "application/json"


@pytest.fixture
def stage():
    return earth()


def over_rest(stage: Earth, name: str, body: dict, who=None) -> dict:
    answer = (who or stage.ana).post(stage.path(f"commands/{name}/"), json.dumps(body), content_type=JSON)
    assert answer["Content-Type"] == "application/problem+json", answer.content
    problem = answer.json()
    return {name: problem[name] for name in ("code", "detail", "rules", "facts")}


def over_graphql(stage: Earth, command, body: dict, who=None) -> dict:
    kind = type(command).__name__
    head, given = ("", "") if not body else (f", $i: Gods2{kind}Input!", ", input: $i")
    selection = "... on Refusal { code detail rules facts }"
    query = f"mutation($g: UUID!{head}) {{ gods2{kind}(game: $g{given}) {{ __typename {selection} }} }}"
    found = stage.ask(who or stage.ana, query, **({"i": body} if body else {}))
    (answer,) = found.values()
    assert answer.pop("__typename") == "Refusal", answer
    return answer


def test_both_apis_refuse_alike_and_nobody_has_paid(stage: Earth):
    """On one stage: each case finds it as the one before it did."""
    before = stage.standing()
    for case in CASES:
        command = case.command(stage.cast)
        body = command.model_dump(mode="json", exclude_defaults=True)
        caches["throttles"].clear()

        rest = over_rest(stage, type(command).slug(), body)
        graphql = over_graphql(stage, command, body)

        assert rest == graphql, case.label
        assert rest["code"] == case.code, case.label
        assert case.rule in (*rest["rules"], ""), case.label
        assert case.facts.items() <= rest["facts"].items(), case.label
        assert stage.standing() == before, case.label


def test_in_a_closed_phase_nothing_is_cast_through_either_api(stage: Earth):
    at = Era.objects.get(game=stage.game).activity_ends_at
    services.fire_due(stage.game.pk, now=at + timedelta(seconds=1))
    case = next(case for case in CASES if case.label == "too little mana")
    before = stage.standing()
    body = case.command(stage.cast).model_dump(mode="json", exclude_defaults=True)
    rest, graphql = over_rest(stage, "cast-power", body), over_graphql(stage, case.command(stage.cast), body)
    assert rest == graphql and stage.standing() == before
    assert (rest["code"], rest["rules"]) == ("phase.closed", ["G2-TIME-3"])
    assert rest["facts"]["step"] != "open"


def test_a_draft_is_signed_once_through_either_api(stage: Earth):
    shares = [{"member": str(stage.cast.ana), "share": 6_000}, {"member": str(stage.cast.ben), "share": 4_000}]
    path = stage.path("commands/draft-pantheon-order/")
    body = {"race": str(stage.cast.races["Dwarves"]), "pantheon": shares}
    drafted = stage.ana.post(path, json.dumps(body), content_type=JSON).json()
    order = next(e["data"]["order"] for e in drafted["events"] if e["type"] == "gods2.PantheonOrderDrafted")
    signed = stage.ana.post(stage.path("commands/sign-pantheon-order/"), {"order": order}, content_type=JSON)
    assert signed.status_code == 201
    before = stage.standing()
    query = "mutation($g: UUID!, $o: UUID!) { gods2SignPantheonOrder(game: $g, input: {order: $o}) { __typename "
    found = stage.ask(stage.ana, query + "... on Refusal { code detail rules facts } } }", o=order)
    answer = found["gods2SignPantheonOrder"]
    assert answer.pop("__typename") == "Refusal"
    rest = over_rest(stage, "sign-pantheon-order", {"order": order})
    assert rest == answer and rest["code"] == "signature.given"
    assert stage.standing() == before

    unsigned = stage.ana.post(stage.path("commands/hand-in-pantheon-order/"), {"order": order}, content_type=JSON)
    (event,) = unsigned.json()["events"]
    assert (event["type"], event["data"]["reason"], event["data"]["member"]) == (
        "gods2.PantheonOrderRefused",
        "unsigned",
        str(stage.cast.ben),
    )
    after = stage.standing()
    for table in ("shares", "purses", "orders"):
        assert after[0][table] == before[0][table], table
