"""No viewer's bytes depend on what he may not know: the same game with and without a secret, through every door.

Each secret is planted in a savepoint and taken back, so that both histories share ids, times and dice. Everybody who
may not know it must be answered with the same bytes, headers that name the request apart.
"""

import json
from datetime import UTC, datetime

import pytest
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Scope
from accounts.services import mint_token
from api.nouns.resource import own_resources
from games import demo, services
from games.engine.amend import Amend, Change, Deed, FieldChange
from games.engine.kernel import Actor, Issuer
from games.gods2.rules.fields import ShareOf
from games.gods2.rules.fighting import SetDiplomacy
from games.gods2.rules.pantheon import DraftPantheonOrder
from games.models import Game, Seat
from tests.api.worlds import toy_game
from tests.toy.rules.commands import HideCoins

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
REQUEST = {"X-Request-Id": "the-same-for-all-requests"}


@pytest.fixture(autouse=True)
def still_clock(monkeypatch):
    """Time stands still at noon."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)


def client_of(user) -> Client:
    if user is None:
        return Client(headers=REQUEST)
    return Client(headers={**REQUEST, "Authorization": f"Bearer {mint_token(user, 'tests', tuple(Scope))[1]}"})


def doors(game: Game) -> list[str]:
    """Every address that tells something of a game."""
    here = f"/api/v1/games/{game.pk}/"
    own = [f"/api/v1/{game.ruleset}/{r.name}/?game={game.pk}" for r in own_resources(game.ruleset)]
    parts = (
        "",
        "state/",
        "seats/",
        "legal-commands/",
        "prompts/",
        "prompts/?all=1",
        "events/?limit=500",
        "dice/?limit=500",
    )
    more = ("timers/", "chronicle/?limit=1000", "chronicle/?format=text", "chronicle/?format=markdown", "map.svg")
    rest = [here + part for part in (*parts, *more)]
    return [*rest, *own, "/api/v1/games/", "/api/v1/games/?mine=1&asked=1"]


QUERY = """
query Look($game: UUID!) {
  game(id: $game) { cursor state seats { id name } prompts { id kind question } timers { key due }
    events(first: 100) { results { cursor type text rules } cursor more } }
}
"""


def seen(client: Client, game: Game, spoil: tuple[str, dict]) -> dict[str, tuple]:
    """All that a viewer is answered, by door: status, ETag and bytes; a command and its dry run."""
    answers = {}
    for path in doors(game):
        answer = client.get(path)
        answers[path] = (answer.status_code, answer.headers.get("ETag"), answer.content)
    body = {"query": QUERY, "variables": {"game": str(game.pk)}}
    told = client.post("/graphql/", body, content_type="application/json")
    assert "errors" not in told.json(), told.json()
    answers["graphql"] = (told.content,)
    name, fields = spoil
    for path in (f"commands/{name}/", f"commands/{name}/?dry_run=1"):
        answer = client.post(f"/api/v1/games/{game.pk}/{path}", json.dumps(fields), content_type="application/json")
        answers[path] = (answer.status_code, answer.content)
    return answers


def same_for(viewers: dict, game: Game, plant, spoil) -> None:
    """Plant a secret; every viewer must see what he would see without it."""
    clients = {name: client_of(user) for name, user in viewers.items()}

    def history(planted):
        caches["responses"].clear()  # an answer that was kept would hide a leak
        with transaction.atomic():
            if planted:
                plant()
            told = {}
            for name, client in clients.items():
                with transaction.atomic():
                    told[name] = seen(client, game, spoil)
                    transaction.set_rollback(True)
            transaction.set_rollback(True)
        return told

    without, planted = history(False), history(True)
    for name in viewers:
        for door, answer in without[name].items():
            assert planted[name][door] == answer, f"{name} learns of the secret through {door}"


def test_hidden_coins_change_no_byte_of_what_others_see():
    toy = toy_game()

    def plant():
        services.run(toy.game.pk, HideCoins(coins=7), actor=toy.actor(toy.bob), now=NOON)

    same_for({"ann": toy.ann, "eve": toy.eve, "nobody": None}, toy.fresh(), plant, ("add-stones", {"stones": 2}))


def test_the_owner_and_the_gm_do_see_the_hidden_coins():
    toy = toy_game()
    services.run(toy.game.pk, HideCoins(coins=7), actor=toy.actor(toy.bob), now=NOON)
    own = client_of(toy.bob).get(toy.path("state/")).json()
    led = client_of(toy.host).get(toy.path("state/?as=gm")).json()
    assert [h["coins"] for h in own["hoards"]] == [h["coins"] for h in led["hoards"]] == [7]


@pytest.fixture
def event(settings, tmp_path):
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    return Game.objects.get(pk=demo.prepare()["game"])


def by_name(game: Game, name: str) -> Seat:
    return Seat.objects.select_related("user").get(game=game, name=name)


def gm_of(game: Game) -> Actor:
    seat = Seat.objects.get(game=game, role="gm")
    return Actor(Issuer.GM, seat.user_id, seat.pk)


def secrets_of(game: Game) -> dict:
    """Name -> how the secret comes about. Each concerns Morvane or Xixx, whom none of the viewers plays."""
    gm = gm_of(game)
    morvane, xixx = by_name(game, "Morvane"), by_name(game, "Xixx")
    share = next(
        s
        for s in game.world.race_set.exclude(shares__deity=None).get(name="Hill Giants").shares.filter(deity=morvane.pk)
    )
    members = share.race.shares.order_by("id")
    purse = Change(
        deed=Deed.ALTER, table="purses", row=str(xixx.pk), fields=(FieldChange(field="balance", value="99"),)
    )
    war = game.gods2_wars.order_by("number").first()

    def run(command, actor):
        return lambda: services.run(game.pk, command, actor=actor, now=NOON)

    draft = DraftPantheonOrder(
        race=share.race_id, pantheon=tuple(ShareOf(member=str(m.deity_id or m.special), share=m.share) for m in members)
    )
    return {
        "mana": run(Amend(changes=(purse,), reason="a gift"), gm),
        "draft": run(draft, Actor(Issuer.SEAT, None, morvane.pk)),
        "diplomacy": run(SetDiplomacy(war=war.pk, race=war.defender_id, policy="try"), gm) if war else None,
    }


def test_secrets_of_gods_change_no_byte_of_what_others_see(event):
    gordrun, ilsoire = by_name(event, "Gordrun"), by_name(event, "Ilsoire")
    viewers = {"gordrun": gordrun.user, "ilsoire": ilsoire.user, "nobody": None}
    spoil = ("declare-war", {"attacker": str(gordrun.pk), "defender": str(gordrun.pk)})
    planted = 0
    for _name, plant in secrets_of(event).items():
        if plant is not None:
            same_for(viewers, event, plant, spoil)
            planted += 1
    assert planted == 3


def test_who_declared_a_war_is_told_to_himself_and_the_gm_alone(event):
    """The war is public; its author is not: two gods who could both have declared it leave the same public bytes."""
    told = client_of(by_name(event, "Gordrun").user).get(f"/api/v1/games/{event.pk}/legal-commands/").json()
    offer = next(o for o in told["results"] if o["command"] == "declare-war" and o["legal"])
    fields = {name: offer["arguments"][name]["values"][0] for name in ("attacker", "defender")}
    client = client_of(by_name(event, "Gordrun").user)
    path = f"/api/v1/games/{event.pk}/commands/declare-war/"
    done = client.post(path, json.dumps(fields), content_type="application/json")
    assert done.status_code == 201
    own = {e["type"] for e in done.json()["events"]}
    events = f"/api/v1/games/{event.pk}/events/?limit=500"
    other = client_of(by_name(event, "Ilsoire").user).get(events).content.decode()
    led = client_of(Seat.objects.get(game=event, role="gm").user).get(events + "&as=gm").content.decode()
    assert {"PowerAuthored", "ManaSpent", "DeedAuthored", "NumberDrawn"} <= own
    for secret in ("PowerAuthored", "ManaSpent", "DeedAuthored", "NumberDrawn"):
        assert secret not in other
        assert secret in led
