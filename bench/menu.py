"""What a god's menu costs (`legal-commands` of cast-power): on the demo Earth, beside trying up to 400 squares for each
power, and on an Earth of 100 x 100, beside the demo Earth square for square. Rules alone: no database.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, table
from games.engine.board.board import Board, Square
from games.engine.board.grid import squares_in
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.kernel import Actor, Context, Issuer, execute
from games.gods2.demo import GODS, commands
from games.gods2.rules import RULESET
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.casting.rules import prepare_casting
from games.gods2.rules.geometry.conditions import squares_where
from games.gods2.rules.setup.commands import start
from games.gods2.rules.state.constants import number
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Cards, Feature, God, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, Target

DATA = Path(__file__).resolve().parent.parent / "worlds" / "data"
ROUNDS = 15
TRIED = 400  # squares for each power, one by one: what a menu once did
LEAST_GAIN, MOST_GROWTH = 2.0, 1.0
GAME = UUID(int=1)


def measure(_: object = None) -> list[Figure]:
    """The figures."""
    small, large = demo_earth(), large_earth()
    menus, trials, larger = [], [], []
    for _round in range(ROUNDS):
        menus.append(seconds(lambda: list(menu(*small))))
        trials.append(seconds(lambda: one_by_one(*small)))
        larger.append(seconds(lambda: list(menu(*large))))
    ours, theirs, grown = (statistics.median(times) * 1000 for times in (menus, trials, larger))
    squares = large[0].board.terrain.size / small[0].board.terrain.size
    return [
        Figure(
            "a god's whole menu, demo Earth",
            f"{ours:.0f} ms",
            f"squares tried one by one (at most {TRIED}): {theirs:.0f} ms",
            ratio=theirs / ours,
            aim=LEAST_GAIN,
        ),
        Figure(
            "the same, 100 x 100 squares",
            f"{grown:.0f} ms",
            f"{squares:.1f} times as many squares",
            ratio=grown / ours / squares,
            aim=MOST_GROWTH,
            most=True,
        ),
    ]


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def demo_earth() -> tuple[State, God]:
    """The demo event, its board open, and a god who holds every card."""
    seats = {name: UUID(int=1000 + place) for place, name in enumerate(GODS)}
    state = RULESET.new_state(GAME)
    for name, seat in seats.items():
        state.seats.load(seat, Seat(seat, Role.PLAYER, name))
    for _, command in commands(seats, Gods2Options(century_seconds=60, auto_sessions=True)):
        ctx = Context(
            game=GAME,
            now=datetime(2026, 1, 1, tzinfo=UTC),
            actor=Actor(Issuer.HOST, user=UUID(int=1)),
            tray=Tray(SecretDice(b"bench", str(GAME))),
            id_secret=b"bench",
            commands=RULESET.commands,
            start=start,
        )
        execute(state, command, ctx)
    state.set_era(phase=Phase.OPEN, century=1)
    return state, mighty(state)


def large_earth() -> tuple[State, God]:
    """An Earth of 100 x 100 on which the demo's races and features stand scattered over all land."""
    state, _ = demo_earth()
    rows = terrain("earth_100x100.txt")
    state.board = Board(len(rows[0]), len(rows))
    state.board.lay(np.array([[number(letter) for letter in row] for row in rows], dtype=np.int8))
    land = squares_in(squares_where(state, ()) & np.isin(state.board.terrain, [number(t) for t in "PFDM"]))
    races = [race.id for race in state.living()]
    for place, square in enumerate(land[::3]):
        state.board.put(square, races[place % len(races)], 1 + place % 4)
    kinds = sorted({feature.kind for feature in state.features.values()})
    for old in list(state.features):
        del state.features[old]
    for place, square in enumerate(land[::20]):
        feature = UUID(int=place + 1)
        state.features[feature] = Feature(feature, square, kinds[place % len(kinds)])
    return state, mighty(state)


def terrain(name: str) -> list[str]:
    """A text for each row of the map."""
    return (DATA / name).read_text(encoding="ascii").split()


def mighty(state: State) -> God:
    """A god who holds six cards of every sphere."""
    god = min(state.gods.values(), key=lambda g: g.id)
    for sphere in state.pack.spheres:
        state.cards[god.id, sphere] = Cards(god.id, sphere, 6)
    return god


def one_by_one(state: State, god: God) -> int:
    """Try every race and at most 400 squares for every power; how many targets fit."""
    fitting = 0
    for power in state.pack.powers.values():
        for target in targets(state, power.target, squares_in(squares_where(state, power.requires))[:TRIED]):
            try:
                prepare_casting(state, (god,), power.id, target)
            except Refused:
                continue
            fitting += 1
    return fitting


def targets(state: State, kind: str, squares: list[Square]) -> Iterator[tuple[Target, ...]]:
    """What a power is tried on."""
    match kind.partition(":")[0]:
        case "earth":
            yield ()
        case "race":
            yield from ((Target(race=race.id),) for race in state.living())
        case "city":
            yield from ((Target(city=city),) for city in sorted(state.cities))
        case "square" | "squares" | "connected":
            yield from ((Target(squares=(Place.of(square),)),) for square in squares)


if __name__ == "__main__":
    print(table(measure()))
