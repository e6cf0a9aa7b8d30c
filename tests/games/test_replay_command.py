"""`manage.py replay`: rows that are not what the log says are found out."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.models import LoggedEvent
from tests.games.cairns import table
from tests.toy.models import Pile
from tests.toy.rules.commands import AddStones

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


def test_an_event_changed_in_the_log_breaks_the_chain():
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    LoggedEvent.objects.filter(type="StonesAdded").update(text="Ann adds 3 stones.")
    with pytest.raises(CommandError):
        replay()
