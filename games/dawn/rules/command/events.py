"""What becomes of directions to a race or a city, as facts (DW-CMDR-*, DW-CMDC-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Army, City, Territory
from games.dawn.rules.state.schema_types import Life, Place
from games.dawn.rules.state.state import State
from games.engine.kernel import Event


class CityFounded(Event[State]):
    """A race has a new city; who commanded it controls it. A race that was nearly extinct is saved (DW-MIR-4)."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDR-2", "DW-MIR-4")

    city: UUID
    race: UUID
    square: Place
    name: str
    controller: UUID
    alignment: int

    def apply(self, state: State) -> None:
        x, y = self.square.at
        state.cities[self.city] = City(self.city, self.race, self.name, x, y, self.controller, self.alignment)
        race = state.races[self.race]
        life = Life.ALIVE if race.life is Life.NEAR_EXTINCT else race.life
        state.races[self.race] = replace(race, life=life, had_city=True)

    def sentence(self, state: State) -> str:
        return f"{self.name}, a city of {state.title(self.race)}, is founded at ({self.square.x}, {self.square.y})."


class TerritorySettled(Event[State]):
    """A square has joined the territory of a race."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDR-1", "DW-CMDC-1")

    race: UUID
    square: Place

    def apply(self, state: State) -> None:
        x, y = self.square.at
        state.territory[self.race, x, y] = Territory(self.race, x, y)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.race)} settle ({self.square.x}, {self.square.y})."


class ArmyRaised(Event[State]):
    """A city has raised armies; they are of its race and stand in it."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDC-2",)

    city: UUID
    armies: tuple[UUID, ...]
    most: int
    """How many the city may raise in this round."""

    def apply(self, state: State) -> None:
        city = state.cities[self.city]
        for army in self.armies:
            state.armies[army] = Army(army, city.id, city.race)
        raised = armies_raised_this_round(state, city) + len(self.armies)
        state.cities[city.id] = replace(city, raised=raised, raised_in=state.course.rounds, most_raised=self.most)

    def sentence(self, state: State) -> str:
        return (
            f"{state.title(self.city)} raises {'an army' if len(self.armies) == 1 else f'{len(self.armies)} armies'}."
        )


class DeedRecorded(Event[State]):
    """A deed is recorded; it changes nothing but the chronicle."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDR-1", "DW-CMDC-1", "DW-AVA-6")

    by: UUID
    """The race, the city or the avatar that does it."""
    words: str

    def sentence(self, state: State) -> str:
        return f"{state.title(self.by)}: {self.words}"


def armies_raised_this_round(state: State, city: City) -> int:
    """How many armies a city has raised in this round, by any commander (DW-AMB-48)."""
    return city.raised if city.raised_in == state.course.rounds else 0
