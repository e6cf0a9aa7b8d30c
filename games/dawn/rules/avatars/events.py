"""Avatars as facts: created, and what they do in person (DW-AVA-1, DW-AVA-6)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Avatar
from games.dawn.rules.state.schema_types import AvatarKind, Place
from games.dawn.rules.state.state import State
from games.engine.kernel import Event


class AvatarCreated(Event[State]):
    """An avatar has been created."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-1",)

    avatar: UUID
    square: Place
    kind: AvatarKind
    name: str
    owner: UUID

    def apply(self, state: State) -> None:
        x, y = self.square.at
        state.avatars[self.avatar] = Avatar(self.avatar, self.owner, self.name, self.kind, x, y)

    def sentence(self, state: State) -> str:
        place = f"({self.square.x}, {self.square.y})"
        return f"{state.title(self.owner)} sends {self.name}, a {self.kind}, to {place}."


class AvatarMoved(Event[State]):
    """An avatar has gone elsewhere: the army they led stays, and they defend no city any more."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-6",)

    avatar: UUID
    square: Place

    def apply(self, state: State) -> None:
        x, y = self.square.at
        state.avatars[self.avatar] = replace(state.avatars[self.avatar], x=x, y=y, leads=None, defending=False)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.avatar)} goes to ({self.square.x}, {self.square.y})."


class ArmyLed(Event[State]):
    """An avatar leads an army."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-6",)

    avatar: UUID
    army: UUID

    def apply(self, state: State) -> None:
        state.avatars[self.avatar] = replace(state.avatars[self.avatar], leads=self.army)

    def sentence(self, state: State) -> str:
        city = state.title(state.armies[self.army].city)
        return f"{state.title(self.avatar)} leads an army of {city}."


class CityDefended(Event[State]):
    """An avatar resides in a city until their next move."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-6", "DW-AVA-7")

    avatar: UUID
    city: UUID

    def apply(self, state: State) -> None:
        state.avatars[self.avatar] = replace(state.avatars[self.avatar], defending=True)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.avatar)} defends {state.title(self.city)}."
