"""Wars before they are fought, as facts: declared, combined, held, shown, cancelled (G2-WAR-*)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import listing, quantity
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.records import DiplomacyPolicy, Phase, War, WarKind, WarPolicy, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import (
    DueOf,
    Held,
    Move,
    PairOf,
    Place,
    StrengthOf,
)


class WarsCombined(Event[State]):
    """Several wars against one race will be fought as one, when the last of them is due."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-15",)

    group: UUID
    wars: tuple[UUID, ...]
    race: UUID
    """The common enemy."""
    reason: str

    def apply(self, state: State) -> None:
        dues = [due for war in self.wars if (due := state.wars[war].due) is not None]
        for war in self.wars:
            state.wars[war] = replace(state.wars[war], group=self.group, split=None, due=max(dues, default=None))

    def sentence(self, state: State) -> str:
        names = listing(name_of(state, war) for war in self.wars)
        return f"{names} against {state.races[self.race].name} are one war now. {self.reason}".strip()


class WarSplitSet(Event[State]):
    """A GM has said how the race with several enemies splits its strength."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-16", "G2-AMB-15")

    group: UUID
    strengths: tuple[StrengthOf, ...]

    def apply(self, state: State) -> None:
        for war in [w for w in state.wars.values() if w.group == self.group and w.status is WarStatus.DECLARED]:
            part = next((s.strength for s in self.strengths if s.race in (war.attacker, war.defender)), None)
            state.wars[war.id] = replace(war, split=part)

    def sentence(self, state: State) -> str:
        parts = ", ".join(f"{s.strength} against {state.races[s.race].name}" for s in self.strengths)
        return f"A strength is split: {parts}."


KIND = "war"


class CasualtiesPreviewed(ForGm[State]):
    """What a war would do by the rules."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-8", "G2-WAR-9", "G2-WAR-10", "G2-WAR-12")

    prompt: UUID
    war: UUID
    losses: tuple[Held, ...]
    """Of both sides."""
    squares: tuple[Place, ...]
    """Those that the loser vacates."""
    moves: tuple[Move, ...]
    """The retreat, then the winner's moving in."""
    pairs: tuple[PairOf, ...]
    """This war and those that are fought together with it and come later, with their numbers."""
    wars: tuple[UUID, ...]
    """All that are fought together."""

    def apply(self, state: State) -> None:
        plan = {"pairs": [p.model_dump(mode="json") for p in self.pairs], "wars": [str(w) for w in self.wars]}
        state.previews[self.prompt] = Preview(self.prompt, KIND, self.war, json.dumps(plan))

    def sentence(self, state: State) -> str:
        deaths = quantity(sum(h.units for h in self.losses), "unit")
        squares = quantity(len(self.squares), "square")
        return f"{name_of(state, self.war)} would kill {deaths} and vacate {squares}."


class CasualtiesSet(ForGm[State]):
    """A GM has placed the losses of a war."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-8", "G2-WAR-9")

    prompt: UUID
    war: UUID
    losses: tuple[Held, ...]
    squares: tuple[Place, ...]
    moves: tuple[Move, ...]
    reason: str

    def sentence(self, state: State) -> str:
        return f"The GM places the losses of {name_of(state, self.war)}. {self.reason}".strip()


POLICIES = {
    DiplomacyPolicy.TRY: "will try diplomacy",
    DiplomacyPolicy.REFRAIN: "will refrain from diplomacy",
    DiplomacyPolicy.AUTO: "will judge by themselves whether to try diplomacy",
}


class DiplomacySet(ForGm[State]):
    """A GM has said what a side does about diplomacy."""

    rules: ClassVar[tuple[str, ...]] = ("G2-DIP-2",)

    war: UUID
    race: UUID
    policy: DiplomacyPolicy

    def apply(self, state: State) -> None:
        state.policies[self.war, self.race] = WarPolicy(self.war, self.race, self.policy)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)}: {state.races[self.race].name} {POLICIES[self.policy]}."


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


def name_of(state: State, war: UUID) -> str:
    """The name of a war, or the neutral one (G2-HREC-3)."""
    found = state.wars[war]
    return found.name or f"War {found.number} of century {found.century}"


class AggressionRolled(Event[State]):
    """A race's aggression in this century: how many wars it declares, when it finds somebody to attack."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-3",)

    race: UUID
    aggression: int
    declarations: int

    def apply(self, state: State) -> None:
        if state.era.phase is not Phase.AGGRESSION:
            state.set_era(phase=Phase.AGGRESSION)

    def sentence(self, state: State) -> str:
        name = state.races[self.race].name
        if not self.declarations:
            return f"{name} (Aggression {self.aggression:+d}) keep the peace."
        return f"{name} (Aggression {self.aggression:+d}) want {quantity(self.declarations, 'war')}."


def waiting(state: State) -> Iterator[War]:
    """The wars that are declared and not yet ended."""
    return (w for w in state.wars.values() if w.status is WarStatus.DECLARED)
