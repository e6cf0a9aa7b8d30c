"""Growth as facts: its order, previews, migrations, and what has grown (G2-GROW-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.effect_records import GrowthPlan, Migration, Preview
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Direction, Held, Place
from games.gods2.rules.state.wording import DIRECTIONS
from games.gods2.rules.units.events import add_units


class GrowthOrderSet(ForGm[State]):
    """A GM has settled in which order the races will grow."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-1",)

    century: int
    races: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        state.growth_plans[state.info.id] = GrowthPlan(state.info.id, self.century, self.races)

    def sentence(self, state: State) -> str:
        names = ", ".join(state.races[r].name for r in self.races)
        return f"In century {self.century} the races will grow in this order: {names}."


KIND = "growth"


class GrowthPreviewed(ForGm[State]):
    """Where a race would stand after its growth by the rules."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-10",)

    prompt: UUID
    race: UUID
    placed: tuple[Held, ...]
    """All its units, old and new, by square."""

    def apply(self, state: State) -> None:
        state.previews[self.prompt] = Preview(self.prompt, KIND, self.race, "{}")

    def sentence(self, state: State) -> str:
        units, squares = quantity(sum(h.units for h in self.placed), "unit"), quantity(len(self.placed), "square")
        return f"{state.races[self.race].name} would stand on {squares} with {units}."


class GrowthPlacementSet(ForGm[State]):
    """A GM has placed the units of a race that grows."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-10",)

    prompt: UUID
    race: UUID
    placed: tuple[Held, ...]

    def sentence(self, state: State) -> str:
        return f"The GM places the units of {state.races[self.race].name}."


class MigrationOrdered(Event[State]):
    """A race will migrate at its next growth."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-11",)

    race: UUID
    direction: Direction | None = None
    square: Place | None = None
    casting: UUID | None = None
    until: int | None = None
    """The last century in whose growth it counts; none: in the next growth alone."""

    def apply(self, state: State) -> None:
        goal = self.square.square if self.square else None
        state.migrations[self.race] = Migration(self.race, self.direction, goal, self.casting, self.until)

    def sentence(self, state: State) -> str:
        to = (
            f"towards {self.square.x}, {self.square.y}"
            if self.square
            else f"to the {DIRECTIONS.get(self.direction or '', 'unknown')}"
        )
        return f"{state.races[self.race].name} will migrate {to}."


class MigrationEnded(Event[State]):
    """An order of migration is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-11",)

    race: UUID

    def apply(self, state: State) -> None:
        del state.migrations[self.race]

    def sentence(self, state: State) -> str:
        race = state.races[self.race]
        return f"{race.name} {'migrate no more' if race.extinct else 'have migrated'}."


class RaceGrew(Event[State]):
    """A race has grown at the start of a century."""

    rules: ClassVar[tuple[str, ...]] = ("G2-POP-3", "G2-POP-4", "G2-GROW-10")

    race: UUID
    before: int
    rate: int
    gained: int
    """New units, with those that found no square."""
    placed: tuple[Held, ...]

    def apply(self, state: State) -> None:
        add_units(state, self.race, self.placed)
        race = state.races[self.race]
        if race.peak < self.before:
            state.races[self.race] = replace(race, peak=self.before)
        if self.race in state.era.growing:
            state.set_era(growing=tuple(r for r in state.era.growing if r != self.race))

    def sentence(self, state: State) -> str:
        after = quantity(self.before + self.gained, "unit")
        return f"{state.races[self.race].name} grow by {self.rate}%, from {self.before} to {after}."
