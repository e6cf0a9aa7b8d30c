"""Casting history powers (G2-HIST-1 to 7): who may, on what, at what price; then all effects, and the entry.

Everything is checked before anything is paid: phase, number, power, cards, targets, protection, duplicates, price. A
refusal costs nothing and uses up no number. Who cast is visible to the casters and the GMs alone, unless signed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.wording import listing, quantity
from games.gods2.rules.cascade.aftermath import settle_races
from games.gods2.rules.casting.events import (
    DeedAuthored,
    EntrySigned,
    PowerAuthored,
    PowerCast,
    PowerGranted,
    on_targets,
)
from games.gods2.rules.effects import registry as effect_registry
from games.gods2.rules.effects.triggers import fire_trigger, run_with_triggers
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.history.naming import Made, ask_name, things_made_by
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.mana.rules import balance_of, shares_pool, spend_mana
from games.gods2.rules.pack.filters import has
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.setup.second_creation import castable
from games.gods2.rules.state.effect_records import Grant
from games.gods2.rules.state.gods import cards_in
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import God, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Target
from games.gods2.rules.workings.context import Working
from games.gods2.rules.workings.modifications import add_modification, at_once, check_duplicate, lasts
from games.gods2.rules.workings.pricing import Price, check_protection, price
from games.gods2.rules.workings.targets import aim_at, check_requires

Steps = Iterator[Event]


@dataclass(frozen=True, slots=True)
class Casting:
    """A casting that may be paid: nothing bars it but a purse."""

    power: Power
    primary: God
    targets: tuple[Target, ...]
    working: Working
    price: Price
    grant: Grant | None
    """Where it comes from without cards."""
    signed: bool


def power_of(state: State, key: str) -> Power:
    """A power of the pack that belongs to this century. Raises `power.missing`."""
    power = state.pack.powers.get(key)
    if power is None or not castable(state, power):
        era = "creation" if state.era.phase is Phase.CREATION else "history"
        raise Refused(
            "power.missing", f"The pack of this game has no {era} power {key}.", rules=("G2-HIST-1",), power=key
        )
    return power


def any_power_of(state: State, key: str) -> Power:
    """A power of the pack, of this century or of another. Raises `power.missing`."""
    power = state.pack.powers.get(key)
    if power is None:
        message = f"The pack of this game has no power {key}."
        raise Refused("power.missing", message, rules=("G2-HIST-1",), power=key)
    return power


def grant_of(state: State, god: God, power: Power) -> Grant | None:
    """A grant of this power to a god, the one with most uses first."""
    held = [g for g in state.grants.values() if g.seat == god.id and g.power == power.id]
    return max(held, key=lambda g: (g.uses, g.source.value), default=None)


def check_level(state: State, power: Power, casters: Sequence[God]) -> Grant | None:
    """Refuse casters who together hold too few cards (G2-HIST-2, G2-HIST-7); the grant that stands in for cards.

    Raises `power.level`, `power.missing` for a personal power that was not granted.
    """
    grant = grant_of(state, casters[0], power)
    if grant is not None:
        return grant
    if power.kind == "personal":
        raise Refused(
            "power.missing", f"{power.name} is a personal power; nobody has given it to you.", rules=("G2-HIST-4",)
        )
    held, sphere = sum(cards_in(state, g.id, power.sphere) for g in casters), state.pack.spheres[power.sphere].name
    if held < power.level:
        own = cards_in(state, casters[0].id, power.sphere)
        together = f"{listing(g.name for g in casters)} have too few; you hold {own}"
        holding = f"{casters[0].name} holds {own}" if len(casters) == 1 else together
        raise Refused(
            "power.level",
            # What partners hold is their secret: the numbers are those of the first caster alone.
            f"{power.name} needs {quantity(power.level, 'card')} of {sphere}; {holding}.",
            rules=("G2-HIST-7",),
            need=power.level,
            have=own,
        )
    return None


def rebate_of(state: State, casters: Sequence[God], power: Power, grant: Grant | None) -> int:
    """Percent that a god saves for cards above the power's level, by a setting (AMB-57).

    Nobody saves with others, by a grant, or out of the demons' pool: who reads the payment would learn of the cards.
    """
    if grant is not None or len(casters) > 1 or shares_pool(state, casters[0]):
        return 0
    surplus = cards_in(state, casters[0].id, power.sphere) - power.level
    return min(100, surplus * options_of(state).surplus_card_rebate)


def prepare_casting(
    state: State,
    casters: Sequence[God],
    key: str,
    targets: tuple[Target, ...],
    *,
    choice: str = "",
    signed: bool = False,
) -> Casting:
    """A casting as it could be paid now; the first caster is the primary one. Changes nothing.

    Raises `power.*`, `target.*`, `race.*`, `square.*`, `contact.missing` and what its effects bar.
    """
    primary, power = casters[0], power_of(state, key)
    grant = check_level(state, power, casters)
    aim = aim_at(state, power, targets)
    working = Working(
        cause=power.id,
        perform=effect_registry.perform,
        codes=power.codes,
        power=power.id,
        caster=primary.id,
        races=aim.races,
        squares=aim.squares,
        city=aim.city,
        direction=aim.direction,
        goal=aim.goal,
        earth=power.target == "earth",
        choice=choice or None,
    )
    check_requires(state, power, working)
    check_protection(state, power, working)
    if lasts(power):
        check_duplicate(state, working.race, power)
    effect_registry.check(state, working, at_once(power))
    asked = price(state, power, working, rebate_of(state, casters, power, grant))
    return Casting(power, primary, targets, working, asked, grant, signed)


def check_purses(state: State, power: Power, parts: Sequence[PartOf]) -> None:
    """Refuse (`mana.short`) a price that is not there: what demons are to pay together comes out of their pool."""
    common = 0
    for god, amount in ((state.gods[part.seat], part.amount) for part in parts):
        common += amount if shares_pool(state, god) else 0
        check_purse(state, god, common if shares_pool(state, god) else amount, power)


def check_purse(state: State, god: God, amount: int, power: Power) -> None:
    """Refuse (`mana.short`) when a god, or the demons' pool for a demon, has less than is to be paid."""
    have = balance_of(state, god)
    if have < amount:
        whose = "the demons' pool" if shares_pool(state, god) else god.name
        raise Refused(
            "mana.short",
            f"{power.name} costs {amount} mana; {whose} has {have}.",
            rules=("G2-HIST-3",),
            need=amount,
            have=have,
        )


