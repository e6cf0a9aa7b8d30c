"""Miracles and catastrophes as facts, and the end of cities and races by them (DW-MIR-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.orders.events import end_orders
from games.dawn.rules.races.events import end_alliances
from games.dawn.rules.state.schema_types import Life, Place, WonderKind, Works
from games.dawn.rules.state.state import At, State
from games.dawn.rules.state.wording import WORKS
from games.engine.kernel import Event


class WonderWorked(Event[State]):
    """A miracle or a catastrophe has come over an area."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-1", "DW-MIR-2")

    kind: WonderKind
    squares: tuple[Place, ...]
    works: Works
    targets: tuple[UUID, ...]
    words: str
    by: UUID

    def sentence(self, state: State) -> str:
        suffix = f" {self.words}" if self.words else ""
        return f"{state.title(self.by)} works a {self.kind}{WORKS[self.works]}.{suffix}"


class CitySaved(Event[State]):
    """A miracle saves a city: until its god's next turn begins it cannot be razed, ravaged or taken."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-7",)

    city: UUID
    by: UUID
    """The god whose miracle it is."""

    def apply(self, state: State) -> None:
        city = state.cities[self.city]
        state.cities[self.city] = replace(city, saved_by=(*city.saved_by, self.by))

    def sentence(self, state: State) -> str:
        return f"Nobody razes, ravages or takes {state.title(self.city)} until the next turn of {state.title(self.by)}."


class ProtectionEnded(Event[State]):
    """A god's miracle saves a city no longer."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-7", "DW-AMB-62")

    city: UUID
    by: UUID
    """The god whose miracle it was."""

    def apply(self, state: State) -> None:
        city = state.cities[self.city]
        state.cities[self.city] = replace(city, saved_by=tuple(god for god in city.saved_by if god != self.by))

    def sentence(self, state: State) -> str:
        return f"The miracle of {state.title(self.by)} saves {state.title(self.city)} no longer."


class RaceRestored(Event[State]):
    """A miracle ends the mark of a race: it is near extinct no longer."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-4", "DW-MIR-9")

    race: UUID

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], life=Life.ALIVE)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.race)} are near extinct no longer."


class AvatarRestored(Event[State]):
    """A miracle brings a fallen avatar back; they lead no army and defend no city."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-9",)

    avatar: UUID
    square: Place

    def apply(self, state: State) -> None:
        x, y = self.square.at
        avatar = state.avatars[self.avatar]
        state.avatars[self.avatar] = replace(avatar, x=x, y=y, alive=True, returning=False, avenging=False)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.avatar)} lives again, at ({self.square.x}, {self.square.y})."


class CityRazed(Event[State]):
    """A city is no more, and its edges with it; avatars there live."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-5",)

    city: UUID
    square: Place
    name: str

    def apply(self, state: State) -> None:
        del state.cities[self.city]
        for edge in state.edges_of(self.city):
            del state.edges[edge.target, edge.name]
        end_alliances(state, self.city)
        for avatar in state.avatars_at(self.square.at):
            state.avatars[avatar.id] = replace(avatar, defending=False)

    def sentence(self, state: State) -> str:
        return f"{self.name} is razed."


class RaceExtinct(Event[State]):
    """A race is extinct: its record stays, its territory, orders and alliances end."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-3", "DW-MIR-5")

    race: UUID

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], life=Life.EXTINCT)
        _shrunk(state, self.race, None)
        end_orders(state, self.race)
        end_alliances(state, self.race)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.race)} are extinct."


class RaceNearlyExtinct(Event[State]):
    """A creator has saved the last of a race, on one square."""

    rules: ClassVar[tuple[str, ...]] = ("DW-MIR-3", "DW-MIR-4")

    race: UUID
    square: Place

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], life=Life.NEAR_EXTINCT)
        _shrunk(state, self.race, self.square.at)

    def sentence(self, state: State) -> str:
        return f"The last of {state.title(self.race)} live on at ({self.square.x}, {self.square.y})."


def _shrunk(state: State, race: UUID, to: At | None) -> None:
    """Take a race's territory away, but for one square."""
    for x, y in sorted(state.land_of(race)):
        if (x, y) != to:
            del state.territory[race, x, y]
