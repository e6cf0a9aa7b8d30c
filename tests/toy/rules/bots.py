"""The bots of Cairns: a game-master who rolls the dice of the table."""

from uuid import UUID

from games.engine.bots import Thought
from games.engine.dice import Tray
from games.engine.prompts.manual_dice import KIND, EnterDice, dice_of_question
from tests.toy.rules.state import State


def keep(state: State, seat: UUID, tray: Tray) -> Thought:
    """The policy `keeper`: it rolls and enters the dice that are asked for, and does nothing else."""
    for prompt in state.prompts.values():
        if prompt.kind == KIND:
            wanted = dice_of_question(prompt)
            values = tray.pool(str(prompt.id), wanted.count, wanted.faces, "")
            return Thought(EnterDice(prompt=prompt.id, values=tuple(values)), None)
    return Thought(None, None)
