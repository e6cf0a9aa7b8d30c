"""One century (section 6 of the rulebook): its steps as small functions.

OPENING -> GROWTH -> STARTING -> AGGRESSION -> OPEN (the gods act) -> CLOSING -> RECKONING (worksheet) -> PAYING ->
CLOSED. Two timers drive it: the end of the Activity Phase and the end of the century. What follows by itself in which
phase stands in `games.gods2.rules.course`.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

from games.engine.audience import PUBLIC
from games.engine.bots import bot_key, wake_bots
from games.engine.deadlines import deadline_of_window, first_slot
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.lifecycle.gm_commands import GameEnded
from games.engine.prompts.questions import settle_by_silence
from games.engine.timer import CommandRef, TimerSet, clear_timer
from games.gods2.rules.calendar.events import GameFinished, SessionClosed, SessionOpened
from games.gods2.rules.calendar.rules import activity_key, end_key
from games.gods2.rules.cascade.aftermath import settle_races
from games.gods2.rules.century.calculation import pay_era, pay_mana
from games.gods2.rules.century.end import end_events
from games.gods2.rules.century.events import ActivityClosed, CenturyOpened, GrowthEnded, GrowthOrdered
from games.gods2.rules.century.start import start_events
from games.gods2.rules.cities.rules import site_questions
from games.gods2.rules.declarations.events import BoardOpened, waiting
from games.gods2.rules.declarations.rules import fighting_order
from games.gods2.rules.gm_desk.rules import void_open_tasks
from games.gods2.rules.growth.order import close_order_question, planned_order
from games.gods2.rules.growth.preview import finish_growth, grow_races, preview_in_hand
from games.gods2.rules.mana.rules import take_factors
from games.gods2.rules.pantheon.events import drop_draft
from games.gods2.rules.pantheon.expulsions import decline_all, expulsion_dues, later_turmoils
from games.gods2.rules.pantheon.orders import apply_deferred_orders
from games.gods2.rules.setup.events import CreationOpened
from games.gods2.rules.setup.second_creation import creation_due, has_failed, open_question, withdraw_question
from games.gods2.rules.state.options import CENTURIES, activity_margin, options_of
from games.gods2.rules.state.questions import GROWTH
from games.gods2.rules.state.records import ACTIVE, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import DueOf
from games.gods2.rules.war.schedule import fight_wars
from games.gods2.rules.window.prompts import take_defaults
from games.gods2.rules.window.queue import call_next, close_queue
from games.gods2.rules.workings.modifications import begin_century

Steps = Iterator[Event]


def open_century(state: State, ctx: Context, century: int) -> Steps:
    """Step 1: number and times, and what waited for this century; all steps up to the open board follow.

    A second Creation is open at once. In a game with a calendar a century ends at a slot of it, however short it is.
    """
    length = timedelta(seconds=state.era.century_seconds)
    ends = first_slot(options_of(state), deadline_of_window(state, ctx.now, length))
    closes = ends - timedelta(seconds=activity_margin(state))
    opened = CreationOpened if creation_due(state) else CenturyOpened
    yield opened(century=century, starts_at=ctx.now, activity_ends_at=closes, ends_at=ends)
    yield TimerSet.of(activity_key(century), closes, of_century("close-activity", century), shown=PUBLIC)
    yield end_timer(century, ends)
    yield from _wake_bots(state, ctx)
    yield from apply_deferred_orders(state, ctx)
    yield from later_turmoils(state, ctx)
    yield from begin_century(state)


def of_century(name: str, century: int) -> CommandRef:
    """A command of the clock for a century, which is built upon these steps."""
    return CommandRef(name, json.dumps({"century": century}, separators=(",", ":")))


def end_timer(century: int, due: datetime) -> TimerSet:
    """The timer that ends a century."""
    return TimerSet.of(end_key(century), due, of_century("open-next-century", century), shown=PUBLIC)


def _wake_bots(state: State, ctx: Context) -> Steps:
    """Every seat that a policy plays is asked in this century, each a little later than the one before."""
    played = [s for s in sorted(state.seats.values(), key=lambda s: s.id) if s.bot and s.id in state.gods]
    for place, seat in enumerate(played, start=1):
        if bot_key(seat.id) not in state.timers:
            wait = timedelta(milliseconds=state.era.century_seconds * 500 * place // len(played))
            yield from wake_bots(state, ctx, [seat.id], wait)


def order_growth(state: State, ctx: Context) -> Steps:
    """Step 3: the order in which the races grow: a GM's, else a random one."""
    yield from close_order_question(state, ctx)
    order = planned_order(state)
    if order is None:
        races = [race.id for race in state.living()]
        order = tuple(ctx.tray.shuffle(f"c{state.era.century}/growth", races, "G2-GROW-1"))
    yield GrowthOrdered(century=state.era.century, races=order)


