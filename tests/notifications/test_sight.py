"""No notification says more than its owner may see at the moment."""

import pytest
from django.test import Client
from django.urls import reverse

from api.notifications.reading import PAST_QUESTION, notifications_of
from api.representations.table import waiting_json
from games.engine.audience import seat_and_gm
from games.models import Game, Notification, NotificationFollower, Prompt, Seat
from tests.notifications.told import Told


@pytest.fixture
def hidden(game: Told) -> Told:
    """A motion that asks Bob alone, of which Bob and the game-master alone know."""
    game.propose()
    bob = game.cairns.seat(game.cairns.bob)
    audience = seat_and_gm(bob)
    Prompt.objects.update(owners=f'["seat:{bob}"]', audience=audience, question="The canary sings?")
    fresh = game.cairns.fresh()
    waiting = f'{{"owner":"seat:{bob}","must":true,"due":null,"readers":"{audience}","due_readers":"server"}}'
    packed = waiting.replace("}", ',"hidden_from":"server"}')
    Game.objects.filter(pk=fresh.pk).update(waiting_for=f"[{packed}]")
    return game


def test_a_question_that_is_hidden_is_told_to_whom_it_asks_and_to_nobody_else(hidden: Told) -> None:
    cairns = hidden.cairns
    assert hidden.kinds(cairns.bob) == ["asked"]
    assert hidden.kinds(cairns.ann) == hidden.kinds(cairns.host) == []
    assert "canary" in notifications_of(cairns.bob.pk, 10)[0].message
    assert "canary" not in str(list(Notification.objects.values()))


def test_what_a_hidden_question_asks_changes_nothing_of_anothers(game: Told) -> None:
    """The kind: that others are waited for shows only where the seat may know of it."""
    game.propose()
    game.follow()
    ann, bob = game.cairns.seat(game.cairns.ann), game.cairns.seat(game.cairns.bob)
    entry = '{{"owner":"seat:{}","must":true,"due":null,"readers":"{}","due_readers":"server","hidden_from":"server"}}'
    mine = entry.format(ann, "public")
    told = []
    for others in ([], [entry.format(bob, seat_and_gm(bob))], [entry.format(bob, "public")]):
        Game.objects.update(waiting_for=f"[{','.join([mine, *others])}]")
        NotificationFollower.objects.update(seq=0)
        told.append(game.kinds(game.cairns.ann))
    assert told == [["alone", "asked"], ["alone", "asked"], ["asked"]]


def test_a_deadline_that_is_hidden_is_not_told(game: Told) -> None:
    motion = game.propose()
    game.cairns.game.timers.filter(key=f"prompt:{motion}").update(audience="server")
    game.pass_time(hours=20)
    assert game.kinds(game.cairns.ann) == ["asked"]
    assert game.rows(game.cairns.ann)[0].due is None


def test_who_has_lost_the_seat_is_shown_nothing_though_nobody_has_looked_since(hidden: Told) -> None:
    bob = hidden.cairns.bob
    hidden.follow()
    Seat.objects.filter(pk=hidden.cairns.seat(bob)).update(user=hidden.cairns.host)
    assert notifications_of(bob.pk, 10) == []
    client = Client()
    client.force_login(bob)
    assert "canary" not in client.get(reverse("notifications-page")).content.decode()
    NotificationFollower.objects.update(seq=0)
    assert hidden.kinds(bob) == []


def test_a_question_that_is_over_is_not_quoted(hidden: Told) -> None:
    bob = hidden.cairns.bob
    hidden.follow()
    Prompt.objects.update(audience="gm")
    assert notifications_of(bob.pk, 10)[0].message == f"You are asked: {PAST_QUESTION}"
    Prompt.objects.all().delete()
    assert notifications_of(bob.pk, 10)[0].message == f"You are asked: {PAST_QUESTION}"


def test_what_is_told_follows_what_a_seat_is_waited_for(game: Told) -> None:
    """The two ways to say that a seat is asked agree: the column of the game, and its questions."""
    for step in (game.propose, lambda: game.vote(game.cairns.ann), lambda: game.vote(game.cairns.bob)):
        step()
        waiting = game.cairns.fresh().waiting_for
        for user in (game.cairns.ann, game.cairns.bob):
            seen = waiting_json(waiting, [game.cairns.seat(user)], gm=False)
            must = any(each["must"] and each["seat"] == game.cairns.seat(user) for each in seen)
            assert ("asked" in game.kinds(user)) == must
