"""Ages, rounds, income, order and turns (DW-AGE-1, DW-AGE-3, DW-INC-1, DW-ORD-*): the steps between them."""

from collections.abc import Iterator
from itertools import groupby
from typing import Literal
from uuid import UUID

from games.dawn.rules.revenge.rules import return_avatars
from games.dawn.rules.standing_answers.rules import reveal_standing_answers
from games.dawn.rules.state.constants import INCOME_DICE, INCOME_MORE, LAST_AGE, ROUNDS
from games.dawn.rules.state.schema_types import Asked, TieRoll
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.rules import lapse_offers
from games.dawn.rules.turn.events import (
    AgeChanged,
    GameFinished,
    IncomeRolled,
    OrderFixed,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from games.dawn.rules.wonders.miracles import end_protection
from games.engine.audience import reader
from games.engine.kernel import Context, Event
from games.engine.lifecycle.gm_commands import GameEnded
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row


def start_round(state: State, ctx: Context, age: int, number: int, length: int) -> Iterator[Event]:
    """Begin a round: income of each god, the order, the first turn. Who has left saves no city any more (DW-AMB-62)."""
    yield RoundStarted(age=age, round=number, length=length)
    yield from end_protection(state, state.gods.keys() - {god.id for god in state.playing()})
    serial = state.course.rounds
    for god in state.playing():
        dice = tuple(ctx.tray.pool(f"income:{serial}/{god.id}", INCOME_DICE, 6, "DW-INC-1"))
        gain = sum(dice) + INCOME_MORE
        yield IncomeRolled(seat=god.id, dice=dice, gain=gain, balance=state.balance(god.id) + gain)
    yield order_of(state, ctx)
    yield from start_turn(state, ctx, state.course.order[0])


def order_of(state: State, ctx: Context) -> OrderFixed:
    """The order of this round: fewest points first, equals by a die each, the lower first (DW-ORD-1, 2)."""
    thrown: dict[UUID, list[int]] = {}
    by_points = sorted((state.balance(g.id), g.id) for g in state.playing())
    order: list[UUID] = []
    for _, group in groupby(by_points, key=lambda p: p[0]):
        order += _order_of_equals([seat for _, seat in group], state, ctx, thrown)
    rolls = tuple(TieRoll(seat=seat, dice=tuple(dice)) for seat, dice in thrown.items())
    return OrderFixed(order=tuple(order), tie_rolls=rolls)


def _order_of_equals(equals: list[UUID], state: State, ctx: Context, thrown: dict[UUID, list[int]]) -> list[UUID]:
    """Gods with equal points, in seat order, by one die each; those still equal roll again among themselves."""
    if len(equals) == 1:
        return equals
    shown: dict[UUID, int] = {}
    for seat in equals:
        shown[seat] = ctx.roll(f"order:{state.course.rounds}/{seat}", 6, "DW-ORD-2")
        thrown.setdefault(seat, []).append(shown[seat])
    order: list[UUID] = []
    for value in sorted(set(shown.values())):
        order += _order_of_equals([seat for seat in equals if shown[seat] == value], state, ctx, thrown)
    return order


def start_turn(state: State, ctx: Context, seat: UUID) -> Iterator[Event]:
    """Begin a god's turn: their avatars return, what they have saved is so no longer, and they have the floor until
    they end it, or its time is up.
    """
    yield from return_avatars(state, seat)
    yield from end_protection(state, (seat,))
    yield TurnStarted(seat=seat)
    yield from ask_row(state, ctx, Asked.TURN, owners=[reader(seat)], god=state.title(seat))


def pass_turn(state: State, result: str) -> Iterator[Event]:
    """Close the question of the turn; every offer made in it lapses."""
    yield from lapse_offers(state)
    turn = state.open_prompt(Asked.TURN)
    if turn is not None:
        yield from close(state, turn.id, result)


def end_turn(state: State, ctx: Context) -> Iterator[Event]:
    """End the active god's turn; the next one begins, or the round is over."""
    course = state.course
    if course.active is None:
        raise RuntimeError("nobody's turn ends")
    yield from pass_turn(state, "ended")
    yield TurnEnded(seat=course.active)
    playing = {god.id for god in state.playing()}
    waiting = [s for s in state.course.order if s in playing and s not in state.course.acted]
    if waiting:
        yield from start_turn(state, ctx, waiting[0])
    else:
        yield RoundEnded(age=course.age, round=course.round)


def round_over(state: State, ctx: Context) -> Iterator[Event]:
    """After a round: the next one, the next Age, or the end of the game (DW-AGE-3)."""
    course = state.course
    if course.round < course.length:
        yield from start_round(state, ctx, course.age, course.round + 1, course.length)
    elif course.age < LAST_AGE:
        yield AgeChanged(age=course.age + 1, length=ROUNDS)
        yield from start_round(state, ctx, course.age + 1, 1, ROUNDS)
    else:
        yield from finish_game(state, "ages_over")


def finish_game(state: State, reason: Literal["ages_over", "unplayed"]) -> Iterator[Event]:
    """The game is over."""
    course = state.course
    yield from reveal_standing_answers(state)
    yield GameFinished(age=course.age, round=course.round, reason=reason)
    yield GameEnded(reason="the three Ages have passed." if reason == "ages_over" else "there are no two gods.")
