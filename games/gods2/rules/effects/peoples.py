"""Peoples of a second Creation (G2-CREA-3, 4): `race_add` puts a new one on the Earth, `attribute_add` gives a trait.

A new people begins with one unit on each square that is named; the rest of its units go where its level places new
ones. It worships its caster by the share of its power, and nobody else.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.names import name_with_number
from games.engine.audience import PUBLIC
from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.cults import POINT, member_of
from games.gods2.rules.effects.events import AttributeGained
from games.gods2.rules.effects.terraforming import at
from games.gods2.rules.geometry.placement import ground_of, place
from games.gods2.rules.pack.operations import AttributeAdd, RaceAdd
from games.gods2.rules.setup.events import RaceDefined
from games.gods2.rules.setup.newcomers import level_of, limits_of_newcomers
from games.gods2.rules.state.records import ATHEISM, WHOLE
from games.gods2.rules.state.shares import share_list
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Place, held_units
from games.gods2.rules.workings.context import Doing, Working

Steps = Iterator[Event]
RULES = ("G2-CREA-3",)


def attributes_of(effect: RaceAdd) -> tuple[str, ...]:
    """The attributes of a new people."""
    return (effect.attribute,) if effect.attribute else ()


def knowledges_of(effect: RaceAdd) -> tuple[str, ...]:
    """What a new people knows."""
    return (effect.knowledge,) if effect.knowledge else ()


def room_for(state: State, effect: RaceAdd) -> NDArray[np.int64]:
    """How many units of the new people each square holds, whoever lives on it now."""
    return limits_of_newcomers(state, attributes_of(effect), knowledges_of(effect))


def check_race(state: State, working: Working, effect: RaceAdd) -> None:
    """Refuse (`square.taken`, `square.full`) a named square on which the people cannot begin; `member.missing`."""
    member_of(state, working, "caster")
    room = room_for(state, effect)
    for square in working.squares:
        if state.board.people_at(square) is not None:
            message = f"Another people lives at {at(square)}; name free squares."
            raise Refused("square.taken", message, rules=("G2-MAP-6", *RULES), square=at(square))
        if room[square] < 1:
            message = f"The square {at(square)} holds nobody of the {effect.name}; name squares on which they can live."
            raise Refused("square.full", message, rules=("G2-LIM-1", *RULES), square=at(square), limit=0)


def new_people(state: State, ctx: Context, working: Working, effect: RaceAdd) -> RaceDefined:
    """The new people with its units where they stand: one on each named square first, then by its level's placing."""
    share = effect.share * POINT
    shares = {member_of(state, working, "caster"): share, **({ATHEISM: WHOLE - share} if share < WHOLE else {})}
    firsts = working.squares[: effect.units]
    born = RaceDefined(
        race=ctx.mint(PUBLIC),
        name=name_with_number(effect.name, [race.name for race in state.races.values()]),
        attributes=attributes_of(effect),
        knowledges=knowledges_of(effect),
        level=level_of(state, knowledges_of(effect)),
        pantheon=share_list(shares),
        placed=tuple(Held(square=Place.of(square), units=1) for square in firsts),
        cities=(),
        cause=working.cause,
        casting=working.casting,
    )
    return born.model_copy(update={"placed": held_units(_spread(state, born, effect.units - len(firsts)))})


def _spread(state: State, born: RaceDefined, more: int) -> dict[Square, int]:
    """Its units by square when so many more are placed; those that find no room are not born."""
    probe = state.twin()
    born.apply(probe)
    ground = ground_of(probe, born.race)
    units = dict(ground.units)
    place(born.level, ground, units, more)
    return units


def _race_add(state: State, ctx: Context, working: Working, effect: RaceAdd) -> Steps:
    yield new_people(state, ctx, working, effect)


def check_attribute(state: State, working: Working, effect: AttributeAdd) -> None:
    """Refuse (`target.unfit`) a people that has the attribute already."""
    race = state.races[working.race]
    if effect.attribute in race.attributes:
        name = state.pack.attributes[effect.attribute].name
        raise Refused("target.unfit", f"{race.name} have the trait {name} already.", rules=("G2-CREA-4",))


def _attribute_add(state: State, ctx: Context, working: Working, effect: AttributeAdd) -> Steps:
    if effect.attribute not in state.races[working.race].attributes:
        yield AttributeGained(
            race=working.race, attribute=effect.attribute, cause=working.cause, casting=working.casting
        )


RACE_ADD = Doing(_race_add, check_race, on_race=False)
ATTRIBUTE_ADD = Doing(_attribute_add, check_attribute)
