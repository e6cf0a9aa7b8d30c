"""The commands of those who roll: the conflicts, pools, stepping back, and what a failure brings."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.game_state import Prompt
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import close
from games.forgeborn.rules.conflict.deeds import (
    RULES,
    require_kind,
    require_place_of,
    require_vault,
)
from games.forgeborn.rules.conflict.events import SteppedBack
from games.forgeborn.rules.conflict.failure import learn
from games.forgeborn.rules.conflict.forecast import forecast_conflict, forecast_recruiting
from games.forgeborn.rules.conflict.offers import gain_domain, legal_deed, pool_fields
from games.forgeborn.rules.conflict.pool import GainChoice, PoolChoice, require_pool
from games.forgeborn.rules.conflict.refusals import require_standing, require_unspent, require_unswayed
from games.forgeborn.rules.conflict.rules import answerable, begin_action, choose_pool, require_sent
from games.forgeborn.rules.gains.rules import require_gain
from games.forgeborn.rules.state.records import Action, Artifact, Character, Place
from games.forgeborn.rules.state.schema_types import Asked, CharacterKind, Deed, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn, require_turn


class DeedCommand(Forecastable[State], abstract=True):
    """An action that is rolled against a Power; its pool may be sent along."""

    deed: ClassVar[Deed]

    pool: PoolChoice | None = None
    """The dice, sent at once: then nobody asks for them, and there is no stepping back."""
    gain: GainChoice | None = None
    """What a failure shall bring; then nobody asks for it."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character = require_turn(state, ctx.actor)
        place = self.require_deed(state, character)
        require_sent(state, character, self.deed, self.pool, self.gain)
        yield from begin_action(state, ctx, self.deed, character, place, pool=self.pool, gain=self.gain)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        character = require_turn(state, actor)
        place = self.require_deed(state, character)
        require_sent(state, character, self.deed, self.pool, self.gain)
        return forecast_conflict(state, character, place.power, self.pool)

    @classmethod
    def require_deed(cls, state: State, character: Character) -> Place:
        """The place of the deed. Refuses a character, a place, and the state of a thing that bar it."""
        raise TypeError(f"{cls.__name__} is done nowhere")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character = require_turn(state, actor)
        yield legal_deed(state, cls.slug(), cls.deed, character, lambda: cls.require_deed(state, character))


class FaceDragon(DeedCommand):
    """Fight the Dragon at its Lair: who slays it has its Power in victory points, and the last turns begin."""

    deed: ClassVar[Deed] = Deed.FACE_DRAGON
    rules: ClassVar[tuple[str, ...]] = ("FB-DRG-1", "FB-DRG-2", "FB-AMB-23")

    @classmethod
    def require_deed(cls, state: State, character: Character) -> Place:
        place = require_place_of(state, character, cls.deed)
        require_standing(state)
        return place


class ExploreRuins(DeedCommand):
    """Explore Ruins: a Secret token and a victory point; they are spent, and new ones are found."""

    deed: ClassVar[Deed] = Deed.EXPLORE_RUINS
    rules: ClassVar[tuple[str, ...]] = ("FB-RUI-1", "FB-RUI-2")

    @classmethod
    def require_deed(cls, state: State, character: Character) -> Place:
        place = require_place_of(state, character, cls.deed)
        require_unspent(place)
        return place


class AssistVillage(DeedCommand):
    """Solve the problem of a Village: a Resource token; it has another problem at once."""

    deed: ClassVar[Deed] = Deed.ASSIST_VILLAGE
    rules: ClassVar[tuple[str, ...]] = ("FB-VIL-1", "FB-AMB-20")

    @classmethod
    def require_deed(cls, state: State, character: Character) -> Place:
        return require_place_of(state, character, cls.deed)


class BeseechPrince(DeedCommand):
    """Sway the Prince in the City, once and for good; from the next turn on there are boons."""

    deed: ClassVar[Deed] = Deed.BESEECH_PRINCE
    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-1", "FB-AMB-37")

    @classmethod
    def require_deed(cls, state: State, character: Character) -> Place:
        require_kind(character, CharacterKind.SMITH, RULES[cls.deed])
        place = require_place_of(state, character, cls.deed)
        require_unswayed(state, character.seat)
        return place


