"""The events of what is said and noted beside the dice; none of them changes a number (FB-GM-1, FB-GM-3)."""

from typing import ClassVar
from uuid import UUID

from games.engine.audience import GM, PUBLIC, Audience, seat_and_gm, seats
from games.engine.kernel import Event
from games.engine.wording import full_sentence
from games.forgeborn.rules.state.records import AdvanceAnswer, Line, Note
from games.forgeborn.rules.state.schema_types import ListName, StandingAnswer, StandingKind
from games.forgeborn.rules.state.state import State

LISTED = {
    ListName.THREATS: "A threat",
    ListName.GUARDIANS: "A guardian",
    ListName.NAMES: "A name",
}


class LineDrawn(Event[State]):
    """A line of a list is drawn or chosen: by the service for all to read, else for its drawer and the game-masters."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TXT-1", "FB-TXT-2")

    entry: UUID
    """The id of the drawn line."""
    list: ListName
    line: int
    """Its number in the list, from 1."""
    text: str
    place: UUID | None = None
    """What it is meant for."""
    die: int | None = None
    """The sides of the die that drew it; null for a line that was chosen."""
    drawer: UUID | None = None
    """The seat that drew it; null for the service and the game-masters."""
    is_public: bool = False
    """Whether the service drew it."""

    def audience(self, state: State) -> Audience:
        return drawn_for(self.drawer, is_public=self.is_public)

    def apply(self, state: State) -> None:
        state.lines[self.entry] = Line(
            id=self.entry,
            list=self.list,
            line=self.line,
            text=self.text,
            place=self.place,
            drawer=self.drawer,
            is_public=self.is_public,
        )

    def sentence(self, state: State) -> str:
        return f"{LISTED[self.list]}: {full_sentence(self.text)}"


class ThreatSet(Event[State]):
    """What threatens a Village, or guards Ruins, from now on."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TXT-2", "FB-ROW-3")

    place: UUID
    text: str

    def apply(self, state: State) -> None:
        state.set_place(self.place, threat=self.text)

    def sentence(self, state: State) -> str:
        return f"{state.places[self.place].name}: {full_sentence(self.text)}"


class NoteWritten(Event[State]):
    """A game-master has written something down for later."""

    rules: ClassVar[tuple[str, ...]] = ("FB-GM-3",)

    note: UUID
    place: UUID | None = None
    text: str

    def audience(self, state: State) -> Audience:
        return GM

    def apply(self, state: State) -> None:
        state.notes[self.note] = Note(self.note, self.text, self.place)

    def sentence(self, state: State) -> str:
        where = f" for {state.places[self.place].name}" if self.place is not None else ""
        return f"A note{where}: {full_sentence(self.text)}"


class SceneTold(Event[State]):
    """The game-master tells what is to be seen and heard."""

    rules: ClassVar[tuple[str, ...]] = ("FB-GM-3", "FB-AMB-54")

    text: str

    def sentence(self, state: State) -> str:
        return full_sentence(self.text)


class PlaceNamed(Event[State]):
    """A place has a name of its own."""

    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-15",)

    place: UUID
    name: str
    former: str
    """What it was called before."""

    def apply(self, state: State) -> None:
        state.set_place(self.place, name=self.name)

    def sentence(self, state: State) -> str:
        return f"{self.former} is called {self.name}."


class StandingWordSet(Event[State]):
    """A seat has said in advance what it answers, or takes that back; nobody else knows, for it may be a ballot."""

    rules: ClassVar[tuple[str, ...]] = ("FB-AMB-53",)

    seat: UUID
    kind: StandingKind
    answer: StandingAnswer | None = None
    """Null where it takes back what it had said."""

    def audience(self, state: State) -> Audience:
        return seats(self.seat)

    def apply(self, state: State) -> None:
        if self.answer is not None:
            state.advance_answers[self.seat, self.kind] = AdvanceAnswer(self.seat, self.kind, self.answer)
        elif (self.seat, self.kind) in state.advance_answers:
            del state.advance_answers[self.seat, self.kind]

    def sentence(self, state: State) -> str:
        if self.answer is None:
            return f"{state.seat_name(self.seat)} says nothing to {self.kind} in advance any more."
        return f"{state.seat_name(self.seat)} says to {self.kind} in advance: {self.answer}."


def drawn_for(drawer: UUID | None, *, is_public: bool = False) -> Audience:
    """Who reads a line that is drawn: everybody one of the service, else the drawer and the game-masters."""
    if is_public:
        return PUBLIC
    return seat_and_gm(drawer) if drawer is not None else GM
