"""The tower as it is drawn: the dice that stand, lie or made the thirteen, margins, and the risk of the next die.

Asked of the state as somebody may see it; all of it is public. Whole numbers, as in `balance`; sentences for people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.dietower.rules.state.constants import MIRACLE_HEIGHT, OUTCOMES
from games.dietower.rules.state.records import Placement
from games.dietower.rules.state.schema_types import ActorKind, Axis, Mode, PlacementStatus
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.balance import SHIFTS, Centre, Margin, margins, risk
from games.dietower.rules.tower.people_view import Person, people_view
from games.engine.wording import quantity

RISK_WORDS = ((0, "none"), (129, "slight"), (323, "moderate"), (647, "high"), (OUTCOMES - 1, "very high"))
"""The most ways to fall, of 1,296, for which a word stands: below a tenth, a quarter, a half, all."""
SIDES = {(Axis.X, False): "left", (Axis.X, True): "right", (Axis.Y, False): "front", (Axis.Y, True): "back"}
"""Where a tower leans along an axis, below 0 and above."""


class Shape(StrEnum):
    """What there is to see."""

    TOWER = "tower"
    """Dice that stand, or none."""
    HEAP = "heap"
    """The tower has fallen, and nothing stands since."""
    MIRACLE = "miracle"
    """Thirteen dice: the miracle is to be chosen, or was just carried out."""


@dataclass(frozen=True, slots=True)
class TowerDieView:
    """A die: its level from 1, where it lies (nothing on a real tower), and who placed it."""

    level: int
    centre: Centre | None
    name: str
    """Whose die it is; "" where nobody knows any more."""
    seat: str
    """The seat of the placer, as in charts; "" for the world master's."""
    actor: str = ""
    """The character of the placer; "" where nobody knows any more."""


