"""The second Creation starts: at a GM's word, or by their silence (G2-CREA-1, AMB-49)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.questions import Deadline
from games.engine.timer import clear_timer
from games.gods2.rules.calendar.rules import end_key
from games.gods2.rules.gm_previews.rules import record_answer
from games.gods2.rules.setup.events import SecondCreationConfirmed
from games.gods2.rules.setup.second_creation import open_question, require_question
from games.gods2.rules.state.state import State

Steps = Iterator[Event]


class StartSecondCreation(Enumerable[State]):
    """Let the second Creation start at once, without waiting for the deadline or the century's end."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        prompt = require_question(state)
        yield from record_answer(state, ctx, prompt, "true")
        yield SecondCreationConfirmed(century=state.era.century + 1)
        yield from clear_timer(state, end_key(state.era.century))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_question(state)
        yield LegalCommand(cls.slug())


class OpenCreation(Deadline[State]):
    """The GMs have said nothing: the second Creation opens, or waits no longer than for the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-1",)

    century: int

    def question(self, state: State) -> UUID | None:
        return open_question(state)
