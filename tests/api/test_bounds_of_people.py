"""What one person may heap up: seats in a game, games that nobody starts; and what is listed of the latter."""

from datetime import timedelta

import orjson
import pytest
from django.test import Client

from games import services
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import AddSeat, Invite, Join
from games.models import Game, Seat
from tests.api.worlds import assert_refused, client, toy_game, user

pytestmark = pytest.mark.django_db
OPEN = """mutation($n: String!) { openGame(ruleset: "toy", name: $n) {
  __typename ... on Refusal { code facts } ... on GameOpened { game { id } } } }"""
JOIN = """mutation($g: UUID!, $i: JoinInput!) { toyJoin(game: $g, input: $i) {
  __typename ... on Refusal { code facts } } }"""


def ask(viewer: Client, query: str, **variables):
    """The data of an answer of GraphQL."""
    body = viewer.post("/graphql/", orjson.dumps({"query": query, "variables": variables}), "application/json").json()
    assert "errors" not in body, body
    return body["data"]


def post(viewer: Client, path: str, wish):
    return viewer.post(path, orjson.dumps(wish), "application/json")


def test_an_observer_who_joins_again_is_told_which_seat_they_hold():
    toy = toy_game()
    eve, wish = client(toy.eve), {"name": "Eve", "role": "observer"}
    assert post(eve, toy.path("join/"), wish).status_code == 201
    facts = {"seat": str(toy.seat(toy.eve, "observer")), "most": 1}
    before = toy.fresh().seq
    for address in ("join/", "commands/join/"):
        answer = post(eve, toy.path(address), wish | {"name": "Eve II"})
        assert_refused(answer, 409, "seat.held")
        assert answer.json()["facts"] == facts
    found = ask(eve, JOIN, g=str(toy.game.pk), i=wish | {"name": "Eve III"})["toyJoin"]
    assert found == {"__typename": "Refusal", "code": "seat.held", "facts": facts}
    assert toy.fresh().seq == before and Seat.objects.filter(game=toy.game, user=toy.eve).count() == 1


def test_a_host_has_so_many_lobbies_as_the_service_allows(settings):
    settings.MAX_LOBBIES = 2
    host, eve = client(user("host")), client(user("eve"))
    first = toy_game(start=False)
    assert post(host, "/api/v1/games/", {"ruleset": "toy", "name": "Second"}).status_code == 201
    facts = {"most": 2, "setting": "MAX_LOBBIES"}
    answer = post(host, "/api/v1/games/", {"ruleset": "toy", "name": "Third"})
    assert_refused(answer, 409, "lobbies.many")
    assert answer.json()["facts"] == facts and "MAX_LOBBIES" in answer.json()["detail"]
    assert ask(host, OPEN, n="Third")["openGame"] == {"__typename": "Refusal", "code": "lobbies.many", "facts": facts}
    browser = Client()
    browser.force_login(user("host"))
    page = browser.post("/games/new/toy/", {"name:text": "Third"})
    assert page.status_code == 422 and b"MAX_LOBBIES" in page.content
    assert Game.objects.count() == 2
    assert ask(eve, OPEN, n="Another's")["openGame"]["__typename"] == "GameOpened"
    assert post(client(first.host), first.path("commands/start/?as=gm"), {}).status_code == 201
    assert ask(host, OPEN, n="Third")["openGame"]["__typename"] == "GameOpened"


def listed(viewer: Client, *, status: str = "", mine: bool = False) -> set[str]:
    """The names of the games that REST and GraphQL list alike."""
    query = "&".join(word for word in (f"status={status}" if status else "", "mine=1" if mine else "") if word)
    rows = viewer.get(f"/api/v1/games/?{query}").json()["results"]
    wanted = f"status: {status}, mine: {str(mine).lower()}" if status else f"mine: {str(mine).lower()}"
    edges = ask(viewer, f"{{ games({wanted}) {{ edges {{ node {{ name }} }} }} }}")["games"]["edges"]
    assert {row["name"] for row in rows} == {edge["node"]["name"] for edge in edges}
    return {row["name"] for row in rows}


def at_home(person=None) -> set[str]:
    """Those of our games that the home page shows."""
    browser = Client()
    if person is not None:
        browser.force_login(person)
    text = browser.get("/").content.decode()
    return {name for name in ("Empty", "Whispering", "Joined", "Arranged", "Configured") if f"<h3>{name}</h3>" in text}


def test_a_lobby_in_which_nothing_has_happened_is_listed_for_its_host_and_for_who_asks_for_lobbies():
    host, eve = user("host"), user("eve")
    _, whispering, joined, arranged = (
        services.open_game("toy", name, user=host.pk) for name in ("Empty", "Whispering", "Joined", "Arranged")
    )
    gm = Actor(Issuer.GM, host.pk, Seat.objects.get(game=whispering, role="gm").pk)
    services.run(whispering.pk, Invite(), actor=gm)  # which strangers may not know
    rules = services.open_game("toy", "Configured", user=host.pk)
    Game.objects.filter(pk=rules.pk).update(public_at=rules.created_at + timedelta(seconds=1))  # as by any public event
    services.run(joined.pk, Join(name="Ann"), actor=Actor(Issuer.SEAT, user("ann").pk))
    gm = Actor(Issuer.GM, host.pk, Seat.objects.get(game=arranged, role="gm").pk)
    services.run(arranged.pk, AddSeat(name="Bob"), actor=gm)
    every = {"Empty", "Whispering", "Joined", "Arranged", "Configured"}
    for viewer, person in ((client(), None), (client(eve), eve)):
        assert listed(viewer) == at_home(person) == {"Joined", "Arranged", "Configured"}
        assert listed(viewer, status="lobby") == every
    assert listed(client(host)) == listed(client(host), mine=True) == at_home(host) == every
    assert listed(client(eve), mine=True) == set()
