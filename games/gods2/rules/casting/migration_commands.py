"""The short form of `cast-power` for migrations (G2-GROW-11): a race that worships you is sent on its way."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.insight.domains import Choices, Domain, Flag
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.model import IN_ORDER
from games.gods2.rules.casting.commands import CastPower, at_the_window
from games.gods2.rules.casting.joint import Split
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.effects.migration import COMPASS
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Direction, PartOf, Place, Target

Steps = Iterator[Event]

POWER = "order_migration"


class OrderMigration(Forecastable[State]):
    """Order a race that worships you to migrate at its next growth: by a compass direction, or to a square.

    The short form of `cast-power` with `order_migration`.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-11", "G2-HIST-1")

    race: UUID
    """The race; you are a member of its pantheon."""
    direction: Direction | None = None
    """Where it goes, by compass."""
    square: Place | None = None
    """Where it goes; instead of a direction."""
    parts: tuple[PartOf, ...] = Field(default=(), max_length=20, json_schema_extra=IN_ORDER)
    """Who casts with you and pays how much, you first; alone when empty."""
    split: Split = "equal"
    """How a common price is divided."""
    signed: bool = False
    """Whether the public entry of the history names you."""

    def decide(self, state: State, ctx: Context) -> Steps:
        yield from self.whole.decide(state, ctx)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        return self.whole.forecast(state, ctx, actor)

    @property
    def whole(self) -> CastPower:
        """The casting of which this is the short form."""
        target = Target(race=self.race, direction=self.direction, squares=(self.square,) if self.square else ())
        return CastPower(power=POWER, targets=(target,), parts=self.parts, split=self.split, signed=self.signed)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god, _ = at_the_window(state, actor)
        state.require(Phase.OPEN)
        for dish in menu(state, god, (POWER,)):
            races = Choices.of(UUID(target["race"]) for (target,) in dish.targets.values)
            arguments: dict[str, Domain] = {"race": races, "direction": Choices.of(COMPASS), "signed": Flag()}
            if not races.values:
                yield LegalCommand(cls.slug(), price=dish.price, barred=dish.barred)
                continue
            yield LegalCommand(cls.slug(), arguments, price=dish.price, barred=dish.barred, required=("direction",))
