"""A war as facts: declared, a way opened for it, its battles begun, its end (DW-WAR-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import War
from games.dawn.rules.state.schema_types import Place, WarEnd
from games.dawn.rules.state.state import State
from games.dawn.rules.state.wording import ENDS
from games.engine.kernel import Event
from games.engine.wording import quantity


class BattleOpened(Event[State]):
    """The attacker goes on: another battle."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-9",)

    war: UUID
    battle: int
    armies: tuple[UUID, ...]
    """Who is left on the march; or the avatar who attacks alone."""

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], battle=self.battle, waived=(), stand_in=None, fought=False)

    def sentence(self, state: State) -> str:
        return f"{state.title(state.wars[self.war].attacker)} attacks again."


class AvatarStoodIn(Event[State]):
    """An avatar fights for a city that has no army."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-8",)

    war: UUID
    avatar: UUID

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], stand_in=self.avatar)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.avatar)} stands in for the city."


class StandInWaived(Event[State]):
    """A god lets none of their avatars stand in."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-8",)

    war: UUID
    seat: UUID

    def apply(self, state: State) -> None:
        war = state.wars[self.war]
        state.wars[self.war] = replace(war, waived=(*war.waived, self.seat))

    def sentence(self, state: State) -> str:
        return f"No avatar of {state.title(self.seat)} stands in."


class WarEnded(Event[State]):
    """A war is over; who is left of the march is at home."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-9", "DW-AMB-41")

    war: UUID
    reason: WarEnd

    def apply(self, state: State) -> None:
        del state.wars[self.war]

    def sentence(self, state: State) -> str:
        return f"The war is over: {ENDS[self.reason]}."


class WarDeclared(Event[State]):
    """Armies march, or an avatar alone; the war is fought as soon as the power is resolved."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-1", "DW-WAR-2")

    war: UUID
    attacker: UUID
    """The god who attacks."""
    target: Place
    city: UUID | None
    avatar: UUID | None
    """Who is attacked: the city there, or an avatar in the open."""
    armies: tuple[UUID, ...]
    alone: UUID | None
    """The avatar who attacks with no army."""

    def apply(self, state: State) -> None:
        x, y = self.target.at
        state.wars[self.war] = War(self.war, self.attacker, x, y, self.city, self.avatar, self.armies, self.alone)

    def sentence(self, state: State) -> str:
        march = armies_in_words(len(self.armies)) if self.armies else state.title(self.alone)
        return f"{state.title(self.attacker)} makes war on {state.title(self.city or self.avatar)} with {march}."


def armies_in_words(number: int) -> str:
    return quantity(number, "army")


class ReachAllowed(Event[State]):
    """The GM lets armies march where they have no way."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-3",)

    by: UUID
    """The god whose armies they are."""
    target: Place
    armies: tuple[UUID, ...]
    reason: str

    def sentence(self, state: State) -> str:
        return f"A way is opened to ({self.target.x}, {self.target.y}): {self.reason}"
