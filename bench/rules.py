"""The rules of The Gods II on the real Earths, beside the rulebook as plain loops (`tests/oracle`).

    python bench/rules.py

Both get the same world and the same dice; their results must be equal, or the program ends. Nothing is started: no
database, no server. Where the loops would take minutes, part of their work is measured and the rest reckoned; the table
says so. Times are those of the processor for this process alone, so that both sides are measured alike however busy the
machine is; the garbage collector stands still meanwhile, as with `timeit`.
"""

import gc
import gzip
import math
import os
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, report
from games.engine.board.board import Square
from games.engine.dice import DiceSource, SecretDice, Tray
from games.engine.kernel import CLOCK, Context
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.growth.rules import growth_of
from games.gods2.rules.state.state import State
from games.gods2.rules.state.unit_arrays import Standing
from games.gods2.rules.war.battle import casualties
from tests.dice import GivenDice
from tests.oracle.earth import Earth
from tests.oracle.growth import grow
from tests.oracle.peopled import DAWN, WORLD, random_earth
from tests.oracle.twins import Century, century_by_rules, differences, earth_of, factors_of
from tests.oracle.war import casualties as fallen

EARTHS = Path(__file__).resolve().parent.parent / "worlds" / "data"
ROUNDS, LOOPS = 5, 3
SAMPLE = 3
"""Of how many races the loops do a part that is reckoned for all."""
AIM, SLOPE = 50.0, 1.1
CENTURY_MS = 50.0
"""Of a century on `HELD`. Not of the loops, which make no numbers with their sources, no events and no texts."""
FIXED_PART = "each race and each war has a part that does not grow with the map: numbers with sources, events, texts"
DIFFERENCE = "a small difference of two larger times, which moves by a third from run to run"


def letters(name: str) -> list[str]:
    """The rows of an Earth that the project carries."""
    path = EARTHS / f"earth_{name}.txt"
    if path.exists():
        return path.read_text(encoding="ascii").split()
    return gzip.decompress((EARTHS / f"earth_{name}.txt.gz").read_bytes()).decode("ascii").split()


def context(dice: DiceSource) -> Context:
    """What the rules decide with: the clock, these dice."""
    tray = Tray(dice)
    return Context(game=WORLD, now=DAWN, actor=CLOCK, tray=tray, id_secret=b"bench", commands={})


