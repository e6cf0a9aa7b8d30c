"""What begins in the course of a turn (AX-TRN-1, AX-SET-7)."""

from typing import ClassVar

from games.albraxas.rules.state.schema_types import Standing, Step
from games.albraxas.rules.state.state import State
from games.engine.kernel import Event


class TurnStarted(Event[State]):
    """A turn begins; Albraxas is one phase nearer to the Beginning (AX-SET-7)."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-7",)

    turn: int
    albraxas_phase: int

    def apply(self, state: State) -> None:
        state.set_storm(turn=self.turn)
        if state.storm.albraxas is not None:
            state.set_character(state.storm.albraxas, phase=self.albraxas_phase)

    def sentence(self, state: State) -> str:
        return f"Turn {self.turn}: Albraxas is in phase {self.albraxas_phase}."


class StepStarted(Event[State]):
    """A step of the turn begins."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-1",)

    step: Step
    standings: tuple[Standing, ...] = ()
    """In ORDER: what each character brings into their phase."""

    def apply(self, state: State) -> None:
        state.set_storm(step=self.step)
