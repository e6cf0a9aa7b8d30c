"""What people are told: each kind, once each, gone when it is no longer so."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.retirement import retire
from api.notifications import following, tasks
from api.notifications.reading import notifications_of
from core.places import routing
from games.engine.lifecycle.gm_commands import Extend, Pause, Resume, Start
from games.engine.lifecycle.seating import HandOver
from games.engine.lifecycle.votes import AnswerVote, ProposeVote
from games.models import Game, Notification, NotificationFollower, NotificationKind, Seat
from tests.api.worlds import user
from tests.faults.shared import another
from tests.games import dawn, forgeborn
from tests.games.moments import rewind_to
from tests.notifications.told import Told, told
from tests.toy.rules.commands import Propose


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
    assert len(asked) == len(routing.every_place())


def test_who_alone_is_waited_for_is_told_when_the_others_have_answered(game: Told) -> None:
    game.propose()
    game.follow()
    game.vote(game.cairns.ann)
    assert game.kinds(game.cairns.bob) == ["alone", "asked"], "Ann may act, and nobody waits for that"
    assert game.kinds(game.cairns.ann) == ["turn"]


def test_who_is_alone_behind_a_question_that_interrupted_their_own_is_told_then(db) -> None:
    here = dawn.begin({**dawn.SMALL, "deadlines": "post"}, ("ann", "bob"))
    for name in ("ann", "bob"):
        here.turn_of(name)
        here.grant(name, 50)
    maker, other = here.active, next(name for name in ("ann", "bob") if name != here.active)
    here.turn_of(other)
    here.shape(other, "Marshes", (3, 3), (3, 4))
    here.turn_of(maker)

    def told_to_maker() -> list[str]:
        for each in following.games_to_look_at(here.now, 10):
            assert following.look_at(each, here.now)
        return sorted(row.kind for row in Notification.objects.filter(user_id=user(maker).pk, gone_at=None))

    assert told_to_maker() == ["asked", "chapter"]
    here.run(dawn.command("make-offer", to=here.seats[other], give=1, want=1), maker)
    assert told_to_maker() == ["asked", "chapter"], "the other is waited for, too"
    here.shape(maker, "Fens", (3, 4), terrain="forest")
    assert told_to_maker() == ["chapter"]
    here.run(dawn.command("decline-offer", offer=here.prompt_of("offer")), other)
    here.run(dawn.command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=True), other)
    assert told_to_maker() == ["alone", "asked", "chapter"]


def test_who_conducts_a_game_from_two_seats_is_told_once(db) -> None:
    here = forgeborn.gathered({"referee": "person"})
    here.run(Start())

    def told_to_host() -> list[tuple[str, str]]:
        for each in following.games_to_look_at(here.now, 10):
            assert following.look_at(each, here.now)
        rows = Notification.objects.filter(user_id=user("host").pk, gone_at=None)
        return [(row.kind, Seat.objects.get(pk=row.seat).role) for row in rows]

    assert here.state.course.step == "map"
    assert told_to_host() == [("asked", "gm")], "both seats are asked"
    other = HandOver(seat=Seat.objects.get(game=here.id, role="gm").pk, user=user("eve").pk)
    here.run(other, "gm")
    assert told_to_host() == [("asked", "host")], "another is the game-master"


def test_nobody_is_alone_because_of_what_a_former_holder_of_the_seat_was_told(game: Told) -> None:
    game.propose()
    game.follow()
    dora = user("dora")
    game.vote(game.cairns.ann)
    game.run(HandOver(seat=game.cairns.seat(game.cairns.bob), user=dora.pk), game.cairns.bob)
    assert game.kinds(dora) == ["asked"]


@pytest.mark.django_db(transaction=True)
def test_a_tick_begins_what_no_other_is_at_and_waits_for_nothing(game: Told) -> None:
    game.propose()
    assert tasks.FOLLOWING.is_free.acquire(blocking=False)
    assert tasks.FOLLOWING.begin() is None
    tasks.FOLLOWING.is_free.release()
    begun = tasks.FOLLOWING.begin()
    assert begun is not None
    begun.result(timeout=60)
    (follower,) = NotificationFollower.objects.all()
    assert follower.seq == Game.objects.get(pk=game.cairns.game.pk).seq
    assert not tasks.FOLLOWING.is_free.locked()


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


def test_a_deadline_that_is_put_off_is_near_anew_later_and_one_that_a_pause_moves_is_not(game: Told) -> None:
    ann = game.cairns.ann
    motion = game.propose()
    game.follow()
    game.pass_time(hours=18)
    assert game.kinds(ann) == ["asked", "deadline"]
    Notification.objects.update(read_at=game.now)
    game.run(Extend(timer=f"prompt:{motion}", seconds=600), game.cairns.gm)
    assert game.kinds(ann) == ["asked"]
    game.pass_time(minutes=10)
    assert game.kinds(ann) == ["asked", "deadline"]
    assert [(row.read_at, row.created_at == game.now) for row in game.rows(ann)][1] == (None, True)
    Notification.objects.update(read_at=game.now)
    game.run(Pause(), game.cairns.gm)
    assert game.kinds(ann) == []
    game.pass_time(days=1)
    game.run(Resume(), game.cairns.gm)
    assert game.kinds(ann) == ["asked", "deadline"]
    assert None not in [row.read_at for row in game.rows(ann)]


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


def test_in_a_pause_a_vote_of_the_players_is_told_without_a_deadline(db) -> None:
    """The kind: a vote to let the clock go on that nobody hears of, or that seems over while time stands still."""
    game = told(options='{"tide_seconds": 3600, "vote_seconds": 600, "votes": "majority"}')
    ann, bob = game.cairns.ann, game.cairns.bob
    game.run(Propose(text="More salt?"), ann)
    game.run(Pause(reason="Tea"), game.cairns.gm)
    game.pass_time(days=3)
    game.run(ProposeVote(subject="resume"), ann)
    assert game.kinds(ann) == [] and game.kinds(bob) == ["asked"]
    game.pass_time(days=3)
    assert game.kinds(bob) == ["asked"]
    (row,) = game.rows(bob)
    assert row.due is None and "let the clock go on" in notifications_of(bob.pk, 1)[0].message
    game.run(AnswerVote(prompt=row.subject, yes=True), bob)
    assert game.kinds(ann) == game.kinds(bob) == ["asked", "deadline"], "ten minutes are left of the motion"


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
    game.pass_time(minutes=5)
    game.run(rewind_to(game.cairns.game.pk, asked, "A slip"), game.cairns.gm)
    assert game.kinds(ann) == ["asked"]
    (again,) = game.rows(ann)
    assert (again.read_at, again.created_at) == (None, game.now), "it is the newest of the list"
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
    other = another(game.cairns)
    look_at = following.look_at

    def fail_in_one(pk: UUID, now: datetime) -> bool:
        if pk == game.cairns.game.pk:
            raise ZeroDivisionError
        return look_at(pk, now)

    monkeypatch.setattr(following, "look_at", fail_in_one)
    tasks.follow_everywhere(game.clock)
    assert set(Notification.objects.values_list("game", flat=True)) == {other.game.pk}
    monkeypatch.setattr(following, "look_at", look_at)
    game.pass_time(seconds=2)
    tasks.follow_everywhere(game.clock)
    assert game.rows(game.cairns.ann)
    assert NotificationFollower.objects.get(pk=game.cairns.game.pk).rests_until is None


def test_a_game_that_fails_again_and_again_rests_twice_as_long_each_time_up_to_ten_minutes(
    game: Told, monkeypatch
) -> None:
    looks = []

    def fail(pk: UUID, now: datetime) -> bool:
        looks.append(now)
        raise ZeroDivisionError

    monkeypatch.setattr(following, "look_at", fail)
    for _ in range(11):
        tasks.follow_everywhere(game.clock)
        rest = NotificationFollower.objects.get(pk=game.cairns.game.pk).rests_until - game.now
        game.now += rest - timedelta(seconds=1)
        tasks.follow_everywhere(game.clock)
        game.pass_time(seconds=1)
    rests = [(after - before).total_seconds() for before, after in pairwise(looks)]
    assert rests == [2, 4, 8, 16, 32, 64, 128, 256, 512, 600]


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
