"""The real Earths with races on them, for the comparison of cost: the same for every run."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from uuid import UUID, uuid5

import numpy as np

from games.engine.board.board import Board, Square
from games.engine.game_state import GameInfo, Status
from games.gods2.pack import pack_files
from games.gods2.rules.course import COURSE
from games.gods2.rules.mana.rules import factors
from games.gods2.rules.state.constants import number
from games.gods2.rules.state.mana_sources import sources
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, City, Factor, Feature, God, Level, Phase, Race, Share
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf

WORLD = UUID("5a5a5a5a-0000-4000-8000-000000000002")
DAWN = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
SPHERES = ("FE", "NA", "SE", "SI", "CW", "CK", "LB", "WA", "CH", "DE", "FJ", "LI")
KNOWN = {
    Level.PRIMITIVE: ("hunting_lore", "pottery"),
    Level.BARBARIAN: ("tribal_law", "fishing"),
    Level.CIVILIZED: ("agriculture", "civilization", "toolmaking", "tribal_law", "writing"),
}
KINDS = ("river", "fertile_land", "game_animals", "mineral_resource", "earthworks", "chasm")
A_FEATURE = 100
"""One square of so much land bears a feature."""
NATURES = ("prolific", "warlike", "mountain_folk", "greedy", "forest_folk", "sea_folk")


def random_earth(rows: Sequence[str], races: int, *, settled: float = 0.4) -> State:
    """An Earth of these letters with so many races in one piece each, on this part of the land; features; two gods.

    Each race grows from a square of its own, one ring after the other, until all have their part of the land. Levels,
    natures and pantheons go round by the race's number.
    """
    state = State(GameInfo(id=WORLD, ruleset="gods2", status=Status.RUNNING, last_at=DAWN), pack_files())
    state.follow_course(COURSE)
    state.board = Board(len(rows[0]), len(rows))
    state.board.lay(np.array([[number(letter) for letter in row] for row in rows], dtype=np.int8))
    state.set_era(phase=Phase.CLOSED, century=0, pack_version=1)  # the numbers of the rulebook
    gods = [uuid5(WORLD, name) for name in ("Sun", "Moon")]
    for place, god in enumerate(gods):
        state.gods[god] = God(god, ("Sun", "Moon")[place])
        cards = [CardOf(sphere=sphere, count=6) for sphere in SPHERES[6 * place : 6 * place + 6]]
        for held in factors(sources(state), cards):
            state.factors[god, held.source] = Factor(god, held.source, Decimal(held.factor))
    homes = territories(rows, races, settled)
    land = [Square(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in "PFDM"]
    for place, square in enumerate(sorted(Random(len(land)).sample(land, len(land) // A_FEATURE))):
        feature = uuid5(WORLD, f"feature {place}")
        state.features[feature] = Feature(feature, square, KINDS[place % len(KINDS)])
    for place, home in enumerate(homes):
        level, who = tuple(KNOWN)[place % 3], uuid5(WORLD, f"race {place}")
        attributes = (NATURES[place % len(NATURES)],)
        state.races[who] = Race(who, f"Race {place}", attributes=attributes, knowledges=KNOWN[level], level=level)
        if level is Level.CIVILIZED:
            city = uuid5(WORLD, f"city {place}")
            state.cities[city] = City(city, who, home[0])
        for member, share in ((str(gods[place % 2]), 6_000), (ATHEISM, 2_500), (DIABOLISM, 1_500)):
            state.shares[who, member] = Share(who, member, share)
        for square in home:
            state.board.put(square, who, 1)
    state.board.mark_saved()
    return state


def territories(rows: Sequence[str], races: int, settled: float) -> list[list[Square]]:
    """Land in so many pieces, grown in turns from squares drawn by a fixed seed."""
    height, width = len(rows), len(rows[0])
    land = [Square(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in "PFDM"]
    each = max(1, int(len(land) * settled) // races)
    taken = set(Random(races).sample(land, races))
    homes = [[square] for square in sorted(taken)]
    edges = [list(home) for home in homes]
    growing = True
    while growing:
        growing = False
        for home, edge in zip(homes, edges, strict=True):
            further = []
            for row, column in edge:
                for r in range(max(0, row - 1), min(height, row + 2)):
                    for c in range(max(0, column - 1), min(width, column + 2)):
                        square = Square(r, c)
                        if len(home) < each and square not in taken and rows[r][c] in "PFDM":
                            taken.add(square)
                            home.append(square)
                            further.append(square)
            edge[:] = further
            growing = growing or bool(further and len(home) < each)
    return homes
