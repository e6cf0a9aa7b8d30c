"""What powers do, as facts: chosen, struck, cut, rolled, changed (section 4)."""

from dataclasses import replace
from datetime import datetime
from typing import ClassVar, Literal
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.pack.wording import effects_name
from games.gods2.rules.state.constants import number
from games.gods2.rules.state.effect_records import Cut, Task
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, PartOf, Place, RowOf, TerrainLetter
from games.gods2.rules.state.wording import TERRAIN
from games.gods2.rules.units.events import add_units


class EffectAsked(Event[State]):
    """Somebody chooses what an effect does."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    prompt: UUID
    casting: UUID | None = None
    rows: tuple[RowOf, ...]
    seats: tuple[UUID, ...] = ()
    """Who may choose; the GMs when empty."""

    def audience(self, state: State) -> Audience:
        return seats(*self.seats, gm=True)


class EffectChosen(Event[State]):
    """It is decided what an effect does."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    casting: UUID | None = None
    choice: str
    does: str = ""
    """What is chosen, in words."""

    def sentence(self, state: State) -> str:
        return f"It is chosen what happens: {self.does or self.choice}."


class DisasterStruck(Event[State]):
    """A disaster strikes squares, or whole races; `races` are those it hits, whether or not anybody dies."""

    rules: ClassVar[tuple[str, ...]] = ("G2-DIS-1", "G2-DIS-3")

    casting: UUID | None = None
    table: str | None = None
    elements: tuple[str, ...] = ()
    squares: tuple[Place, ...] = ()
    races: tuple[UUID, ...] = ()

    def sentence(self, state: State) -> str:
        kind = f"A disaster ({' and '.join(self.elements)})" if self.elements else "A disaster"
        return f"{kind} strikes {', '.join(state.races[r].name for r in self.races) or 'where nobody lives'}."


class LimitsCut(Event[State]):
    """A race can hold fewer units: on these squares, all when none are named, of this terrain."""

    rules: ClassVar[tuple[str, ...]] = ("G2-LIM-3", "G2-RES-9", "G2-RES-10")

    cut: UUID
    race: UUID
    squares: tuple[Place, ...] = ()
    terrain: str | None = None
    amount: int
    cause: str
    casting: UUID | None = None
    until: int | None = None
    """The century at whose end it is over; none: it stays."""

    def apply(self, state: State) -> None:
        state.cuts[self.cut] = Cut(
            id=self.cut,
            race=self.race,
            amount=self.amount,
            squares=tuple(place.square for place in self.squares),
            terrain=self.terrain,
            casting=self.casting,
            until=self.until,
        )

    def sentence(self, state: State) -> str:
        where = f" on {quantity(len(self.squares), 'square')}" if self.squares else ""
        less = quantity(self.amount, "unit")
        return f"{state.races[self.race].name} can hold {less} less{where} ({cause_name(state, self.cause)})."


class LimitsRestored(Event[State]):
    """A cut of limits is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-LIM-3",)

    cut: UUID

    def apply(self, state: State) -> None:
        del state.cuts[self.cut]


class CenturyLengthChanged(Event[State]):
    """A power makes this century longer or shorter; the times of posted wars stay, but none is later than its end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2", "G2-AMB-59")

    century: int
    minutes: int
    """Its length now, in whole minutes."""
    activity_ends_at: datetime
    ends_at: datetime
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        state.set_era(activity_ends_at=self.activity_ends_at, ends_at=self.ends_at)
        for war in list(waiting(state)):
            if war.due is not None and war.due > self.activity_ends_at:
                state.wars[war.id] = replace(war, due=self.activity_ends_at)

    def sentence(self, state: State) -> str:
        return (
            f"Century {self.century} lasts {quantity(self.minutes, 'minute')} now; "
            f"its Activity Phase ends at {self.activity_ends_at:%H:%M:%S} UTC."
        )