def grow_all(state: State, ctx: Context) -> Steps:
    """Steps 4 and 5: each race that still has to grow, in its order, and then what else begins with the century."""
    yield from grow_races(state, ctx)
    if not is_waiting_for_gm(state):
        yield GrowthEnded(century=state.era.century)
        yield from start_events(state, ctx)


def open_board(state: State, ctx: Context) -> Steps:
    """Step 9: what is declared is posted, the queue is called."""
    posted = tuple(DueOf(war=w.id, due=w.due) for w in fighting_order(waiting(state)) if w.due is not None)
    yield BoardOpened(century=state.era.century, dues=posted)
    yield from call_next(state, ctx)


def close_activity(state: State, ctx: Context) -> Steps:
    """Steps 13 and 14: the queue is closed, all wars left are fought, gods' wars first; sacrifices; the worksheets."""
    century = state.era.century
    yield from clear_timer(state, activity_key(century))
    yield from take_defaults(state, ctx)
    yield from close_queue(state)
    yield from void_open_tasks(state, ctx)
    yield from fight_wars(state, ctx, list(waiting(state)))
    yield from settle_races(state, ctx, "activity_end")
    yield from end_events(state, ctx)
    yield ActivityClosed(century=century)


def is_waiting_for_gm(state: State) -> bool:
    """Whether the century waits for a GM before its board is open: a preview of growth, or the site of a city."""
    return preview_in_hand(state) is not None or bool(site_questions(state, GROWTH))


BEGINNING = (Phase.OPENING, Phase.GROWTH, Phase.STARTING, Phase.AGGRESSION)
"""The phases before the board is open; a century that waits in one waits for a placement or the site of a city."""


def end_activity(state: State, ctx: Context) -> Steps:
    """End the Activity Phase, in whatever phase the century is: what it has left to begin is begun before."""
    yield from clear_timer(state, activity_key(state.era.century))  # without it nobody is asked any more
    for waiting_site in site_questions(state, GROWTH):
        yield from settle_by_silence(state, ctx, waiting_site)
    yield from finish_growth(state, ctx)
    yield from ctx.goes_on(state, ctx)
    yield from close_activity(state, ctx)


def end_century(state: State, ctx: Context) -> Steps:
    """The century is over: what it still owes is done; the next one follows, or the end of the session or the era."""
    century = state.era.century
    yield from clear_timer(state, end_key(century))
    if state.era.phase in (*BEGINNING, *ACTIVE):  # ended before the end of the Activity Phase: that comes first
        yield from end_activity(state, ctx)
        yield from ctx.goes_on(state, ctx)
    if waits := [due for due in expulsion_dues(state) if due > ctx.now]:
        yield end_timer(century, max(waits))
        return
    yield from decline_all(state, ctx)
    if state.era.phase is Phase.RECKONING:
        yield from pay_mana(state)
    if state.living():
        yield from withdraw_question(state)


def is_century_over(state: State) -> bool:
    """Whether the next century may follow: this one is closed, its time is up, and no second Creation is asked for."""
    is_due = state.era.phase is Phase.CLOSED and end_key(state.era.century) not in state.timers
    return is_due and open_question(state) is None


def next_century(state: State, ctx: Context) -> Steps:
    """The next century opens, or the session or the era ends."""
    century = state.era.century
    if century >= CENTURIES:
        yield from finish_era(state, f"{CENTURIES} centuries have passed")
    elif has_failed(state):
        yield from finish_era(state, "all mortals died")
    elif century >= sum(state.era.plan[: state.era.session]):
        yield from close_session(state, ctx)
    else:
        yield from open_century(state, ctx, century + 1)


def finish_era(state: State, reason: str) -> Steps:
    """Era Centrum is over: drafts that wait are void, what is still owed is paid (G2-TIME-1, G2-CREA-5).

    reason: why, as half a sentence.
    """
    for order in sorted(state.orders):
        yield from drop_draft(state, order)
    yield from pay_era(state)
    yield GameFinished(century=state.era.century, reason=reason)
    yield GameEnded(reason=f"{reason}.")


def close_session(state: State, ctx: Context) -> Steps:
    """A session is over; the next one opens when a GM says so, or by itself where the options say that."""
    yield SessionClosed(session=state.era.session)
    if options_of(state).auto_sessions:
        yield from open_session(state, ctx)


def open_session(state: State, ctx: Context) -> Steps:
    """The next session: factors are taken, its first century opens."""
    era = state.era
    if era.session >= len(era.plan):
        raise Refused("session.missing", "Every session of the plan was held.", rules=("G2-TIME-2",))
    session = era.session + 1
    yield SessionOpened(session=session, century=era.century + 1, count=era.plan[era.session])
    yield from take_factors(state, session)
    yield from open_century(state, ctx, era.century + 1)
