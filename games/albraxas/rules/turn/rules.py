"""A turn: LOCATE, ORDER, RESOLVE, CHECK (AX-TRN-1). When each begins by itself stands in `course`."""

from collections.abc import Iterator

from games.albraxas.rules.ending.rules import check_ending
from games.albraxas.rules.locate.rules import settle_locations
from games.albraxas.rules.orders.rules import junctures_of, revelation, writers
from games.albraxas.rules.resolve.rules import resolve_phase
from games.albraxas.rules.state.schema_types import OPENING, Standing, Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.events import StepStarted, TurnStarted
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question


def start_turn(state: State, ctx: Context) -> Iterator[Event]:
    """Begin the next turn with LOCATE."""
    turn = state.storm.turn + 1
    yield TurnStarted(turn=turn, albraxas_phase=state.storm.phases + 1 - turn)
    yield StepStarted(step=Step.LOCATE)
    if state.resisting():
        yield from ask_row(state, ctx, Step.LOCATE)


def ask_for_orders(state: State, ctx: Context) -> Iterator[Event]:
    """LOCATE is over: everybody is in place, and orders are asked for."""
    yield from close_question(state, Step.LOCATE, "settled")
    yield from settle_locations(state)
    standings = tuple(Standing(seat=c.id, junctures=junctures_of(c), clones=c.clones) for c in state.in_play())
    yield StepStarted(step=Step.ORDER, standings=standings)
    if writers(state):
        yield from ask_row(state, ctx, Step.ORDER)


def ask_for_openings(state: State, ctx: Context) -> Iterator[Event]:
    """Let those open their orders who have handed in a digest alone."""
    yield from ask_row(state, ctx, OPENING)


def close_openings(state: State, ctx: Context) -> Iterator[Event]:
    """What was sealed is open, or its time is up."""
    yield from close_question(state, OPENING, "opened")


def resolve_orders(state: State, ctx: Context) -> Iterator[Event]:
    """ORDER is over: everything is shown and resolved; then CHECK, and the next turn."""
    shown = revelation(state)
    yield shown
    yield from close_question(state, Step.ORDER, "settled")
    yield StepStarted(step=Step.RESOLVE)
    yield from resolve_phase(state, ctx)
    if state.storm.step is Step.RESOLVE:
        yield from check_ending(state)
    if state.storm.step is Step.CHECK:
        yield from start_turn(state, ctx)
