"""The site of a new city is chosen: by a GM, or by silence (prompt CITY.site, section 11.2; G2-CITY-5, G2-CITY-6).

While the question is open the race is civilized without a city, and nothing about it is settled; a casting of which it
is asked is not finished. Before the board is open the century waits for it.
"""

import json
from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.board.board import Square
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import carried_by
from games.gods2.rules.cascade.aftermath import settle_races
from games.gods2.rules.casting.completion import finish_casting
from games.gods2.rules.casting.rules import enter_deed
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.cities.rules import city_site, found_city_at
from games.gods2.rules.effects.triggers import run_with_triggers
from games.gods2.rules.history.naming import ask_name, things_made_by
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.state.questions import CASTING
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Value

Steps = Iterator[Event]


class WaitingCity(Value, extra="ignore"):
    """What must be known of a city until its site is chosen."""

    race: UUID
    cause: str
    casting: UUID | None = None


def waiting_city(state: State, ctx: Context, asked: Prompt) -> WaitingCity:
    """The city that waits for its site: the deadline of the question carries it."""
    return WaitingCity.model_validate(json.loads(carried_by(state, ctx, asked.id)))


def take_nearest_site(state: State, ctx: Context, asked: Prompt, late: Sequence[UUID]) -> Steps:
    """No GM has chosen in time: the city stands nearest to the centre of the territory."""
    waiting = waiting_city(state, ctx, asked)
    yield from close(state, asked.id, "deadline")
    yield from finish_city(state, ctx, waiting, city_site(state, waiting.race), asked.lane)


def finish_city(state: State, ctx: Context, waiting: WaitingCity, site: Square | None, lane: str) -> Steps:
    """The city is founded with all that follows from it; then a casting that has waited for it goes on.

    A race that a correction has ended or made uncivilized meanwhile founds nothing.
    """
    author = state.authorships.get(waiting.casting) if waiting.casting is not None else None
    caster = author.primary if author is not None else None
    city: CityFounded | None = None
    if site is not None and state.races[waiting.race].level is Level.CIVILIZED:
        for event in run_with_triggers(state, ctx, found_city_at(state, ctx, waiting.race, site, waiting.cause)):
            yield event
            city = event if isinstance(event, CityFounded) else city
    yield from settle_races(state, ctx, waiting.cause)
    if city is not None:
        text = city.sentence(state)
        squares = (city.square.square,)
        entry = enter_history(
            state, ctx, kind="city", cause=waiting.cause, words=text, squares=squares, casting=waiting.casting
        )
        yield from enter_deed(entry, caster)
        if caster is not None:
            for made in things_made_by(city):
                yield from ask_name(state, ctx, caster, made)
    if lane == CASTING:
        yield from finish_casting(state, ctx)
