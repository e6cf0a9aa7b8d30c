"""The GM's order of growth (G2-GROW-1, AMB-4)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM_READER
from games.engine.errors import Refused
from games.engine.insight.domains import SHOWN, Choices, ListOf
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.model import IN_ORDER
from games.engine.prompts.prompt import PromptAnswered
from games.gods2.rules.growth.events import GrowthOrderSet
from games.gods2.rules.growth.order import BEFORE, order_questions
from games.gods2.rules.state.state import State


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
