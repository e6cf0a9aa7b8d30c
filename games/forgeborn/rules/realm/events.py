"""Dice come to lie on the sheet: dropped by the service, or entered from a real table (FB-MAP-1 to 3, FB-RUI-2)."""

from typing import ClassVar, Self

from games.engine.kernel import Event
from games.forgeborn.rules.state.records import DroppedDie
from games.forgeborn.rules.state.schema_types import Value
from games.forgeborn.rules.state.sheet import Fall, MapDie, Point
from games.forgeborn.rules.state.state import State


class Spot(Value):
    """A point of the sheet."""

    x: int
    y: int

    @classmethod
    def at(cls, point: Point) -> Self:
        """The spot at a point."""
        return cls(x=point.x, y=point.y)


class DieDropped(Event[State]):
    """A die has fallen on the sheet."""

    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-1", "FB-MAP-2")

    die: str
    """Its name: d12, d10, d8a, ... ; ruins-3 for new Ruins."""
    sides: int
    face: int
    x: int
    y: int
    tries: tuple[Spot, ...]
    """Every point tried, in order; the last one is where it lies."""

    @classmethod
    def of(cls, fall: Fall) -> Self:
        """The event of a fall."""
        die = fall.die
        return cls(
            die=die.name,
            sides=die.sides,
            face=die.face,
            x=die.point.x,
            y=die.point.y,
            tries=tuple(map(Spot.at, fall.tries)),
        )

    def apply(self, state: State) -> None:
        state.dice[self.die] = DroppedDie(self.die, self.sides, self.face, self.x, self.y)


class MapDieEntered(Event[State]):
    """A die of a real table lies on the sheet."""

    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-3",)

    die: str
    sides: int
    face: int
    x: int
    y: int

    @classmethod
    def of(cls, die: MapDie) -> Self:
        """The event of a die that was entered."""
        return cls(die=die.name, sides=die.sides, face=die.face, x=die.point.x, y=die.point.y)

    def apply(self, state: State) -> None:
        state.dice[self.die] = DroppedDie(self.die, self.sides, self.face, self.x, self.y, is_entered=True)
