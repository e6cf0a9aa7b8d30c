"""What a character could do next, where, and what it is worth: what the policy `steady` weighs (section 10).

A worth is in victory points: those of the deed, and what its dice, tokens and artifacts bring later. Dice and artifacts
count for the Dragon by their means, payments for the artifacts that they are spent on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar
from uuid import UUID

from games.engine.kernel import Command
from games.forgeborn.rules.boons.commands import Commune, TakeBoon
from games.forgeborn.rules.boons.events import Boon
from games.forgeborn.rules.bots.bargaining import is_in_favour, mean_of, would_win
from games.forgeborn.rules.bots.common import artifact_name, careful_pool, heroine_name, whole_pool
from games.forgeborn.rules.conflict.commands import AssistVillage, BeseechPrince, ExploreRuins, FaceDragon, TakeTest
from games.forgeborn.rules.conflict.odds import conflict_odds, creation_odds
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.conflict.recruiting_commands import RecruitHeroine
from games.forgeborn.rules.forge.commands import BeginArtifact, payments
from games.forgeborn.rules.forge.rules import FORM_DICE, FUNCTION_DICE, FormChoice, FunctionChoice
from games.forgeborn.rules.state.constants import FREE_DICE
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.records import Artifact, Character, Place
from games.forgeborn.rules.state.schema_types import CharacterKind, Form, Function, PlaceKind, Size, Step, Token
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.vault.commands import RequestArtifact

Kind = TypeVar("Kind", Form, Function)
Worth = tuple[Fraction, Command]
"""What a deed is worth, and the deed."""
EVEN = Fraction(1, 2)
"""The chance at which a Smith goes to the Dragon."""
STAYS = Fraction(1, 3)
"""The chance at which one who stands before it fights."""
HUNT = Fraction(100)
"""The worth of slaying the Dragon where that wins the game; more than of anything else."""
PRIZE, HOPE = Fraction(5), Fraction(4)
"""What all the dice that slay the Dragon are worth together, where slaying it would win, and where it would not."""
WEARY = 20
"""Rounds in which the prize doubles: the longer a game, the more it is worth to end it."""
STORE = 8
"""Payments, for four artifacts; more are worth nothing."""
LONE, SOUGHT = Fraction(1, 4), Fraction(3, 2)
"""What a payment counts that nothing goes with, and one that goes with others."""
HEROINE, PRINCE = Fraction(3, 2), Fraction(3)
"""What the first Heroine is worth, and the Prince's ear."""
TRUST = Fraction(3, 4)
"""How likely those vote for it who should."""
RISKY = Fraction(3, 4)
"""What an artifact is worth that is only to be fetched, or that a Heroine holds."""
HEROINES_DIE = Fraction(1, 4)
"""What a d4 of a Heroine is worth."""
LESSON = Fraction(3, 5)
"""What a d4 counts that a failure brings: a turn in which nothing was won."""
DEAREST = Size.D6
"""The largest die that it pays with; in its last turn any."""
PAIR = (Size.D4, Size.D4)
"""Dice that the Spirits never refuse."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A deed of a character at a place, and what it is worth."""

    character: Character
    place: UUID
    worth: Fraction
    command: Command


