"""Dice pools of checks and attacks (DT-CHK-2 to 13, DT-CMB-5 to 13): from dice that were thrown to what they mean.

Nothing is thrown here. Before the Wish window the base dice fall, the advantage die, the edge die and the miracle die;
one base or advantage die may be discarded; what is left and the Wish dice are the pool, which says how many extra dice
are thrown. Dice show 1 to 6.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from games.dietower.rules.state.constants import MOST_CUSTOM_CD
from games.dietower.rules.state.schema_types import ActorKind, Adv, Reason, Uses
from games.engine.errors import Refused

SIMPLE = 0
"""The CD that needs no roll (DT-CHK-3)."""
FAIL, CRITICAL = 1, 6
"""The faces that count (DT-CHK-7)."""


class Cd(StrEnum):
    """The names of difficulties (DT-CHK-2)."""

    SIMPLE = "simple"
    EASY = "easy"
    AVERAGE = "average"
    MODERATE = "moderate"
    TOUGH = "tough"
    CHALLENGING = "challenging"
    FORMIDABLE = "formidable"
    IMPROBABLE = "improbable"
    EPIC = "epic"
    LEGENDARY = "legendary"


Difficulty = Annotated[Cd | int | Annotated[str, Field(max_length=40)], Field(union_mode="left_to_right")]
"""What somebody says of a difficulty; another word is refused by the rulebook's code (`cd.unknown`)."""
CDS = dict(zip(Cd, (SIMPLE, 2, 4, 6, 8, 10, 13, 16, 20, 30), strict=True))


class DieKind(StrEnum):
    """What a die of a roll is, in the order in which they are thrown (DT-CHK-13)."""

    BASE = "base"
    ADVANTAGE = "advantage"
    EDGE = "edge"
    MIRACLE = "miracle"
    WISH = "wish"
    EXTRA = "extra"


class Side(StrEnum):
    """The two sides of an attack."""

    ATTACKER = "attacker"
    DEFENDER = "defender"


@dataclass(frozen=True, slots=True)
class PoolShape:
    """The dice of a roll before its Wish window. Raises ValueError for other than one or two base dice."""

    base: int
    adv: Adv = Adv.NONE
    edge_die: bool = False
    miracle_die: bool = False

    def __post_init__(self) -> None:
        if self.base not in (1, 2):
            raise ValueError(f"{self.base} base dice")

    @property
    def candidates(self) -> int:
        """The dice among which one is discarded: the first of the roll."""
        return self.base + (self.adv is not Adv.NONE)

    @property
    def bonus(self) -> int:
        """The dice that join the pool after the discard."""
        return self.edge_die + self.miracle_die

    @property
    def kinds(self) -> tuple[DieKind, ...]:
        """What each die is, in the order in which they are thrown (DT-CHK-13)."""
        advantage = self.candidates - self.base
        kinds = (DieKind.BASE, DieKind.ADVANTAGE, DieKind.EDGE, DieKind.MIRACLE)
        numbers = (self.base, advantage, self.edge_die, self.miracle_die)
        return tuple(kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number))


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice that count, and the one that does not."""

    dice: tuple[int, ...]
    """All that were thrown before the Wish window, in order."""
    discarded: int | None
    """The place of the discarded one among them, from 0; None where none is."""
    wishes: tuple[int, ...] = ()
    """Wish dice in the order of purchase."""

    @property
    def pool(self) -> tuple[int, ...]:
        """The dice that count, in order (DT-CHK-5, 6)."""
        return tuple(die for n, die in enumerate(self.dice) if n != self.discarded) + self.wishes

    @property
    def net(self) -> int:
        """Criticals less Fails (DT-CHK-7)."""
        return net(self.pool)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a pool and its extra dice come to. Raises ValueError where the extra dice are not as many as `net` says."""

    pool: tuple[int, ...]
    extra: tuple[int, ...] = ()
    """Extra dice: neither Criticals nor Fails, and they bring no more (DT-CHK-8)."""
    flat: int = 0
    """The flat edge (DT-CMB-13)."""

    def __post_init__(self) -> None:
        if len(self.extra) != max(0, self.net):
            raise ValueError(f"{len(self.extra)} extra dice for a net of {self.net}")

    @property
    def net(self) -> int:
        """Criticals less Fails (DT-CHK-7)."""
        return net(self.pool)

    @property
    def total(self) -> int:
        """All dice that count, and the flat edge (DT-CHK-10)."""
        return sum(self.pool) + sum(self.extra) + self.flat


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a check ended."""

    net: int
    total: int
    success: bool
    placements: tuple[Reason, ...]
    """Why dice go to the tower, in the order in which they are placed."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A die that a side of an attack owes the tower, and why."""

    side: Side
    reason: Reason


@dataclass(frozen=True, slots=True)
class AttackResult:
    """How an attack ended."""

    hit: bool
    placements: tuple[Placement, ...]
    """In the order in which they are placed."""


