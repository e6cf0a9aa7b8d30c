"""A policy as functions by kind of question: what its seat is asked and owes is looked up, and answered.

`refuse_gaps` holds it against the course of the game: each question that such a seat may be asked has a function, or is
named as left to silence. What a policy does unasked, and when it looks again, is its own.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeAlias
from uuid import UUID

from games.engine.audience import GM_READER, reader
from games.engine.bots import Thought
from games.engine.dice import Tray
from games.engine.game_state import ROLES, GameState, Prompt, Role, S
from games.engine.kernel import Command
from games.engine.prompts.manual_dice import KIND, EnterDice, dice_of_question
from games.engine.prompts.questions import Question

RULE = "bot"
"""What the dice of bots are thrown for."""


@dataclass(frozen=True, slots=True)
class Look(Generic[S]):
    """A seat with a policy, as it looks at its game once."""

    state: S
    """The game as the seat may see it, a GM's seat as a GM."""
    seat: UUID
    tray: Tray
    """Dice of its own."""
    asked: Sequence[Prompt]
    """The questions that it owes an answer to, in the order in which it answers them."""

    @property
    def use(self) -> str:
        """The label of its dice at this look."""
        return f"bot/{self.seat}/{self.state.info.timers_set}"

    def use_for(self, prompt: Prompt) -> str:
        """The label of its dice for one question."""
        return f"{self.use}/{prompt.id}"

    def coin(self, prompt: Prompt) -> bool:
        """A coin for one question."""
        return self.tray.roll(self.use_for(prompt), 2, RULE) == 1


Answer: TypeAlias = Callable[[Look[S], Prompt], Command | None]
"""The answer to one question; None leaves it to its deadline."""


def _nothing(look: Look[Any]) -> None:
    """What a policy does unasked that does nothing."""


def _when_asked(look: Look[Any], prompt: Prompt | None, command: Command | None) -> None:
    """When a policy looks again that waits for questions."""


def _enter_dice(look: Look[Any], prompt: Prompt) -> Command:
    """The dice of a real table that are asked for."""
    wanted = dice_of_question(prompt)
    values = look.tray.pool(f"{look.use}/hand", wanted.count, wanted.faces, RULE)
    return EnterDice(prompt=prompt.id, values=tuple(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPolicy(Generic[S]):
    """A policy (`engine.bots.Policy`) that answers one question at a look. Dice of a real table it enters by itself."""

    answers: Mapping[str, Answer[S]]
    """Its answers by kind of question."""
    silent: Collection[str] = ()
    """The kinds that it leaves to silence."""
    unasked: Callable[[Look[S]], Command | None] = _nothing
    """What it does where it answers nothing."""
    again_in: Callable[[Look[S], Prompt | None, Command | None], timedelta | None] = _when_asked
    """When it looks again, given what it does and the question that this answers; None until it is asked something."""

    def __call__(self, state: S, seat: UUID, tray: Tray) -> Thought:
        look = Look(state, seat, tray, questions_of(state, seat))
        for prompt in look.asked:
            answer = _enter_dice if prompt.kind == KIND else self.answers.get(prompt.kind)
            command = answer(look, prompt) if answer is not None else None
            if command is not None:
                return Thought(command, self.again_in(look, prompt, command))
        command = self.unasked(look)
        return Thought(command, self.again_in(look, None, command))


def questions_of(state: GameState, seat: UUID) -> list[Prompt]:
    """The questions that a seat owes an answer to, none of them around another open one: the oldest first.

    What others interrupt, such as a turn, comes last.
    """
    last = {row.inside for row in state.course_rows.questions.values()}
    own = {reader(seat)} | ({GM_READER} if state.seats[seat].role is Role.GM else set())
    around = {prompt.parent for prompt in state.prompts.values()}
    owed = [
        prompt
        for prompt in state.prompts.values()
        if prompt.id not in around and any(o in own and (prompt.id, o) not in state.answers for o in prompt.owners)
    ]
    return sorted(owed, key=lambda p: (p.kind in last, p.opened_at, p.id))


def refuse_gaps(policies: Mapping[str, Any], role: Role, rows: Iterable[Question[Any]]) -> None:
    """Raise ValueError, in words, where a policy has no word on a question of the course, or one too many.

    policies: those that play seats of this role, by name; functions that answer by themselves are not looked into.
    """
    asked = {row.kind for row in rows if role in row.roles}
    faults = [
        fault
        for name, policy in policies.items()
        if isinstance(policy, QuestionPolicy)
        for fault in _faults(name, policy, ROLES[role], asked)
    ]
    if faults:
        raise ValueError(" ".join(faults))


def _faults(name: str, policy: QuestionPolicy[Any], whom: str, asked: Collection[str]) -> Iterator[str]:
    for kind in sorted({*asked} - {*policy.answers, *policy.silent}):
        yield f"The policy {name} has no answer to {kind}, which {whom} is asked, and does not leave it to silence."
    for kind in sorted({*policy.answers, *policy.silent} - {*asked}):
        yield f"The policy {name} has a word on {kind}, which {whom} is never asked."
    for kind in sorted({*policy.answers} & {*policy.silent}):
        yield f"The policy {name} answers {kind}, and leaves it to silence."
