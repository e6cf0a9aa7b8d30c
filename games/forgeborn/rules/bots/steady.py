"""The policy `steady`: it forges with small dice paid, and goes to the Dragon once that wins the game (section 10)."""

from fractions import Fraction
from uuid import UUID

from games.engine.bots import Thought
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.forgeborn.rules.boons.commands import Commune, GiveUpDie
from games.forgeborn.rules.bots.common import artifact_name, free_pool, next_step, pause, questions_of, whole_pool
from games.forgeborn.rules.bots.wild import THINGS, smith_command
from games.forgeborn.rules.conflict.commands import ChooseGain, ChoosePool, ContestArtifact, FaceDragon
from games.forgeborn.rules.conflict.odds import conflict_odds
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.conflict.purchases import bought_by
from games.forgeborn.rules.conflict.rules import default_pool
from games.forgeborn.rules.conflict.spending import default_purchase
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, Deed, Form, Function, PlaceKind, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.commands import EndTurn, UseCharacter
from games.forgeborn.rules.vault.commands import CastBallot, LetArtifactBe

DICE = (*[Size.D12] * 3, *[Size.D4] * 9)
"""The dice it begins with."""
FIRST_HUNT, AHEAD = 6, 5
"""From this round on it gathers dice for the Dragon, once slaying it would put it so many points ahead."""
GOOD_ENOUGH = Fraction(3, 4)
"""The chance at which it goes to the Dragon."""
WORTH_CONTEST = Fraction(1, 2)


def play(state: State, seat: UUID, tray: Tray) -> Thought:
    """Answer what is asked, and play the own turn by the plan."""
    use = f"bot/{seat}/{state.table.timers_set}"
    for prompt in questions_of(state, seat):
        command = _answer(state, seat, prompt, tray, f"{use}/{prompt.id}")
        if command is not None:
            again = state.thinking_time if prompt.kind == Asked.TURN else pause(state)
            return Thought(command, again)
    return Thought(None, pause(state))


def _answer(state: State, seat: UUID, prompt: Prompt, tray: Tray, use: str) -> Command | None:
    """What it answers to a question; None where it has answered."""
    action = state.action()
    match prompt.kind:
        case Asked.SMITHS:
            return smith_command(state, seat, DICE, tray, use) if seat not in state.drafts else None
        case Asked.TURN:
            return _deed(state, seat)
        case Asked.POOL if action is not None:
            roller = state.characters[action.character]
            whole = action.kind is Deed.FACE_DRAGON
            return ChoosePool(pool=whole_pool(state, roller) if whole else free_pool(roller))
        case Asked.REPOOL if action is not None:
            return ChoosePool(pool=default_pool(state, action))
        case Asked.HELP if action is not None and (action.id, seat) not in state.offers:
            smith = state.smith_of(seat)
            helps = smith is not None and not _is_behind(state, seat, action.seat)
            return OfferHelp(free=free_pool(smith).free) if helps and smith is not None else DeclineHelp()
        case Asked.FORGE if action is not None:
            offers = [o.seat for o in state.offers.values() if o.action == action.id and not o.is_declined]
            return ForgeArtifact(free=free_pool(state.characters[action.character]).free, helpers=tuple(offers))
        case Asked.SPEND if action is not None:
            return SpendRoll(dice=default_purchase(action.total or 0, bought_by(action)))
        case Asked.GAIN:
            return ChooseGain()
        case Asked.VAULT if not any(b.seat == seat and not b.is_open for b in state.ballots.values()):
            asker = state.course.active
            return CastBallot(yes=asker is not None and not _is_behind(state, seat, asker))
        case Asked.DENIED if prompt.subject is not None:
            smith = state.acting_character()
            power = state.artifacts[prompt.subject].power
            bold = smith is not None and _chance(free_pool(smith), power) >= WORTH_CONTEST
            return ContestArtifact(pool=free_pool(smith)) if bold and smith is not None else LetArtifactBe()
        case Asked.FOREST:
            smith = state.acting_character()
            return GiveUpDie(die=dice_of(smith)[0]) if smith is not None else None
    return None


def _deed(state: State, seat: UUID) -> Command:
    """The plan: the Dragon where it is worth it, else an artifact, else dice from the Forest."""
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
        name=artifact_name(state, THINGS),
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


def _is_behind(state: State, seat: UUID, other: UUID) -> bool:
    """Whether another player has more victory points."""
    return state.purses[other].vp > state.purses[seat].vp
