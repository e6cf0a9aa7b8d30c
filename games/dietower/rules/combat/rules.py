"""Encounters: who takes part and in which order, turns, and how they end (DT-CMB-1..4, 11, 12, 14, 16, 17)."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.dietower.rules.combat.action_events import HoldLapsed
from games.dietower.rules.combat.events import (
    EncounterClosed,
    InitiativeSet,
    RoundStarted,
    TurnEnded,
    TurnStarted,
    pair_of,
)
from games.dietower.rules.state.records import Actor, Encounter, Hold
from games.dietower.rules.state.schema_types import ActionKind, Asked, Band, Step, Until
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.rules import end_bonuses
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close, innermost
from games.engine.prompts.questions import ask_row

BANDS = tuple(Band)
"""From the nearest to the farthest (DT-CMB-11)."""
CALLED, EMPTY, SILENCE = "called", "empty", "silence"
SCENE = "scene"
"""The lane of a turn and of all inside it."""


def active_members(state: State) -> list[UUID]:
    """The members who take turns, in the order in which they act (DT-CMB-2, 14)."""
    encounter = state.require_encounter()
    return [actor for actor in encounter.order if state.is_active(state.actors[actor])]


def initiative(state: State, members: Sequence[UUID], first: UUID | None = None) -> tuple[UUID, ...]:
    """The order of a round: clockwise from the seat whose die stood last, the world master after the last seat.

    Nobody placed yet: from the lowest seat. first: who begins where the world master says so (DT-CMB-2, DT-AMB-36).
    """
    seats = state.circle()
    groups = [[a.id for a in state.characters_of(seat) if a.id in members] for seat in seats]
    groups.append([actor for actor in members if state.actors[actor].seat is None])
    start = len(seats) if state.tower.master_last else 0
    if state.tower.last_placer in seats:
        start = seats.index(state.tower.last_placer)
    order = [actor for group in (*groups[start:], *groups[:start]) for actor in group]
    place = order.index(first) if first is not None else 0
    return (*order[place:], *order[:place])


def start_round(state: State, ctx: Context) -> Iterator[Event]:
    """Begin the first round of an encounter, with the first active member."""
    yield RoundStarted(round=1)
    yield from start_turn(state, ctx, active_members(state)[0])


def start_turn(state: State, ctx: Context, actor: UUID) -> Iterator[Event]:
    """Begin somebody's turn: what they still hold is lost (DT-CMB-4)."""
    for hold in sorted((h for h in state.holds.values() if h.actor == actor), key=lambda h: h.id):
        yield HoldLapsed(hold=hold.id)
    yield TurnStarted(actor=actor)
    yield from ask_row(state, ctx, Asked.TURN, actor, actor=state.actors[actor].name)


def end_turn(state: State, ctx: Context, *, by_clock: bool = False) -> Iterator[Event]:
    """End the turn that runs; `go_on_with_encounter` begins the next one."""
    encounter, prompt = state.require_encounter(), state.question(Asked.TURN)
    if encounter.turn is None:
        raise RuntimeError("nobody is on turn")
    yield TurnEnded(actor=encounter.turn, silent=by_clock and not encounter.done)
    if prompt is not None:
        yield from close(state, prompt, "ended")


def next_turn(state: State, ctx: Context) -> Iterator[Event]:
    """Begin the next turn, perhaps in a new round; after rounds of silence the encounter closes (DT-CMB-17)."""
    encounter = state.require_encounter()
    active, order = active_members(state), list(encounter.order)
    last = order.index(encounter.last_turn) if encounter.last_turn in order else -1
    following = [actor for actor in active if order.index(actor) > last]
    if following:
        yield from start_turn(state, ctx, following[0])
        return
    silent = encounter.silent_rounds + 1 if encounter.round_silent else 0
    if silent >= state.course.idle_rounds:
        yield from close_encounter(state, SILENCE)
        return
    yield RoundStarted(round=encounter.round + 1, silent=silent)
    yield from start_turn(state, ctx, active[0])


