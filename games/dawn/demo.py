"""The live demo game as a list of commands: one person and three bots shape a small sea with an island in it.

Nobody has to play: a bot stands in for the person, and after three Ages of five rounds the game is over (DW-AGE-3).
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from games.dawn.rules.setup.commands import DefineGod, SetMap
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import Cell, Climate, Ethical, Moral, Terrain
from games.engine.kernel import Command

TITLE = "Celestial Horizon, live"
PRACTICE: Mapping[str, int] = {}
ATTRIBUTION = ""
BOT = "plain"
KEEPER = BOT
PERSON = "Ilune"
WHO = "player-2"
"""Which of the demo's people plays the person's seat."""
ANSWERS = 3
"""A question inside a turn waits for this part of a step."""
WIDTH, HEIGHT = 12, 9
ISLAND = """
~~~~~~~~~~~~
~~ii~~~~~~~~
~~iff~~~~~~~
~~ffpp~~~oo~
~~~pphh~~oo~
~~~~phm~~~~~
~~~~~ss~~~~~
~~~d~~~~~~~~
~~dd~~~~~~~~
"""
"""The map row by row; everything but the sea is land that nobody has shaped."""
CELLS: Mapping[str, Cell] = {
    "~": Cell(terrain=Terrain.OCEAN),
    "i": Cell(terrain=Terrain.ICE, climate=Climate.POLAR),
    "f": Cell(terrain=Terrain.FOREST, climate=Climate.COLD),
    "p": Cell(terrain=Terrain.PLAINS),
    "h": Cell(terrain=Terrain.HILLS),
    "m": Cell(terrain=Terrain.MOUNTAINS, fantastic=True),
    "s": Cell(terrain=Terrain.SWAMP, climate=Climate.TROPICAL),
    "d": Cell(terrain=Terrain.DESERT, climate=Climate.ARID),
    "o": Cell(terrain=Terrain.JUNGLE, climate=Climate.TROPICAL),
}
"""What a letter of the map stands for."""


def options(step_seconds: int) -> DawnOptions:
    """The set-up and a turn are as long as a step, other questions a third of it."""
    return DawnOptions(
        seats=len(players()),
        width=WIDTH,
        height=HEIGHT,
        setup_seconds=step_seconds,
        turn_seconds=step_seconds,
        answer_seconds=max(1, step_seconds // ANSWERS),
    )


def players() -> tuple[tuple[str, str], ...]:
    """The seats of the game: name, and who plays it."""
    return (PERSON, WHO), ("Orrum", BOT), ("Vesh", BOT), ("Tamar", BOT)


def commands(seats: Mapping[str, UUID], options: DawnOptions) -> list[tuple[str, Command]]:
    """Nothing: map and gods come after the start of the game's set-up."""
    return []


def opening(now: Callable[[], Any]) -> list[tuple[str, Command]]:
    """The map, and a god for the person, who may be another until the set-up is over; bots define their own."""
    cells = tuple(CELLS[letter] for row in ISLAND.split() for letter in row)
    god = DefineGod(name=PERSON, portfolio=("tides", "moonlight"), moral=Moral.GOOD, ethical=Ethical.CHAOTIC)
    return [("host", SetMap(width=WIDTH, height=HEIGHT, cells=cells)), (PERSON, god)]