def carry_out_casting(
    state: State, ctx: Context, casting: Casting, parts: Sequence[PartOf], identity: UUID | None = None
) -> Steps:
    """Pay for a casting and let it work: its effects all at once, then what follows, then its entry in the history.

    At last its caster is asked how to name what it has made.
    """
    made: list[Made] = []
    for event in _works(state, ctx, casting, parts, identity or ctx.mint(PUBLIC)):
        yield event
        made += things_made_by(event)
    for each in made:
        yield from ask_name(state, ctx, casting.primary.id, each)


def _works(state: State, ctx: Context, casting: Casting, parts: Sequence[PartOf], identity: UUID) -> Steps:
    power = casting.power
    working = replace(casting.working, casting=identity, parts=tuple(parts))
    for race in working.races[:1]:
        yield from run_with_triggers(state, ctx, fire_trigger(state, ctx, race, "power_priced", about=power.codes))
    yield PowerCast(casting=identity, power=power.id, targets=casting.targets, price=casting.price.listed)
    yield PowerAuthored(casting=identity, primary=casting.primary.id, seats=tuple(p.seat for p in parts))
    for part in parts:
        yield from spend_mana(state, part.seat, identity, part.amount)
    if casting.grant is not None:
        grant = casting.grant
        yield PowerGranted(seat=grant.seat, power=power.id, source=grant.source, uses=grant.uses - 1)
    if lasts(power):
        yield from add_modification(state, ctx, working.race, power, identity)
    if not has(power.codes, "Mc"):
        yield from run_with_triggers(state, ctx, effect_registry.perform(state, ctx, working, at_once(power)))
    yield from settle_races(state, ctx, power.id)
    text = f"{power.name}{on_targets(state, casting.targets)}."
    entry = enter_history(
        state, ctx, kind="power", cause=power.id, words=text, squares=working.squares, casting=identity
    )
    yield from enter_deed(entry, casting.primary.id, signed=casting.signed)


def enter_deed(entries: Iterator[HistoryEntered], seat: UUID | None, *, signed: bool = False) -> Steps:
    """Enter something in the history; who caused it is visible to them and the GMs; to everybody, if signed."""
    for entry in entries:
        yield entry
        if seat is not None:
            yield DeedAuthored(entry=entry.entry, seat=seat)
        if seat is not None and signed:
            yield EntrySigned(entry=entry.entry, seat=seat)
