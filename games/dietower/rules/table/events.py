"""The events of chapter 0: the set-up, sessions, the end; who leaves."""

from dataclasses import replace
from typing import ClassVar

from games.dietower.rules.state.records import Session
from games.dietower.rules.state.schema_types import Mode, Step
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import remark
from games.engine.game_state import Status
from games.engine.kernel import Event
from games.engine.lifecycle import leaving
from games.engine.wording import quantity


class SetupOpened(Event[State]):
    """Sheets are written now."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-2",)

    seats: int
    characters: int
    idle_rounds: int
    mode: Mode
    half_width: int

    def apply(self, state: State) -> None:
        state.set_status(Status.SETUP)
        state.set_course(step=Step.SETUP, seats=self.seats, characters=self.characters, idle_rounds=self.idle_rounds)
        state.set_tower(mode=self.mode, half_width=self.half_width)

    def sentence(self, state: State) -> str:
        return "Everybody writes a sheet."


class GameConfigured(Event[State]):
    """Places, characters and rounds of silence are settled anew."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-1", "DT-TBL-5", "DT-CMB-17")

    seats: int
    characters: int
    idle_rounds: int

    def apply(self, state: State) -> None:
        state.set_course(seats=self.seats, characters=self.characters, idle_rounds=self.idle_rounds)

    def sentence(self, state: State) -> str:
        places = quantity(self.seats, "place for players", "places for players")
        return f"{places}, {quantity(self.characters, 'character')} each."


class SessionOpened(Event[State]):
    """A session begins."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-2",)

    session: int
    mode: Mode
    half_width: int
    commitment: str = ""
    """SHA-256 of the dice secret."""

    def apply(self, state: State) -> None:
        state.set_status(Status.RUNNING)
        state.set_course(step=Step.FREE, session=self.session)
        state.sessions[self.session] = Session(self.session, self.mode, self.half_width)
        if not state.tower.height:
            state.set_tower(mode=self.mode, half_width=self.half_width)

    def sentence(self, state: State) -> str:
        return f"Session {self.session} begins."


class SessionClosed(Event[State]):
    """A session is over; sheets, tower, Wishes and the fallen stay as they are."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-2",)

    session: int

    def apply(self, state: State) -> None:
        state.set_course(step=Step.CLOSED)
        state.sessions[self.session] = replace(state.sessions[self.session], closed=True)

    def sentence(self, state: State) -> str:
        return f"Session {self.session} is over."


class GameFinished(Event[State]):
    """The game is over; nobody has won it."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-3", "DT-AMB-45")

    sessions: int
    text: str

    def apply(self, state: State) -> None:
        state.set_course(step=Step.FINISHED)

    def sentence(self, state: State) -> str:
        return f"The game is over after {quantity(self.sessions, 'session')}.{remark(self.text)}"


class SceneEnded(Event[State]):
    """The scene is over, and the dice of miracles with it."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TWR-5",)

    def sentence(self, state: State) -> str:
        return "The scene is over."


class SeatLeft(leaving.SeatLeft[State]):
    """Somebody has left the table; the seat is empty until it is taken again."""

    rules: ClassVar[tuple[str, ...]] = ("DT-TBL-4",)

    def apply(self, state: State) -> None:
        own = {actor.id for actor in state.characters_of(self.seat)}
        for placement in state.due_placements():
            if placement.actor in own:
                state.placements[placement.id] = replace(placement, unasked=True)

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} leaves the table."
