"""Previews accepted and closed, as facts."""

from typing import ClassVar
from uuid import UUID

from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.state import State

PREVIEWS = ("G2-GROW-10", "G2-WAR-8")


class PreviewAccepted(ForGm[State]):
    """A GM has approved what the rules would do."""

    rules: ClassVar[tuple[str, ...]] = PREVIEWS

    prompt: UUID

    def sentence(self, state: State) -> str:
        return "The GM lets the rules have their way."


class PreviewClosed(ForGm[State]):
    """What was shown happens now, or cannot happen any more."""

    rules: ClassVar[tuple[str, ...]] = PREVIEWS

    prompt: UUID

    def apply(self, state: State) -> None:
        del state.previews[self.prompt]
