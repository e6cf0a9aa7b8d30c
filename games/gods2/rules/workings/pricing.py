"""What a casting costs (G2-HIST-5, 6; G2-CITY-11; G2-FILT-2): the base of the pack, factors, and one rounding up.

A factor counts once a casting, whatever number of squares or cities carry it. Prices are whole mana, never below 0;
factors are whole percent. A personal power never costs less than a quarter of its base.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TypeVar
from uuid import UUID

from games.engine.board.grid import Mask, mask_of, touching
from games.engine.errors import Refused
from games.gods2.rules.geometry.adjacency import corners, features_at
from games.gods2.rules.geometry.carried_effects import carried_effects
from games.gods2.rules.geometry.stats import works_for
from games.gods2.rules.pack.filters import awaits, fits
from games.gods2.rules.pack.formulas import formula
from games.gods2.rules.pack.operations import CostMult, Protect
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.effect_records import ModStatus
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import WHOLE
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.active_triggers import ready
from games.gods2.rules.workings.context import Working
from games.gods2.rules.workings.modifications import of_race

Op = TypeVar("Op", bound=Operation)
PERSONAL_FLOOR = Fraction(1, 4)  # G2-HIST-5
GREAT_CITY = "great_city"
CITY_FEATURES = ("city", GREAT_CITY)


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor on a price. source: `feature:great_city`, `knowledge:astronomy`, `modification:inspired_scholar`."""

    source: str
    percent: int


@dataclass(frozen=True, slots=True)
class Price:
    """A price and how it came about."""

    amount: int
    """What is paid."""
    base: int
    factors: tuple[Factor, ...]
    listed: int
    """What everybody sees: without the rebate, and as if the caster held nothing of the people."""
    rebate: int
    """Percent off for cards above the power's level, a secret of the caster (AMB-57)."""


def price(state: State, power: Power, working: Working, rebate: int = 0) -> Price:
    """The price of a casting, every target known: what stands, and what fires for it (G2-MOD-4).

    rebate: percent that its caster saves.
    """
    base, personal = base_cost(state, power, working, held_tenths(state, working)), power.kind == "personal"
    factors = (*_standing(state, power, working), *trigger_factors(state, power, working))
    percents = [f.percent for f in factors]
    listed = round_price(base_cost(state, power, working, 0), percents, personal=personal)
    amount = round_price(base, [*percents, 100 - rebate], personal=personal)
    return Price(amount, base, factors, listed, rebate)


def round_price(base: int, percents: list[int], *, personal: bool) -> int:
    """The base times all factors, rounded up once; a personal power at least a quarter of its base, rounded up."""
    amount = Fraction(base)
    for percent in percents:
        amount *= Fraction(percent, 100)
    return ceil(max(amount, base * PERSONAL_FLOOR) if personal else amount)


def held_tenths(state: State, working: Working) -> int:
    """Whole tenths that the primary caster holds of the target people's pantheon (AMB-75)."""
    if not working.races or working.caster is None:
        return 0
    return state.pantheon(working.races[0]).get(str(working.caster), 0) * 10 // WHOLE


def base_cost(state: State, power: Power, working: Working, share: int) -> int:
    """The cost in the pack; a formula is worked out with what is known of the casting (section 4.1).

    share: whole tenths of the target people's pantheon.
    """
    if isinstance(power.cost, int):
        return power.cost
    knowledge = next((getattr(e, "knowledge", None) for e in power.effects), None)
    known: Mapping[str, int] = {
        "squares": len(working.squares),
        "units": state.board.units_of(working.races[0]) if working.races else 0,
        "level": power.level,
        "share": share,
        "tier": state.pack.knowledges[knowledge].tier if knowledge else 0,
    }
    return formula(power.cost, known)