@dataclass(frozen=True, slots=True)
class Stakes:
    """What things are worth to a seat as the game stands."""

    state: State
    seat: UUID

    @property
    def has_future(self) -> bool:
        """Whether turns follow the one that runs, in which something could be used."""
        return self.turns_left != 1

    @property
    def turns_left(self) -> int | None:
        """The turns that the seat has at most, this one included; None where nobody knows."""
        limit, course = options_of(self.state).round_limit, self.state.course
        if course.step is Step.LAST_TURNS or course.called:
            return 1
        return None if limit is None else limit - course.round + 1

    @property
    def pip(self) -> Fraction:
        """What one more point of the mean of the dice is worth that go to the Dragon."""
        if not self.has_future:
            return Fraction(0)
        power = self.state.place_of_kind(PlaceKind.LAIR).power
        prize = PRIZE * (1 + Fraction(self.state.course.round, WEARY)) if would_win(self.state, self.seat) else HOPE
        return prize / mean_of([Size.D12] * power)

    def payment(self, more: int = 0) -> Fraction:
        """What one more payment is worth. more: those that come before it."""
        smith, purse = self.state.smith_of(self.seat), self.state.purses[self.seat]
        has = more + purse.resource + purse.secret + (smith.d4 if smith is not None else 0)
        return Fraction(max(0, STORE - has), STORE) if self.has_future else Fraction(0)

    def token(self, token: Token) -> Fraction:
        """What one more token is worth: little where there are more of its kind than others go with them."""
        smith, purse = self.state.smith_of(self.seat), self.state.purses[self.seat]
        others = purse.secret if token is Token.RESOURCE else purse.resource
        spare = purse.resource + purse.secret - 2 * others - (smith.d4 if smith is not None else 0)
        return self.payment() * (LONE if spare > 1 else SOUGHT if spare < -1 else 1)

    def artifact(self, artifact: Artifact) -> Fraction:
        """What it is worth to hold an artifact."""
        return self.pip * mean_of(dice_of(artifact))

    def die(self, character: Character) -> Fraction:
        """What a d4 is worth to a character."""
        if character.kind is CharacterKind.HEROINE:
            return HEROINES_DIE if self.has_future else Fraction(0)
        return self.payment() + self.pip * mean_of((Size.D4,))

    def conflict(self, character: Character, power: int, won: Fraction) -> Fraction:
        """The worth of a conflict with nothing at risk, given that of winning it."""
        chance = chance_of(self.state, careful_pool(self.state, character), power)
        return chance * won + (1 - chance) * LESSON * self.die(character)


def chance_of(state: State, pool: PoolChoice, power: int, *lent: Artifact) -> Fraction:
    """How likely a pool beats a Power. lent: artifacts that are rolled beside those of the pool."""
    artifacts = (*(state.artifacts[each.artifact] for each in pool.artifacts), *lent)
    dice = [size for artifact in artifacts for size in dice_of(artifact)]
    return conflict_odds((*pool.free, *pool.sacrifice), power, artifacts=dice).chance


def plans_of(state: State, character: Character) -> Iterator[Plan]:
    """The deeds of a character, at every place where it could do one."""
    stakes, has_dice = Stakes(state, character.seat), bool(dice_of(character))
    is_smith = character.kind is CharacterKind.SMITH
    for place in state.places.values():
        match place.kind:
            case PlaceKind.CITADEL if has_dice:
                found = _at_the_citadel(stakes, character) if is_smith else _tests(stakes, character, place)
            case PlaceKind.VILLAGE if has_dice:
                found = _in_a_village(stakes, character, place)
            case PlaceKind.RUINS if has_dice and not place.is_spent:
                won = 1 + stakes.token(Token.SECRET)
                found = iter(
                    [(stakes.conflict(character, place.power, won), _pool_for(stakes, character, ExploreRuins))]
                )
            case PlaceKind.CITY:
                found = _in_the_city(stakes, character, place)
            case PlaceKind.FOREST if is_smith:
                worth = stakes.payment() + stakes.payment(1) + stakes.pip * mean_of(PAIR)
                found = iter([(worth, Commune(dice=PAIR))])
            case PlaceKind.LAIR if has_dice and is_smith:
                found = _before_the_dragon(stakes, character, place)
            case _:
                continue
        yield from (Plan(character, place.id, worth, command) for worth, command in found)


def _pool_for(stakes: Stakes, character: Character, deed: type[Command], **fields: object) -> Command:
    """A deed with its pool; with a referee it waits for the description first (FB-CON-8)."""
    pool = None if stakes.state.has_referee else careful_pool(stakes.state, character)
    return deed.model_validate({**fields, "pool": pool})


def _at_the_citadel(stakes: Stakes, smith: Character) -> Iterator[Worth]:
    """Forge, or ask for what lies in the Vault and contest what is denied."""
    state = stakes.state
    forged = max(_creations(stakes, smith), key=lambda found: found[0], default=None)
    if forged is not None:
        yield forged
    voters = state.voters(smith.seat)
    for artifact in state.vault():
        friends = sum(is_in_favour(state, voter, smith.seat, artifact) for voter in voters)
        worth = stakes.artifact(artifact)
        taken = stakes.conflict(smith, artifact.power, worth)
        yield (
            TRUST * worth + (1 - TRUST) * taken if 2 * friends > len(voters) else taken,
            RequestArtifact(artifact=artifact.id),
        )


