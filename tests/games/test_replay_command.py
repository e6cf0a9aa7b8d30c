"""`manage.py replay`: rows that are not what the log says are found out."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.models import Game, LoggedEvent, Stream
from tests.games.cairns import table
from tests.games.moments import rewind_to
from tests.toy.models import Pile
from tests.toy.rules.commands import AddStones, HideCoins

pytestmark = pytest.mark.django_db


def replay() -> str:
    out = StringIO()
    call_command("replay", "--all", stdout=out)
    return out.getvalue()


def test_a_game_whose_rows_equal_its_log_passes():
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    assert "rows equal the log, chain whole" in replay()


def test_a_row_changed_behind_the_log_is_named():
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    Pile.objects.update(stones=5)
    with pytest.raises(CommandError, match=r"1 game\(s\) disagree"):
        replay()


@pytest.mark.parametrize(("column", "later"), [("public_at", 1), ("listed_at", 60)])
def test_a_time_of_the_last_public_event_that_is_another_is_named(column, later):
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    Game.objects.update(**{column: getattr(cairns.fresh(), column) + timedelta(seconds=later)})
    with pytest.raises(CommandError, match=r"1 game\(s\) disagree"):
        replay()


def test_the_time_of_the_last_public_event_follows_the_log_through_secrets_and_a_rewind():
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    public = cairns.fresh().public_at
    cairns.run(HideCoins(coins=2), cairns.bob, at=20)
    assert cairns.fresh().public_at == public < cairns.fresh().last_at
    cairns.run(rewind_to(cairns.game.pk, cairns.fresh().seq - 1, "Once more."), cairns.gm, at=40)
    turned = cairns.fresh().public_at
    assert turned == cairns.game.events.filter(audience="public").latest("ordinal").at > public
    assert cairns.fresh().listed_at == turned.replace(second=0, microsecond=0) != turned
    assert "public_at" not in replay()


@pytest.mark.parametrize("row", [LoggedEvent, Stream])
def test_a_mark_that_does_not_fit_its_stream_is_named(row):
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    row.objects.filter(audience="public").update(mark="")
    assert "chain whole" in replay()  # of a release without marks
    row.objects.filter(audience="public").update(mark="00000000")
    with pytest.raises(CommandError, match=r"1 game\(s\) disagree"):
        replay()


def test_an_event_changed_in_the_log_breaks_the_chain():
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    LoggedEvent.objects.filter(type="StonesAdded").update(text="Ann adds 3 stones.")
    with pytest.raises(CommandError):
        replay()
