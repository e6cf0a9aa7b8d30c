"""The commands that answer questions (sections 9 and 10), and how each kind of question takes an answer.

A chapter with questions that stand apart from a power (a stand-in, an avatar's revenge) adds them to `ANSWERED`.
"""

import json
from collections.abc import Callable, Iterator
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.conflict.rules import require_points
from games.dawn.rules.powers.frame import question_of
from games.dawn.rules.powers.questions import Consent
from games.dawn.rules.revenge.rules import answer_revenge
from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.schema_types import Asked, Step
from games.dawn.rules.state.state import State
from games.engine.economy import purses
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices, Flag
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import innermost, open_prompt, owner_for
from games.engine.prompts.questions import questions_answered_by

Answered = Callable[[State, Context, Prompt, UUID, bool], Iterator[Event]]


def answer_power(state: State, ctx: Context, prompt: Prompt, seat: UUID, yes: bool) -> Iterator[Event]:
    """An answer to a question of the open power. Raises what the question's `check` raises."""
    asked = question_of(state, ctx, prompt)
    if asked is None:
        raise Refused("prompt.closed", "This question has become void; it ends with its time.", rules=("DW-ASK-1",))
    asked.check(state, seat, yes)
    if yes and INVOKING.intersection(prompt.answered_by):
        require_points(state, seat)
    if yes and isinstance(asked, Consent):
        share = sum(s.amount for s in asked.shares if s.seat == seat)
        purses.require(state.purses, seat, share, "Your share", rules=PAID)
    yield from asked.record_answer(state, ctx, prompt, seat, yes)


ANSWERED: dict[Asked, Answered] = {
    Asked.CONSENT: answer_power,
    Asked.LEAVE: answer_power,
    Asked.DECIDE: answer_power,
    Asked.OBJECT: answer_power,
    Asked.CHALLENGE: answer_power,
    Asked.REVENGE: answer_revenge,
}
"""How a kind of question takes a yes or a no."""


def reply(state: State, ctx: Context, command: "Reply", yes: bool) -> Iterator[Event]:
    """Answer a question by a command. Raises `prompt.closed`, `prompt.not_yours`, `prompt.open`, `points.short`."""
    state.require(Step.TURN)
    prompt = open_prompt(state, command.prompt)
    if command.slug() not in prompt.answered_by:
        raise Refused("prompt.closed", "This question is answered by another command.", rules=("DW-ASK-1",))
    owner = owner_for(state, prompt, ctx.actor)
    if not innermost(state, prompt):
        raise Refused("prompt.open", "An inner question is still open; it comes first.", rules=("DW-ASK-1",))
    seat = UUID(owner.removeprefix("seat:"))
    yield from ANSWERED[Asked(prompt.kind)](state, ctx, prompt, seat, yes)


class Reply(Enumerable[State], abstract=True):
    """What the answers to questions have in common."""

    prompt: UUID
    """The question."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from reply(state, ctx, self, self.says())

    def says(self) -> bool:
        """Yes or no."""
        raise TypeError(f"{type(self).__name__} says nothing")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        mine = f"seat:{state.seat(actor.acting_seat).id}"
        asked = [p for p in questions_answered_by(state, cls) if mine in p.owners and innermost(state, p)]
        if not asked:
            raise Refused("prompt.closed", "You are not asked.", rules=("DW-ASK-1",))
        for prompt in asked:
            yield from cls.answers_to(state, prompt, UUID(mine.removeprefix("seat:")))

    @classmethod
    def answers_to(cls, state: State, prompt: Prompt, seat: UUID) -> Iterator[LegalCommand]:
        """What this command may answer to a question. Raises `points.short`."""
        if cls.slug() in INVOKING:
            require_points(state, seat)
        yield LegalCommand(cls.slug(), {"prompt": Choices.of((prompt.id,))}, note=prompt.question)


class YesOrNo(Reply, abstract=True):
    """An answer that may be yes or no."""

    yes: bool
    """Whether you agree."""

    def says(self) -> bool:
        return self.yes

    @classmethod
    def answers_to(cls, state: State, prompt: Prompt, seat: UUID) -> Iterator[LegalCommand]:
        payable = _share_of(state, prompt, seat) <= state.balance(seat)
        answers = Flag() if payable else Choices((False,))
        arguments = {"prompt": Choices.of((prompt.id,)), "yes": answers}
        yield LegalCommand(cls.slug(), arguments, price=_share_of(state, prompt, seat), note=prompt.question)


def _share_of(state: State, prompt: Prompt, seat: UUID) -> int:
    """The points that a yes costs a god: the share of a joint creation, as its caster has named it (DW-RACE-4)."""
    power = state.powers.get(prompt.subject) if prompt.subject else None
    named = json.loads(power.arguments).get("co_creators", ()) if power and prompt.kind == Asked.CONSENT else ()
    return sum(int(each["share"]) for each in named if each["seat"] == str(seat))


class AnswerConsent(YesOrNo):
    """Agree to a joint creation or an alliance, or do not."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-4", "DW-CMDR-3")


class AnswerLeave(YesOrNo):
    """Grant leave to shape your squares, or refuse it."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-3",)


class RaiseObjection(Reply):
    """Object: you become Invoker of a Divine Conflict against the caster."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ALN-2", "DW-MIR-6")

    def says(self) -> bool:
        return True


class RaiseChallenge(Reply):
    """Challenge a power, where the table plays with open challenges."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-7",)

    def says(self) -> bool:
        return True


class WaiveObjection(Reply):
    """Let it pass: no objection, no challenge, no revenge."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ALN-2", "DW-DC-7")

    def says(self) -> bool:
        return False


class OpenConflict(Reply):
    """Open a Divine Conflict: against a god who refused leave, or against the one who killed your avatar."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-3", "DW-AVA-5")

    def says(self) -> bool:
        return True


class WithdrawPower(Reply):
    """Drop a power after a refusal; what it holds comes back."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-3",)

    def says(self) -> bool:
        return False


INVOKING = frozenset({RaiseObjection.slug(), RaiseChallenge.slug(), OpenConflict.slug()})
"""What opens a conflict: it needs a point."""
