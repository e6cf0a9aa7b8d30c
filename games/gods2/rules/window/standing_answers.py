"""Standing answers: what a god says in advance to common castings and to expulsions (section 12.1).

They are reported by the same events as given ones; that one was used, only its seat and the GMs see.
"""

from collections.abc import Iterator
from typing import Literal
from uuid import UUID

from games.engine.audience import reader
from games.engine.kernel import Event
from games.engine.prompts.prompt import PromptAnswered
from games.engine.prompts.standing import standing_answer
from games.gods2.rules.casting.events import StandingAnswerUsed
from games.gods2.rules.state.state import State

Kind = Literal["casting", "expulsion"]
Word = Literal["yes", "no", "ask", "decline"]


def key_of(kind: Kind, seat: UUID | None) -> str:
    """The kind of a standing answer in the state; one for the castings of a single god names that god's seat."""
    return kind if seat is None else f"{kind}:{seat.hex}"


def answer_to_casting(state: State, seat: UUID, primary: UUID, amount: int) -> bool | None:
    """What a god has said in advance to a casting of another for which they pay so much; None: the god is asked."""
    given = standing_answer(state, seat, key_of("casting", primary), "casting") or "ask"
    word, _, most = given.partition(":")
    if word == "yes":
        return True if not most or amount <= int(most) else None
    return False if word == "no" else None


def declines(state: State, seat: UUID) -> bool:
    """Whether a god has said in advance to throw nobody out."""
    return standing_answer(state, seat, "expulsion") == "decline"


def use_standing_answer(prompt: UUID, seat: UUID, value: str) -> Iterator[Event]:
    """A question is answered by what a god has said in advance. value: JSON."""
    yield StandingAnswerUsed(prompt=prompt, seat=seat)
    yield PromptAnswered(prompt=prompt, owner=reader(seat), answer=value)
