"""Pools: which dice and artifacts a character rolls (FB-CON-1, 2, 6, 9), and what a failure shall bring."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.forgeborn.rules.state.constants import FREE_DICE
from games.forgeborn.rules.state.dice import are_held, dice_of, number_of_dice
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Deed, Helping, Size, Text, Value
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words

MOST_DICE, MOST_HELPING = 1000, 200
Sizes = Annotated[tuple[Size, ...], Field(max_length=MOST_DICE)]
"""Dice by their sizes: those of one size are alike (FB-CON-9)."""


class PoolChoice(Value):
    """The dice of a roll: 1 to 3 free ones, Sacrifices only beside three free ones, artifacts and how they help."""

    free: Sizes
    """Own dice that are not risked, 1 to 3."""
    sacrifice: Sizes = ()
    """Further own dice, which are lost when the roll is won."""
    artifacts: Annotated[tuple[Helping, ...], Field(max_length=MOST_HELPING)] = ()
    """Artifacts that the character holds, in the order in which they are rolled."""
    text: Text = ""
    """How the character faces it."""


class GainChoice(Value):
    """What a failure brings: a d4, or a step for one of the character's dice."""

    raise_: Size | None = Field(default=None, alias="raise")
    """The die that rises by one size; null for a d4."""


def require_able(character: Character) -> None:
    """Refuse (`dice.none`) a character without dice (FB-CON-6)."""
    if not number_of_dice(character):
        raise Refused(
            "dice.none",
            f"{character.name} has no die to roll; in the Forest and by the Prince's boon there are new ones.",
            rules=("FB-CON-6", "FB-AMB-27"),
            character=character.id,
        )


def require_dice(character: Character, free: Sequence[int], sacrifice: Sequence[int]) -> None:
    """Refuse own dice that cannot be rolled: `die.missing`, `pool.size`, `dice.none` (FB-CON-1, FB-CON-6)."""
    if not are_held((*free, *sacrifice), character):
        raise Refused(
            "die.missing",
            f"{character.name} has {dice_in_words(dice_of(character))}, which are not all of these.",
            rules=("FB-CON-9",),
            dice=list(dice_of(character)),
        )
    if len(free) > FREE_DICE or (sacrifice and len(free) < FREE_DICE):
        raise Refused(
            "pool.size",
            f"A pool has 1 to {FREE_DICE} free dice, and Sacrifices only beside {FREE_DICE} free ones.",
            rules=("FB-CON-1", "FB-AMB-9"),
            free=len(free),
            sacrifice=len(sacrifice),
        )
    if not free:
        raise Refused("dice.none", "At least one die of the character's own is rolled.", rules=("FB-CON-6",))


def require_pool(
    state: State,
    character: Character,
    pool: PoolChoice,
    deed: Deed,
    *,
    artifact: UUID | None = None,
    refused: Collection[UUID] = (),
    former: Collection[UUID] | None = None,
) -> None:
    """Refuse a pool that cannot be rolled.

    artifact: what a Test is about, the only one that may be named in it. refused: those that the game-master has
    refused; former: those that the pool had before, where nothing may be added. Raises `die.missing`, `pool.size`,
    `dice.none`, `artifact.barred`, `artifact.missing`, `artifact.not_held`, `artifact.twice`, `artifact.refused`.
    """
    require_dice(character, pool.free, pool.sacrifice)
    named = [helping.artifact for helping in pool.artifacts]
    for one in named:
        if deed is Deed.TAKE_TEST:
            _require_tested(one, artifact)
        else:
            _require_held(state, character, one)
    twice = next((one for one, times in Counter(named).items() if times > 1), None)
    if twice is not None:
        raise Refused("artifact.twice", "An artifact helps once.", rules=("FB-CON-2",), artifact=twice)
    barred = next((o for o in named if o in refused or (former is not None and o not in former)), None)
    if barred is not None:
        raise Refused(
            "artifact.refused",
            "The game-master has refused artifacts; the new pool has none of them, and no other ones.",
            rules=("FB-CON-7", "FB-AMB-32"),
            artifact=barred,
        )


def largest_dice(character: Character) -> tuple[Size, ...]:
    """The free dice that silence rolls: the three largest, or all (section 11)."""
    return tuple(sorted(dice_of(character), reverse=True)[:FREE_DICE])


def _require_tested(named: UUID, tested: UUID | None) -> None:
    if named != tested:
        raise Refused(
            "artifact.barred",
            "In a Test the dice of the tested artifact are rolled, and no others'.",
            rules=("FB-TST-1",),
            artifact=named,
        )


def _require_held(state: State, character: Character, named: UUID) -> None:
    """Refuse an artifact that is none (`artifact.missing`), or that the character does not hold."""
    artifact = state.artifacts.get(named)
    if artifact is None:
        raise Refused("artifact.missing", "There is no such artifact.", rules=("FB-CON-2",), artifact=named)
    if artifact.holder != character.id:
        raise Refused(
            "artifact.not_held",
            f"{character.name} does not hold {artifact.name}.",
            rules=("FB-CON-2", "FB-AMB-43"),
            artifact=named,
        )
