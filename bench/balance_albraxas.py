"""Who wins at Albraxas with one to eight rebels, in how many turns, and how many fall: whole games of bots.

So many games are played for each number of rebels. The kernel alone plays, with the options that a game is opened
with: no database, no server. With four rebels and more the CHECK is also put off to the last turn, as is advised.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import fmean
from uuid import UUID

from bench.figures import Figure
from games.albraxas.rules import RULESET
from games.albraxas.rules.setup.commands import PlayAlbraxas
from games.albraxas.rules.state.constants import ADVISED_REBELS, MOST_REBELS
from games.albraxas.rules.state.options import AlbraxasOptions
from games.albraxas.rules.state.schema_types import Side, Step
from games.engine.game_state import GameInfo, Role, Seat
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from tests.playbook import Playbook

GAMES, SEED = 10, 1
BOT = "steady"
HOST = Actor(Issuer.HOST, user=UUID(int=1))
ALBRAXAS = UUID(int=100)
MAX_STEPS = 5000


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one game: who won, the turns that were played, and how many rebels fell."""

    winner: Side | None
    turns: int
    fallen: int


def game(number: int, rebels: int, options: AlbraxasOptions | None = None) -> Played:
    """Play one game of bots to its end. Raises RuntimeError where it does not end."""
    chosen = options or AlbraxasOptions()
    state = RULESET.new_state(UUID(int=0xA1 << 64 | number))
    state.table = GameInfo(state.table.id, "albraxas", name="Albraxas", options=chosen.model_dump_json())
    for seat in (*(UUID(int=place) for place in range(1, rebels + 1)), ALBRAXAS):
        state.seats.load(seat, Seat(seat, Role.PLAYER, f"Seat {seat.int}", bot=BOT))
    book = Playbook(RULESET, state)
    book.when(Start(), by=HOST)
    book.when(PlayAlbraxas(seat=ALBRAXAS), by=HOST)
    book.wait(timedelta(minutes=1))
    book.when(EndSetup(), by=HOST)
    for _ in range(MAX_STEPS):
        if book.state.storm.step is Step.FINISHED:
            fallen = sum(c.fallen for c in book.state.characters.values() if c.side is Side.REBEL)
            return Played(book.state.storm.winner, book.state.storm.turn, fallen)
        book.wait(timedelta(minutes=10))
    raise RuntimeError(f"game {number} does not end")


def figures(games: int = GAMES, seed: int = SEED) -> list[Figure]:
    """Victories, turns and deaths by number of rebels."""
    return list(_lines(games, seed))


def _lines(games: int, seed: int) -> Iterator[Figure]:
    late = AlbraxasOptions(check_from=AlbraxasOptions().phases - 1)
    for rebels in range(1, MOST_REBELS + 1):
        for options in (AlbraxasOptions(), late) if rebels >= ADVISED_REBELS else (AlbraxasOptions(),):
            played = [game(seed * 1000 + number, rebels, options) for number in range(games)]
            yield _line(f"rebels {rebels}, check_from {options.check_from}", played)


def _line(what: str, played: Sequence[Played]) -> Figure:
    won = sum(each.winner is Side.REBEL for each in played)
    turns, fallen = fmean(each.turns for each in played), fmean(each.fallen for each in played)
    return Figure(what, f"rebels win {won} of {len(played)}", f"{turns:.1f} turns, {fallen:.1f} rebels fall")