def close_encounter(state: State, reason: str, text: str = "") -> Iterator[Event]:
    """Close the encounter: what is held is lost, the dice of miracles that lasted so long are used up."""
    encounter, prompt = state.require_encounter(), state.question(Asked.TURN)
    if encounter.turn is not None:
        yield TurnEnded(actor=encounter.turn)
    if prompt is not None:
        yield from close(state, prompt, "ended")
    for hold in sorted(state.holds.values(), key=lambda h: h.id):
        yield HoldLapsed(hold=hold.id)
    yield from end_bonuses(state, Until.ENCOUNTER)
    yield EncounterClosed(encounter=encounter.id, reason=reason, text=text)


def set_order(state: State, order: Sequence[UUID], reason: str = "") -> Iterator[Event]:
    """Say in which order the members act."""
    yield InitiativeSet(order=tuple(order), reason=reason)


def is_quiet(state: State) -> bool:
    """Whether no question inside the turn is open, and no die for the tower is due."""
    turn = state.question(Asked.TURN)
    if turn is not None and not innermost(state, state.prompts[turn]):
        return False
    return not state.due_placements() and not any(
        p.lane == SCENE and p.kind != Asked.TURN for p in state.prompts.values()
    )


def require_quiet_turn(state: State) -> None:
    """Refuse (`prompt.open`) while a question inside the turn is open."""
    if not is_quiet(state):
        raise Refused("prompt.open", "A question inside this turn is still open; it comes first.", rules=("DT-CMB-3",))


def require_quiet_play(state: State) -> None:
    """Refuse (`prompt.open`) what waits, in an encounter, for the questions inside the turn (section 8)."""
    if state.course.step is Step.TURN:
        require_quiet_turn(state)


def require_action(state: State, encounter: Encounter, actor: UUID, action: ActionKind) -> None:
    """Refuse (`action.used`) an action of this turn that is used or held (DT-CMB-3, 4)."""
    used = encounter.moved if action is ActionKind.MOVE else encounter.attacked
    if used or any(hold.actor == actor and hold.action is action for hold in state.holds.values()):
        raise Refused(
            "action.used",
            f"The {action} of this turn is used or held.",
            rules=("DT-CMB-3",),
            action=action.value,
        )


def band_between(state: State, one: UUID, other: UUID) -> Band | None:
    """How far two members are from each other; None where they are no opponents."""
    found = state.distances.get(pair_of(state, one, other))
    return found.band if found is not None else None


def check_move(state: State, actor: UUID, target: UUID, band: Band) -> None:
    """Refuse a move that is none: `target.invalid`, `band.same`, `band.limit` (DT-CMB-12)."""
    now = band_between(state, actor, target)
    if now is None:
        raise Refused("target.invalid", "A move is towards or away from an opponent here.", rules=("DT-CMB-12",))
    if now is band:
        raise Refused("band.same", f"They are at {band} range already.", rules=("DT-CMB-12",))
    if abs(BANDS.index(now) - BANDS.index(band)) > 1:
        raise Refused(
            "band.limit",
            f"One move is one band; from {now} range that is {' or '.join(near_bands(now))}.",
            rules=("DT-CMB-12",),
            band=now.value,
        )


def near_bands(band: Band) -> list[Band]:
    """The bands that one move leads to."""
    place = BANDS.index(band)
    return [each for n, each in enumerate(BANDS) if abs(n - place) == 1]


def due_holds(state: State) -> list[Hold]:
    """The held actions of active player's characters that were triggered and not offered yet, in that order."""
    waiting = [
        hold
        for hold in state.holds.values()
        if hold.triggered and not hold.offered and not hold.hidden and state.is_active(state.actors[hold.actor])
    ]
    return sorted(waiting, key=lambda hold: hold.triggered)


def ask_holder(state: State, ctx: Context, hold: Hold) -> Iterator[Event]:
    """Ask the holder of a triggered action whether it is released."""
    holder = state.actors[hold.actor]
    yield from ask_row(state, ctx, Asked.HELD, hold.id, actor=holder.name, trigger=hold.trigger)


def encounter_on_turn(state: State, actor: Actor) -> Encounter:
    """The encounter in which it is somebody's turn. Raises `encounter.missing`, `turn.not_yours`, `prompt.open`."""
    encounter = state.require_encounter()
    if encounter.turn != actor.id:
        raise Refused("turn.not_yours", f"It is not {actor.name}'s turn.", rules=("DT-CMB-3",))
    require_quiet_turn(state)
    return encounter
