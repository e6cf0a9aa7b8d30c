"""What happens to characters and phases: Dynamism, Backbone, Tide and Ebb (AX-TRN-9, AX-ACT-9, AX-ACT-12)."""

from dataclasses import replace
from typing import ClassVar, Literal
from uuid import UUID

from games.albraxas.rules.state.schema_types import Action, Result, Strength
from games.albraxas.rules.state.state import State
from games.engine.kernel import Event
from games.engine.wording import phrase, quantity


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


RULE = {
    Action.RECOVER: "AX-ACT-1",
    Action.BATTLE: "AX-ACT-2",
    Action.BACKBONE: "AX-ACT-3",
    Action.BLITZ: "AX-ACT-4",
    Action.HOLE_UP: "AX-ACT-6",
}
ENDED = {Result.WIN: "won", Result.LOSE: "lost", Result.TIE: "a tie"}


class JunctureStarted(Event[State]):
    """A juncture begins; these are the values that it is fought on."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-7",)

    juncture: int
    strengths: tuple[Strength, ...]

    def sentence(self, state: State) -> str:
        dice = (quantity(s.effective, "die", "dice") for s in self.strengths)
        names = (f"{state.characters[s.seat].name} in phase {s.phase} against " for s in self.strengths)
        return f"Juncture {self.juncture}: {', '.join(map(str.__add__, names, dice)) or 'nobody acts'}."


class ActionResolved(Event[State]):
    """What a character did in a juncture, and how the dice fell; it counts at the juncture's end."""

    seat: UUID
    juncture: int
    phase: int
    clones: int
    action: Action
    price: int
    dice: tuple[int, ...] = ()
    opposing: tuple[int, ...] = ()
    spent: int = 0
    """Dynamism for knocked-out pairs."""
    result: Result
    successes: int = 0
    """Of the side that won."""

    def cites(self) -> tuple[str, ...]:
        rolled = () if self.result is Result.NONE else ("AX-DIE-2",)
        broken = ("AX-DIE-3", "AX-DIE-5") if self.spent else ()
        return RULE[self.action], *rolled, *broken, *(("AX-CLN-2", "AX-CLN-3") if rolled and self.clones else ())

    def sentence(self, state: State) -> str:
        name, deed = state.characters[self.seat].name, phrase(self.action)
        if self.result is Result.NONE:
            return f"{name} in phase {self.phase}: {deed}."
        own, other = (" ".join(map(str, pool)) for pool in (self.dice, self.opposing))
        broken = f", {self.spent} Dynamism for tied pairs" if self.spent else ""
        how = f" with {quantity(self.successes, 'success', 'successes')}" if self.successes else ""
        return (
            f"{name} in phase {self.phase}: {deed} for {self.price} Dynamism, "
            f"{own} against {other}{broken}: {ENDED[self.result]}{how}."
        )


class OrderFizzled(Event[State]):
    """A character cannot pay their order and holes up, at no cost (AX-ACT-8); juncture 0 is a Convalesce."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-8",)

    seat: UUID
    juncture: int
    price: int

    def apply(self, state: State) -> None:
        del state.written[self.seat, self.juncture]

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} cannot pay {self.price} Dynamism and holes up."


class FrayForced(Event[State]):
    """A lost Recover draws the character into a free Battle."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-10",)

    seat: UUID
    juncture: int

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} is drawn into the fray."


class PhaseLost(Event[State]):
    """A tied Recover: all later junctures of this phase are lost."""

    rules: ClassVar[tuple[str, ...]] = ("AX-ACT-1",)

    seat: UUID
    juncture: int

    def apply(self, state: State) -> None:
        for seat, juncture in list(state.written):
            if seat == self.seat and juncture > self.juncture:
                del state.written[seat, juncture]

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} loses the rest of the phase."
