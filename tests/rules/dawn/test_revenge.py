"""The death of an avatar, revenge, and the return (DW-AVA-5)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.dawn.rules import RULESET
from games.dawn.rules.conflict.events import ConflictOpened
from games.dawn.rules.powers.answer_commands import OpenConflict, WaiveObjection
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.events import DeclinedWithoutPoints, ObjectionWaived, PowerResolved
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.revenge.events import AvatarDestroyed, AvatarRespawned, RevengeAsked
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import Asked, Cause, Place, Price
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.commands import GivePoints
from games.dawn.rules.turn.commands import EndTurn, LeaveSeat
from games.dawn.rules.turn.events import AgeChanged, TurnStarted
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import DeadlinePassed
from games.engine.ruleset import Ruleset
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import bid, fold
from tests.rules.dawn.stage import (
    A,
    B,
    C,
    army,
    avatar,
    balances,
    city,
    give,
    inner_prompt,
    people,
    playing,
    rounds,
    sound,
    turn_of,
)
from tests.rules.dawn.walkers import HOME, at, avatar_id


class Strike(PowerCommand):
    """A toy power for the price of a catastrophe: it destroys avatars."""

    avatars: tuple[UUID, ...]

    def row(self, state: State) -> Price:
        return Price.CATASTROPHE

    def check(self, state: State, cast: Cast) -> None:
        """Anybody may strike, anywhere."""

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        for number in self.avatars:
            hero = state.avatars[number]
            yield AvatarDestroyed(avatar=number, square=Place(x=hero.x, y=hero.y), by=power.caster)


STRIKING: Ruleset = replace(RULESET, own=replace(RULESET.own, commands=(*RULESET.own.commands, Strike)))


def strike_avatar(**points: int) -> Playbook:
    """A's turn; A destroys an avatar of B's that stands at (1, 1): B is asked."""
    book = playing(age=2, **{"a": 20, "b": 5, **points})
    book.ruleset = STRIKING
    avatar(book, B, HOME, defending=True)
    book.when(Strike(avatars=(avatar_id(book),)), by=A)
    return book


def win_conflict(book: Playbook) -> list[Event]:
    """B wins the conflict about the avatar."""
    book.when(OpenConflict(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    return fold(book, A)


@pytest.mark.rule("DW-AVA-5", "DW-AVA-6")
def test_the_god_of_a_dead_avatar_is_asked_when_the_power_is_resolved():
    book = playing(age=2, a=20, b=5)
    book.ruleset = STRIKING
    city(book, people(book, B), controller=B)
    avatar(book, B, HOME, defending=True, leads=army(book))
    events = book.when(Strike(avatars=(avatar_id(book),)), by=A)
    assert [type(e) for e in of_kind(events, AvatarDestroyed, PowerResolved, RevengeAsked)] == [
        AvatarDestroyed,
        PowerResolved,
        RevengeAsked,
    ]
    dead = book.state.avatars[avatar_id(book)]
    assert (dead.alive, dead.defending, dead.leads, dead.killed_by, dead.fell_in) == (False, False, None, A, 1)
    assert (dead.x, dead.y) == HOME
    prompt = book.state.prompts[inner_prompt(book)]
    assert (prompt.kind, prompt.subject, prompt.owners) == (Asked.REVENGE, dead.id, (f"seat:{B}",))
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=A)
    with refused("prompt.not_yours", book.state):
        book.when(OpenConflict(prompt=prompt.id), by=A)
    assert sound(book)


@pytest.mark.rule("DW-AVA-5")
def test_an_avatar_won_back_returns_free_where_they_died_at_their_gods_turn_of_the_next_round():
    book = strike_avatar()
    events = book.when(OpenConflict(prompt=inner_prompt(book)), by=B)
    assert of_kind(events, ConflictOpened) == [
        event_like(ConflictOpened, cause=Cause.REVENGE, invoker=B, challenger=A, about=avatar_id(book))
    ]
    bid(book, B, 1)
    fold(book, A)
    assert not book.state.avatars[avatar_id(book)].alive and sound(book)
    events = book.when(EndTurn(), by=A)
    assert of_kind(events, TurnStarted, AvatarRespawned) == [event_like(TurnStarted, seat=B)], "not in the same round"
    events = rounds(book, 1)
    assert of_kind(events, AvatarRespawned) == []
    events = turn_of(book, B)
    assert of_kind(events, AvatarRespawned, TurnStarted)[-2:] == [
        event_like(AvatarRespawned, avatar=avatar_id(book), square=at(1, 1)),
        event_like(TurnStarted, seat=B),
    ]
    back = book.state.avatars[avatar_id(book)]
    assert (back.alive, back.returning, back.defending, (back.x, back.y)) == (True, False, False, HOME)
    spent = book.state.purses[B].spent
    rounds(book, 1)
    assert of_kind(turn_of(book, B), AvatarRespawned) == [] and book.state.purses[B].spent == spent == 1
    assert sound(book)


@pytest.mark.rule("DW-AVA-5", "DW-AMB-31")
@pytest.mark.parametrize("how", ["waived", "silent", "lost"])
def test_an_avatar_not_won_back_is_gone(how: str):
    book = strike_avatar()
    if how == "waived":
        events = book.when(WaiveObjection(prompt=inner_prompt(book)), by=B)
        assert of_kind(events, ObjectionWaived) == [event_like(ObjectionWaived, seat=B)]
    elif how == "silent":
        events = book.wait(timedelta(seconds=90))
        assert of_kind(events, DeadlinePassed, ObjectionWaived) == [
            event_like(DeadlinePassed, seats=(B,)),
            event_like(ObjectionWaived, seat=B),
        ]
    else:
        book.when(OpenConflict(prompt=inner_prompt(book)), by=B)
        bid(book, B, 1)
        bid(book, A, 2)
        fold(book, B)
        assert balances(book, A, B) == [20 - 10 - 2, 4]
    assert book.state.inner() is None and not book.state.avatars[avatar_id(book)].returning
    assert of_kind(rounds(book, 2), AvatarRespawned) == [] and not book.state.avatars[avatar_id(book)].alive
    assert sound(book)


@pytest.mark.rule("DW-AVA-5")
def test_revenge_needs_a_point_and_its_own_answer():
    book = strike_avatar(b=1)
    prompt = inner_prompt(book)
    book.when(GivePoints(to=A, amount=1), by=B)
    with refused("points.short", book.state):
        book.when(OpenConflict(prompt=prompt), by=B)
    book.when(WaiveObjection(prompt=prompt), by=B)
    with refused("prompt.closed", book.state):
        book.when(WaiveObjection(prompt=prompt), by=B)


@pytest.mark.rule("DW-AVA-5", "DW-DC-6")
def test_several_dead_are_avenged_one_after_the_other_in_turn_order():
    book = playing(age=2, a=20, b=5, c=5)
    book.ruleset = STRIKING
    every = (avatar(book, C, (0, 0)), avatar(book, B, HOME), avatar(book, B, (2, 2)))
    book.when(Strike(avatars=every), by=A)
    first, second, third = every[1], every[2], every[0]
    assert book.state.prompts[inner_prompt(book)].subject == first
    win_conflict(book)
    assert book.state.prompts[inner_prompt(book)].subject == second
    book.when(WaiveObjection(prompt=inner_prompt(book)), by=B)
    assert book.state.prompts[inner_prompt(book)].subject == third
    book.when(LeaveSeat(), by=C)
    assert book.state.inner() is None
    assert [book.state.avatars[a].returning for a in (first, second, third)] == [True, False, False]
    assert sound(book)


@pytest.mark.rule("DW-AVA-5", "DW-AMB-37")
def test_no_god_is_asked_for_a_death_of_their_own_doing_or_after_leaving():
    book = playing(age=2, a=20, b=5)
    book.ruleset = STRIKING
    own, absent = avatar(book, A, (0, 0)), avatar(book, C, HOME)
    book.when(LeaveSeat(), by=C)
    events = book.when(Strike(avatars=(own, absent)), by=A)
    assert of_kind(events, RevengeAsked) == [event_like(RevengeAsked, avatar=absent, seats=())]
    assert book.state.inner() is None and sound(book)


@pytest.mark.rule("DW-AVA-5", "DW-AMB-32")
def test_an_avatar_won_back_does_not_return_in_the_round_of_their_death():
    book = strike_avatar(c=0)
    assert [seat in book.state.course.acted for seat in (B, C)] == [False, False]
    win_conflict(book)
    events = turn_of(book, C)
    assert of_kind(events, TurnStarted, AvatarRespawned) == [
        event_like(TurnStarted, seat=B),
        event_like(TurnStarted, seat=C),
    ]
    assert of_kind(turn_of(book, B), AvatarRespawned) == [event_like(AvatarRespawned, avatar=avatar_id(book))]


@pytest.mark.rule("DW-AVA-5")
def test_one_conflict_for_each_of_the_dead_as_far_as_the_points_go():
    book = playing(age=2, a=20, b=1)
    book.ruleset = STRIKING
    first, second = avatar(book, B, HOME), avatar(book, B, (2, 2))
    book.when(Strike(avatars=(first, second)), by=A)
    win_conflict(book)
    assert balances(book, A, B) == [10, 0]
    assert [h.event.subject for h in book.log if isinstance(h.event, DeclinedWithoutPoints)] == [second]
    assert book.state.inner() is None
    assert [book.state.avatars[a].returning for a in (first, second)] == [True, False] and sound(book)


@pytest.mark.rule("DW-AMB-32")
def test_an_avatar_won_back_returns_at_any_later_turn_of_their_god_and_in_the_next_age():
    book = strike_avatar()
    book.state.set_course(round=book.state.course.length)
    win_conflict(book)
    book.when(LeaveSeat(), by=B)
    events = rounds(book, 1)
    assert len(of_kind(events, AgeChanged)) == 1
    events = rounds(book, 2)
    assert of_kind(events, AvatarRespawned) == [] and book.state.avatars[avatar_id(book)].returning
    book.state.seats[B] = replace(book.state.seats[B], user=UUID(int=9))
    events = rounds(book, 1) + turn_of(book, B)
    assert of_kind(events, AvatarRespawned) == [event_like(AvatarRespawned, avatar=avatar_id(book))] and sound(book)


@pytest.mark.rule("DW-AVA-5")
def test_an_avatar_who_returned_may_die_and_be_avenged_again():
    book = strike_avatar()
    win_conflict(book)
    rounds(book, 1)
    turn_of(book, B)
    book.when(EndTurn(), by=B)
    turn_of(book, A)
    give(book, A, 10)
    book.when(Strike(avatars=(avatar_id(book),)), by=A)
    assert book.state.prompts[inner_prompt(book)].subject == avatar_id(book) and sound(book)
