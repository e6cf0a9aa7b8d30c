"""The events of rounds and turns, and the end (FB-TRN-6, FB-DRG-2, FB-END-1 to 4)."""

from dataclasses import replace
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from games.engine.audience import reader
from games.engine.kernel import Event
from games.engine.lifecycle import leaving
from games.engine.wording import full_sentence, listing, quantity
from games.forgeborn.rules.state.schema_types import EndReason, Step, Value, WayKind
from games.forgeborn.rules.state.state import State


class TurnEnd(StrEnum):
    """Why a turn is over."""

    ACTION = "action"
    JOURNEY = "journey"
    ENDED = "ended"
    DEADLINE = "deadline"
    ABSENT = "absent"


class SeatGlory(Value):
    """The victory points of a player at the end."""

    seat: UUID
    vp: int


ENDS = {
    EndReason.DRAGON: "The Dragon has fallen",
    EndReason.ROUNDS: "The rounds are over",
    EndReason.CALLED: "Time was called",
    EndReason.LEFT: "Everybody has left",
}


class RoundStarted(Event[State]):
    """A round begins: one turn of every seat, or of those who have a last one."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-6",)

    round: int
    last: bool
    """Whether it is known to be the last: the last turns, or the round of the limit."""
    seats: tuple[UUID, ...]
    """The seats that have a turn in it, in order."""

    def apply(self, state: State) -> None:
        step = Step.LAST_TURNS if state.course.slayer is not None else Step.TURN
        state.set_course(step=step, round=self.round, to_come=self.seats)

    def sentence(self, state: State) -> str:
        return f"Round {self.round} begins{'; it is the last' if self.last else ''}."


class TurnStarted(Event[State]):
    """A seat has its turn."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-1", "FB-TRN-6")

    seat: UUID
    round: int

    def apply(self, state: State) -> None:
        to_come = tuple(seat for seat in state.course.to_come if seat != self.seat)
        state.set_course(active=self.seat, character=None, roads=0, to_come=to_come)

    def sentence(self, state: State) -> str:
        return f"It is the turn of {state.seat_name(self.seat)}."


class TurnEnded(Event[State]):
    """A turn is over."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-2", "FB-TRN-3")

    seat: UUID
    reason: TurnEnd

    def apply(self, state: State) -> None:
        state.set_course(active=None, character=None, roads=0)
        state.close_action()


class CharacterChosen(Event[State]):
    """The active seat uses another of its characters in this turn."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-1", "FB-TRN-3")

    seat: UUID
    character: UUID

    def apply(self, state: State) -> None:
        state.set_course(character=self.character)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} uses {state.characters[self.character].name}."


class Journeyed(Event[State]):
    """A character has gone along a Road or a Trail."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-2", "FB-TRN-3", "FB-FOR-1")

    character: UUID
    old: UUID
    """The place that they leave."""
    new: UUID
    """The place that they come to."""
    kind: WayKind

    def apply(self, state: State) -> None:
        state.set_character(self.character, place=self.new)
        if self.kind is WayKind.ROAD:
            state.set_course(roads=state.course.roads + 1)

    def sentence(self, state: State) -> str:
        return (
            f"{state.characters[self.character].name} takes the {self.kind.title()} to {state.places[self.new].name}."
        )


class TimeCalled(Event[State]):
    """Host or game-master has called time: this round is the last."""

    rules: ClassVar[tuple[str, ...]] = ("FB-END-2", "FB-AMB-46")

    round: int
    reason: str

    def apply(self, state: State) -> None:
        state.set_course(called=True)

    def sentence(self, state: State) -> str:
        return f"Round {self.round} is the last: {full_sentence(self.reason)}"


class SeatLeft(leaving.SeatLeft[State]):
    """Somebody has left the table; what the seat has stays, but its ballot, offer and answers in advance fall away."""

    rules: ClassVar[tuple[str, ...]] = ("FB-END-3", "FB-AMB-47", "FB-AMB-62")

    def apply(self, state: State) -> None:
        for vote in [vote for vote in state.votes.values() if vote.is_agreed is None and self.seat in vote.electorate]:
            electorate = tuple(seat for seat in vote.electorate if seat != self.seat)
            state.votes[vote.id] = replace(vote, electorate=electorate)
            for rows in (state.ballots, state.seals):
                if (vote.id, self.seat) in rows:
                    del rows[vote.id, self.seat]
        for prompt, owner in [key for key in state.answers if key[1] == reader(self.seat)]:
            del state.answers[prompt, owner]
        action = state.action()
        offer = state.offers.get((action.id, self.seat)) if action is not None else None
        if offer is not None and not offer.is_accepted:  # dice that have fallen are no offer any more
            del state.offers[offer.action, offer.seat]
        for word in [word for word in state.advance_answers.values() if word.seat == self.seat]:
            del state.advance_answers[word.seat, word.kind]

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} leaves the table."


class LastTurnsStarted(Event[State]):
    """The Dragon is slain: every other seat has one more turn."""

    rules: ClassVar[tuple[str, ...]] = ("FB-DRG-2",)

    slayer: UUID
    seats: tuple[UUID, ...]
    """The seats that have a last turn, in order."""

    def apply(self, state: State) -> None:
        state.set_course(slayer=self.slayer, to_come=())

    def sentence(self, state: State) -> str:
        return f"{listing([state.seat_name(seat) for seat in self.seats], 'and')}: one last turn each."


class GameFinished(Event[State]):
    """The game is over: most victory points win, equals share."""

    rules: ClassVar[tuple[str, ...]] = ("FB-DRG-2", "FB-END-1", "FB-END-2", "FB-END-3", "FB-END-4", "FB-AMB-13")

    glory: tuple[SeatGlory, ...]
    winners: tuple[UUID, ...]
    reason: EndReason

    def apply(self, state: State) -> None:
        state.set_course(step=Step.FINISHED, active=None, to_come=(), reason=self.reason, winners=self.winners)

    def sentence(self, state: State) -> str:
        if not self.winners:
            return f"{ENDS[self.reason]}: nobody wins."
        names = listing([state.seat_name(seat) for seat in self.winners], "and")
        points = quantity(next(each.vp for each in self.glory if each.seat in self.winners), "victory point")
        verb = "share the victory" if len(self.winners) > 1 else "wins"
        return f"{ENDS[self.reason]}: {names} {verb} with {points}."
