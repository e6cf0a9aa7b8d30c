"""Timers: what happens if nobody acts, once, in the order of what is due."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.audience import PUBLIC, SERVER
from games.engine.conduct import ClockSlipped, EndNow, Extend, FireNow, Pause, Resume, Start
from games.engine.kernel import Command, Context, Event
from games.engine.timer import (
    TimerCleared,
    TimerFired,
    TimerFrozen,
    TimerSet,
    TimerThawed,
    cleared,
)
from tests.engine.cairns import ANN, GM_ACTOR, HOST_ACTOR, table
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.toy.rules.commands import BringTide, TideCame
from tests.toy.rules.state import State

SECOND = timedelta(seconds=1)


class Chime(Command):
    """The clock strikes; a tide of this number is told."""

    count: int

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield TideCame(count=self.count)


def clock():
    """A game with commands for the clock, not started: no other timer runs."""
    cairns = table()
    object.__setattr__(cairns.ruleset, "own_commands", (*(c for c in cairns.ruleset.own_commands if c is not Chime), Chime))
    return cairns


def set_timer(cairns, key, seconds, count=0):
    due = cairns.now + seconds * SECOND
    cairns.happens(lambda s, c: iter([TimerSet.of(key, due, Chime(count=count), shown=PUBLIC)]))
    return cairns.state.timers[key]
