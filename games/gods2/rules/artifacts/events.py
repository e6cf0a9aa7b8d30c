"""The power of an artifact as a fact: laid into it, used, followed to another god, gone (G2-ART-2, G2-ART-4)."""

from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.state.effect_records import ArtifactPower, Grant, GrantSource
from games.gods2.rules.state.state import State


class ArtifactPowerSet(Event[State]):
    """A power lies in an artifact, with so many uses, and this god may use it; without uses it is gone."""

    rules: ClassVar[tuple[str, ...]] = ("G2-ART-2", "G2-ART-3", "G2-ART-4")

    artifact: UUID
    power: str
    uses: int
    seat: UUID | None = None
    """The seat of the god who may use it now; null for nobody."""
    former: UUID | None = None
    """The seat that could use it before."""

    def audience(self, state: State) -> Audience:
        return seats(*(seat for seat in (self.seat, self.former) if seat is not None), gm=True)

    def apply(self, state: State) -> None:
        source, lies = GrantSource.ARTIFACT, (self.artifact, self.power)
        for key in {(seat, self.power, source) for seat in (self.seat, self.former) if seat is not None}:
            if key in state.grants:
                del state.grants[key]
        if self.uses:
            state.artifact_powers[lies] = ArtifactPower(self.artifact, self.power, self.uses, self.seat)
            if self.seat is not None:
                state.grants[self.seat, self.power, source] = Grant(self.seat, self.power, source, self.uses)
        elif lies in state.artifact_powers:
            del state.artifact_powers[lies]

    def sentence(self, state: State) -> str:
        artifact, power = state.artifacts[self.artifact].name, state.pack.powers[self.power].name
        if not self.uses:
            return f"{power} lies in {artifact} no more."
        times = quantity(self.uses, "time")
        if self.seat is None:
            return f"{power} lies in {artifact} {times}; nobody can use it now."
        return f"{state.gods[self.seat].name} may use {power} {times}, by {artifact}."
