"""What happens to characters and phases: Dynamism, Backbone, Tide and Ebb (AX-TRN-9, AX-ACT-9, AX-ACT-12)."""

from dataclasses import replace
from typing import ClassVar, Literal
from uuid import UUID

from games.albraxas.rules.state.state import State
from games.engine.kernel import Event


class ValuesChanged(Event[State]):
    """Tide and Ebb of a phase after a juncture."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-9",)

    phase: int
    tide: int
    ebb: int

    def apply(self, state: State) -> None:
        state.phases[self.phase] = replace(state.phases[self.phase], tide=self.tide, ebb=self.ebb)

    def sentence(self, state: State) -> str:
        return f"Phase {self.phase}: Tide {self.tide}, Ebb {self.ebb}."


class BackboneChanged(Event[State]):
    """A character's Backbone has changed."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-9",)

    seat: UUID
    before: int
    after: int
    reason: Literal["juncture", "convalesce"]

    def apply(self, state: State) -> None:
        state.set_character(self.seat, backbone=self.after)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name}: Backbone {self.before} to {self.after}."


class DynamismChanged(Event[State]):
    """A character has spent or regained Dynamism."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-12",)

    seat: UUID
    before: int
    after: int
    reason: Literal["travel", "juncture", "convalesce"]

    def apply(self, state: State) -> None:
        state.set_character(self.seat, dynamism=self.after)

    def sentence(self, state: State) -> str:
        why = {"travel": ", for a Travel", "convalesce": ", to convalesce", "juncture": ""}[self.reason]
        return f"{state.characters[self.seat].name}: Dynamism {self.before} to {self.after}{why}."


class CharacterFell(Event[State]):
    """A character without Backbone is out; what they laid stays (AX-END-1)."""

    rules: ClassVar[tuple[str, ...]] = ("AX-END-1",)

    seat: UUID

    def apply(self, state: State) -> None:
        state.set_character(self.seat, fallen=True)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} falls."


class Convalesced(Event[State]):
    """A character has sat the phase out: Backbone and Dynamism come back (AX-ACT-5)."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-5", "AX-ACT-11")

    seat: UUID
    backbone: int
    dynamism: int

    def apply(self, state: State) -> None:
        state.set_character(self.seat, backbone=self.backbone, dynamism=self.dynamism)

    def sentence(self, state: State) -> str:
        name = state.characters[self.seat].name
        return f"{name} has convalesced: Backbone {self.backbone}, Dynamism {self.dynamism}."
