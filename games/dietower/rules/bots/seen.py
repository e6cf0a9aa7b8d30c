"""What all bots look at: who is up, dice to be thrown by hand, how often they look."""

from datetime import timedelta

from core.names import comparable
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import ActorKind, Condition
from games.dietower.rules.state.state import State
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.prompts.manual_dice import KIND, EnterDice, dice_of_question

RULE = "bot"
LOOKS = 2
"""So many times a player's bot looks at the game in the time of an answer; the world master's twice as often."""


def entry_by_hand(prompt: Prompt, tray: Tray, use: str) -> Command | None:
    """The dice that a question of the table asks for; None for any other question."""
    if prompt.kind != KIND:
        return None
    wanted = dice_of_question(prompt)
    return EnterDice(prompt=prompt.id, values=tuple(tray.pool(f"{use}/hand", wanted.count, wanted.faces, RULE)))


def pause(state: State, *, master: bool = False) -> timedelta:
    """When a bot looks again at a game in which nobody asks it anything."""
    return state.window("answer") / (2 * LOOKS if master else LOOKS)


def upright(state: State, *kinds: ActorKind) -> list[Actor]:
    """Who of these kinds is up, in a fixed order."""
    found = [a for a in state.actors.values() if a.kind in kinds and a.condition is Condition.ACTIVE]
    return sorted(found, key=lambda a: a.id)


def free_name(state: State, wanted: str) -> str:
    """A name that nobody bears whom the bot knows of: the wanted one, else with a number."""
    taken = {comparable(a.name) for a in state.actors.values()}
    names = (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if comparable(name) not in taken)
