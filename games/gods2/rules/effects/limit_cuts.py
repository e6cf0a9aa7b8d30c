"""Cuts of population limits (G2-LIM-3, G2-RES-9, 10): what each race can hold less of, until the century ends.

Each living race resists for itself, also one that comes to the squares later. Who finds no room any more moves or
starves when all is settled (G2-LIM-4).
"""

from collections.abc import Iterator

from games.engine.audience import PUBLIC
from games.engine.board.grid import squares_in
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.disasters import resisting
from games.gods2.rules.effects.events import LimitsCut, LimitsRestored
from games.gods2.rules.pack.operations import LimitCut
from games.gods2.rules.pack.resistance import limit_cut
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import places
from games.gods2.rules.workings.context import Doing, Working
from games.gods2.rules.workings.modifications import lasts
from games.gods2.rules.workings.scopes import WHOLE_RACES, concerned_races, fitting, ground

Steps = Iterator[Event]


def until(state: State, working: Working, effect: LimitCut) -> int | None:
    """The century at whose end a cut is over: this one, unless its data says otherwise (G2-LIM-3).

    A modification cuts anew in each century that it lasts, so its own duration says nothing of the cut's.
    """
    power = state.pack.powers[working.power] if working.power else None
    duration = effect.duration or (power.duration if power is not None and not lasts(power) else None) or "century"
    if duration in ("era", "permanent"):
        return None
    if duration.startswith("centuries:"):
        return state.era.century + int(duration.partition(":")[2]) - 1
    return state.era.century + (duration == "next_century")


def _cut_limit(state: State, ctx: Context, working: Working, effect: LimitCut) -> Steps:
    if effect.scope in WHOLE_RACES:
        squares, races = [], concerned_races(state, working, effect, effect.scope)
    else:
        squares = squares_in(ground(state, working, effect, effect.scope))
        living = [race.id for race in state.living()] if squares else []
        races = fitting(state, working, effect, living)
    for race in races:
        amount = limit_cut(effect.amount, resisting(state, working, race))
        if amount:
            yield LimitsCut(
                cut=ctx.mint(PUBLIC),
                race=race,
                squares=places(squares),
                terrain=effect.terrain,
                amount=amount,
                cause=working.cause,
                casting=working.casting,
                until=until(state, working, effect),
            )


def restore_limits(state: State) -> Steps:
    """Step 19: the cuts that last until this century's end are over."""
    for here in sorted(state.cuts.values(), key=lambda c: c.id):
        if here.until is not None and here.until <= state.era.century:
            yield LimitsRestored(cut=here.id)


LIMIT_CUT = Doing(_cut_limit, on_race=False)
