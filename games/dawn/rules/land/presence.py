"""Presence: where a god may give directions (DW-PRC-2, DW-SUB-4), and where avatars reside (DW-AVA-7). Reads alone."""

from uuid import UUID

from games.dawn.rules.state.records import Avatar, City, Order, Race
from games.dawn.rules.state.schema_types import Life
from games.dawn.rules.state.state import At, State
from games.engine.errors import Refused


def orders_in_force(state: State, race: UUID) -> list[Order]:
    """The orders that give presence in a race, by id: its own; for a subrace without any, those of its parents.

    A parent that is a subrace is looked up the same way; an extinct one gives nothing (DW-MIR-5). Rules: DW-SUB-4.
    """
    found = state.races[race]
    own = [o for o in state.orders.values() if o.race == race and not o.dissolved]
    if own or found.life is Life.EXTINCT:
        return sorted(own, key=lambda o: o.id)
    inherited = {o.id: o for parent in found.parents for o in orders_in_force(state, parent)}
    return [inherited[order] for order in sorted(inherited)]


def has_order(state: State, seat: UUID, race: UUID) -> bool:
    """Whether an order of this god is in force for a race, of whatever kind."""
    return any(seat in order.owners for order in orders_in_force(state, race))


def avatars_of(state: State, seat: UUID) -> list[Avatar]:
    """A god's living avatars, by id."""
    return sorted((a for a in state.avatars.values() if a.alive and a.owner == seat), key=lambda a: a.id)


def present_in(state: State, seat: UUID, race: UUID) -> bool:
    """Whether a god has presence in a race: an order in force, or an avatar on its territory."""
    return has_order(state, seat, race) or any((race, a.x, a.y) in state.territory for a in avatars_of(state, seat))


def present_at(state: State, seat: UUID, city: City) -> bool:
    """Whether a god has presence in a city; control of it alone is none (DW-AMB-8)."""
    return has_order(state, seat, city.race) or any((a.x, a.y) == (city.x, city.y) for a in avatars_of(state, seat))


def presence_missing(name: str, where: str) -> Refused:
    """The refusal of directions where the caster has nobody."""
    return Refused(
        "presence.missing",
        f"You have no order in force for {name} and no avatar {where}; found an order or bring an avatar there.",
        rules=("DW-PRC-2", "DW-SUB-4"),
    )


def require_present_in(state: State, seat: UUID, race: Race) -> None:
    """Refuse (`presence.missing`) a god without presence in a race."""
    if not present_in(state, seat, race.id):
        raise presence_missing(race.name, "on its territory")


def require_present_at(state: State, seat: UUID, city: City) -> None:
    """Refuse (`presence.missing`) a god without presence in a city."""
    if not present_at(state, seat, city):
        raise presence_missing(state.title(city.race), f"in {city.name}")


def require_here(avatar: Avatar, place: str, squares: set[At], rule: str) -> None:
    """Refuse (`presence.missing`) what an avatar does elsewhere than where they stand."""
    if (avatar.x, avatar.y) not in squares:
        raise Refused(
            "presence.missing",
            f"{avatar.name} stands at ({avatar.x}, {avatar.y}), not {place}; move the avatar there first.",
            rules=(rule,),
        )


def resides(state: State, avatar: Avatar, city: City) -> bool:
    """Whether an avatar resides in the city on their square: their god controls it, or they have defended it since."""
    here = avatar.alive and (avatar.x, avatar.y) == (city.x, city.y)
    return here and (avatar.owner == city.controller or avatar.defending)


def residents(state: State, city: City) -> list[Avatar]:
    """The avatars that reside in a city, by id."""
    return [a for a in state.avatars_at((city.x, city.y)) if resides(state, a, city)]
