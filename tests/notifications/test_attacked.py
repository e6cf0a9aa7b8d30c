"""Who is attacked is told of it: once for what happens at one moment, as far as their seat may read it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from accounts.models import User
from api.notifications.attacks import MAX_ATTACKS, TOLD_FOR
from api.notifications.reading import UNTOLD_ATTACK, notifications_of
from games import registry, services
from games.engine.audience import SERVER, Audience, seats
from games.engine.kernel import Context, Event
from games.engine.lifecycle.gm_commands import Pause
from games.models import Game, LoggedEvent, Notification, NotificationFollower, NotificationKind, Seat
from games.storage import log
from tests.games.moments import rewind_to
from tests.notifications.told import Told
from tests.toy.rules.commands import AddStones, CoinsHidden, HideCoins, StonesAdded, TideCame


def others(event: StonesAdded | CoinsHidden, state: Any) -> set[UUID]:
    """Whoever piles stones, or hides coins, attacks all others; also who plays nothing."""
    return set(state.seats) - {event.seat}


def everybody(event: TideCame, state: Any) -> set[UUID]:
    return set(state.seats)


@pytest.fixture
def war(game: Told, monkeypatch) -> Told:
    """Cairns, in which each stone that is piled is thrown at the others."""
    hostile = replace(registry.ruleset("toy"), attacks={StonesAdded: others, CoinsHidden: others, TideCame: everybody})
    monkeypatch.setattr(registry, "ruleset", lambda _: hostile)
    return game


def attack(war: Told, by: User, stones: int = 1, **passed: float) -> None:
    war.run(AddStones(stones=stones), by)
    war.pass_time(**passed or {"seconds": 1})


def attacks_on(war: Told, user: User) -> list[Notification]:
    war.follow()
    return [row for row in war.rows(user) if row.kind == NotificationKind.ATTACKED]


def messages(user: User) -> list[str]:
    return [each.message for each in notifications_of(user.pk, 50) if each.kind is NotificationKind.ATTACKED]


def test_who_is_attacked_is_told_what_has_happened_and_nobody_else_is(war: Told) -> None:
    ann, bob = war.cairns.ann, war.cairns.bob
    attack(war, ann, stones=3)
    (row,) = attacks_on(war, bob)
    assert (row.seat, row.subject, row.due) == (war.cairns.seat(bob), None, None)
    assert messages(bob) == [f"You were attacked: {Seat.objects.get(pk=war.cairns.seat(ann)).name} adds 3 stones."]
    assert attacks_on(war, ann) == attacks_on(war, war.cairns.host) == []
    assert Notification.objects.filter(kind="attacked").count() == 1, "nor is the game-master"


def test_each_attack_is_told_once_however_often_the_game_is_looked_at(war: Told) -> None:
    for _ in range(3):
        attack(war, war.cairns.ann)
        assert attacks_on(war, war.cairns.bob)
    before = list(Notification.objects.order_by("pk").values())
    assert len(attacks_on(war, war.cairns.bob)) == 3
    NotificationFollower.objects.update(seq=0)  # a position that was lost
    assert war.follow() == 1
    assert list(Notification.objects.order_by("pk").values()) == before


def twice(self: AddStones, state: Any, ctx: Context) -> Iterator[Event]:
    """Stones are added one by one."""
    for _ in range(self.stones):
        yield StonesAdded(seat=state.seat_on_turn(ctx.actor.acting_seat).id, stones=1)


def test_what_one_command_does_at_one_moment_is_one_attack(war: Told, monkeypatch) -> None:
    monkeypatch.setattr(AddStones, "decide", twice)
    attack(war, war.cairns.ann, stones=4)
    assert LoggedEvent.objects.exclude(attacked="").count() == 4
    (row,) = attacks_on(war, war.cairns.bob)
    first = LoggedEvent.objects.exclude(attacked="").order_by("seq")[0]
    assert row.key == f"attacked:{first.ordinal}.{first.mark}"
    attack(war, war.cairns.ann)
    assert len(attacks_on(war, war.cairns.bob)) == 2


def test_an_attack_that_the_attacked_may_not_read_is_not_told(war: Told) -> None:
    war.run(HideCoins(coins=5), war.cairns.ann)
    assert LoggedEvent.objects.exclude(attacked="").count() == 1, "it attacks"
    war.follow()
    assert not Notification.objects.filter(kind="attacked").exists()


@pytest.mark.parametrize("hidden", [0, 3, MAX_ATTACKS + 5])
def test_hidden_attacks_change_nothing_of_those_that_are_told(war: Told, hidden: int) -> None:
    """The kind: neither how many are told of, nor what names them, from which their ids follow."""
    ann, bob = war.cairns.ann, war.cairns.bob
    attack(war, ann, stones=2)
    for _ in range(hidden):
        war.run(HideCoins(coins=1), ann)
        war.pass_time(seconds=1)
    attack(war, ann, stones=5)
    told = [(row.pk, row.key) for row in attacks_on(war, bob)]
    assert len(told) == 2
    public = LoggedEvent.objects.filter(type="StonesAdded").order_by("ordinal")
    assert sorted(key for _, key in told) == sorted(f"attacked:{row.ordinal}.{row.mark}" for row in public)


def test_one_of_several_readers_is_told_by_an_event_that_others_may_not_read(war: Told, monkeypatch) -> None:
    bob = war.cairns.seat(war.cairns.bob)
    monkeypatch.setattr(CoinsHidden, "audience", lambda self, state: seats(self.seat, bob))
    war.run(HideCoins(coins=5), war.cairns.ann)
    assert len(attacks_on(war, war.cairns.bob)) == 1
    assert messages(war.cairns.bob) == [f"You were attacked: {UNTOLD_ATTACK}"], "the event has no words"
    assert Notification.objects.filter(kind="attacked").count() == 1


@pytest.mark.parametrize("change", [{"audience": SERVER}, {"fallen": 1}])
def test_what_can_be_read_no_longer_is_not_quoted(war: Told, change: dict[str, Any]) -> None:
    attack(war, war.cairns.ann)
    assert attacks_on(war, war.cairns.bob)
    LoggedEvent.objects.exclude(attacked="").update(**change)
    assert messages(war.cairns.bob) == [f"You were attacked: {UNTOLD_ATTACK}"]
    NotificationFollower.objects.update(seq=0)
    assert attacks_on(war, war.cairns.bob) == []


def test_who_has_lost_the_seat_is_told_nothing_and_who_has_it_now_is(war: Told) -> None:
    attack(war, war.cairns.ann)
    assert attacks_on(war, war.cairns.bob)
    Seat.objects.filter(pk=war.cairns.seat(war.cairns.bob)).update(user=war.cairns.host)
    assert messages(war.cairns.bob) == []
    NotificationFollower.objects.update(seq=0)
    assert attacks_on(war, war.cairns.bob) == []
    assert len(attacks_on(war, war.cairns.host)) == 1


def test_it_is_news_for_three_days_and_then_gone_though_nothing_moves(war: Told) -> None:
    attack(war, war.cairns.ann)
    assert attacks_on(war, war.cairns.bob)
    war.now += TOLD_FOR - timedelta(seconds=2)
    assert attacks_on(war, war.cairns.bob)
    war.pass_time(seconds=1)
    assert war.follow() == 1
    assert attacks_on(war, war.cairns.bob) == []


def test_the_last_attacks_are_told_of_so_many_as_fit(war: Told) -> None:
    for _ in range(MAX_ATTACKS + 2):
        attack(war, war.cairns.ann)
    assert len(attacks_on(war, war.cairns.bob)) == MAX_ATTACKS
    last = LoggedEvent.objects.exclude(attacked="").order_by("-seq")[0]
    assert f"attacked:{last.ordinal}.{last.mark}" in {row.key for row in attacks_on(war, war.cairns.bob)}


def test_a_rewind_takes_back_what_it_undoes_and_the_same_again_is_new(war: Told) -> None:
    bob = war.cairns.bob
    before = war.cairns.fresh().seq
    attack(war, war.cairns.ann, stones=2)
    (first,) = attacks_on(war, bob)
    Notification.objects.update(read_at=war.now)
    war.run(rewind_to(war.cairns.game.pk, before, "A slip"), war.cairns.gm)
    assert attacks_on(war, bob) == []
    attack(war, war.cairns.ann, stones=2)
    (again,) = attacks_on(war, bob)
    assert again.pk != first.pk and again.read_at is None


def test_an_attack_before_the_moment_that_is_gone_back_to_stands_and_stays_read(war: Told) -> None:
    attack(war, war.cairns.ann)
    assert attacks_on(war, war.cairns.bob)
    Notification.objects.update(read_at=war.now)
    before = war.cairns.fresh().seq
    attack(war, war.cairns.ann, minutes=1)
    war.run(rewind_to(war.cairns.game.pk, before, "A slip"), war.cairns.gm)
    (row,) = attacks_on(war, war.cairns.bob)
    assert row.read_at is not None


def test_a_pause_leaves_it_and_the_end_of_the_game_does_not(war: Told) -> None:
    attack(war, war.cairns.ann)
    war.run(Pause(reason="Tea"), war.cairns.gm)
    assert len(attacks_on(war, war.cairns.bob)) == 1
    Game.objects.update(status="finished", waiting_for="[]")
    NotificationFollower.objects.update(seq=0)
    assert attacks_on(war, war.cairns.bob) == []


def test_it_can_be_muted_by_kind_and_by_game(war: Told) -> None:
    bob = war.cairns.bob
    attack(war, war.cairns.ann)
    assert attacks_on(war, bob)
    war.wish(bob, kinds_off=["attacked"])
    assert attacks_on(war, bob) == []
    war.wish(bob, kinds_off=[], games_off=[war.cairns.game.pk])
    assert attacks_on(war, bob) == []
    war.wish(bob, games_off=[])
    assert len(attacks_on(war, bob)) == 1


@pytest.mark.parametrize("stands_in", [True, False])
def test_while_a_bot_plays_the_seat_nobody_is_told(war: Told, stands_in: bool) -> None:
    attack(war, war.cairns.ann)
    Seat.objects.filter(pk=war.cairns.seat(war.cairns.bob)).update(bot="first" if stands_in else "")
    assert len(attacks_on(war, war.cairns.bob)) == (not stands_in)


def test_the_log_says_by_seats_of_players_alone_whom_an_event_attacks(war: Told) -> None:
    war.now += timedelta(hours=2)
    services.fire_due_in([war.cairns.game.pk], now=war.now)
    (tide,) = LoggedEvent.objects.filter(type="TideCame")[:1]
    players = sorted(str(war.cairns.seat(user)) for user in (war.cairns.ann, war.cairns.bob))
    assert json.loads(tide.attacked) == players
    assert set(LoggedEvent.objects.exclude(type="TideCame").values_list("attacked", flat=True)) == {""}
    assert list(log.broken_links(war.cairns.fresh())) == []


def test_an_event_of_another_game_attacks_nobody(monkeypatch) -> None:
    class Foreign(Event[Any]):
        """No event of Cairns."""

        def audience(self, state: Any) -> Audience:
            return SERVER

    with pytest.raises(ValueError, match="toy has no events Foreign"):
        replace(registry.ruleset("toy"), attacks={Foreign: others})
