"""The Calculation Phase as facts: the worksheet, and what a century has paid (G2-CALC-*)."""

from dataclasses import replace
from typing import ClassVar

from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.mana_sources import end_sources
from games.gods2.rules.state.names import line_name
from games.gods2.rules.state.records import Line, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import LineOf, Value


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
