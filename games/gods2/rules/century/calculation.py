"""The Calculation Phase (G2-CALC-1 to 3): the worksheet is opened, a GM may correct its counts, mana is paid.

Boxes hold the deaths of the century by their cause, race lines the effective worshippers, source lines the rest. The
worksheet stands open until a GM approves it or the century ends.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.questions import ask_row, close_question
from games.engine.wording import quantity
from games.gods2.rules.century.mana import revenues
from games.gods2.rules.century.mana_sources import (
    DEATHS,
    WORSHIP,
    count,
    end_sources,
    is_counted,
    sources,
    split_counter,
)
from games.gods2.rules.effects.limit_cuts import restore_limits
from games.gods2.rules.effects.modifications import end_century
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.growth.order import ask_order
from games.gods2.rules.history.naming import leave_unnamed
from games.gods2.rules.pantheon.turmoil_commands import check_expulsions, roll_turmoils
from games.gods2.rules.setup.second_creation import call_creation
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.names import line_name
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import Line, Phase, WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import LineOf, Value
from games.gods2.rules.state.wording import stand_name

Text = Annotated[str, Field(max_length=2000)]


class WorksheetOpened(Event[State]):
    """The counts of the century are on the table."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-1", "G2-CALC-2")

    century: int
    lines: tuple[LineOf, ...]

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.RECKONING)
        for line in self.lines:
            kind, key = key_of(line)
            state.lines[kind, key] = Line(kind, key, line.count)

    def sentence(self, state: State) -> str:
        return f"The worksheet of century {self.century} is open; the GM may correct its counts."


class WorksheetCorrected(Event[State]):
    """A GM has corrected a count."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    century: int
    line: str
    before: int
    count: int
    reason: str

    def apply(self, state: State) -> None:
        kind, _, key = self.line.partition(":")
        state.lines[kind, key] = Line(kind, key, self.count)

    def sentence(self, state: State) -> str:
        return f"The GM counts {self.count} for {line_name(state, self.line)}, not {self.before}. {self.reason}".strip()


class WorksheetApproved(ForGm[State]):
    """A GM has approved the worksheet before the century's end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    century: int


class WorksheetClosed(Event[State]):
    """The counts of the century stand; mana is paid for them."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    century: int
    lines: tuple[LineOf, ...]

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.PAYING)

    def sentence(self, state: State) -> str:
        return f"The worksheet of century {self.century} is closed; mana is paid."


class Summary(Value):
    """A century in numbers."""

    races: int
    """Living races."""
    units: int
    """Units of all races."""
    cities: int
    deaths: int
    wars: int
    """Wars that were fought."""
    averted: int


class CenturyClosed(Event[State]):
    """A century is over: flags end, the worksheet is emptied, unless some of it is paid when the game ends."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-2", "G2-CALC-1")

    century: int
    summary: Summary

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.CLOSED)
        for race in list(state.races.values()):
            if race.starved or race.counted or race.troubled is not race.turmoil:
                state.races[race.id] = replace(race, starved=False, troubled=race.turmoil, counted=())
        if not end_sources(state):
            empty_worksheet(state)

    def sentence(self, state: State) -> str:
        s = self.summary
        held = f"{quantity(s.races, 'race')}, {quantity(s.units, 'unit')}, {quantity(s.cities, 'city')}"
        return (
            f"Century {self.century} is over: {held}; "
            f"{quantity(s.deaths, 'death')}, {quantity(s.wars, 'war')} fought, {s.averted} averted."
        )


class EraPaid(Event[State]):
    """The sources of the era's end are paid from the worksheet of the last century, which is emptied now."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7", "G2-AMB-63")

    century: int
    lines: tuple[LineOf, ...]
    """Their counts."""

    def apply(self, state: State) -> None:
        empty_worksheet(state)

    def sentence(self, state: State) -> str:
        return "The sources of the era's end are paid."


def empty_worksheet(state: State) -> None:
    """Forget the counts of a century. Called by events while they are applied."""
    for line in list(state.lines):
        del state.lines[line]


def key_of(line: LineOf) -> tuple[str, str]:
    """Kind and key of a line."""
    if line.box is not None:
        return "box", line.box
    return ("source", line.source) if line.source is not None else ("race", str(line.race))


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


def require_reckoning(state: State) -> None:
    """Refuse (`worksheet.closed`, `clock.paused`) while no worksheet is open."""
    if state.era.phase is not Phase.RECKONING:
        now = stand_name(state.era.phase, state.era.century)
        raise Refused(
            "worksheet.closed",
            f"No worksheet is open: {now}. A GM corrects by amendments what is paid.",
            rules=("G2-CALC-2",),
        )
    state.require(Phase.RECKONING)


class CorrectWorksheet(Enumerable[State]):
    """Correct a count of the worksheet before mana is paid for it."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    line: str = Field(min_length=1, max_length=120)
    """The line, as it is listed: deaths in a box, a mana source, the worshippers of a race."""
    count: int
    """What it should say."""
    text: Text = ""
    """Why."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_reckoning(state)
        kind, _, key = self.line.partition(":")
        line = state.lines.get((kind, key))
        if line is None:
            raise Refused(
                "line.missing", f"The worksheet has no line for {line_name(state, self.line)}.", rules=("G2-CALC-2",)
            )
        if self.count < 0:
            raise Refused("count.invalid", "A count is 0 or more.", rules=("G2-CALC-2",), count=self.count)
        yield WorksheetCorrected(
            century=state.era.century, line=self.line, before=line.count, count=self.count, reason=self.text
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_reckoning(state)
        keys = (f"{kind}:{key}" for kind, key in sorted(state.lines))
        lines = Choices.with_titles({key: line_name(state, key) for key in keys})
        yield LegalCommand(cls.slug(), {"line": lines, "count": Range(low=0), "text": FreeText()})


class ApproveWorksheet(Enumerable[State]):
    """Approve the worksheet: mana is paid at once instead of at the century's end."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-2",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_reckoning(state)
        check_expulsions(state)
        yield WorksheetApproved(century=state.era.century)
        yield from pay_mana(state)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_reckoning(state)
        check_expulsions(state)
        yield LegalCommand(cls.slug())
