"""What follows from a deed: settling, and what its losses wake, until nothing more follows (G2-CITY-10)."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from games.engine.kernel import Context, Event
from games.engine.settling import settle_rounds
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.effects.triggers import run_with_triggers
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.events import ModificationFired


def settle_races(state: State, ctx: Context, cause: str, races: Iterable[UUID] | None = None) -> Iterator[Event]:
    """Settle these races, all living ones by default; wake what waited for a city that fell, and settle that too."""
    concerned = None if races is None else list(races)
    yield from settle_rounds(
        lambda: run_with_triggers(state, ctx, settle(state, ctx, cause, concerned)),
        again=lambda event: isinstance(event, ModificationFired),
    )


def run_and_settle(
    state: State, ctx: Context, steps: Iterator[Event], cause: str, races: Iterable[UUID] | None = None
) -> Iterator[Event]:
    """Let something happen that may activate modifications; when it has activated one, settle what that has changed."""
    is_triggered = False
    for event in run_with_triggers(state, ctx, steps):
        is_triggered = is_triggered or isinstance(event, ModificationFired)
        yield event
    if is_triggered:
        yield from settle_races(state, ctx, cause, races)
