"""Who wins at Albraxas with one to eight rebels, in how many turns, and how many fall: whole games of bots.

So many games are played for each number of rebels, with the options that a game is opened with. With four rebels and
more the CHECK is also put off to the last turn, as is advised.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import fmean
from uuid import UUID

from bench.figures import Figure
from bench.whole_games.table import HOST, Chair, numbers, play_on, table_of
from games.albraxas.rules import RULESET
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.constants import MANY_REBELS, MOST_REBELS
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Side, Step
from games.engine.lifecycle.gm_commands import EndSetup, Start
from tests.playbook import Playbook

GAMES, SEED = 10, 1
BOT = "steady"
ALBRAXAS = UUID(int=100)


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one game: who won, the turns that were played, and how many rebels fell."""

    winner: Side | None
    turns: int
    fallen: int


def game(number: int, rebels: int, options: AlbraxasOptions | None = None) -> Played:
    """Play one game of bots to its end. Raises RuntimeError where it does not end."""
    chairs = [Chair(UUID(int=place), f"Seat {place}", BOT) for place in (*range(1, rebels + 1), ALBRAXAS.int)]
    book = Playbook(RULESET, table_of(RULESET, UUID(int=0xA1 << 64 | number), chairs, options or AlbraxasOptions()))
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=ALBRAXAS), by=HOST)
    book.wait(timedelta(minutes=1))
    book.when(EndSetup(), by=HOST)
    play_on(book, lambda state: state.storm.step is Step.FINISHED, lambda state: timedelta(minutes=10))
    fallen = sum(c.fallen for c in book.state.characters.values() if c.side is Side.REBEL)
    return Played(book.state.storm.winner, book.state.storm.turn, fallen)


def figures(games: int = GAMES, seed: int = SEED) -> list[Figure]:
    """Victories, turns and deaths by number of rebels."""
    return list(_lines(games, seed))


def _lines(games: int, seed: int) -> Iterator[Figure]:
    late = AlbraxasOptions(check_from=AlbraxasOptions().phases - 1)
    for rebels in range(1, MOST_REBELS + 1):
        for options in (AlbraxasOptions(), late) if rebels >= MANY_REBELS else (AlbraxasOptions(),):
            played = [game(number, rebels, options) for number in numbers(games, seed)]
            yield _line(f"rebels {rebels}, check_from {options.check_from}", played)


def _line(what: str, played: Sequence[Played]) -> Figure:
    won = sum(each.winner is Side.REBEL for each in played)
    turns, fallen = fmean(each.turns for each in played), fmean(each.fallen for each in played)
    return Figure(what, f"rebels win {won} of {len(played)}", f"{turns:.1f} turns, {fallen:.1f} rebels fall")
