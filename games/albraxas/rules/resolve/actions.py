"""The actions: prices, dice, and what win, loss and tie do (AX-ACT-*, AX-CLN-*). Pure numbers.

Written for any side: its own mark is Ebb for a rebel and Tide for Albraxas, the enemy's mark the other (AX-ACT-7).
"""

from dataclasses import dataclass

from games.albraxas.rules.resolve.pools import Outcome
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Action, Result


def price(action: Action, clones: int, bought: int = 0) -> int:
    """Dynamism that an action costs: each clone adds 1, but hole_up is free (section 4, AX-CLN-2)."""
    match action:
        case Action.HOLE_UP:
            return 0
        case Action.BLITZ:
            return bought + clones
        case Action.BATTLE | Action.BACKBONE:
            return 1 + clones
    return clones


def dice(action: Action, backbone: int, battle: int, blitz: int, bought: int = 0) -> int:
    """How many dice the actor rolls; a clone's recover has the full Blitz (AX-DIE-1, AX-CLN-2, AX-AMB-25)."""
    match action:
        case Action.RECOVER:
            return blitz
        case Action.BATTLE:
            return battle
        case Action.BACKBONE:
            return backbone
        case Action.BLITZ:
            return bought
    return 0


@dataclass(frozen=True, slots=True)
class Effect:
    """What a roll changes: the marks of the phase, the actor's Backbone and Dynamism, and what follows at once."""

    own: int = 0
    """Change of the character's own side's mark at their phase."""
    enemy: int = 0
    """Change of the other side's mark."""
    backbone: int = 0
    dynamism: int = 0
    """Regained, before the cap."""
    fray: bool = False
    """A free Battle follows (AX-ACT-10)."""
    lost: bool = False
    """All later junctures of this phase are lost."""


def effect(action: Action, outcome: Outcome, clones: int, backbone: int) -> Effect:
    """The effect of an outcome; `clones` raises every amount but that of a tie (AX-CLN-3, AX-AMB-10)."""
    amount = 1 + clones
    match action, outcome.result:
        case Action.RECOVER, Result.WIN:
            return Effect(dynamism=backbone + clones)
        case Action.RECOVER, Result.LOSE:
            return Effect(fray=True)
        case Action.RECOVER, Result.TIE:
            return Effect(lost=True)
        case Action.BATTLE, Result.WIN:
            return Effect(own=amount)
        case Action.BATTLE, Result.LOSE:
            return Effect(enemy=amount)
        case Action.BACKBONE, Result.WIN:
            return Effect(enemy=-amount)
        case Action.BACKBONE, Result.LOSE:
            return Effect(backbone=-amount)
        case Action.BLITZ, Result.WIN:
            return Effect(own=outcome.successes + clones)
        case Action.BLITZ, Result.LOSE:
            return Effect(own=-(outcome.successes + clones))
        case Action.BLITZ, Result.TIE:
            return Effect(backbone=-1)
    return Effect()


def convalesce_price(character: Character) -> int:
    """Dynamism for a Convalesce; a forced stay is none that costs (AX-ACT-5, AX-TRN-4)."""
    return 0 if character.forced else price(Action.CONVALESCE, character.clones)
