"""Cities and cultural levels as facts (G2-CITY-*, G2-LVL-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import listing
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.records import City, CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place


class CityFounded(Event[State]):
    """A race has a new city."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CITY-3", "G2-CITY-5")

    city: UUID
    race: UUID
    square: Place
    kind: CityKind
    cause: str

    def apply(self, state: State) -> None:
        state.cities[self.city] = City(self.city, self.race, self.square.square, self.kind)

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} found a city at {self.square.x}, {self.square.y}."


class CityRaised(Event[State]):
    """A city has become a great city."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CITY-12",)

    city: UUID
    race: UUID
    square: Place
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        state.cities[self.city] = replace(state.cities[self.city], kind=CityKind.GREAT)

    def sentence(self, state: State) -> str:
        return f"The city of {state.races[self.race].name} at {self.square.x}, {self.square.y} is a great city now."


class CityDestroyed(Event[State]):
    """A city is no more."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CITY-7", "G2-WAR-13", "G2-WAR-14")

    city: UUID
    race: UUID
    square: Place
    cause: str

    def apply(self, state: State) -> None:
        del state.cities[self.city]

    def sentence(self, state: State) -> str:
        at = f"{self.square.x}, {self.square.y}"
        return f"The city of {state.races[self.race].name} at {at} is destroyed ({cause_name(state, self.cause)})."


class CivilizationLost(Event[State]):
    """A race has lost its last city, and with it Civilization and all that needs it; it cannot fall below barbarian."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CITY-9",)

    race: UUID
    knowledges: tuple[str, ...]
    level: Level
    """The level it keeps."""

    def apply(self, state: State) -> None:
        race = state.races[self.race]
        remaining = tuple(k for k in race.knowledges if k not in self.knowledges)
        state.races[self.race] = replace(race, knowledges=remaining, floor=self.level)

    def sentence(self, state: State) -> str:
        names = listing(state.pack.knowledges[k].name for k in self.knowledges)
        return f"{state.races[self.race].name} have lost their last city and forget {names}."


class LevelChanged(Event[State]):
    """A race has another cultural level."""

    rules: ClassVar[tuple[str, ...]] = ("G2-LVL-1", "G2-LVL-5")

    race: UUID
    level: Level
    cause: str

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], level=self.level)

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} are {self.level} now ({cause_name(state, self.cause)})."
