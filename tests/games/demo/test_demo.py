"""The demo: a live game of every ruleset that has one, reused while it lasts."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from games import registry
from games.dawn.rules.turn.commands import EndTurn
from games.engine.errors import Refused
from games.engine.game_state import Status
from games.models import Game
from games.workers import demo, tasks
from tests.api.worlds import user
from tests.games.demo.stage import finish, live

pytestmark = pytest.mark.django_db


def test_the_demo_is_off_unless_it_is_asked_for(settings):
    settings.DEMO = False
    with pytest.raises(RuntimeError):
        demo.prepare()
    assert not Game.objects.exists()


def test_every_ruleset_with_a_demo_has_a_game_and_the_first_stands_at_the_top():
    listing = demo.prepare()

    assert [one["ruleset"] for one in listing["games"]] == list(registry.demos()) == [
        "gods2", "albraxas", "dawn", "dietower", "forgeborn",
    ]  # fmt: skip
    assert set(registry.folders()) > set(registry.demos())  # Cairns has none
    earth, storm, dawn, tower, forge = listing["games"]
    nina = Client()  # who has just come, and may take any seat
    nina.force_login(user("nina"))
    assert (listing["game"], listing["world"]) == (earth["game"], earth["world"])
    assert (storm["name"], storm["world"]) == ("Storming the Dawn, live", None)
    for one in listing["games"]:
        game = Game.objects.get(pk=one["game"])
        assert (game.ruleset, game.name, game.is_live) == (one["ruleset"], one["name"], True)
        rows = game.seats.filter(user__isnull=False).values_list("user__username", "role", "pk", "name")
        assert {tuple(seat.values()) for seat in one["seats"]} == {(u, r, str(pk), n) for u, r, pk, n in rows}
        seats = game.seats.filter(role="player").order_by("name")
        assert all(seat.bot and seat.is_claimable for seat in seats)
        page = nina.get(reverse("take-seat", args=[game.pk])).content.decode()
        assert re.findall(r"Play ([^<]+)</button>", page) == [seat.name for seat in seats]
    held = {(s["user"], s["role"]): s["seat"] for s in earth["seats"]}
    assert {u["name"]: u["seat"] for u in listing["users"]} == {
        u["name"]: held.get((u["name"], u["role"])) for u in listing["users"]
    }
    assert [u["seat_name"] for u in listing["users"] if u["role"] == "player"] == ["Gordrun", "Ashkar", "Ilsoire"]
    assert {(s["user"], s["role"]) for s in storm["seats"]} == {
        ("demo-gm", "host"), ("demo-gm", "gm"), ("demo-player-1", "player"), ("demo-observer", "observer"),
    }  # fmt: skip
    assert dawn["name"] == "Celestial Horizon, live" and dawn["world"] not in (None, earth["world"])
    assert {(s["user"], s["role"], s["seat_name"]) for s in dawn["seats"] if s["role"] == "player"} == {
        ("demo-player-2", "player", "Ilune"),
    }  # fmt: skip
    assert {(s["user"], s["role"], s["seat_name"]) for s in tower["seats"] if s["role"] == "player"} == {
        ("demo-player-3", "player", "Ilse"),
    }  # fmt: skip
    assert {(s["user"], s["role"], s["seat_name"]) for s in forge["seats"] if s["role"] == "player"} == {
        ("demo-player-1", "player", "Hele"),
    }  # fmt: skip
    world = Game.objects.get(pk=earth["game"]).world
    assert world is not None and "Beck et al. 2018" in world.attribution


def test_the_demo_is_reused_while_it_lasts():
    lines: list[str] = []
    first = demo.prepare(say=lines.append)
    assert [line.partition(" (")[2] for line in lines[1:]] == [f"{one['ruleset']}) ..." for one in first["games"]]

    lines.clear()
    assert demo.prepare(say=lines.append) == first == json.loads(demo.path().read_text())
    assert lines == ["Preparing the demo: 6 users ..."]
    assert demo.path().stat().st_mode & 0o777 == 0o600
    assert Game.objects.count() == 5


@pytest.mark.parametrize("over", ["albraxas"])
def test_a_game_that_is_over_is_opened_anew_and_the_others_go_on(over):
    first = {one["ruleset"]: one["game"] for one in demo.prepare()["games"]}
    Game.objects.filter(pk=first[over]).update(status=Status.FINISHED)

    again = {one["ruleset"]: one["game"] for one in demo.prepare()["games"]}

    assert {ruleset for ruleset in first if first[ruleset] != again[ruleset]} == {over}
    assert Game.objects.get(pk=again[over]).status == "setup"


def test_a_demo_file_from_before_there_were_several_games_is_read_on():
    listing = demo.prepare()
    former = {name: value for name, value in listing.items() if name != "games"}
    demo.path().write_text(json.dumps(former))

    again = demo.prepare()

    assert {name: again[name] for name in former} == former


def test_games_that_began_before_demo_games_were_marked_are_read_on():
    listing = demo.prepare("albraxas", "dawn")
    Game.objects.update(is_demo=False)

    assert demo.prepare("albraxas", "dawn") == listing
    assert Game.objects.filter(is_demo=True).count() == 2


# --- the next game ----------------------------------------------------------------------------------------------------
def test_the_next_game_opens_by_itself_and_demo_json_lists_it_with_the_same_people():
    before = demo.prepare("albraxas", "dawn")
    assert [demo.keep_open(), json.loads(demo.path().read_text())] == [False, before]
    finish(Game.objects.filter(ruleset="albraxas"))

    tasks.keep_demo.delay()

    after = json.loads(demo.path().read_text())
    (game,) = live("albraxas")
    assert (game.status, str(game.pk)) == ("setup", after["game"]) and after["game"] != before["game"]
    assert after["games"][1] == before["games"][1]
    for name in ("name", "role", "password", "token"):
        assert [user[name] for user in after["users"]] == [user[name] for user in before["users"]]
    assert after["users"][2]["seat"] == str(game.seats.get(user__username="demo-player-1").pk)
    assert demo.path().stat().st_mode & 0o777 == 0o600
    assert [path.name for path in demo.path().parent.glob("demo.json*")] == ["demo.json"]
    assert demo.keep_open() is False


def test_nothing_is_opened_without_the_demo_or_before_it_was_prepared(settings):
    assert demo.keep_open() is False
    demo.prepare("albraxas")
    finish(Game.objects.all())
    settings.DEMO = False
    assert demo.keep_open() is False
    assert Game.objects.count() == 1


def test_an_opening_that_breaks_off_leaves_nothing_and_is_done_again(monkeypatch):
    demo.prepare("dawn")
    finish(Game.objects.all())
    with monkeypatch.context() as broken:
        broken.setattr("games.dawn.demo.opening", lambda now: [("host", EndTurn())])  # refused, after the start
        with pytest.raises(Refused):
            demo.keep_open()
    assert Game.objects.count() == 1

    assert demo.keep_open() is True
    assert len(live("dawn")) == 1


def test_a_game_that_was_opened_and_not_listed_is_listed_by_the_next_look():
    demo.prepare("albraxas")
    former = demo.path().read_text()
    finish(Game.objects.all())
    demo.keep_open()
    demo.path().write_text(former)  # as if the process had died between the two

    assert demo.keep_open() is True
    (game,) = live("albraxas")
    assert json.loads(demo.path().read_text())["game"] == str(game.pk)


@pytest.mark.django_db(transaction=True)
def test_of_several_processes_that_look_at_once_one_opens_the_game():
    demo.prepare("albraxas")
    finish(Game.objects.all())

    def keep_open(_: int) -> bool:
        try:
            return demo.keep_open()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(keep_open, range(3)))

    (game,) = live("albraxas")
    assert Game.objects.count() == 2
    assert json.loads(demo.path().read_text())["game"] == str(game.pk)


def test_both_apis_list_what_the_demo_plays_now():
    listing = demo.prepare("albraxas", "dawn")
    Game.objects.create(ruleset="dawn", name="Another", status="running", commitment="0" * 64)
    finish(Game.objects.filter(ruleset="albraxas"))
    demo.keep_open()
    expected = {str(game.pk) for slug in ("albraxas", "dawn") for game in live(slug)}

    rest = Client().get("/api/v1/games/?demo=1").json()["results"]
    query = {"query": "{ games(demo: true) { edges { node { id } } } }"}
    graphql = Client().post("/graphql/", query, content_type="application/json").json()["data"]["games"]["edges"]

    assert {game["id"] for game in rest} == {edge["node"]["id"] for edge in graphql} == expected
    assert len(expected) == 2 and listing["game"] not in expected
    assert len(Client().get("/api/v1/games/?demo=0").json()["results"]) == 4
    assert Client().get("/api/v1/games/?demo=yes!").status_code == 422
