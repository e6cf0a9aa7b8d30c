"""What directions to a race or a city may make: cities, territory, armies, targets (DW-CMDR-*, DW-CMDC-*)."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.dawn.rules.command.arguments import (
    Target,
    act_invalid,
)
from games.dawn.rules.command.events import ArmyRaised, CityFounded, armies_raised_this_round
from games.dawn.rules.land.shaping import at_home_on_water, require_fit, squares_domain
from games.dawn.rules.state.constants import RAISED_BY_AVATAR, RAISED_BY_CITY, WATER
from games.dawn.rules.state.records import City, Race
from games.dawn.rules.state.schema_types import Place
from games.dawn.rules.state.state import At, State
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Fields
from games.engine.kernel import Context, Event


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


def aims(state: State, every: Sequence[Target]) -> Iterator[tuple[Fields, list[Target]]]:
    """Targets as they are named, and which: cities by their squares, each avatar in the open beside the square."""
    cities = [t for t in every if t.avatar is None]
    if cities:
        yield Fields({"square": squares_domain([t.square.at for t in cities])}), cities
    for target in every:
        if target.avatar is not None:
            place = squares_domain([target.square.at])
            yield Fields({"square": place, "avatar": Choices.of((target.avatar,))}, required=("avatar",)), [target]
