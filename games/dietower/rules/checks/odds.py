"""The exact odds of checks and attacks (DT-CHK-*, DT-CMB-*, DT-SIM-6): whole numbers of ways, nothing thrown.

A roll is counted by its sum and its net: the dice among which one is discarded throw by throw (216 at most), each bonus
die added to that, extra dice by their number. What comes of it is the total of a roll in two parts, with a net of Fails
and without; checks and attacks are judged from these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

from games.dietower.rules.checks.pool import PoolShape, discard_place, is_placer, is_rolled, net
from games.dietower.rules.state.constants import MOST_LEVEL
from games.dietower.rules.state.schema_types import ActorKind, Adv
from games.dietower.rules.tower.balance import Centre, standing_chances
from games.engine.errors import Refused
from games.engine.insight.pools import Distribution, compare, convolution, sum_of_pool, union

FACES = range(1, 7)
NEVER, ALWAYS = Fraction(0), Fraction(1)
Joint = Mapping[int, Distribution]
"""The sums of a pool by its net; each a part of the same throws."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of a roll with its extra dice and flat edge: two parts of all its throws."""

    net_fail: Distribution
    """With more Fails than Criticals."""
    other: Distribution


@dataclass(frozen=True, slots=True)
class CheckOdds:
    """How likely each way is in which a check may end; the four add up to 1."""

    success: Fraction
    """Success without a net of Fails."""
    success_net_fail: Fraction
    """Success with more Fails than Criticals."""
    failure: Fraction
    failure_net_fail: Fraction
    kind: ActorKind = ActorKind.PC

    @property
    def chance(self) -> Fraction:
        """How likely success is."""
        return self.success + self.success_net_fail

    @property
    def placements(self) -> tuple[Fraction, ...]:
        """How likely 0, 1 and 2 dice for the tower are (DT-CHK-9, 11); a Monster places none."""
        if not is_placer(self.kind):
            return ALWAYS, NEVER, NEVER
        return self.success, self.success_net_fail + self.failure, self.failure_net_fail


@dataclass(frozen=True, slots=True)
class AttackCase:
    """One way in which an attack may end, and how likely it is."""

    hit: bool
    attacker_net_fail: bool
    defender_net_fail: bool
    chance: Fraction


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """How likely each way is in which an attack may end; the eight add up to 1."""

    cases: tuple[AttackCase, ...]
    attacker: ActorKind = ActorKind.PC
    defender: ActorKind = ActorKind.PC

    @property
    def chance(self) -> Fraction:
        """How likely a hit is (DT-CMB-7)."""
        return sum((case.chance for case in self.cases if case.hit), NEVER)

    @property
    def placements(self) -> tuple[Fraction, ...]:
        """How likely 0 to 3 dice for the tower of both sides together are (DT-CMB-6, 9)."""
        found = [NEVER] * 4
        for case in self.cases:
            own = case.attacker_net_fail * is_placer(self.attacker)
            others = (case.defender_net_fail + case.hit) * is_placer(self.defender)
            found[own + others] += case.chance
        return tuple(found)


def totals(shape: PoolShape, *, flat: int = 0, wishes: int = 0) -> Totals:
    """The totals of a roll that is not thrown yet, with so many Wish dice bought. Raises `odds.large`.

    flat: the flat edge.
    """
    return _with_flat(_totals_of_shape(shape.base, shape.adv, shape.bonus + _countable(wishes)), flat)


def totals_of_open_pool(pool: Sequence[int], *, flat: int = 0, wishes: int = 0) -> Totals:
    """The totals of a pool that lies open, with so many Wish dice bought from now on. Raises `odds.large`.

    pool: the dice that count, Wish dice bought before included.
    """
    start, sum_of = net(pool), sum(pool)
    joint = {start + more: sums.plus(sum_of) for more, sums in _plain_dice(_countable(wishes)).items()}
    return _with_flat(_with_extra_dice(joint), flat)


def check_odds(roll: Totals | None, cd: int, *, kind: ActorKind = ActorKind.PC) -> CheckOdds:
    """The odds of a check (DT-CHK-3, 9, 10, 11). roll: None for CD Simple alone, which needs none.

    Raises ValueError for a roll at CD Simple, or none at any other.
    """
    if is_rolled(cd) is (roll is None):
        raise ValueError(f"a check of CD {cd} {'without' if roll is None else 'with'} a roll")
    if roll is None:
        return CheckOdds(ALWAYS, NEVER, NEVER, NEVER, kind)
    good, marred = roll.other.chance_at_least(cd), roll.net_fail.chance_at_least(cd)
    return CheckOdds(good, marred, _whole(roll.other) - good, _whole(roll.net_fail) - marred, kind)


