"""The Calculation Phase (G2-CALC-1 to 3): the worksheet is opened, a GM may correct its counts, mana is paid.

Boxes hold the deaths of the century by their cause, race lines the effective worshippers, source lines the rest. The
worksheet stands open until a GM approves it or the century ends.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, close_question
from games.gods2.rules.century.worksheet_events import (
    CenturyClosed,
    EraPaid,
    Summary,
    WorksheetClosed,
    WorksheetOpened,
)
from games.gods2.rules.effects.limit_cuts import restore_limits
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.growth.order import ask_order
from games.gods2.rules.history.naming import leave_unnamed
from games.gods2.rules.mana.counts import count
from games.gods2.rules.mana.rules import revenues
from games.gods2.rules.pantheon.expulsions import roll_turmoils
from games.gods2.rules.setup.second_creation import call_creation
from games.gods2.rules.state.mana_sources import DEATHS, WORSHIP, end_sources, is_counted, sources, split_counter
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import Line, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import LineOf
from games.gods2.rules.workings.modifications import end_century

Steps = Iterator[Event]


def line_of(line: Line) -> LineOf:
    """A line of the state as events show it."""
    match line.kind:
        case "box":
            return LineOf(box=line.key, count=line.count)
        case "race":
            return LineOf(race=UUID(line.key), count=line.count)
    return LineOf(source=line.key, count=line.count)


def worshippers(state: State, race: UUID) -> int:
    """Effective worshippers: strength, and 0 after any turmoil in the century (G2-CALC-2, G2-TURM-2)."""
    found = state.races[race]
    return 0 if found.turmoil or found.troubled else strength(state, race)


def worksheet(state: State) -> list[LineOf]:
    """The lines of the century: boxes as they are, a line for each source that is paid now, a line for each race."""
    boxes = [line_of(line) for line in sorted(state.lines.values(), key=lambda i: i.key) if line.kind == "box"]
    counted = [
        LineOf(source=source.id, count=count(state, source))
        for source in sources(state)
        if is_counted(state, source) and split_counter(source.counter)[0] not in (WORSHIP, DEATHS)
    ]
    races = [LineOf(race=race.id, count=worshippers(state, race.id)) for race in state.living()]
    return [*boxes, *counted, *races]


def calculate(state: State, ctx: Context) -> Iterator[Event]:
    """Steps 15 and 16: the dice of turmoil, then the worksheet is opened and the GMs are asked about it."""
    yield from roll_turmoils(state, ctx)
    yield WorksheetOpened(century=state.era.century, lines=tuple(worksheet(state)))
    yield from ask_row(state, ctx, Asked.WORKSHEET, century=state.era.century)


def pay_mana(state: State) -> Iterator[Event]:
    """Step 17: the worksheet is closed and every god is paid the whole part of what they have earned."""
    yield from close_question(state, Asked.WORKSHEET, "closed")
    lines = tuple(line_of(line) for _, line in sorted(state.lines.items()))
    earned = revenues(state)
    yield WorksheetClosed(century=state.era.century, lines=lines)
    for revenue in earned:
        yield revenue.payment_event(state)


def pay_era(state: State) -> Iterator[Event]:
    """Pay what is paid when the game ends, where a setting says so (G2-MANA-7, AMB-63)."""
    paid = end_sources(state)
    if paid:
        earned = revenues(state, paid)
        counts = tuple(line_of(line) for source in paid if (line := state.lines.get(("source", source.id))))
        yield EraPaid(century=state.era.century, lines=counts)
        for revenue in earned:
            yield revenue.payment_event(state)


def close_century(state: State, ctx: Context) -> Iterator[Event]:
    """Steps 18 and 19: whether a mortal is left; modifications, cuts of limits, flags, the death worksheet end."""
    yield from call_creation(state, ctx)
    yield from leave_unnamed(state, ctx)
    yield from end_century(state)
    yield from restore_limits(state)
    yield CenturyClosed(century=state.era.century, summary=summary(state))
    yield from ask_order(state, ctx)


def summary(state: State) -> Summary:
    """The century in numbers, before its worksheet is emptied."""
    wars = [w for w in state.wars.values() if w.century == state.era.century]
    return Summary(
        races=len(state.living()),
        units=int(state.board.units.sum()),
        cities=len(state.cities),
        deaths=sum(line.count for line in state.lines.values() if line.kind == "box"),
        wars=sum(1 for w in wars if w.status is WarStatus.FOUGHT),
        averted=sum(1 for w in wars if w.status is WarStatus.AVERTED),
    )
