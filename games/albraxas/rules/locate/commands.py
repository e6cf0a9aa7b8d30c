"""The commands of LOCATE: set a place, lock it, unlock it (AX-TRN-2, AX-TRN-3)."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from games.albraxas.rules.locate.events import LocationLocked, LocationSet, LocationUnlocked
from games.albraxas.rules.locate.rules import price_of, reachable
from games.albraxas.rules.state.records import Character, Choice
from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import answer, withdraw

RULES = ("AX-TRN-2", "AX-TRN-3")


class SetLocation(Enumerable[State]):
    """Say where you go; the other rebels see it, Albraxas does not. The next phase is free, any other is a Travel."""

    rules: ClassVar[tuple[str, ...]] = RULES

    phase: int = Field(ge=-1_000_000, le=1_000_000)
    """1 to N."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        rebel = locating(state, ctx.actor)
        if _is_locked(state, rebel):
            raise Refused("location.locked", "You have locked your place; unlock it first.", rules=("AX-TRN-2",))
        last = state.storm.phases
        if not 1 <= self.phase <= last:
            raise Refused("phase.range", f"Phases are 1 to {last}.", rules=("AX-TRN-2",), low=1, high=last)
        _require_price(state, rebel, self.phase)
        yield LocationSet(seat=rebel.id, phase=self.phase)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        rebel = locating(state, actor)
        phases = reachable(state, rebel)
        if phases and not _is_locked(state, rebel):
            yield LegalCommand(cls.slug(), {"phase": Choices.of(phases)})


class LockLocation(Enumerable[State]):
    """Lock your place; when all rebels have, the places are shown to everybody and Travels are paid."""

    rules: ClassVar[tuple[str, ...]] = RULES

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        rebel = locating(state, ctx.actor)
        choice = _lockable(state, rebel)
        prompt = state.question(Step.LOCATE)
        if prompt is None:
            raise RuntimeError("LOCATE without a question")
        yield from answer(state, ctx, prompt, str(choice.phase))
        yield LocationLocked(seat=rebel.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        rebel = locating(state, actor)
        yield LegalCommand(cls.slug(), price=price_of(state, rebel, _lockable(state, rebel).phase))


class UnlockLocation(Enumerable[State]):
    """Unlock your place, while others are not locked."""

    rules: ClassVar[tuple[str, ...]] = RULES

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        rebel = locating(state, ctx.actor)
        self._check(state, rebel)
        prompt = state.question(Step.LOCATE)
        if prompt is None:
            raise RuntimeError("LOCATE without a question")
        yield from withdraw(state, ctx, prompt)
        yield LocationUnlocked(seat=rebel.id)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._check(state, locating(state, actor))
        yield LegalCommand(cls.slug())

    @staticmethod
    def _check(state: State, rebel: Character) -> None:
        if not _is_locked(state, rebel):
            raise Refused("location.open", "Your place is not locked.", rules=("AX-TRN-2",))


def locating(state: State, actor: Actor) -> Character:
    """The rebel who acts in LOCATE. Raises `phase.closed`, `character.out`, `side.other` (AX-SET-7)."""
    state.require(Step.LOCATE)
    character = state.acting(actor)
    if character.side is Side.ALBRAXAS:
        raise Refused("side.other", "Albraxas does not travel; the rebels go to their places.", rules=("AX-SET-7",))
    return character


def _is_locked(state: State, rebel: Character) -> bool:
    choice = state.choices.get(rebel.id)
    return choice is not None and choice.locked


def _require_price(state: State, rebel: Character, phase: int) -> None:
    """Refuse (`dynamism.short`) a Travel that the rebel cannot pay."""
    price = price_of(state, rebel, phase)
    if price > rebel.dynamism:
        raise Refused(
            "dynamism.short",
            f"The Travel from phase {rebel.phase} to {phase} costs {price} Dynamism; "
            f"{rebel.name} has {rebel.dynamism}.",
            rules=("AX-TRN-3",),
            need=price,
            have=rebel.dynamism,
        )


def _lockable(state: State, rebel: Character) -> Choice:
    """The place that may be locked now. Raises `location.missing`, `location.locked`, `dynamism.short`."""
    choice = state.choices.get(rebel.id)
    if choice is None:
        raise Refused("location.missing", "Set a place first.", rules=("AX-TRN-2",))
    if choice.locked:
        raise Refused("location.locked", "Your place is locked already.", rules=("AX-TRN-2",))
    _require_price(state, rebel, choice.phase)  # a game-master may have corrected the Dynamism since
    return choice
