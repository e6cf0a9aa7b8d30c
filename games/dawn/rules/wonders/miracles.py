"""The works of a miracle (DW-MIR-7..10): a city saved, a breakthrough, what was nearly lost restored, an artifact."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from uuid import UUID

from core.names import is_among
from games.dawn.rules.command.safety import end_in_words
from games.dawn.rules.races.edges import require_new_edge
from games.dawn.rules.state.records import City, Race
from games.dawn.rules.state.schema_types import Life, Place
from games.dawn.rules.state.state import At, State
from games.dawn.rules.wonders.events import AvatarRestored, CitySaved, ProtectionEnded, RaceRestored
from games.engine.artifacts.rules import make_artifact, require_free_name
from games.engine.errors import Refused
from games.engine.kernel import Context, Event


def unfit(message: str, *rules: str) -> Refused:
    """The refusal of a wonder whose work does not fit its area or what it names."""
    return Refused("effect.invalid", message, rules=rules or ("DW-MIR-2", "DW-MIR-3"))


# -- save_city ------------------------------------------------------------------------------------------------------


def cities_in(state: State, area: Iterable[At]) -> dict[UUID, City]:
    """The cities in an area, by name."""
    here = set(area)
    found = (city for city in state.cities.values() if (city.x, city.y) in here)
    return {city.id: city for city in sorted(found, key=lambda c: (c.name, c.id))}


def check_saving(state: State, god: UUID, targets: Sequence[UUID], area: Iterable[At]) -> None:
    """Refuse (`effect.invalid`) what is no city of the area, or (`city.saved`) what the god has saved already."""
    here = cities_in(state, area)
    if not targets or len(set(targets)) < len(targets) or not here.keys() >= set(targets):
        raise unfit("Name cities in the area, each once.", "DW-MIR-7")
    for city in map(here.__getitem__, targets):
        if god in city.saved_by:
            raise Refused(
                "city.saved",
                f"A miracle of yours saves {city.name} {end_in_words(state, city)}; name another city.",
                rules=("DW-MIR-7",),
                city=str(city.id),
                saved_by=[str(saver) for saver in state.in_turn_order(city.saved_by)],
            )


def save_cities(targets: Sequence[UUID], god: UUID) -> Iterator[Event]:
    """Each of the cities is saved until the god's next turn begins."""
    for city in targets:
        yield CitySaved(city=city, by=god)


def end_protection(state: State, gods: Collection[UUID]) -> Iterator[Event]:
    """What these gods have saved is saved by them no longer."""
    for city in sorted(state.cities.values(), key=lambda c: c.id):
        for god in state.in_turn_order(set(city.saved_by) & set(gods)):
            yield ProtectionEnded(city=city.id, by=god)


# -- breakthrough ---------------------------------------------------------------------------------------------------


def lands_of_peoples(state: State) -> dict[UUID, set[At]]:
    """The living races with territory, then the cities of living races: the squares on which each is hit."""
    living = {race.id: state.land_of(race.id) for race in state.living_races()}
    races = {race: land for race, land in living.items() if land}
    every = cities_in(state, state.squares)
    return races | {city.id: {(city.x, city.y)} for city in every.values() if city.race in living}


def check_breakthrough(state: State, targets: Sequence[UUID], area: Collection[At], edge: str | None) -> None:
    """Refuse (`effect.invalid`) more or less than one race or city of the area, or no edge.

    Raises `target.missing`, `race.extinct`, `edge.exists`.
    """
    if len(targets) != 1 or edge is None:
        raise unfit("Name one race or city in the area, and the edge that it gains.", "DW-MIR-8")
    require_new_edge(state, targets[0], edge)
    if lands_of_peoples(state).get(targets[0], set()).isdisjoint(area):
        raise unfit(f"{state.title(targets[0])} has nothing in this area.", "DW-MIR-8")


# -- restore --------------------------------------------------------------------------------------------------------


def last_of_races(state: State) -> dict[UUID, Race]:
    """The near-extinct races, by name."""
    return {race.id: race for race in state.living_races() if race.life is Life.NEAR_EXTINCT}


def fallen_avatars(state: State) -> list[UUID]:
    """The avatars who have fallen, anybody's, by name."""
    fallen = (avatar for avatar in state.avatars.values() if not avatar.alive)
    return [avatar.id for avatar in sorted(fallen, key=lambda a: (a.name, a.id))]


def check_restoring(state: State, targets: Sequence[UUID], area: Collection[At]) -> None:
    """Refuse (`effect.invalid`) all but one near-extinct race with territory in the area, or one fallen avatar and one
    square for them to stand on."""
    if len(targets) != 1 or targets[0] not in (*last_of_races(state), *fallen_avatars(state)):
        raise unfit("Name one race that is near extinct, or one avatar who has fallen.", "DW-MIR-9")
    if targets[0] in state.races and state.land_of(targets[0]).isdisjoint(area):
        raise unfit(f"{state.title(targets[0])} have no territory in this area.", "DW-MIR-9")
    if targets[0] in state.avatars and len(area) != 1:
        raise unfit(f"{state.title(targets[0])} returns to one square; name that alone.", "DW-MIR-9", "DW-AMB-63")


def restore(state: State, target: UUID, at: Place) -> Event:
    """A race is near extinct no longer, or an avatar stands on a square again."""
    return RaceRestored(race=target) if target in state.races else AvatarRestored(avatar=target, square=at)


# -- artifact -------------------------------------------------------------------------------------------------------

MAKING = ("DW-MIR-10",)


def check_artifact(state: State, targets: Sequence[UUID], area: Collection[At], name: str | None) -> None:
    """Refuse (`effect.invalid`) an artifact without a name, and more than one holder or one that is not in the area.

    Raises `name.taken`, `target.missing`, `race.extinct`.
    """
    if name is None or len(targets) > 1:
        raise unfit("Name the artifact, and one race or city in the area that has it, or nobody.", *MAKING)
    require_free_name(state, name, MAKING)
    for holder in targets:
        state.people(holder)
        if lands_of_peoples(state).get(holder, set()).isdisjoint(area):
            raise unfit(
                f"{state.title(holder)} has nothing in this area; choose another square, or another holder.", *MAKING
            )


def make_wondrous_artifact(
    state: State, ctx: Context, name: str, targets: Sequence[UUID], description: str
) -> Iterator[Event]:
    """An artifact comes into the world.

    A game-master's hand may come between: nobody has it where the holder can hold nothing any more, and none is made
    where the name has been taken (DW-AMB-64).
    """
    if is_among(name, state.names_in(state.artifacts)):
        return
    holder = next((target for target in targets if target in set(state.possible_holders())), None)
    yield from make_artifact(state, ctx, name, holder, description=description, rules=MAKING)