@dataclass(frozen=True, slots=True)
class Landing:
    """The shifts of the next die, -5 to 5, with which the tower stands along an axis; none where low > high."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class FallView:
    """The last fall: where a simulated tower failed, and by whose die."""

    name: str
    dice: tuple[TowerDieView, ...]
    """What came down, the lowest first, the die that was placed last."""
    level: int | None
    axis: Axis | None
    side: str
    """Where it leant: left, right, front or back; "" on a real tower."""
    note: str
    """All of it in a sentence."""


@dataclass(frozen=True, slots=True)
class TowerView:
    """The tower, ready to be drawn."""

    shape: Shape
    mode: Mode
    """Of the dice that are shown; of the tower where there are none."""
    half_width: int
    """H of the dice that are shown."""
    height: int
    """Dice that stand now."""
    dice: tuple[TowerDieView, ...]
    """The dice that are shown, the lowest first: those that stand, or stood before the fall or the miracle."""
    margins: tuple[Margin, ...]
    """Of every level that is shown but the top one, the lowest first; none on a real tower."""
    landing: tuple[Landing, Landing] | None
    """Where the next die may come to lie along x and y; nothing for a first die, on a real tower, at thirteen."""
    risk: int | None
    """In how many of 1,296 ways the next die falls; nothing on a real tower and at thirteen."""
    fall: FallView | None
    note: str
    """How it stands, in a sentence."""
    odds: str
    """The risk of the next die in words; of a real tower, that nobody knows it here."""
    people: tuple[Person, ...] = ()
    """Who is at the table and in the encounter."""


def tower_view(state: State) -> TowerView:
    """The tower of a state as somebody may see it."""
    done = [p for p in state.placements.values() if p.status in (PlacementStatus.STOOD, PlacementStatus.FELL)]
    done.sort(key=lambda p: p.number)
    tower, last = state.tower, done[-1] if done else None
    shape, dice, half_width = Shape.TOWER, _standing(state), tower.half_width
    if last is not None and not tower.height and _is_miracle(state, last):
        shape, dice, half_width = Shape.MIRACLE, _dice_of(state, done), last.half_width or half_width
    elif last is not None and not tower.height and last.status is PlacementStatus.FELL:
        shape, dice, half_width = Shape.HEAP, _dice_of(state, done), last.half_width or half_width
    elif tower.height == MIRACLE_HEIGHT:
        shape = Shape.MIRACLE
    standing = tuple(die.centre for die in _standing(state) if die.centre is not None)
    has_odds = tower.mode is Mode.SIMULATED and tower.height < MIRACLE_HEIGHT
    shown = tuple(die.centre for die in dice if die.centre is not None)
    falls = risk(standing, tower.half_width) if has_odds else None
    return TowerView(
        shape=shape,
        mode=Mode.SIMULATED if shown else tower.mode if not dice else Mode.PHYSICAL,
        half_width=half_width,
        height=tower.height,
        dice=dice,
        margins=margins(shown, half_width),
        landing=_landing(standing, tower.half_width) if has_odds and standing else None,
        risk=falls,
        fall=_fall(state, done),
        note=_stands(state, shape, dice),
        odds=_odds(state, falls),
        people=people_view(state),
    )


def risk_in_words(falls: int) -> str:
    """The risk of a die that falls in so many of 1,296 ways, in a word."""
    return next((word for most, word in RISK_WORDS if falls <= most), "certain")


def _name_of(state: State, actor: object) -> tuple[str, str, str]:
    """What somebody is called, the seat whose character it is, and the character."""
    found = next((a for a in state.actors.values() if a.id == actor), None)
    if found is None:
        return "", "", ""
    seat = str(found.seat) if found.kind is ActorKind.PC and found.seat is not None else ""
    return found.name, seat, str(found.id)


def _standing(state: State) -> tuple[TowerDieView, ...]:
    """The dice that stand, the lowest first."""
    return tuple(
        TowerDieView(
            die.level,
            Centre(die.x, die.y) if die.x is not None and die.y is not None else None,
            *_name_of(state, die.actor),
        )
        for _, die in sorted(state.dice.items())
    )


def _dice_of(state: State, done: Sequence[Placement]) -> tuple[TowerDieView, ...]:
    """The dice of the tower that the last placement was put on, itself included, the lowest first.

    done: placements that stood or fell, in order. A level whose die a game-master has moved by hand has no name.
    """
    last = done[-1]
    top = _dice_in(last)
    placers, level = {top: last.actor}, top - 1
    for each in reversed(done[:-1]):
        if not level or each.status is not PlacementStatus.STOOD or each.height != level:
            break
        placers[level] = each.actor
        level -= 1
    centres: list[Centre | None] = [Centre(point.x, point.y) for point in last.centres]
    return tuple(
        TowerDieView(number, centre, *_name_of(state, placers.get(number)))
        for number, centre in enumerate(centres or [None] * top, start=1)
    )


def _dice_in(placement: Placement) -> int:
    """How many dice there were with this one."""
    return placement.height + (placement.status is PlacementStatus.FELL)


def _is_miracle(state: State, placement: Placement) -> bool:
    return any(miracle.placement == placement.id for miracle in state.miracles.values())


def _landing(centres: Sequence[Centre], half_width: int) -> tuple[Landing, Landing]:
    top = centres[-1]
    x = [by for by in SHIFTS if all(m.x >= 0 for m in margins((*centres, Centre(top.x + by, top.y)), half_width))]
    y = [by for by in SHIFTS if all(m.y >= 0 for m in margins((*centres, Centre(top.x, top.y + by)), half_width))]
    return _from_to(x), _from_to(y)


def _from_to(shifts: Sequence[int]) -> Landing:
    """Shifts that stand are neighbours: each level bounds them from both sides."""
    return Landing(shifts[0], shifts[-1]) if shifts else Landing(1, 0)


def _fall(state: State, done: Sequence[Placement]) -> FallView | None:
    """The last fall. done: placements that stood or fell, in order."""
    falls = [number for number, each in enumerate(done) if each.status is PlacementStatus.FELL]
    if not falls:
        return None
    last, side, where = done[falls[-1]], "", ""
    centres = [Centre(point.x, point.y) for point in last.centres]
    if last.level is not None and last.axis is not None and last.half_width is not None and centres:
        failing = margins(centres, last.half_width)[last.level - 1]
        side = SIDES[last.axis, (failing.lean_x if last.axis is Axis.X else failing.lean_y) > 0]
        where = f" at level {last.level}, along {last.axis}, to the {side}"
    name, dice = _name_of(state, last.actor)[0], _dice_of(state, done[: falls[-1] + 1])
    note = f"Last fall: {quantity(len(dice), 'die', 'dice')}{where}, by the die of {name or 'somebody'}."
    return FallView(name, dice, last.level, last.axis, side, note)


def _stands(state: State, shape: Shape, dice: Sequence[TowerDieView]) -> str:
    """What there is to see, in a sentence or two."""
    height, top = state.tower.height, dice[-1].name if dice else ""
    if shape is Shape.HEAP:
        return "The tower has fallen; nothing stands."
    if shape is Shape.MIRACLE:
        what = "Thirteen dice stand; a miracle is to be chosen" if height else "Nothing stands; this was a miracle"
        return f"{what}, by the die of {top or 'somebody'}."
    if not height:
        return "No die stands."
    left = MIRACLE_HEIGHT - height
    return f"{quantity(height, 'die stands', 'dice stand')}; {left} more would be a miracle."


def _odds(state: State, falls: int | None) -> str:
    """The risk of the next die, in a sentence; its share is rounded to a whole percent."""
    if state.tower.mode is Mode.PHYSICAL:
        return "Not known here: margins and risk of a real tower are to be seen at the table alone."
    if falls is None:
        return "No die is placed on the thirteenth: the miracle comes first."
    if not state.tower.height:
        return "None: the first die of a tower cannot fall."
    ways = f"it falls in {falls:,} of {OUTCOMES:,} ways"
    if 200 * falls < OUTCOMES:
        return f"{risk_in_words(falls).capitalize()}: {ways}{', not 1 in 200' if falls else ''}."
    percent = (200 * falls + OUTCOMES) // (2 * OUTCOMES)
    return f"{risk_in_words(falls).capitalize()}: {ways}, about {percent} in 100."
