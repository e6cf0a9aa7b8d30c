"""What the rules of Cairns know: piles in the open, hoards in secret, and the tide; and how a game is played."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from pydantic import Field

from games.engine import ruleset
from games.engine.audience import GM_READER, Reader, reader, seat_and_gm
from games.engine.deadlines import SHORTEST
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role, Seat
from games.engine.state import Rows, singleton, table


class Options(ruleset.Options):
    """How a game of Cairns is played."""

    tide_seconds: int = Field(default=60, ge=1, le=3600)
    """Seconds from one tide to the next."""
    tides: int = Field(default=10, ge=1, le=1000)
    """After how many tides the game ends."""
    vote_seconds: int | None = Field(default=None, ge=1, le=604_800)
    """How long ballots are taken; 10 minutes unless said."""
    dice_by_hand: bool = False
    """Whether people enter the dice: a GM, unless `rollers_enter`."""
    rollers_enter: bool = False
    """Whether the roller may enter the dice too, and has 90 seconds for it."""


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

    audience = staticmethod(lambda hoard: seat_and_gm(hoard.id))


@dataclass(frozen=True, slots=True)
class Tide:
    """How often the tide has come."""

    id: UUID
    count: int = 0


class State(GameState):
    """A game of Cairns."""

    piles: Rows[UUID, Pile] = table(Pile, amendable=True)
    hoards: Rows[UUID, Hoard] = table(Hoard, amendable=True)
    tides: Rows[UUID, Tide] = table(Tide, amendable=True)
    tide = singleton(tides)
    thinking_time = timedelta(seconds=1)

    @property
    def chapter(self) -> int:
        return self.tide.count

    def phase_timer(self) -> str | None:
        return "tide" if "tide" in self.timers else None

    def calendar_timers(self) -> Mapping[str, timedelta]:
        is_dated = Options.of(self).tide_seconds >= SHORTEST.total_seconds()
        return {"tide": timedelta(0)} if is_dated and "tide" in self.timers else {}

    def dice_by_hand(self) -> bool:
        return Options.of(self).dice_by_hand

    def hand_dice_seconds(self) -> int:
        return 90 if Options.of(self).rollers_enter else super().hand_dice_seconds()

    def hand_dice_owners(self, seat: UUID | None) -> tuple[Reader, ...]:
        return (GM_READER, reader(seat)) if seat and Options.of(self).rollers_enter else (GM_READER,)

    def joining(self, seat: Seat) -> None:
        if seat.role is Role.PLAYER and len(self.players()) >= 4:
            raise Refused("seats.full", "Four players sit here; watch as an observer.")

    def require_startable(self) -> None:
        if not self.players():
            raise Refused("seats.few", "At least one player must have joined.")


def violations(state: State) -> Iterator[str]:
    if any(pile.stones < 0 for pile in state.piles.values()):
        yield "A pile has less than no stones."
