"""What happens when a deadline passes: one command of the clock, a default for each kind of question (section 9).

A chapter with questions that stand apart from a power adds theirs to `DEFAULTS`. A default is reported by the ordinary
events of the answer, marked `by: deadline`; what follows from it is not.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.avatars.revenge import revenge_silent
from games.dawn.rules.conflict.events import fold
from games.dawn.rules.powers.frame import question_of
from games.dawn.rules.races.subraces import pick_silent
from games.dawn.rules.setup.commands import begin_game
from games.dawn.rules.state.schema_types import Asked
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.events import end_offer
from games.dawn.rules.turn.events import end_turn
from games.dawn.rules.turn.flow import DawnCommand
from games.dawn.rules.turn.motions import count_votes
from games.dawn.rules.war.events import war_silent
from games.engine.economy.trade_offers import Result
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event, Issuer
from games.engine.prompts.prompt import close, lapse_event, open_prompt

Seats = tuple[UUID, ...]
Default = Callable[[State, Context, Prompt, Seats], Iterator[Event]]


def _power_silent(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    """No consent, leave refused, no conflict, no objection: silence is a no everywhere."""
    for seat in late:
        asked = question_of(state, ctx, prompt) if prompt.id in state.prompts else None
        if asked is not None:
            yield from asked.record_answer(state, ctx, prompt, seat, False)
        elif prompt.id in state.prompts:
            yield from close(state, prompt.id, "void")


def _bid_silent(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    for conflict in list(state.conflicts.values()):
        yield from fold(state, conflict)


def _turn_silent(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    yield from end_turn(state, ctx)


def _motion_silent(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    """Who has left counts as no at once; when the time is over, a silent seat too."""
    everybody = {UUID(owner.removeprefix("seat:")) for owner in prompt.owners}
    answered = {UUID(owner.removeprefix("seat:")) for p, owner in state.answers if p == prompt.id}
    yield from count_votes(state, over=everybody - answered == set(late))


def _setup_silent(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    yield from begin_game(state, ctx)


def _offer_silent(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    yield from end_offer(state, state.offers[prompt.id], Result.LAPSED)


DEFAULTS: dict[str, Default] = {
    Asked.SETUP: _setup_silent,
    Asked.TURN: _turn_silent,
    Asked.CONSENT: _power_silent,
    Asked.LEAVE: _power_silent,
    Asked.DECIDE: _power_silent,
    Asked.OBJECT: _power_silent,
    Asked.CHALLENGE: _power_silent,
    Asked.PICK: pick_silent,
    Asked.AUCTION: _bid_silent,
    Asked.STAND_IN: war_silent,
    Asked.COMMIT: war_silent,
    Asked.CONTINUE: war_silent,
    Asked.REVENGE: revenge_silent,
    Asked.MOTION: _motion_silent,
    "offer": _offer_silent,
}
"""What silence means, by the kind of the question."""


def take_defaults(state: State, ctx: Context, prompt: Prompt, late: Seats) -> Iterator[Event]:
    """What the silence of these seats means; marked as the deadline's."""
    was, ctx.by = ctx.by, "deadline"
    yield from DEFAULTS[prompt.kind](state, ctx, prompt, late)
    ctx.by = was


class TakeDefault(DawnCommand):
    """The time of a question is up: silence is taken as the rulebook says."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    rules: ClassVar[tuple[str, ...]] = ("DW-ASK-1",)

    prompt: UUID
    """The question."""

    def carry_out(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = open_prompt(state, self.prompt)
        late = tuple(
            UUID(owner.removeprefix("seat:")) for owner in prompt.owners if (prompt.id, owner) not in state.answers
        )
        if prompt.kind == Asked.SETUP:
            late = tuple(seat for seat in late if seat not in state.gods)
        yield lapse_event(state, prompt.id, late)
        yield from take_defaults(state, ctx, prompt, late)
