"""The floor: who may act unasked. Dawn gives it to one god, Gods II opens and shuts it, a Prompt needs none."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from games.engine.errors import Refused


class FloorKind(StrEnum):
    """Shut to all, open to all, or held by some seats."""

    SHUT = "shut"
    OPEN = "open"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Floor:
    """Who may act without being asked; `holders` counts only where the floor is held."""

    kind: FloorKind = FloorKind.SHUT
    holders: tuple[UUID, ...] = ()

    def admits(self, seat: UUID | None) -> bool:
        """Whether this seat may act now."""
        return self.kind is FloorKind.OPEN or (self.kind is FloorKind.HELD and seat in self.holders)

    def require(self, seat: UUID | None) -> None:
        """Refuse a seat that may not act now."""
        if self.kind is FloorKind.SHUT:
            raise Refused("phase.closed", "Nobody may act now; wait until the floor opens.")
        if not self.admits(seat):
            raise Refused("floor.other", "Another seat has the floor; wait for your turn.")

    @classmethod
    def held_by(cls, *seats: UUID) -> "Floor":
        """A floor for these seats only."""
        return cls(FloorKind.HELD, seats)


OPEN = Floor(FloorKind.OPEN)
SHUT = Floor(FloorKind.SHUT)


def clockwise(ring: tuple[UUID, ...], after: UUID) -> UUID:
    """The seat that follows `after` in a fixed ring."""
    return ring[(ring.index(after) + 1) % len(ring)]
