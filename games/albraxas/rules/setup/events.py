"""The events of the set-up (AX-SET-*): numbers, who plays Albraxas, characters, the start."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.albraxas.rules.state.records import Character, Phase, Sheet
from games.albraxas.rules.state.schema_types import Attributes, Step
from games.albraxas.rules.state.state import State
from games.engine.audience import Audience, seat_and_gm
from games.engine.game_state import Role, Status
from games.engine.kernel import Event


class CharactersOpened(Event[State]):
    """Everybody writes a character now."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-1", "AX-SET-2")

    phases: int
    sides: int
    check_from: int

    def apply(self, state: State) -> None:
        state.set_status(Status.SETUP)
        state.set_storm(step=Step.CHARACTERS, phases=self.phases, sides=self.sides, check_from=self.check_from)

    def sentence(self, state: State) -> str:
        return "Everybody writes a character."


class GameConfigured(Event[State]):
    """The group has settled phases, dice and the first CHECK."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-4", "AX-SET-5", "AX-END-6")

    phases: int
    sides: int
    check_from: int

    def apply(self, state: State) -> None:
        state.set_storm(phases=self.phases, sides=self.sides, check_from=self.check_from)

    def sentence(self, state: State) -> str:
        return f"{self.phases} phases, dice of {self.sides} sides, the first CHECK in turn {self.check_from}."


class AlbraxasChosen(Event[State]):
    """Which seat plays Albraxas; what it and the one before had written does not fit any more."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-1",)

    seat: UUID

    def apply(self, state: State) -> None:
        for seat in (state.storm.albraxas, self.seat):
            if seat is not None and seat in state.sheets:
                del state.sheets[seat]
        state.set_storm(albraxas=self.seat)

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} plays Albraxas."


class CharacterWritten(Event[State]):
    """A seat has written its character; nobody else sees it before the start."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-2",)

    seat: UUID
    name: str
    backbone: int
    battle: int
    blitz: int

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat)

    def apply(self, state: State) -> None:
        state.sheets[self.seat] = Sheet(self.seat, self.name, self.backbone, self.battle, self.blitz)


class CharacterNamed(Event[State]):
    """How a seat calls its character: public, for names are used once; all else of it is secret before the start."""

    rules: ClassVar[tuple[str, ...]] = ("AX-AMB-32",)

    seat: UUID
    name: str

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} calls the character {self.name}."


class SeatDropped(Event[State]):
    """A seat without a character plays no part; its holder watches."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-9",)

    seat: UUID

    def apply(self, state: State) -> None:
        state.seats[self.seat] = replace(state.seats[self.seat], role=Role.OBSERVER)

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} has no character and watches."


class GameStarted(Event[State]):
    """The Battle of the Beginning: Tide lies on the squares and on the last phase."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-6",)

    phases: int
    sides: int
    check_from: int
    tide: tuple[int, ...]
    """The phases with a Tide of 1."""
    warnings: tuple[str, ...] = ()
    """`phases.not_square`, `check_from.early`, `rebels.few`."""
    commitment: str = ""
    """SHA-256 of the dice secret."""

    def apply(self, state: State) -> None:
        state.set_status(Status.RUNNING)
        for number in range(1, self.phases + 1):
            state.phases[number] = Phase(number, tide=int(number in self.tide))

    def sentence(self, state: State) -> str:
        return f"The Battle of the Beginning: {len(self.tide)} Tide over {self.phases} phases."


class CharactersRevealed(Event[State]):
    """All characters are shown; Dynamism begins at Battle x Backbone (AX-SET-3)."""

    rules: ClassVar[tuple[str, ...]] = ("AX-SET-3", "AX-SET-8")

    characters: tuple[Attributes, ...]

    def apply(self, state: State) -> None:
        for shown in self.characters:
            state.characters[shown.seat] = Character(
                id=shown.seat,
                side=shown.side,
                name=shown.name,
                backbone=shown.backbone,
                battle=shown.battle,
                blitz=shown.blitz,
                dynamism=shown.dynamism,
                start_backbone=shown.backbone,
                most_dynamism=shown.dynamism,
            )
        for seat in list(state.sheets):
            del state.sheets[seat]

    def sentence(self, state: State) -> str:
        return "The characters: " + "; ".join(
            f"{c.name} ({c.backbone}, {c.battle}, {c.blitz})" for c in self.characters
        )
