"""The client that knows schemas alone, over REST: what `legal-commands/?legal=1` admits is taken by `commands/`."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Scope
from tests.api.dawn import over_rest
from tests.api.worlds import client, toy_game
from tests.games.dawn import PEOPLE, peopled_world
from tests.play.ruleless import body_for

pytestmark = pytest.mark.django_db
ACTS = 40


def test_what_a_short_listing_admits_is_taken_by_the_commands() -> None:
    here, chance, done = peopled_world(now=timezone.now()), Random(1), set[str]()
    for number in range(ACTS):
        name = PEOPLE[number % len(PEOPLE)]
        response = here.client(name).get(here.url("legal-commands/?legal=1"))
        assert len(response.content) <= 20_000 + 200
        answer: dict[str, Any] = response.json()
        offered = [each for each in answer["results"] if not each.get("quits") and not each.get("partial")]
        command = chance.choice(sorted({each["command"] for each in offered}))
        entry = chance.choice([each for each in offered if each["command"] == command])
        body = body_for(entry, answer, chance)
        status, outcome = over_rest(here, name, command, body)
        assert status == 201, (command, body, outcome)
        done.add(command)
    assert len(done) > 8, done


def test_a_short_listing_has_no_barred_entries_and_no_members_that_say_nothing() -> None:
    toy = toy_game()
    ann = client(toy.ann)
    whole = ann.get(toy.path("legal-commands/")).json()["results"][0]
    short = ann.get(toy.path("legal-commands/?legal=1")).json()["results"][0]
    assert set(whole) == set(short) | {"quits", "partial", "barred", "note", "steps", "facts"}
    assert short == {name: whole[name] for name in short}
    lobby = toy_game(start=False)
    own = lobby.path("legal-commands/?command=add-stones")
    assert client(lobby.ann).get(f"{own}&legal=1").json()["results"] == []
    assert len(client(lobby.ann).get(f"{own}&legal=0").json()["results"]) == 1
    wrong = ann.get(toy.path("legal-commands/?legal=yes"))
    assert (wrong.status_code, wrong.json()["code"]) == (422, "query.invalid")


def test_graphql_shows_the_same_short_listing_with_what_is_left_out_filled_in() -> None:
    toy = toy_game()
    ann = client(toy.ann)
    query = """query($g: UUID!) { game(id: $g) { legalCommands(legal: true) { definitions results {
      command legal quits partial schema price note facts steps { rule } barred { code } } } } }"""
    body = {"query": query, "variables": {"g": str(toy.game.pk)}}
    found = ann.post("/graphql/", body, content_type="application/json").json()["data"]["game"]["legalCommands"]
    rest = ann.get(toy.path("legal-commands/?legal=1")).json()
    silent = {"quits": False, "partial": False, "price": None, "barred": None, "note": "", "facts": {}, "steps": []}
    assert found == {"definitions": rest["$defs"], "results": [silent | entry for entry in rest["results"]]}


def test_whoever_leads_a_game_finds_the_commands_of_every_game_and_a_token_without_the_scope_does_not() -> None:
    """A host was shown what a player may do from the host's seat, and no command that a host alone has."""
    toy, leading = toy_game(), {"start", "pause", "resume", "extend", "end-now", "fire-now", "add-seat", "invite"}
    path, masters = toy.path("legal-commands/"), leading | {"overrule", "rewind", "amend", "enter-die", "enter-dice"}

    def listed(person: Client, query: str = "") -> dict[str, bool]:
        answer = person.get(f"{path}{query}").json()
        return {entry["command"]: entry["legal"] for entry in answer["results"]}

    host, seat = client(toy.host), toy.seat(toy.host, "host")
    assert leading <= listed(host).keys() & listed(host, f"?seat={seat}").keys()
    assert masters <= listed(host, "?as=gm").keys()
    assert not listed(client(toy.ann)).keys() & (masters - {"enter-dice"})
    weak = client(toy.host, Scope.READ, Scope.PLAY)
    assert not listed(weak).keys() & leading and not listed(weak, f"?seat={seat}").keys() & leading
    for name in ("pause", "resume"):
        assert listed(host)[name] is True
        assert host.post(toy.path(f"commands/{name}/"), {}, content_type="application/json").status_code == 201
        assert listed(host)[name] is False
