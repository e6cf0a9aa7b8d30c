"""How the game goes on after each command: nobody waits for who has left, turns and rounds follow each other."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import final
from uuid import UUID

from games.engine.audience import GM_READER, Reader
from games.engine.game_state import Prompt, Role
from games.engine.kernel import Command, Context, Event
from games.engine.prompts.prompt import innermost
from games.engine.settling import settle_rounds
from games.forgeborn.rules.defaults import take_default
from games.forgeborn.rules.forge.rules import are_offers_in, settle_help
from games.forgeborn.rules.setup.smiths import are_smiths_in, settle_smiths
from games.forgeborn.rules.state.schema_types import EndReason, Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import TURNS, end_turn, finish_game, next_turn
from games.forgeborn.rules.vault.rules import are_ballots_in, close_vote, open_vote

OPEN = (Step.MAP, Step.SMITHS, *TURNS)
"""The steps of a game that has begun and is not over."""


def go_on(state: State, ctx: Context) -> Iterator[Event]:
    """Go on as far as nobody is waited for."""
    yield from settle_rounds(lambda: _go_a_step(state, ctx))


def _go_a_step(state: State, ctx: Context) -> Iterator[Event]:
    """The next thing that happens by itself; nothing while somebody is waited for."""
    if state.course.step not in OPEN:
        return
    deserted = next((p for p in state.prompts.values() if innermost(state, p) and _is_deserted(state, p)), None)
    if not any(state.is_held(seat.id) for seat in state.players()):
        yield from finish_game(state, EndReason.LEFT)
    elif deserted is not None:
        yield from take_default(state, ctx, deserted)
    elif state.course.step is Step.SMITHS and are_smiths_in(state):
        yield from settle_smiths(state, ctx)
    elif are_offers_in(state):
        yield from settle_help(state, ctx)
    elif (vote := open_vote(state)) is not None and are_ballots_in(state):
        yield from close_vote(state, ctx, vote)
    elif state.course.step in TURNS:
        yield from _go_on_with_turns(state, ctx)


def _go_on_with_turns(state: State, ctx: Context) -> Iterator[Event]:
    """The next turn, where none runs; a turn of a seat that nobody holds is passed over at once (FB-TRN-6)."""
    active = state.course.active
    if active is None:
        yield from next_turn(state, ctx)
    elif not state.is_held(active) and not state.prompts and state.action() is None:
        yield from end_turn(state, TurnEnd.ABSENT)


def _is_deserted(state: State, prompt: Prompt) -> bool:
    """Whether all who could answer a question have left: its default is taken at once (FB-AMB-60)."""
    return not any(_is_there(state, owner) for owner in prompt.owners)


def _is_there(state: State, owner: Reader) -> bool:
    """Whether somebody can answer as this owner: any game-master, or who holds the seat."""
    if owner == GM_READER:
        return any(state.is_held(seat.id) for seat in state.seats_of(Role.GM))
    return state.is_held(UUID(owner.removeprefix("seat:")))


class ForgebornCommand(Command[State], abstract=True):
    """A command of this game: what it changes is carried out, then the game goes on as far as nobody is waited for."""

    @final
    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from self.carry_out(state, ctx)
        yield from go_on(state, ctx)

    @abstractmethod
    def carry_out(self, state: State, ctx: Context) -> Iterator[Event]:
        """The events of the command itself. Raises Refused before the first of them."""
