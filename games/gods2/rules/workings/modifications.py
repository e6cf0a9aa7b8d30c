"""Modifications (G2-MOD-1 to 9): powers that go on working on a race, how they begin, wake and end.

M works at once until the century ends; Mc from the next century's start until its end; Mv and Mv+ sleep until their
trigger; Mp works until its trigger. What wakes them stands in `triggers`.
"""

from collections.abc import Callable, Iterator, Mapping
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.pack.filters import fits, has, is_lasting
from games.gods2.rules.pack.pack import Power
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.events import (
    ModificationActivated,
    ModificationAdded,
    ModificationEnded,
    endless,
)


def lasts(power: Power) -> bool:
    """Whether a power stays on a race: every M code but a cult's (G2-MOD-8)."""
    return is_lasting(power.codes)


def triggers_of(power: Power) -> tuple[str, ...]:
    """What wakes a power, in the order of its effects."""
    return tuple(dict.fromkeys(effect.on for effect in power.effects if effect.on is not None))


def sleeps(power: Power) -> bool:
    """Whether a power waits for its trigger before any of it works (G2-MOD-3, G2-MOD-4)."""
    return has(power.codes, "Mv", "Mv+")


def at_once(power: Power) -> list[Operation]:
    """The effects that happen when a power is cast: those that wait for nothing.

    All effects of an Mv power wait: one without a trigger of its own goes with the first (G2-MOD-5).
    """
    return [] if sleeps(power) else [effect for effect in power.effects if effect.on is None]


def effects_on(power: Power, on: str) -> list[Operation]:
    """The effects of a power that a trigger wakes; of an Mv power those without one go with its first (G2-MOD-5)."""
    first = triggers_of(power)[0] if sleeps(power) else None
    return [effect for effect in power.effects if (effect.on or first) == on]


def first_status(power: Power) -> ModStatus:
    """How a modification begins, by its codes."""
    if sleeps(power):
        return ModStatus.DORMANT
    return ModStatus.WAITING if has(power.codes, "Mc") else ModStatus.ACTIVE


def ends_with(state: State, power: Power) -> int | None:
    """The century at whose end a modification ends that begins now; None: with its trigger, or never.

    The duration of its data goes before that of its code: M `century`, Mp `until_trigger` (G2-MOD-1).
    """
    if endless(power):
        return None
    duration = power.duration or "century"
    if duration.startswith("centuries:"):
        return state.era.century + int(duration.partition(":")[2]) - 1
    return state.era.century + (duration == "next_century")


def waits_until(state: State, power: Power) -> int | None:
    """The century at whose end a modification ends that begins with the next one, where its data name a number.

    Without one it ends with its first century, or never (G2-MOD-2).
    """
    duration = power.duration or ""
    return state.era.century + int(duration.partition(":")[2]) if duration.startswith("centuries:") else None


def outlasts(power: Power) -> bool:
    """Whether what a trigger has activated goes on when that is over: only where its data say so (G2-MOD-5, AMB-35)."""
    return sleeps(power) and power.duration not in (None, "instant", "event", "until_trigger")


def century_of_expiry(state: State, power: Power) -> int | None:
    """The century at whose end a power is over that a trigger wakes now; none: with the event, or never."""
    if not outlasts(power):
        return None
    return ends_with(state, power)


def _open(state: State, power: Power) -> None:
    """What sleeps has no end before something wakes it."""


UNTIL: Mapping[ModStatus, Callable[[State, Power], int | None]] = {
    ModStatus.ACTIVE: ends_with,
    ModStatus.WAITING: waits_until,
    ModStatus.DORMANT: _open,
}


def of_race(state: State, race: UUID) -> list[Modification]:
    """A race's modifications in casting order."""
    return sorted((m for m in state.modifications.values() if m.race == race), key=lambda m: m.place)


def bars(state: State, power: Power, here: Modification) -> bool:
    """Whether one casting of a power bars another on the same race: what any of its codes says (G2-MOD-9).

    Mp bars as long as it is there, Mv while it sleeps, M and Mc for the century of the casting, in which an Mc has not
    begun; Mv+ never. Only M and Mc may be stackable (G2-MOD-1).
    """
    if has(power.codes, "Mp") or (has(power.codes, "Mv") and here.status is ModStatus.DORMANT):
        return True
    once = has(power.codes, "M", "Mc") or not has(power.codes, "Mv", "Mv+")
    return once and here.century == state.era.century and not power.stackable


def check_duplicate(state: State, race: UUID, power: Power) -> None:
    """Refuse (`power.duplicate`) a power that a race may not have twice (G2-MOD-1, 2, 3, 7, 9; AMB-46)."""
    if any(m.power == power.id and bars(state, power, m) for m in of_race(state, race)):
        raise Refused(
            "power.duplicate",
            f"{power.name} is on {state.races[race].name} already; a second one adds nothing before the first is over.",
            rules=("G2-MOD-1", "G2-MOD-2", "G2-MOD-3", "G2-MOD-7"),
            power=power.id,
        )


def add_modification(state: State, ctx: Context, race: UUID, power: Power, casting: UUID | None) -> Iterator[Event]:
    """Put a power on a race."""
    status = first_status(power)
    yield ModificationAdded(
        modification=ctx.mint(PUBLIC),
        race=race,
        power=power.id,
        status=status,
        trigger=next(iter(triggers_of(power)), None),
        until=UNTIL[status](state, power),
        casting=casting,
    )


def end_modification(state: State, modification: Modification, reason: str) -> Iterator[Event]:
    """End a modification."""
    yield ModificationEnded(
        modification=modification.id, race=modification.race, power=modification.power, reason=reason
    )


def begin_century(state: State) -> Iterator[Event]:
    """Step 2: what outlasted its century ends; Mc of the last century begin (G2-MOD-2)."""
    for here in sorted(state.modifications.values(), key=lambda m: m.place):
        if here.until is not None and here.until < state.era.century:
            yield from end_modification(state, here, "its time is over")
        elif here.status is ModStatus.WAITING:
            yield ModificationActivated(modification=here.id, race=here.race)


def end_century(state: State) -> Iterator[Event]:
    """Step 19: what lasts until the end of this century ends."""
    for here in sorted(state.modifications.values(), key=lambda m: m.place):
        if here.until is not None and here.until <= state.era.century:
            yield from end_modification(state, here, "the century is over")


def end_of_race(state: State, race: UUID) -> Iterator[Event]:
    """The modifications of an extinct race end (G2-POP-5)."""
    for here in of_race(state, race):
        yield from end_modification(state, here, "the race is extinct")


def war_over(state: State, war: UUID) -> Iterator[Event]:
    """End what a war, or a combined war, has activated (G2-MOD-5): it was fought, averted, lapsed or cancelled."""
    for here in sorted(state.modifications.values(), key=lambda m: m.place):
        if here.event == war:
            yield from end_modification(state, here, "its war is over")


def strip_modifications(
    state: State, race: UUID, wanted: str, most: int | None, itself: UUID | None
) -> Iterator[Event]:
    """End running modifications that fit a filter, or the one itself, in casting order."""
    chosen = [
        m
        for m in of_race(state, race)
        if (m.id == itself if wanted == "self" else fits(wanted, state.pack.powers[m.power].codes))
    ]
    for here in chosen[:most]:
        yield from end_modification(state, here, "taken away" if wanted != "self" else "its end has come")
