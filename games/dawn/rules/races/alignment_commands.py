"""Alignment: purify and corrupt a race or a city, and the objection of its people's creators (DW-ALN-*)."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal
from uuid import UUID

from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.powers.questions import Objection, PowerQuestion
from games.dawn.rules.races.events import AlignmentShifted
from games.dawn.rules.state.constants import ALIGNMENTS, HIGHEST_ALIGNMENT, LOWEST_ALIGNMENT, PRICES
from games.dawn.rules.state.records import City, Power, Race
from games.dawn.rules.state.schema_types import Price
from games.dawn.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event

ROWS = {  # (direction, of a city)
    (1, False): Price.PURIFY_RACE,
    (-1, False): Price.CORRUPT_RACE,
    (1, True): Price.PURIFY_CITY,
    (-1, True): Price.CORRUPT_CITY,
}


class ShiftAlignment(PowerCommand):
    """Purify (+1) or corrupt (-1) a race or a city; the other creators of its people may object."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ALN-1", "DW-ALN-2")

    target: UUID
    """The race or the city."""
    dir: Literal[1, -1]
    """1 purifies, -1 corrupts."""

    def row(self, state: State) -> Price:
        return ROWS[self.dir, self.target in state.cities]

    def hits(self) -> UUID:
        return self.target

    def check(self, state: State, cast: Cast) -> None:
        state.people(self.target)
        now = _scale(state, self.target).alignment
        if not LOWEST_ALIGNMENT <= now + self.dir <= HIGHEST_ALIGNMENT:
            raise Refused(
                "scale.end",
                f"The alignment of {state.title(self.target)} is {ALIGNMENTS[now]} already; the scale ends there.",
                rules=("DW-ALN-1",),
                now=now,
            )

    def questions(self, state: State, power: Power) -> Iterable[PowerQuestion]:
        creators = set(state.people(self.target).creators)
        if creators != {power.caster}:
            yield Objection(asked=tuple(state.present(creators - {power.caster})))

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        now = _scale(state, self.target).alignment
        yield AlignmentShifted(target=self.target, before=now, after=now + self.dir)

    def saying(self, state: State) -> str:
        return f"{'purify' if self.dir == 1 else 'corrupt'} {state.title(self.target)}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        races = state.living_races()
        cities = [c for c in state.cities.values() if c.race in {r.id for r in races}]
        for (direction, of_city), row in ROWS.items():
            end = HIGHEST_ALIGNMENT if direction == 1 else LOWEST_ALIGNMENT
            those: list[Race] | list[City] = cities if of_city else races
            open_ones = [t.id for t in those if t.alignment != end and (row.value, t.id) not in state.marks]
            if open_ones:
                arguments = {"target": Choices.of(open_ones), "dir": Choices.of((direction,))}
                yield LegalCommand(cls.slug(), arguments, price=PRICES[row][state.course.age - 1])


def _scale(state: State, target: UUID) -> Race | City:
    """The race or the city whose own scale is meant."""
    return state.cities[target] if target in state.cities else state.races[target]
