"""What happens when a deadline passes."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.audience import GM_READER, reader
from games.engine.kernel import Context, Event, Issuer
from games.engine.prompts.prompt import lapse_event, open_prompt
from games.forgeborn.rules.defaults import take_default
from games.forgeborn.rules.flow import ForgebornCommand
from games.forgeborn.rules.state.state import State


class SettleDefault(ForgebornCommand):
    """The time of a question is up: silence is taken as the rulebook says."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    rules: ClassVar[tuple[str, ...]] = ("FB-AMB-39",)

    prompt: UUID
    """The question."""

    def carry_out(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = open_prompt(state, self.prompt)
        ctx.by = "deadline"
        answered = {owner for asked, owner in state.answers if asked == prompt.id}
        late = [seat.id for seat in state.players() if reader(seat.id) in {*prompt.owners} - answered - {GM_READER}]
        yield lapse_event(state, prompt.id, late)
        yield from take_default(state, ctx, prompt)
