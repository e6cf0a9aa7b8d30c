"""What the screen shows of The Gods II: races, wars with their odds, faces, what is marked on the map, headlines.

Each takes the state as a stranger may see it.
"""

from collections.abc import Iterator
from uuid import UUID

import numpy as np

from games.engine.insight.event_pages import (
    Contest,
    ContestSide,
    Countdown,
    Face,
    FaceKind,
    Highlight,
    HighlightKind,
    Line,
    Panel,
)
from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.calendar.events import GameFinished
from games.gods2.rules.cities.events import CityDestroyed, CityFounded, CityRaised, LevelChanged
from games.gods2.rules.declarations.events import WarDeclared, waiting
from games.gods2.rules.effects.events import DisasterStruck
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.pantheon.turmoil_events import TurmoilStarted
from games.gods2.rules.setup.events import FeatureAdded
from games.gods2.rules.state.names import member_name
from games.gods2.rules.state.records import ENDED, War, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.war.battle import Forecast, outcome
from games.gods2.rules.war.events import CityFell, SquaresTaken, SquaresVacated, WarAverted, WarFought
from games.gods2.rules.war.forecast import footings

VOLCANO = "volcano"
HEADLINES: tuple[type[Event], ...] = (
    GameFinished,
    CityFell,
    WarFought,
    CityDestroyed,
    CityRaised,
    TurmoilStarted,
    CityFounded,
    LevelChanged,
    WarAverted,
    DisasterStruck,
    WarDeclared,
    KnowledgeLearned,
    RaceGrew,
)
"""What a century is best told by, the most telling kind first."""


def forecast_of(state: State, war: War) -> Forecast:
    """How a war would end if it were fought now."""
    return outcome(state, *footings(state, war))


def sides_of(state: State, war: War) -> str:
    """Who fights whom."""
    return f"{state.races[war.attacker].name} against {state.races[war.defender].name}"


def standings(state: State) -> Panel:
    """The races by their units (G2-POP-1), with who holds most of their pantheon."""
    races = sorted(state.living(), key=lambda race: (-state.board.units_of(race.id), race.name))
    lines = tuple(Line((race.name, state.board.units_of(race.id), _first_of(state, race.id))) for race in races)
    return Panel("standings", "Races", ("Race", "Units", "Led by"), lines)


def _first_of(state: State, race: UUID) -> str:
    """The member with the largest share of a race's pantheon."""
    shares = state.pantheon(race)
    return member_name(state, max(shares, key=lambda member: (shares[member], member))) if shares else ""


def contests(state: State) -> Iterator[Contest]:
    """The next wars with their odds, then the last that was fought or averted."""
    for war in sorted(waiting(state), key=lambda war: (war.due is None, war.due, war.number)):
        expected = forecast_of(state, war)
        sides = tuple(
            ContestSide(
                state.races[side.race].name,
                (f"strength {side.strength}", f"hits with {side.percent}%", f"would lose {side.losses}"),
            )
            for side in (expected.attacker, expected.defender)
        )
        end = f"{state.races[expected.loser].name} lose" if expected.loser is not None else "nobody loses"
        yield Contest(sides_of(state, war), sides, Countdown(war.due), f"As things stand, {end}.")
    over = [war for war in state.wars.values() if war.status in ENDED and war.ended_at is not None]
    if over:
        yield _last_war(state, max(over, key=lambda war: (war.ended_at, war.number)))


def _last_war(state: State, war: War) -> Contest:
    """A war that is over."""
    fought = war.status is WarStatus.FOUGHT
    sides = tuple(
        ContestSide(
            state.races[race].name, (f"hit with {percent}%", f"lost {quantity(lost, 'unit')}") if fought else ()
        )
        for race, percent, lost in (
            (war.attacker, war.attacker_percent, war.attacker_lost),
            (war.defender, war.defender_percent, war.defender_lost),
        )
    )
    return Contest(sides_of(state, war), sides, outcome=_end_of(state, war))


def _end_of(state: State, war: War) -> str:
    """How a war ended, as a sentence."""
    match war.status:
        case WarStatus.FOUGHT if war.loser is not None:
            return f"{state.races[war.loser].name} have lost the war."
        case WarStatus.FOUGHT:
            return "Nobody has lost the war."
        case WarStatus.AVERTED:
            return "Diplomacy has averted the war."
        case WarStatus.LAPSED:
            return "The war has lapsed without a fight."
        case WarStatus.CANCELLED:
            return "A power has called the war off."
        case WarStatus.DECLARED:
            return ""


def highlights(state: State, event: Event) -> Iterator[Highlight]:
    """The arrow of a war, squares won and lost, cities, disasters, volcanoes."""
    match event:
        case WarDeclared():
            ways = tuple(filter(None, (_middle(state, race) for race in (event.attacker, event.defender))))
            yield Highlight(HighlightKind.MARCH, ways)
        case SquaresTaken():
            yield Highlight(HighlightKind.WON, tuple(_square(way.to_square) for way in event.moves))
        case SquaresVacated():
            yield Highlight(HighlightKind.LOST, tuple(map(_square, event.squares)))
        case CityFounded() | CityRaised():
            yield Highlight(HighlightKind.BUILT, (_square(event.square),))
        case CityFell():
            yield Highlight(HighlightKind.CONTEST, (_square(event.square),))
        case CityDestroyed():
            yield Highlight(HighlightKind.RUIN, (_square(event.square),))
        case DisasterStruck():
            yield Highlight(HighlightKind.RUIN, tuple(map(_square, event.squares)))
        case FeatureAdded():
            kind = HighlightKind.RUIN if event.kind == VOLCANO else HighlightKind.BUILT
            yield Highlight(kind, (_square(event.square),))


def _square(place: Place) -> str:
    return f"{place.x},{place.y}"


def _middle(state: State, race: UUID) -> str:
    """The square of a race that is nearest to the middle of its land; "" where it has none."""
    squares = np.argwhere(state.board.own(race))
    if not len(squares):
        return ""
    row, column = squares[np.abs(squares - squares.mean(axis=0)).sum(axis=1).argmin()].tolist()
    return f"{column},{row}"


def faces(state: State) -> Iterator[Face]:
    """The gods, whose spheres are theirs alone to tell, and the races."""
    for god in state.gods.values():
        yield Face(FaceKind.GOD, god.name, god.id)
    for race in state.races.values():
        yield Face(FaceKind.PEOPLE, race.name, race.id)
