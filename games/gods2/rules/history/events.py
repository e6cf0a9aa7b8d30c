"""The chronicle and its names, as facts (G2-HREC-*, G2-HIST-*)."""

from dataclasses import replace
from typing import Any, ClassVar, Literal
from uuid import UUID

from games.engine.kernel import Event
from games.engine.state import Rows
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.effect_records import Land
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place

Kind = Literal["city", "feature", "land", "war", "race"]


HREC = ("G2-HREC-3",)


class NameAsked(ForSeat[State]):
    """A god may name what they have caused."""

    rules: ClassVar[tuple[str, ...]] = HREC

    prompt: UUID
    kind: Kind
    subject: UUID
    name: str
    """The neutral name."""
    seat: UUID

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} may give {self.name} another name."


class PlaceNamed(Event[State]):
    """A city, a feature, a land, a war or a race has a name."""

    rules: ClassVar[tuple[str, ...]] = HREC

    kind: Kind
    subject: UUID
    squares: tuple[Place, ...] = ()
    """Of a land."""
    name: str

    def apply(self, state: State) -> None:
        if self.kind == "land":
            state.lands[self.subject] = Land(self.subject, self.name, tuple(p.square for p in self.squares))
        else:
            rows = nameable_things(state, self.kind)
            rows[self.subject] = replace(rows[self.subject], name=self.name)

    def sentence(self, state: State) -> str:
        return f"A {self.kind} is called {self.name} from now on."


def nameable_things(state: State, kind: Kind) -> Rows[UUID, Any]:
    """The things of a kind that can be named."""
    match kind:
        case "city":
            return state.cities
        case "feature":
            return state.features
        case "race":
            return state.races
        case "land":
            return state.lands
    return state.wars


LOGGED_BY_EVENTS = frozenset({"growth", "war"})
"""Kinds of entries that repeat what the events right before them have reported: the log does not say it twice."""


class HistoryEntered(Event[State]):
    """An entry has been added to the history of Earth."""

    rules: ClassVar[tuple[str, ...]] = ("G2-HREC-1", "G2-HREC-2")

    entry: UUID
    century: int
    squares: tuple[Place, ...] = ()
    kind: str
    cause: str
    casting: UUID | None = None
    war: UUID | None = None
    words: str
    """What the entry says."""

    def sentence(self, state: State) -> str:
        return "" if self.kind in LOGGED_BY_EVENTS else self.words
