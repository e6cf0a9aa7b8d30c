"""Small operations of section 4.2: mana, the length of a century, modifications given and taken, tasks for the GM."""

import json
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from games.engine.audience import seats
from games.engine.deadlines import first_slot
from games.engine.errors import Refused
from games.engine.game_state import Timer
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import timer_key
from games.engine.prompts.questions import ask_row
from games.engine.timer import TimerSet
from games.gods2.rules.calendar.rules import activity_key, end_key
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.declarations.rules import fight_timer, fighting_order, war_key
from games.gods2.rules.effects.cults import member_named, member_of
from games.gods2.rules.effects.events import CenturyLengthChanged, TaskOpened
from games.gods2.rules.geometry.adjacency import owned_cities
from games.gods2.rules.mana.events import ManaGained, PoolGained
from games.gods2.rules.mana.rules import balance_of, shares_pool
from games.gods2.rules.pack.operations import CenturyTime, Grant, Mana, Manual, Strip, TurnOff
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.options import LONGEST_MINUTES, SHORTEST_MINUTES, STANDARD_SECONDS, options_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import DIABOLISM
from games.gods2.rules.state.shares import JEALOUS
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Doing, Working, held_squares, works_there
from games.gods2.rules.workings.modifications import add_modification, check_duplicate, lasts, strip_modifications

Steps = Iterator[Event]

MINUTE = 60  # seconds
"""The command by which silence settles a task."""


def _mana(state: State, ctx: Context, working: Working, effect: Mana) -> Steps:
    """Give or take mana; nobody falls below 0."""
    if not works_there(state, working, effect):
        return
    amount = effect.amount * times(state, working, effect)
    for seat in receivers(state, working, effect):
        god = state.gods[seat]
        before = balance_of(state, god)
        after = max(0, before + amount)
        if after != before and shares_pool(state, god):
            yield PoolGained(amount=after - before, balance=after, cause=working.cause, casting=working.casting)
        elif after != before:
            yield ManaGained(
                seat=seat, amount=after - before, balance=after, cause=working.cause, casting=working.casting
            )


def times(state: State, working: Working, effect: Mana) -> int:
    """How often an amount counts: for each unit, square or city of the race hit, or on the squares aimed at."""
    if effect.per == "once":
        return 1
    on_squares = bool(working.squares)
    held = held_squares(state, working, effect)
    squares = [square for square in working.squares if held[square]]
    race = working.races[0] if working.races else None
    match effect.per:
        case "unit" if on_squares:
            return sum(int(state.board.units[square]) for square in squares)
        case "square" if on_squares:
            return len(squares)
        case "city" if on_squares:
            return sum(1 for city in state.cities.values() if city.square in squares)
    if race is None:
        return 0
    if effect.per == "city":
        return len(owned_cities(state, race))
    own = state.board.own(race) & held
    return int(own.sum()) if effect.per == "square" else int(state.board.units[own].sum())


def receivers(state: State, working: Working, effect: Mana) -> list[UUID]:
    """Whose mana it is: the caster's, that of every god of the race hit, by id, or a named god's."""
    if effect.to == "caster":
        return [working.caster] if working.caster is not None else []
    if effect.to == "pantheon":
        return god_members(state, working.races[0]) if working.races else []
    member = member_named(state, working, effect.to)
    return [] if member is None or member in JEALOUS else [UUID(member)]


def check_mana(state: State, working: Working, effect: Mana) -> None:
    """Refuse (`member.missing`) a god who is not in this game."""
    if effect.to not in ("caster", "pantheon", DIABOLISM):
        member_of(state, working, effect.to)


