"""LOCATE: where the rebels go, open among themselves (AX-TRN-2 to 4, AX-CLN-1)."""

from collections.abc import Iterator

from games.albraxas.rules.locate.events import LocationLocked, LocationSet, LocationsRevealed
from games.albraxas.rules.resolve.events import DynamismChanged
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Place
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.strength import travel_price
from games.engine.kernel import Event


def is_forced_to_stay(state: State, rebel: Character) -> bool:
    """Whether a rebel is in N and cannot Travel (AX-TRN-4)."""
    return rebel.phase == state.storm.phases and rebel.dynamism == 0


def price_of(state: State, rebel: Character, phase: int) -> int:
    """Dynamism for being in a phase this turn (AX-TRN-3, AX-TRN-4)."""
    if state.storm.turn == 1 or (phase == rebel.phase and is_forced_to_stay(state, rebel)):
        return 0
    return travel_price(rebel.phase, phase)


def usual(state: State, rebel: Character) -> int:
    """Where a silent rebel goes: to the next phase; in N they stay; on turn 1 to phase 1 (AX-TRN-2)."""
    return 1 if state.storm.turn == 1 else min(rebel.phase + 1, state.storm.phases)


def reachable(state: State, rebel: Character) -> list[int]:
    """The phases a rebel can pay."""
    return [p for p in range(1, state.storm.phases + 1) if price_of(state, rebel, p) <= rebel.dynamism]


def unlocked_rebels(state: State) -> list[Character]:
    """The rebels who are waited for."""
    return [r for r in state.rebels() if state.is_played(r) and not _is_locked(state, r)]


def settle_locations(state: State) -> Iterator[Event]:
    """The defaults of who is silent or has left, then all places at once, and each Travel is paid (AX-TRN-3)."""
    for rebel in state.rebels():
        if not _does_place_hold(state, rebel):
            yield LocationSet(seat=rebel.id, phase=usual(state, rebel))
        if not _is_locked(state, rebel):
            yield LocationLocked(seat=rebel.id)
    places = tuple(_place(state, rebel) for rebel in state.rebels())
    yield LocationsRevealed(places=places)
    for place in places:
        if place.price:
            before = state.characters[place.seat].dynamism
            yield DynamismChanged(seat=place.seat, before=before, after=before - place.price, reason="travel")


def _is_locked(state: State, rebel: Character) -> bool:
    choice = state.choices.get(rebel.id)
    return choice is not None and choice.locked


def _does_place_hold(state: State, rebel: Character) -> bool:
    """Whether the place set holds: who left walks on (AX-END-7), and nobody pays more than they have (AX-ACT-12).

    The rebel could pay when setting it; a game-master may have corrected the Dynamism since.
    """
    choice = state.choices.get(rebel.id)
    return choice is not None and state.is_played(rebel) and price_of(state, rebel, choice.phase) <= rebel.dynamism


def _place(state: State, rebel: Character) -> Place:
    phase = state.choices[rebel.id].phase
    forced = state.storm.turn > 1 and phase == rebel.phase and is_forced_to_stay(state, rebel)
    return Place(
        seat=rebel.id,
        phase=phase,
        price=price_of(state, rebel, phase),
        forced=forced,
        clones=rebel.clones if forced else state.visit_count(rebel.id, phase),
    )
