"""Cities (G2-CITY-1 to 12): where they are founded, how they are lost, and what a race loses with its last one.

A tie between squares is the GMs' to break where they see previews (prompt CITY.site); `site_prompt` takes their answer.
"""

import json
from collections.abc import Iterator, Sequence
from uuid import UUID

import numpy as np

from games.engine.audience import GM, PUBLIC
from games.engine.board.board import Square
from games.engine.board.grid import mask_of
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.wording import quantity
from games.gods2.rules.artifacts.rules import pass_on_from_city
from games.gods2.rules.calendar.rules import leaves_time
from games.gods2.rules.cities.events import CityDestroyed, CityFounded
from games.gods2.rules.geometry.adjacency import Centre, coastal, owned_cities
from games.gods2.rules.geometry.carried_effects import carried_effects
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import works_for
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pack.operations import LevelSet
from games.gods2.rules.state.constants import LEVELS, SQUARES_A_CITY
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTIVE, City, CityKind, Level, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.window.prompts import ask_question

BEFORE_THE_BOARD_OPENS = "before the board opens"
"""The case of the question for a site of which no casting is the cause."""
BEFORE_THE_BOARD = (Phase.GROWTH, Phase.STARTING)
"""The century waits in these phases for a site."""


def level_of(state: State, race: UUID) -> Level:
    """The level that a race's knowledges give, not below its floor (G2-LVL-1).

    What is no knowledge makes nobody civilized who owns no city (G2-CITY-8): it would be lost again at once.
    """
    given = [Level.PRIMITIVE, state.races[race].floor]
    for source, effect in carried_effects(state, race, LevelSet):
        if works_for(state, race, effect):
            is_permanent = source.startswith("knowledge:") or bool(owned_cities(state, race))
            level = Level(effect.level)
            given.append(level if is_permanent else min(level, Level.BARBARIAN, key=LEVELS.index))
    return max(given, key=LEVELS.index)


def room_for_city(squares: int, cities: int) -> bool:
    """Whether a race with so many inhabited squares may have one city more (G2-CITY-4); the first needs no number."""
    return squares >= SQUARES_A_CITY * cities


def counted_city_number(state: State, race: UUID) -> int:
    """The cities of a race as they count for a further one: a great one once, or twice by a setting (AMB-16)."""
    great = options_of(state).great_city_counts
    return sum(great if city.kind is CityKind.GREAT else 1 for city in owned_cities(state, race))


def tied_sites(state: State, race: UUID) -> list[Square]:
    """Where a new city may stand: the squares with most units and no city, limits above 0 first (G2-CITY-5).

    Several are a tie; the one nearest to the centre of the territory comes first, then lowest row, column (G2-CITY-6,
    AMB-17). Empty when every square has a city.
    """
    own = Standing.now(state.board, race)
    centre = Centre(max(1, len(own)), int(own.rows.sum()), int(own.columns.sum()))
    barren = limits(state, race, Level.CIVILIZED, part=(own.rows, own.columns)) <= 0
    built = mask_of(state.board.terrain.shape, (city.square for city in state.cities.values()))
    open_to = np.flatnonzero(~built[own.rows, own.columns])
    order = open_to[np.lexsort((-own.units[open_to], barren[open_to]))]
    tied = order[(barren[order] == barren[order[:1]]) & (own.units[order] == own.units[order[:1]])]
    rows, columns = own.rows[tied], own.columns[tied]
    nearest = tied[np.lexsort((columns, rows, centre.distances(rows, columns)))]
    return [own.square(place) for place in nearest.tolist()]


def city_site(state: State, race: UUID) -> Square | None:
    """Where the rules put a new city; None when every square has one."""
    return next(iter(tied_sites(state, race)), None)


def can_found_city(state: State, race: UUID, *, free: bool = False) -> bool:
    """Whether a race may found a city now (G2-CITY-4, G2-CITY-8)."""
    try:
        check_city(state, race, free=free)
    except Refused:
        return False
    return True


