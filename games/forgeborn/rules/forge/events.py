"""The events of a creation and of what a sum buys (FB-ART-1 to 8, FB-HER-1)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import full_sentence
from games.forgeborn.rules.state.dice import fields_of
from games.forgeborn.rules.state.records import Action, Artifact, Character, HelpOffer
from games.forgeborn.rules.state.schema_types import CharacterKind, Deed, Form, Function, PlaceKind, Size
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import dice_in_words


class ArtifactBegun(Event[State]):
    """A Smith begins an artifact; form and function are paid next."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-1", "FB-ART-2", "FB-ART-3")

    creation: UUID
    """Its id."""
    seat: UUID
    character: UUID
    name: str
    text: str
    form: Form
    function: Function

    def apply(self, state: State) -> None:
        state.actions[self.creation] = Action(
            id=self.creation,
            kind=Deed.BEGIN_ARTIFACT,
            seat=self.seat,
            character=self.character,
            place=state.characters[self.character].place,
            name=self.name,
            text=self.text,
            form=self.form,
            function=self.function,
        )

    def sentence(self, state: State) -> str:
        name, what = state.characters[self.character].name, f"{self.form.value}, for {self.function.value}"
        return f"{name} begins to forge {self.name} ({what}). {full_sentence(self.text)}".strip()


class HelpOffered(Event[State]):
    """A Smith at the Citadel offers dice to the maker."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-4", "FB-ART-8")

    seat: UUID
    free: tuple[Size, ...]
    sacrifice: tuple[Size, ...]

    def apply(self, state: State) -> None:
        action = state.require_action().id
        state.offers[action, self.seat] = HelpOffer(action, self.seat, self.free, self.sacrifice)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} offers {dice_in_words((*self.free, *self.sacrifice))}."


class HelpDeclined(Event[State]):
    """A Smith at the Citadel does not help."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-8",)

    seat: UUID

    def apply(self, state: State) -> None:
        action = state.require_action().id
        state.offers[action, self.seat] = HelpOffer(action, self.seat, is_declined=True)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} does not help."


class ArtifactMade(Event[State]):
    """An artifact lies in the Vault."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-5", "FB-ART-7", "FB-ROW-1")

    artifact: UUID
    name: str
    text: str = ""
    form: Form
    function: Function
    dice: tuple[Size, ...]
    power: int
    maker: UUID
    helpers: tuple[UUID, ...]
    """The Smiths who rolled with the maker."""
    wasted: int
    """Points that bought nothing."""

    def apply(self, state: State) -> None:
        state.artifacts[self.artifact] = Artifact(
            id=self.artifact,
            name=self.name,
            text=self.text,
            form=self.form,
            function=self.function,
            power=self.power,
            maker=self.maker,
            helpers=self.helpers,
            round=state.course.round,
            holder=state.place_of_kind(PlaceKind.CITADEL).id,
            **fields_of(self.dice),
        )
        action = state.action()
        if action is not None:
            state.actions[action.id] = replace(action, is_won=True)

    def sentence(self, state: State) -> str:
        maker = state.characters[self.maker].name
        return f"{maker} has forged {self.name}, Power {self.power} ({dice_in_words(self.dice)}); it lies in the Vault."


class HeroineRecruited(Event[State]):
    """A Heroine joins a player."""

    rules: ClassVar[tuple[str, ...]] = ("FB-HER-1", "FB-HER-2")

    character: UUID
    name: str
    text: str = ""
    seat: UUID
    place: UUID
    dice: tuple[Size, ...]
    wasted: int

    def apply(self, state: State) -> None:
        number = 1 + max((c.number for c in state.characters_of(self.seat)), default=0)
        state.characters[self.character] = Character(
            id=self.character,
            seat=self.seat,
            kind=CharacterKind.HEROINE,
            number=number,
            name=self.name,
            text=self.text,
            place=self.place,
            **fields_of(self.dice),
        )
        action = state.action()
        if action is not None:
            state.actions[action.id] = replace(action, is_won=True)

    def sentence(self, state: State) -> str:
        where, who = state.places[self.place].name, state.seat_name(self.seat)
        return f"At {where} {self.name} joins {who} with {dice_in_words(self.dice)}. {full_sentence(self.text)}".strip()
