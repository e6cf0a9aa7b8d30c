"""The table: set-up, sessions, and what a seat that is left still owes (DT-TBL-1..6)."""

from collections.abc import Iterator
from uuid import UUID

from games.dietower.rules.checks.rules import settle_rolls_of
from games.dietower.rules.combat.action_events import HoldKept
from games.dietower.rules.combat.attacks import (
    call_off,
    choose_defence,
    close_side,
    open_attack,
    rolls_of,
    usual_defence,
)
from games.dietower.rules.state.options import options_of
from games.dietower.rules.state.schema_types import Asked, Mode, Until, WishStatus
from games.dietower.rules.state.state import State
from games.dietower.rules.table.events import SessionClosed, SessionOpened, SetupOpened
from games.dietower.rules.tower.events import TowerReset
from games.dietower.rules.tower.rules import choose_miracle, end_bonuses, place_die, usual_miracle
from games.dietower.rules.wishes.rules import decide_wish
from games.engine.bots import wake_bots
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close

CHANGED = "mode change"


def start(state: State, ctx: Context) -> Iterator[Event]:
    """The start opens the set-up (DT-TBL-2)."""
    chosen = options_of(state)
    yield SetupOpened(
        seats=chosen.seats,
        characters=chosen.characters,
        idle_rounds=chosen.idle_rounds,
        mode=chosen.mode,
        half_width=chosen.half_width,
    )
    yield from wake_bots(state, ctx, state.seats)


def open_session(state: State, mode: Mode | None = None, half_width: int | None = None) -> Iterator[Event]:
    """Open the next session; a tower of another kind takes the old one down (DT-TBL-2, DT-TWR-7)."""
    state.require_ready()
    tower = state.tower
    wanted = mode or tower.mode, half_width or tower.half_width
    yield SessionOpened(
        session=state.course.session + 1,
        mode=wanted[0],
        half_width=wanted[1],
        commitment=state.info.commitment,
    )
    if wanted != (tower.mode, tower.half_width) and state.tower.height:
        yield TowerReset(mode=wanted[0], half_width=wanted[1], height=0, reason=CHANGED)


def end_setup(state: State, ctx: Context) -> Iterator[Event]:
    """The end of the set-up opens the first session."""
    yield from open_session(state)


def close_session(state: State) -> Iterator[Event]:
    """Close the session: story Wishes are refused, the scene ends (DT-AMB-54)."""
    pending = [wish for wish in state.wishes.values() if wish.status is WishStatus.PENDING]
    for wish in sorted(pending, key=lambda w: w.id):
        yield from decide_wish(state, wish, accept=False, text="")
    yield from end_bonuses(state, Until.SCENE, Until.ENCOUNTER)
    yield SessionClosed(session=state.course.session)


def settle_left_seat(state: State, ctx: Context, seat: UUID) -> Iterator[Event]:
    """What an empty seat owes goes by the defaults at once; waiting dice when the queue reaches them (DT-AMB-53)."""
    yield from _settle_attack(state, ctx, seat)
    for actor in state.characters_of(seat):
        for miracle in [m for m in state.miracles.values() if m.actor == actor.id and m.kind is None]:
            kind, target = usual_miracle(state, miracle)
            yield from choose_miracle(state, miracle, kind, target)
        for placement in state.due_placements():
            asked = state.question(Asked.PLACE, placement.id) is not None
            if asked and placement.actor == actor.id and state.tower.mode is Mode.SIMULATED:
                yield from place_die(state, ctx, placement)
        yield from settle_rolls_of(state, ctx, actor.id, "left", left=True)


def _settle_attack(state: State, ctx: Context, seat: UUID) -> Iterator[Event]:
    """An attack of the seat without dice is called off, a defence is the usual one, windows close, holds are kept."""
    attack = open_attack(state)
    if attack is not None:
        attacks, defends = (state.actors[actor].seat == seat for actor in (attack.actor, attack.target))
        if attacks and not attack.is_set:
            yield from call_off(state, ctx, attack, "left")
        elif defends and state.question(Asked.ATTACK_DEFEND, attack.id) is not None:
            yield from choose_defence(state, ctx, attack, usual_defence(state, attack.target))
        for roll in rolls_of(state, attack):
            if roll.waiting and state.actors[roll.actor].seat == seat:
                yield from close_side(state, roll)
    for hold in [hold for hold in state.holds.values() if state.actors[hold.actor].seat == seat]:
        prompt = state.question(Asked.HELD, hold.id)
        if prompt is not None:
            yield HoldKept(hold=hold.id)
            yield from close(state, prompt, "left")
