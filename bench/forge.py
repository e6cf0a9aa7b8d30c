"""What Forgeborn costs: its map and its odds by the rules alone, a conflict through the service, a read afterwards."""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, table
from bench.ground import Ground, ground
from bench.tower import median_ms
from games.engine.insight import pools
from games.forgeborn.rules.conflict.odds import conflict_odds
from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.drop import drop_dice
from tests.rules.forgeborn.maps import MAP_A, STANDARD, dice_from

MOST_MAP_MS, MOST_ODDS_MS = 5.0, 100.0
MOST_OF_SMALL, MOST_OF_GODS = 1.2, 1.0
MAPS = 50
SIZES = (4, 6, 8, 10, 12)
CONFLICT, PLAIN = "assist-village", "draw-line"
ARTIFACTS, HEROINES = 60, 20


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    return [*by_rules(), *by_service(on)]


def by_rules() -> list[Figure]:
    """The map of the rulebook, maps of chance, and the largest odds that a table will ask for."""
    drops = [[fall.die for fall in drop_dice(dice_from(Random(n)), STANDARD)] for n in range(MAPS)]
    dice = Random(1)

    def odds() -> object:
        pools._sum_of_pool.cache_clear()
        return conflict_odds(dice.choices(SIZES, k=60), 30)

    maps = median_ms(lambda: [build(each, STANDARD) for each in drops]) / MAPS
    found = (
        ("MAP-A of the rulebook, built", median_ms(lambda: build(MAP_A, STANDARD)), MOST_MAP_MS),
        (f"a map by chance, of {MAPS}, built", maps, MOST_MAP_MS),
        ("odds of 60 mixed dice against 30d12", median_ms(odds), MOST_ODDS_MS),
    )
    return [Figure(what, f"{ms:.2f} ms", aim=aim, value=ms, unit=" ms", most=True) for what, ms, aim in found]


def by_service(on: Ground) -> list[Figure]:
    """A conflict with its pool in one command, beside other things of the same run; a read beside The Gods II's."""
    _ = on.prepared_contents
    found = on.within(on.copy(), "smithy")
    small, full, query = found["small"], found["full"], found["one query"]
    read, beside = found["state"], found["state of The Gods II"]
    return [
        Figure(
            "a conflict with its pool, one command",
            f"{small[CONFLICT]:.1f} ms, {small['statements']:.0f} statements",
            f"one query by key {query:.2f} ms",
            small[CONFLICT] / query,
        ),
        Figure(f"{PLAIN}", f"{small[PLAIN]:.1f} ms", f"one query by key {query:.2f} ms", small[PLAIN] / query),
        Figure(
            f"a conflict with {ARTIFACTS} artifacts and {HEROINES} Heroines there",
            f"{full[CONFLICT]:.1f} ms",
            f"with none {small[CONFLICT]:.1f} ms",
            full[CONFLICT] / small[CONFLICT],
            aim=MOST_OF_SMALL,
            most=True,
        ),
        Figure(
            "the state with them, for a stranger",
            f"{read:.1f} ms",
            f"the state of The Gods II: {beside:.1f} ms",
            read / beside,
            aim=MOST_OF_GODS,
            most=True,
        ),
    ]


if __name__ == "__main__":
    with ground() as on:
        print(table(measure(on)))
