"""Sessions (G2-TIME-1, 2): how the 16 centuries are spread over the evenings, and how long a century is."""

from collections.abc import Iterator
from datetime import timedelta

from games.engine.kernel import Context, Event
from games.gods2.rules.state.state import State


def activity_key(century: int) -> str:
    """The key of the timer that ends the Activity Phase."""
    return f"century:{century}/activity"


def end_key(century: int) -> str:
    """The key of the timer that ends the century."""
    return f"century:{century}/end"


def leaves_time(state: State, ctx: Context, window: timedelta) -> bool:
    """Whether the Activity Phase lasts longer than a window; one that is being ended, in time or early, does not."""
    end = state.era.activity_ends_at
    return activity_key(state.era.century) in state.timers and end is not None and ctx.now + window < end


def take_up(state: State, ctx: Context, command: str) -> Iterator[Event]:
    """Go on with the century by a command of the clock, named as data: its chapter is built upon what waited."""
    yield from ctx.command(command, f'{{"century": {state.era.century}}}').decide(state, ctx)
