"""The Die Tower in the demo: one character for a person, bots for the others and for the world master."""

import json
from datetime import timedelta

import pytest

from games import registry, services
from games.dietower.models import Actor as Character
from games.dietower.models import Course
from games.dietower.rules.checks.commands import RequestCheck
from games.engine.game_state import dump
from games.models import Game, LoggedEvent, Seat
from games.storage import log
from tests.games.demo.stage import as_person, fire_until

pytestmark = pytest.mark.django_db


def course(game: Game) -> Course:
    """Where the game is."""
    return Course.objects.get(game=game)


def seats_of(row: LoggedEvent) -> set[str]:
    """The names of the seats that an event names as late."""
    return set(Seat.objects.filter(pk__in=json.loads(row.body)["seats"]).values_list("name", flat=True))


def test_a_bot_opens_the_first_session_when_all_sheets_are_there(open_demo):
    game = open_demo("dietower")
    fire_until(game, lambda: course(game).session == 1)

    people = Character.objects.filter(game=game, kind="pc")
    assert set(people.values_list("name", flat=True)) == {"Ilse", "Rook", "Odo", "Wren"}
    assert list(Seat.objects.filter(game=game, role="gm", bot="steady").values_list("name", flat=True)) == [
        "World master"
    ]


def test_the_persons_check_is_set_by_the_bot_within_seconds(open_demo):
    game = open_demo("dietower")
    fire_until(game, lambda: course(game).session == 1)
    person = as_person(game)
    game.refresh_from_db()
    services.run(game.pk, RequestCheck(intent="Open the gate", trait="locks"), actor=person, now=game.last_at)
    asked = LoggedEvent.objects.filter(game=game, type="CheckRequested").latest("seq")
    check = json.loads(asked.body)["check"]
    of_it = LoggedEvent.objects.filter(game=game, type="CheckSet", body__contains=check)  # a bot's may be set before it

    fire_until(game, of_it.exists)

    answered = of_it.earliest("seq")
    assert answered.at - asked.at <= timedelta(seconds=5)
    ruling = json.loads(answered.body)  # now and then harder or easier than the words ask, by the bot's own dice
    assert ruling["good"] is True and ruling["name"]


@pytest.mark.long
def test_the_die_tower_ends_by_itself_when_nobody_plays(open_demo):
    game = open_demo("dietower")
    begun = game.last_at

    fire_until(game, lambda: False)

    game.refresh_from_db()
    assert (game.status, course(game).step, course(game).session) == ("finished", "finished", 3)
    assert timedelta(minutes=3) < game.last_at - begun < timedelta(hours=2)
    assert not LoggedEvent.objects.filter(game=game, type__in=("TimerRefused", "TimerFailed", "BotPassed")).exists()
    late = {seat for row in LoggedEvent.objects.filter(game=game, type="DeadlinePassed") for seat in seats_of(row)}
    assert late <= {"Wren"}  # a bot that asks for one more check at random
    rows, folded = dump(registry.store("dietower").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != folded[name]} == set()
