"""The short form of `cast-power` for wars (G2-WAR-1): a race that worships you declares war."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Flag, mentions
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter
from games.engine.kernel import Actor, Context, Event
from games.engine.model import IN_ORDER
from games.gods2.rules.casting.commands import at_the_window, cast_or_ask
from games.gods2.rules.casting.events import Wish
from games.gods2.rules.casting.forecast import forecast_casting, with_cards
from games.gods2.rules.casting.joint import Split, check_combinable, partners
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.casting.rules import Casting, prepare_casting
from games.gods2.rules.state.gods import caster
from games.gods2.rules.state.records import God, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Target
from games.gods2.rules.war.forecast import forecast_of, forecast_sentence

Steps = Iterator[Event]


class DeclareWar(Forecastable[State]):
    """Let a race that worships you declare war on one it is in contact with; the war is fought five minutes later.

    The short form of `cast-power` with `declare_war` or `order_war`.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1", "G2-HIST-1")

    power: Literal["declare_war", "order_war"] | None = None
    """`declare_war` (two War cards) or `order_war`; the cheapest you can cast when absent."""
    attacker: UUID
    """The race that goes to war; you are a member of its pantheon."""
    defender: UUID
    """A race in contact with it."""
    parts: tuple[PartOf, ...] = Field(default=(), max_length=20, json_schema_extra=IN_ORDER)
    """Who casts with you and pays how much, you first; alone when empty."""
    split: Split = "equal"
    """How a common price is divided."""
    signed: bool = False
    """Whether the public entry of the history names you."""

    def decide(self, state: State, ctx: Context) -> Steps:
        god, number = at_the_window(state, ctx.actor)
        state.require(Phase.OPEN)
        casters = partners(state, god, self.parts)
        targets = (Target(race=self.attacker), Target(race=self.defender))
        casting = cheapest(state, casters, self.power, targets, signed=self.signed)
        wish = Wish(power=casting.power.id, targets=targets, signed=self.signed)
        yield from cast_or_ask(state, ctx, number, wish, casting, self.parts, self.split)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        god = caster(state, actor)
        state.require(Phase.OPEN)
        casters = partners(state, god, self.parts)
        able = state
        for power in POWERS if len(casters) > 1 else ():
            able = with_cards(able, casters, power)
        targets = (Target(race=self.attacker), Target(race=self.defender))
        casting = cheapest(able, casters, self.power, targets, signed=self.signed)
        wish = Wish(power=casting.power.id, targets=targets, signed=self.signed)
        return forecast_casting(state, ctx, god, wish, self.parts, self.split)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        yield from cls._wars(state, actor, foreseen=True)

    @classmethod
    def matching_legal_commands(cls, state: State, actor: Actor, narrow: LegalCommandFilter) -> Iterator[LegalCommand]:
        for legal in cls._wars(state, actor, foreseen=not narrow.legal):
            if not narrow.about or any(mentions(domain, narrow.about) for domain in legal.arguments.values()):
                yield legal

    @classmethod
    def _wars(cls, state: State, actor: Actor, *, foreseen: bool) -> Iterator[LegalCommand]:
        """War by war what may be declared. foreseen: each with what it would do, in words."""
        god, _ = at_the_window(state, actor)
        state.require(Phase.OPEN)
        dishes = sorted(menu(state, god, POWERS), key=lambda dish: (dish.price is None, dish.price or 0))
        sentences: dict[tuple[str, str], str] = {}
        for dish in dishes:
            arguments: dict[str, Domain] = {"power": Choices.with_titles({dish.power.id: dish.power.name})}
            if not dish.targets.values:
                yield LegalCommand(cls.slug(), arguments, barred=dish.barred)
            for one, other in dish.targets.values:
                sides = {"attacker": Choices.of((UUID(one["race"]),)), "defender": Choices.of((UUID(other["race"]),))}
                pair = (one["race"], other["race"])
                if pair not in sentences and foreseen:
                    sentences[pair] = forecast_sentence(state, forecast_of(state, UUID(pair[0]), UUID(pair[1])))
                yield LegalCommand(
                    cls.slug(),
                    arguments | sides | {"signed": Flag()},
                    price=dish.price,
                    barred=dish.barred,
                    note=sentences.get(pair, ""),
                    required=("power",),
                )


POWERS = ("declare_war", "order_war")


def cheapest(
    state: State, casters: Sequence[God], wanted: str | None, targets: tuple[Target, ...], *, signed: bool
) -> Casting:
    """The casting of the wanted power, else of the cheapest of the war powers that these gods can cast.

    Raises what `prepare_casting` and `check_combinable` raise; without a wanted power the reason against the cheapest
    one.
    """
    able: list[Casting] = []
    barred: Refused | None = None
    known = [state.pack.powers[key] for key in POWERS if key in state.pack.powers and wanted in (None, key)]
    for power in sorted(known, key=lambda p: (str(p.cost), p.id)):
        try:
            check_combinable(state, power, casters)
            able.append(prepare_casting(state, casters, power.id, targets, signed=signed))
        except Refused as why:
            barred = barred or why
    if not able:
        raise barred or Refused(
            "power.missing", "The pack of this game has no such power to declare a war.", rules=("G2-HIST-1",)
        )
    return min(able, key=lambda c: (c.price.amount, c.power.id))
