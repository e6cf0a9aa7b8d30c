"""The events of gains and losses. Dice, tokens and points change by one of these."""

from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import quantity
from games.forgeborn.rules.state.dice import dice_of, fields_of
from games.forgeborn.rules.state.schema_types import Size, Token
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words


class Loss(StrEnum):
    """Why dice are lost."""

    FORM = "form"
    FUNCTION = "function"
    SACRIFICE = "sacrifice"
    SPIRITS = "spirits"


class Gain(StrEnum):
    """Why a die is gained or raised."""

    FAILURE = "failure"
    SPIRITS = "spirits"
    BOON = "boon"


class Glory(StrEnum):
    """What victory points are for."""

    ARTIFACT = "artifact"
    HELP = "help"
    RUINS = "ruins"
    DRAGON = "dragon"


LOSSES = {
    Loss.FORM: "for the form",
    Loss.FUNCTION: "for the function",
    Loss.SACRIFICE: "as a Sacrifice",
    Loss.SPIRITS: "to the Spirits",
}
GAINS = {
    Gain.FAILURE: "learns from the failure",
    Gain.SPIRITS: "is granted by the Spirits",
    Gain.BOON: "has a boon of the Prince",
}
GLORIES = {
    Glory.ARTIFACT: "for an artifact",
    Glory.HELP: "for help at the forge",
    Glory.RUINS: "for Ruins explored",
    Glory.DRAGON: "for the Dragon",
}


class GloryGained(Event[State]):
    """A player has gained victory points."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-7", "FB-RUI-1", "FB-DRG-1")

    seat: UUID
    amount: int
    cause: Glory
    balance: int
    """Victory points after it."""

    def apply(self, state: State) -> None:
        state.set_purse(self.seat, vp=self.balance)

    def sentence(self, state: State) -> str:
        points = quantity(self.amount, "victory point")
        return f"{state.seat_name(self.seat)} gains {points} {GLORIES[self.cause]}, and has {self.balance}."


class DiceLost(Event[State]):
    """A character has lost dice."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-4", "FB-ART-6", "FB-ART-7", "FB-FOR-1")

    character: UUID
    dice: tuple[Size, ...]
    cause: Loss

    def apply(self, state: State) -> None:
        left = list(dice_of(state.characters[self.character]))
        for die in self.dice:
            left.remove(die)
        state.set_character(self.character, **fields_of(left))

    def sentence(self, state: State) -> str:
        name = state.characters[self.character].name
        return f"{name} loses {dice_in_words(self.dice)} {LOSSES[self.cause]}."


class DieGained(Event[State]):
    """A character has gained a die."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-5", "FB-FOR-1", "FB-PRI-2")

    character: UUID
    die: Size
    cause: Gain

    def apply(self, state: State) -> None:
        dice = dice_of(state.characters[self.character])
        state.set_character(self.character, **fields_of((*dice, self.die)))

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.character].name} {GAINS[self.cause]}: a d{self.die}."


class DieRaised(Event[State]):
    """A die of a character has risen by one size."""

    rules: ClassVar[tuple[str, ...]] = ("FB-CON-5", "FB-PRI-2")

    character: UUID
    old: Size
    new: Size
    cause: Gain

    def apply(self, state: State) -> None:
        dice = list(dice_of(state.characters[self.character]))
        dice.remove(self.old)
        state.set_character(self.character, **fields_of((*dice, self.new)))

    def sentence(self, state: State) -> str:
        name = state.characters[self.character].name
        return f"{name} {GAINS[self.cause]}: a d{self.old} becomes a d{self.new}."


class TokenGained(Event[State]):
    """A player has gained a token, which can be used at once (FB-TRN-5)."""

    rules: ClassVar[tuple[str, ...]] = ("FB-RUI-1", "FB-VIL-1", "FB-PRI-2", "FB-TRN-5")

    seat: UUID
    kind: Token
    balance: int
    """Tokens of this kind after it."""

    def apply(self, state: State) -> None:
        state.set_purse(self.seat, **{self.kind.value: self.balance})

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} gains a {self.kind.value.title()} token, and has {self.balance}."


class TokenSpent(Event[State]):
    """A player has spent a token on the form or the function of an artifact."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-2", "FB-ART-3")

    seat: UUID
    kind: Token
    balance: int

    def apply(self, state: State) -> None:
        state.set_purse(self.seat, **{self.kind.value: self.balance})

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} spends a {self.kind.value.title()} token, and has {self.balance}."
