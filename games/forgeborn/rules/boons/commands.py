"""The commands of the Forest and of the Prince's boons (FB-FOR-1, FB-PRI-2, FB-PRI-3)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, ListOf
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.forgeborn.rules.boons.events import Boon, BoonTaken
from games.forgeborn.rules.boons.rules import ask_spirits, leave_forest
from games.forgeborn.rules.claims.events import ClaimMade
from games.forgeborn.rules.conflict.deeds import require_kind, require_standing_at, require_vault
from games.forgeborn.rules.conflict.forecast import forecast_commune
from games.forgeborn.rules.conflict.offers import gain_domain
from games.forgeborn.rules.conflict.rules import answerable
from games.forgeborn.rules.gains.events import Gain
from games.forgeborn.rules.gains.rules import gain_die, gain_token, require_gain
from games.forgeborn.rules.state.constants import MOST_COMMUNED
from games.forgeborn.rules.state.dice import are_held, dice_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import CharacterKind, PlaceKind, Size, Token
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import TurnEnd
from games.forgeborn.rules.turns.rules import end_turn, require_turn

SPIRITS, BOON = "FB-FOR-1", "FB-PRI-2"
MOST_NAMED = 100
"""More dice than may be named, so that too many are refused by the rule (FB-AMB-36)."""


class Commune(Forecastable[State]):
    """Ask the Spirits of the Forest for dice: a roll of 9 or less grants them, else they take one of yours."""

    rules: ClassVar[tuple[str, ...]] = ("FB-FOR-1", "FB-AMB-16", "FB-AMB-36")

    dice: Annotated[tuple[Size, ...], Field(max_length=MOST_NAMED)]
    """The dice you ask for, 1 to 20."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        smith = self._smith(state, ctx.actor)
        if not 1 <= len(self.dice) <= MOST_COMMUNED:
            raise Refused(
                "dice.range",
                f"A Smith asks the Spirits for 1 to {MOST_COMMUNED} dice, not {len(self.dice)}.",
                rules=(SPIRITS, "FB-AMB-36"),
                dice=len(self.dice),
                most=MOST_COMMUNED,
            )
        yield from ask_spirits(state, ctx, smith, self.dice)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        return forecast_commune(self._smith(state, actor), self.dice)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_turn(state, actor)
        domains = {"dice": ListOf(Choices.of(tuple(Size)), low=1, high=MOST_COMMUNED, unique=False)}
        try:
            cls._smith(state, actor)
        except Refused as barred:
            yield LegalCommand(cls.slug(), domains, barred=barred)
            return
        yield LegalCommand(cls.slug(), domains)

    @staticmethod
    def _smith(state: State, actor: Actor) -> Character:
        smith = require_turn(state, actor)
        require_kind(smith, CharacterKind.SMITH, SPIRITS)
        require_standing_at(state.places[smith.place], (PlaceKind.FOREST,), SPIRITS)
        return smith


class GiveUpDie(Enumerable[State]):
    """Say which die the Spirits take."""

    rules: ClassVar[tuple[str, ...]] = ("FB-FOR-1",)

    die: Size
    """One of your Smith's dice."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        answerable(state, ctx.actor, type(self))
        smith = state.acting_character()
        if smith is None or not are_held((self.die,), smith):
            raise Refused(
                "die.missing", f"Your Smith has no d{self.die}; give up another die.", rules=(SPIRITS,), die=self.die
            )
        yield from leave_forest(state, smith, (self.die,))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        answerable(state, actor, cls)
        smith = state.acting_character()
        if smith is not None:
            yield LegalCommand(cls.slug(), {"die": Choices.of(sorted(set(dice_of(smith))))})


class TakeBoon(Enumerable[State]):
    """Ask a boon of the Prince who listens to you: a token, a die, or a claim on an artifact of the Vault."""

    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-2", "FB-PRI-3", "FB-AMB-14", "FB-AMB-38")

    kind: Boon
    """What you ask for."""
    raise_: Size | None = Field(default=None, alias="raise")
    """For a die: the one that rises; null for a d4."""
    artifact: UUID | None = None
    """For a claim: what lies in the Vault."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character = self._character(state, ctx.actor)
        seat, claimed = character.seat, None
        match self.kind:
            case Boon.CLAIM:
                claimed = self._claimed(state)
            case Boon.DIE:
                require_gain(character, self.raise_)
        yield BoonTaken(seat=seat, character=character.id, kind=self.kind)
        match self.kind:
            case Boon.CLAIM if claimed is not None:
                former = state.purses[seat].claim
                yield ClaimMade(seat=seat, artifact=claimed, replaced=former if former != claimed else None)
            case Boon.DIE:
                yield from gain_die(character, self.raise_, Gain.BOON)
            case _:
                yield from gain_token(state, seat, Token(self.kind.value))
        yield from end_turn(state, TurnEnd.ACTION)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character = require_turn(state, actor)
        try:
            cls._character(state, actor)
        except Refused as barred:
            yield LegalCommand(cls.slug(), {"kind": Choices.of(Boon)}, barred=barred)
            return
        for kind in Boon:
            domains: dict[str, Domain] = {"kind": Choices((kind.value,))}
            required: tuple[str, ...] = ()
            if kind is Boon.DIE:
                domains |= gain_domain(character).fields
            if kind is Boon.CLAIM:
                vault = [artifact.id for artifact in state.vault()]
                domains["artifact"], required = Choices.of(vault), ("artifact",)
                if not vault:
                    empty = Refused("artifact.not_in_vault", "Nothing lies in the Vault.", rules=("FB-PRI-3",))
                    yield LegalCommand(cls.slug(), domains, barred=empty, required=required)
                    continue
            yield LegalCommand(cls.slug(), domains, required=required)

    def _claimed(self, state: State) -> UUID:
        """What is claimed. Raises `artifact.missing`, `artifact.not_in_vault`."""
        if self.artifact is None:
            raise Refused(
                "artifact.missing", "Name the artifact of the Vault that you claim.", rules=("FB-PRI-2", "FB-PRI-3")
            )
        return require_vault(state, self.artifact, "FB-PRI-3").id

    @staticmethod
    def _character(state: State, actor: Actor) -> Character:
        character = require_turn(state, actor)
        require_standing_at(state.places[character.place], (PlaceKind.CITY,), BOON)
        if not state.purses[character.seat].is_swayed:
            raise Refused(
                "prince.unswayed",
                "The Prince does not listen to you yet; win beseech-prince first.",
                rules=(BOON,),
            )
        return character
