"""Wars of the tests, fought at once: the Ultra-Dwarves and the Low Elves, Romans who take the city of the Greeks."""

from typing import Any

from games.gods2.rules.state.state import State
from games.gods2.rules.war.rules import fight
from tests.dice import Planted
from tests.rules.gods2.worlds import People, earth_of, happen, plant_war, race, row_major

WARRIORS = ("archery", "explosives", "iron_weapons", "tactics")  # Military +8


def fight_war(state: State, one: People, other: People, dice: list[Planted] | None = None) -> list[Any]:
    """The events of a war between two races."""
    war = plant_war(state, one, other)
    return happen(state, lambda s, ctx: fight(s, ctx, war), dice or [])


def ultra_dwarves_and_low_elves() -> tuple[State, People, People]:
    """The rulebook's own example of a war."""
    dwarves = race("Ultra-Dwarves", row_major(12, 0, 43), knowledges=WARRIORS)
    elves = race("Low Elves", row_major(12, 43, 65), attributes=["giants"])
    return earth_of(["P" * 12] * 12, dwarves, elves), dwarves, elves


def romans_and_greeks(attributes: tuple[str, ...] = (), level: str = "civilized") -> tuple[State, People, People]:
    """A strong race beside a weak one whose city stands on the border; the weak one vacates one square."""
    cities = None if level == "civilized" else {}
    romans = race(
        "Romans", {(0, c): 3 for c in range(5)}, level, attributes=attributes, knowledges=WARRIORS, cities=cities
    )
    greeks = race("Greeks", {(0, 5): 2, (0, 6): 2, (0, 7): 2}, "civilized")
    return earth_of(["PPPPPPPP"], romans, greeks), romans, greeks
