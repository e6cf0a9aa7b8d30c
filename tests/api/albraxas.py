"""Albraxas in both APIs, for their tests: a command over REST and over GraphQL, and a game in each step."""

import json

from django.utils import timezone

from api.graphql.commands import camel
from games.albraxas.rules.locate.commands import SetLocation
from games.albraxas.rules.orders.commands import SealOrders, WriteOrders
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.sealed import digest_of
from games.models import LoggedEvent, Receipt
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, PEOPLE, Battle, begin, define, open_lobby, writing

JSON = "application/json"
SALT, PAPER = "sixteen and some", {"convalesce": False, "orders": []}


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
        ... on CommandDone {{ events {{ type dataJson }} }} ... on Refusal {{ code detail rules facts }} }} }}"""
    sent = {camel(key): value for key, value in body.items()}
    return graphql(client(user(name)), query, g=str(here.id), **({"i": sent} if body else {}))["it"]


def standing(here: Battle) -> tuple[int, int, int]:
    """What a refusal or a dry run must not move."""
    return here.game.seq, LoggedEvent.objects.filter(game=here.id).count(), Receipt.objects.count()


STEPS = ("lobby", "characters", "locate", "locked", "order", "opening")


def at(step: str) -> Battle:
    """A game in this step; in `opening` Ria and Albert have handed in digests alone."""
    if step == "lobby":
        return open_lobby(now=timezone.now())
    if step == "characters":
        here = writing(now=timezone.now())
        for name in PEOPLE:
            define(here, name)
        return here
    here = begin(now=timezone.now())
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
