"""A stranger's evening over REST alone: a private Era Centrum is opened, peopled by invitation, set up and played."""

import json
from uuid import UUID

import pytest

from games import services
from games.models import Timer
from tests.api.worlds import client, toy_game, user
from tests.play.ruleless import choices

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]


def send(who, path: str, body: dict, status: int = 201) -> dict:
    answer = who.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == status, (path, answer.status_code, answer.content)
    return answer.json()


def test_a_private_game_is_opened_peopled_set_up_and_its_first_century_passes():
    host, ann, eve = client(user("host")), client(user("ann")), client(user("eve"))
    opened = send(
        host,
        "/api/v1/games/",
        {"ruleset": "gods2", "name": "Quiet isle", "options": {"century_seconds": 60}, "is_public": False},
    )
    here = f"/api/v1/games/{opened['id']}/"
    assert eve.get(here).status_code == 404

    answer = send(host, here + "commands/invite/?as=gm", {"role": "player"})
    code = next(e["data"]["code"] for e in answer["events"] if e["type"] == "core.Invited")
    send(eve, here + "join/", {"name": "Eve", "code": "wrong"}, 404)
    joined = send(ann, here + "join/", {"name": "Ann", "code": code})
    seat = next(e["data"]["seat"] for e in joined["events"] if e["type"] == "core.SeatTaken")
    send(eve, here + "join/", {"name": "Eve", "code": code}, 404)

    send(host, here + "commands/configure-game/", {})
    send(host, here + "commands/set-map/", {"width": 4, "height": 2, "rows": ["PPPW", "PPFW"]})
    cards = [{"sphere": "WA", "count": 6}]
    send(host, here + "commands/define-god/", {"seat": seat, "name": "Ares", "cards": cards, "amount": 20})
    for name, x in (("Reds", 0), ("Blues", 2)):
        placed = [{"square": {"x": x, "y": 0}, "units": 1}]
        shares = [{"member": seat, "share": 10000}]
        send(host, here + "commands/define-race/", {"name": name, "pantheon": shares, "placed": placed})
    off = {
        "name": "Lost",
        "pantheon": [{"member": seat, "share": 10000}],
        "placed": [{"square": {"x": 9, "y": 9}, "units": 1}],
    }
    refused = host.post(here + "commands/define-race/", json.dumps(off), content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "square.off_map")
    send(host, here + "commands/start/", {})
    send(host, here + "commands/open-session/?as=gm", {})

    state = ann.get(here + "state/").json()
    assert (state["eras"][0]["century"], state["eras"][0]["phase"]) == (1, "open")
    legal = ann.get(here + "legal-commands/").json()
    war = next(o for o in legal["results"] if o["command"] == "declare-war" and o["legal"])
    fields = {name: choices(war, legal, name)[0] for name in ("attacker", "defender")}
    dry = send(ann, here + "commands/declare-war/?dry_run=1", fields, 200)
    assert "gods2.WarDeclared" in {e["type"] for e in dry["events"]}
    assert ann.get("/api/v1/gods2/wars/", {"game": opened["id"], "kind": "god"}).json()["results"] == []
    send(ann, here + "commands/declare-war/", fields)
    assert len(ann.get("/api/v1/gods2/wars/", {"game": opened["id"], "kind": "god"}).json()["results"]) == 1

    timers = Timer.objects.filter(game=opened["id"], due__isnull=False).order_by("due")
    while not timers.filter(key="century:2/end").exists():
        assert services.fire_due(UUID(opened["id"]), now=timers.first().due)
    chronicle = ann.get(here + "chronicle/?format=text").content.decode()
    assert "The century ends" in chronicle
    assert eve.get(here + "chronicle/").status_code == 404
    assert eve.get(f"/api/v1/worlds/{state['map']['world']}/").status_code == 404
    assert ann.get(f"/api/v1/worlds/{state['map']['world']}/").status_code == 200


def test_an_invitation_opens_a_private_game_over_graphql_too():
    toy = toy_game(is_public=False)
    answer = send(client(toy.host), toy.path("commands/invite/?as=gm"), {"role": "player"})
    code = next(e["data"]["code"] for e in answer["events"] if e["type"] == "core.Invited")
    query = """mutation Join($game: UUID!, $code: String) { toyJoin(game: $game, input: {name: "Ann", code: $code}) {
        ... on CommandDone { events { type } } ... on Refusal { code } } }"""

    def join(message: str) -> dict:
        body = {"query": query, "variables": {"game": str(toy.game.pk), "code": message}}
        return client(toy.ann).post("/graphql/", body, content_type="application/json").json()["data"]["toyJoin"]

    assert join("wrong") == {"code": "game.missing"}
    assert {"type": "core.SeatTaken"} in join(code)["events"]
    assert client(toy.ann).get(toy.path("state/")).status_code == 200
