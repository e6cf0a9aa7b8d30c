"""What a game of Albraxas offers, tried dry: nothing is offered that would be refused."""

from urllib.parse import urlencode

import pytest
from django.core.cache import caches

from games import registry
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.sealed import digest_of
from tests.api.albraxas import PAPER, SALT, STEPS, at, over_rest, standing
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, PEOPLE

pytestmark = pytest.mark.django_db
RULESET = registry.ruleset("albraxas")
OWN = [command for command in RULESET.open_commands.values() if command.__module__.startswith("games.albraxas.")]


@pytest.fixture(autouse=True)
def empty_caches():
    caches["throttles"].clear()


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
            eyes = {"as": "gm"} if name == "host" else {}
            answer = client(user(name)).get(here.url("legal-commands/"), eyes).json()["results"]
            for offer in answer:
                if not offer["legal"] or offer["command"] not in {c.slug() for c in OWN}:
                    continue
                status, done = over_rest(
                    here, name, offer["command"], body_for(offer, name), "?" + urlencode({"dry_run": 1, **eyes})
                )
                assert status == 200, (step, name, offer, done)
                assert done["events"], (step, name, offer)
                seen.add(offer["command"])
        assert standing(here) == before
    assert seen == {command.slug() for command in OWN}


def test_who_has_nothing_to_write_is_not_offered_it():
    here = at("opening")
    for name, wanted in (("ria", ["open-orders"]), ("rex", []), (ALBERT, ["open-orders"])):
        answer = client(user(name)).get(here.url("legal-commands/")).json()["results"]
        written = [o["command"] for o in answer if o["legal"] and o["command"].endswith("-orders")]
        assert written == wanted, name
    barred = client(user("rex")).get(here.url("legal-commands/?command=write-orders")).json()["results"]
    assert [offer["barred"]["code"] for offer in barred] == ["prompt.open"]
