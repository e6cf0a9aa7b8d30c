"""What bots make of a game of Dawn: how much land, how many cities, how wars and conflicts go, how long it takes.

Four bots play, with the options that a game is opened with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import fmean
from typing import Any
from uuid import UUID

from bench.figures import Figure
from bench.whole_games.table import HOST, Chair, numbers, play_on, table_of
from games.dawn.rules import RULESET
from games.dawn.rules.command.events import CityFounded
from games.dawn.rules.conflict.events import ConflictResolved
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import Step, WarEnd
from games.dawn.rules.turn.events import AgeChanged, RoundStarted
from games.dawn.rules.war.events import WarDeclared, WarEnded
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Start
from tests.playbook import Playbook

GAMES, SEED = 10, 1
GODS, BOT = 4, "plain"
WON = frozenset({WarEnd.CAPTURED, WarEnd.SLAIN})


@dataclass(frozen=True, slots=True)
class War:
    """How a war went: whether an avatar attacked alone, and whether the attacker won."""

    is_lone: bool
    is_won: bool


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one game, or of the Ages that were played of it.

    shaped: the share of the map's squares that were ever shaped, in percent, after Age 1 and at the end. stakes: what
    both sides together paid in each conflict, in points. events: all that the log holds.
    """

    shaped_first: float
    shaped: float
    founded: int
    cities: int
    wars: tuple[War, ...]
    stakes: tuple[int, ...]
    rounds: int
    events: int


def game(number: int, *, gods: int = GODS, ages: int = 3, **options: Any) -> Played:
    """Play one game of bots, to its end or through its first Ages. Raises RuntimeError where it does not end."""
    chairs = [Chair(UUID(int=place), f"God {place}", BOT) for place in range(1, gods + 1)]
    book = Playbook(RULESET, table_of(RULESET, UUID(int=0xDA << 64 | number), chairs, DawnOptions(**options)))
    book.when(Start(), by=HOST)
    play_on(
        book,
        lambda state: state.course.step is Step.FINISHED or state.course.age > ages,
        lambda state: timedelta(minutes=61 if state.course.step is Step.SETUP else 1),
    )
    return outcome(book)


def outcome(book: Playbook) -> Played:
    """What the log of a game contains."""
    events: list[Event] = [record.event for record in book.log]
    ages = [place for place, event in enumerate(events) if isinstance(event, AgeChanged)]
    ends = {event.war: event.reason for event in events if isinstance(event, WarEnded)}
    declared = [event for event in events if isinstance(event, WarDeclared)]
    return Played(
        shaped_first=shaped_percent(book, events[: ages[0]] if ages else events),
        shaped=shaped_percent(book, events),
        founded=sum(isinstance(event, CityFounded) for event in events),
        cities=len(book.state.cities),
        wars=tuple(War(each.alone is not None, ends.get(each.war) in WON) for each in declared),
        stakes=tuple(e.paid_invoker + e.paid_challenger for e in events if isinstance(e, ConflictResolved)),
        rounds=sum(isinstance(event, RoundStarted) for event in events),
        events=len(events),
    )


def shaped_percent(book: Playbook, events: Sequence[Event]) -> float:
    """The share of the map that these events have shaped, in percent."""
    squares = {place.at for event in events if isinstance(event, LandShaped) for place in event.squares}
    return 100 * len(squares) / len(book.state.squares)


def figures(games: int = GAMES, seed: int = SEED) -> list[Figure]:
    """What so many games of bots come to; means of a game unless said."""
    played = [game(number) for number in numbers(games, seed)]
    wars = [war for each in played for war in each.wars]
    lone = [war for war in wars if war.is_lone]
    led = [war for war in wars if not war.is_lone]
    stakes = [stake for each in played for stake in each.stakes]
    return [
        Figure("share of the map shaped in Age 1", f"{fmean(each.shaped_first for each in played):.0f} %"),
        Figure("share of the map shaped in the whole game", f"{fmean(each.shaped for each in played):.0f} %"),
        Figure("cities founded", f"{fmean(e.founded for e in played):.1f}"),
        Figure("cities at the end", f"{fmean(each.cities for each in played):.1f}"),
        Figure("wars, all games", str(len(wars)), f"won by the attacker: {_wins(wars)}"),
        Figure("wars of an avatar alone", str(len(lone)), f"won by the attacker: {_wins(lone)}"),
        Figure("wars of armies", str(len(led)), f"won by the attacker: {_wins(led)}"),
        Figure("conflicts, all games", str(len(stakes))),
        Figure("mean stake of a conflict, both sides", f"{fmean(stakes) if stakes else 0:.1f} points"),
        Figure("rounds", f"{fmean(each.rounds for each in played):.1f}"),
        Figure("events", f"{fmean(each.events for each in played):.0f}"),
    ]


def _wins(wars: Sequence[War]) -> str:
    won = sum(war.is_won for war in wars)
    return f"{won} ({100 * won / len(wars):.0f} %)" if wars else "0"
