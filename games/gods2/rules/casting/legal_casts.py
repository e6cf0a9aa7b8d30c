"""What a god can cast now, on what, at what price, and why not (the legal commands of `cast-power`).

A power that no target fits, or for which cards or mana are missing, is listed with the reason. Targets are ready to be
sent: for a power aimed at races, squares or cities each value is one list of targets.

Squares are not tried one by one: those that no rule distinguishes for a power (`square_classes`) are one kind, and one
of them answers for all. So a menu costs a few passes over the map and one trial for each kind. It is read on a state
that stands still, where what stands on the map is looked up once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from uuid import UUID

import numpy as np

from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.insight.breakdown import Step, Sum
from games.engine.insight.domains import SHOWN, Choices
from games.gods2.rules.casting.rules import check_level, check_purse, prepare_casting
from games.gods2.rules.casting.square_classes import kinds
from games.gods2.rules.geometry.conditions import squares_where
from games.gods2.rules.geometry.sources import describe_source
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.mana.rules import balance_of
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.setup.second_creation import castable
from games.gods2.rules.state.gods import cards_in
from games.gods2.rules.state.records import God
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.workings.pricing import PERSONAL_FLOOR, Price

Targets = tuple[Target, ...]


NOTHING = Choices(())


@dataclass(frozen=True, slots=True)
class Dish:
    """A power on the menu: for one price the targets it fits; or why it is barred."""

    power: Power
    targets: Choices = NOTHING
    price: int | None = None
    barred: Refused | None = None
    steps: tuple[Step, ...] = ()
    """How the price came about."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the god has and the power asks for: cards, mana, level."""


@dataclass(slots=True)
class Serving:
    """The targets that cost the same."""

    price: Price
    targets: list[Any]
    count: int = 0

    def domain(self) -> Choices:
        """The first 200 of them."""
        return Choices(values=tuple(self.targets[:SHOWN]), more=max(0, self.count - SHOWN))


@dataclass(slots=True)
class Kitchen:
    """What one menu looks up once: contacts of races, and the kinds of squares by what powers ask of them."""

    state: State
    contacts: dict[UUID, list[UUID]] = field(default_factory=dict)

    def contacts_of(self, race: UUID) -> list[UUID]:
        """The races in contact with a race."""
        if race not in self.contacts:
            self.contacts[race] = contacts(self.state, race)
        return self.contacts[race]


def menu(state: State, god: God, only: Iterable[str] | None = None, *, skip: int = 0) -> Iterator[Dish]:
    """Every power of the pack that belongs to this century for a god, by sphere and level.

    only: these powers alone. skip: so many targets of each price are left out, to page through what `more` counts.
    """
    wanted = set(state.pack.powers if only is None else only)
    powers = [p for p in state.pack.powers.values() if p.id in wanted and castable(state, p)]
    kitchen = Kitchen(state)
    for power in sorted(powers, key=lambda p: (p.sphere, p.level, p.id)):
        facts = _facts(state, god, power)
        try:
            check_level(state, power, (god,))
        except Refused as why:
            yield Dish(power, barred=why, facts=facts)
            continue
        yield from _dishes(kitchen, god, power, facts, skip)


def _facts(state: State, god: God, power: Power) -> dict[str, Any]:
    return {
        "sphere": power.sphere,
        "level": power.level,
        "cards": cards_in(state, god.id, power.sphere),
        "mana": balance_of(state, god),
        "target": power.target,
        "codes": list(power.codes),
    }


def _dishes(kitchen: Kitchen, god: God, power: Power, facts: dict[str, Any], skip: int) -> Iterator[Dish]:
    """A power's dishes, one for each price, the cheapest first; one with the reason when no target fits."""
    on_squares = power.target.partition(":")[0] in ("square", "squares", "connected")
    found, barred = (_on_squares if on_squares else _on_things)(kitchen, god, power, skip)
    for amount, serving in sorted(found.items()):
        barred, steps = _too_dear(kitchen.state, god, amount, power), steps_of(kitchen.state, power, serving.price)
        yield Dish(power, serving.domain(), amount, barred, steps, facts)
    if not found:
        nobody = Refused("target.unfit", f"Nothing on Earth fits {power.name} now.", rules=("G2-HIST-1",))
        yield Dish(power, barred=barred or nobody, facts=facts)