def attack_odds(
    attacker: Totals,
    defender: Totals,
    *,
    attacker_kind: ActorKind = ActorKind.PC,
    defender_kind: ActorKind = ActorKind.PC,
) -> AttackOdds:
    """The odds of an attack: it hits where the attacker's total is greater (DT-CMB-6, 7, 9)."""
    cases = list[AttackCase]()
    for fails, ours in ((True, attacker.net_fail), (False, attacker.other)):
        for failing, theirs in ((True, defender.net_fail), (False, defender.other)):
            between = compare(ours, theirs)
            cases.append(AttackCase(True, fails, failing, between.greater))
            cases.append(AttackCase(False, fails, failing, between.tie + between.less))
    return AttackOdds(tuple(cases), attacker_kind, defender_kind)


def fall_chance(placements: Sequence[Fraction], centres: Sequence[Centre], half_width: int) -> Fraction:
    """How likely the simulated tower is to fall by the placements of one roll or attack (DT-SIM-6, DT-TWR-4, 6).

    placements: how likely 0, 1, 2 ... of them are; four at most. centres: the tower as it stands.
    """
    standing = standing_chances(centres, half_width, len(placements) - 1)
    return sum((chance * (1 - stand) for chance, stand in zip(placements, standing, strict=True)), NEVER)


def _countable(wishes: int) -> int:
    """The number of Wish dice. Refuse (`odds.large`) more than any character can hold."""
    if not 0 <= wishes <= MOST_LEVEL:
        raise Refused(
            "odds.large",
            f"Nobody holds more than {MOST_LEVEL} Wishes; ask for the odds with 0 to {MOST_LEVEL} Wish dice.",
            rules=("DT-WSH-1", "DT-WSH-3"),
            wishes=wishes,
            most=MOST_LEVEL,
        )
    return wishes


def _whole(part: Distribution) -> Fraction:
    """How likely it is that a throw belongs to a part."""
    return Fraction(sum(part.ways), part.whole)


def _with_flat(roll: Totals, flat: int) -> Totals:
    return Totals(roll.net_fail.plus(flat), roll.other.plus(flat))


@lru_cache(maxsize=256)
def _totals_of_shape(base: int, adv: Adv, bonus: int) -> Totals:
    """The totals of base dice, after the discard, and of so many bonus dice."""
    return _with_extra_dice(_joint(_candidates(base, adv), _plain_dice(bonus)))


@cache
def _candidates(base: int, adv: Adv) -> Joint:
    """The base dice and the advantage die, without the one that goes (DT-CHK-4, 5): throw by throw."""
    number = base + (adv is not Adv.NONE)
    parts: dict[int, list[Distribution]] = {}
    for dice in product(FACES, repeat=number):
        going = discard_place(dice, adv)
        kept = [die for n, die in enumerate(dice) if n != going]
        parts.setdefault(net(kept), []).append(Distribution(sum(kept), (1,), 6**number))
    return {net_of: union(same) for net_of, same in parts.items()}


@cache
def _plain_dice(number: int) -> Joint:
    """So many d6 that all count."""
    if number == 0:
        return {0: Distribution(0, (1,), 1)}
    return _joint(_plain_dice(number - 1), _candidates(1, Adv.NONE))


def _joint(one: Joint, other: Joint) -> Joint:
    """The dice of both together."""
    parts: dict[int, list[Distribution]] = {}
    for net_of, sums in one.items():
        for more, others in other.items():
            parts.setdefault(net_of + more, []).append(convolution(sums, others))
    return {net_of: union(same) for net_of, same in parts.items()}


def _with_extra_dice(joint: Joint) -> Totals:
    """The totals of a pool with its extra dice: a net above 0 brings as many, which change no net (DT-CHK-8)."""
    whole = next(iter(joint.values())).whole
    net_fail, other = [Distribution(0, (0,), whole)], [Distribution(0, (0,), whole)]
    for net_of, sums in joint.items():
        part = convolution(sums, sum_of_pool((6,) * net_of)) if net_of > 0 else sums
        (net_fail if net_of < 0 else other).append(part)
    return Totals(union(net_fail), union(other))