def check_city(state: State, race: UUID, *, free: bool = False) -> Square:
    """Where a city may be founded. Raises `city.squares`, and `race.invalid` when the race is not civilized."""
    record, squares = state.race(race), int(state.board.own(race).sum())
    owned, site = counted_city_number(state, race), city_site(state, race)
    if record.level is not Level.CIVILIZED:
        raise Refused(
            "race.invalid",
            f"{record.name} are {record.level}; only civilized races own cities.",
            rules=("G2-CITY-8",),
        )
    if site is None or (not free and not room_for_city(squares, owned)):
        cities = quantity(len(owned_cities(state, race)), "city")
        raise Refused(
            "city.squares",
            f"{record.name} live on {quantity(squares, 'square')} and own {cities}; "
            f"one more needs {SQUARES_A_CITY * owned} inhabited squares, one of them without a city.",
            rules=("G2-CITY-4",),
            squares=squares,
            cities=len(owned_cities(state, race)),
        )
    return site


def found_city(
    state: State, ctx: Context, race: UUID, cause: str, *, free: bool = False, casting: UUID | None = None
) -> Iterator[Event]:
    """Found a city of a race, or ask the GMs where when several squares are equally good (prompt CITY.site).

    free: without the rule of six squares (G2-CITY-3). Raises what `check_city` raises.
    """
    site = check_city(state, race, free=free)
    sites = tied_sites(state, race)
    if len(sites) > 1 and may_be_asked(state, ctx):
        yield from ask_site(state, ctx, race, sites, cause, casting)
    else:
        yield from found_city_at(state, ctx, race, site, cause)


def found_city_at(state: State, ctx: Context, race: UUID, site: Square, cause: str) -> Iterator[Event]:
    """A city stands on a square, and the sources that count it hear of it."""
    yield CityFounded(city=ctx.mint(PUBLIC), race=race, square=Place.of(site), kind=CityKind.CITY, cause=cause)
    yield from count_event(state, "city_founded")
    if coastal(state)[site]:
        yield from count_event(state, "coastal_city_founded")


def may_be_asked(state: State, ctx: Context) -> bool:
    """Whether the GMs are asked for a site: the setting says so, and the Activity Phase leaves time for that."""
    in_time = leaves_time(state, ctx, state.window("site"))
    return options_of(state).previews and in_time and state.era.phase in (*ACTIVE, *BEFORE_THE_BOARD)


def ask_site(
    state: State, ctx: Context, race: UUID, sites: Sequence[Square], cause: str, casting: UUID | None
) -> Iterator[Event]:
    """Ask the GMs on which of these squares a city is founded: in the lane of the casting, or of growth before it."""
    prompt, name = ctx.mint(GM), state.races[race].name
    arguments = {
        "prompt": str(prompt),
        "race": str(race),
        "cause": cause,
        "casting": None if casting is None else str(casting),
    }
    yield from ask_question(
        state,
        ctx,
        Asked.SITE,
        race,
        case="" if state.era.phase in ACTIVE else BEFORE_THE_BOARD_OPENS,
        prompt=prompt,
        choices=tuple(spot(site) for site in sites),
        carries=json.dumps(arguments),
        count=len(sites),
        race=name,
        nearest=spot(sites[0]),
    )


def spot(square: Square) -> str:
    """A square as a choice: `x,y`."""
    return f"{square.column},{square.row}"


def site_questions(state: State, lane: str | None = None) -> list[Prompt]:
    """The open questions for sites, by id; all, or those of one lane."""
    return sorted(
        (p for p in state.prompts.values() if p.kind == Asked.SITE and lane in (None, p.lane)), key=lambda p: p.id
    )


def destroy_city(state: State, city: City, cause: str, victor: UUID | None = None) -> Iterator[Event]:
    """A city ends, and the sources that count it hear of it. victor: the race that destroys it in a war."""
    yield from pass_on_from_city(state, city, victor)
    yield CityDestroyed(city=city.id, race=city.race, square=Place.of(city.square), cause=cause)
    yield from count_event(state, "city_destroyed")
