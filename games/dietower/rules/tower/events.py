"""The events of chapter 3: dice are due, are placed and stand or fall; terrible things and miracles."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dietower.rules.state.constants import MIRACLE_HEIGHT, OUTCOMES
from games.dietower.rules.state.records import Bonus, Consequence, Miracle, Placement, TowerDie
from games.dietower.rules.state.schema_types import (
    ActorKind,
    Axis,
    Harm,
    MiracleKind,
    Mode,
    PlacementStatus,
    Point,
    Reason,
    Target,
    Until,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import remark
from games.engine.kernel import Event
from games.engine.wording import full_sentence, quantity

WHY = {
    Reason.NET_FAIL: "more Fails than Criticals",
    Reason.FAILURE: "no success",
    Reason.HIT: "a hit",
}


class PlacementDue(Event[State]):
    """Somebody owes the tower a die."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-9", "DT-CHK-11", "DT-CMB-10")

    placement: UUID
    roll: UUID
    actor: UUID
    reason: Reason
    unasked: bool = False
    """Whether the service places it without a question: its seat was left."""

    def apply(self, state: State) -> None:
        number = state.tower.placements + 1
        state.set_tower(placements=number)
        due = Placement(self.placement, number, self.roll, self.actor, self.reason, unasked=self.unasked)
        state.placements[self.placement] = due

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} owes the tower a die: {WHY[self.reason]}."


class RiskShown(Event[State]):
    """How likely the next die brings the simulated tower down; everybody sees it before it is placed (DT-SIM-4)."""

    rules: ClassVar[tuple[str, ...]] = ("DT-SIM-4",)

    placement: UUID
    falls: int
    """Of 1,296 ways."""
    height: int

    def sentence(self, state: State) -> str:
        name = state.actors[state.placements[self.placement].actor].name
        if not self.falls:
            return f"The next die, of {name}, cannot bring the tower of {self.height} down."
        return f"The next die, of {name}, brings the tower of {self.height} down in {self.falls} of {OUTCOMES} ways."


class DiePlaced(Event[State]):
    """A die was placed, and the tower stands."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-3", "DT-SIM-2", "DT-SIM-3")

    placement: UUID
    actor: UUID
    dice: tuple[int, ...] = ()
    """a, b, c, d of DT-SIM-2; none on a real tower, and for the first die."""
    offset: Point | None = None
    """By how much the die is shifted against the one below."""
    centre: Point | None = None
    centres: tuple[Point, ...] = ()
    """Those of all dice, the lowest first."""
    height: int
    """The height now."""

    def apply(self, state: State) -> None:
        actor = state.actors[self.actor]
        end_placement(state, self, PlacementStatus.STOOD)
        x, y = (self.centre.x, self.centre.y) if self.centre is not None else (None, None)
        state.dice[self.height] = TowerDie(self.height, self.placement, self.actor, x, y)
        state.set_tower(height=self.height, last_placer=actor.seat, master_last=actor.kind is not ActorKind.PC)

    def sentence(self, state: State) -> str:
        return f"The die of {state.actors[self.actor].name} stands: the tower has {self.height}."


class TowerFell(Event[State]):
    """A die was placed, and the tower fell."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-4", "DT-SIM-3", "DT-SIM-5")

    placement: UUID
    actor: UUID
    dice: tuple[int, ...] = ()
    height: int
    """The height before it."""
    centres: tuple[Point, ...] = ()
    """Those of all dice, the one that was placed last."""
    level: int | None = None
    """The lowest die that failed, from 1; null for a real tower."""
    axis: Axis | None = None

    def apply(self, state: State) -> None:
        end_placement(state, self, PlacementStatus.FELL, level=self.level, axis=self.axis)
        take_down(state)

    def sentence(self, state: State) -> str:
        where = f", over die {self.level}" if self.level is not None else ""
        return f"The die of {state.actors[self.actor].name} brings the tower of {self.height} down{where}."


class PlacementsDropped(Event[State]):
    """Dice that were due are not placed: the tower has fallen, or nobody said what became of them."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-4", "DT-AMB-7")

    placements: tuple[UUID, ...]
    reason: str
    """`fall` or `silence`."""

    def apply(self, state: State) -> None:
        for placement in self.placements:
            state.placements[placement] = replace(state.placements[placement], status=PlacementStatus.DROPPED)

    def sentence(self, state: State) -> str:
        return f"{quantity(len(self.placements), 'die is', 'dice are')} not placed."


class TerribleThingDue(Event[State]):
    """The tower has fallen: something terrible has to happen before play goes on."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-4",)

    consequence: UUID
    placement: UUID
    actor: UUID
    """Who placed the die, whom it strikes where nobody else is named."""

    def apply(self, state: State) -> None:
        state.consequences[self.consequence] = Consequence(self.consequence, self.placement, self.actor)

    def sentence(self, state: State) -> str:
        return "Something terrible happens."


