"""LOCATE, as facts: where characters go, hidden and shown (AX-TRN-3)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.albraxas.rules.state.records import Choice, Visit
from games.albraxas.rules.state.schema_types import Place
from games.albraxas.rules.state.state import State
from games.engine.audience import Audience
from games.engine.kernel import Event


class LocationSet(Event[State]):
    """A rebel has set the phase to go to; hidden from Albraxas."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-2",)

    seat: UUID
    phase: int

    def audience(self, state: State) -> Audience:
        return state.rebel_readers()

    def apply(self, state: State) -> None:
        state.choices[self.seat] = Choice(self.seat, self.phase, False, state.rebel_readers())

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} means to go to phase {self.phase}."


class LocationLocked(Event[State]):
    """A rebel has locked their place."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-2",)

    seat: UUID

    def audience(self, state: State) -> Audience:
        return state.rebel_readers()

    def apply(self, state: State) -> None:
        state.choices[self.seat] = replace(state.choices[self.seat], locked=True)


class LocationUnlocked(Event[State]):
    """A rebel has unlocked their place."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-2",)

    seat: UUID

    def audience(self, state: State) -> Audience:
        return state.rebel_readers()

    def apply(self, state: State) -> None:
        state.choices[self.seat] = replace(state.choices[self.seat], locked=False)


class LocationsRevealed(Event[State]):
    """All rebels have their places; visible to everybody."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-2", "AX-TRN-3", "AX-TRN-4", "AX-CLN-1")

    places: tuple[Place, ...]

    def apply(self, state: State) -> None:
        for place in self.places:
            state.set_character(place.seat, phase=place.phase, clones=place.clones, forced=place.forced)
            if not place.forced:
                count = state.visit_count(place.seat, place.phase) + 1
                state.visits[place.seat, place.phase] = Visit(place.seat, place.phase, count)
        for seat in list(state.choices):
            del state.choices[seat]

    def sentence(self, state: State) -> str:
        return "; ".join(_place_in_words(state, place) for place in self.places) + "."


def _place_in_words(state: State, place: Place) -> str:
    """Where somebody is, what the Travel costs, and the count of visits."""
    travel = f", a Travel for {place.price} Dynamism" if place.price else ""
    again = f", visit {place.clones + 1}" if place.clones else ""
    return f"{state.characters[place.seat].name} is in phase {place.phase}{travel}{again}"
