"""Ending a turn, and leaving the table (DW-TRN-1, DW-AMB-37)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.schema_types import Step
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.events import SeatLeft
from games.dawn.rules.turn.rules import end_turn
from games.engine.audience import reader
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle import leaving
from games.engine.prompts.prompt import innermost
from games.engine.prompts.questions import default_of


class EndTurn(Enumerable[State]):
    """End your turn; points that are left are kept."""

    rules: ClassVar[tuple[str, ...]] = ("DW-TRN-1",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.active(ctx.actor)
        yield from end_turn(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.active(actor)
        yield LegalCommand(cls.slug())


class LeaveSeat(leaving.LeaveSeat[State]):
    """Leave the table: your seat is free for another; what you owe is answered as your silence would be."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AMB-37",)
    left: ClassVar[type[SeatLeft]] = SeatLeft
    end_rules: ClassVar[tuple[str, ...]] = ("DW-AGE-3",)

    def settle_left_seat(self, state: State, ctx: Context, seat: UUID) -> Iterator[Event]:
        """In play what a god owes has its default."""
        if state.course.step not in (Step.TURN, Step.ROUND_END) or seat not in state.gods:
            return
        for prompt in list(state.prompts.values()):
            owed = reader(seat) in prompt.owners and (prompt.id, reader(seat)) not in state.answers
            if owed and prompt.id in state.prompts and innermost(state, prompt):
                yield from default_of(state, ctx, prompt, (seat,))