class TakeTest(Forecastable[State]):
    """Let a Heroine win an artifact of the Vault with her own dice and its dice, against the Citadel's Power."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TST-1", "FB-AMB-22", "FB-AMB-57")

    artifact: UUID
    """What lies in the Vault."""
    pool: PoolChoice | None = None
    """Her dice, sent at once; the artifact's are in the roll, named or not."""
    gain: GainChoice | None = None
    """What a failure shall bring."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character = require_turn(state, ctx.actor)
        place = self._place(state, character)
        artifact = require_vault(state, self.artifact, "FB-TST-1")
        require_sent(state, character, Deed.TAKE_TEST, self.pool, self.gain, artifact.id)
        yield from begin_action(
            state, ctx, Deed.TAKE_TEST, character, place, artifact=artifact, pool=self.pool, gain=self.gain
        )

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        character = require_turn(state, actor)
        place = self._place(state, character)
        artifact = require_vault(state, self.artifact, "FB-TST-1")
        require_sent(state, character, Deed.TAKE_TEST, self.pool, self.gain, artifact.id)
        return forecast_conflict(state, character, place.power, self.pool, artifact.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character = require_turn(state, actor)
        yield legal_deed(
            state,
            cls.slug(),
            Deed.TAKE_TEST,
            character,
            lambda: cls._place(state, character),
            artifacts=[artifact.id for artifact in state.vault()],
        )

    @staticmethod
    def _place(state: State, character: Character) -> Place:
        require_kind(character, CharacterKind.HEROINE, "FB-TST-1")
        return require_place_of(state, character, Deed.TAKE_TEST)


class ContestArtifact(Forecastable[State]):
    """Take without consent what the others have denied: a conflict against the artifact's Power."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1", "FB-AMB-43")

    pool: PoolChoice | None = None
    """The dice, sent at once."""
    gain: GainChoice | None = None
    """What a failure shall bring."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = answerable(state, ctx.actor, type(self))
        character, artifact = self._contest(state, prompt)
        yield from close(state, prompt.id, "contested")
        yield from begin_action(
            state,
            ctx,
            Deed.CONTEST_ARTIFACT,
            character,
            state.places[character.place],
            artifact=artifact,
            pool=self.pool,
            gain=self.gain,
        )

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        character, artifact = self._contest(state, answerable(state, actor, type(self)))
        return forecast_conflict(state, character, artifact.power, self.pool)

    def _contest(self, state: State, prompt: Prompt) -> tuple[Character, Artifact]:
        """(who takes it, what was denied). Raises what `require_sent` raises."""
        character = state.acting_character()
        if character is None or prompt.subject is None:
            raise RuntimeError("what was denied is asked of a character, about an artifact")
        artifact = require_vault(state, prompt.subject, "FB-VLT-1")
        require_sent(state, character, Deed.CONTEST_ARTIFACT, self.pool, self.gain)
        return character, artifact

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        character = state.acting_character()
        if character is not None:
            domains = {"pool": pool_fields(state, character), "gain": gain_domain(character)}
            yield LegalCommand(cls.slug(), domains)


class ChoosePool(Forecastable[State]):
    """Say which dice are rolled, which artifacts help and how; after a refusal once more, without what was refused."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-1", "FB-CON-2", "FB-CON-7", "FB-CON-9")

    pool: PoolChoice
    """The dice and artifacts."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        action = self._action(state, ctx.actor)
        yield from choose_pool(state, ctx, action, self.pool, again=state.question(Asked.REPOOL) is not None)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        action = self._action(state, actor)
        roller = state.characters[action.character]
        if action.power is None:
            return forecast_recruiting(state, roller, self.pool)
        lent = action.artifact if action.kind is Deed.TAKE_TEST else None
        return forecast_conflict(state, roller, action.power, self.pool, lent)

    def _action(self, state: State, actor: Actor) -> Action:
        """The action that the pool is for. Raises what `answerable` and `require_pool` raise."""
        answerable(state, actor, type(self))
        action = state.require_action()
        former = state.pools.get(action.id)
        require_pool(
            state,
            state.characters[action.character],
            self.pool,
            action.kind,
            artifact=action.artifact,
            refused=former.refused if former is not None else (),
            former=[each.artifact for each in former.artifacts] if former is not None else None,
        )
        return action

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        action = state.require_action()
        pool = pool_fields(state, state.characters[action.character], action)
        yield LegalCommand(cls.slug(), {"pool": pool})


class StepBack(Enumerable[State]):
    """Step back from what was described; the action is used, and nothing is won or lost."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-7", "FB-AMB-33")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = answerable(state, ctx.actor, type(self))
        yield SteppedBack(character=state.require_action().character)
        yield from close(state, prompt.id, "stepped-back")
        yield from end_turn(state, TurnEnd.ACTION)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        yield LegalCommand(cls.slug())


class ChooseGain(Enumerable[State]):
    """Say what a failure brings: a d4, or a step for one of the dice."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-5", "FB-AMB-19")

    raise_: Size | None = Field(default=None, alias="raise")
    """The die that rises; null for a d4."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        prompt = answerable(state, ctx.actor, type(self))
        action = state.require_action()
        require_gain(state.characters[action.character], self.raise_)
        yield from close(state, prompt.id, "chosen")
        yield from learn(state, action, self.raise_)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        yield LegalCommand(cls.slug(), gain_domain(state.characters[state.require_action().character]).fields)
