"""Mana (G2-MANA-1 to 7): factors of a session, what a god earns in a century, what is paid and what is carried.

Amounts are exact decimals of at most 8 places: whole counts, shares of 4 places, factors of 4 places. Never floats.
Long for one reason: factors, worksheet and payment are read together by the GM who checks a century.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import groupby, pairwise
from typing import Literal
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import decimal_text
from games.gods2.rules.mana.counts import deaths
from games.gods2.rules.mana.events import (
    FactorsTaken,
    ManaPaid,
    ManaRefunded,
    ManaSpent,
    PoolPaid,
    PoolRefunded,
    PoolSpent,
)
from games.gods2.rules.pack.pack import ManaSource
from games.gods2.rules.state.gods import purse
from games.gods2.rules.state.mana_sources import DEATHS, WORSHIP, century_sources, sources, split_counter
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import DIABOLISM, WHOLE, God, GodKind
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf, FactorOf

PLACES = 8  # G2-MANA-6
FACTOR_GRAIN = Decimal("0.0001")  # G2-MANA-6


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
