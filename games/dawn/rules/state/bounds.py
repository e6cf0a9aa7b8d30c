"""What only an amendment could break: numbers and names that no row holds, and rows that do not fit the table.

Asked after every amendment, with what always holds (`invariants.violations`).
"""

import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from typing import Any
from uuid import UUID

from core.names import comparable
from games.dawn.rules.state.constants import LAST_AGE, LEAST_GODS, LEAST_SIDE, MOST_GODS, MOST_ROUNDS
from games.dawn.rules.state.invariants import violations
from games.dawn.rules.state.schema_types import MAX_SIDE, Asked, Step
from games.dawn.rules.state.state import State
from games.engine.audience import reader
from games.engine.game_state import Status
from games.engine.wording import phrase

MOST, MOST_POINTS = 32_767, 2_147_483_647
"""The largest number of a row, and of a purse."""
LONGEST_NAME, LONGEST_TEXT = 80, 2000
NAME = re.compile(r"[^\s\x00](?:[^\n\x00]*[^\s\x00])?")
SIGNED = frozenset({"alignment"})
"""Numbers that may be less than nothing; their range is checked where the rule is."""


def amendment_violations(state: State) -> list[str]:
    """Everything that does not fit, one sentence each; an empty list is a state that an amendment may leave."""
    return [*violations(state), *_course(state), *_values(state), *_map(state), *_check_named(state)]


def _course(state: State) -> Iterator[str]:
    """The one course of the game, its question and its end."""
    course, asked = state.course, {p.kind: p for p in state.prompts.values()}
    if state.info.status is not Status.LOBBY and list(state.courses) != [state.info.id]:
        yield "A game has one course."
    if (course.step is Step.FINISHED) is not (state.info.status is Status.FINISHED):
        yield "The third Age and the game end together."
    if (course.step is Step.SETUP) is not (Asked.SETUP in asked):
        yield "What is asked is not the set-up."
    turn = asked.get(Asked.TURN)
    if (course.step is Step.TURN) is not (turn is not None):
        yield "What is asked is not a turn."
    if turn is not None and (course.active is None or turn.owners != (reader(course.active),)):
        yield "It is another god's turn."
    if not (course.age <= LAST_AGE and course.round <= course.length <= MOST_ROUNDS):
        yield f"Age {course.age}, round {course.round} of {course.length} cannot be."
    if not LEAST_GODS <= course.seats <= MOST_GODS:
        yield f"There are {LEAST_GODS} to {MOST_GODS} gods, not {course.seats}."


def _values(state: State) -> Iterator[str]:
    """Numbers, names and texts that a row can hold."""
    for table in sorted(state.amendable()):
        most = MOST_POINTS if table == "purses" else MOST
        for record in getattr(state, table).values():
            for field in fields(record):
                value = getattr(record, field.name)
                if not _fits(field.name, value, most):
                    yield f"The {phrase(field.name)} of a row of the {phrase(table)} cannot be {value!r}."


def _fits(name: str, value: Any, most: int) -> bool:
    if isinstance(value, bool | Enum) or name in SIGNED:
        return True
    if isinstance(value, int):
        return 0 <= value <= most
    if isinstance(value, str):
        if name == "name":
            return len(value) <= LONGEST_NAME and NAME.fullmatch(value) is not None
        return len(value) <= LONGEST_TEXT and "\x00" not in value
    return True


def _map(state: State) -> Iterator[str]:
    """Every square of the rectangle, and no other."""
    course = state.course
    if not (LEAST_SIDE <= course.width <= MAX_SIDE and LEAST_SIDE <= course.height <= MAX_SIDE):
        yield f"A map of {course.width} x {course.height} cannot be."
    if state.squares and set(state.squares) != {(x, y) for x in range(course.width) for y in range(course.height)}:
        yield f"The squares are not those of a map of {course.width} x {course.height}."
    for race in state.races.values():
        if (race.x, race.y) not in state.squares:
            yield f"The home of {race.name} lies off the map."


def _check_named(state: State) -> Iterator[str]:
    """Who is named is there."""
    gods = set(state.gods)
    if not gods <= set(state.seats) or not set(state.purses) <= gods:
        yield "A god has no seat, or a purse no god."
    names = [comparable(god.name) for god in state.gods.values()]
    if len(set(names)) != len(names):
        yield "Two gods have one name."
    for city in state.cities.values():
        if city.raised > city.most_raised:
            yield f"{city.name} has raised more armies than it may."
    named: dict[str, set[UUID | None]] = {
        "shaper": {s.shaped_by for s in state.squares.values()} | {r.by for r in state.regions.values()},
        "saver of a city": {saver for city in state.cities.values() for saver in city.saved_by},
        "owner": {owner for order in state.orders.values() for owner in order.owners},
        "killer": {avatar.killed_by for avatar in state.avatars.values()},
    }
    for what, seats in named.items():
        if seats - gods - {None}:
            yield f"A {what} is no god."
    for alliance in state.alliances.values():
        if alliance.other not in state.races:
            yield "An alliance is with nobody."
    for order in state.orders.values():
        if order.age > LAST_AGE:
            yield f"{order.name} was founded in no Age."
