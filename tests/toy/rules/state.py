"""What the rules of Cairns know: piles in the open, hoards in secret, and the tide."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from games.engine.audience import GM_READER, Audience, Reader, reader, seat_and_gm
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, Seat
from games.engine.state import Rows, singleton, table


@dataclass(frozen=True, slots=True)
class Pile:
    """A seat's stones; everybody sees them."""

    id: UUID
    stones: int = 0
    rolled: int = 0
    """How often its owner has rolled for stones: the label of the next roll."""


@dataclass(frozen=True, slots=True)
class Hoard:
    """A seat's hidden coins."""

    id: UUID
    coins: int = 0

    @staticmethod
    def audience(record: "Hoard") -> Audience:
        return seat_and_gm(record.id)


@dataclass(frozen=True, slots=True)
class Tide:
    """How often the tide has come; `poisoned` makes it fail, for the tests of faults."""

    id: UUID
    count: int = 0
    poisoned: bool = False


class State(GameState):
    """A game of Cairns."""

    piles: Rows[UUID, Pile] = table(Pile, amendable=True)
    hoards: Rows[UUID, Hoard] = table(Hoard, amendable=True)
    tides: Rows[UUID, Tide] = table(Tide, amendable=True)
    tide = singleton(tides)

    thinking_time: ClassVar[timedelta | None] = timedelta(seconds=1)

    def set_tide(self, **changes: Any) -> None:
        self.tide = replace(self.tide, **changes)

    @property
    def chapter(self) -> int:
        return self.tide.count

    def phase_timer(self) -> str | None:
        return "tide" if "tide" in self.timers else None

    def dice_by_hand(self) -> bool:
        return '"dice_by_hand":true' in self.info.options

    def hand_dice_seconds(self) -> int:
        return 90 if self._rollers_enter() else super().hand_dice_seconds()

    def hand_dice_owners(self, seat: UUID | None) -> tuple[Reader, ...]:
        return (GM_READER, reader(seat)) if seat and self._rollers_enter() else super().hand_dice_owners(seat)

    def _rollers_enter(self) -> bool:
        return '"rollers_enter":true' in self.info.options

    def joining(self, seat: Seat) -> None:
        if seat.role is Role.PLAYER and len(self.seats_of(Role.PLAYER)) >= 4:
            raise Refused("seats.full", "Four players sit here; watch as an observer.")

    def invariants(self) -> None:
        if any(p.stones < 0 for p in self.piles.values()):
            raise Refused("amend.invalid", "A pile has less than no stones.")
