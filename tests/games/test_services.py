"""The one room: lock, clock first, decide, write, ring. Seen through the toy game."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games import services
from games.engine.errors import Refused
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import EndNow, Extend, Pause, Resume
from games.engine.lifecycle.seating import HandOver, Join
from games.models import Die, LoggedEvent, Receipt, Seat, Stream, Timer
from games.reads import selectors
from games.runtime.clock import MAX_TIMERS_PER_RUN
from tests.games.cairns import NOON, table
from tests.games.moments import rewind_to
from tests.toy.models import Hoard, Pile, Tide
from tests.toy.rules.commands import AddStones, BringTide, HideCoins, RollStones
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db


def test_a_command_writes_rows_and_log_and_they_agree():
    cairns = table()
    cairns.run(AddStones(stones=3), cairns.ann)
    cairns.run(HideCoins(coins=7), cairns.bob)
    assert Pile.objects.get(seat=cairns.seat(cairns.ann)).stones == 3
    assert Hoard.objects.get(seat=cairns.seat(cairns.bob)).coins == 7
    assert cairns.rows_equal_log()


def test_the_same_key_again_returns_the_first_outcome_and_changes_nothing():
    cairns = table()
    first = cairns.run(AddStones(stones=3), cairns.ann, key="k1")
    again = cairns.run(AddStones(stones=3), cairns.ann, key="k1")
    assert (again.first_seq, again.last_seq, again.replayed) == (first.first_seq, first.last_seq, True)
    assert Pile.objects.get(seat=cairns.seat(cairns.ann)).stones == 3


def test_the_same_key_with_another_body_is_refused():
    cairns = table()
    cairns.run(AddStones(stones=3), cairns.ann, key="k1")
    with pytest.raises(Refused) as caught:
        cairns.run(AddStones(stones=4), cairns.ann, key="k1")
    assert caught.value.code == "key.reused"
    assert Pile.objects.get(seat=cairns.seat(cairns.ann)).stones == 3


def test_the_same_key_from_another_seat_of_the_same_user_is_refused():
    cairns = table()
    services.run(cairns.game.pk, Join(name="Ann's other"), actor=Actor(Issuer.SEAT, cairns.ann.pk), now=NOON)
    one, other = Seat.objects.filter(game=cairns.game, user=cairns.ann).order_by("name").values_list("pk", flat=True)
    cairns.run(AddStones(stones=3), Actor(Issuer.SEAT, cairns.ann.pk, one), key="k1")
    with pytest.raises(Refused) as caught:
        cairns.run(AddStones(stones=3), Actor(Issuer.SEAT, cairns.ann.pk, other), key="k1")
    assert caught.value.code == "key.reused"
    assert list(Pile.objects.values_list("seat", "stones")) == [(one, 3)]


def test_the_same_key_for_another_absent_seat_is_refused():
    cairns = table()
    absent = [replace(cairns.gm, on_behalf_of=cairns.seat(person)) for person in (cairns.ann, cairns.bob)]
    cairns.run(AddStones(stones=3), absent[0], key="k1")
    with pytest.raises(Refused) as caught:
        cairns.run(AddStones(stones=3), absent[1], key="k1")
    assert caught.value.code == "key.reused"
    assert Pile.objects.get().stones == 3


def test_two_principals_may_use_the_same_key():
    cairns = table()
    cairns.run(AddStones(stones=3), cairns.ann, key="k1")
    cairns.run(AddStones(stones=2), cairns.bob, key="k1")
    assert Pile.objects.get(seat=cairns.seat(cairns.bob)).stones == 2


def test_a_refused_command_stores_nothing():
    cairns = table()
    before = (cairns.fresh().seq, Receipt.objects.count(), LoggedEvent.objects.count())
    with pytest.raises(Refused) as caught:
        cairns.run(HideCoins(coins=100), Actor(Issuer.GM, cairns.host.pk, cairns.seat(cairns.host, "gm")), key="k")
    assert caught.value.code == "issuer.other"
    assert (cairns.fresh().seq, Receipt.objects.count(), LoggedEvent.objects.count()) == before


def test_the_clock_goes_first_and_each_timer_fires_at_its_own_time():
    cairns = table('{"tide_seconds": 10}')
    cairns.run(AddStones(stones=5), cairns.ann)
    cairns.run(AddStones(stones=1), cairns.bob, at=25)
    tides = LoggedEvent.objects.filter(game=cairns.game, type="TideCame").order_by("seq")
    assert [t.at - NOON for t in tides] == [timedelta(seconds=10), timedelta(seconds=20)]
    assert Pile.objects.get(seat=cairns.seat(cairns.ann)).stones == 3
    assert cairns.rows_equal_log()


def test_a_command_waits_while_more_timers_are_due_than_fire_in_one_go(settings):
    """With one still due behind them the command is refused, and what has fired stands."""
    settings.CLOCK_SLIP_SECONDS, most = 0, MAX_TIMERS_PER_RUN
    cairns = table('{"tide_seconds": 1, "tides": 1000}')
    with pytest.raises(Refused) as caught:
        cairns.run(AddStones(stones=1), cairns.ann, at=most + 1.5, key="k1")
    assert caught.value.code == "clock.behind"
    assert (Tide.objects.get().count, Receipt.objects.exclude(principal="clock").count()) == (most, 0)
    assert not Pile.objects.exists()
    cairns.run(AddStones(stones=1), cairns.ann, at=most + 1.5, key="k1")
    assert (Tide.objects.get().count, Pile.objects.get().stones) == (most + 1, 1)
    cairns.run(AddStones(stones=5), cairns.ann, at=2 * most + 1.5)  # as many more are due and none is left
    assert Tide.objects.get().count == 2 * most + 1
    assert cairns.rows_equal_log()


def test_what_the_clock_did_stands_when_the_command_is_refused():
    cairns = table('{"tide_seconds": 10}')
    with pytest.raises(Refused):
        cairns.run(Resume(), cairns.gm, at=15)
    assert Tide.objects.get(game=cairns.game).count == 1
    assert cairns.rows_equal_log()


def test_a_sweep_delivered_five_times_fires_once():
    cairns = table('{"tide_seconds": 10}')
    fired = [services.fire_due(cairns.game.pk, NOON + timedelta(seconds=11)) for _ in range(5)]
    assert fired == [1, 0, 0, 0, 0]
    assert Tide.objects.get(game=cairns.game).count == 1


def test_pause_freezes_the_timer_and_resume_gives_the_rest_back():
    cairns = table('{"tide_seconds": 10}')
    cairns.run(Pause(reason="tea"), cairns.gm, at=4)
    assert services.fire_due(cairns.game.pk, NOON + timedelta(seconds=50)) == 0
    with pytest.raises(Refused) as caught:
        cairns.run(AddStones(stones=1), cairns.ann, at=50)
    assert caught.value.code == "clock.paused"
    cairns.run(Resume(), cairns.gm, at=54)
    assert Timer.objects.get(game=cairns.game, key="tide").due == NOON + timedelta(seconds=60)
    assert cairns.rows_equal_log()


def test_extend_and_end_now_move_the_tide():
    cairns = table('{"tide_seconds": 10}')
    cairns.run(Extend(seconds=30), cairns.gm)
    assert Timer.objects.get(game=cairns.game, key="tide").due == NOON + timedelta(seconds=40)
    cairns.run(EndNow(), cairns.gm, at=5)
    assert Tide.objects.get(game=cairns.game).count == 1
    assert Timer.objects.get(game=cairns.game, key="tide").due == NOON + timedelta(seconds=15)
    assert cairns.rows_equal_log()


def test_after_a_long_outage_the_clock_slips_instead_of_playing_with_nobody_there(settings):
    settings.CLOCK_SLIP_SECONDS = 60
    cairns = table('{"tide_seconds": 10}')
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=1000))
    assert cairns.types()[-4:] == ["ClockSlipped", "TimerFired", "TideCame", "TimerSet"]
    assert Tide.objects.get(game=cairns.game).count == 1
    assert cairns.rows_equal_log()


def test_a_game_whose_rules_fail_is_parked_after_three_tries_and_its_gm_is_informed(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("a fault in the rules")

    cairns = table('{"tide_seconds": 10}')
    monkeypatch.setattr(BringTide, "decide", fail)
    for second in range(11, 15):
        services.fire_due(cairns.game.pk, NOON + timedelta(seconds=second))
    assert cairns.fresh().paused_at is not None
    assert cairns.types()[-2:] == ["TimerFailed", "Paused"]
    assert Timer.objects.get(game=cairns.game, key="tide").failures == 3
    assert cairns.rows_equal_log()


def test_a_dry_run_stores_nothing_and_rolls_other_dice():
    cairns = table()
    rolled = {cairns.run(RollStones(), cairns.ann, dry_run=True).dry_run_events[0].rolls[0].value for _ in range(40)}
    assert len(rolled) > 1
    assert not Pile.objects.exists()
    assert not Die.objects.exists()


def test_every_die_is_a_row_that_cannot_be_used_twice():
    cairns = table()
    cairns.run(RollStones(), cairns.ann)
    die = Die.objects.get()
    assert (die.sides, die.source, die.audience) == (6, "server", "public")
    assert Pile.objects.get().stones == die.value


def test_a_secret_stands_in_the_stream_of_its_seat_and_the_gm():
    cairns = table()
    public = Stream.objects.get(game=cairns.game, audience="public").head
    cairns.run(HideCoins(coins=5), cairns.ann)
    assert Stream.objects.get(game=cairns.game, audience="public").head == public
    ann = Visibility.of(cairns.ann.pk, seats=[cairns.seat(cairns.ann)])
    bob = Visibility.of(cairns.bob.pk, seats=[cairns.seat(cairns.bob)])
    gm = Visibility.of(cairns.host.pk, gm_games=[cairns.game.pk])
    last_types = [selectors.events_for(cairns.fresh(), visibility).results[-1].type for visibility in (ann, bob, gm)]
    assert last_types == ["toy.CoinsHidden", "core.Started", "toy.CoinsHidden"]
    assert [Hoard.objects.visible_to(visibility).count() for visibility in (ann, bob, gm, Visibility.nobody())] == [
        1,
        0,
        1,
        0,
    ]


def test_events_resume_behind_every_cursor_without_gap_or_repeat():
    cairns = table()
    for stones in (1, 2, 3):
        cairns.run(AddStones(stones=stones), cairns.ann)
        cairns.run(HideCoins(coins=stones), cairns.ann)
    ann = Visibility.of(cairns.ann.pk, seats=[cairns.seat(cairns.ann)])
    whole = selectors.events_for(cairns.fresh(), ann).results
    for i, row in enumerate(whole):
        rest = selectors.events_for(cairns.fresh(), ann, after=row.cursor).results
        assert rest == whole[i + 1 :]
    assert whole[-1].cursor == selectors.cursor_for(cairns.fresh(), ann)


def test_a_stale_position_is_refused():
    cairns = table()
    ann = Visibility.of(cairns.ann.pk, seats=[cairns.seat(cairns.ann)])
    cursor = selectors.cursor_for(cairns.fresh(), ann)
    expected = services.Expected(cursor, selectors.can_read(cairns.game.pk, ann))
    cairns.run(HideCoins(coins=5), cairns.bob)
    cairns.run(AddStones(stones=1), cairns.ann, expected=expected)
    with pytest.raises(Refused) as caught:
        cairns.run(AddStones(stones=1), cairns.ann, expected=expected)
    assert caught.value.code == "position.stale"


def test_a_rewind_goes_on_from_an_earlier_moment_and_cuts_nothing():
    cairns = table('{"tide_seconds": 30}')
    cairns.run(AddStones(stones=2), cairns.ann)
    seq = cairns.fresh().seq
    cairns.run(AddStones(stones=3), cairns.ann, at=5)
    cairns.run(HandOver(seat=cairns.seat(cairns.bob), bot="", reason=""), cairns.bob, at=6)
    cairns.run(rewind_to(cairns.game.pk, seq, "a mistake"), cairns.gm, at=10)
    assert Pile.objects.get().stones == 2
    assert LoggedEvent.objects.filter(fallen__isnull=False, type="StonesAdded").count() == 1
    assert (
        cairns.state().seats[next(s for s in cairns.state().seats if cairns.state().seats[s].name == "Bob")].user
        is None
    )
    assert Timer.objects.get(key="tide").due == NOON + timedelta(seconds=40)
    assert cairns.rows_equal_log()
    cairns.run(RollStones(), cairns.ann, at=11)
    assert Die.objects.get().label.startswith("1/")


def test_amend_changes_rows_with_a_reason_or_nothing_at_all():
    cairns = table()
    cairns.run(AddStones(stones=2), cairns.ann)
    row = str(cairns.seat(cairns.ann))
    alter = lambda stones: Change(  # noqa: E731
        deed=Deed.ALTER, table="piles", row=row, fields=(FieldChange(field="stones", value=str(stones)),)
    )
    cairns.run(Amend(changes=(alter(9),), reason="miscounted"), cairns.gm)
    assert Pile.objects.get().stones == 9
    with pytest.raises(Refused) as caught:
        cairns.run(Amend(changes=(alter(-1),), reason="worse"), cairns.gm)
    assert caught.value.code == "amend.invalid"
    assert Pile.objects.get().stones == 9
    assert cairns.rows_equal_log()


def test_a_game_that_ends_shows_its_dice_secret():
    cairns = table('{"tide_seconds": 10, "tides": 1}')
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=10))
    assert cairns.types()[-2:] == ["GameEnded", "SecretShown"]
    assert cairns.fresh().status == "finished"
    assert not Timer.objects.exists()
    assert cairns.rows_equal_log()


def test_a_taken_seat_is_not_taken_again():
    cairns = table()
    with pytest.raises(Refused) as caught:
        services.run(
            cairns.game.pk,
            Join(name="X", seat=cairns.seat(cairns.ann)),
            actor=Actor(Issuer.SEAT, cairns.host.pk),
            now=NOON,
        )
    assert caught.value.code == "seat.taken"


def test_a_command_costs_a_fixed_number_of_queries(django_assert_max_num_queries):
    cairns = table()
    cairns.run(AddStones(stones=1), cairns.ann)
    with django_assert_max_num_queries(30):
        cairns.run(AddStones(stones=1), cairns.ann, key="k")
