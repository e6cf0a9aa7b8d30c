"""A whole game of sixteen centuries, played by bots in memory: what always holds, and the bounds of a balanced game.

The dice are those of the game's id, so the figures are the same each time; the bounds leave room for other dice.
`BALANCE=full` (`make balance`) plays thirty games and also asks that nothing of the pack is cast by nobody.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any
from uuid import UUID

import pytest

from games.engine.artifacts.events import ArtifactCreated
from games.engine.game_state import Role, Status, dump
from games.engine.lifecycle.gm_commands import GameEnded, Start
from games.engine.timer import TimerRefused
from games.gods2.demo import GODS
from games.gods2.rules.artifacts.events import ArtifactPowerSet
from games.gods2.rules.bots.options import strikes_everybody
from games.gods2.rules.calendar.events import SessionOpened
from games.gods2.rules.casting.events import PowerAuthored, PowerCast
from games.gods2.rules.casting.war_commands import POWERS
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.events import CenturyOpened
from games.gods2.rules.century.worksheet_events import CenturyClosed
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import WHOLE, Phase
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from games.gods2.rules.war.events import WarFought
from tests.playbook import Playbook, of_kind, state_from_log
from tests.rules.gods2.era import GAME, GM, HOST, demo_game, fresh

FULL = os.environ.get("BALANCE") == "full"
THIRTY = (GAME, UUID(int=98), *(UUID(int=number) for number in range(100, 128)))
GAMES = THIRTY if FULL else THIRTY[:1]
pytestmark = [pytest.mark.timeout(3600 if FULL else 1200), pytest.mark.long]


@dataclass
class Event:
    """One game, played to its end."""

    book: Playbook
    alive: list[int] = field(default_factory=list)
    """Living races after each century."""
    units: int = 0
    """Of all races, before anybody has grown."""

    @property
    def events(self) -> list[Any]:
        return [happened.event for happened in self.book.log]

    def earnings(self) -> Counter[UUID]:
        """Mana of each god in all centuries."""
        found: Counter[UUID] = Counter()
        for paid in of_kind(self.events, ManaPaid):
            found[paid.seat] += Decimal(paid.earned)
        return found

    def cast(self) -> dict[UUID, set[int]]:
        """The centuries in which each god has cast a power that is no declaration of war."""
        author, found, century = {}, defaultdict(set), 0
        for event in self.events:
            match event:
                case CenturyOpened():
                    century = event.century
                case PowerAuthored():
                    author[event.casting] = event.primary
                case PowerCast() if event.power not in POWERS:
                    found[event.casting].add(century)
        by_god: dict[UUID, set[int]] = {seat: set() for seat in self.book.state.gods}
        for casting, centuries in found.items():
            by_god[author[casting]] |= centuries
        return by_god


@pytest.fixture(scope="module")
def finished_games() -> list[Event]:
    """The games; every invariant holds after each century."""
    return [whole_game(game) for game in GAMES]


@cache
def whole_game(game: UUID) -> Event:
    """A game, played to its end once in a run."""
    event = Event(start_demo(game))
    book, state = event.book, event.book.state
    event.units = int(state.board.units.sum()) - sum(e.gained for e in of_kind(event.events, RaceGrew))
    for century in range(1, CENTURIES + 1):
        position = len(book.log)
        assert state.era.century == century
        book.wait(timedelta(seconds=60))
        state.invariants()
        for race in state.living():
            assert sum(state.pantheon(race.id).values()) == WHOLE
        assert all(n > 0 for n in state.board.units[state.board.owner >= 0])
        assert len(book.log) > position
        event.alive.append(len(state.living()))
    return event


def start_demo(game: UUID = GAME) -> Playbook:
    """The demo event in its first century."""
    book = demo_game(seconds=60, game=game)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    return book


@pytest.mark.rule("G2-TIME-1")
@pytest.mark.rule("G2-TIME-2")
@pytest.mark.rule("G2-PAN-1")
@pytest.mark.rule("G2-CALC-1")
def test_sixteen_centuries_pass_and_every_invariant_holds_after_each(finished_games: list[Event]) -> None:
    book, units = finished_games[0].book, finished_games[0].units
    events = [h.event for h in book.log]
    assert book.state.era.phase is Phase.FINISHED and book.state.info.status is Status.FINISHED
    assert not book.state.timers and not book.state.prompts and not book.state.numbers
    assert [e.century for e in of_kind(events, CenturyOpened)] == list(range(1, CENTURIES + 1))
    assert [e.count for e in of_kind(events, SessionOpened)] == [6, 5, 5]
    assert len(of_kind(events, CenturyClosed)) == CENTURIES
    assert len(of_kind(events, GameEnded)) == 1
    assert len(of_kind(events, ManaPaid)) == CENTURIES * len(GODS)
    assert of_kind(events, WarFought), "sixteen centuries without a war"
    assert not of_kind(events, TimerRefused)
    born = sum(e.gained for e in of_kind(events, RaceGrew))
    dead = sum(e.units for e in of_kind(events, UnitsDied, UnitsStarved))
    assert int(book.state.board.units.sum()) == units + born - dead
    assert dead == sum(e.summary.deaths for e in of_kind(events, CenturyClosed))


@pytest.mark.rule("CF-1")
def test_the_log_folds_into_the_same_state(finished_games: list[Event]) -> None:
    book = finished_games[0].book
    names = {s.id: s.name for s in book.state.seats_of(Role.PLAYER)}
    again = state_from_log(book.log, fresh(names, bots="god"))

    assert dump(again) == dump(book.state)


@pytest.mark.rule("CF-1")
def test_the_same_dice_play_the_same_game(finished_games: list[Event]) -> None:
    again = start_demo()
    again.wait(timedelta(seconds=180))

    records = finished_games[0].book.log[: len(again.log)]
    assert [h.event for h in again.log] == [h.event for h in records]
    names = {s.id: s.name for s in again.state.seats_of(Role.PLAYER)}
    assert dump(again.state) == dump(state_from_log(records, fresh(names, bots="god")))


# --- balance: pack 2, the set-up of the demo, the bots of the house ---------------------------------------------------
MIDDLE = 9  # century
ALIVE_IN_THE_MIDDLE, ALIVE_AT_THE_END = 9, 7  # peoples, of twelve
LEARNED, CITIES, WARS = 70, 6, 20
SPREAD = 4  # the richest sphere's mana over the poorest's
CENTURIES_WITH_A_CARD = 12 if FULL else 8
"""What holds for the means of the games. Three centuries in four is the aim for the thirty; one game scatters more."""
FOR_PEOPLE = {"turn_the_glass"}
"""Powers that no bot casts: the time at the table is for people."""


def mean(numbers: Iterable[int]) -> Fraction:
    found = list(numbers)
    return Fraction(sum(found), len(found))


def test_peoples_survive_fight_learn_and_build(finished_games: list[Event]) -> None:
    assert mean(event.alive[MIDDLE - 1] for event in finished_games) >= ALIVE_IN_THE_MIDDLE
    assert mean(event.alive[-1] for event in finished_games) >= ALIVE_AT_THE_END
    assert mean(len(of_kind(event.events, KnowledgeLearned)) for event in finished_games) >= LEARNED
    assert mean(len(event.book.state.cities) for event in finished_games) >= CITIES
    assert mean(len(of_kind(event.events, WarFought)) for event in finished_games) >= WARS


def test_no_sphere_earns_many_times_what_another_does(finished_games: list[Event]) -> None:
    earned: Counter[str] = Counter()
    for event in finished_games:
        for seat, mana in event.earnings().items():
            earned[event.book.state.gods[seat].name] += mana
    assert len(earned) == len(GODS) and max(earned.values()) <= SPREAD * min(earned.values()), earned


def test_artifacts_are_made_and_used(finished_games: list[Event]) -> None:
    for event in finished_games:
        assert len(of_kind(event.events, ArtifactCreated)) >= 2
        lies = {power.artifact for power in of_kind(event.events, ArtifactPowerSet)}
        assert lies == {made.artifact for made in of_kind(event.events, ArtifactCreated)}


def test_no_sphere_is_idle(finished_games: list[Event]) -> None:
    for seat in finished_games[0].book.state.gods:
        name = finished_games[0].book.state.gods[seat].name
        assert mean(len(event.cast()[seat]) for event in finished_games) >= CENTURIES_WITH_A_CARD, name


@pytest.mark.skipif(not FULL, reason="thirty games: make balance")
def test_no_power_is_cast_by_nobody_but_those_that_strike_everybody(finished_games: list[Event]) -> None:
    powers = finished_games[0].book.state.pack.powers.values()
    cast = {event.power for each in finished_games for event in of_kind(each.events, PowerCast)}
    never = {power.id for power in powers if power.kind == "history"} - cast
    assert never <= FOR_PEOPLE | {power.id for power in powers if strikes_everybody(power)}
