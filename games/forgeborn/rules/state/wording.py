"""Words for people: where the game is, what belongs to which step, the plain names of places, dice in a row."""

from collections import Counter
from collections.abc import Iterable, Mapping

from games.engine.phases import Steps
from games.forgeborn.rules.state.schema_types import PlaceKind, Step

STANDS: Mapping[str, str] = {
    Step.LOBBY: "the game has not begun",
    Step.MAP: "the map is made",
    Step.SMITHS: "Smiths are defined",
    Step.TURN: "a turn runs",
    Step.LAST_TURNS: "the last turns run",
    Step.FINISHED: "the game is over",
}
STEPS = Steps(
    order=Step,
    last=Step.FINISHED,
    now=STANDS,
    times={each: "before the start" if each is Step.LOBBY else f"while {stands}" for each, stands in STANDS.items()},
    once=Step,
    rules=("FB-TRN-6",),
)
PLAIN_NAMES = {
    PlaceKind.LAIR: "Lair of the Dragon",
    PlaceKind.CITADEL: "Citadel of the Forge",
    PlaceKind.CITY: "City of the Prince",
    PlaceKind.VILLAGE: "Village",
    PlaceKind.RUINS: "Ruins",
    PlaceKind.FOREST: "Forest",
}
"""What places are called until they are named (FB-MAP-15); Villages and Ruins with their number."""


def plain_name(kind: PlaceKind, number: int) -> str:
    """What a place is called before anybody names it."""
    return f"{PLAIN_NAMES[kind]} {number}" if number else PLAIN_NAMES[kind]


def dice_in_words(dice: Iterable[int]) -> str:
    """Dice by falling size: `3d12, d8`; `no dice`."""
    numbers = sorted(Counter(dice).items(), reverse=True)
    return ", ".join(f"{number if number > 1 else ''}d{size}" for size, number in numbers) or "no dice"
