"""The death of an avatar, the revenge of their god, and their return, as facts (DW-AVA-5)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.schema_types import Place
from games.dawn.rules.state.state import State
from games.engine.kernel import Event


class AvatarDestroyed(Event[State]):
    """An avatar has died; in a battle, on the square that was attacked."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-5",)

    avatar: UUID
    square: Place
    """Where the avatar died, and returns if their god wins them back."""
    by: UUID
    """Who caused it: the caster of the catastrophe, or the god who decided for the winning side of the battle."""

    def apply(self, state: State) -> None:
        x, y = self.square.at
        avatar = state.avatars[self.avatar]
        state.avatars[self.avatar] = replace(
            avatar,
            x=x,
            y=y,
            alive=False,
            defending=False,
            leads=None,
            fell_in=state.course.rounds,
            killed_by=self.by,
            avenging=self.by != avatar.owner,
        )

    def sentence(self, state: State) -> str:
        return f"{state.title(self.avatar)} is killed at ({self.square.x}, {self.square.y}) by {state.title(self.by)}."


class RevengeAsked(Event[State]):
    """The god of a dead avatar is asked whether to take revenge; nobody is where that god has left or has no point."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-5",)

    avatar: UUID
    seats: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        state.avatars[self.avatar] = replace(state.avatars[self.avatar], avenging=False)


class AvatarRespawned(Event[State]):
    """An avatar stands up again where they died, because their god has won them back."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AVA-5", "DW-AMB-32")

    avatar: UUID
    square: Place

    def apply(self, state: State) -> None:
        state.avatars[self.avatar] = replace(state.avatars[self.avatar], alive=True, returning=False)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.avatar)} returns to ({self.square.x}, {self.square.y})."
