"""The events of chapter 2: checks are asked, set, thrown, bought for and closed."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dietower.rules.state.records import Check, Roll
from games.dietower.rules.state.schema_types import Adv, CheckStatus, Hindrance, HindranceAs, Means
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import means, remark
from games.engine.kernel import Event
from games.engine.wording import full_sentence, listing, quantity


class CheckRequested(Event[State]):
    """A check is asked for."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-1",)

    check: UUID
    actor: UUID
    intent: str
    trait: str
    by: UUID | None
    """The seat that asks; null for the world master."""
    own_turn: bool = False
    """Whether its player asks in the character's turn."""
    uses: Means = Means.NONE
    """What it is done with."""
    session: int = 0
    """The session in which it is asked for; 0 in an older log."""

    def apply(self, state: State) -> None:
        state.checks[self.check] = Check(
            self.check,
            self.actor,
            self.intent,
            self.trait,
            self.by,
            own_turn=self.own_turn,
            uses=self.uses,
            session=self.session,
        )

    def sentence(self, state: State) -> str:
        return f"{state.actors[self.actor].name} tries{means(self.trait, self.uses)}: {full_sentence(self.intent)}"


class CheckSet(Event[State]):
    """The world master has said how hard a check is."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-1", "DT-CHK-2", "DT-CMB-13", "DT-CHR-7")

    check: UUID
    cd: int
    name: str
    """Of DT-CHK-2; `custom` for another number."""
    good: bool
    adv: Adv
    edge: int
    edge_die: bool
    hindrance: Hindrance
    hindrance_as: HindranceAs | None
    free: bool
    """Whether it uses no action of the turn."""

    def apply(self, state: State) -> None:
        check = replace(
            state.checks[self.check],
            cd=self.cd,
            cd_name=self.name,
            good=self.good,
            adv=self.adv,
            edge=self.edge,
            edge_die=self.edge_die,
            hindrance=self.hindrance,
            hindrance_as=self.hindrance_as,
            free=self.free,
        )
        state.checks[self.check] = check
        if check.own_turn and not self.free and state.encounter is not None:
            state.set_encounter(attacked=True, done=True)

    def sentence(self, state: State) -> str:
        check = state.checks[self.check]
        said = [f"CD {self.cd}" + ("" if self.name == "custom" else f" ({self.name})")]
        said += ["good at it"] if self.good else []
        said += [{Adv.ADV: "advantage", Adv.DIS: "disadvantage"}[self.adv]] if self.adv is not Adv.NONE else []
        said += [f"edge +{self.edge}"] if self.edge else []
        said += ["edge +1d6"] if self.edge_die else []
        said += [f"hindered by the {self.hindrance}"] if self.hindrance is not Hindrance.NONE else []
        return f"{state.actors[check.actor].name}: {listing(said, 'and')}."


class CheckWithdrawn(Event[State]):
    """A check is not made."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-16", "DT-CHK-15")

    check: UUID
    reason: str

    def apply(self, state: State) -> None:
        state.checks[self.check] = replace(state.checks[self.check], status=CheckStatus.WITHDRAWN)

    def sentence(self, state: State) -> str:
        name = state.actors[state.checks[self.check].actor].name
        return f"The check of {name} is not made.{remark(self.reason)}"


class CheckSucceeded(Event[State]):
    """A check succeeds without a roll."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-3",)

    check: UUID

    def apply(self, state: State) -> None:
        state.checks[self.check] = replace(state.checks[self.check], status=CheckStatus.DONE, success=True)

    def sentence(self, state: State) -> str:
        return f"{state.actors[state.checks[self.check].actor].name} succeeds without a roll."


class PoolRolled(Event[State]):
    """Dice were thrown; one may be discarded."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-4", "DT-CHK-5", "DT-CHK-13")

    roll: UUID
    actor: UUID
    check: UUID | None = None
    attack: UUID | None = None
    dice: tuple[int, ...]
    """All that were thrown, in order."""
    discarded: int | None
    """The place of the discarded one, from 0."""
    pool: tuple[int, ...]
    """The dice that count."""
    flat: int
    """The flat edge."""

    def apply(self, state: State) -> None:
        state.rolls[self.roll] = Roll(
            self.roll, self.actor, self.check, self.attack, self.dice, self.discarded, self.pool, self.flat
        )
        if self.check is not None:
            state.checks[self.check] = replace(state.checks[self.check], status=CheckStatus.THROWN)

    def sentence(self, state: State) -> str:
        shown = ", ".join(map(str, self.pool))
        gone = f" (without {self.dice[self.discarded]})" if self.discarded is not None else ""
        return f"{state.actors[self.actor].name} rolls {shown}{gone}."


class BonusDieRolled(Event[State]):
    """A die that a Wish has bought."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-6", "DT-WSH-3")

    roll: UUID
    die: int
    reopens: UUID | None = None
    """The roll of the other side of an attack, which may buy dice again."""

    def apply(self, state: State) -> None:
        roll = state.rolls[self.roll]
        state.rolls[self.roll] = replace(roll, pool=(*roll.pool, self.die))
        if self.reopens is not None:
            state.rolls[self.reopens] = replace(state.rolls[self.reopens], waiting=True)

    def sentence(self, state: State) -> str:
        return f"A Wish die for {state.actors[state.rolls[self.roll].actor].name}: {self.die}."


class WindowClosed(Event[State]):
    """One side of an attack buys no more dice."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CMB-6", "DT-AMB-56")

    roll: UUID

    def apply(self, state: State) -> None:
        state.rolls[self.roll] = replace(state.rolls[self.roll], waiting=False)


class RollClosed(Event[State]):
    """A roll is over: what it comes to."""

    rules: ClassVar[tuple[str, ...]] = ("DT-CHK-7", "DT-CHK-8", "DT-CHK-10")

    roll: UUID
    net: int
    extra: tuple[int, ...]
    flat: int
    total: int
    success: bool | None = None
    """Of a check; null in an attack."""

    def apply(self, state: State) -> None:
        roll = replace(
            state.rolls[self.roll], waiting=False, closed=True, net=self.net, extra=self.extra, total=self.total
        )
        state.rolls[self.roll] = roll
        if roll.check is not None:
            check = replace(state.checks[roll.check], status=CheckStatus.DONE, success=self.success)
            state.checks[roll.check] = check

    def sentence(self, state: State) -> str:
        name = state.actors[state.rolls[self.roll].actor].name
        extra = f", {quantity(len(self.extra), 'extra die', 'extra dice')}" if self.extra else ""
        verdict = "" if self.success is None else ": success" if self.success else ": no success"
        return f"{name} comes to {self.total}{extra}{verdict}."
