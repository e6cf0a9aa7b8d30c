"""Every number of a race with its sources and their rules: stats, strength, growth, resistances, limits, worship mana.

What stands here is read from the same effects as the numbers themselves, and ends in the value the rules use. It is
asked of the state as the viewer may see it: modifications and cuts lie on the table, whose they are does not, and a
god's factors are the god's own and the GMs'. So mana is broken down for those gods alone whose factors the viewer sees.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from uuid import UUID

from games.engine.board.board import Square
from games.engine.insight.breakdown import Breakdown, Sum
from games.engine.wording import quantity
from games.gods2.rules.geometry.carried_effects import carried_effects
from games.gods2.rules.geometry.limits import changes_at, cuts_at
from games.gods2.rules.geometry.sources import BASE, describe_source
from games.gods2.rules.geometry.stats import stat, works_for
from games.gods2.rules.pack.operations import Grow, LimitAdd, LimitSet, Resist
from games.gods2.rules.pack.resistance import ELEMENTS, Code, applicable, parse
from games.gods2.rules.state.constants import CITY_STRENGTH, GROWTH_PERCENT, LIMITS, TERRAINS
from games.gods2.rules.state.mana_sources import WORSHIP, sources, split_counter
from games.gods2.rules.state.names import source_name
from games.gods2.rules.state.records import WHOLE, CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.wording import TERRAIN
from games.gods2.rules.workings.targets import off_map

ROLES = ("attacker", "defender")
STATS = {
    "aggression": "points",
    "military": "points",
    "diplomacy": "points",
    "wealth": "points",
    "move": "squares",
    "sea": "squares",
    "growth_flat": "units",
}
COUNTED = 100  # deaths of which a resistance is shown


def breakdowns(state: State, race: UUID | None = None, square: Square | None = None) -> Iterator[Breakdown]:
    """The numbers of one race, or of all living ones by id; limits for a square, or for each bare terrain.

    Raises `race.missing`, `square.off_map`.
    """
    if square is not None and not state.board.holds(square):
        raise off_map(square)
    for here in [state.race(race).id] if race is not None else [r.id for r in state.living()]:
        yield from _stats(state, here)
        yield from _population(state, here)
        yield growth(state, here)
        yield from (resistance(state, here, element) for element in (None, *ELEMENTS.values()))
        if square is None:
            yield from (limit_on(state, here, terrain) for terrain in TERRAINS)
        else:
            yield limit_at(state, here, square)
        yield from mana(state, here)


def _stats(state: State, race: UUID) -> Iterator[Breakdown]:
    """Aggression, military in each role, diplomacy, wealth, ranges (G2-AGG-1, MIL-1, DIP-1, WLTH-1, MOVE-1)."""
    for name, unit in STATS.items():
        for role in (None, *ROLES) if name == "military" else (None,):
            total = Sum()
            for part in stat(state, race, name, role).parts:
                total.step(
                    *describe_source(state, part.source), part.rule, "bound" if part.bound else "add", part.amount
                )
            yield total.close(race, name, unit, role=role)


def _population(state: State, race: UUID) -> Iterator[Breakdown]:
    """Both totals of a race (G2-POP-1, G2-POP-2)."""
    for name in ("units", "strength"):
        yield _count_of_cities(state, race, Sum(), cities=name == "strength").close(race, name, "units")


def _count_of_cities(state: State, race: UUID, total: Sum, *, cities: bool) -> Sum:
    total.step(BASE, "units", "Units on the map", "G2-POP-1", "add", state.board.units_of(race))
    for kind in CityKind if cities else ():
        if owned := sum(1 for c in state.cities.values() if c.race == race and c.kind is kind):
            label = quantity(owned, "city" if kind is CityKind.CITY else "great city")
            total.step("city", kind.value, label, "G2-CITY-1", "add", owned * CITY_STRENGTH[kind])
    return total


def growth(state: State, race: UUID) -> Breakdown:
    """Percent by which a race grows (G2-POP-3, G2-POP-4)."""
    total = Sum()
    total.step(BASE, "growth", "Every race", "G2-POP-3", "add", GROWTH_PERCENT)
    for part in stat(state, race, "growth_pct").parts:
        total.step(*describe_source(state, part.source), part.rule, "bound" if part.bound else "add", part.amount)
    for source, effect in carried_effects(state, race, Grow):
        if works_for(state, race, effect):
            total.step(*describe_source(state, source), "G2-POP-4", "add", effect.pct)
    return total.close(race, "growth", "percent")


def resistance(state: State, race: UUID, element: str | None) -> Breakdown:
    """How many die of 100 that a disaster of one element counts, or one of none (G2-RES-3 to 6)."""
    found = [(source, parse(e.code)) for source, e in carried_effects(state, race, Resist) if works_for(state, race, e)]
    if state.races[race].level is Level.PRIMITIVE:
        found.append(("level:primitive", parse("X-1")))
    working = applicable([code for _, code in found], {element} if element else set(), everywhere=True)
    counts = [(source, code) for source, code in found if code in working]
    total = Sum()
    total.step(BASE, "counted", f"Of {COUNTED} counted deaths", "G2-RES-6", "add", COUNTED)
    immune = [(source, code) for source, code in counts if code.immune]
    if immune:
        total.step(*describe_source(state, immune[0][0]), "G2-RES-4", "set", 0)
        return total.close(race, _resists(element), "deaths")
    for source, code in (c for c in counts if c[1].operation in "*/"):
        total.step(*describe_source(state, source), "G2-RES-4", "multiply", _factor(code))
    for source, code in (c for c in counts if c[1].operation in "+-"):
        total.step(
            *describe_source(state, source),
            _of_code(source),
            "add",
            code.amount if code.operation == "+" else -code.amount,
        )
    if gap := ceil(total.value) - total.value:
        total.step("rule", "rounded", "Rounded up", "G2-RES-4", "round_up", gap)
    if total.value < 0:
        total.step("rule", "never_below_0", "Never below 0", "G2-RES-4", "bound", -total.value)
    return total.close(race, _resists(element), "deaths")


def _resists(element: str | None) -> str:
    return f"resistance:{element or 'none'}"


def _of_code(source: str) -> str:
    return "G2-LVL-2" if source == "level:primitive" else "G2-RES-4"


def _factor(code: Code) -> Fraction:
    return Fraction(code.amount) if code.operation == "*" else Fraction(1, code.amount)


def limit_on(state: State, race: UUID, terrain: str) -> Breakdown:
    """The limit of a terrain by itself: without features, cities, coasts, and cuts of single squares (G2-LIM-2)."""
    return _limit(state, race, terrain, None)


def limit_at(state: State, race: UUID, square: Square) -> Breakdown:
    """The limit of one square, with all that touches it (G2-LIM-1 to 3)."""
    return _limit(state, race, TERRAINS[int(state.board.terrain[square])], square)


def _limit(state: State, race: UUID, terrain: str, square: Square | None) -> Breakdown:
    level, total = state.races[race].level, Sum()
    base = int(LIMITS[level][TERRAINS.index(terrain)])
    total.step("level", level.value, f"{level.value.title()} on {TERRAIN[terrain]}", "G2-LIM-1", "add", base)
    sets = list(changes_at(state, race, LimitSet, terrain, square))
    elsewhere = [(e.amount, s) for s, e in sets if e.where != "here"]
    if elsewhere:
        largest, source = max(elsewhere)
        total.step(*describe_source(state, source), "G2-LIM-2", "set", largest)
    if total.value > 0:
        for source, added in changes_at(state, race, LimitAdd, terrain, square):
            total.step(*describe_source(state, source), "G2-LIM-2", "add", added.amount)
    here = [(e.amount, s) for s, e in sets if e.where == "here"]
    if here:
        smallest, source = min(here)
        total.step(*describe_source(state, source), "G2-AMB-65", "set", smallest)
    for cut in cuts_at(state, race, terrain, square):
        total.step("disaster", str(cut.casting or cut.id), "A disaster", "G2-LIM-3", "add", -cut.amount)
    if total.value < 0:
        total.step("rule", "never_below_0", "Never below 0", "G2-LIM-2", "bound", -total.value)
    return total.close(race, f"limit:{terrain}", "units", square=square)


def mana(state: State, race: UUID) -> Iterator[Breakdown]:
    """What each god whose factors are seen would earn of a race's worship, if the century ended now (G2-MANA-2)."""
    known = {source.id: source for source in sources(state)}
    pantheon = state.pantheon(race)
    for factor in sorted(state.factors.values(), key=lambda f: (f.seat, f.source)):
        name, argument = split_counter(known[factor.source].counter) if factor.source in known else ("", None)
        member = argument or str(factor.seat)
        if name != WORSHIP or member not in pantheon:
            continue
        total = _count_of_cities(state, race, Sum(), cities=True)
        if state.races[race].turmoil or state.races[race].troubled:
            total.step("rule", "turmoil", "In turmoil in this century", "G2-TURM-2", "multiply", 0)
        share = Fraction(pantheon[member], WHOLE)
        total.step("share", member, f"{float(share * 100):g}% of the pantheon", "G2-MANA-2", "multiply", share)
        label = f"Factor for {source_name(state, factor.source)}"
        total.step("factor", factor.source, label, "G2-MANA-1", "multiply", Fraction(factor.factor))
        yield total.close(race, f"mana:{factor.source}", "mana", member=str(factor.seat))