def _creations(stakes: Stakes, smith: Character) -> Iterator[Worth]:
    """Every way to pay for an artifact: the points of it, less what the payment would be worth."""
    state = stakes.state
    for form, function in payments(state, smith):
        left = list(dice_of(smith))
        paid = [die for die in (form, function) if die is not None]
        if stakes.has_future and any(die > DEAREST for die in paid):
            continue
        for die in paid:
            left.remove(die)
        rolled = sorted(left, reverse=True)[:FREE_DICE]
        power = sum(
            (number * chance for number, chance in enumerate(creation_odds(rolled).dice_chances())), Fraction(0)
        )
        yield (
            power - stakes.pip * mean_of(paid),
            BeginArtifact(
                name=artifact_name(state),
                form=FormChoice(kind=_kind(FORM_DICE, form, len(state.artifacts)), die=form),
                function=FunctionChoice(kind=_kind(FUNCTION_DICE, function, len(state.artifacts)), die=function),
            ),
        )


def _kind(dice: Mapping[Kind, Size], die: Size | None, turn: int) -> Kind:
    """The kind that a die pays for; with a token each in its turn."""
    kinds = [kind for kind, size in dice.items() if die in (None, size)]
    return kinds[turn % len(kinds)]


def _tests(stakes: Stakes, heroine: Character, citadel: Place) -> Iterator[Worth]:
    """A Heroine is tested for what lies in the Vault."""
    free = careful_pool(stakes.state, heroine).model_copy(update={"artifacts": ()})
    for artifact in stakes.state.vault():
        chance = chance_of(stakes.state, free, citadel.power, artifact)
        worth = chance * RISKY * stakes.artifact(artifact) + (1 - chance) * LESSON * stakes.die(heroine)
        pool = None if stakes.state.has_referee else free
        yield worth, TakeTest(artifact=artifact.id, pool=pool)


def _in_a_village(stakes: Stakes, character: Character, village: Place) -> Iterator[Worth]:
    """Solve its problem; a Smith looks for a Heroine where there is none yet."""
    yield (
        stakes.conflict(character, village.power, stakes.token(Token.RESOURCE)),
        _pool_for(stakes, character, AssistVillage),
    )
    yield from _recruiting(stakes, character)


def _recruiting(stakes: Stakes, character: Character) -> Iterator[Worth]:
    own = stakes.state.characters_of(character.seat)
    if character.kind is CharacterKind.SMITH and len(own) == 1 and stakes.has_future:
        name = heroine_name(stakes.state, character.seat)
        yield HEROINE, _pool_for(stakes, character, RecruitHeroine, name=name)


def _in_the_city(stakes: Stakes, character: Character, city: Place) -> Iterator[Worth]:
    """Sway the Prince once; from then on a token, a die, or a claim on what lies in the Vault."""
    state, purse = stakes.state, stakes.state.purses[character.seat]
    if not dice_of(character) and not purse.is_swayed:
        return
    if not purse.is_swayed:
        if character.kind is CharacterKind.SMITH:
            won = PRINCE if stakes.has_future else Fraction(0)
            yield stakes.conflict(character, city.power, won), _pool_for(stakes, character, BeseechPrince)
            yield from _recruiting(stakes, character)
        return
    for token in Token:
        yield stakes.token(token), TakeBoon(kind=Boon(token.value))
    yield stakes.die(character), TakeBoon(kind=Boon.DIE)
    if purse.claim is None:
        for artifact in state.vault():
            yield RISKY * stakes.artifact(artifact), TakeBoon(kind=Boon.CLAIM, artifact=artifact.id)


def _before_the_dragon(stakes: Stakes, smith: Character, lair: Place) -> Iterator[Worth]:
    """Fight with all dice where that wins the game, at even odds; who stands there already, at less."""
    state = stakes.state
    if not would_win(state, smith.seat):
        return
    pool = whole_pool(state, smith)
    if chance_of(state, pool, lair.power) >= (STAYS if smith.place == lair.id else EVEN):
        yield HUNT, FaceDragon(pool=None if state.has_referee else pool)
