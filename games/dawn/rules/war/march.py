"""The war order: who may be attacked, which armies march, and the war that it begins (DW-WAR-1..3, DW-WAR-12).

The commands of a race, a city and an avatar judge their order by `check_order` and begin the war by `open_war`, as
their effect; the war itself is fought when the power is resolved (`war.rules`).
"""

from collections.abc import Collection, Iterable, Iterator
from uuid import UUID

from games.dawn.rules.command.arguments import Target, WarOrder, act_invalid
from games.dawn.rules.command.safety import require_unsaved
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.state.records import Army
from games.dawn.rules.state.schema_types import Place
from games.dawn.rules.state.state import State
from games.dawn.rules.war.events import WarDeclared, armies_in_words
from games.dawn.rules.war.reach import without_path
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.wording import listing


def check_order(state: State, cast: Cast, source: Collection[Army], order: WarOrder) -> None:
    """Judge an order to march. source: the armies it may name, under any control (DW-WAR-1).

    Raises `square.off_map`, `target.empty`, `target.own`, `city.saved`, `act.invalid`, `army.missing`,
    `army.foreign`, `path.missing`.
    """
    _check_target(state, cast.caster, order.target)
    armies = _check_armies(state, cast.caster, source, order)
    lost = [] if cast.reach else without_path(state, armies, order.target.square.at)
    if lost:
        cities = sorted({state.title(army.city) for army in lost})
        raise Refused(
            "path.missing",
            f"No way leads there over land for {armies_in_words(len(lost))} of {listing(cities)}; leave them out, or "
            "give them an edge that crosses water or flies. The GM may open a way.",
            rules=("DW-WAR-3",),
            armies=[str(army.id) for army in lost],
        )


def _check_target(state: State, caster: UUID, target: Target) -> None:
    """Refuse a target that is not there, is the attacker's own, or is saved."""
    state.square(target.square.at)
    city = state.city_at(target.square.at)
    if city is not None and target.avatar is not None:
        raise act_invalid(f"{city.name} stands there: attack the city, and name no avatar.", "DW-WAR-2")
    here = {avatar.id: avatar for avatar in state.avatars_at(target.square.at)}
    avatar = here.get(target.avatar) if target.avatar is not None else None
    if city is None and avatar is None:
        raise Refused(
            "target.empty",
            "No city stands there; name an avatar who does." if here else "Neither a city nor an avatar is there.",
            rules=("DW-WAR-2",),
        )
    owner = city.controller if city is not None else avatar.owner if avatar is not None else None
    if owner == caster:
        raise Refused("target.own", "Nobody attacks what is their own.", rules=("DW-WAR-2", "DW-AMB-35"))
    if city is not None:
        require_unsaved(state, city, "taken")


def _check_armies(state: State, caster: UUID, source: Collection[Army], order: WarOrder) -> list[Army]:
    """The armies that march. Raises `army.missing`, `army.foreign`, `act.invalid`."""
    if not order.armies and order.avatar is None:
        raise Refused("army.missing", "Name one army at least that marches.", rules=("DW-WAR-2",))
    if len(set(order.armies)) < len(order.armies):
        raise act_invalid("An army is named twice; name each once.", "DW-WAR-2")
    allowed = {army.id: army for army in source}
    for army in order.armies:
        if army not in state.armies:
            raise Refused("army.missing", "There is no such army; it may have been lost.", rules=("DW-WAR-2",))
        if army not in allowed or state.cities[state.armies[army].city].controller != caster:
            raise Refused(
                "army.foreign",
                "An army that is named is not yours, or not under this command; name those that are.",
                rules=("DW-WAR-12",),
                army=str(army),
            )
    return [allowed[army] for army in order.armies]


def open_war(state: State, ctx: Context, caster: UUID, order: WarOrder) -> Iterator[Event]:
    """The war begins; nobody is asked before the power is resolved (DW-WAR-1)."""
    city = state.city_at(order.target.square.at)
    yield WarDeclared(
        war=ctx.mint(PUBLIC),
        attacker=caster,
        target=order.target.square,
        city=city.id if city else None,
        avatar=None if city else order.target.avatar,
        armies=order.armies,
        alone=None if order.armies else order.avatar,
    )


# -- what is legal --------------------------------------------------------------------------------------------------


def own_armies(state: State, caster: UUID, source: Iterable[Army]) -> list[Army]:
    """Those of the armies that march at a god's word: the ones of that god's cities (DW-WAR-12)."""
    return [army for army in source if state.cities[army.city].controller == caster]


def targets(state: State, caster: UUID) -> list[Target]:
    """Whom a god may attack: the cities of others that no miracle saves, by name, then their avatars in the open."""
    others = (c for c in state.cities.values() if c.controller != caster and not c.saved_by)
    cities = sorted(others, key=lambda c: (c.name, c.id))
    built = {(c.x, c.y) for c in state.cities.values()}
    avatars = (a for a in state.avatars.values() if a.alive and a.owner != caster and (a.x, a.y) not in built)
    return [
        *(Target(square=Place(x=c.x, y=c.y)) for c in cities),
        *(Target(square=Place(x=a.x, y=a.y), avatar=a.id) for a in sorted(avatars, key=lambda a: (a.name, a.id))),
    ]
