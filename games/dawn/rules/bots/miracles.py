"""What bots wish of miracles: what they have lost back, what they may lose saved, and for riches something new.

A wish names a command that the rules accept, or none. It is thrown for, so that a turn comes to its end.
"""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.bots.gifts import TAGS
from games.dawn.rules.bots.naming import THINGS, fresh_legend, fresh_name
from games.dawn.rules.bots.war import is_possible
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.records import City
from games.dawn.rules.state.schema_types import EdgeTag, Place, Price, WonderKind, Works
from games.dawn.rules.state.state import At, State
from games.dawn.rules.war.reach import without_path
from games.dawn.rules.wonders.commands import WorkWonder
from games.dawn.rules.wonders.miracles import lands_of_peoples, last_of_races
from games.engine.dice import Tray
from games.engine.kernel import Command

RULE = "bot"
RICHES = 2
"""From so many times the price on a bot works miracles for what is cheaper otherwise: an edge as a gift, an avatar who
is created (section 4)."""
WHIMS = 12
"""One time in so many in which no other miracle makes sense, it makes an artifact, of which it gains nothing."""


def bless(state: State, seat: UUID, tray: Tray) -> Command | None:
    """Every other time a miracle, if there is sense in one: of the kinds that make sense the dice choose. If there is
    none, seldom an artifact."""
    use = f"bot/{seat}/{state.info.timers_set}/bless"
    if state.balance(seat) < PRICES[Price.MIRACLE][state.course.age - 1] or tray.roll(use, 2, RULE) == 1:
        return None
    kinds = (_restoring(state, seat), _saving(state, seat), _teaching(state, seat))
    fit = [possible for kind in kinds if (possible := [each for each in kind if is_possible(state, seat, each)])]
    if not fit and tray.roll(f"{use}/whim", WHIMS, RULE) == 1:
        fit = [made for made in (list(_making(state, seat)),) if made]
    return tray.draw(f"{use}/which", tray.draw(f"{use}/kind", fit, RULE), RULE) if fit else None


def _restoring(state: State, seat: UUID) -> Iterator[WorkWonder]:
    """The last of a race that it has created; if it is rich, an avatar of its own who does not return without it."""
    for race in last_of_races(state).values():
        if seat in race.creators:
            yield _miracle(Works.RESTORE, min(state.land_of(race.id)), race.id)
    fallen = sorted(state.avatars.values(), key=lambda a: a.id) if _is_rich(state, seat) else ()
    for avatar in fallen:
        if avatar.owner == seat and not (avatar.alive or avatar.returning):
            yield _miracle(Works.RESTORE, (avatar.x, avatar.y), avatar.id)


def _saving(state: State, seat: UUID) -> Iterator[WorkWonder]:
    """A city of its own without army that nobody saves, and that armies of another god can reach."""
    for city in sorted(state.cities.values(), key=lambda c: c.id):
        mine = city.controller == seat and not city.saved_by and not state.armies_in(city.id)
        if mine and _is_in_reach(state, city):
            yield _miracle(Works.SAVE_CITY, (city.x, city.y), city.id)


def _is_in_reach(state: State, city: City) -> bool:
    """Whether armies of another god find a way to a city."""
    others = [army for army in state.armies.values() if state.cities[army.city].controller != city.controller]
    return bool(others) and len(without_path(state, others, (city.x, city.y))) < len(others)


def _teaching(state: State, seat: UUID) -> Iterator[WorkWonder]:
    """Ships for a race that it has created and that crosses no water yet, if it is rich."""
    if not _is_rich(state, seat):
        return
    ships = next(name for name, tags in TAGS.items() if EdgeTag.CROSSES_WATER in tags)
    for race in state.living_races():
        known = {tag for edge in state.edges_of(race.id) for tag in edge.tags}
        land = state.land_of(race.id)
        if seat in race.creators and land and not known:
            yield _miracle(Works.BREAKTHROUGH, min(land), race.id, edge=ships, tags=TAGS[ships])


def _making(state: State, seat: UUID) -> Iterator[WorkWonder]:
    """An artifact for a race that it has created, or for a city of its own; for who has none yet."""
    mine = {race.id for race in state.living_races() if seat in race.creators}
    mine |= {city.id for city in state.cities.values() if city.controller == seat}
    named = {"artifact": fresh_name(state, seat, THINGS), "text": fresh_legend(state, seat)}
    for holder, land in lands_of_peoples(state).items():
        if holder in mine and not state.artifacts_of(holder):
            yield _miracle(Works.ARTIFACT, min(land), holder).model_copy(update=named)


def _is_rich(state: State, seat: UUID) -> bool:
    return state.balance(seat) >= RICHES * PRICES[Price.MIRACLE][state.course.age - 1]


def _miracle(works: Works, at: At, target: UUID, edge: str | None = None, tags: tuple[EdgeTag, ...] = ()) -> WorkWonder:
    area = (Place(x=at[0], y=at[1]),)
    return WorkWonder(kind=WonderKind.MIRACLE, squares=area, works=works, targets=(target,), edge=edge, tags=tags)
