"""Giving up and going away (AX-END-7, AX-AMB-29)."""

from collections.abc import Iterator
from typing import ClassVar

from games.albraxas.rules.ending.events import Conceded, SeatLeft
from games.albraxas.rules.ending.rules import check_ending, finish_game
from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.state import State
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle import leaving

BATTLE = (Step.LOCATE, Step.ORDER)


class Concede(Enumerable[State]):
    """Give up for yourself. Albraxas who gives up has lost; the rebels have when all have given up.

    Where the last rebel goes and another has fallen, the CHECK decides at once.
    """

    rules: ClassVar[tuple[str, ...]] = ("AX-END-7", "AX-AMB-29", "AX-END-4")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*BATTLE)
        character = state.acting(ctx.actor)
        yield Conceded(seat=character.id)
        if character.side is Side.ALBRAXAS:
            yield from finish_game(Side.REBEL, "conceded")
        elif state.resisting():
            return
        elif any(c.fallen for c in state.characters.values() if c.side is Side.REBEL):
            yield from check_ending(state, at_once=True)
        else:
            yield from finish_game(Side.ALBRAXAS, "conceded")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*BATTLE)
        state.acting(actor)
        yield LegalCommand(cls.slug(), quits=True)


class LeaveSeat(leaving.LeaveSeat[State]):
    """Leave the table: your seat is free for another; until then your character holes up and walks on."""

    rules: ClassVar[tuple[str, ...]] = ("AX-END-7",)
    left: ClassVar[type[SeatLeft]] = SeatLeft
    end_rules: ClassVar[tuple[str, ...]] = rules
