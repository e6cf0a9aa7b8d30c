"""Forgeborn in the demo: one Smith for a person, three bots, no referee."""

from datetime import timedelta

import pytest
from django.apps import apps

from games import registry
from games.engine.game_state import dump
from games.models import LoggedEvent
from games.storage import log
from tests.games.demo.stage import fire_until

pytestmark = pytest.mark.django_db


def test_the_bots_define_their_smiths_and_the_first_turn_begins(open_demo):
    game = open_demo("forgeborn")
    fire_until(game, lambda: apps.get_model("forgeborn", "Course").objects.get(game=game).round == 1)

    assert apps.get_model("forgeborn", "Character").objects.filter(game=game, kind="smith").count() == 4
    assert (
        apps.get_model("forgeborn", "Character").objects.filter(game=game, person__name="Hele", is_plain=False).exists()
    )


@pytest.mark.long
def test_forgeborn_ends_by_itself_when_nobody_plays(open_demo):
    game = open_demo("forgeborn")
    begun = game.last_at

    fire_until(game, lambda: False)

    game.refresh_from_db()
    course = apps.get_model("forgeborn", "Course").objects.get(game=game)
    assert (game.status, course.step) == ("finished", "finished")
    assert course.reason in ("dragon", "rounds")
    assert timedelta(minutes=2) < game.last_at - begun < timedelta(hours=12)
    assert not LoggedEvent.objects.filter(game=game, type__in=("TimerRefused", "TimerFailed", "BotPassed")).exists()
    rows, folded = dump(registry.store("forgeborn").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != folded[name]} == set()
