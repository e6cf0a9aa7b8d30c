"""What a power is aimed at (section 4.1 of the rulebook): read from a command, checked against the power's target.

`race`; `race+contact` (a race, then one in contact with it); `square`; `squares:n` (up to n); `connected:n` (up to n,
each joined to another of them); `city`; `earth` (no choice).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from games.engine.board.board import Square
from games.engine.board.grid import connected_sets, mask_of
from games.engine.errors import Refused
from games.engine.wording import quantity
from games.gods2.rules.geometry.adjacency import corners
from games.gods2.rules.geometry.conditions import all_hold, squares_where
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.wording import condition_name
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.state.wording import target_name
from games.gods2.rules.workings.context import Working, asker


@dataclass(frozen=True, slots=True)
class Aim:
    """Targets as the rules use them."""

    races: tuple[UUID, ...] = ()
    squares: tuple[Square, ...] = ()
    city: UUID | None = None
    direction: str | None = None
    goal: Square | None = None


def invalid(power: Power, why: str) -> Refused:
    """The refusal of targets that do not fit the power."""
    return Refused(
        "target.invalid",
        f"{power.name} is aimed at {target_name(power.target)}: {why}.",
        rules=("G2-HIST-1",),
        target=power.target,
    )


def aim_at(state: State, power: Power, targets: Sequence[Target]) -> Aim:
    """The aim of a casting. Raises `target.invalid`, `race.missing`, `race.extinct`, `square.off_map`,
    `contact.missing`.
    """
    kind, _, most = power.target.partition(":")
    if kind == "earth":
        if targets:
            raise invalid(power, "there is nothing to choose")
        return Aim()
    wanted = 2 if kind == "race+contact" else 1
    if len(targets) != wanted:
        raise invalid(power, f"name {wanted}, not {len(targets)}")
    if kind in ("square", "squares", "connected"):
        return Aim(squares=_squares(state, power, targets[0], int(most or 1), joined=kind == "connected"))
    if kind == "city":
        return _city(state, power, targets[0])
    migrating = any(getattr(e, "op", "") == "migrate" for e in power.effects)
    races = tuple(_race(state, power, t, migrating) for t in targets)
    if kind == "race+contact":
        _in_contact(state, races)
    goal = targets[0].squares[0].square if migrating and targets[0].squares else None
    if migrating and (goal is None) is (targets[0].direction is None):
        raise invalid(power, "give a direction or one square, not both")
    if goal is not None and not state.board.holds(goal):
        raise off_map(goal)
    return Aim(races=races, direction=targets[0].direction if migrating else None, goal=goal)


def off_map(square: Square) -> Refused:
    """The refusal of a square outside the map."""
    message = f"The square {square.column}, {square.row} is not on the map."
    return Refused("square.off_map", message, rules=("G2-MAP-1",))


def _race(state: State, power: Power, target: Target, migrating: bool) -> UUID:
    if target.race is None or target.city or (not migrating and (target.squares or target.direction)):
        raise invalid(power, "name a race and nothing else")
    if len(target.squares) > 1:
        raise invalid(power, "give one square")
    race = state.race(target.race)
    if race.extinct:
        raise Refused("race.extinct", f"{race.name} are no more.", rules=("G2-POP-5",))
    return race.id


def _in_contact(state: State, races: tuple[UUID, ...]) -> None:
    one, other = (state.races[r].name for r in races)
    if races[0] == races[1]:
        raise Refused("target.invalid", "A race does not declare war on itself.", rules=("G2-WAR-1",))
    if races[1] not in contacts(state, races[0]):
        raise Refused(
            "contact.missing",
            f"{other} are out of reach of {one}: no unit of theirs stands where {one} can go.",
            rules=("G2-MOVE-6",),
        )


def _squares(state: State, power: Power, target: Target, most: int, *, joined: bool) -> tuple[Square, ...]:
    if target.race or target.city or target.direction or not target.squares:
        raise invalid(power, "name squares and nothing else")
    squares = tuple(place.square for place in target.squares)
    if len(set(squares)) != len(squares) or len(squares) > most:
        raise invalid(power, f"name up to {quantity(most, 'square')}, each once")
    for square in squares:
        if not state.board.holds(square):
            raise off_map(square)
    shape = (state.board.height, state.board.width)
    if joined and connected_sets(mask_of(shape, squares), corners(state)).max() > 1:
        raise invalid(power, "the squares are joined to each other")
    return tuple(sorted(squares))


def _city(state: State, power: Power, target: Target) -> Aim:
    if target.city is None or target.race or target.squares or target.direction:
        raise invalid(power, "name a city and nothing else")
    city = state.cities.get(target.city)
    if city is None:
        raise Refused("city.missing", "There is no such city in this game.", rules=("G2-CITY-7",))
    return Aim(races=(city.race,), squares=(city.square,), city=city.id)


def check_requires(state: State, power: Power, working: Working) -> None:
    """Refuse (`target.unfit`, `wealth.low`) a target on which one of the power's conditions does not hold."""
    for condition in power.requires:
        if condition.on_squares:
            mask = squares_where(state, (condition,))
            if working.squares:
                fits = all(bool(mask[square]) for square in working.squares)
            else:
                fits = any(bool((state.board.own(race) & mask).any()) for race in working.races[:1])
        else:
            fits = all(all_hold(state, (condition,), asker(state, r, working)) for r in working.races[:1])
        if not fits:
            wanted = f"{'not ' if condition.negated else ''}{condition.name} {', '.join(map(str, condition.values))}"
            raise Refused(
                "wealth.low" if condition.name == "wealth_gte" else "target.unfit",
                f"{power.name} needs a target {condition_name(state.pack, condition)}.",
                rules=("G2-WLTH-3", "G2-HIST-1"),
                wanted=wanted,
            )