def cd_of(cd: Difficulty) -> int:
    """The number of a difficulty: of its name, or a custom one (DT-CHK-2, DT-AMB-21). Raises `cd.unknown`."""
    if isinstance(cd, Cd):
        return CDS[cd]
    if isinstance(cd, str) or not 1 <= cd <= MOST_CUSTOM_CD:
        raise Refused(
            "cd.unknown",
            f"A CD is one of {', '.join(Cd)}, or a number from 1 to {MOST_CUSTOM_CD}; {cd!r} is neither.",
            rules=("DT-CHK-2", "DT-AMB-21"),
            cd=cd,
            least=1,
            most=MOST_CUSTOM_CD,
        )
    return cd


def is_rolled(cd: int) -> bool:
    """Whether a check needs dice at all (DT-CHK-3)."""
    return cd != SIMPLE


def is_placer(kind: ActorKind) -> bool:
    """Whether an actor places dice on the tower: a Monster never does (DT-CHK-12, DT-AMB-2)."""
    return kind is not ActorKind.MONSTER


def base_dice_of_check(good: bool, *, no_power: bool = False) -> int:
    """2d6 for what the actor is good at, else 1d6; 1d6 in any case where the power is refused (DT-CHK-4, DT-AMB-57)."""
    return 2 if good and not no_power else 1


def base_dice_of_attack(uses: Uses, *, applies: bool = True, no_power: bool = False) -> int:
    """2d6 where a weapon or power applies, else 1d6, for either side (DT-CMB-5).

    applies: False where the world master refuses it. no_power: takes the 2d6 of a power alone (DT-AMB-57).
    """
    if uses is Uses.NONE or not applies or (uses is Uses.POWER and no_power):
        return 1
    return 2


def joint_adv(advs: Iterable[Adv]) -> Adv:
    """What several advantages and disadvantages come to: one of a kind counts, both cancel (DT-AMB-16, 57)."""
    kinds = set(advs) - {Adv.NONE}
    return kinds.pop() if len(kinds) == 1 else Adv.NONE


def has_miracle_die(miracles: int) -> bool:
    """Whether a miracle die is thrown: one, however many miracles were won (DT-TWR-5, DT-AMB-24)."""
    return miracles > 0


def discard_place(dice: Sequence[int], adv: Adv) -> int | None:
    """The place of the die that goes, from 0: the lowest or the highest, of equals the later (DT-CHK-5, DT-AMB-34).

    dice: base dice and advantage die, in the order in which they were thrown.
    """
    if adv is Adv.NONE:
        return None
    going = min(dice) if adv is Adv.ADV else max(dice)
    return max(n for n, die in enumerate(dice) if die == going)


def pool_of(shape: PoolShape, dice: Sequence[int], wishes: Sequence[int] = ()) -> Pool:
    """The pool of dice that were thrown in the order of DT-CHK-13. Raises ValueError for another number of dice."""
    if len(dice) != len(shape.kinds):
        raise ValueError(f"{len(dice)} dice for a pool of {len(shape.kinds)}")
    return Pool(tuple(dice), discard_place(dice[: shape.candidates], shape.adv), tuple(wishes))


def net(pool: Sequence[int]) -> int:
    """Criticals less Fails of the dice that count (DT-CHK-7)."""
    return pool.count(CRITICAL) - pool.count(FAIL)


def check_result(cd: int, tally: Tally | None, *, kind: ActorKind = ActorKind.PC) -> CheckResult:
    """How a check ended (DT-CHK-3, 9, 10, 11). tally: None where nothing was rolled, which is CD Simple alone.

    Raises ValueError for a roll at CD Simple, or none at any other.
    """
    if is_rolled(cd) is (tally is None):
        raise ValueError(f"a check of CD {cd} {'without' if tally is None else 'with'} a roll")
    if tally is None:
        return CheckResult(0, 0, True, ())
    success = tally.total >= cd
    owed = ((Reason.NET_FAIL, tally.net < 0), (Reason.FAILURE, not success))
    placements = tuple(reason for reason, due in owed if due and is_placer(kind))
    return CheckResult(tally.net, tally.total, success, placements)


def attack_result(
    attacker: Tally,
    defender: Tally,
    *,
    attacker_kind: ActorKind = ActorKind.PC,
    defender_kind: ActorKind = ActorKind.PC,
) -> AttackResult:
    """How an attack ended (DT-CMB-6, 7, 9, 10): equal totals miss, and no CD is failed."""
    hit = attacker.total > defender.total
    owed = (
        (Placement(Side.ATTACKER, Reason.NET_FAIL), attacker.net < 0, attacker_kind),
        (Placement(Side.DEFENDER, Reason.NET_FAIL), defender.net < 0, defender_kind),
        (Placement(Side.DEFENDER, Reason.HIT), hit, defender_kind),
    )
    placements = tuple(placement for placement, due, kind in owed if due and is_placer(kind))
    return AttackResult(hit, placements)
