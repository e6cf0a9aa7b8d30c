"""The GM's order of growth (G2-GROW-1, AMB-4): set before a century's third step, a secret until it is announced."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM_READER
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import SHOWN, Choices, ListOf
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.model import IN_ORDER
from games.engine.prompts.prompt import PromptAnswered
from games.engine.prompts.questions import ask_row
from games.gods2.rules.casting.prompts import close_at_deadline
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.effect_records import GrowthPlan
from games.gods2.rules.state.options import CENTURIES, options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State

ORDERED = 2  # races of which there is an order
BEFORE = (Phase.TRANSITION, Phase.CLOSING, Phase.RECKONING, Phase.PAYING, Phase.CLOSED)
"""From the end of the Activity Phase until the next century's growth is ordered."""


class GrowthOrderSet(ForGm[State]):
    """A GM has settled in which order the races will grow."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-1",)

    century: int
    races: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        state.growth_plans[state.info.id] = GrowthPlan(state.info.id, self.century, self.races)

    def sentence(self, state: State) -> str:
        names = ", ".join(state.races[r].name for r in self.races)
        return f"In century {self.century} the races will grow in this order: {names}."


class SetGrowthOrder(Enumerable[State]):
    """Say in which order the races grow in the next century; without a word it is drawn.

    Its legal entry is `partial` where more races live than a list shows: all of them must be named.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-1",)

    races: tuple[UUID, ...] = Field(min_length=1, max_length=200, json_schema_extra=IN_ORDER)
    """Every living race once, the first to grow first."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*BEFORE)
        living = [race.id for race in state.living()]
        if sorted(self.races) != living:
            missing = [state.races[r].name for r in living if r not in self.races]
            raise Refused(
                "order.incomplete",
                f"Name each of the {len(living)} living races once"
                + (f"; {', '.join(missing)} are missing." if missing else "."),
                rules=("G2-GROW-1",),
                missing=missing,
            )
        yield GrowthOrderSet(century=state.era.century + 1, races=self.races)
        for asked in order_questions(state):
            yield PromptAnswered(prompt=asked.id, owner=GM_READER, answer=self.model_dump_json())

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*BEFORE)
        living = [race.id for race in state.living()]
        if not living:
            raise Refused("race.missing", "No race lives.", rules=("G2-GROW-1",))
        races = ListOf(Choices.of(living), low=len(living), high=len(living))
        yield LegalCommand(cls.slug(), {"races": races}, partial=len(living) > SHOWN)


def order_questions(state: State) -> list[Prompt]:
    """The open question in which order the races grow."""
    return [prompt for prompt in state.prompts.values() if prompt.kind == Asked.ORDER]


def ask_order(state: State, ctx: Context) -> Iterator[Event]:
    """Ask the GMs, where they see previews, in which order the races grow in the next century.

    Its deadline is the third step of that century; an answer may be changed until then.
    """
    following = state.era.century + 1
    if not options_of(state).previews or following > CENTURIES or len(state.living()) < ORDERED:
        return
    yield from ask_row(state, ctx, Asked.ORDER, century=following)


def close_order_question(state: State, ctx: Context) -> Iterator[Event]:
    """Step 3 has come: nobody is asked for the order any more."""
    for asked in order_questions(state):
        yield from close_at_deadline(state, ctx, asked)


def planned_order(state: State) -> tuple[UUID, ...] | None:
    """The order that a GM has set for this century; None when there is none, or another set of races lives now."""
    plan = state.growth_plans.get(state.info.id)
    if plan is None or plan.century != state.era.century:
        return None
    return plan.races if sorted(plan.races) == [race.id for race in state.living()] else None
