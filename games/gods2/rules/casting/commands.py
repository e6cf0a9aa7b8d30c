"""The commands of the Window: cast a power, and its short form for wars (section 12.1 of the rulebook)."""

from collections.abc import Iterator, Sequence
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.breakdown import Step
from games.engine.insight.domains import SHOWN, Choices, Domain, Fields, Flag, ListOf
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import EVERYTHING, LegalCommand, LegalCommandFilter
from games.engine.kernel import Actor, Context, Event
from games.engine.model import IN_ORDER
from games.engine.wording import quantity
from games.gods2.rules.casting.completion import carry_out_called
from games.gods2.rules.casting.events import Wish
from games.gods2.rules.casting.forecast import forecast_casting
from games.gods2.rules.casting.joint import Split, check_combinable, common, partners, payer_shares, propose_casting
from games.gods2.rules.casting.legal_casts import Dish, menu
from games.gods2.rules.casting.rules import Casting, check_purses, power_of
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.gods import caster
from games.gods2.rules.state.records import ACTIVE, God, GodStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Target
from games.gods2.rules.window.events import NumberCalled
from games.gods2.rules.window.prompts import check_unasked
from games.gods2.rules.window.queue import draw_number, due_of_call, number_of

Steps = Iterator[Event]


def at_the_window(state: State, actor: Actor) -> tuple[God, int | None]:
    """The caster and their called number; none when nobody is called and nobody waits.

    Raises `number.not_called`, `prompt.open`.
    """
    god = caster(state, actor)
    own = number_of(state, god.id)
    if own is not None and own == state.era.called:
        check_unasked(state)
        return god, own
    if state.numbers:
        waiting = len(state.numbers)
        message = f"The queue at the Window has {quantity(waiting, 'number')}; draw yours and wait until it is called."
        raise Refused("number.not_called", message, rules=("G2-QUEUE-1",), waiting=waiting)
    check_unasked(state)
    return god, None


def cast_or_ask(
    state: State, ctx: Context, number: int | None, wish: Wish, casting: Casting, parts: Sequence[PartOf], split: Split
) -> Steps:
    """Cast alone, or ask the partners; without a number one is drawn, as nobody waits."""
    shared = payer_shares(
        casting.price.amount, parts or (PartOf(seat=casting.primary.id),), split if parts else "equal"
    )
    if len(shared) > 1:
        yield from propose_casting(state, ctx, wish, casting, shared)
        return
    check_purses(state, casting.power, shared)
    if number is None:
        number = state.era.next_number
        yield from draw_number(state, casting.primary.id)
        yield NumberCalled(number=number, due=due_of_call(state, ctx))
    yield from carry_out_called(state, ctx, casting, shared)


class CastPower(Forecastable[State]):
    """Cast a history power at the Window: everything is checked first, then it is paid and works at once.

    Without a number one is drawn and served at once when nobody waits. The caster is not named.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-HIST-1", "G2-HIST-3", "G2-QUEUE-2")

    power: str = Field(min_length=1, max_length=60)
    """The power's key in the pack."""
    targets: tuple[Target, ...] = Field(default=(), max_length=2, json_schema_extra=IN_ORDER)
    """What it is aimed at, as its target says; none for the whole Earth."""
    parts: tuple[PartOf, ...] = Field(default=(), max_length=20, json_schema_extra=IN_ORDER)
    """Who casts with you and pays how much, you first; alone when empty."""
    split: Split = "equal"
    """How a common price is divided: equally, the rest to you, or as the parts say."""
    choice: str = Field(default="", max_length=200)
    """What you choose where the power leaves a choice."""
    signed: bool = False
    """Whether the public entry of the history names you."""

    def decide(self, state: State, ctx: Context) -> Steps:
        god, number = at_the_window(state, ctx.actor)
        state.require(*ACTIVE)
        casters = partners(state, god, self.parts)
        check_combinable(state, power_of(state, self.power), casters)
        wish = Wish(power=self.power, targets=self.targets, choice=self.choice, signed=self.signed)
        yield from cast_or_ask(state, ctx, number, wish, common(state, casters, wish), self.parts, self.split)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        god = caster(state, actor)
        state.require(*ACTIVE)
        wish = Wish(power=self.power, targets=self.targets, choice=self.choice, signed=self.signed)
        return forecast_casting(state, ctx, god, wish, self.parts, self.split)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        yield from cls.matching_legal_commands(state, actor, EVERYTHING)

    @classmethod
    def matching_legal_commands(cls, state: State, actor: Actor, narrow: LegalCommandFilter) -> Iterator[LegalCommand]:
        god, _ = at_the_window(state, actor)
        state.require(*ACTIVE)
        partners = tuple(other.id for other in present(state) if other.id != god.id)
        own = {grant.power for grant in state.grants.values() if grant.source is not GrantSource.ARTIFACT}
        for dish in menu(state, god, (narrow.about,) if narrow.about else None, skip=narrow.page * SHOWN):
            key = dish.power.id
            arguments: dict[str, Domain] = {
                "power": Choices.with_titles({key: dish.power.name}),
                "targets": dish.targets,
            }
            if not dish.targets.values:
                del arguments["targets"]
            if dish.power.kind != "personal" and key not in own:
                arguments |= sharing(god, partners)
            arguments["signed"] = Flag()
            yield LegalCommand(
                cls.slug(),
                arguments,
                price=dish.price,
                barred=dish.barred,
                note="" if narrow.legal else price_note(dish),
                steps=dish.steps,
                facts=dish.facts,
                required=("targets",) if dish.targets.values else (),
            )


def sharing(god: God, partners: Sequence[UUID]) -> dict[str, Domain]:
    """Whom a god may cast with, themselves first: in equal parts, which need no amounts (G2-HIST-3)."""
    others = partners[: MOST_CASTERS - 1]
    if not others:
        return {}
    first = Fields({"seat": Choices((god.id,))})
    more = Fields({"seat": Choices.of(others)})
    return {"parts": ListOf(more, low=2, high=1 + len(others), first=(first,)), "split": Choices(("equal",))}


MOST_CASTERS = 20


def present(state: State) -> list[God]:
    """The gods who could cast now, by id (G2-HIST-2); who is away is known to them and the GMs alone."""
    alive = (god for god in state.gods.values() if god.status is GodStatus.ALIVE and god.id not in state.absences)
    return sorted(alive, key=lambda god: god.id)


def price_note(dish: Dish) -> str:
    """How a price came about, in words; empty when it is the base."""
    if len(dish.steps) < 2:
        return ""
    base, *rest = dish.steps
    return f"{base.value} mana, {', '.join(f'{s.name} {step_in_words(s)}' for s in rest)}: {dish.price}"


def step_in_words(step: Step) -> str:
    """What a step does, in words."""
    return f"x{float(step.amount * 100):g}%" if step.does == "multiply" else f"+{float(step.amount):g}"
