"""What people are told: each kind, once each, gone when it is no longer so."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.retirement import retire
from api.notifications import following, tasks
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.models import Game, Notification, NotificationFollower, NotificationKind, Seat
from tests.games.moments import rewind_to
from tests.notifications.told import Told


def test_who_may_act_has_a_turn_and_who_is_asked_a_question(game: Told) -> None:
    ann, bob = game.cairns.ann, game.cairns.bob
    assert game.kinds(ann) == game.kinds(bob) == ["turn"]
    motion = game.propose()
    assert game.kinds(ann) == ["asked"]
    (row,) = game.rows(bob)
    assert (row.subject, row.seat, row.due) == (motion, game.cairns.seat(bob), game.now + timedelta(days=1))
    game.vote(ann)
    assert game.kinds(ann) == ["turn"]


def test_each_is_told_once_however_often_it_is_looked_at(game: Told) -> None:
    game.propose()
    assert game.follow() == 1
    before = list(Notification.objects.order_by("pk").values())
    assert game.follow() == 0
    for _ in range(3):
        NotificationFollower.objects.update(seq=0)  # a position that was lost
        assert game.follow() == 1
    assert list(Notification.objects.order_by("pk").values()) == before


def test_nothing_is_asked_of_the_database_twice_where_nothing_moved(game: Told) -> None:
    game.follow()
    with CaptureQueriesContext(connection) as asked:
        tasks.follow_everywhere()
    assert len(asked) == 1


def test_who_alone_is_waited_for_is_told_when_the_others_have_answered(game: Told) -> None:
    game.propose()
    game.follow()
    game.vote(game.cairns.ann)
    assert game.kinds(game.cairns.bob) == ["alone", "asked"], "Ann may act, and nobody waits for that"
    assert game.kinds(game.cairns.ann) == ["turn"]


@pytest.mark.django_db(transaction=True)
def test_a_tick_begins_what_no_other_is_at_and_waits_for_nothing(game: Told) -> None:
    game.propose()
    assert tasks._is_free.acquire(blocking=False)
    assert tasks.begin() is None
    tasks._is_free.release()
    begun = tasks.begin()
    assert begun is not None
    begun.result(timeout=60)
    (follower,) = NotificationFollower.objects.all()
    assert follower.seq == Game.objects.get(pk=game.cairns.game.pk).seq
    assert not tasks._is_free.locked()


def test_a_deadline_is_near_the_hours_before_that_a_person_wants(game: Told) -> None:
    ann, bob = game.cairns.ann, game.cairns.bob
    game.follow()
    game.wish(ann, deadline_hours=12)
    game.propose()
    assert game.kinds(ann) == ["asked"]
    game.pass_time(hours=11, minutes=59)
    assert game.follow() == 0
    game.pass_time(minutes=1)
    assert game.kinds(ann) == ["asked", "deadline"]
    assert game.kinds(bob) == ["asked"]
    game.pass_time(hours=6)
    assert game.kinds(bob) == ["asked", "deadline"]
    game.vote(bob)
    assert game.kinds(bob) == ["turn"]


def test_nothing_is_near_once_its_deadline_has_passed_or_where_nobody_wants_it(game: Told) -> None:
    game.wish(game.cairns.ann, deadline_hours=0)
    game.propose()
    game.follow()
    game.pass_time(hours=25)
    NotificationFollower.objects.update(seq=0)  # the clock of the game is late
    assert game.kinds(game.cairns.ann) == game.kinds(game.cairns.bob) == []


def test_a_question_that_is_asked_late_is_not_near_besides(game: Told) -> None:
    game.wish(game.cairns.ann, deadline_hours=72)
    game.propose()
    game.pass_time(hours=23)
    assert game.kinds(game.cairns.ann) == ["asked"]


def test_a_chapter_is_told_to_players_and_its_successor_takes_its_place(game: Told, monkeypatch) -> None:
    ruleset = replace(following.registry.ruleset("toy"), chapters=following.registry.ruleset("dawn").chapters)
    monkeypatch.setattr(following.registry, "ruleset", lambda _: ruleset)
    for chapter in (1, 2):
        Game.objects.update(chapter=chapter)
        NotificationFollower.objects.update(seq=0)
        assert game.kinds(game.cairns.ann) == ["chapter", "turn"]
        assert [row.key for row in game.rows(game.cairns.ann) if row.seat is None] == [f"chapter:{chapter}"]
    assert NotificationKind.CHAPTER not in game.kinds(game.cairns.host)


def test_the_end_is_told_to_all_who_sit_there_once_a_person(game: Told) -> None:
    game.follow()
    Game.objects.update(status="finished", waiting_for="[]")
    NotificationFollower.objects.update(seq=0)
    assert game.kinds(game.cairns.ann) == game.kinds(game.cairns.host) == ["over"]


def test_in_a_pause_nobody_is_waited_for_and_what_was_read_stays_read(game: Told) -> None:
    ann = game.cairns.ann
    game.propose()
    game.follow()
    Notification.objects.update(read_at=game.now)
    game.run(Pause(reason="Tea"), game.cairns.gm)
    assert game.kinds(ann) == []
    game.run(Resume(), game.cairns.gm)
    assert game.kinds(ann) == ["asked"]
    assert game.rows(ann)[0].read_at == game.now


def test_what_a_rewind_has_undone_is_gone_and_what_is_asked_again_is_unread(game: Told) -> None:
    ann = game.cairns.ann
    game.follow()
    before = game.cairns.fresh().seq
    game.propose()
    asked = game.cairns.fresh().seq
    game.follow()
    Notification.objects.update(read_at=game.now)
    game.vote(ann)
    assert game.kinds(ann) == ["turn"]
    game.run(rewind_to(game.cairns.game.pk, asked, "A slip"), game.cairns.gm)
    assert game.kinds(ann) == ["asked"]
    assert game.rows(ann)[0].read_at is None
    game.run(rewind_to(game.cairns.game.pk, before, "A slip"), game.cairns.gm)
    assert game.kinds(ann) == ["turn"]
    assert Notification.objects.filter(user=ann, kind="asked").count() == 1


def test_a_bot_that_stands_in_and_an_owner_who_is_gone_silence_a_seat(game: Told) -> None:
    game.follow()
    Seat.objects.filter(pk=game.cairns.seat(game.cairns.ann)).update(bot="first")
    retire(game.cairns.bob)
    NotificationFollower.objects.update(seq=0)
    assert game.kinds(game.cairns.ann) == game.kinds(game.cairns.bob) == []


def test_a_muted_game_and_kinds_that_are_off_are_not_told(game: Told) -> None:
    ann = game.cairns.ann
    game.propose()
    assert game.kinds(ann) == ["asked"]
    game.wish(ann, kinds_off=["asked"])
    assert game.kinds(ann) == []
    game.wish(ann, kinds_off=[])
    assert game.kinds(ann) == ["asked"]
    game.wish(ann, games_off=[game.cairns.game.pk])
    assert game.kinds(ann) == [] and game.kinds(game.cairns.bob) == ["asked"]


def test_a_game_that_cannot_be_looked_at_holds_nobody_up(game: Told, monkeypatch) -> None:
    look_at = following.look_at
    monkeypatch.setattr(following, "look_at", lambda *_: 1 / 0)
    tasks.follow_everywhere()
    assert not Notification.objects.exists()
    monkeypatch.setattr(following, "look_at", look_at)
    tasks.follow_everywhere()
    assert game.rows(game.cairns.ann)


def test_what_has_been_gone_for_long_is_deleted(game: Told) -> None:
    game.propose()
    game.follow()
    game.pass_time(hours=1)
    game.vote(game.cairns.ann)
    game.follow()
    game.pass_time(days=40)
    Notification.objects.filter(kind="asked", gone_at=None).update(due=None)
    NotificationFollower.objects.update(seq=0)
    game.follow()
    assert not Notification.objects.filter(gone_at__lt=game.now - following.KEPT).exists()
