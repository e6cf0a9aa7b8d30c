"""What is posted on the board: declarations of war, and when each war is fought (G2-AGG-5, 6; G2-WAR-1).

A god's war is due 300 s after its declaration. The aggressive wars of a century are spread over its Activity Phase.
All times are whole seconds; none is later than the end of the Activity Phase. Among wars due together gods' come first.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.kernel import Event
from games.engine.timer import TimerSet
from games.engine.wording import quantity
from games.gods2.rules.state.records import Phase, War, WarKind, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import DueOf


class WarDeclared(Event[State]):
    """A race has declared war; both sides may talk until it is due."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID
    attacker: UUID
    defender: UUID
    kind: WarKind
    due: datetime | None = None
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        century = state.era.century
        state.wars[self.war] = War(
            id=self.war,
            century=century,
            number=1 + sum(1 for w in state.wars.values() if w.century == century),
            attacker=self.attacker,
            defender=self.defender,
            kind=self.kind,
            declared_at=state.now,
            due=self.due,
        )

    def sentence(self, state: State) -> str:
        attacker, defender = state.races[self.attacker].name, state.races[self.defender].name
        when = f"; it is fought at {self.due:%H:%M:%S} UTC" if self.due else ""
        return f"{attacker} declare war on {defender}{when}."


class WarsOrdered(Event[State]):
    """The order of the century's aggressive wars was drawn."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-6", "G2-WAR-1")

    wars: tuple[UUID, ...]
    dues: tuple[DueOf, ...]

    def apply(self, state: State) -> None:
        dues = {d.war: d.due for d in self.dues}
        for order, war in enumerate(self.wars, start=1):
            state.wars[war] = replace(state.wars[war], order=order, due=dues[war])

    def sentence(self, state: State) -> str:
        return f"{quantity(len(self.wars), 'aggressive war')} will be fought in this century."


class BoardOpened(Event[State]):
    """The gods may act: what is declared hangs on the board, and the queue is called."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-5", "G2-QUEUE-1")

    century: int
    dues: tuple[DueOf, ...]

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.OPEN)

    def sentence(self, state: State) -> str:
        posted = f"with {quantity(len(self.dues), 'war')}" if self.dues else "without a war"
        return f"The board of century {self.century} opens {posted}."


class DeclarationVoided(Event[State]):
    """A race would have declared war, but is held back."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-4",)

    attacker: UUID
    defender: UUID
    reason: str

    def sentence(self, state: State) -> str:
        attacker, defender = state.races[self.attacker].name, state.races[self.defender].name
        return f"{attacker} do not go to war with {defender}: {self.reason}."


class WarHeld(Event[State]):
    """A GM has put a war off."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID
    due: datetime

    def apply(self, state: State) -> None:
        war = state.wars[self.war]
        held = war.held + (int((self.due - war.due).total_seconds()) if war.due else 0)
        state.wars[self.war] = replace(war, due=self.due, held=held)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)} is put off until {self.due:%H:%M:%S} UTC."


class WarHastened(Event[State]):
    """A GM lets a war be fought at once."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], due=state.now)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)} is fought now."


class WarCancelled(Event[State]):
    """A declared war is called off by a power."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], status=WarStatus.CANCELLED, ended_at=state.now)
        forget_policies(state, self.war)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)} is called off."


def forget_policies(state: State, war: UUID) -> None:
    """Forget what a GM wanted of a war's sides. Called by events while they are applied."""
    for key in [key for key in state.policies if key[0] == war]:
        del state.policies[key]


def fight_timer(war: UUID, due: datetime) -> TimerSet:
    """The timer that lets a war be fought by the clock's command `fight-war`."""
    return TimerSet(
        key=war_key(war), due=due, does="fight-war", with_=json.dumps({"war": str(war)}), shown=PUBLIC, subject=war
    )


def name_of(state: State, war: UUID) -> str:
    """The name of a war, or the neutral one (G2-HREC-3)."""
    found = state.wars[war]
    return found.name or f"War {found.number} of century {found.century}"


def war_key(war: UUID) -> str:
    """The key of the timer that fights a war."""
    return f"war:{war}"


def war_due(declared: datetime, activity_end: datetime, delay: int) -> datetime:
    """When a god's war is fought: `delay` seconds later, at activity end at the latest (G2-WAR-1)."""
    return min(declared + timedelta(seconds=delay), activity_end)


def aggressive_dues(posted: datetime, activity_end: datetime, delay: int, wars: int) -> list[datetime]:
    """When the aggressive wars of a century are fought, in their order (G2-WAR-1, AMB-59).

    War k is due at posting + delay + (k-1) x (activity end - posting - delay) / wars, in whole seconds, rounded down;
    a negative spread counts as 0, and nothing is later than activity end.
    """
    room = max(0, int((activity_end - posted).total_seconds()) - delay)
    return [min(posted + timedelta(seconds=delay + k * room // wars), activity_end) for k in range(wars)]


def fighting_order(wars: Iterable[War]) -> list[War]:
    """Wars that wait together: gods' first by their times, then the aggressive ones in their drawn order (AMB-39)."""
    return sorted(wars, key=lambda w: (w.kind is WarKind.AGGRESSIVE, w.order, w.due or w.declared_at, w.number, w.id))


def waiting(state: State) -> Iterator[War]:
    """The wars that are declared and not yet ended."""
    return (w for w in state.wars.values() if w.status is WarStatus.DECLARED)
