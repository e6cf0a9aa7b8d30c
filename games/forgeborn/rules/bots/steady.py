"""The policy `steady`: it forges with small dice paid, and goes to the Dragon once that wins the game (section 10)."""

from fractions import Fraction
from uuid import UUID

from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import Look
from games.forgeborn.rules.boons.commands import Commune, GiveUpDie
from games.forgeborn.rules.bots.common import (
    acting_character,
    artifact_name,
    free_pool,
    next_step,
    smith_command,
    whole_pool,
)
from games.forgeborn.rules.bots.player import player_policy
from games.forgeborn.rules.conflict.commands import ChooseGain, ChoosePool, FaceDragon
from games.forgeborn.rules.conflict.odds import conflict_odds
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.forge.commands import BeginArtifact
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, Deed, Form, Function, PlaceKind, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.commands import EndTurn, UseCharacter

DICE = (*[Size.D12] * 3, *[Size.D4] * 9)
"""The dice it begins with."""
FIRST_HUNT, AHEAD = 6, 5
"""From this round on it gathers dice for the Dragon, once slaying it would put it so many points ahead."""
GOOD_ENOUGH = Fraction(3, 4)
"""The chance at which it goes to the Dragon."""
WORTH_CONTEST = Fraction(1, 2)


def _turn(look: Look[State], prompt: Prompt) -> Command:
    """The plan: the Dragon where it is worth it, else an artifact, else dice from the Forest."""
    state, seat = look.state, look.seat
    smith, acting = state.smith_of(seat), state.acting_character()
    if smith is None or acting is None:
        return EndTurn()
    if acting.id != smith.id and not state.course.roads:
        return UseCharacter(character=smith.id)
    if _is_hunt_worth_it(state, seat):
        return _hunt(state, smith)
    if len(_small_dice(smith)) >= 2 and len(dice_of(smith)) >= 5:
        return _forge(state, smith)
    return _commune(state, smith, (Size.D4, Size.D4))


def _pool(look: Look[State], prompt: Prompt) -> Command:
    """All at the Dragon, else the three largest."""
    action = look.state.require_action()
    roller = look.state.characters[action.character]
    is_hunt = action.kind is Deed.FACE_DRAGON
    return ChoosePool(pool=whole_pool(look.state, roller) if is_hunt else free_pool(roller))


def _is_fair(look: Look[State], prompt: Prompt) -> bool:
    """Whether who asks for help, or for an artifact of the Vault, is not ahead."""
    purses, asker = look.state.purses, look.state.course.active
    return asker is not None and purses[asker].vp <= purses[look.seat].vp


def _is_bold(look: Look[State], prompt: Prompt) -> bool:
    """Whether it wins as often as not."""
    artifact = look.state.artifacts[prompt.subject] if prompt.subject is not None else None
    return artifact is not None and _chance(free_pool(acting_character(look)), artifact.power) >= WORTH_CONTEST


def _is_hunt_worth_it(state: State, seat: UUID) -> bool:
    """Whether slaying the Dragon would win from here."""
    if state.course.slayer is not None or state.course.round < FIRST_HUNT:
        return False
    power = state.place_of_kind(PlaceKind.LAIR).power
    others = [purse.vp for purse in state.purses.values() if purse.seat != seat]
    return state.purses[seat].vp + power >= max(others, default=0) + AHEAD


def _hunt(state: State, smith: Character) -> Command:
    """Gather dice until the Dragon falls three times of four, then go; who is there fights."""
    lair = state.place_of_kind(PlaceKind.LAIR)
    if smith.place == lair.id:
        return FaceDragon(pool=whole_pool(state, smith)) if dice_of(smith) else EndTurn()
    if not dice_of(smith) or _chance(whole_pool(state, smith), lair.power, state) < GOOD_ENOUGH:
        return _commune(state, smith, (Size.D8,))
    return next_step(state, smith, lambda place: place == lair.id) or EndTurn()


def _forge(state: State, smith: Character) -> Command:
    """Clothing of knowledge, paid with two d4; at the Citadel."""
    citadel = state.place_of_kind(PlaceKind.CITADEL)
    if smith.place != citadel.id:
        return next_step(state, smith, lambda place: place == citadel.id) or EndTurn()
    return BeginArtifact(
        name=artifact_name(state),
        form=FormChoice(kind=Form.CLOTHING, die=Size.D4),
        function=FunctionChoice(kind=Function.KNOWLEDGE, die=Size.D4),
    )


def _commune(state: State, smith: Character, dice: tuple[Size, ...]) -> Command:
    """Ask the Spirits for dice that they cannot refuse; in the Forest."""
    forest = state.place_of_kind(PlaceKind.FOREST)
    if smith.place != forest.id:
        return next_step(state, smith, lambda place: place == forest.id) or EndTurn()
    return Commune(dice=dice)


def _small_dice(smith: Character) -> list[Size]:
    return [die for die in dice_of(smith) if die is Size.D4]


def _chance(pool: PoolChoice, power: int, state: State | None = None) -> Fraction:
    """How likely a pool beats a Power."""
    helping = pool.artifacts if state is not None else ()
    artifacts = [size for each in helping if state is not None for size in dice_of(state.artifacts[each.artifact])]
    return conflict_odds((*pool.free, *pool.sacrifice), power, artifacts=artifacts).chance


steady = player_policy(
    {
        Asked.SMITHS: lambda look, prompt: smith_command(look, prompt, DICE),
        Asked.TURN: _turn,
        Asked.POOL: _pool,
        Asked.GAIN: lambda look, prompt: ChooseGain(),
        Asked.FOREST: lambda look, prompt: GiveUpDie(die=dice_of(acting_character(look))[0]),
    },
    is_helpful=_is_fair,
    is_in_favour=_is_fair,
    is_bold=_is_bold,
)
