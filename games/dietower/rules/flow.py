"""How the game goes on after each command: the tower takes its next die, and what waits for nobody happens."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import final

from games.dietower.rules.combat.attacks import is_decided, open_attack, resolve_attack
from games.dietower.rules.combat.rules import (
    CALLED,
    EMPTY,
    active_members,
    ask_holder,
    close_encounter,
    due_holds,
    end_turn,
    is_quiet,
    next_turn,
    start_round,
)
from games.dietower.rules.state.schema_types import Step
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.rules import go_on_with_tower
from games.engine.kernel import Command, Context, Event
from games.engine.settling import settle_rounds

PLAY = (Step.FREE, Step.TURN)


def go_on(state: State, ctx: Context) -> Iterator[Event]:
    """Go on as far as nobody is waited for."""
    yield from settle_rounds(lambda: _go_a_step(state, ctx))


def _go_a_step(state: State, ctx: Context) -> Iterator[Event]:
    """The next thing that happens by itself; nothing while somebody is waited for."""
    if state.course.step not in PLAY:
        return
    yield from go_on_with_tower(state, ctx)
    if state.course.step is Step.TURN and is_quiet(state):
        yield from _go_on_with_encounter(state, ctx)


def _go_on_with_encounter(state: State, ctx: Context) -> Iterator[Event]:
    """What follows inside an encounter while no question in its turn is open and no die is due."""
    encounter, attack = state.require_encounter(), open_attack(state)
    if attack is not None and is_decided(state, attack):
        yield from resolve_attack(state, ctx, attack)
    elif encounter.closing:
        yield from close_encounter(state, CALLED, encounter.closing_text)
    elif not active_members(state):
        yield from close_encounter(state, EMPTY)
    elif waiting := due_holds(state):
        yield from ask_holder(state, ctx, waiting[0])
    elif encounter.turn is None:
        yield from (next_turn(state, ctx) if encounter.round else start_round(state, ctx))
    elif encounter.turn not in active_members(state):
        yield from end_turn(state, ctx)


class DieTowerCommand(Command[State], abstract=True):
    """A command of this game: what it changes is carried out, then the game goes on as far as nobody is waited for."""

    @final
    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from self.carry_out(state, ctx)
        yield from go_on(state, ctx)

    @abstractmethod
    def carry_out(self, state: State, ctx: Context) -> Iterator[Event]:
        """The events of the command itself. Raises Refused before the first of them."""
