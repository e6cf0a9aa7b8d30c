"""What an effect is worth to a people, in tenths of a unit: above 0 it helps, below it hurts.

Every operation of a pack is judged by what it does, not by the name of its power, so other packs are judged alike. What
no table knows has no worth. Land is judged in `land`.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np

from games.engine.board.grid import Mask
from games.engine.board.rounding import percent_up
from games.gods2.rules.artifacts.rules import artifact_of_power
from games.gods2.rules.bots.view import TENTHS, View
from games.gods2.rules.cities.rules import can_found_city
from games.gods2.rules.geometry.adjacency import cities_of, coastal, features_at, owned_cities
from games.gods2.rules.geometry.conditions import terrain_mask
from games.gods2.rules.geometry.stats import works_for
from games.gods2.rules.pack import operations as op
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.constants import LEVELS, LIMITS
from games.gods2.rules.state.records import Level
from games.gods2.rules.state.shares import leading_god

BRANCH = 10  # a knowledge that becomes possible
MOST_BRANCHES = 6
CITY, GREAT_CITY = 50, 40
KNOWLEDGE = 40  # one that is lost
ARTIFACT = 60  # a power of another sphere
RESISTANCE, PROTECTION = 6, 8
STEP, SEA_STEP = 5, 6  # of a range; more for a crowded people
WAY_OUT = 60
POINTS_OF_OTHERS = 5  # a percent of a pantheon that diabolism or atheism gains

Judge = Callable[[View, UUID, Any, int], int]


def gain(view: View, race: UUID, effects: Iterable[Operation], span: int) -> int:
    """What effects are worth to a people over so many centuries."""
    total = 0
    for effect in effects:
        judge = JUDGES.get(type(effect))
        if judge is not None and (not effect.conditions or works_for(view.state, race, effect)):
            total += judge(view, race, effect, span)
    return total


def worth_of_knowledge(view: View, race: UUID, knowledge: str) -> int:
    """What a knowledge is worth to a people that can learn it; 0 where it cannot."""
    known, entry = view.state.races[race].knowledges, view.state.pack.knowledges[knowledge]
    if knowledge in known or any(needed not in known for needed in entry.prereqs):
        return 0
    opened = len(view.state.pack.needing((knowledge,))) - 1
    return gain(view, race, entry.effects, view.span) + BRANCH * min(MOST_BRANCHES, opened)


def land_gain(view: View, race: UUID, room: int) -> int:
    """What room for so many units more is worth: most where a people is crowded."""
    return room * (TENTHS if view.is_crowded(race) else 3)


def _stat(view: View, race: UUID, effect: op.StatAdd, span: int) -> int:
    return stat_gain(view, race, effect, span)


def stat_gain(view: View, race: UUID, effect: op.StatAdd, span: int) -> int:
    """What points of a number are worth."""
    amount, name = effect.amount, effect.stat
    if effect.stack == "per_city":
        amount *= len(owned_cities(view.state, race))
    military = max(2, view.pressure(race) // 3)
    match name:
        case "military":
            return amount * military * span // (2 if effect.role == "attacker" else 1)
        case "diplomacy":
            return amount * max(2, view.danger(race) // 6 if race in view.shares else 2) * span
        case "wealth":
            return amount * (military + 2) * span // 3
        case "aggression":
            return -amount * 4 * span
        case "growth_pct":
            return amount * view.units(race) * TENTHS // 100 * span // (3 if view.is_crowded(race) else 1)
        case "growth_flat":
            return amount * TENTHS * span
        case "sea":
            return amount * (SEA_STEP + (WAY_OUT if view.is_crowded(race) and _coast(view, race) else 0))
    return amount * (STEP + (WAY_OUT // 2 if view.is_crowded(race) else 0))


def _coast(view: View, race: UUID) -> bool:
    return bool((coastal(view.state) & view.state.board.own(race)).any())


def _grow(view: View, race: UUID, effect: op.Grow, span: int) -> int:
    """New units of one growth, as far as there is room beside those that come anyway."""
    units = view.units(race)
    return min(units * effect.pct // 100, max(0, view.room(race) - units // 4)) * TENTHS


def _limit(view: View, race: UUID, effect: op.LimitChange, span: int) -> int:
    """Room on the squares of a people that an effect concerns."""
    squares = view.state.board.own(race) & _squares_concerned(view, race, effect)
    limits = LIMITS[view.state.races[race].level][view.state.board.terrain[squares]]
    if isinstance(effect, op.LimitSet):
        return land_gain(view, race, int((effect.amount - limits).sum()))
    return land_gain(view, race, effect.amount * int((limits > 0).sum()))


def _squares_concerned(view: View, race: UUID, effect: op.LimitChange) -> Mask:
    state = view.state
    mask: Mask = np.ones(state.board.terrain.shape, dtype=np.bool_)
    if effect.terrain is not None:
        mask &= terrain_mask(state, effect.terrain)
    if effect.where == "coastal":
        mask &= coastal(state)
    elif effect.where == "city":
        mask &= cities_of(state, race)
    elif effect.where is not None and effect.where != "here":
        mask &= features_at(state).get(effect.where.removeprefix("feature:"), np.zeros_like(mask))
    return mask


def _level(view: View, race: UUID, effect: op.LevelSet, span: int) -> int:
    """Room by the higher limits."""
    old, new = view.state.races[race].level, Level(effect.level)
    if LEVELS.index(new) <= LEVELS.index(old):
        return 0
    terrain = view.state.board.terrain[view.state.board.own(race)]
    return land_gain(view, race, int((LIMITS[new][terrain] - LIMITS[old][terrain]).sum())) + TENTHS


def _learn(view: View, race: UUID, effect: op.Learn, span: int) -> int:
    if effect.knowledge is None:
        return KNOWLEDGE
    found = worth_of_knowledge(view, race, effect.knowledge)
    return found and found + view.income("knowledges_taught") + _first(view, effect.knowledge)


def _first(view: View, knowledge: str) -> int:
    return 0 if knowledge in view.state.era.learned else view.income("first_to_learn")


def _city(view: View, race: UUID, effect: op.FoundCity, span: int) -> int:
    """Three or six of strength, and wealth; where the people is able to found one."""
    if effect.kind == "great":
        return GREAT_CITY
    if view.state.races[race].level is Level.CIVILIZED and not can_found_city(view.state, race, free=effect.free):
        return 0
    return CITY + view.income("city_founded")


def _cult(view: View, race: UUID, effect: op.Cult, span: int) -> int:
    """A cult of the caster is worth what it will believe; every other takes believers away, some in each century."""
    if effect.deity == "caster":
        return 0
    return -effect.points * POINTS_OF_OTHERS * (span if effect.on else 1)


def believers(view: View, race: UUID, points: int) -> int:
    """What so many percent of a pantheon are worth to the bot itself, over the centuries to come.

    Twice as much where a neighbour of that people converts it to another god, where another god lives on it who is far
    ahead, and to a bot that is left behind; nothing to one that is far ahead itself: it has made everybody its enemy.
    """
    if view.is_ahead(view.me):
        return 0
    most = 100 - view.shares.get(race, 0) // 100
    worth = min(points, most) * view.units(race) * view.span * TENTHS // 250
    is_lost = race in view.shares and view.is_preached_to(race)
    return worth * 2 if is_lost or view.is_mainstay(race) or view.is_behind(view.me) else worth


def worth_of_artifact(view: View) -> int:
    """What the power of another artifact is worth to a bot that uses it; less with each that it has already."""
    own = sum(1 for each in view.state.artifact_powers.values() if each.seat == view.god.id)
    return ARTIFACT // (1 + own)


def _artifact(view: View, race: UUID, effect: op.ArtifactMake, span: int) -> int:
    """An artifact of a people, where the bot is the god who uses it; those of casters are judged apart."""
    of_own = effect.holder == "target" and leading_god(view.state.pantheon(race)) == view.me
    return worth_of_artifact(view) if of_own and is_unmade(view, effect) else 0


def is_unmade(view: View, effect: op.ArtifactMake) -> bool:
    """Whether the power of an artifact lies in none that stands."""
    return artifact_of_power(view.state, effect.power) is None


def _attribute(view: View, race: UUID, effect: op.AttributeAdd, span: int) -> int:
    """What an attribute is worth that a people has not yet."""
    if effect.attribute in view.state.races[race].attributes:
        return 0
    return gain(view, race, view.state.pack.attributes[effect.attribute].effects, span)


def _convert(view: View, race: UUID, effect: op.Convert, span: int) -> int:
    """Points in the pantheons of the neighbours, of which the bot has its share."""
    share = view.shares.get(race, 0) // 100
    return max(STEP, sum(believers(view, other, effect.points * span) for other in view.contacts(race)) * share // 100)


def _turmoil(view: View, race: UUID, effect: op.Turmoil, span: int) -> int:
    """A century without worship mana."""
    running = view.state.races[race].turmoil
    worship = view.units(race) * TENTHS // 6
    if effect.state == "end":
        return worship if running else 0
    return 0 if running else -worship


def _kill(view: View, race: UUID, effect: op.Kill, span: int) -> int:
    """A kill that is aimed at a whole people; those on squares are judged in `land`."""
    if effect.scope not in ("race", "all_races"):
        return 0
    return -TENTHS * expected_deaths(effect, view.units(race))


def expected_deaths(effect: op.Kill, units: int) -> int:
    """How many of so many units on a place die."""
    if effect.mode == "percent":
        return percent_up(units, effect.amount or 0)
    return units if effect.mode in ("all", "over") else min(units, effect.amount or 0)


def _worth_of_cut(view: View, race: UUID, effect: op.LimitCut, span: int) -> int:
    """Room that goes; those who stand there starve."""
    if effect.scope not in ("race", "all_races"):
        return 0
    squares = view.state.board.own(race)
    if effect.terrain is not None:
        squares = squares & terrain_mask(view.state, effect.terrain)
    return -TENTHS * int(np.minimum(view.state.board.units[squares], effect.amount).sum()) * 2 // 3


def _forget(view: View, race: UUID, effect: op.Forget, span: int) -> int:
    return -KNOWLEDGE if view.state.races[race].knowledges else 0


def _peace(view: View, race: UUID, effect: op.WarForbid, span: int) -> int:
    """Wars that are not to be feared any more."""
    return view.danger(race) * span // 2 if race in view.shares else 0


def _talks(view: View, race: UUID, effect: op.DiplomacyChoice, span: int) -> int:
    return view.danger(race) // 3 if effect.policy == "always" and race in view.shares else 0


def _reroll(view: View, race: UUID, effect: op.Reroll, span: int) -> int:
    return view.danger(race) // 4 if race in view.shares else 0


def _discount(view: View, race: UUID, effect: op.CostMult, span: int) -> int:
    """A price that falls: of worth to a bot that goes on to cast such powers on this people."""
    return max(0, 100 - effect.factor) * min(view.balance, TENTHS) // 20


def _strip(view: View, race: UUID, effect: op.Kick, span: int) -> int:
    return -view.units(race)


def _choose(view: View, race: UUID, effect: op.Choose, span: int) -> int:
    """The best of the rows, where gods choose; nobody knows what a GM chooses."""
    rows = view.state.pack.tables[effect.from_].rows if effect.by != "gm" else ()
    return max((gain(view, race, row.effects, span) for row in rows), default=0)


JUDGES: Mapping[type[Operation], Judge] = MappingProxyType(
    {
        op.StatAdd: _stat,
        op.Grow: _grow,
        op.LimitAdd: _limit,
        op.LimitSet: _limit,
        op.LevelSet: _level,
        op.Learn: _learn,
        op.FoundCity: _city,
        op.Cult: _cult,
        op.Turmoil: _turmoil,
        op.Kill: _kill,
        op.LimitCut: _worth_of_cut,
        op.Forget: _forget,
        op.WarForbid: _peace,
        op.DiplomacyChoice: _talks,
        op.Reroll: _reroll,
        op.CostMult: _discount,
        op.Kick: _strip,
        op.Resist: lambda view, race, effect, span: _resistance(effect),
        op.Protect: lambda view, race, effect, span: PROTECTION,
        op.Passable: lambda view, race, effect, span: STEP,
        op.Convert: _convert,
        op.AttributeAdd: _attribute,
        op.ArtifactMake: _artifact,
        op.Choose: _choose,
        op.DestroyCity: lambda view, race, effect, span: -CITY if owned_cities(view.state, race) else 0,
        op.UnitsAdd: lambda view, race, effect, span: min(effect.amount, view.room(race)) * TENTHS,
        op.Sacrifice: lambda view, race, effect, span: -view.units(race) * effect.pct * span // TENTHS,
    }
)
"""What each operation is worth to a people: (view, people, effect, centuries) -> tenths of a unit."""


def _resistance(effect: op.Resist) -> int:
    """A code that makes disasters worse ends in a plus or a factor above 1."""
    return -RESISTANCE if any(sign in effect.code for sign in "+*") else RESISTANCE
