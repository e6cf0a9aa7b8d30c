"""Mana as facts: factors, gains, payments, of a god and of the demons' pool (G2-MANA-*)."""

from dataclasses import replace
from decimal import Decimal
from typing import ClassVar, Protocol
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.state.audiences import ForSeat, Seated
from games.gods2.rules.state.gods import purse
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.records import Factor, Line
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import FactorOf

AT_START = "start"
"""The cause of the mana that a god begins with."""


class Balanced(Protocol):
    """What says how much mana an account holds now."""

    @property
    def balance(self) -> int: ...


class Owned(Balanced, Seated, Protocol):
    """What says so of a god's own account."""


class PurseEvent(ForSeat[State], abstract=True):
    """A fact about a god's own mana: a secret of the god and the GMs."""

    def apply(self: Owned, state: State) -> None:
        state.purses[self.seat] = replace(purse(state, self.seat), balance=self.balance)


class PoolEvent(Event[State], abstract=True):
    """A fact about the demons' common mana: a secret of the demons and the GMs."""

    def audience(self, state: State) -> Audience:
        return seats(*state.pool.demons, gm=True)

    def apply(self: Balanced, state: State) -> None:
        state.pool = replace(state.pool, balance=self.balance)


class FactorsTaken(ForSeat[State]):
    """A god's factors for a session, taken from their cards."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-1",)

    session: int
    seat: UUID
    factors: tuple[FactorOf, ...]

    def apply(self, state: State) -> None:
        for key in [k for k in state.factors if k[0] == self.seat]:
            del state.factors[key]
        for each in self.factors:
            state.factors[self.seat, each.source] = Factor(self.seat, each.source, each.factor)

    def sentence(self, state: State) -> str:
        factors = quantity(len(self.factors), "mana source")
        return f"{state.gods[self.seat].name} has factors for {factors} in session {self.session}."


class ManaGained(PurseEvent):
    """A god gains mana, or loses some."""

    seat: UUID
    amount: int
    balance: int
    cause: str
    casting: UUID | None = None

    def cites(self) -> tuple[str, ...]:
        return ("G2-SET-1",) if self.cause == AT_START else ("G2-MISC-1",)

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} {_gain(state, self.amount, self.cause)} and has {self.balance}."


class PoolGained(PoolEvent):
    """The demons' pool gains mana, or loses some, by a power that a demon cast."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1", "G2-MANA-4")

    amount: int
    balance: int
    cause: str
    casting: UUID | None = None

    def sentence(self, state: State) -> str:
        return f"The demons' pool {_gain(state, self.amount, self.cause)} and has {self.balance}."


class ManaRefunded(PurseEvent):
    """A god has back what they paid for a casting that a GM did not carry out."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    seat: UUID
    casting: UUID
    amount: int
    balance: int

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} is given back {self.amount} mana and has {self.balance}."


class PoolRefunded(PoolEvent):
    """The demons' pool has back what a demon paid for a casting that a GM did not carry out."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1", "G2-MANA-4")

    casting: UUID
    amount: int
    balance: int

    def sentence(self, state: State) -> str:
        return f"The demons' pool is given back {self.amount} mana and has {self.balance}."


class ManaSpent(PurseEvent):
    """A god has paid for a casting."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-3",)

    seat: UUID
    casting: UUID
    amount: int
    balance: int

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} pays {self.amount} mana and has {self.balance} left."


class PoolSpent(PoolEvent):
    """A demon pays out of the demons' pool."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-4", "G2-HIST-3")

    seat: UUID
    casting: UUID
    amount: int
    balance: int

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} spends {self.amount} mana of the demons' pool; {self.balance} left."


class ManaPaid(ForSeat[State]):
    """What a god earned in a century: the whole part is paid, the fraction carried."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-2", "G2-MANA-3", "G2-MANA-5")

    seat: UUID
    century: int
    earned: str
    """Decimal."""
    amount: int
    carried: str
    """Decimal: what is left for the next century."""
    balance: int

    def apply(self, state: State) -> None:
        state.purses[self.seat] = replace(purse(state, self.seat), balance=self.balance, carried=Decimal(self.carried))

    def sentence(self, state: State) -> str:
        name = state.gods[self.seat].name
        return (
            f"{name} earns {self.earned} mana: {self.amount} paid, {self.carried} carried on. Balance {self.balance}."
        )


class PoolPaid(PoolEvent):
    """What diabolism earned for the demons in a century."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-4",)

    century: int
    earned: str
    """Decimal."""
    amount: int
    carried: str
    """Decimal."""
    balance: int

    def apply(self, state: State) -> None:
        state.pool = replace(state.pool, balance=self.balance, carried=Decimal(self.carried))

    def sentence(self, state: State) -> str:
        return f"The demons' pool earns {self.earned} mana: {self.amount} paid. Balance {self.balance}."


def _gain(state: State, amount: int, cause: str) -> str:
    verb = "gains" if amount >= 0 else "loses"
    return f"{verb} {abs(amount)} mana ({cause_name(state, cause)})"


class RaceReached(Event[State]):
    """A race has so many units for the first time."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7",)

    race: UUID
    units: int

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], peak=max(state.races[self.race].peak, self.units))

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} have reached {self.units} units."


BOX, SOURCE = "box", "source"


class SourceCounted(Event[State]):
    """Something happened for which gods are paid at the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7", "G2-MANA-8")

    source: str
    count: int
    century: int
    race: UUID | None = None
    """The race that the source does not count again in this century; only of sources with `once: race`."""

    def apply(self, state: State) -> None:
        enter(state, SOURCE, self.source, self.count)
        if self.race is not None:
            here = state.races[self.race]
            state.races[self.race] = replace(here, counted=tuple(sorted({*here.counted, self.source})))


def enter(state: State, kind: str, key: str, count: int) -> None:
    """Add to a line of the worksheet. Called by events while they are applied."""
    line = state.lines.get((kind, key)) or Line(kind, key, 0)
    if count:
        state.lines[kind, key] = Line(kind, key, line.count + count)


WAR, STARVATION = "war", "starvation"
