"""What is set up before Era Centrum begins, as facts: options and pack, the map, gods, races (G2-MAP, PAN, ATTR)."""

from dataclasses import replace
from datetime import datetime
from typing import ClassVar
from uuid import UUID

import numpy as np

from games.engine.board.board import Board
from games.engine.kernel import Event
from games.engine.lifecycle.amend import canonical
from games.engine.wording import listing, quantity
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Absence, Cards, Feature, God, GodKind, GodStatus, Level, Phase, Race
from games.gods2.rules.state.shares import describe_shares, share_out, shares_of
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf, Cell, CityAt, Held, Place, ShareOf
from games.gods2.rules.state.wording import plan_name


class GameConfigured(Event[State]):
    """The settings of the game."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2", "G2-SET-1")

    options: Gods2Options

    def apply(self, state: State) -> None:
        state.info = replace(state.info, options=canonical(self.options.model_dump(mode="json")))
        state.set_era(plan=self.options.sessions, century_seconds=self.options.seconds)

    def sentence(self, state: State) -> str:
        return plan_name(self.options.sessions, self.options.seconds)


class PackPinned(Event[State]):
    """The data pack that this game is played with."""

    rules: ClassVar[tuple[str, ...]] = ("G2-KNOW-7",)

    pack_version: int
    digest: str

    def apply(self, state: State) -> None:
        state.set_era(pack_version=self.pack_version, pack_digest=self.digest)

    def sentence(self, state: State) -> str:
        return f"The game is played with pack {self.pack_version}."


class MapSet(Event[State]):
    """The map has been set. `cells` or `rows` hold the terrain, whichever the host used."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MAP-1", "G2-MAP-2")

    width: int
    height: int
    cells: tuple[Cell, ...] = ()
    """Row by row."""
    rows: tuple[str, ...] = ()
    """A letter for each square: P, F, D, M, I, W."""

    def apply(self, state: State) -> None:
        letters = "".join(self.rows) or "".join(cell.terrain for cell in self.cells)
        codes = np.frombuffer(letters.encode("ascii"), dtype=np.uint8)
        numbers = np.zeros(128, dtype=np.int8)
        for terrain, letter in enumerate(TERRAINS):
            numbers[ord(letter)] = terrain
        state.board = Board(self.width, self.height)
        state.board.lay(numbers[codes].reshape(self.height, self.width))
        for feature in list(state.features):
            del state.features[feature]

    def sentence(self, state: State) -> str:
        return f"The Earth is {quantity(self.width, 'square')} wide and {self.height} high."


class FeatureAdded(Event[State]):
    """A terrain feature stands on a square."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MAP-7", "G2-FEAT-1")

    feature: UUID
    kind: str
    square: Place
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        state.features[self.feature] = Feature(self.feature, self.square.square, self.kind)

    def sentence(self, state: State) -> str:
        return f"{state.pack.features[self.kind].name} appears at {self.square.x}, {self.square.y}."


class GodDefined(Event[State]):
    """A seat plays this god, demon or spirit."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-2",)

    seat: UUID
    name: str
    kind: GodKind

    def apply(self, state: State) -> None:
        state.gods[self.seat] = God(self.seat, self.name, self.kind)
        common = state.pool
        if self.kind is GodKind.DEMON:
            common = replace(common, demons=tuple(sorted({*common.demons, self.seat})))
        state.pool = common

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} plays the {self.kind} {self.name}."


