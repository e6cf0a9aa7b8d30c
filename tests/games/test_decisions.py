"""What a decision begins with: who issues it and under which print, at which time, with which secrets, about whom."""

import json
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import services
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import CLOCK, Actor, Issuer
from games.engine.lifecycle.gm_commands import Pause
from games.engine.lifecycle.seating import HandOver, SeatTaken
from games.models import Prompt
from games.runtime import batch
from games.runtime.decision import Expected, Shown, _check_people, decide
from games.runtime.session import GameSession, context_of, lock, time_of
from games.services import GameWork, IssuedCommand
from games.storage.state_cache import STATE_CACHE
from tests.faults.shared import another
from tests.games.cairns import NOON, Cairns, table
from tests.toy.rules.commands import AddStones, CoinsHidden, HideCoins, RollStones, StonesAdded

ANN, BOB, GM = (UUID(int=n) for n in (1, 2, 3))
LATER = NOON + timedelta(seconds=5)


def test_a_print_is_of_the_command_its_fields_the_role_and_the_seat_and_of_nothing_else():
    mine = IssuedCommand(AddStones(stones=1), Actor(Issuer.SEAT, ANN, ANN))
    others = [
        IssuedCommand(AddStones(stones=2), mine.actor),
        IssuedCommand(HideCoins(coins=1), mine.actor),
        IssuedCommand(mine.command, Actor(Issuer.SEAT, ANN, BOB)),
        IssuedCommand(mine.command, Actor(Issuer.GM, ANN, GM, on_behalf_of=ANN)),
        IssuedCommand(mine.command, Actor(Issuer.GM, ANN, GM)),
    ]
    assert mine.actor.acting_seat == others[3].actor.acting_seat == ANN
    assert len({each.fingerprint for each in (mine, *others)}) == 6
    again = IssuedCommand(AddStones(stones=1), Actor(Issuer.SEAT, BOB, ANN), dry_run=True)
    assert again.fingerprint == mine.fingerprint


@pytest.mark.parametrize(
    ("last", "now", "found"), [(None, NOON, NOON), (NOON, LATER, LATER), (LATER, NOON, LATER), (NOON, NOON, NOON)]
)
def test_the_time_of_a_game_is_never_before_its_last_event(last: Any, now: Any, found: Any):
    session: Any = SimpleNamespace(game=SimpleNamespace(last_at=last))
    assert time_of(session, now) == found


@pytest.fixture
def cairns(db: None) -> Cairns:
    return table('{"tide_seconds": 3600}')


@pytest.fixture
def session(cairns: Cairns) -> Iterator[GameSession]:
    with transaction.atomic():
        yield lock([cairns.game.pk])[cairns.game.pk]


def test_a_dry_run_has_the_ids_of_the_game_and_salts_and_dice_of_its_own(session: GameSession):
    secret = session.game.secret
    earnest = context_of(session, NOON, CLOCK)
    dry = [context_of(session, NOON, CLOCK, dry_run=True) for _ in range(2)]
    assert (earnest.salt_secret, earnest.id_secret) == (bytes(secret.salts), bytes(secret.ids))
    assert [each.id_secret for each in dry] == [earnest.id_secret] * 2
    assert len({earnest.salt_secret, *(each.salt_secret for each in dry)}) == 3
    rolled = [tuple(each.tray.roll("test", 1000, "X") for _ in range(4)) for each in (earnest, *dry)]
    assert len(set(rolled)) == 3


def test_while_a_game_is_paused_its_decisions_are_of_the_moment_at_which_it_stands(cairns: Cairns):
    cairns.run(Pause(reason="Tea."), cairns.gm, at=2)
    with transaction.atomic():
        found = context_of(lock([cairns.game.pk])[cairns.game.pk], LATER, CLOCK)
    assert (found.now, found.at) == (NOON + timedelta(seconds=2), LATER)


@pytest.mark.parametrize("who", ["nobody", "who has left"])
def test_no_seat_is_given_to_somebody_who_is_not_there(cairns: Cairns, who: str):
    gone = User.objects.create_user(username="gone", password="x", retired_at=timezone.now())
    before = cairns.types()
    to = uuid4() if who == "nobody" else gone.pk
    with pytest.raises(Refused) as caught:
        cairns.run(HandOver(seat=cairns.seat(cairns.bob), user=to, reason="Bob is ill."), cairns.gm)
    assert caught.value.code == "person.missing" and cairns.types() == before
    eve = User.objects.create_user(username="eve", password="x")
    cairns.run(HandOver(seat=cairns.seat(cairns.bob), user=eve.pk, reason="Bob is ill."), cairns.gm)
    assert cairns.seat(eve)


