"""What the Spirits of the Forest and the Prince give (FB-FOR-1, FB-PRI-2)."""

from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.forgeborn.rules.state.schema_types import Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words


class Boon(StrEnum):
    """What the Prince gives."""

    SECRET = "secret"
    RESOURCE = "resource"
    DIE = "die"
    CLAIM = "claim"


BOONS = {
    Boon.SECRET: "a Secret token",
    Boon.RESOURCE: "a Resource token",
    Boon.DIE: "strength",
    Boon.CLAIM: "a claim",
}


class SpiritsRolled(Event[State]):
    """A Smith has asked the Spirits for dice: a total of 9 or less grants them."""

    rules: ClassVar[tuple[str, ...]] = ("FB-FOR-1", "FB-AMB-16", "FB-AMB-48")

    character: UUID
    dice: tuple[Size, ...]
    total: int
    granted: bool

    def sentence(self, state: State) -> str:
        name, asked = state.characters[self.character].name, dice_in_words(self.dice)
        verdict = "they are granted" if self.granted else "it is too much"
        return f"{name} asks the Spirits for {asked}, and rolls {self.total}: {verdict}."


class BoonTaken(Event[State]):
    """The Prince grants a boon."""

    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-2", "FB-AMB-14", "FB-AMB-38")

    seat: UUID
    character: UUID
    kind: Boon

    def sentence(self, state: State) -> str:
        return f"The Prince grants {state.characters[self.character].name} {BOONS[self.kind]}."
