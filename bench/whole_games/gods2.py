"""Whole events of The Gods II, played by bots in the kernel: who lives, who learns, who casts, who earns.

The set-up of `games.gods2.demo` is played for sixteen centuries, once for each seed, without database or server. The
same arguments give the same figures. The same seed gives the same dice to other bots, packs and set-ups, yet one game
says little: compare the means of eight or more.
"""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID

from bench.figures import lines
from bench.whole_games.table import GM, HOST, Chair, table_of
from games.engine.bots import BotPassed, Policy, Thought
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.gm_commands import Start
from games.gods2 import demo
from games.gods2.rules import RULESET
from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.casting.events import PowerAuthored, PowerCast
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Level
from games.gods2.rules.war.events import WarFought
from tests.playbook import Playbook

CENTURIES, MIDDLE = 16, 9
SECONDS = 60  # of a century
WARS = ("declare_war", "order_war")
"""Powers that are no cards: `declare-war` casts them."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played: the set-up, the pack, who has a bot."""

    people: str = "bots"
    """`bots`: every seat has a bot; `idle`: the seats of people have none; `none`: no seat has one."""
    races: str = ""
    """A file of Python that changes the names of `games.gods2.demo`, to which it refers as `demo`."""
    pack: int | None = None
    """The version of the pack; the newest one where none is named."""
    seconds: int = SECONDS
    """Length of a century."""
    centuries: int = CENTURIES
    """How many are played."""


@dataclass(slots=True)
class Played:
    """What one game came to. Per god: by name."""

    seed: int
    races: int
    alive: list[int]
    """Living races at the end of each century."""
    civilized: int
    cities: int
    learned: int
    wars: int
    """Wars that were fought."""
    extinct: dict[str, int]
    """Name of a race -> the century of its end."""
    powers: Counter[str]
    """How often each was cast."""
    cast: dict[str, int]
    """Centuries in which a god cast a power other than a declaration of war."""
    earned: dict[str, list[Fraction]]
    """Mana of each century."""
    idle: dict[str, int]
    """Mana that was left when the last century closed, before its pay."""
    passed: Counter[str]
    """Refusals of what bots wanted."""
    seconds: float
    """Of the processor."""
    slowest: float
    """The longest decision of a bot, in seconds of the processor."""

    @property
    def cards(self) -> int:
        """Powers that were cast, declarations of war apart."""
        return sum(times for power, times in self.powers.items() if power not in WARS)


class Book(Playbook):
    """A game with dice of its own for each seed; it knows how long its bots think."""

    def __init__(self, state: Any, seed: int) -> None:
        super().__init__(RULESET, state)
        self.seed, self.slowest = seed, 0.0
        self.policies = {name: partial(self._time_policy, policy) for name, policy in RULESET.policies.items()}

    def context(self, actor: Actor) -> Context:
        game, rewinds = str(self.state.info.id), self.state.info.rewinds
        return replace(
            super().context(actor),
            tray=Tray(SecretDice(b"dice %d" % self.seed, game), rewinds=rewinds),
            bot_tray=Tray(SecretDice(b"bots %d" % self.seed, game)),
            id_secret=b"ids %d" % self.seed,
            policies=self.policies,
        )

    def _time_policy(self, policy: Policy, state: Any, seat: UUID, tray: Tray) -> Thought:
        begun = time.process_time()
        thought = policy(state, seat, tray)
        self.slowest = max(self.slowest, time.process_time() - begun)
        return thought


@contextmanager
def changed_setup(races: str) -> Iterator[None]:
    """The set-up of the demo as a file changes it; "" for none."""
    before = dict(vars(demo))
    try:
        if races:
            exec(compile(Path(races).read_text(encoding="utf-8"), races, "exec"), {"demo": demo})
        yield
    finally:
        vars(demo).update(before)


def set_up(setting: Setting, seed: int) -> Book:
    """A game that is ready to start."""
    seats = {name: UUID(int=1000 + place) for place, name in enumerate(demo.GODS)}
    idle = {"none": tuple(seats), "idle": demo.PEOPLE}.get(setting.people, ())
    bots = {name: "" if name in idle else bot or demo.BOT for name, bot in demo.players()}
    chairs = [Chair(seat, name, bots[name]) for name, seat in seats.items()]
    book = Book(table_of(RULESET, UUID(int=5000 + seed), chairs), seed)
    # Not `demo.options`, which asks the settings of a service.
    options = Gods2Options(century_seconds=setting.seconds, auto_sessions=True, pack_version=setting.pack)
    for who, command in demo.commands(seats, options):
        book.when(command, by=HOST if who == "host" else GM)
    return book


def play(setting: Setting, seed: int) -> Played:
    """One game, from its start to the end of its last century."""
    begun = time.process_time()
    with changed_setup(setting.races):
        book = set_up(setting, seed)
        state, gods = book.state, {seat.id: seat.name for seat in book.state.seats.values()}
        names = list(demo.GODS)
    played = Played(
        seed, len(state.races), [], 0, 0, 0, 0, {}, Counter(), dict.fromkeys(names, 0), {n: [] for n in names},
        dict.fromkeys(names, 0), Counter(), 0.0, 0.0,
    )  # fmt: skip
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    for century in range(1, setting.centuries + 1):
        events = book.wait(timedelta(seconds=setting.seconds))
        _count(played, events, gods, {race.id: race.name for race in state.races.values()}, century)
        played.alive.append(len(state.living()))
    played.civilized = sum(race.level is Level.CIVILIZED for race in state.living())
    played.cities = len(state.cities)
    played.seconds, played.slowest = time.process_time() - begun, book.slowest
    return played