def _century_time(state: State, ctx: Context, working: Working, effect: CenturyTime) -> Steps:
    """Move the ends of the Activity Phase and of the century by so many minutes, within 15 to 45 minutes in all."""
    era = state.era
    activity, end = state.timers.get(activity_key(era.century)), state.timers.get(end_key(era.century))
    if era.starts_at is None or era.activity_ends_at is None or era.ends_at is None or activity is None or end is None:
        return
    if not works_there(state, working, effect):
        return
    length = int((era.ends_at - era.starts_at).total_seconds())
    minute = minute_of(state)
    by = timedelta(seconds=bounded_length(length, effect.minutes * minute, minute) - length)
    by = max(by, ctx.now - era.activity_ends_at)
    by = first_slot(options_of(state), era.ends_at + by) - era.ends_at
    if not by:
        return
    closes, ends = era.activity_ends_at + by, era.ends_at + by
    yield CenturyLengthChanged(
        century=era.century,
        minutes=int((ends - era.starts_at).total_seconds()) // MINUTE,
        activity_ends_at=closes,
        ends_at=ends,
        casting=working.casting,
    )
    tasks = [(task, closes) for task in task_timers(state)]
    for timer, due in ((activity, closes), (end, ends), *tasks):
        yield TimerSet(
            key=timer.key, due=due, does=timer.does, with_=timer.arguments, shown=timer.shown, subject=timer.subject
        )
    for war in fighting_order(waiting(state)):
        timed = state.timers.get(war_key(war.id))
        if war.due is not None and timed is not None and timed.due is not None and timed.due > war.due:
            yield fight_timer(war.id, war.due)


def minute_of(state: State) -> int:
    """A minute of a century of 30; in a rehearsal's short centuries it is as much shorter."""
    seconds = state.era.century_seconds
    if SHORTEST_MINUTES * MINUTE <= seconds <= LONGEST_MINUTES * MINUTE:
        return MINUTE
    return max(1, MINUTE * seconds // STANDARD_SECONDS)


def bounded_length(length: int, by: int, minute: int) -> int:
    """A century's new length: within 15 to 45 minutes in all, and never moved against what the power wants."""
    if by > 0:
        return max(length, min(length + by, LONGEST_MINUTES * minute))
    return min(length, max(length + by, SHORTEST_MINUTES * minute))


def check_grant(state: State, working: Working, effect: Grant) -> None:
    """Refuse (`power.duplicate`) what the race has already."""
    if working.races:
        check_duplicate(state, working.race, state.pack.powers[effect.mod])


def _grant(state: State, ctx: Context, working: Working, effect: Grant) -> Steps:
    power = state.pack.powers[effect.mod]
    try:
        check_grant(state, working, effect)
    except Refused:  # what is there already is not given twice
        return
    if lasts(power):
        yield from add_modification(state, ctx, working.race, power, working.casting)


def _strip(state: State, ctx: Context, working: Working, effect: Strip) -> Steps:
    yield from strip_modifications(state, working.race, effect.filter, effect.max, working.modification)


def _turn_off(state: State, ctx: Context, working: Working, effect: TurnOff) -> Steps:
    """Modifications end: the one whose effect this is, or others."""
    yield from strip_modifications(state, working.race, effect.filter, None, working.modification)


def _manual(state: State, ctx: Context, working: Working, effect: Manual) -> Steps:
    """Give the GMs a task. What was paid is recorded with the first task of a casting, to be returned if it is void."""
    if not works_there(state, working, effect):
        return
    known = any(task.casting == working.casting for task in state.tasks.values())
    parts = () if known or working.repeated else working.parts
    task = ctx.mint(seats(*(part.seat for part in parts), gm=True))
    yield TaskOpened(task=task, casting=working.casting, words=effect.text, parts=parts)
    activity = state.timers.get(activity_key(state.era.century))
    due, carried = activity.due if activity is not None else None, json.dumps({"task": str(task)})
    yield from ask_row(state, ctx, Asked.TASK, task, due=due, carries=carried, words=effect.text)


def task_timers(state: State) -> list[Timer]:
    """The deadlines of the tasks of this Activity Phase; they go with its end."""
    keys = sorted(timer_key(prompt.id) for prompt in state.prompts.values() if prompt.kind == Asked.TASK)
    return [state.timers[key] for key in keys if key in state.timers and state.timers[key].due is not None]


MANA = Doing(_mana, check_mana, on_race=False)
CENTURY_TIME = Doing(_century_time, on_race=False)
GRANT = Doing(_grant, check_grant)
STRIP = Doing(_strip)
TURN_OFF = Doing(_turn_off)
TASK = Doing(_manual, on_race=False)