class ConsequenceSaid(Event[State], abstract=True):
    """What a terrible thing is, and whom it strikes."""

    consequence: UUID
    kind: Harm
    text: str
    targets: tuple[Target, ...]

    def apply(self, state: State) -> None:
        state.consequences[self.consequence] = replace(
            state.consequences[self.consequence],
            written=True,
            kind=self.kind,
            text=self.text,
            targets=self.targets,
        )

    def sentence(self, state: State) -> str:
        names = ", ".join(state.actors[target.actor].name for target in self.targets)
        return f"A terrible thing ({self.kind}) strikes {names or 'nobody in particular'}: {full_sentence(self.text)}"


class ConsequenceWritten(ConsequenceSaid):
    """The terrible thing, and whom it strikes."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-4", "DT-AMB-23")


class ConsequenceAmended(ConsequenceSaid):
    """The world master has written the terrible thing anew."""

    rules: ClassVar[tuple[str, ...]] = ("DT-AMB-59",)

    reason: str


class MiracleDue(Event[State]):
    """The thirteenth die stands: its placer chooses a miracle."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5",)

    miracle: UUID
    placement: UUID
    actor: UUID

    def apply(self, state: State) -> None:
        state.miracles[self.miracle] = Miracle(self.miracle, self.placement, self.actor)

    def sentence(self, state: State) -> str:
        return f"The tower has {MIRACLE_HEIGHT} dice: a miracle for {state.actors[self.actor].name} to choose."


class MiracleChosen(Event[State]):
    """The placer has chosen the miracle."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5", "DT-AMB-8")

    miracle: UUID
    kind: MiracleKind
    target: UUID

    def apply(self, state: State) -> None:
        state.miracles[self.miracle] = replace(state.miracles[self.miracle], kind=self.kind, target=self.target)

    def sentence(self, state: State) -> str:
        name = state.actors[self.target].name
        if self.kind is MiracleKind.REVIVE:
            return f"The miracle brings {name} back."
        return f"The miracle adds a die to all that {name} rolls."


class BonusGranted(Event[State]):
    """Somebody rolls a die more, to the end of the encounter or the scene."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5", "DT-AMB-24")

    miracle: UUID
    actor: UUID
    until: Until

    def apply(self, state: State) -> None:
        state.bonuses[self.miracle] = Bonus(self.miracle, self.actor, self.until)

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} rolls a die more until the {self.until} is over."


class BonusEnded(Event[State]):
    """The die of a miracle is used up."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5", "DT-AMB-54")

    miracle: UUID
    actor: UUID
    until: Until

    def apply(self, state: State) -> None:
        del state.bonuses[self.miracle]

    def sentence(self, state: State) -> str:
        return f"The die of the miracle leaves {state.actors[self.actor].name}."


class TowerTakenDown(Event[State]):
    """After the miracle the tower is taken down, without a terrible thing."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-6", "DT-AMB-9")

    height: int
    """The height before it."""

    def apply(self, state: State) -> None:
        take_down(state)

    def sentence(self, state: State) -> str:
        return "The tower is taken down."


class TowerReset(Event[State]):
    """The world master has the tower built anew, perhaps of another kind."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-7", "DT-AMB-22")

    mode: Mode
    half_width: int
    height: int
    """The height now: 0."""
    reason: str

    def apply(self, state: State) -> None:
        take_down(state)
        state.set_tower(mode=self.mode, half_width=self.half_width)

    def sentence(self, state: State) -> str:
        return f"The tower is taken down.{remark(self.reason)}"


def end_placement(
    state: State,
    placed: DiePlaced | TowerFell,
    status: PlacementStatus,
    level: int | None = None,
    axis: Axis | None = None,
) -> None:
    """Record what a die has left or brought down, with the tower as it was then: enough to check it, or to draw it."""
    state.placements[placed.placement] = replace(
        state.placements[placed.placement],
        status=status,
        height=placed.height,
        dice=placed.dice,
        half_width=state.tower.half_width if placed.centres else None,
        centres=placed.centres,
        level=level,
        axis=axis,
    )


def take_down(state: State) -> None:
    """No die stands any more."""
    for level in list(state.dice):
        del state.dice[level]
    state.set_tower(height=0)
