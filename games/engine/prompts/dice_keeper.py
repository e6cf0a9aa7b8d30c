"""A bot for a table that rolls real dice: on a game-master's seat it rolls those that are asked for and enters them."""

from uuid import UUID

from games.engine.bots import Thought
from games.engine.dice import Tray
from games.engine.game_state import GameState
from games.engine.prompts.manual_dice import KIND, EnterDice, dice_of_question


def keep_dice(state: GameState, seat: UUID, tray: Tray) -> Thought:
    """A policy for `gm_policies`: it enters the dice that the game-masters are asked for, and does nothing else."""
    for prompt in state.prompts.values():
        if prompt.kind == KIND:
            wanted = dice_of_question(prompt)
            values = tray.pool(str(prompt.id), wanted.count, wanted.faces, "")
            return Thought(EnterDice(prompt=prompt.id, values=tuple(values)), None)
    return Thought(None, None)
