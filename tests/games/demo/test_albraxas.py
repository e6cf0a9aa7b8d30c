"""Albraxas in the demo: one person among bots, and it ends by itself."""

import json
from datetime import timedelta

import pytest

from games import registry, services
from games.albraxas.models import Character, Storm
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.setup.commands import DefineCharacter
from games.albraxas.rules.state.schema_types import Order
from games.engine.game_state import dump
from games.models import Game, LoggedEvent, Prompt, Timer
from games.storage import log
from tests.games.demo.stage import MINUTE, as_person, fire_until

pytestmark = pytest.mark.django_db


def step(game: Game) -> tuple[str, int]:
    storm = Storm.objects.get(game=game)
    return storm.step, storm.turn


def is_asked(game: Game, kind: str) -> bool:
    """Whether the question of a step is open."""
    return Prompt.objects.filter(game=game, kind=kind).exists()


def test_the_windows_of_albraxas_are_as_long_as_a_step(open_demo, settings):
    for settings.DEMO_STEP_SECONDS in (30, 600):
        game = open_demo()
        window = timedelta(seconds=settings.DEMO_STEP_SECONDS)
        for kind in ("characters", "locate", "order"):
            fire_until(game, lambda game=game, kind=kind: is_asked(game, kind))
            prompt = Prompt.objects.get(game=game, kind=kind)
            assert Timer.objects.get(game=game, key=f"prompt:{prompt.pk}").due - prompt.opened_at == window, kind


@pytest.mark.rule("AX-END-5", "AX-TRN-2", "AX-TRN-5")
def test_albraxas_ends_by_itself_when_nobody_plays(open_demo):
    game = open_demo()
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
    assert {who for event in late for who in event["seats"]} == set()  # nobody is away: bots are never late
    assert not LoggedEvent.objects.filter(game=game, type__in=("TimerRefused", "TimerFailed", "BotPassed")).exists()
    rows, folded = dump(registry.store("albraxas").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != folded[name]} == set()


def test_a_person_plays_alone_among_bots_and_waits_for_nobody(open_demo):
    game = open_demo()
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