def timing(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the processor that something takes, and what it gives."""
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        given = work()
        return time.process_time() - begun, given
    finally:
        gc.enable()


def median(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """The median of some rounds, in seconds, after one that is not counted."""
    work()
    return statistics.median(timing(work)[0] for _ in range(rounds))


@dataclass(frozen=True, slots=True)
class Size:
    """An Earth with so many races."""

    name: str
    races: int
    loops: bool
    """Whether the loops play the whole century here."""

    @property
    def squares(self) -> int:
        """How many squares it has."""
        rows, _, columns = self.name.partition("x")
        return int(rows) * int(columns)

    def __str__(self) -> str:
        return f"{self.name}, {self.races} races"


SIZES = (Size("30x20", 6, True), Size("100x100", 12, True), Size("300x300", 12, True), Size("1000x1000", 12, False))
HELD = SIZES[2]
CROWDED = Size("1000x1000", 200, False)
"""Where the parts are held to their aim: on a map on which a race lives on few squares, what a call on arrays costs is
the larger part of each."""


def measure_loops(state: State) -> tuple[float, Century]:
    """The loops play a century: seconds (the median of some rounds), and what came of it."""
    factors, rounds = factors_of(state), []
    for _ in range(LOOPS):
        earth, roll = earth_of(state), Random(1)
        rounds.append(timing(partial(Century.of, earth, lambda sides, roll=roll: roll.randint(1, sides), factors)))
    return statistics.median(seconds for seconds, _ in rounds), rounds[0][1]


def century(rows: Sequence[str], size: Size) -> tuple[float, float | None]:
    """Seconds of a century by the rules (median), and by the loops. Raises RuntimeError when they differ."""
    beside, wanted, seconds = None, None, []
    if size.loops:
        beside, wanted = measure_loops(random_earth(rows, size.races))
    for _ in range(ROUNDS + 1):
        state = random_earth(rows, size.races)
        dice = GivenDice(wanted.dice) if wanted else SecretDice(b"secret of the bench", str(WORLD))
        took, events = timing(partial(century_by_rules, state, context(dice)))
        seconds.append(took)
        if wanted:
            equal(str(size), differences(state, events, wanted), [])
    return statistics.median(seconds[1:]), beside


def equal(what: str, ours: object, theirs: object) -> None:
    """Raise RuntimeError unless both came to the same."""
    if ours != theirs:
        raise RuntimeError(f"{what}: the rules and the loops of the rulebook differ: {str(ours)[:500]}")


def bounds(state: State, earth: Earth, races: Sequence[UUID]) -> tuple[float, float]:
    """The limits of every square for a race: seconds by the rules and by the loops, for one race."""
    height, width = state.board.terrain.shape
    some = races[:SAMPLE]
    ours = median(lambda: [limits(state, race) for race in some])
    first = str(some[0])
    theirs, found = timing(lambda: [[earth.limit(first, (r, c)) for c in range(width)] for r in range(height)])
    equal("limits", limits(state, some[0]).tolist(), found)
    return ours / len(some), theirs


def neighbours(state: State, earth: Earth, races: Sequence[UUID]) -> tuple[float, float]:
    """Reach and contacts: seconds by the rules and by the loops, for one race."""
    ours = median(lambda: [contacts(state, race) for race in races])
    some = races[:SAMPLE]
    theirs, found = timing(lambda: [earth.contacts(str(race)) for race in some])
    equal("contacts", [[str(other) for other in contacts(state, race)] for race in some], found)
    return ours / len(races), theirs / len(some)


def growth(state: State, earth: Earth, races: Sequence[UUID]) -> tuple[float, float]:
    """Where a race stands after its growth: seconds by the rules and by the loops, for one race."""
    ours = median(lambda: [growth_of(state, race) for race in races])
    race, copy = races[0], earth_of(state)
    theirs, _ = timing(lambda: grow(copy, str(race)))
    equal("growth", {tuple(s): n for s, n in growth_of(state, race).after.items()}, copy.own(str(race)))
    return ours / len(races), theirs


def deaths(state: State, earth: Earth, races: Sequence[UUID]) -> tuple[float, float]:
    """Where a tenth of a race dies in a war with the next: seconds by the rules and by the loops, for one war."""
    pairs = list(pairwise(races))[:SAMPLE]
    losses = [state.board.units_of(race) // 10 for race, _ in pairs]

    def ours() -> list[dict[Square, int]]:
        board, wars = state.board, zip(pairs, losses, strict=True)
        return [casualties(Standing.now(board, one), Standing.now(board, other), n) for (one, other), n in wars]

    def loops() -> list[dict[tuple[int, int], int]]:
        wars = zip(pairs, losses, strict=True)
        return [fallen(earth, earth.own(str(one)), earth.own(str(other)), n) for (one, other), n in wars]

    theirs, found = timing(loops)
    equal("deaths", ours(), found)
    return median(ours) / len(pairs), theirs / len(pairs)


PARTS: dict[str, Callable[[State, Earth, Sequence[UUID]], tuple[float, float]]] = {
    "limits of every square": bounds,
    "reach and contacts": neighbours,
    "growth, placed": growth,
    "deaths of a war": deaths,
}


def bytes_a_square(rows: Sequence[str], size: Size) -> tuple[float, float]:
    """Of the arrays of the map, and of the whole state as Python's allocator sees it."""
    first = random_earth(rows, size.races)
    limits(first, next(iter(first.races)))  # what is loaded once is there already
    gc.collect()
    tracemalloc.start()
    state = random_earth(rows, size.races)
    limits(state, next(iter(state.races)))  # which looks up where features stand
    gc.collect()
    whole = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    board = state.board
    arrays = (board.terrain, board.owner, board.units, board.dirty_units, board.dirty_terrain)
    return sum(a.nbytes for a in arrays) / size.squares, whole / size.squares


def slope(points: Sequence[tuple[int, float]]) -> float:
    """How fast time grows with squares: the exponent, by least squares on the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mx, my = statistics.fmean(xs), statistics.fmean(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)


def line(
    what: str, ours: float, beside: float, *, reckoned: str = "", is_held: bool = False, reason: str = ""
) -> Figure:
    """Rules against loops."""
    text, aim = f"loops {beside * 1000:,.1f} ms{f' ({reckoned})' if reckoned else ''}", AIM if is_held else None
    return Figure(what, f"{ours * 1000:,.2f} ms", text, ratio=beside / ours, aim=aim, reason=reason)


def measure(_ground: object = None) -> list[Figure]:
    """Every figure of the rules. The ground of the other programs is not needed."""
    figures: list[Figure] = []
    ours: list[tuple[int, float]] = []
    loops: list[tuple[int, float]] = []
    for size in SIZES:
        rows = letters(size.name)
        seconds, beside = century(rows, size)
        ours.append((size.squares, seconds))
        reckoned = ""
        if beside is not None:
            loops.append((size.squares, beside))
        else:  # along the line of the last two that were measured
            (near, short), (far, long) = loops[-2:]
            beside = long * (size.squares / far) ** (math.log(long / short) / math.log(far / near))
            reckoned = "reckoned from the sizes before"
        whole = line(f"century with its events, {size}", seconds, beside, reckoned=reckoned)
        if size is HELD:
            whole = replace(whole, value=seconds * 1000, aim=CENTURY_MS, unit=" ms", most=True, reason=FIXED_PART)
        figures.append(whole)
    for size in (HELD, CROWDED):
        rows = letters(size.name)
        state = random_earth(rows, size.races)
        earth, races = earth_of(state), list(state.races)
        for what, part in PARTS.items():
            seconds, beside = part(state, earth, races)
            figures.append(line(f"{what}, one of {size}", seconds, beside, is_held=size is CROWDED))
        if size is CROWDED:
            seconds, _ = century(rows, size)
            figures.append(Figure(f"century with its events, {size}", f"{seconds * 1000:,.0f} ms"))
    (near, short), (far, long) = ours[1:3]
    (_, few), (_, many) = loops[1:3]
    what = f"what {far - near:,} more squares of {HELD}, cost beside {SIZES[1].name}"
    figures.append(line(what, long - short, many - few, is_held=True, reason=DIFFERENCE))
    grown = slope(ours[1:])
    what = "exponent of a century's time over squares, 12 races"
    figures.append(Figure(what, f"{grown:.2f}", value=grown, aim=SLOPE, most=True))
    arrays, whole = bytes_a_square(letters(HELD.name), HELD)
    figures.append(Figure(f"bytes a square, {HELD}", f"{arrays:.0f} in arrays, {whole:.0f} in all (tracemalloc)"))
    return figures


def circumstances() -> str:
    """When and where it was measured."""
    load = f"{os.getloadavg()[2]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {os.cpu_count()} processors ({platform.machine()}), "
        f"load of the last quarter of an hour {load}.\n"
        f"Python {platform.python_version()}, NumPy {version('numpy')}; medians of {ROUNDS} rounds of the rules and "
        f"{LOOPS} of the loops' centuries, one round of their other parts."
    )


def main() -> None:
    """Measure and print."""
    print(f"{circumstances()}\n\n{report(measure())}")


if __name__ == "__main__":
    main()
