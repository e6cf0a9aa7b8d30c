"""A casting at the Window and its end (G2-QUEUE-1, G2-QUEUE-2): it works, its number is served, the next is called.

A casting of which something is still asked is not finished: its number is not served, and no war is fought. Wars that
have come due meanwhile keep their place and are fought when it is over (section 11.1).
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.kernel import Context, Event
from games.gods2.rules.casting.rules import Casting, carry_out_casting
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.declarations.rules import fight_timer, fighting_order, war_key
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf
from games.gods2.rules.window.prompts import call_of, questions, resume_clock
from games.gods2.rules.window.queue import dismiss_number, serve_number

Steps = Iterator[Event]


def carry_out_called(
    state: State, ctx: Context, casting: Casting, parts: Sequence[PartOf], identity: UUID | None = None
) -> Steps:
    """Carry out the casting of the called number."""
    number = state.era.called
    yield from carry_out_casting(state, ctx, casting, parts, identity)
    if number is not None:
        yield from dismiss_number(state, number)
    yield from finish_casting(state, ctx)


def finish_casting(state: State, ctx: Context) -> Steps:
    """When nothing is asked any more: overdue wars are fought, and who has cast is served; else the clock goes on."""
    if questions(state):
        return
    for war in fighting_order(waiting(state)):
        if war.due is not None and war.due <= ctx.now and war_key(war.id) not in state.timers:
            yield fight_timer(war.id, ctx.now)
    yield from resume_clock(state)
    if state.era.called is not None and call_of(state) is None:
        yield from serve_number(state, ctx, state.era.called)