def test_of_two_people_who_are_seated_at_once_both_must_be_there(db: None):
    ann = User.objects.create_user(username="ann", password="x")
    seated: list[Any] = [
        SimpleNamespace(event=SeatTaken(seat=uuid4(), user=user, name="x", role=Role.PLAYER)) for user in (ann.pk, BOB)
    ]
    _check_people(CLOCK, seated[:1])
    for some in (seated, seated[::-1], seated[1:]):
        with pytest.raises(Refused, match="There is no such person"):
            _check_people(CLOCK, some)
    _check_people(Actor(Issuer.SEAT, BOB), seated)  # who issues a command was looked up with their token


def test_who_acts_on_what_has_moved_on_is_told_that_before_anything_else(cairns: Cairns):
    """Before the role, which may have changed since, and before what the command itself refuses."""
    stale = Expected("e30", lambda _: True)
    ends = cairns.actor(cairns.ann)
    for command, actor in ((Pause(reason="Tea."), ends), (AddStones(stones=1), ends), (Pause(reason="Tea."), CLOCK)):
        for meant in ({"expected": stale}, {"shown": Shown(stage="another")}):
            with pytest.raises(Refused) as caught:
                services.issue(cairns.game.pk, IssuedCommand(command, actor, **meant), now=NOON)
            assert caught.value.code == "position.stale"


@pytest.mark.django_db
def test_a_dry_run_rolls_where_people_enter_the_dice():
    cairns = table('{"dice_by_hand": true}')
    dry = cairns.run(RollStones(), cairns.ann, dry_run=True)
    assert [type(record.event) for record in dry.dry_run_events] == [StonesAdded]
    assert not Prompt.objects.exists()


def test_dice_that_were_rolled_count_for_what_is_decided_next_in_the_same_go(session: GameSession):
    assert session.dice.under("any") == 0  # the rows were read: from now on they are counted as they come
    ann = next(seat for seat in session.state.seats.values() if seat.name == "Ann")
    issued = IssuedCommand(RollStones(dice=2), Actor(Issuer.SEAT, ann.user, ann.id))
    (row,) = decide(session, issued, NOON).written
    (label,) = {roll["label"] for roll in json.loads(row.rolls)}
    assert session.dice.under(label) == 2


@pytest.mark.django_db
def test_what_was_begun_before_a_die_was_owed_leaves_no_trace_in_the_question_for_it(monkeypatch: pytest.MonkeyPatch):
    """An id is bound to the place in the stream at which it is first named: the question is asked as from the start."""
    cairns, roll, asked = table('{"dice_by_hand": true, "rollers_enter": true}'), RollStones.decide, []

    def begin_first(self: RollStones, state: Any, ctx: Any) -> Iterator[Any]:
        yield CoinsHidden(seat=ctx.actor.seat, coins=1)  # in the stream of those who are asked for the die
        yield from roll(self, state, ctx)

    for patched in (roll, begin_first):
        monkeypatch.setattr(RollStones, "decide", patched)
        STATE_CACHE.clear()
        with transaction.atomic():
            cairns.run(RollStones(), cairns.ann)
            asked.append((Prompt.objects.get(game=cairns.game).pk, cairns.types()))
            transaction.set_rollback(True)
    STATE_CACHE.clear()
    assert asked[0] == asked[1] and "CoinsHidden" not in asked[0][1]


def test_of_clocks_that_fail_the_first_is_told_and_the_others_are_fired(
    cairns: Cairns, monkeypatch: pytest.MonkeyPatch
):
    games = [each.game.pk for each in (cairns, *(another(cairns, '{"tide_seconds": 9}') for _ in range(3)))]
    broken = {games[0]: "the first", games[2]: "the second"}
    fired = []

    def fail(found: GameSession, at: Any) -> int:
        if found.game.pk in broken:
            raise ValueError(broken[found.game.pk])
        fired.append(found.game.pk)
        return 1

    monkeypatch.setattr(batch, "fire_all", fail)
    monkeypatch.setattr(batch, "fire_apart", fail)
    works = [GameWork(game, now=LATER) for game in games]
    with pytest.raises(ValueError, match=r"^the first$"):
        services.play(works)
    assert set(fired) == {games[1], games[3]} and all(work.is_over for work in works)
