"""What wakes modifications (G2-MOD-3 to 5): something happens to a race, and what waited for it works.

Different dormant powers with the same trigger all fire, in casting order; of the castings of one Mv+ power one event
uses up exactly one. What a war wakes lasts until that war is over.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from games.engine.kernel import Context, Event
from games.gods2.rules.cities import CityDestroyed, CityFounded
from games.gods2.rules.disasters import DisasterStruck
from games.gods2.rules.effects import perform
from games.gods2.rules.filters import awaits, has
from games.gods2.rules.lasting import Modification, ModStatus
from games.gods2.rules.modifications import ModificationFired, ended, of_race
from games.gods2.rules.pack import Power
from games.gods2.rules.posting import WarDeclared
from games.gods2.rules.state import State
from games.gods2.rules.vocabulary import Operation
from games.gods2.rules.war_events import CityFell
from games.gods2.rules.working import Working, applies

Steps = Iterator[Event]


def fired(
    state: State, ctx: Context, race: UUID, trigger: str, *, war: UUID | None = None, about: tuple[str, ...] = ()
) -> Steps:
    """Something has happened to a race: wake and carry out what waited for it.

    war: the war for which stat values that are woken last; without it they are used up at once.
    about: elements of a disaster, or codes of a power, for triggers such as `disaster_hit:fire`, `power_priced:K`.
    """
    for here, on in waking(state, race, trigger, about):
        effects = effects_on(state.pack.powers[here.power], on)
        yield from woken(state, ctx, here, on, effects, war=war)


def waking(state: State, race: UUID, trigger: str, about: tuple[str, ...]) -> Iterator[tuple[Modification, str]]:
    """The modifications of a race that wait for this, in casting order, each with its trigger."""
    used: set[str] = set()
    for here in of_race(state, race):
        power = state.pack.powers[here.power]
        on = next((e.on for e in power.effects if awaits(e.on, trigger, about)), None)
        if on is None or here.id not in state.modifications or not ready(here, power, used):
            continue
        if has(power.codes, "Mv+"):
            used.add(power.id)
        yield here, on


def woken(
    state: State,
    ctx: Context,
    here: Modification,
    on: str,
    effects: Iterable[Operation],
    *,
    war: UUID | None = None,
) -> Steps:
    """A modification works: these of its effects are carried out; one that slept is used up, but for a war's length."""
    yield ModificationFired(modification=here.id, race=here.race, trigger=on, event=war)
    yield from _carried_out(state, ctx, here, effects)
    if war is None:
        yield from _used(state, here)


def _used(state: State, here: Modification) -> Steps:
    """What slept has worked and ends; what works until its trigger goes on."""
    left = state.modifications.get(here.id)
    if left is not None and left.fired is not None:
        yield from ended(state, left, "used")


def felt(state: State, ctx: Context, steps: Steps) -> Steps:
    """Let something happen, and wake what waited for it: disasters in every race that they hit, wars, cities.

    A modification wakes when its disaster strikes, so that its values and resistances hold for as long as that lasts
    (G2-MOD-5); what it does besides comes after the disaster and before anything is settled, in the order of waking. A
    race that has lost its last unit does nothing more. What is woken so is no disaster to others that wait for one.
    What waits for a declaration of war or for a city comes after the deed, and a war's lasts as long as that war.
    """
    awake: list[tuple[Modification, str]] = []
    calls: list[Call] = []
    for event in steps:
        calls += _calls(state, event)
        yield event
        if isinstance(event, DisasterStruck):
            for race in event.races:
                for here, on in waking(state, race, "disaster_hit", event.elements):
                    yield ModificationFired(modification=here.id, race=race, trigger=on)
                    awake.append((here, on))
    for here, on in awake:
        if here.id in state.modifications and state.board.units_of(here.race):
            yield from _carried_out(state, ctx, here, effects_on(state.pack.powers[here.power], on))
        yield from _used(state, here)
    for call in calls:
        if state.board.units_of(call.race):
            yield from fired(state, ctx, call.race, call.trigger, war=call.war)


@dataclass(frozen=True, slots=True)
class Call:
    """What an event wakes in a race; war: the war for whose length it works."""

    race: UUID
    trigger: str
    war: UUID | None = None


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


def effects_on(power: Power, on: str) -> list[Operation]:
    """The effects of a power that a trigger wakes; those without one go with the first (G2-MOD-5)."""
    first = next(e.on for e in power.effects if e.on is not None)
    return [e for e in power.effects if (e.on or first) == on]


def ready(here: Modification, power: Power, used: set[str]) -> bool:
    """Whether a modification can fire: it sleeps, or works until its trigger."""
    if here.status is ModStatus.DORMANT:
        return not (has(power.codes, "Mv+") and power.id in used)
    return here.status is ModStatus.ACTIVE and here.fired is None


def _carried_out(state: State, ctx: Context, here: Modification, effects: Iterable[Operation]) -> Steps:
    power = state.pack.powers[here.power]
    primary = state.authorships.get(here.casting) if here.casting else None
    working = Working(
        cause=power.id,
        perform=perform,
        codes=power.codes,
        power=power.id,
        casting=here.casting,
        caster=primary.primary if primary else None,
        races=(here.race,),
        modification=here.id,
    )
    yield from perform(state, ctx, working, [e for e in effects if applies(state, here.race, working, e)])
