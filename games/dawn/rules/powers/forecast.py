"""What a power would do, shown before it is used: its price step by step, whom it asks, who pays, what it changes.

Worked out on a copy, from what lies open. Powers throw no dice. What those answer who would be asked is not guessed,
and what anybody has said in advance is not looked at. A war that a power begins has odds: `war.forecast`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any
from uuid import UUID

from games.dawn.rules.powers.frame import Cast, PowerRules, require_unmarked
from games.dawn.rules.powers.questions import Consent, PowerQuestion
from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.records import Mark, Power
from games.dawn.rules.state.schema_types import Place, Step, Tier
from games.dawn.rules.state.state import State
from games.engine.board.board import Square
from games.engine.economy import purses
from games.engine.errors import Refused
from games.engine.insight.forecast import Forecast, ForecastOutcome, Odd
from games.engine.kernel import Actor, Context, Event, apply_events
from games.engine.state import Rows

ASKED = "What they answer who would be asked is theirs to say."
CHALLENGES = "Any other god may challenge it before it takes effect."
SUBJECTS = ("target", "city", "avatar", "army", "order", "holder")
"""Fields of events that say whom they are about, where it is no race."""


def forecast_power(state: State, ctx: Context, actor: Actor, command: PowerRules) -> Forecast:
    """What a power would do. Raises what its `check` raises, and `phase.closed` outside of turns."""
    return forecast_with_state(state, ctx, actor, command)[0]


def forecast_with_state(state: State, ctx: Context, actor: Actor, command: PowerRules) -> tuple[Forecast, State]:
    """What a power would do, and the copy on which it has been done. Raises what `forecast_power` raises."""
    state.require(Step.TURN)
    cast = Cast(state.acting(actor).id)
    command.check(state, cast)
    price, own = command.price_sum(state, cast), command.own_share(state, cast)
    power = Power(
        cast.caster, command.slug(), command.model_dump_json(), command.row(state), cast.caster, int(price.value)
    )
    before = [asked for asked in command.questions(state, power) if asked.asked]
    twin = state.twin()
    happened = apply_events(twin, command.effect(twin, ctx, power), ctx)
    after = [asked for asked in command.afterwards(twin, replace(power, worked=True)) if state.present(asked.asked)]
    prospects = [prospect for asked in before for prospect in _asking(asked, cast.caster, own)]
    prospects += [_outcome_of(state, h.event) for h in happened]
    prospects += [prospect for asked in after for prospect in _asking(asked, cast.caster, own)]
    hidden = (ASKED,) if before else ()
    return Forecast(
        price=int(price.value),
        steps=tuple(price.steps),
        exact=True,
        cases=1,
        prospects=tuple(prospects),
        hidden=(*hidden, CHALLENGES) if state.course.open_challenge else hidden,
        barred=unaffordable(state, actor, own, command.mark(state)),
    ), twin


def unaffordable(state: State, actor: Actor, price: int, mark: Mark | None = None) -> Refused | None:
    """What a god lacks now to use a power: the turn, a target that it has not hit in this turn, points."""
    try:
        god = state.active(actor)
        require_unmarked(state, mark)
        purses.require(state.purses, god.id, price, "This", rules=PAID)
    except Refused as why:
        return why
    return None


def certain(
    what: str, key: str, squares: Iterable[Place] = (), *, amount: int, race: UUID | None = None
) -> ForecastOutcome:
    """Something that will be so."""
    places = tuple(sorted(Square(place.y, place.x) for place in squares))
    return ForecastOutcome(what, race, key, (Odd(amount, Fraction(1)),), places)


def _asking(asked: PowerQuestion, caster: UUID, own: int) -> Iterator[ForecastOutcome]:
    """Who would be asked, named as the question is (`leave`, `consent`, `object`), and who would pay which share."""
    for seat in asked.asked:
        yield certain(asked.kind.removeprefix("ask."), str(seat), amount=1)
    if isinstance(asked, Consent) and asked.shares:
        yield certain("share", str(caster), amount=own)
        for share in asked.shares:
            yield certain("share", str(share.seat), amount=share.amount)


def _outcome_of(state: State, event: Event) -> ForecastOutcome:
    """An event that would happen, under its name in snake case. Ids that it would mint are left out."""
    fields: dict[str, Any] = {name: getattr(event, name) for name in type(event).model_fields}
    race = fields.get("race")
    return certain(
        re.sub(r"\B(?=[A-Z])", "_", type(event).__name__).lower(),
        _key(state, fields),
        _squares(fields.values()),
        amount=_amount(fields),
        race=race if race in state.races else None,
    )


def _key(state: State, fields: dict[str, Any]) -> str:
    """Whom an event is about: a row that is there already, or the tier that a race comes to; "" else."""
    tables: Sequence[Rows[UUID, Any]] = (state.races, state.cities, state.avatars, state.armies, state.orders)
    named = (fields[name] for name in SUBJECTS if name in fields)
    known = (str(each) for each in named if any(each in rows for rows in tables))
    return next(known, str(fields["tier"]) if isinstance(fields.get("tier"), Tier) else "")


def _amount(fields: dict[str, Any]) -> int:
    """How much: steps on a scale, armies, edges to be inherited; else 1."""
    match fields:
        case {"before": int() as before, "after": int() as after}:
            return after - before
        case {"armies": tuple() as armies}:
            return len(armies)
        case {"edge_number": int() as number}:
            return number
    return 1


def _squares(values: Iterable[Any]) -> Iterator[Place]:
    """The squares that an event names."""
    for value in values:
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Place):
                yield each