class TaskOpened(Event[State]):
    """A casting has an effect that a GM carries out by hand."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    task: UUID
    casting: UUID | None = None
    words: str
    parts: tuple[PartOf, ...] = ()
    """Who has paid how much for it."""

    def audience(self, state: State) -> Audience:
        return seats(*(part.seat for part in self.parts), gm=True)

    def apply(self, state: State) -> None:
        payers = tuple((part.seat, part.amount) for part in self.parts)
        state.tasks[self.task] = Task(self.task, self.casting, self.words, payers, self.audience(state))

    def sentence(self, state: State) -> str:
        return f"The GM will do by hand: {self.words}"


TABLE_RULE = "G2-MISC-1"


class TableRolled(Event[State]):
    """A roll on a roll table; `row` is the lowest result of the row that works, none when nothing happens."""

    rules: ClassVar[tuple[str, ...]] = (TABLE_RULE,)

    table: str
    square: Place | None = None
    race: UUID | None = None
    row: int | None = None
    casting: UUID | None = None

    def sentence(self, state: State) -> str:
        where = f" at {self.square.x}, {self.square.y}" if self.square is not None else ""
        rows = state.pack.tables[self.table].rows if self.table in state.pack.tables else ()
        row = next((row for row in rows if row.from_ == self.row), None)
        what = effects_name(state.pack, row.effects if row is not None else ())
        return f"A die is rolled for {cause_name(state, f'feature:{self.table}')}{where}: {what}."


class PowerRepeated(Event[State]):
    """A power works again, unpaid, on another race."""

    rules: ClassVar[tuple[str, ...]] = (TABLE_RULE,)

    casting: UUID | None = None
    power: str
    race: UUID

    def sentence(self, state: State) -> str:
        return f"{state.pack.powers[self.power].name} goes on to {state.races[self.race].name}."


SPREADING_RULE = "G2-TERR-4"


class TerrainSpreadRolled(Event[State]):
    """The die of a glacier, a desert, or a race that cuts its forests; `square` is the one that changes."""

    rules: ClassVar[tuple[str, ...]] = (SPREADING_RULE,)

    feature: UUID | None = None
    race: UUID | None = None
    square: Place | None = None
    result: Literal["nothing", "spread"]

    def sentence(self, state: State) -> str:
        if self.feature is not None:
            here = state.features[self.feature]
            who = f"{state.pack.features[here.kind].name} at {here.square.column}, {here.square.row}"
        else:
            who = state.races[self.race].name if self.race is not None else "The land"
        if self.square is None:
            return f"{who}: the land stays as it is."
        return f"{who}: the land changes at {self.square.x}, {self.square.y}."


class TerrainChanged(Event[State]):
    """Squares have another base terrain."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TERR-1", "G2-TERR-3")

    squares: tuple[Place, ...]
    terrain: TerrainLetter
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        for place in self.squares:
            state.board.set_terrain(place.square, number(self.terrain))

    def sentence(self, state: State) -> str:
        where = "; ".join(f"{place.x}, {place.y}" for place in self.squares)
        return f"The land becomes {TERRAIN[self.terrain]} at {where}."


class AttributeGained(Event[State]):
    """A people has an attribute more, by a power of a second Creation."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CREA-4",)

    race: UUID
    attribute: str
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        race = state.races[self.race]
        state.races[self.race] = replace(race, attributes=tuple(sorted({*race.attributes, self.attribute})))

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} have a trait more: {state.pack.attributes[self.attribute].name}."


class FeatureRemoved(Event[State]):
    """A terrain feature is gone."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TERR-3", "G2-FEAT-1")

    feature: UUID
    kind: str
    square: Place
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        del state.features[self.feature]

    def sentence(self, state: State) -> str:
        return f"{state.pack.features[self.kind].name} at {self.square.x}, {self.square.y} is no more."


class UnitsAdded(Event[State]):
    """A race has new units by a power."""

    rules: ClassVar[tuple[str, ...]] = ("G2-LIM-4",)

    race: UUID
    placed: tuple[Held, ...]
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        add_units(state, self.race, self.placed)

    def sentence(self, state: State) -> str:
        gained = quantity(sum(h.units for h in self.placed), "unit")
        return f"{state.races[self.race].name} gain {gained} ({cause_name(state, self.cause)})."
