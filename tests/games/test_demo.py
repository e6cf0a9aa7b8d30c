"""The demo: a live game of every ruleset that has one, kept while it lasts; in two of them one person among bots."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.test import Client

from games import demo, log, registry, services, tasks
from games.albraxas.models import Character, Storm
from games.albraxas.rules.setup import DefineCharacter
from games.albraxas.rules.travelling import LockLocation, SetLocation
from games.albraxas.rules.vocabulary import Order
from games.albraxas.rules.writing import WriteOrders
from games.dawn import demo as island
from games.dawn.models import Course, GodSheet, SquareSheet
from games.dawn.rules.land import ShapeLand
from games.dawn.rules.setup import DefineGod as DefineDawnGod
from games.dawn.rules.setup import StartGame
from games.dawn.rules.turning import EndTurn
from games.dawn.rules.vocabulary import Moral, Place, ShapeKind, Terrain
from games.engine.errors import Refused
from games.engine.kernel import Actor, Issuer
from games.engine.table import Status, dump
from games.models import Game, LoggedEvent, Prompt, Timer
from games.selectors import demo_games

pytestmark = pytest.mark.django_db
MINUTE = 60


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    """The demo is on and has told nothing yet; a century has a minute."""
    settings.DEMO, settings.DATA_DIR, settings.DEMO_CENTURY_SECONDS = True, tmp_path, MINUTE
    return tmp_path


@pytest.fixture
def opened(monkeypatch):
    """Opens the demo of one ruleset alone, anew each time it is called; its game. Albraxas unless it is said."""

    def anew(ruleset: str = "albraxas") -> Game:
        monkeypatch.setattr(registry, "demos", lambda: {ruleset: registry.demo(ruleset)})
        finish(Game.objects.filter(is_demo=True))
        return Game.objects.get(pk=demo.prepare()["game"])

    return anew


def finish(games) -> None:
    """Let these games be over."""
    games.update(status=Status.FINISHED)


def live(ruleset: str) -> list[Game]:
    """The demo games of a ruleset that go on."""
    return list(demo_games(Game.objects.filter(ruleset=ruleset)))


def as_person(game: Game) -> Actor:
    """The person among the bots."""
    seat = game.seats.get(user__username__startswith="demo-player")
    return Actor(Issuer.SEAT, seat.user_id, seat.pk)


def fire_until(game: Game, reached) -> None:
    """Fire timer after timer, each at its time, until something holds."""
    while not reached() and (timer := Timer.objects.filter(game=game, due__isnull=False).order_by("due").first()):
        services.fire_due(game.pk, now=timer.due)


def step(game: Game) -> tuple[str, int]:
    storm = Storm.objects.get(game=game)
    return storm.step, storm.turn


def asked(game: Game, kind: str) -> bool:
    """Whether the question of a step is open."""
    return Prompt.objects.filter(game=game, kind=kind).exists()


def test_the_demo_is_off_unless_it_is_asked_for(settings):
    settings.DEMO = False
    with pytest.raises(RuntimeError):
        demo.prepare()
    assert not Game.objects.exists()


def test_every_ruleset_with_a_demo_has_a_game_and_the_first_stands_at_the_top():
    told = demo.prepare()

    assert [one["ruleset"] for one in told["games"]] == list(registry.demos()) == ["gods2", "albraxas", "dawn"]
    assert set(registry.folders()) > set(registry.demos())  # Cairns has none
    earth, storm, dawn = told["games"]
    assert (told["game"], told["world"]) == (earth["game"], earth["world"])
    assert (storm["name"], storm["world"]) == ("Storming the Dawn, live", None)
    for one in told["games"]:
        game = Game.objects.get(pk=one["game"])
        assert (game.ruleset, game.name, game.status) == (one["ruleset"], one["name"], "running")
        rows = game.seats.filter(user__isnull=False).values_list("user__username", "role", "pk", "name")
        assert {tuple(seat.values()) for seat in one["seats"]} == {(u, r, str(pk), n) for u, r, pk, n in rows}
    held = {(s["user"], s["role"]): s["seat"] for s in earth["seats"]}
    assert {u["name"]: u["seat"] for u in told["users"]} == {
        u["name"]: held.get((u["name"], u["role"])) for u in told["users"]
    }
    assert [u["seat_name"] for u in told["users"] if u["role"] == "player"] == ["Gordrun", "Ashkar", "Ilsoire"]
    assert {(s["user"], s["role"]) for s in storm["seats"]} == {
        ("demo-gm", "host"), ("demo-gm", "gm"), ("demo-player-1", "player"), ("demo-observer", "observer"),
    }  # fmt: skip
    assert dawn["name"] == "Celestial Horizon, live" and dawn["world"] not in (None, earth["world"])
    assert {(s["user"], s["role"], s["seat_name"]) for s in dawn["seats"] if s["role"] == "player"} == {
        ("demo-player-2", "player", "Ilune"),
    }  # fmt: skip
    world = Game.objects.get(pk=earth["game"]).world
    assert world is not None and "Beck et al. 2018" in world.attribution


def test_the_demo_is_kept_while_it_lasts():
    first = demo.prepare()

    assert demo.prepare() == first == json.loads(demo.path().read_text())
    assert demo.path().stat().st_mode & 0o777 == 0o600
    assert Game.objects.count() == 3


@pytest.mark.parametrize("over", ["albraxas"])
def test_a_game_that_is_over_is_opened_anew_and_the_others_go_on(over):
    first = {one["ruleset"]: one["game"] for one in demo.prepare()["games"]}
    Game.objects.filter(pk=first[over]).update(status=Status.FINISHED)

    again = {one["ruleset"]: one["game"] for one in demo.prepare()["games"]}

    assert {ruleset for ruleset in first if first[ruleset] != again[ruleset]} == {over}
    assert Game.objects.get(pk=again[over]).status == "running"


def test_what_was_told_before_there_were_several_games_is_gone_on_with():
    told = demo.prepare()
    former = {name: value for name, value in told.items() if name != "games"}
    demo.path().write_text(json.dumps(former))

    again = demo.prepare()

    assert {name: again[name] for name in former} == former


def test_games_that_began_before_demo_games_were_marked_are_gone_on_with():
    told = demo.prepare("albraxas", "dawn")
    Game.objects.update(is_demo=False)

    assert demo.prepare("albraxas", "dawn") == told
    assert Game.objects.filter(is_demo=True).count() == 2


# --- the next game ----------------------------------------------------------------------------------------------------
def test_the_next_game_opens_by_itself_and_demo_json_tells_it_with_the_same_people():
    before = demo.prepare("albraxas", "dawn")
    assert [demo.keep_open(), json.loads(demo.path().read_text())] == [False, before]
    finish(Game.objects.filter(ruleset="albraxas"))

    tasks.keep_demo.delay()

    after = json.loads(demo.path().read_text())
    (game,) = live("albraxas")
    assert (game.status, str(game.pk)) == ("running", after["game"]) and after["game"] != before["game"]
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


def test_a_game_that_was_opened_and_not_told_is_told_by_the_next_look():
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

    def look(_: int) -> bool:
        try:
            return demo.keep_open()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(look, range(3)))

    (game,) = live("albraxas")
    assert Game.objects.count() == 2
    assert json.loads(demo.path().read_text())["game"] == str(game.pk)


def test_both_apis_list_what_the_demo_plays_now():
    told = demo.prepare("albraxas", "dawn")
    Game.objects.create(ruleset="dawn", name="Another", commitment="0" * 64)
    finish(Game.objects.filter(ruleset="albraxas"))
    demo.keep_open()
    expected = {str(game.pk) for slug in ("albraxas", "dawn") for game in live(slug)}

    rest = Client().get("/api/v1/games/?demo=1").json()["results"]
    query = {"query": "{ games(demo: true) { edges { node { id } } } }"}
    graphql = Client().post("/graphql/", query, content_type="application/json").json()["data"]["games"]["edges"]

    assert {game["id"] for game in rest} == {edge["node"]["id"] for edge in graphql} == expected
    assert len(expected) == 2 and told["game"] not in expected
    assert len(Client().get("/api/v1/games/?demo=0").json()["results"]) == 4
    assert Client().get("/api/v1/games/?demo=yes!").status_code == 422


def test_the_windows_of_albraxas_are_as_long_as_a_century(opened, settings):
    for settings.DEMO_CENTURY_SECONDS in (30, 600):
        game = opened()
        window = timedelta(seconds=settings.DEMO_CENTURY_SECONDS)
        for kind in ("characters", "locate", "order"):
            fire_until(game, lambda game=game, kind=kind: asked(game, kind))
            prompt = Prompt.objects.get(game=game, kind=kind)
            assert Timer.objects.get(game=game, key=f"prompt:{prompt.pk}").due - prompt.opened_at == window, kind


@pytest.mark.rule("AX-END-5", "AX-TRN-2", "AX-TRN-5")
def test_albraxas_ends_by_itself_when_nobody_plays(opened):
    game = opened()
    begun = game.last_at

    fire_until(game, lambda: False)

    game.refresh_from_db()
    storm = Storm.objects.get(game=game)
    assert (game.status, storm.step, storm.turn <= storm.phases - 1) == ("finished", "finished", True)
    assert storm.winner in ("rebel", "albraxas")
    assert storm.check_from == storm.phases - 1  # as the rulebook advises
    assert game.last_at - begun < timedelta(seconds=MINUTE * (2 * storm.phases))
    seat = game.seats.get(user__username="demo-player-1")
    assert Character.objects.get(seat=seat).name == "Nyx"
    late = [json.loads(row.body) for row in LoggedEvent.objects.filter(game=game, type="DeadlinePassed")]
    assert {who for event in late for who in event["seats"]} == {str(seat.pk)}  # bots are never late
    assert not LoggedEvent.objects.filter(game=game, type__in=("TimerRefused", "TimerFailed", "BotPassed")).exists()
    rows, folded = dump(registry.store("albraxas").load(game)), dump(log.folded(game))
    assert {name for name in rows if rows[name] != folded[name]} == set()


def test_a_person_plays_alone_among_bots_and_waits_for_nobody(opened):
    game = opened()
    person = as_person(game)

    def act(*commands):
        for command in commands:
            services.run(game.pk, command, actor=person, now=Game.objects.get(pk=game.pk).last_at)

    act(DefineCharacter(name="Nyx the Bold", backbone=3, battle=6, blitz=4))
    fire_until(game, lambda: step(game) == ("locate", 1))
    for turn in (1, 2):
        begun = Game.objects.get(pk=game.pk).last_at
        act(SetLocation(phase=turn), LockLocation())
        fire_until(game, lambda turn=turn: step(game) == ("order", turn))
        act(WriteOrders(orders=(Order(action="battle"),)))
        fire_until(game, lambda turn=turn: step(game) == ("locate", turn + 1))
        assert Game.objects.get(pk=game.pk).last_at - begun < timedelta(seconds=10)
    character = Character.objects.get(seat=person.seat)
    assert (character.name, character.battle, character.phase) == ("Nyx the Bold", 6, 2)
    assert set(Character.objects.filter(game=game).exclude(seat=person.seat).values_list("name", "side")) == {
        ("Sael", "rebel"), ("Orin", "rebel"), ("Albraxas", "albraxas"),
    }  # fmt: skip


# --- Dawn -------------------------------------------------------------------------------------------------------------
def course(game: Game) -> Course:
    """Where the game of Dawn is."""
    return Course.objects.get(game=game)


def silences(game: Game) -> set[str]:
    """The kinds of the questions whose time has passed."""
    told = {kind: LoggedEvent.objects.filter(game=game, type=kind) for kind in ("PromptOpened", "DeadlinePassed")}
    kinds = {e["prompt"]: e["kind"] for e in (json.loads(row.body) for row in told["PromptOpened"])}
    return {kinds[json.loads(row.body)["prompt"]] for row in told["DeadlinePassed"]}


def test_dawn_begins_on_an_island_with_a_god_for_the_person_and_bots_that_define_their_own(opened):
    game = opened("dawn")
    fire_until(game, lambda: GodSheet.objects.filter(game=game).count() == 4)
    assert course(game).step == "setup"  # the person may still be another
    assert set(GodSheet.objects.filter(game=game).values_list("deity__name", flat=True)) == {
        "Ilune", "Orrum", "Vesh", "Tamar",
    }  # fmt: skip
    squares = SquareSheet.objects.filter(game=game)
    wet = squares.filter(square__terrain="ocean").count()
    assert (squares.count(), wet) == (island.WIDTH * island.HEIGHT, island.ISLAND.count("~"))
    assert wet < squares.count() and not squares.filter(shaped_by__isnull=False).exists()


def test_the_windows_of_dawn_follow_from_the_length_of_a_century(opened, settings):
    for settings.DEMO_CENTURY_SECONDS in (30, 600):
        game = opened("dawn")
        whole = timedelta(seconds=settings.DEMO_CENTURY_SECONDS)
        person = f"seat:{as_person(game).seat}"

        def mine(game=game, person=person):
            return next((p for p in Prompt.objects.filter(game=game, kind="turn") if person in p.owners), None)

        setup = Prompt.objects.get(game=game, kind="setup")
        assert Timer.objects.get(game=game, key=f"prompt:{setup.pk}").due - setup.opened_at == whole
        fire_until(game, mine)
        prompt = mine()
        assert Timer.objects.get(game=game, key=f"prompt:{prompt.pk}").due - prompt.opened_at == whole
        assert island.options(settings.DEMO_CENTURY_SECONDS).answer_seconds * 3 == settings.DEMO_CENTURY_SECONDS


@pytest.mark.skipif(os.environ.get("FAULTS") != "full", reason="a whole game: with FAULTS=full")
def test_dawn_ends_by_itself_when_nobody_plays(opened):
    game = opened("dawn")
    begun = game.last_at

    fire_until(game, lambda: False)

    game.refresh_from_db()
    assert (game.status, course(game).step, course(game).age, course(game).rounds >= 15) == (
        "finished", "finished", 3, True,
    )  # fmt: skip
    # the set-up, his own turns, and what bots take and ask him meanwhile
    assert game.last_at - begun < timedelta(seconds=MINUTE * 3 * course(game).rounds)
    assert {"setup", "turn"} <= silences(game)
    late = [json.loads(row.body) for row in LoggedEvent.objects.filter(game=game, type="DeadlinePassed")]
    assert {who for event in late for who in event["seats"]} == {str(as_person(game).seat)}  # bots are never late
    assert not LoggedEvent.objects.filter(game=game, type__in=("TimerRefused", "TimerFailed", "BotPassed")).exists()
    rows, folded = dump(registry.store("dawn").load(game)), dump(log.folded(game))
    assert {name for name in rows if rows[name] != folded[name]} == set()


def test_a_god_of_dawn_shapes_in_his_turn_and_waits_for_nobody(opened):
    game = opened("dawn")
    person, host = as_person(game), game.seats.get(role="host")

    def act(*commands, actor=person):
        for command in commands:
            services.run(game.pk, command, actor=actor, now=Game.objects.get(pk=game.pk).last_at)

    act(DefineDawnGod(name="Ilune the Pale", portfolio=("tides", "masks"), moral=Moral.EVIL))
    fire_until(game, lambda: GodSheet.objects.filter(game=game).count() == 4)
    act(StartGame(), actor=Actor(Issuer.HOST, host.user_id, host.pk))
    fire_until(game, lambda: course(game).active_id == person.seat)
    act(ShapeLand(kind=ShapeKind.MUNDANE, squares=(Place(x=11, y=8),), terrain=Terrain.LAKE, name="Mirror"), EndTurn())
    fire_until(game, lambda: course(game).active_id == person.seat and course(game).rounds > 1)
    assert {"setup", "turn"}.isdisjoint(silences(game))
    assert GodSheet.objects.get(seat=person.seat).moral == "evil"
    mirror = SquareSheet.objects.get(game=game, square__x=11, square__y=8)
    assert (mirror.square.terrain, mirror.shaped_by_id, mirror.region.name) == ("lake", person.seat, "Mirror")
