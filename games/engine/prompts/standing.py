"""Standing answers: what a seat says in advance to questions of a kind, and that one was used.

A game says which questions may be answered in advance, and checks the words in a command of its own. What is said about
one god or one cause goes before what is said to all (`first_word`). A game with words of several parts keeps rows of
its own; the event that one was used is the same everywhere.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar
from uuid import UUID

from games.engine.audience import Audience, seat_and_gm, seats
from games.engine.game_state import GameState, S_contra, Standing
from games.engine.kernel import Event

Key = TypeVar("Key")
Word = TypeVar("Word")


class StandingAnswerSet(Event[GameState]):
    """A seat has said in advance what it answers to prompts of a kind; an empty answer takes that back."""

    seat: UUID
    kind: str
    answer: str

    def audience(self, state: GameState) -> Audience:
        return seats(self.seat, gm=True)

    def apply(self, state: GameState) -> None:
        if self.answer:
            state.standing[self.seat, self.kind] = Standing(self.seat, self.kind, self.answer)
        elif (self.seat, self.kind) in state.standing:
            del state.standing[self.seat, self.kind]


class AnsweredInAdvance(Event[S_contra], abstract=True):
    """A question is answered by what a seat has said in advance; the answer follows by the events of a given one."""

    prompt: UUID
    seat: UUID

    def audience(self, state: GameState) -> Audience:
        return seat_and_gm(self.seat)


def first_word(words: Mapping[Key, Word], keys: Iterable[Key]) -> Word | None:
    """The word under the first of these keys that has one: the most particular first."""
    return next((words[key] for key in keys if key in words), None)


def standing_answer(state: GameState, seat: UUID, *kinds: str) -> str | None:
    """What a seat has said in advance to prompts of the first of these kinds to which it has said anything."""
    standing = first_word(state.standing, [(seat, kind) for kind in kinds])
    return standing.answer if standing else None
