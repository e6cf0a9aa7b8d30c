"""One working: what the effects of a power, a modification, a feature or a knowledge need to know while they run.

An operation is carried out by its chapter; `effects.registry` knows which. A chapter registers two functions for an
operation: `check` refuses what cannot be, before anything is paid, and `work` yields what happens.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np

from games.engine.board.board import Square
from games.engine.board.grid import Mask
from games.engine.kernel import Context, Event
from games.gods2.rules.geometry.carried_effects import carried_effects
from games.gods2.rules.geometry.conditions import Asker, all_hold, are_met, squares_where
from games.gods2.rules.geometry.stats import contacts, stat, works_for
from games.gods2.rules.pack import filters
from games.gods2.rules.pack.operations import Resist
from games.gods2.rules.pack.resistance import Code, parse
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf

Perform = Callable[[State, Context, "Working", Iterable[Operation]], Iterator[Event]]


@dataclass(frozen=True, slots=True)
class Working:
    """What works, on what, and by whom."""

    cause: str
    """For the events: a power's key, `feature:void_gate`, `knowledge:explosives` ..."""
    perform: Perform
    """Carries out further effects: of a roll table, a choice, another working."""
    codes: tuple[str, ...] = ()
    """Of the power or the roll table: whether it is a disaster, its elements."""
    power: str | None = None
    casting: UUID | None = None
    caster: UUID | None = None
    """The primary caster: a secret, for effects that name `caster`."""
    parts: tuple[PartOf, ...] = ()
    """Who paid how much for it, while it is cast: what is given back when a task for it is void."""
    races: tuple[UUID, ...] = ()
    """The target races: target1, target2; the race that a modification or a knowledge belongs to."""
    squares: tuple[Square, ...] = ()
    """The target or chosen squares; the square of a feature (`here`)."""
    city: UUID | None = None
    direction: str | None = None
    goal: Square | None = None
    """Where a migration goes."""
    earth: bool = False
    """Whether the target is the whole Earth (G2-GLOB-4)."""
    choice: str | None = None
    modification: UUID | None = None
    """The modification whose effects these are (`self`)."""
    feature: UUID | None = None
    """The feature whose effects these are; `squares` is its square, `races` who lives there."""
    table: str | None = None
    """The roll table whose row these are."""
    repeated: bool = False
    """Whether it is a repeated working, which does not repeat."""

    @property
    def elements(self) -> frozenset[str]:
        """The elements of a disaster or a global power."""
        return filters.elements(self.codes)

    @property
    def box(self) -> str:
        """The box of the death worksheet (G2-CALC-1)."""
        return filters.box(self.codes)

    def label(self, use: str) -> str:
        """What binds a die to its use (G2-DICE-1): the casting, or what works without one, and the use."""
        return f"{self.casting or self.cause}/{use}"

    @property
    def race(self) -> UUID:
        """The race that is aimed at. Raises RuntimeError when there is none: `workings.targets` has checked it
        before."""
        if not self.races:
            raise RuntimeError(f"{self.cause} aims at no race")
        return self.races[0]


def _nothing_bars(state: State, working: Working, effect: Any) -> None:
    """What most operations ask before payment: nothing that the target has not answered."""


@dataclass(frozen=True, slots=True)
class Doing:
    """How an operation is carried out, each of its kind by itself."""

    work: Callable[[State, Context, Working, Any], Iterator[Event]]
    """The events of what happens."""
    check: Callable[[State, Working, Any], None] = _nothing_bars
    """Refuses what cannot be, before anything is paid."""
    on_race: bool = True
    """Whether it happens to the target race, on which its conditions are tested; else it tests them itself."""


@dataclass(frozen=True, slots=True)
class Together:
    """How operations are carried out of which all of one working count together, as kills and cults do."""

    work: Callable[[State, Context, Working, list[Any]], Iterator[Event]]
    """The events of what all of them do."""
    check: Callable[[State, Working, Any], None] = _nothing_bars
    """Refuses what one of them cannot do, before anything is paid."""


def asker(state: State, race: UUID, working: Working) -> Asker:
    """On whom conditions of a working are tested."""

    def number(name: str) -> int:
        return len(contacts(state, race)) if name == "contacts" else stat(state, race, name).value

    return Asker(race=race, number=number, caster=working.caster)


def applies(state: State, race: UUID, working: Working, effect: Operation) -> bool:
    """Whether an effect's conditions hold for a race; of those about squares one of its squares is enough."""
    return are_met(state, effect.conditions, asker(state, race, working))


def held_squares(state: State, working: Working, effect: Operation) -> Mask:
    """The squares on which an effect's conditions hold; those about races on the race hit, or on who lives there."""
    mask = squares_where(state, effect.conditions)
    if all(condition.on_squares for condition in effect.conditions):
        return mask
    met: Mask = np.zeros_like(mask)
    for race in working.races[:1] or [r.id for r in state.living()]:
        if all_hold(state, effect.conditions, asker(state, race, working)):
            met |= True if working.races else state.board.own(race)
    return mask & met


def works_there(state: State, working: Working, effect: Operation) -> bool:
    """Whether an effect that names no scope works: on its squares (a feature's `here`), else for its race."""
    if working.races and not working.squares:
        return applies(state, working.races[0], working, effect)
    found = held_squares(state, working, effect)
    return any(bool(found[square]) for square in working.squares) if working.squares else bool(found.any())


def codes_of(state: State, race: UUID) -> list[Code]:
    """Every resistance code of a race: attributes, knowledges, modifications, level (G2-RES-1, G2-LVL-2)."""
    found = [parse(e.code) for _, e in carried_effects(state, race, Resist) if works_for(state, race, e)]
    if state.races[race].level is Level.PRIMITIVE:
        found.append(parse("X-1"))
    return found
