"""What wakes modifications (G2-MOD-3 to 5): something happens to a race, and what waited for it works.

Different dormant powers with the same trigger all fire, in casting order; of the castings of one Mv+ power one event
uses up exactly one. What a war wakes lasts until that war is over, unless its data let it last longer.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from games.engine.kernel import Context, Event
from games.gods2.rules.cities.events import CityDestroyed, CityFounded, CivilizationLost, LevelChanged
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.effects.events import DisasterStruck
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.knowledge.events import KnowledgeLearned, KnowledgeLost
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.pantheon.events import PantheonChanged
from games.gods2.rules.pantheon.turmoil_events import CultGrew, MemberExpelled, TurmoilStarted
from games.gods2.rules.state.effect_records import Modification
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsStarved
from games.gods2.rules.war.events import CityFell
from games.gods2.rules.workings.active_triggers import (
    DIE,
    Awake,
    activate_waiting,
    consume,
    fires,
    perform_effects,
    waking,
)
from games.gods2.rules.workings.events import ModificationFired
from games.gods2.rules.workings.modifications import effects_on, triggers_of

Steps = Iterator[Event]

CONTACT = "contact_made"


def fire_trigger(
    state: State,
    ctx: Context,
    race: UUID,
    trigger: str,
    *,
    war: UUID | None = None,
    about: tuple[str, ...] = (),
    spent: set[UUID] | None = None,
) -> Steps:
    """Something has happened to a race: wake and carry out what waited for it.

    war: the war for which stat values that are activated last; without it they are used up at once.
    about: elements of a disaster, or codes of a power, for triggers such as `disaster_hit:fire`, `power_priced:K`.
    spent: modifications that have worked in this chain of events already and do not again; those that do are added.
    """
    done = set() if spent is None else spent
    for here, on in waking(state, race, trigger, about):
        if here.id not in done:
            done.add(here.id)
            effects = effects_on(state.pack.powers[here.power], on)
            yield from activate(state, ctx, here, on, effects, war=war)


def activate(
    state: State,
    ctx: Context,
    here: Modification,
    on: str,
    effects: Iterable[Operation],
    *,
    war: UUID | None = None,
) -> Steps:
    """A modification works: these of its effects are carried out; one that slept is used up, but for a war's length."""
    yield fires(state, here, on, war)
    yield from carry_out_effects(state, ctx, here, effects)
    if war is None:
        yield from consume(state, here)


def run_with_triggers(state: State, ctx: Context, steps: Steps, before: frozenset[UUID] = frozenset()) -> Steps:
    """Let something happen, and wake what waited for it: disasters in every race that they hit, wars, cities, faith.

    A modification wakes when its disaster strikes, so that its values and resistances hold for as long as that lasts
    (G2-MOD-5); what it does besides comes after the disaster and before anything is settled, in the order of waking. A
    race that has lost its last unit does nothing more. What waits for anything else comes after the deed, and what a
    declaration wakes lasts as long as that war. What is activated is felt as well: its disasters are disasters. In one
    chain of events a modification works once. A contact is made when a race is in contact with one with which it was
    not before the deed (G2-MOVE-6).

    before: the modifications that have worked in this chain.
    """
    spent = set(before)
    lonely = {race: set(contacts(state, race)) for race in _lookouts(state)}
    awake: list[tuple[Modification, str]] = []
    calls: list[Call] = []
    for event in steps:
        calls += _calls(state, event)
        yield event
        if isinstance(event, ModificationFired):
            spent.add(event.modification)
        if isinstance(event, DisasterStruck):
            for race in event.races:
                for here, on in waking(state, race, "disaster_hit", event.elements):
                    if here.id not in spent:
                        spent.add(here.id)
                        yield fires(state, here, on)
                        awake.append((here, on))
    calls += [Call(race, CONTACT) for race, known in lonely.items() if set(contacts(state, race)) - known]
    for here, on in awake:
        if here.id in state.modifications and state.board.units_of(here.race):
            effects = effects_on(state.pack.powers[here.power], on)
            yield from run_with_triggers(state, ctx, carry_out_effects(state, ctx, here, effects), frozenset(spent))
        yield from consume(state, here)
    for call in calls:
        if state.board.units_of(call.race):
            chain = set(spent)
            woke = fire_trigger(state, ctx, call.race, call.trigger, war=call.war, about=call.about, spent=chain)
            yield from run_with_triggers(state, ctx, woke, frozenset(spent))


@dataclass(frozen=True, slots=True)
class Call:
    """What an event wakes in a race; war: the war for whose length it works; about: codes, for `knowledge_taught:K`."""

    race: UUID
    trigger: str
    war: UUID | None = None
    about: tuple[str, ...] = ()


def _lookouts(state: State) -> list[UUID]:
    """The races on which something waits for a contact."""
    if CONTACT not in state.pack.trigger_names:
        return []
    waiting = {m.race for m in state.modifications.values() if CONTACT in triggers_of(state.pack.powers[m.power])}
    return sorted(waiting)


def _calls(state: State, event: Event) -> Iterator[Call]:
    """What an event wakes when the deed is done, judged on the state before it."""
    match event:
        case WarDeclared():
            yield Call(event.attacker, "war_declares", event.war)
            yield Call(event.defender, "war_declared_on", event.war)
        case CityFounded():
            yield Call(event.race, "city_founded")
        case CityDestroyed():
            yield Call(event.race, "city_lost")
        case CityFell():
            yield Call(state.cities[event.city].race, "city_lost")
        case KnowledgeLearned():
            yield Call(event.race, "knowledge_taught", about=(state.pack.knowledges[event.knowledge].code,))
        case KnowledgeLost() | CivilizationLost():
            yield Call(event.race, "knowledge_lost")
        case LevelChanged():
            yield Call(event.race, "level_changed")
        case TurmoilStarted():
            yield Call(event.race, "turmoil_started")
        case PantheonChanged() | CultGrew() | MemberExpelled():
            yield Call(event.race, "pantheon_changed")
        case RaceGrew():
            yield Call(event.race, "growth")
        case UnitsStarved(aggression=more) if more:
            yield Call(event.race, "starvation")


def carry_out_effects(state: State, ctx: Context, here: Modification, effects: Iterable[Operation]) -> Steps:
    """A modification does these of its effects."""
    yield from perform_effects(state, ctx, perform, here, effects)


def at_die(
    state: State, ctx: Context, race: UUID, *triggers: str, role: str | None = None, war: UUID | None = None
) -> Generator[Event, None, Awake]:
    """A die of a race is to be thrown: wake what waited for that, and feel what it does."""

    def doing(here: Modification, effects: list[Operation]) -> Steps:
        return run_with_triggers(state, ctx, carry_out_effects(state, ctx, here, effects), frozenset({here.id}))

    return (yield from activate_waiting(state, race, (*triggers, DIE), doing, role, war))
