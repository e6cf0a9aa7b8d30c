"""Turns begin, end, and follow each other; the game ends (FB-TRN-6, FB-DRG-2, FB-END-1 to 3)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.gm_commands import GameEnded
from games.engine.prompts.questions import ask_row, close_question
from games.forgeborn.rules.claims.rules import use_claim
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, EndReason, Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import (
    ENDS,
    GameFinished,
    LastTurnsStarted,
    RoundStarted,
    SeatGlory,
    TurnEnd,
    TurnEnded,
    TurnStarted,
)

TURNS = (Step.TURN, Step.LAST_TURNS)


def require_turn(state: State, actor: Actor) -> Character:
    """The character of the turn of the seat that acts.

    Raises `phase.closed`, `turn.not_yours`, and `prompt.open` while something is asked inside the turn.
    """
    state.require(*TURNS)
    seat = state.seat(actor.acting_seat)
    character = state.acting_character()
    if state.course.active != seat.id or character is None:
        whose = state.seat_name(state.course.active) if state.course.active is not None else "nobody"
        raise Refused(
            "turn.not_yours",
            f"It is the turn of {whose}; wait for yours.",
            rules=("FB-TRN-1",),
            active=state.course.active,
        )
    turn = state.question(Asked.TURN)
    if any(prompt.parent == turn for prompt in state.prompts.values()) or state.action() is not None:
        raise Refused(
            "prompt.open",
            "The action of this turn is declared and a question inside it is open; it comes first.",
            rules=("FB-CON-7",),
        )
    return character


def end_turn(state: State, reason: TurnEnd) -> Iterator[Event]:
    """End the turn that runs; nothing inside it may be open."""
    active = state.course.active
    if active is None:
        raise RuntimeError("there is no turn to end")
    yield from close_question(state, Asked.TURN, reason.value)
    yield TurnEnded(seat=active, reason=reason)


def next_turn(state: State, ctx: Context) -> Iterator[Event]:
    """What follows when no turn runs: the next of the round, the next round, or the end."""
    course = state.course
    if course.to_come:
        yield from _start_turn(state, ctx, course.to_come[0])
    elif course.step is Step.LAST_TURNS:
        yield from finish_game(state, EndReason.DRAGON)
    elif course.slayer is not None:
        yield RoundStarted(round=course.round + 1, last=True, seats=after_slayer(state, course.slayer))
    elif course.called:
        yield from finish_game(state, EndReason.CALLED)
    elif course.round == options_of(state).round_limit:
        yield from finish_game(state, EndReason.ROUNDS)
    else:
        last = course.round + 1 == options_of(state).round_limit
        yield RoundStarted(round=course.round + 1, last=last, seats=course.order)


def start_last_turns(state: State, slayer: UUID) -> Iterator[Event]:
    """The Dragon is slain: the rest of the round falls away, every other seat has one more turn (FB-DRG-2)."""
    yield LastTurnsStarted(slayer=slayer, seats=after_slayer(state, slayer))


def after_slayer(state: State, slayer: UUID) -> tuple[UUID, ...]:
    """The other seats in the order of turns, beginning after the slayer's."""
    order = state.course.order
    at = order.index(slayer)
    return (*order[at + 1 :], *order[:at])


def finish_game(state: State, reason: EndReason) -> Iterator[Event]:
    """End the game: most victory points win, equals share; before the first turn nobody does (FB-END-3)."""
    glory = tuple(SeatGlory(seat=s.id, vp=state.purses[s.id].vp) for s in state.players() if s.id in state.purses)
    winners = state.leaders() if state.course.round else ()
    yield GameFinished(glory=glory, winners=winners, reason=reason)
    yield GameEnded(reason=ENDS[reason])


def _start_turn(state: State, ctx: Context, seat: UUID) -> Iterator[Event]:
    """Begin a turn: who has a claim and stands at the Citadel has the artifact; then the seat is asked."""
    yield TurnStarted(seat=seat, round=state.course.round)
    yield from use_claim(state, seat)
    if not state.is_held(seat):
        return
    yield from ask_row(state, ctx, Asked.TURN, seat, player=state.seat_name(seat))
