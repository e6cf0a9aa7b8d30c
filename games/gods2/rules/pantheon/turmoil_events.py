"""Turmoil, cults and expulsions, as facts (G2-TURM-*, G2-PAN-8)."""

from dataclasses import replace
from typing import ClassVar, Literal
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.effect_records import LaterTurmoil
from games.gods2.rules.state.names import cause_name, member_name
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.shares import describe_shares, share_out, shares_of
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf

Result = Literal["nothing", "thrown", "choice"]


class TurmoilDeferred(ForSeat[State]):
    """A turmoil will begin with the next century: the worship of this one is settled."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-1", "G2-AMB-32")

    race: UUID
    century: int
    seat: UUID

    def apply(self, state: State) -> None:
        state.later_turmoils[self.race] = LaterTurmoil(self.race, self.seat)

    def sentence(self, state: State) -> str:
        return f"A turmoil among {state.races[self.race].name} will begin with century {self.century}."


class TurmoilBegun(ForSeat[State]):
    """A turmoil that was put off begins now; it waits no longer."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AMB-32",)

    race: UUID
    seat: UUID

    def apply(self, state: State) -> None:
        del state.later_turmoils[self.race]

    def sentence(self, state: State) -> str:
        return f"The turmoil among {state.races[self.race].name} that waited begins."


class TurmoilRolled(Event[State]):
    """The die of a turmoil at the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-3", "G2-TURM-4")

    race: UUID
    result: Result
    member: str | None = None
    """Who is thrown out, or may throw out another."""

    def sentence(self, state: State) -> str:
        race = state.races[self.race].name
        if self.member is None:
            return f"The turmoil among {race} changes nothing in the pantheon."
        who = name_of_member(state, self.member)
        end = "is thrown out" if self.result == "thrown" else "may throw out another member"
        return f"The turmoil among {race}: {who} {end}."


class ExpulsionAsked(Event[State]):
    """A god may throw out another member."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-5",)

    prompt: UUID
    race: UUID
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} may throw a member out of the pantheon of {state.races[self.race].name}."


class ExpulsionAnswered(Event[State]):
    """What the chosen god has decided; without a member, to decline."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-5", "G2-AMB-30")

    prompt: UUID
    race: UUID
    seat: UUID
    member: str | None = None

    def sentence(self, state: State) -> str:
        who = state.gods[self.seat].name
        return f"{who} declines." if self.member is None else f"{who} throws out {name_of_member(state, self.member)}."


AT_WILL = "a god's will"
"""The cause of a turmoil that a member god has begun, without a power (G2-TURM-1)."""
EndOfTurmoil = Literal["agreed", "power", "sole", "extinct"]


class TurmoilStarted(Event[State]):
    """A race is in religious turmoil: it gives no worship mana for this century."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-1", "G2-TURM-2")

    race: UUID
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        here, at_will = state.races[self.race], self.cause == AT_WILL
        state.races[self.race] = replace(here, turmoil=True, troubled=True, turmoil_at_will=at_will)

    def sentence(self, state: State) -> str:
        return f"Religious turmoil breaks out among {state.races[self.race].name} ({cause_name(state, self.cause)})."


class TurmoilEnded(Event[State]):
    """A turmoil is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-7", "G2-TURM-8", "G2-TURM-9")

    race: UUID
    cause: EndOfTurmoil

    def apply(self, state: State) -> None:
        here = state.races[self.race]
        # An order that waited takes effect as the century begins: no moment of it has seen the turmoil (AMB-32).
        at_peace = self.cause == "agreed" and state.era.phase is Phase.OPENING
        state.races[self.race] = replace(here, turmoil=False, troubled=here.troubled and not at_peace)

    def sentence(self, state: State) -> str:
        return f"The turmoil among {state.races[self.race].name} is over: {cause_name(state, self.cause)}."


class MemberExpelled(Event[State]):
    """A member was thrown out of a pantheon; the share goes to the others in proportion."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-6", "G2-PAN-9")

    race: UUID
    member: str
    pantheon: tuple[ShareOf, ...]
    cause: str

    def apply(self, state: State) -> None:
        share_out(state, self.race, shares_of(self.pantheon))

    def sentence(self, state: State) -> str:
        race, shares = state.races[self.race].name, describe_shares(state, shares_of(self.pantheon))
        return f"{name_of_member(state, self.member)} is thrown out of the pantheon of {race}: {shares}."


def name_of_member(state: State, member: str) -> str:
    """A member's name."""
    return member_name(state, member)


class CultGrew(Event[State]):
    """A member of a pantheon has gained by a cult; the others shrink in proportion."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-8", "G2-PAN-9")

    race: UUID
    gains: tuple[ShareOf, ...]
    """In hundredths of a percent; negative where a member loses."""
    pantheon: tuple[ShareOf, ...]
    """The shares from now on."""
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        share_out(state, self.race, shares_of(self.pantheon))

    def sentence(self, state: State) -> str:
        shares = describe_shares(state, shares_of(self.pantheon))
        return f"A cult changes the faith of {state.races[self.race].name} ({cause_name(state, self.cause)}): {shares}."
