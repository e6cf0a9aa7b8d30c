"""Mana (G2-MANA-1 to 7): factors of a session, what a god earns in a century, what is paid and what is carried.

Amounts are exact decimals of at most 8 places: whole counts, shares of 4 places, factors of 4 places. Never floats.
Long for one reason: factors, worksheet and payment are read together by the GM who checks a century.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Decimal
from itertools import groupby, pairwise
from typing import ClassVar, Literal, Protocol
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.wording import decimal_text, quantity
from games.gods2.rules.casting.eligibility import purse
from games.gods2.rules.century.mana_sources import DEATHS, WORSHIP, century_sources, deaths, sources, split_counter
from games.gods2.rules.pack.pack import ManaSource
from games.gods2.rules.state.audiences import ForSeat, Seated
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import DIABOLISM, WHOLE, Factor, God, GodKind
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf, FactorOf

PLACES = 8  # G2-MANA-6
AT_START = "start"
"""The cause of the mana that a god begins with."""
FACTOR_GRAIN = Decimal("0.0001")  # G2-MANA-6


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


@dataclass(frozen=True, slots=True)
class Revenue:
    """What a god (or the demons' pool, with no seat) earns in a century: an exact decimal."""

    seat: UUID | None
    earned: Decimal

    def payment_event(self, state: State) -> Event:
        """The event of its payment."""
        account = state.pool if self.seat is None else purse(state, self.seat)
        amount, carried = payment(account.carried, self.earned)
        century, balance = state.era.century, account.balance + amount
        earned, left = decimal_text(self.earned), decimal_text(carried)
        if self.seat is None:
            return PoolPaid(century=century, earned=earned, amount=amount, carried=left, balance=balance)
        return ManaPaid(seat=self.seat, century=century, earned=earned, amount=amount, carried=left, balance=balance)


def _gain(state: State, amount: int, cause: str) -> str:
    verb = "gains" if amount >= 0 else "loses"
    return f"{verb} {abs(amount)} mana ({cause_name(state, cause)})"


def payment(carried: Decimal, earned: Decimal) -> tuple[int, Decimal]:
    """The whole part of carried + earned, and the fraction that is carried on (G2-MANA-5)."""
    total = carried + earned
    whole = int(total)
    return whole, total - whole


def shares_pool(state: State, god: God) -> bool:
    """Whether a god's mana lies in the demons' common account (G2-MANA-4, AMB-70)."""
    return god.kind is GodKind.DEMON and options_of(state).demon_pool == "common"


def balance_of(state: State, god: God) -> int:
    """What a god can pay with: their purse, or the demons' pool."""
    return state.pool.balance if shares_pool(state, god) else purse(state, god.id).balance


def spend_mana(state: State, seat: UUID, casting: UUID, amount: int) -> Iterator[Event]:
    """A payer pays their part."""
    god = state.gods[seat]
    balance = balance_of(state, god) - amount
    if shares_pool(state, god):
        yield PoolSpent(seat=seat, casting=casting, amount=amount, balance=balance)
    else:
        yield ManaSpent(seat=seat, casting=casting, amount=amount, balance=balance)


def refund_mana(state: State, seat: UUID, casting: UUID, amount: int) -> Iterator[Event]:
    """Give a payer their part back."""
    god = state.gods[seat]
    balance = balance_of(state, god) + amount
    if shares_pool(state, god):
        yield PoolRefunded(casting=casting, amount=amount, balance=balance)
    else:
        yield ManaRefunded(seat=seat, casting=casting, amount=amount, balance=balance)


def factors(
    pack_sources: Iterable[ManaSource], cards: Iterable[CardOf], several: Literal["sum", "average"] = "sum"
) -> list[FactorOf]:
    """A god's factors: cards x the sphere's factor for each source of their spheres (G2-MANA-1).

    several: whether what several of the god's spheres have for the same count adds up, or is averaged (AMB-41).
    """
    held = {c.sphere: c.count for c in cards}
    own = [s for s in pack_sources if held.get(s.sphere, 0) > 0 and split_counter(s.counter) != (WORSHIP, DIABOLISM)]
    found = {source.id: Decimal(source.factor) * held[source.sphere] for source in own}
    if several == "average":
        for _, alike in groupby(sorted(own, key=_same), key=_same):
            keys = [source.id for source in alike]
            found.update(zip(keys, average_shares([found[key] for key in keys]), strict=True))
    return [FactorOf(source=source, factor=factor) for source, factor in found.items()]


def _same(source: ManaSource) -> tuple[str, str]:
    """What sources have in common that count the same and are paid together."""
    return source.counter, source.when


def average_shares(amounts: Sequence[Decimal]) -> list[Decimal]:
    """The part of each amount in their average: 4 places, in all the average rounded down (G2-MANA-6, AMB-41)."""
    sums = [sum(amounts[:k], Decimal(0)) / len(amounts) for k in range(len(amounts) + 1)]
    return [b - a for a, b in pairwise(s.quantize(FACTOR_GRAIN, ROUND_FLOOR) for s in sums)]


def take_factors(state: State, session: int) -> Iterator[Event]:
    """The factors of every god, as a session opens."""
    several = options_of(state).several_spheres
    for seat in sorted(state.gods):
        cards = [CardOf(sphere=c.sphere, count=c.count) for c in state.cards.values() if c.seat == seat]
        yield FactorsTaken(session=session, seat=seat, factors=tuple(factors(sources(state), cards, several)))


def worship(state: State, member: str) -> Decimal:
    """Effective worshippers x share of a member, over all races (G2-MANA-2)."""
    total = sum(
        line.count * share.share
        for line in state.lines.values()
        if line.kind == "race" and (share := state.shares.get((UUID(line.key), member))) is not None
    )
    return Decimal(total) / WHOLE


def base(state: State, source: ManaSource, member: str) -> Decimal:
    """What a source gives for a factor of 1, from the lines of the worksheet."""
    name, argument = split_counter(source.counter)
    if name == WORSHIP:
        return worship(state, argument or member)
    if name == DEATHS:
        return Decimal(deaths(state, argument))
    line = state.lines.get(("source", source.id))
    return Decimal(line.count if line else 0)


def revenues(state: State, paid: Iterable[ManaSource] | None = None) -> list[Revenue]:
    """What every god earns by id, the demons' pool last (G2-MANA-2, 3, 4, 7).

    paid: of these sources alone; of those that are paid with the century by default.
    """
    known = {source.id: source for source in (century_sources(state) if paid is None else paid)}
    found = []
    for god in sorted(state.gods.values(), key=lambda g: g.id):
        if god.kind is not GodKind.DEMON:
            own = [f for f in state.factors.values() if f.seat == god.id and f.source in known]
            earned = sum((f.factor * base(state, known[f.source], str(god.id)) for f in own), Decimal(0))
            found.append(Revenue(god.id, earned))
    common = [s for s in known.values() if split_counter(s.counter) == (WORSHIP, DIABOLISM)]
    shared = sum((Decimal(s.factor) * base(state, s, DIABOLISM) for s in common), Decimal(0))
    demons = state.pool.demons
    if options_of(state).demon_pool == "equal" and demons:
        return [
            *found,
            *(Revenue(demon, part) for demon, part in zip(demons, equal_parts(shared, len(demons)), strict=True)),
        ]
    return [*found, Revenue(None, shared)]


def equal_parts(amount: Decimal, count: int) -> list[Decimal]:
    """An amount in equal parts of 8 places, exactly: what cannot be divided goes to the first (G2-MANA-6)."""
    grain = Decimal(1).scaleb(-PLACES)
    each, rest = divmod(int(amount / grain), count)
    return [(each + (1 if place < rest else 0)) * grain for place in range(count)]
