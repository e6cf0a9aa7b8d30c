"""Knowledges (G2-KNOW-1 to 7, G2-CITY-3): how they are taught and lost, and the tree that shows what comes next.

A race knows a knowledge or not; all effects of what it knows add up, and go with it.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.cities.events import CityRaised, LevelChanged
from games.gods2.rules.cities.rules import can_found_city, check_city, found_city, level_of
from games.gods2.rules.geometry.adjacency import owned_cities
from games.gods2.rules.geometry.carried_effects import carried_effects
from games.gods2.rules.geometry.conditions import are_met
from games.gods2.rules.geometry.stats import works_for
from games.gods2.rules.knowledge.events import KnowledgeLearned, KnowledgeLost
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pack.filters import fits
from games.gods2.rules.pack.operations import Forget, FoundCity, Learn, Protect
from games.gods2.rules.pack.pack import Knowledge
from games.gods2.rules.pack.wording import condition_name
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.workings.context import Doing, Working, asker

Steps = Iterator[Event]


def missing(state: State, race: UUID, knowledge: Knowledge) -> list[str]:
    """The prerequisites that a race lacks (G2-KNOW-2)."""
    return [k for k in knowledge.prereqs if k not in state.races[race].knowledges]


def learnable(state: State, race: UUID, working: Working, *, free: bool = False) -> list[str]:
    """What a race could be taught next: unknown, with its conditions and, unless it is free, prerequisites; sorted."""
    known = state.races[race].knowledges
    return sorted(
        k.id
        for k in state.pack.knowledges.values()
        if k.id not in known
        and (free or not missing(state, race, k))
        and are_met(state, k.requires, asker(state, race, working))
    )


def check_learn(state: State, working: Working, effect: Learn) -> None:
    """Refuse `knowledge.known`, `knowledge.prerequisite`, `wealth.low`, `target.unfit` (G2-KNOW-1, 2; G2-WLTH-3)."""
    if effect.knowledge is None or not working.races:
        return
    race, knowledge = state.races[working.race], state.pack.knowledges[effect.knowledge]
    if knowledge.id in race.knowledges:
        raise Refused("knowledge.known", f"{race.name} know {knowledge.name} already.", rules=("G2-KNOW-1",))
    unknown = [] if effect.free else missing(state, race.id, knowledge)
    if unknown:
        names = ", ".join(state.pack.knowledges[k].name for k in unknown)
        raise Refused(
            "knowledge.prerequisite",
            f"{race.name} must know {names} before they can learn {knowledge.name}.",
            rules=("G2-KNOW-2",),
            missing=unknown,
        )
    for condition in knowledge.requires:
        if not are_met(state, (condition,), asker(state, race.id, working)):
            wanted = condition_name(state.pack, condition)
            raise Refused(
                "wealth.low" if condition.name == "wealth_gte" else "target.unfit",
                f"{knowledge.name} is learned by a race {wanted}; {race.name} are not such a race.",
                rules=("G2-KNOW-2", "G2-WLTH-3"),
            )


def learn(state: State, ctx: Context, race: UUID, key: str, cause: str, casting: UUID | None) -> Steps:
    """Let a race learn something, with all that follows at once: the sources that count it, a city (G2-CITY-3)."""
    first = key not in state.era.learned
    yield KnowledgeLearned(race=race, knowledge=key, first=first, cause=cause, casting=casting)
    yield from count_event(state, "knowledges_taught")
    if first:
        yield from count_event(state, "first_to_learn")
    level = level_of(state, race)
    if level is not state.races[race].level:
        yield LevelChanged(race=race, level=level, cause=cause)
    for effect in state.pack.knowledges[key].of_kind(FoundCity):
        if effect.kind == "city" and can_found_city(state, race, free=effect.free):
            yield from found_city(state, ctx, race, cause, free=effect.free, casting=casting)


def _learn(state: State, ctx: Context, working: Working, effect: Learn) -> Steps:
    """A race learns what it could be taught; nothing where it lacks what that needs (G2-KNOW-2)."""
    race = working.race
    able = learnable(state, race, working, free=effect.free)
    if effect.knowledge is not None:
        if effect.knowledge in able:
            yield from learn(state, ctx, race, effect.knowledge, working.cause, working.casting)
        return
    able = [k for k in able if effect.random is None or fits(effect.random, (state.pack.knowledges[k].code,))]
    if able:
        label = working.label(f"learn/{race}")
        key = ctx.tray.draw(label, able, "G2-KNOW-2")
        yield from learn(state, ctx, race, key, working.cause, working.casting)


def forgettable(state: State, race: UUID, effect: Forget) -> list[str]:
    """What a race could lose by an effect: never Civilization while it owns a city (G2-CITY-9), nor what is protected.

    Sorted keys. A protection `forget:Ks` guards the knowledges of that code.
    """
    record, pack = state.races[race], state.pack
    guarded = {
        e.against.partition(":")[2]
        for _, e in carried_effects(state, race, Protect)
        if e.against.startswith("forget:") and works_for(state, race, e)
    }
    fixed = pack.giving(Level.CIVILIZED.value) if owned_cities(state, race) else frozenset()
    known = [k for k in record.knowledges if k not in fixed]
    known = [k for k in known if not any(fits(code, (pack.knowledges[k].code,)) for code in guarded)]
    if effect.knowledge is not None:
        return [k for k in known if k == effect.knowledge]
    wanted = effect.category or (effect.random if effect.random != "any" else None)
    return sorted(k for k in known if wanted is None or fits(wanted, (pack.knowledges[k].code,)))


def check_forget(state: State, working: Working, effect: Forget) -> None:
    """Refuse (`knowledge.kept`) when the race has nothing that it could lose."""
    if not working.races:
        return
    race = state.races[working.race]
    if not forgettable(state, race.id, effect):
        raise Refused(
            "knowledge.kept", f"{race.name} have nothing to forget by this.", rules=("G2-KNOW-4", "G2-CITY-9")
        )


def _forget(state: State, ctx: Context, working: Working, effect: Forget) -> Steps:
    """One knowledge goes; those that needed it stay (G2-KNOW-4, AMB-22). The level follows when all is settled."""
    able = forgettable(state, working.race, effect)
    if able:
        key = ctx.tray.draw(working.label(f"forget/{working.race}"), able, "G2-KNOW-4")
        yield KnowledgeLost(race=working.race, knowledges=(key,), cause=working.cause, casting=working.casting)


def check_found_city(state: State, working: Working, effect: FoundCity) -> None:
    """Refuse `city.squares`, `city.great`, `race.invalid` (G2-CITY-4, 8, 12)."""
    if effect.kind == "great":
        city = state.cities[working.city] if working.city else None
        if city is None or city.kind is CityKind.GREAT:
            raise Refused("city.great", "This city is a great city already.", rules=("G2-CITY-12",))
        return
    if working.races:
        check_city(state, working.race, free=effect.free)


def _found_city(state: State, ctx: Context, working: Working, effect: FoundCity) -> Steps:
    if effect.kind == "great":
        city = state.cities.get(working.city) if working.city else None
        if city is not None and city.kind is CityKind.CITY:
            square = Place.of(city.square)
            yield CityRaised(city=city.id, race=city.race, square=square, casting=working.casting)
    elif working.races and can_found_city(state, working.race, free=effect.free):
        yield from found_city(state, ctx, working.race, working.cause, free=effect.free, casting=working.casting)


LEARN = Doing(_learn, check_learn)
FORGET = Doing(_forget, check_forget)
FOUND_CITY = Doing(_found_city, check_found_city, on_race=False)
