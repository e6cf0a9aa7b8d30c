"""CHECK, giving up and the end of the game, as facts (AX-END-*)."""

from typing import ClassVar, Literal
from uuid import UUID

from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.state import State
from games.engine.kernel import Event
from games.engine.lifecycle import leaving

Reason = Literal["ebb_over_tide", "albraxas_fell", "rebels_fell", "arrived", "conceded", "unplayed"]
WORDS = {
    "ebb_over_tide": "there is more Ebb than Tide",
    "albraxas_fell": "Albraxas has no Backbone left",
    "rebels_fell": "no rebel is left",
    "arrived": "Albraxas has arrived at the Beginning",
    "conceded": "the other side has given up",
    "unplayed": "there is no Albraxas or no rebel",
}

RULES: dict[Reason, str] = {
    "ebb_over_tide": "AX-END-2",
    "albraxas_fell": "AX-END-3",
    "rebels_fell": "AX-END-4",
    "arrived": "AX-END-5",
    "conceded": "AX-END-7",
    "unplayed": "AX-SET-9",
}


class TurnChecked(Event[State]):
    """Total Tide and total Ebb are compared."""

    rules: ClassVar[tuple[str, ...]] = ("AX-END-2",)

    total_tide: int
    total_ebb: int
    counts: bool
    """Whether this CHECK may end the game."""

    def apply(self, state: State) -> None:
        state.set_storm(step=Step.CHECK)

    def sentence(self, state: State) -> str:
        yet = "" if self.counts else "; it cannot end the game yet"
        return f"CHECK: Tide {self.total_tide} and Ebb {self.total_ebb} over all phases{yet}."


class GameFinished(Event[State]):
    """The war is decided, or it is not fought at all."""

    winner: Side | None
    reason: Reason

    def apply(self, state: State) -> None:
        state.set_storm(step=Step.FINISHED, winner=self.winner)

    def cites(self) -> tuple[str, ...]:
        return (RULES[self.reason],)

    def sentence(self, state: State) -> str:
        if self.winner is None:
            return f"Nobody wins: {WORDS[self.reason]}."
        return f"{'The rebels win' if self.winner is Side.REBEL else 'Albraxas wins'}: {WORDS[self.reason]}."


class Conceded(Event[State]):
    """A character concedes, for that seat alone; from now on they hole up and walk on."""

    rules: ClassVar[tuple[str, ...]] = ("AX-END-7",)

    seat: UUID

    def apply(self, state: State) -> None:
        state.set_character(self.seat, conceded=True)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} gives up."


class SeatLeft(leaving.SeatLeft[State]):
    """Somebody has left the table; their character holes up and walks on until the seat is taken again."""

    rules: ClassVar[tuple[str, ...]] = ("AX-END-7",)

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} has left."