class CardsSet(ForSeat[State]):
    """The sphere cards a god holds."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-1",)

    seat: UUID
    cards: tuple[CardOf, ...]

    def apply(self, state: State) -> None:
        for key in [k for k in state.cards if k[0] == self.seat]:
            del state.cards[key]
        for card in self.cards:
            if card.count:
                state.cards[self.seat, card.sphere] = Cards(self.seat, card.sphere, card.count)

    def sentence(self, state: State) -> str:
        held = (f"{quantity(c.count, 'card')} of {state.pack.spheres[c.sphere].name}" for c in self.cards)
        return f"{state.gods[self.seat].name} holds {listing(held) or 'no cards'}."


class RaceDefined(Event[State]):
    """A race has been placed on the Earth."""

    rules: ClassVar[tuple[str, ...]] = ("G2-ATTR-1", "G2-LVL-1", "G2-PAN-1")

    race: UUID
    name: str
    attributes: tuple[str, ...]
    knowledges: tuple[str, ...]
    level: Level
    pantheon: tuple[ShareOf, ...]
    placed: tuple[Held, ...]
    cities: tuple[CityAt, ...]
    cause: str = "start"
    """The power that has made it, by its key; `start` where the host or a game-master has defined it."""
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        state.races[self.race] = Race(
            id=self.race, name=self.name, attributes=self.attributes, knowledges=self.knowledges, level=self.level
        )
        state.set_era(learned=tuple(sorted({*state.era.learned, *self.knowledges})))
        share_out(state, self.race, shares_of(self.pantheon))
        for held in self.placed:
            state.board.put(held.square.square, self.race, held.units)

    def sentence(self, state: State) -> str:
        units, gods = sum(h.units for h in self.placed), describe_shares(state, shares_of(self.pantheon))
        return f"{self.name} ({self.level}, {quantity(units, 'unit')}) live on the Earth; their pantheon is {gods}."


class EraPrepared(Event[State]):
    """The setup is complete; Era Centrum begins when the GM opens the first session."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2",)

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.TRANSITION)

    def sentence(self, state: State) -> str:
        races, gods = quantity(len(state.races), "race"), quantity(len(state.gods), "god")
        return f"The game is ready, with {races} and {gods}; the GM opens the first session."


class GodMarked(Event[State]):
    """Whether a god lives."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AMB-48",)

    seat: UUID
    status: GodStatus

    def apply(self, state: State) -> None:
        state.gods[self.seat] = replace(state.gods[self.seat], status=self.status)

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} is {self.status}."


class AbsenceMarked(ForSeat[State]):
    """Whether a player is here; visible to the player and the game-masters."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-2",)

    seat: UUID
    absent: bool

    def apply(self, state: State) -> None:
        state.reseat(self.seat)
        if self.absent:
            state.absences[self.seat] = Absence(self.seat)

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} is {'away' if self.absent else 'here'}."


class SecondCreationCalled(Event[State]):
    """No mortal is left: the next century is a second Creation, unless a GM sets this right before."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-1",)

    century: int
    """The century that will be a Creation."""
    prompt: UUID

    def apply(self, state: State) -> None:
        state.set_era(creation=True)

    def sentence(self, state: State) -> str:
        return f"No mortal is left on the Earth: century {self.century} is to be a second Creation."


class SecondCreationConfirmed(Event[State]):
    """A GM lets the second Creation start."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-1",)

    century: int

    def sentence(self, state: State) -> str:
        return f"The GM lets century {self.century} be a second Creation."


class CreationFailed(Event[State]):
    """A second Creation has ended, and no mortal lives: the era ends with it, unless a GM sets this right before."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-5",)

    century: int

    def apply(self, state: State) -> None:
        state.set_era(creation=False)

    def sentence(self, state: State) -> str:
        return f"The second Creation of century {self.century} has brought forth no mortal."


class CreationOpened(Event[State]):
    """A second Creation begins in place of a century of history."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-1", "G2-CREA-2")

    century: int
    starts_at: datetime
    activity_ends_at: datetime
    ends_at: datetime

    def apply(self, state: State) -> None:
        state.set_era(
            phase=Phase.CREATION,
            century=self.century,
            starts_at=self.starts_at,
            activity_ends_at=self.activity_ends_at,
            ends_at=self.ends_at,
            growing=(),
            creation=True,
        )

    def sentence(self, state: State) -> str:
        return f"Century {self.century} is a second Creation; it ends at {self.ends_at:%H:%M:%S} UTC."


class PackMoved(Event[State]):
    """From now on the game is played with another data pack."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PACK-1",)

    pack_version: int
    digest: str
    former: int
    """The pack it was played with until now."""

    def apply(self, state: State) -> None:
        state.set_era(pack_version=self.pack_version, pack_digest=self.digest)

    def sentence(self, state: State) -> str:
        return f"The game goes on with pack {self.pack_version}; until now it was played with pack {self.former}."