def _on_things(kitchen: Kitchen, god: God, power: Power, skip: int) -> tuple[dict[int, Serving], Refused | None]:
    """The targets of a power that is aimed at no square, by price; and what bars the first that does not fit."""
    found: dict[int, Serving] = {}
    barred: Refused | None = None
    for targets in candidates(kitchen, power):
        price = _price(kitchen.state, god, power, targets)
        if isinstance(price, Refused):
            barred = barred or price
            continue
        serving = found.setdefault(price.amount, Serving(price, [], -skip))
        serving.count += 1
        if serving.count > 0:
            serving.targets.append(_targets_as_json(targets))
    return found, barred


def _on_squares(kitchen: Kitchen, god: God, power: Power, skip: int) -> tuple[dict[int, Serving], Refused | None]:
    """As `_on_things` for squares: one of each kind is tried."""
    state = kitchen.state
    where = squares_where(state, power.requires)
    places = np.flatnonzero(where)
    if not len(places):
        return {}, None
    labels = kinds(state, power, where)
    _, firsts, back = np.unique(labels, return_index=True, return_inverse=True)
    prices = [_price(state, god, power, (_at(state, int(places[first])),)) for first in firsts.tolist()]
    barred = [
        (first, price) for first, price in zip(firsts.tolist(), prices, strict=True) if isinstance(price, Refused)
    ]
    found: dict[int, Serving] = {}
    for amount in sorted({price.amount for price in prices if not isinstance(price, Refused)}):
        alike = [not isinstance(price, Refused) and price.amount == amount for price in prices]
        fitting = places[np.array(alike)[back]]
        shown = fitting[skip : skip + SHOWN]
        price = next(p for p, is_it in zip(prices, alike, strict=True) if is_it)
        assert not isinstance(price, Refused)
        targets = [_square_as_json(state, place) for place in shown.tolist()]
        found[amount] = Serving(price, targets, len(fitting) - skip)
    return found, min(barred, key=lambda b: b[0])[1] if barred else None


def _at(state: State, place: int) -> Target:
    row, column = divmod(place, state.board.width)
    return Target(squares=(Place.of(Square(row, column)),))


def _price(state: State, god: God, power: Power, targets: Targets) -> Price | Refused:
    """The price of a power on these targets, or what bars it there."""
    try:
        return prepare_casting(state, (god,), power.id, targets).price
    except Refused as why:
        return why


def _targets_as_json(targets: Targets) -> list[Any]:
    return [t.model_dump(mode="json", exclude_defaults=True) for t in targets]


def _square_as_json(state: State, place: int) -> list[Any]:
    """What `_targets_as_json` makes of the square: a menu shows thousands of them."""
    row, column = divmod(place, state.board.width)
    return [{"squares": [{"x": column, "y": row}]}]


def _too_dear(state: State, god: God, amount: int, power: Power) -> Refused | None:
    try:
        check_purse(state, god, amount, power)
    except Refused as why:
        return why
    return None


def steps_of(state: State, power: Power, price: Price) -> tuple[Step, ...]:
    """How a price came about: base, each factor once, rebate, the quarter of a personal power, one rounding up."""
    total = Sum()
    total.step("base", power.id, power.name, "G2-HIST-6", "add", price.base)
    for factor in price.factors:
        total.step(*describe_source(state, factor.source), "G2-FILT-2", "multiply", Fraction(factor.percent, 100))
    if price.rebate:
        percent = Fraction(100 - price.rebate, 100)
        total.step("cards", power.sphere, "Cards above the level", "G2-AMB-57", "multiply", percent)
    if power.kind == "personal" and total.value < price.base * PERSONAL_FLOOR:
        missing = price.base * PERSONAL_FLOOR - total.value
        total.step("rule", "quarter", "A quarter of the base at least", "G2-HIST-5", "bound", missing)
    if total.value != price.amount:
        total.step("rule", "rounded", "Rounded up", "G2-HIST-6", "round_up", price.amount - total.value)
    return tuple(total.steps)


def candidates(kitchen: Kitchen, power: Power) -> Iterator[Targets]:
    """What a power could be aimed at: races by id, pairs of races in contact, cities by id, or the whole Earth."""
    state = kitchen.state
    races: Sequence[UUID] = [race.id for race in state.living()]
    match power.target:
        case "earth":
            yield ()
        case "race+contact":
            yield from ((Target(race=one), Target(race=other)) for one in races for other in kitchen.contacts_of(one))
        case "city":
            yield from ((Target(city=city),) for city in sorted(state.cities))
        case _ if any(getattr(e, "op", "") == "migrate" for e in power.effects):
            yield from ((Target(race=race, direction="n"),) for race in races)
        case _:
            yield from ((Target(race=race),) for race in races)
