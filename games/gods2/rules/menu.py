"""What a god can cast now, on what, at what price, and why not (the offers of `cast-power`).

A power that no target fits, or for which cards or mana are missing, is listed with the reason. Targets are ready to be
sent: for a power aimed at races, squares or cities each value is one list of targets.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from games.engine.board import Square
from games.engine.errors import Refused
from games.engine.grid import squares_in
from games.engine.offers import Domain
from games.gods2.rules.casting import check_level, check_purse, prepared
from games.gods2.rules.conditions import squares_where
from games.gods2.rules.creation import castable
from games.gods2.rules.fields import Place
from games.gods2.rules.pack import Power
from games.gods2.rules.pricing import Price
from games.gods2.rules.ranges import contacts
from games.gods2.rules.records import God
from games.gods2.rules.state import State
from games.gods2.rules.targets import Target

TRIED = 400  # candidate targets that are tried for one power


@dataclass(frozen=True, slots=True)
class Dish:
    """A power on the menu: for one price the targets it fits; or why it is barred."""

    power: Power
    targets: Domain = field(default_factory=Domain)
    price: int | None = None
    barred: Refused | None = None
    note: str = ""


def menu(state: State, god: God, only: Iterable[str] | None = None) -> Iterator[Dish]:
    """Every power of the pack that belongs to this century for a god, by sphere and level."""
    wanted = set(state.pack.powers if only is None else only)
    powers = [p for p in state.pack.powers.values() if p.id in wanted and castable(state, p)]
    for power in sorted(powers, key=lambda p: (p.sphere, p.level, p.id)):
        try:
            check_level(state, power, (god,))
        except Refused as why:
            yield Dish(power, barred=why)
            continue
        yield from _dishes(state, god, power)


def _dishes(state: State, god: God, power: Power) -> Iterator[Dish]:
    """A power's dishes, one for each price, the cheapest first; one with the reason when no target fits."""
    found: dict[int, list[Any]] = {}
    prices: dict[int, Price] = {}
    barred: Refused | None = None
    for targets in candidates(state, god, power):
        try:
            casting = prepared(state, (god,), power.id, targets)
        except Refused as why:
            barred = barred or why
            continue
        amount = casting.price.amount
        found.setdefault(amount, []).append([t.model_dump(mode="json", exclude_defaults=True) for t in targets])
        prices[amount] = casting.price
    for amount, fitting in sorted(found.items()):
        yield Dish(power, Domain.of(fitting), amount, _too_dear(state, god, amount, power), breakdown(prices[amount]))
    if not found:
        nobody = Refused("target.unfit", f"Nothing on Earth fits {power.name} now.", rules=("G2-HIST-1",))
        yield Dish(power, barred=barred or nobody)


def breakdown(price: Price) -> str:
    """How a price came about, in words; empty when it is the base."""
    factors = [f"{factor.source} x{factor.percent}%" for factor in price.factors]
    return f"{price.base} mana, {', '.join(factors)}: {price.amount}" if factors else ""


def _too_dear(state: State, god: God, amount: int, power: Power) -> Refused | None:
    try:
        check_purse(state, god, amount, power)
    except Refused as why:
        return why
    return None


def candidates(state: State, god: God, power: Power) -> Iterator[tuple[Target, ...]]:
    """What a power could be aimed at: races by id, squares by row and column, cities by id."""
    kind, _, _ = power.target.partition(":")
    races = [race.id for race in state.living()]
    if kind == "earth":
        yield ()
    elif kind == "race" and any(getattr(e, "op", "") == "migrate" for e in power.effects):
        yield from ((Target(race=race, direction="n"),) for race in races)
    elif kind == "race":
        yield from ((Target(race=race),) for race in races)
    elif kind == "race+contact":
        yield from ((Target(race=one), Target(race=other)) for one in races for other in contacts(state, one))
    elif kind == "city":
        yield from ((Target(city=city),) for city in sorted(state.cities))
    else:
        yield from ((Target(squares=(Place.of(square),)),) for square in _squares(state, power)[:TRIED])


def _squares(state: State, power: Power) -> list[Square]:
    """The squares on which the power's conditions about squares hold."""
    return squares_in(squares_where(state, power.requires))
