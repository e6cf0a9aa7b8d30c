"""What becomes of directions to a race or a city: cities, territory, armies, deeds (DW-CMDR-*, DW-CMDC-*)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.command.arguments import act_invalid
from games.dawn.rules.land.shaping import at_home_on_water, require_fit
from games.dawn.rules.state.constants import RAISED_BY_AVATAR, RAISED_BY_CITY, WATER
from games.dawn.rules.state.records import Army, City, Race, Territory
from games.dawn.rules.state.schema_types import Life, Place
from games.dawn.rules.state.state import At, State
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event


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
        if race.life is Life.NEAR_EXTINCT:
            state.races[self.race] = replace(race, life=Life.ALIVE)

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


# -- cities ---------------------------------------------------------------------------------------------------------


def check_founding(state: State, race: Race, at: At, name: str) -> None:
    """Refuse a city that cannot be: `square.off_map`, `city.exists`, `square.unfit`, `name.taken`."""
    state.square(at)
    standing = state.city_at(at)
    if standing is not None:
        raise Refused(
            "city.exists",
            f"{standing.name} stands at ({at[0]}, {at[1]}); choose a square without a city.",
            rules=("DW-RACE-5",),
        )
    if (race.id, *at) not in state.territory:
        raise unfit(at, f"is not in the territory of {race.name}; settle it first")
    require_fit(state, (race.id,), at)
    state.require_free_name(name, state.cities)


def founding_squares(state: State, race: Race) -> list[At]:
    """Where a race may have a new city."""
    built = {(c.x, c.y) for c in state.cities.values()}
    return habitable(state, race, state.land_of(race.id) - built)


def found_city(ctx: Context, race: Race, at: At, name: str, controller: UUID) -> Iterator[Event]:
    """A new city: its controller is the commander, its alignment the race's, no army stands in it (DW-CMDR-2)."""
    yield CityFounded(
        city=ctx.mint(PUBLIC),
        race=race.id,
        square=Place(x=at[0], y=at[1]),
        name=name,
        controller=controller,
        alignment=race.alignment,
    )


# -- territory ------------------------------------------------------------------------------------------------------


def check_settling(state: State, race: Race, around: set[At], at: At) -> None:
    """Refuse a square that a race cannot settle from these squares: `square.off_map`, `square.unfit`."""
    state.square(at)
    if (race.id, *at) in state.territory:
        raise unfit(at, f"is in the territory of {race.name} already")
    if around.isdisjoint(state.neighbours(at)):
        raise unfit(at, "does not share an edge with what it is settled from")
    require_fit(state, (race.id,), at)


def settling_squares(state: State, race: Race, around: set[At]) -> list[At]:
    """What a race may settle from these squares."""
    next_to = {n for at in around for n in state.neighbours(at)}
    return habitable(state, race, next_to - state.land_of(race.id))


def habitable(state: State, race: Race, squares: set[At]) -> list[At]:
    """Those of the squares where a race may live (DW-RACE-5)."""
    afloat = at_home_on_water(state, race.id)
    return [at for at in squares if afloat or state.squares[at].terrain not in WATER]


def unfit(at: At, why: str) -> Refused:
    """The refusal of a square."""
    return Refused("square.unfit", f"({at[0]}, {at[1]}) {why}.", rules=("DW-CMDR-1",), x=at[0], y=at[1])


# -- armies ---------------------------------------------------------------------------------------------------------


def armies_raised_this_round(state: State, city: City) -> int:
    """How many armies a city has raised in this round, by any commander (DW-AMB-48)."""
    return city.raised if city.raised_in == state.course.rounds else 0


def most_now(state: State, city: City, *, led: bool) -> int:
    """How many a city may raise in this round: 1, or 2 where an avatar commands it or has done so in this round."""
    if led:
        return RAISED_BY_AVATAR
    return city.most_raised if city.raised_in == state.course.rounds else RAISED_BY_CITY


def check_raising(state: State, city: City, count: int, *, led: bool) -> None:
    """Refuse armies above what a round allows: `act.invalid`, `army.cap`. led: through an avatar."""
    if not 1 <= count <= (RAISED_BY_AVATAR if led else RAISED_BY_CITY):
        raise act_invalid("A city raises 1 army; 2 only through an avatar.", "DW-CMDC-2")
    raised, most = armies_raised_this_round(state, city), most_now(state, city, led=led)
    if raised + count > most:
        raise Refused(
            "army.cap",
            f"{city.name} has raised {raised} in this round and may raise {most}; wait for the next round.",
            rules=("DW-CMDC-2", "DW-AMB-15"),
            raised=raised,
            most=most,
        )


def raise_armies(state: State, ctx: Context, city: City, count: int, *, led: bool) -> Iterator[Event]:
    """New armies of a city."""
    armies = tuple(ctx.mint(PUBLIC) for _ in range(count))
    yield ArmyRaised(city=city.id, armies=armies, most=most_now(state, city, led=led))