def _count(
    played: Played, events: Sequence[Event], gods: Mapping[UUID, str], races: Mapping[UUID, str], century: int
) -> None:
    """Add a century's events."""
    author = {e.casting: gods[e.primary] for e in events if isinstance(e, PowerAuthored)}
    casters = set()
    for event in events:
        match event:
            case PowerCast():
                played.powers[event.power] += 1
                if event.power not in WARS:
                    casters.add(author[event.casting])
            case ManaPaid():
                name = gods[event.seat]
                played.earned[name].append(Fraction(event.earned))
                played.idle[name] = event.balance - event.amount
            case KnowledgeLearned():
                played.learned += 1
            case WarFought():
                played.wars += 1
            case RaceDestroyed():
                played.extinct[races[event.race]] = century
            case BotPassed():
                played.passed[event.code] += 1
    for name in casters:
        played.cast[name] += 1


@dataclass(frozen=True, slots=True)
class Figures:
    """The means of some games."""

    setting: Setting
    games: tuple[Played, ...]
    spheres: Mapping[str, str]
    """God -> main sphere."""
    known: tuple[str, ...]
    """Every power of the pack."""

    def mean(self, of: Callable[[Played], float | Fraction]) -> float:
        """The mean of a number over the games."""
        return statistics.fmean(float(of(game)) for game in self.games)

    @property
    def alive_middle(self) -> float:
        """Living races after the ninth century."""
        return self.mean(lambda game: game.alive[min(MIDDLE, len(game.alive)) - 1])

    @property
    def alive(self) -> float:
        """Living races at the end."""
        return self.mean(lambda game: game.alive[-1])

    @property
    def races(self) -> int:
        """Races at the start."""
        return max(game.races for game in self.games)

    def earnings(self, god: str, centuries: int = CENTURIES) -> float:
        """Mana of a god over the first so many centuries."""
        return self.mean(lambda game: sum(game.earned[god][:centuries], Fraction(0)))

    @property
    def income(self) -> tuple[float, float]:
        """The god who earns least and the one who earns most, without the last pay, which nobody can spend."""
        earned = [self.earnings(god, self.setting.centuries - 1) for god in self.spheres]
        return min(earned), max(earned)

    @property
    def powers(self) -> Mapping[str, float]:
        """How often a power is cast in a game, the most frequent first, each power of the pack."""
        times = {power: self.mean(lambda game, power=power: game.powers[power]) for power in self.known}
        return MappingProxyType(dict(sorted(times.items(), key=lambda item: (-item[1], item[0]))))

    @property
    def never(self) -> tuple[str, ...]:
        """The powers that nobody cast in any game."""
        return tuple(power for power, times in self.powers.items() if not times)

    def __str__(self) -> str:
        return "\n\n".join((self._whole(), self._by_sphere(), self._by_power(), self._notes()))

    def _whole(self) -> str:
        low, high = self.income
        cells = {
            "games": f"{len(self.games)}",
            "alive c9": f"{self.alive_middle:.1f} of {self.races}",
            "alive c16": f"{self.alive:.1f}",
            "civilized": f"{self.mean(lambda game: game.civilized):.1f}",
            "cities": f"{self.mean(lambda game: game.cities):.1f}",
            "learned a game": f"{self.mean(lambda game: game.learned):.0f}",
            "wars a game": f"{self.mean(lambda game: game.wars):.0f}",
            "cards a game": f"{self.mean(lambda game: game.cards):.0f}",
            "income": f"{low:.0f} to {high:.0f}",
        }
        return lines(tuple(cells), [tuple(cells.values())])

    def _by_sphere(self) -> str:
        heads = ("sphere", "god", f"centuries with a card, of {self.setting.centuries}", "mana earned", "mana idle")
        rows = []
        for god, sphere in self.spheres.items():
            cast = self.mean(lambda game, god=god: game.cast[god])
            idle = self.mean(lambda game, god=god: game.idle[god])
            rows.append((sphere, god, f"{cast:.1f}", f"{self.earnings(god):.0f}", f"{idle:.0f}"))
        idle = self.mean(lambda game: sum(game.idle.values()))
        rows.append(("all", "", "", f"{sum(self.earnings(god) for god in self.spheres):.0f}", f"{idle:.0f}"))
        return lines(heads, rows)

    def _by_power(self) -> str:
        cast = [(power, f"{times:.1f}") for power, times in self.powers.items() if times]
        return f"{lines(('power', 'times a game'), cast)}\n\nNever cast: {', '.join(self.never) or 'none'}."

    def _notes(self) -> str:
        extinct: dict[str, list[int]] = {}
        passed: Counter[str] = Counter()
        for game in self.games:
            passed.update(game.passed)
            for race, century in game.extinct.items():
                extinct.setdefault(race, []).append(century)
        slowest = max(game.slowest for game in self.games)
        ends = "; ".join(f"{race} {', '.join(map(str, ends))}" for race, ends in sorted(extinct.items()))
        return (
            f"Died out (centuries): {ends or 'nobody'}.\nRefused to bots: {dict(passed) or 'nothing'}.\n"
            f"{self.mean(lambda game: game.seconds):.1f} s of the processor a game; slowest decision {slowest:.2f} s."
        )


def figures(games: int, seed: int, *, processes: int = 1, **setting: Any) -> Figures:
    """The figures of so many games from a seed on. setting: the fields of `Setting`."""
    played = Setting(**setting)
    seeds = range(seed, seed + games)
    if processes > 1:
        with ProcessPoolExecutor(max_workers=processes) as pool:
            found = tuple(pool.map(partial(play, played), seeds))
    else:
        found = tuple(play(played, seed) for seed in seeds)
    with changed_setup(played.races):
        pack = set_up(played, seed).state.pack
        return Figures(played, found, dict(demo.GODS), tuple(pack.powers))
