"""Turmoil at a god's will, its roll at the century's end, and whom it may expel (G2-TURM-*)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from games.engine.audience import PUBLIC, reader
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import close, timer_key
from games.engine.prompts.questions import ask_row, settle_by_silence
from games.engine.wording import quantity
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.casting.rules import enter_deed
from games.gods2.rules.effects.turmoil import expel_member, start_turmoil
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.pantheon.orders import member
from games.gods2.rules.pantheon.turmoil_events import (
    AT_WILL,
    ExpulsionAnswered,
    ExpulsionAsked,
    TurmoilBegun,
    TurmoilRolled,
)
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTING, God
from games.gods2.rules.state.shares import JEALOUS
from games.gods2.rules.state.state import State
from games.gods2.rules.window.prompts import seat_of
from games.gods2.rules.window.standing_answers import declines, use_standing_answer

Steps = Iterator[Event]


def may_start(state: State, actor: Actor, race: UUID) -> God:
    """The god who starts a turmoil. Raises `race.*`, `member.missing`, `turmoil.running`, `phase.closed`."""
    found = state.race(race)
    if found.extinct:
        raise Refused("race.extinct", f"{found.name} are no more.", rules=("G2-POP-5",))
    god = member(state, actor, race)
    state.require(*ACTING)
    if found.turmoil or race in state.later_turmoils:
        raise Refused("turmoil.running", f"{found.name} are in turmoil already.", rules=("G2-TURM-1",))
    return god


def start_turmoil_by(state: State, ctx: Context, race: UUID, seat: UUID, *, signed: bool) -> Steps:
    yield from run_and_settle(state, ctx, start_turmoil(state, race, AT_WILL), "turmoil")
    text = f"Religious turmoil among {state.races[race].name}."
    yield from enter_deed(enter_history(state, ctx, kind="turmoil", cause=AT_WILL, words=text), seat, signed=signed)


def later_turmoils(state: State, ctx: Context) -> Steps:
    """Step 1: the turmoils of the last Calculation Phase begin, by race (AMB-32)."""
    for waiting in sorted(state.later_turmoils.values(), key=lambda t: t.race):
        yield TurmoilBegun(race=waiting.race, seat=waiting.seat)
        if not state.races[waiting.race].extinct:
            yield from start_turmoil_by(state, ctx, waiting.race, waiting.seat, signed=False)


def roll_turmoils(state: State, ctx: Context) -> Steps:
    """Step 15: a d6 for each race still in turmoil, by id."""
    for race in state.living():
        if race.turmoil:
            yield from run_and_settle(state, ctx, _roll_turmoil(state, ctx, race.id), "turmoil")


def _roll_turmoil(state: State, ctx: Context, race: UUID) -> Steps:
    use = f"c{state.era.century}/turmoil/{race}"
    die = ctx.tray.roll(use, 6, "G2-TURM-3")
    members = list(state.pantheon(race))
    if die <= 2 or len(members) < 2:
        yield TurmoilRolled(race=race, result="nothing")
        return
    chosen = ctx.tray.draw(f"{use}/member", members, "G2-TURM-4")
    if die <= 4:
        yield TurmoilRolled(race=race, result="thrown", member=chosen)
        yield from expel_member(state, race, chosen, "turmoil")
        return
    yield TurmoilRolled(race=race, result="choice", member=chosen)
    if chosen in JEALOUS:
        others = [m for m in members if m != chosen]
        yield from expel_member(state, race, ctx.tray.draw(f"{use}/victim", others, "G2-TURM-5"), chosen)
    else:
        yield from _ask_expulsion(state, ctx, race, UUID(chosen))


def _ask_expulsion(state: State, ctx: Context, race: UUID, seat: UUID) -> Steps:
    """Ask the chosen god until the Calculation Phase ends, and for two minutes at least."""
    prompt = ctx.mint(PUBLIC)
    yield ExpulsionAsked(prompt=prompt, race=race, seat=seat)
    yield from ask_row(
        state,
        ctx,
        Asked.EXPEL,
        race,
        prompt=prompt,
        owners=(reader(seat),),
        choices=[m for m in state.pantheon(race) if m != str(seat)],
        due=state.era.ends_at,
        race=state.races[race].name,
    )
    if declines(state, seat):
        yield from use_standing_answer(prompt, seat, "null")
        yield from close(state, prompt, "answered")
        yield ExpulsionAnswered(prompt=prompt, race=race, seat=seat)


def decline(state: State, ctx: Context, asked: Prompt, late: Sequence[UUID]) -> Steps:
    """Take silence as a refusal to throw anybody out."""
    yield from close(state, asked.id, "deadline")
    if asked.subject is not None:
        yield ExpulsionAnswered(prompt=asked.id, race=asked.subject, seat=seat_of(asked.owners[0]))


def expulsions(state: State) -> list[Prompt]:
    """The open questions whom to throw out, by id."""
    return sorted((p for p in state.prompts.values() if p.kind == Asked.EXPEL), key=lambda p: p.id)


def expulsion_dues(state: State) -> list[datetime]:
    """Until when the chosen gods may think; the century's end waits for them."""
    timers = [state.timers.get(timer_key(p.id)) for p in expulsions(state)]
    return [timer.due for timer in timers if timer is not None and timer.due is not None]


def decline_all(state: State, ctx: Context) -> Steps:
    """Every god who is still asked declines: the century ends."""
    for asked in expulsions(state):
        yield from settle_by_silence(state, ctx, asked)


def check_expulsions(state: State) -> None:
    """Refuse (`prompt.open`) while a god is asked whom to throw out."""
    if asked := expulsions(state):
        raise Refused(
            "prompt.open",
            f"{quantity(len(asked), 'god')} must say whom to throw out of a pantheon; mana is paid after that.",
            rules=("G2-TURM-5",),
        )
