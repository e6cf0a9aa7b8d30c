"""What the Spirits take, and the way out of the Forest (FB-FOR-1)."""

from collections.abc import Iterator

from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.forgeborn.rules.boons.events import SpiritsRolled
from games.forgeborn.rules.gains.events import DieGained, Gain, Loss
from games.forgeborn.rules.gains.rules import lose_dice
from games.forgeborn.rules.state.constants import MOST_GRANTED
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import Journeyed, TurnEnd
from games.forgeborn.rules.turns.rules import end_turn


def ask_spirits(state: State, ctx: Context, smith: Character, dice: tuple[Size, ...]) -> Iterator[Event]:
    """Roll the dice that the Smith asks for: granted, or one own die is lost and the Smith leaves the Forest."""
    label = f"commune/{state.course.round}/{smith.seat}"
    total = sum(ctx.roll(label, size, "FB-FOR-1") for size in dice)
    granted = total <= MOST_GRANTED
    yield SpiritsRolled(character=smith.id, dice=dice, total=total, granted=granted)
    own = dice_of(smith)
    if granted:
        for size in dice:
            yield DieGained(character=smith.id, die=size, cause=Gain.SPIRITS)
        yield from end_turn(state, TurnEnd.ACTION)
    elif len(own) > 1:
        yield from ask_row(state, ctx, Asked.FOREST, smith.id, character=smith.name)
    else:
        yield from leave_forest(state, smith, own)


def leave_forest(state: State, smith: Character, lost: tuple[Size, ...]) -> Iterator[Event]:
    """The Spirits take dice, and the Smith goes to the other end of the Forest's Trail; the turn is over."""
    yield from lose_dice(smith.id, lost, Loss.SPIRITS)
    yield from close_question(state, Asked.FOREST, "given")
    place, kind = next(state.ways_from(smith.place))
    yield Journeyed(character=smith.id, old=smith.place, new=place, kind=kind)
    yield from end_turn(state, TurnEnd.ACTION)


def leave_by_silence(state: State) -> Iterator[Event]:
    """The smallest die is given up (section 11: FOREST)."""
    smith = state.acting_character()
    if smith is None:
        raise RuntimeError("nobody is in the Forest")
    yield from leave_forest(state, smith, dice_of(smith)[:1])
