"""What happens when a deadline passes (section 9 of the rulebook)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.albraxas.rules.locate.rules import unlocked_rebels
from games.albraxas.rules.orders.rules import characters_with_digest_only, unwritten
from games.albraxas.rules.setup.commands import end_setup
from games.albraxas.rules.setup.events import SeatDropped
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.flow import go_on
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Command, Context, Event, Issuer
from games.engine.prompts.prompt import lapse_event


class EndStep(Command[State]):
    """The time of a question is up: silence is taken as the rulebook says."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    rules: ClassVar[tuple[str, ...]] = ("AX-ASK-1",)

    prompt: UUID
    """The question."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        step = state.storm.step
        if self.prompt not in (state.question(step), state.question(f"{step}.open")):
            raise Refused("prompt.closed", "This question is not open any more.", rules=("AX-ASK-1",))
        ctx.by = "deadline"
        late = [seat.id for seat in state.players() if seat.id not in state.sheets]
        if step is not Step.CHARACTERS:
            late = [c.id for c in self._late_characters(state)]
        yield lapse_event(state, self.prompt, late, PUBLIC)
        if step is Step.CHARACTERS:
            for seat in late:
                yield SeatDropped(seat=seat)
            yield from end_setup(state, ctx)
        else:
            yield from go_on(state, ctx, over=True)

    def _late_characters(self, state: State) -> list[Character]:
        """Who is late."""
        if state.storm.step is Step.LOCATE:
            return unlocked_rebels(state)
        return unwritten(state) if self.prompt == state.question(Step.ORDER) else characters_with_digest_only(state)
