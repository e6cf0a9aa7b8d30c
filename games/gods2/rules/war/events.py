"""A war that is fought, as facts (G2-WAR-*): diplomacy, the battle, squares vacated and taken, cities that fall."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.declarations.events import forget_policies, name_of
from games.gods2.rules.state.records import CityKind, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Move, Place, Side
from games.gods2.rules.units.events import carry_out, total


class DiplomacyTried(Event[State]):
    """A side has tried to avert a war."""

    rules: ClassVar[tuple[str, ...]] = ("G2-DIP-4",)

    war: UUID
    race: UUID
    diplomacy: int
    aggression: int
    """The enemy's."""
    yes: bool
    """Whether it succeeded."""

    def sentence(self, state: State) -> str:
        how = "succeed" if self.yes else "fail"
        return f"{state.races[self.race].name} try diplomacy before {name_of(state, self.war)} and {how}."


class WarAverted(Event[State]):
    """Diplomacy has ended a war before it was fought."""

    rules: ClassVar[tuple[str, ...]] = ("G2-DIP-4",)

    war: UUID
    race: UUID
    """Whose diplomacy it was."""

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], status=WarStatus.AVERTED, ended_at=state.now)
        forget_policies(state, self.war)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)} is averted by {state.races[self.race].name}."


class WarFought(Event[State]):
    """A war was fought; the losses follow."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-2", "G2-WAR-3", "G2-WAR-5", "G2-WAR-6", "G2-WAR-7")

    war: UUID
    sides: tuple[Side, ...]
    """Attacker first."""
    race: UUID | None
    """The loser, if there is one."""
    count: int
    """Squares to vacate."""

    def apply(self, state: State) -> None:
        attacker, defender = self.sides[0], self.sides[-1]
        state.wars[self.war] = replace(
            state.wars[self.war],
            status=WarStatus.FOUGHT,
            attacker_percent=attacker.percent,
            defender_percent=defender.percent,
            attacker_lost=attacker.losses,
            defender_lost=defender.losses,
            loser=self.race,
            ended_at=state.now,
        )
        forget_policies(state, self.war)

    def sentence(self, state: State) -> str:
        sides = ", ".join(
            f"{state.races[s.race].name} (strength {s.strength}, {s.percent}%) lose {quantity(s.losses, 'unit')}"
            for s in self.sides
        )
        lost = f"{state.races[self.race].name} have lost" if self.race else "nobody has lost"
        return f"{name_of(state, self.war)} is fought: {sides}; {lost}."


class SquaresVacated(Event[State]):
    """The loser of a war gives squares up."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-6", "G2-WAR-9")

    war: UUID
    race: UUID
    squares: tuple[Place, ...]

    def apply(self, state: State) -> None:
        vacated = tuple(p.square for p in self.squares)
        state.wars[self.war] = replace(state.wars[self.war], vacated=vacated)

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} vacate {quantity(len(self.squares), 'square')}."


class UnitsRetreated(Event[State]):
    """The loser's units leave the vacated squares."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-10",)

    war: UUID
    race: UUID
    moves: tuple[Move, ...]

    def apply(self, state: State) -> None:
        carry_out(state, self.race, self.moves)

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} retreat with {quantity(total(self.moves), 'unit')}."


class SquaresTaken(Event[State]):
    """The winner moves into vacated squares."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-12",)

    war: UUID
    race: UUID
    moves: tuple[Move, ...]

    def apply(self, state: State) -> None:
        carry_out(state, self.race, self.moves)

    def sentence(self, state: State) -> str:
        squares = len({m.to_square for m in self.moves})
        return f"{state.races[self.race].name} move into {quantity(squares, 'square')}."


class CityFell(Event[State]):
    """A city is the winner's now."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-14",)

    city: UUID
    race: UUID
    """The new owner."""
    square: Place
    war: UUID
    kind: CityKind

    def apply(self, state: State) -> None:
        state.cities[self.city] = replace(state.cities[self.city], race=self.race)

    def sentence(self, state: State) -> str:
        return f"The city at {self.square.x}, {self.square.y} falls to {state.races[self.race].name}."
