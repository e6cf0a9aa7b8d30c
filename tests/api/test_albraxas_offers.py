"""Legal commands of Albraxas, tried as dry runs: none of them would be refused."""

from random import Random
from urllib.parse import urlencode

import pytest

from games import registry
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.sealed import digest_of
from tests.api.albraxas import PAPER, SALT, STEPS, at, over_rest, standing
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, PEOPLE
from tests.play import ruleless

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
RULESET = registry.ruleset("albraxas")
OWN = [command for command in RULESET.open_commands.values() if command.__module__.startswith("games.albraxas.")]


def body_for(candidate: dict, answer: dict) -> dict:
    """A body by the schema of a legal command; of what was sealed, what opens it."""
    match candidate["command"]:
        case "seal-orders":
            return {"digest": digest_of(SALT, canonical(PAPER))}
        case "open-orders":
            return {"salt": SALT}
    return ruleless.body_for(candidate, answer, Random(candidate["command"]))


def test_every_legal_command_is_accepted_in_a_dry_run_and_nothing_moves():
    listed = set()
    for step in STEPS:
        here = at(step)
        before = standing(here)
        for name in ("host", *PEOPLE):
            as_gm = {"as": "gm"} if name == "host" else {}
            answer = client(user(name)).get(here.url("legal-commands/"), as_gm).json()
            for candidate in answer["results"]:
                if not candidate["legal"] or candidate["command"] not in {c.slug() for c in OWN}:
                    continue
                status, done = over_rest(
                    here,
                    name,
                    candidate["command"],
                    body_for(candidate, answer),
                    "?" + urlencode({"dry_run": 1, **as_gm}),
                )
                assert status == 200, (step, name, candidate, done)
                assert done["events"], (step, name, candidate)
                listed.add(candidate["command"])
        assert standing(here) == before
    assert listed == {command.slug() for command in OWN}


def test_a_seat_with_nothing_to_write_has_no_legal_write_command():
    here = at("opening")
    for name, wanted in (("ria", ["open-orders"]), ("rex", []), (ALBERT, ["open-orders"])):
        answer = client(user(name)).get(here.url("legal-commands/")).json()["results"]
        written = [o["command"] for o in answer if o["legal"] and o["command"].endswith("-orders")]
        assert written == wanted, name
    barred = client(user("rex")).get(here.url("legal-commands/?command=write-orders")).json()["results"]
    assert [candidate["barred"]["code"] for candidate in barred] == ["prompt.open"]