def trigger_factors(state: State, power: Power, working: Working) -> Iterator[Factor]:
    """The factors of modifications that fire when this power is priced: of each power one casting (G2-MOD-4)."""
    used: set[str] = set()
    for race in working.races[:1]:
        for here in of_race(state, race):
            carrier = state.pack.powers[here.power]
            if here.status is not ModStatus.DORMANT or not ready(here, carrier, used, state.era.century):
                continue
            for effect in carrier.effects:
                if isinstance(effect, CostMult) and awaits(effect.on, "power_priced", power.codes):
                    used.add(carrier.id)
                    yield Factor(f"modification:{carrier.id}", effect.factor)


def _standing(state: State, power: Power, working: Working) -> Iterator[Factor]:
    """The factors that stand on the map and with the races concerned, each once a casting (G2-FILT-2)."""
    found: dict[str, int] = {}
    for race in aimed_races(state, working):
        for source, effect in carried_effects(state, race, CostMult):
            if fits(effect.filter, power.codes) and works_for(state, race, effect):
                found.setdefault(source, effect.factor)
    for kind, mask, effect in _of_features(state, CostMult):
        if fits(effect.filter, power.codes):
            reach = struck_squares(state, power, working) if kind in CITY_FEATURES else aimed_squares(state, working)
            if bool((mask & reach).any()):
                found.setdefault(f"feature:{kind}", _percent(state, kind, effect))
    return (Factor(source, percent) for source, percent in sorted(found.items()))


def _of_features(state: State, kind: type[Op]) -> Iterator[tuple[str, Mask, Op]]:
    """The passive effects of one operation of the features that there are: each with its feature and where that is."""
    effects = state.pack.passive("features", kind)
    return ((name, mask, effect) for name, mask in features_at(state).items() for effect in effects[name])


def _percent(state: State, kind: str, effect: CostMult) -> int:
    """The factor of a feature: a great city's as the game was opened with, else the pack's (G2-CITY-11, AMB-42)."""
    chosen = options_of(state).great_city_price_percent if kind == GREAT_CITY else None
    return effect.factor if chosen is None else chosen


def aimed_races(state: State, working: Working) -> list[UUID]:
    """The races on whom a power is aimed: themselves, their squares or their cities; by id."""
    found = set(working.races)
    for square in working.squares:
        people = state.board.people_at(square)
        if people is not None:
            found.add(people)
    return sorted(found)


def aimed_squares(state: State, working: Working) -> Mask:
    """The squares a power is aimed at; for one aimed at a race those on which its units stand (G2-FILT-2)."""
    mask = mask_of((state.board.height, state.board.width), working.squares)
    for race in working.races[:1]:
        mask = mask | state.board.own(race)
    return mask


def struck_squares(state: State, power: Power, working: Working) -> Mask:
    """The squares that a power's effects reach: its targets, those beside them where a scope says so (G2-CITY-11)."""
    mask = aimed_squares(state, working)
    if any("adjacent" in str(getattr(effect, "scope", "")) for effect in power.effects):
        near = mask_of((state.board.height, state.board.width), working.squares)
        mask = mask | touching(near, corners(state))
    return mask


def check_protection(state: State, power: Power, working: Working) -> None:
    """Refuse (`target.protected`) a power that a race, or a feature of an aimed square, keeps away (G2-FILT-2)."""
    for race in aimed_races(state, working):
        for source, effect in carried_effects(state, race, Protect):
            if _keeps_away(effect, power) and works_for(state, race, effect):
                raise _protection_refusal(power, state.races[race].name, source)
    for kind, mask, effect in _of_features(state, Protect):
        if _keeps_away(effect, power) and bool((mask & aimed_squares(state, working)).any()):
            raise _protection_refusal(power, state.pack.features[kind].name, f"feature:{kind}")


def _keeps_away(effect: Protect, power: Power) -> bool:
    return effect.against[0].isupper() and fits(effect.against, power.codes)


def _protection_refusal(power: Power, what: str, source: str) -> Refused:
    return Refused(
        "target.protected", f"{what} keep {power.name} away.", rules=("G2-FILT-2",), power=power.id, source=source
    )
