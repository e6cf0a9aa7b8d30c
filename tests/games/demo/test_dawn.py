"""Dawn of Worlds in the demo: one god for a person, the others are bots."""

import json
import os
from datetime import timedelta

import pytest

from games import registry, services
from games.dawn import demo as island
from games.dawn.models import Course, GodSheet, SquareSheet
from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.setup.commands import DefineGod as DefineDawnGod
from games.dawn.rules.state.schema_types import Moral, Place, ShapeKind, Terrain
from games.dawn.rules.turn.commands import EndTurn
from games.engine.game_state import dump
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup
from games.models import Game, LoggedEvent, Prompt, Timer
from games.storage import log
from tests.games.demo.stage import MINUTE, as_person, fire_until

pytestmark = pytest.mark.django_db


def course(game: Game) -> Course:
    """Where the game of Dawn is."""
    return Course.objects.get(game=game)


def silences(game: Game) -> set[str]:
    """The kinds of the questions whose time has passed."""
    values = {kind: LoggedEvent.objects.filter(game=game, type=kind) for kind in ("PromptOpened", "DeadlinePassed")}
    kinds = {e["prompt"]: e["kind"] for e in (json.loads(row.body) for row in values["PromptOpened"])}
    return {kinds[json.loads(row.body)["prompt"]] for row in values["DeadlinePassed"]}


def test_dawn_begins_on_an_island_with_a_god_for_the_person_and_bots_that_define_their_own(open_demo):
    game = open_demo("dawn")
    fire_until(game, lambda: GodSheet.objects.filter(game=game).count() == 4)
    assert course(game).step == "setup"  # the person may still be another
    assert set(GodSheet.objects.filter(game=game).values_list("deity__name", flat=True)) == {
        "Ilune", "Orrum", "Vesh", "Tamar",
    }  # fmt: skip
    squares = SquareSheet.objects.filter(game=game)
    wet = squares.filter(square__terrain="ocean").count()
    assert (squares.count(), wet) == (island.WIDTH * island.HEIGHT, island.ISLAND.count("~"))
    assert wet < squares.count() and not squares.filter(shaped_by__isnull=False).exists()


def test_the_windows_of_dawn_follow_from_the_length_of_a_step(open_demo, settings):
    for settings.DEMO_STEP_SECONDS in (30, 600):
        game = open_demo("dawn")
        whole = timedelta(seconds=settings.DEMO_STEP_SECONDS)
        person = f"seat:{as_person(game).seat}"

        def mine(game=game, person=person):
            return next((p for p in Prompt.objects.filter(game=game, kind="turn") if person in p.owners), None)

        setup = Prompt.objects.get(game=game, kind="setup")
        assert Timer.objects.get(game=game, key=f"prompt:{setup.pk}").due - setup.opened_at == whole
        fire_until(game, mine)
        prompt = mine()
        assert Timer.objects.get(game=game, key=f"prompt:{prompt.pk}").due - prompt.opened_at == whole
        assert island.options(settings.DEMO_STEP_SECONDS).answer_seconds * 3 == settings.DEMO_STEP_SECONDS


@pytest.mark.skipif(os.environ.get("FAULTS") != "full", reason="a whole game: with FAULTS=full")
def test_dawn_ends_by_itself_when_nobody_plays(open_demo):
    game = open_demo("dawn")
    begun = game.last_at

    fire_until(game, lambda: False)

    game.refresh_from_db()
    assert (game.status, course(game).step, course(game).age, course(game).rounds >= 15) == (
        "finished", "finished", 3, True,
    )  # fmt: skip
    # the set-up, the turns of the god, and what bots take and ask meanwhile
    assert game.last_at - begun < timedelta(seconds=MINUTE * 3 * course(game).rounds)
    late = [json.loads(row.body) for row in LoggedEvent.objects.filter(game=game, type="DeadlinePassed")]
    assert {who for event in late for who in event["seats"]} == set()  # nobody is away: bots are never late
    assert not LoggedEvent.objects.filter(game=game, type__in=("TimerRefused", "TimerFailed", "BotPassed")).exists()
    rows, folded = dump(registry.store("dawn").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != folded[name]} == set()


def free_place(game: Game) -> tuple[int, int]:
    """A square that no god has shaped, nor any beside it: to shape it needs nobody's leave."""
    sheets = SquareSheet.objects.filter(game=game)
    shaped = set(sheets.exclude(shaped_by=None).values_list("square__x", "square__y"))
    squares = sheets.order_by("square").values_list("square__x", "square__y")
    return next(s for s in squares if not any((s[0] + i, s[1] + j) in shaped for i in (-1, 0, 1) for j in (-1, 0, 1)))


def test_a_god_of_dawn_shapes_in_their_turn_and_waits_for_nobody(open_demo):
    game = open_demo("dawn")
    person, host = as_person(game), game.seats.get(role="host")

    def act(*commands, actor=person):
        for command in commands:
            services.run(game.pk, command, actor=actor, now=Game.objects.get(pk=game.pk).last_at)

    act(DefineDawnGod(name="Ilune the Pale", portfolio=("tides", "masks"), moral=Moral.EVIL))
    fire_until(game, lambda: GodSheet.objects.filter(game=game).count() == 4)
    act(EndSetup(), actor=Actor(Issuer.HOST, host.user_id, host.pk))
    fire_until(game, lambda: course(game).active_id == person.seat)
    x, y = free_place(game)
    act(ShapeLand(kind=ShapeKind.MUNDANE, squares=(Place(x=x, y=y),), terrain=Terrain.LAKE, name="Mirror"))
    mirror = SquareSheet.objects.get(game=game, square__x=x, square__y=y)  # before bots shape it anew, as they may
    assert (mirror.square.terrain, mirror.shaped_by_id, mirror.region.name) == ("lake", person.seat, "Mirror")
    act(EndTurn())
    fire_until(game, lambda: course(game).active_id == person.seat and course(game).rounds > 1)
    assert {"setup", "turn"}.isdisjoint(silences(game))
    assert GodSheet.objects.get(seat=person.seat).moral == "evil"
