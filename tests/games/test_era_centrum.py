"""The demo event through the one writer: an era by timers alone, and its rows are what its log says.

The era has four centuries here, and its sixteen with `BALANCE=full`; in memory sixteen are played by
`tests/rules/gods2/test_whole_game.py` in any case.
"""

import json
import os
from datetime import timedelta

import pytest
from django.db.models import Sum

from games import registry, services
from games.engine.dice import die
from games.engine.game_state import dump
from games.engine.kernel import Actor, Issuer
from games.gods2.models import Era, Purse, War
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century import steps
from games.gods2.rules.state import mana_sources
from games.gods2.rules.state.options import CENTURIES
from games.models import Die, Game, LoggedEvent, Timer
from games.reads import selectors
from games.storage import log
from games.workers import demo
from worlds.models import PantheonShare, Presence, Race
from worlds.visibility import Visibility

pytestmark = [pytest.mark.django_db, pytest.mark.long]
PLAYED = CENTURIES if os.environ.get("BALANCE") == "full" else 4


@pytest.fixture
def event(settings, tmp_path):
    """The demo event, just opened: the first century has begun."""
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, tmp_path, 60
    listing = demo.prepare("gods2")
    return Game.objects.get(pk=listing["game"])


def play_on(game: Game, until=None) -> None:
    """Fire timer after timer, each at its time, until the era ends or a century begins."""
    while timer := Timer.objects.filter(game=game, due__isnull=False).order_by("due").first():
        services.fire_due(game.pk, now=timer.due)
        if until is not None and Era.objects.get(game=game).century >= until:
            return


def agree(game: Game) -> None:
    """Rows equal the folded log, and the chain of digests is whole."""
    game = Game.objects.get(pk=game.pk)
    rows, found = dump(registry.store("gods2").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != found[name]} == set()
    assert list(log.broken_links(game)) == []


@pytest.mark.timeout(400)
def test_the_centuries_of_an_era_pass_unattended_and_the_log_has_them_all(event, monkeypatch):
    for module in (mana_sources, steps):
        monkeypatch.setattr(module, "CENTURIES", PLAYED)
    play_on(event)

    era = Era.objects.get(game=event)
    assert (era.century, era.phase, Game.objects.get(pk=event.pk).status) == (PLAYED, "finished", "finished")
    types = list(LoggedEvent.objects.filter(game=event).order_by("seq").values_list("type", flat=True))
    assert types.count("CenturyOpened") == types.count("CenturyClosed") == PLAYED
    assert types[-1] == "SecretShown"
    assert War.objects.filter(game=event, status="declared").count() == 0
    assert War.objects.filter(game=event, status="fought").exists()
    shares = Race.objects.filter(world=event.world, shares__isnull=False).annotate(total=Sum("shares__share"))
    assert set(shares.values_list("total", flat=True)) == {10_000}
    agree(event)


def test_a_century_resolves_once_however_often_its_ticks_are_delivered(event):
    play_on(event, until=2)
    before = LoggedEvent.objects.filter(game=event).count()
    at = Game.objects.get(pk=event.pk).last_at

    assert [services.fire_due(event.pk, now=at) for _ in range(5)] == [0] * 5
    assert LoggedEvent.objects.filter(game=event).count() == before
    assert LoggedEvent.objects.filter(game=event, type="CenturyClosed").count() == 1


def test_every_die_of_a_century_can_be_recomputed_from_the_secret_and_its_label(event):
    play_on(event, until=2)
    dice, secret = list(Die.objects.filter(game=event)), bytes(event.secret.dice)
    assert [die(secret, str(event.pk), d.label, d.index, d.sides) for d in dice] == [d.value for d in dice]
    assert len(dice) > 10


def test_a_god_declares_a_war_that_the_worker_fights(event):
    answer = json.loads(demo.path().read_text())
    player = next(u for u in answer["users"] if u["name"] == "demo-player-1")
    from_user = Actor(Issuer.SEAT, event.seats.get(pk=player["seat"]).user_id, event.seats.get(pk=player["seat"]).pk)
    visibility = Visibility.of(from_user.user, seats=[from_user.seat])
    candidate = next(
        o for o in selectors.legal_commands(event, from_user, visibility)[0] if o.command == "declare-war" and o.legal
    )
    command = DeclareWar(
        attacker=candidate.arguments["attacker"].values[0], defender=candidate.arguments["defender"].values[0]
    )
    now = Game.objects.get(pk=event.pk).last_at + timedelta(seconds=1)
    before = Purse.objects.get(seat=from_user.seat).balance

    services.run(event.pk, command, actor=from_user, now=now, key="war")
    services.run(event.pk, command, actor=from_user, now=now, key="war")

    war = War.objects.filter(game=event, kind="god").latest("number")
    assert (war.due - war.declared_at, war.status) == (timedelta(seconds=10), "declared")
    assert Purse.objects.get(seat=from_user.seat).balance == before - candidate.price
    services.fire_due(event.pk, now=war.due)
    war.refresh_from_db()
    assert war.status in {"fought", "averted", "lapsed", "cancelled"}  # gods without a player may make peace
    agree(event)


def test_the_state_costs_the_same_queries_with_more_units_on_the_map(event, django_assert_max_num_queries):
    with django_assert_max_num_queries(40) as first:
        selectors.state_for(event, Visibility.nobody())
    play_on(event, until=3)
    assert Presence.objects.filter(race__world=event.world).count() > 0
    with django_assert_max_num_queries(len(first)):
        selectors.state_for(event, Visibility.nobody())


def test_no_purse_is_visible_to_a_stranger_and_each_god_sees_their_own(event):
    seat = event.seats.filter(role="player").first()
    assert selectors.state_for(event, Visibility.nobody())["purses"] == []
    own = selectors.state_for(event, Visibility.of(seat.user_id, seats=[seat.pk]))["purses"]
    assert [p["id"] for p in own] == [seat.pk]
    assert PantheonShare.objects.filter(race__world=event.world).exists()
