"""Settling (G2-CITY-10): what follows from any event, repeated until nothing changes.

(1) cities on squares without their people are destroyed; (2) a race without its last city loses Civilization (CITY-9)
and levels follow; (3) units above a limit move or starve (LIM-4). Then a race without units is extinct (POP-5).
"""

from collections.abc import Iterable, Iterator
from functools import partial
from uuid import UUID

import numpy as np

from games.engine.kernel import Context, Event
from games.engine.settling import settle_rounds
from games.engine.timer import clear_timer
from games.gods2.rules.artifacts.rules import pass_on_from_race
from games.gods2.rules.cascade.events import RaceDestroyed, WarLapsed
from games.gods2.rules.cities.events import CivilizationLost, LevelChanged
from games.gods2.rules.cities.rules import destroy_city, level_of, site_questions
from games.gods2.rules.declarations.gm_prompts import close_war_questions
from games.gods2.rules.declarations.groups import battle_schedule
from games.gods2.rules.declarations.rules import war_key
from games.gods2.rules.geometry.adjacency import owned_cities
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.placement import change_to, ground_of, stood
from games.gods2.rules.gm_previews.rules import close_void_previews
from games.gods2.rules.growth.events import MigrationEnded
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pantheon.events import drop_draft
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import own_squares
from games.gods2.rules.state.value_types import held_units, moves
from games.gods2.rules.units.events import UnitsMoved, UnitsStarved
from games.gods2.rules.units.rules import anger
from games.gods2.rules.workings.modifications import end_of_race, war_over


def settle(state: State, ctx: Context, cause: str, races: Iterable[UUID] | None = None) -> Iterator[Event]:
    """Settle these races, all living ones by default, until nothing changes.

    A race whose new city waits for its site is settled when that is chosen: all effects of a casting come first.
    """
    concerned = sorted(races) if races is not None else [r.id for r in state.living()]
    waiting_for_site = {asked.subject for asked in site_questions(state)}

    def consequences() -> Iterator[Event]:
        for step in (_end_lost_cities, _levels, _over_limit, partial(_extinct, ctx=ctx)):
            for race in concerned:
                if not state.races[race].extinct and race not in waiting_for_site:
                    yield from step(state, race, cause)

    yield from settle_rounds(consequences)


def _end_lost_cities(state: State, race: UUID, cause: str) -> Iterator[Event]:
    """Step 1: cities whose square holds no unit of their race (G2-CITY-7, AMB-24), or which no such race may own."""
    for city in owned_cities(state, race):
        if state.board.people_at(city.square) != race:
            yield from destroy_city(state, city, cause)
        elif level_of(state, race) is not Level.CIVILIZED:
            yield from destroy_city(state, city, "no longer civilized")


def _levels(state: State, race: UUID, cause: str) -> Iterator[Event]:
    """Step 2: Civilization goes with the last city (G2-CITY-9); the level follows the knowledges (G2-LVL-5)."""
    record = state.races[race]
    if level_of(state, race) is Level.CIVILIZED and state.board.units_of(race) and not owned_cities(state, race):
        lost = state.pack.needing(state.pack.giving(Level.CIVILIZED.value))
        gone = tuple(k for k in record.knowledges if k in lost)
        yield CivilizationLost(race=race, knowledges=gone, level=Level.BARBARIAN)
    if level_of(state, race) is not record.level:
        yield LevelChanged(race=race, level=level_of(state, race), cause=cause)


def _over_limit(state: State, race: UUID, cause: str) -> Iterator[Event]:
    """Step 3: only the units above a limit move, as the level places new ones; what does not fit starves (G2-LIM-4)."""
    squares = own_squares(state.board, race)
    if not (state.board.units[squares] > limits(state, race, part=squares)).any():
        return
    ground = ground_of(state, race)
    stand = np.minimum(ground.held, ground.bounds)
    stood(state.races[race].level, ground, stand, int((ground.held - stand).sum()))
    done = change_to(ground, stand, 0)
    if len(done.moved):
        yield UnitsMoved(race=race, moves=moves(done.moved), cause=cause)
    if starved := int(done.starved.units.sum()):
        yield UnitsStarved(
            race=race, losses=held_units(done.starved), units=starved, aggression=anger(state), cause=cause
        )


def _extinct(state: State, race: UUID, cause: str, *, ctx: Context) -> Iterator[Event]:
    """A race without units ends, and so do the wars it has declared or would have to fight (G2-POP-5).

    Its cities go first, in the next round of step 1.
    """
    if state.board.units_of(race) or owned_cities(state, race):
        return
    for order in sorted(o.id for o in state.orders.values() if o.race == race):
        yield from drop_draft(state, order)
    yield from pass_on_from_race(state, race)
    yield RaceDestroyed(race=race, cause=cause)
    if race in state.migrations:
        yield MigrationEnded(race=race)
    yield from end_of_race(state, race)
    yield from count_event(state, "race_destroyed")
    for war in battle_schedule(state):
        if race in (war.attacker, war.defender):
            yield from close_war_questions(state, ctx, war.id)
            yield WarLapsed(war=war.id, reason=f"{state.races[race].name} are extinct")
            yield from clear_timer(state, war_key(war.id))
            yield from war_over(state, war.id)
    yield from close_void_previews(state, ctx)
