"""Words for people: where the game is, what belongs to which step, the plain names of places, dice in a row."""

from collections import Counter
from collections.abc import Iterable, Sequence

from games.engine.errors import Refused
from games.engine.phases import are_past, closed_phase, ended_game
from games.forgeborn.rules.state.schema_types import Asked, PlaceKind, Step

STANDS = {
    Step.LOBBY: "the game has not begun",
    Step.MAP: "the map is made",
    Step.SMITHS: "Smiths are defined",
    Step.TURN: "a turn runs",
    Step.LAST_TURNS: "the last turns run",
    Step.FINISHED: "the game is over",
}
QUESTIONS = {
    Asked.MAP: "for the map",
    Asked.SMITHS: "for Smiths",
    Asked.TURN: "what they do in their turn",
    Asked.DESCRIBE: "for a description",
    Asked.POOL: "for a pool",
    Asked.RULING: "whether artifacts help",
    Asked.REPOOL: "for a pool without refused artifacts",
    Asked.HELP: "for help",
    Asked.FORGE: "what is forged",
    Asked.SPEND: "how a roll is spent",
    Asked.GAIN: "for a gain",
    Asked.VAULT: "to vote",
    Asked.DENIED: "what follows a denial",
    Asked.RUINS: "where ruins lie",
    Asked.FOREST: "for a die",
}
"""What the questions are about: nobody is asked ..."""
PLAIN_NAMES = {
    PlaceKind.LAIR: "Lair of the Dragon",
    PlaceKind.CITADEL: "Citadel of the Forge",
    PlaceKind.CITY: "City of the Prince",
    PlaceKind.VILLAGE: "Village",
    PlaceKind.RUINS: "Ruins",
    PlaceKind.FOREST: "Forest",
}
"""What places are called until they are named (FB-MAP-15); Villages and Ruins with their number."""


def step_refusal(step: Step, wanted: Sequence[Step], *, rules: tuple[str, ...], instead: str = "") -> Refused:
    """Why something that belongs to other steps is refused; each comes once, in order. instead: what would do."""
    if step is Step.FINISHED:
        return ended_game(STANDS[step], step=step, rules=rules)
    over = are_past(wanted, step, Step)
    times = ("before the start" if each is Step.LOBBY else f"while {STANDS[each]}" for each in wanted)
    return closed_phase(STANDS[step], times, step=step, over=over, rules=rules, instead=instead)


def plain_name(kind: PlaceKind, number: int) -> str:
    """What a place is called before anybody names it."""
    return f"{PLAIN_NAMES[kind]} {number}" if number else PLAIN_NAMES[kind]


def dice_in_words(dice: Iterable[int]) -> str:
    """Dice by falling size: `3d12, d8`; `no dice`."""
    numbers = sorted(Counter(dice).items(), reverse=True)
    return ", ".join(f"{number if number > 1 else ''}d{size}" for size, number in numbers) or "no dice"
