"""The arithmetic of pantheons (G2-PAN-1, 5, 8, 9, 11; G2-TURM-6): shares by member, which `share_out` writes.

Shares are whole hundredths of a percent, 10,000 in all; members are seat ids as text, `diabolism` and `atheism`.
Fractions are exact; what is left after rounding down goes to the largest remainders, then larger old shares, then ids.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from uuid import UUID

from games.engine.errors import Refused
from games.gods2.rules.state.names import member_name
from games.gods2.rules.state.records import ATHEISM, DIABOLISM, WHOLE, Share
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf

RISE = 500  # five percentage points (G2-PAN-5, AMB-29)
JEALOUS = (DIABOLISM, ATHEISM)

Shares = dict[str, int]


def apportion(weights: Mapping[str, int], total: int, before: Mapping[str, int] | None = None) -> Shares:
    """`total` hundredths in proportion to positive weights, by largest remainder (G2-PAN-9); who gets 0 leaves.

    before: the old shares, which break ties between remainders, the larger first, then gods by id, atheism, diabolism;
    the weights by default.
    """
    old = weights if before is None else before
    whole = sum(weights.values())
    if whole <= 0:
        return {}
    exact = {member: Fraction(weight * total, whole) for member, weight in weights.items()}
    shares = {member: int(share) for member, share in exact.items()}
    order = sorted(exact, key=lambda m: (shares[m] - exact[m], -old.get(m, 0), m in JEALOUS, m))
    for member in order[: total - sum(shares.values())]:
        shares[member] += 1
    return {member: share for member, share in shares.items() if share > 0}


def cult(shares: Mapping[str, int], gains: Mapping[str, int]) -> Shares:
    """The shares after a cult: the named gain their points together, the others shrink in proportion (G2-PAN-8).

    Each who gains has 100% at most; what they have beyond 100% together is scaled to it and everybody else leaves.
    Negative gains take at most the share held and go to the others in proportion (G2-PAN-11). Raises `pantheon.sole`
    when there is nobody to take them.
    """
    raised = {m: min(WHOLE, shares.get(m, 0) + points) for m, points in gains.items() if points > 0}
    if sum(raised.values()) >= WHOLE:
        return apportion(raised, WHOLE, shares)
    if nobody_takes(shares, gains):
        raise Refused("pantheon.sole", "There is no other member who could take this share.", rules=("G2-PAN-11",))
    lowered = {m: max(0, shares[m] + points) for m, points in gains.items() if points < 0 and m in shares}
    others = {m: share for m, share in shares.items() if m not in raised and m not in lowered}
    fixed = {**raised, **{m: share for m, share in lowered.items() if share > 0}}
    if not others:
        return apportion(fixed, WHOLE, shares)
    return {**fixed, **apportion(others, WHOLE - sum(fixed.values()))}


def nobody_takes(shares: Mapping[str, int], gains: Mapping[str, int]) -> bool:
    """Whether members lose points and there is nobody to whom they could go (G2-PAN-11)."""
    losing = {m for m, points in gains.items() if points < 0 and m in shares}
    return bool(losing) and losing >= set(shares) and not any(points > 0 for points in gains.values())


def expel(shares: Mapping[str, int], member: str) -> Shares:
    """The shares after a member was thrown out: the others take it in proportion (G2-TURM-6)."""
    return apportion({m: share for m, share in shares.items() if m != member}, WHOLE)


def dissenter(before: Mapping[str, int], after: Mapping[str, int]) -> str | None:
    """Diabolism or atheism, when it is a member and does not rise by five points at least (G2-PAN-5)."""
    for member in JEALOUS:
        if member in before and after.get(member, 0) - before[member] < RISE:
            return member
    return None


def share_out(state: State, race: UUID, shares: Mapping[str, int]) -> None:
    """Write the shares of a pantheon; who is not among them leaves."""
    for member in state.pantheon(race):
        if member not in shares:
            del state.shares[race, member]
    for member, share in shares.items():
        if state.shares.get((race, member)) != Share(race, member, share):
            state.shares[race, member] = Share(race, member, share)


def shares_of(pantheon: Sequence[ShareOf]) -> dict[str, int]:
    """Shares by member."""
    return {each.member: each.share for each in pantheon}


def leading_god(shares: Mapping[str, int]) -> str | None:
    """The god with the largest share of a pantheon, the lowest id among equals; None where no god is a member."""
    gods = {member: share for member, share in shares.items() if member not in JEALOUS}
    return min(gods, key=lambda member: (-gods[member], member), default=None)


def share_list(shares: Mapping[str, int]) -> tuple[ShareOf, ...]:
    """Shares as events show them: gods by id, then atheism and diabolism (G2-TURM-4)."""
    order = sorted(shares.items(), key=lambda i: (i[0] in (ATHEISM, DIABOLISM), i[0]))
    return tuple(ShareOf(member=member, share=share) for member, share in order)


def describe_shares(state: State, shares: Mapping[str, int]) -> str:
    """Shares in words: `Ashkar 60%, diabolism 15.5%`."""
    return ", ".join(f"{member_name(state, m)} {s / 100:g}%" for m, s in shares.items())
