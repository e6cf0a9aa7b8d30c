"""What becomes of races, as facts: creation, subraces, alignment, edges, alliances (DW-RACE-*, DW-SUB-*, DW-ALN-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.constants import ALIGNMENTS
from games.dawn.rules.state.records import Alliance, Edge, Race, Territory
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag, Place, Tier
from games.dawn.rules.state.state import State
from games.engine.kernel import Event
from games.engine.wording import listing


class AlignmentShifted(Event[State]):
    """The alignment of a race or a city has changed."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ALN-1", "DW-ALN-3")

    target: UUID
    before: int
    after: int

    def apply(self, state: State) -> None:
        if self.target in state.cities:
            state.cities[self.target] = replace(state.cities[self.target], alignment=self.after)
        else:
            state.races[self.target] = replace(state.races[self.target], alignment=self.after)

    def sentence(self, state: State) -> str:
        verb = "are" if self.target in state.races else "is"
        return f"{state.title(self.target)} {verb} {ALIGNMENTS[self.after]} now."


class EdgeGifted(Event[State]):
    """A race or a city has got an edge."""

    rules: ClassVar[tuple[str, ...]] = ("DW-EDGE-1", "DW-EDGE-2")

    target: UUID
    edge: str
    kind: EdgeKind
    tags: tuple[EdgeTag, ...]
    by: UUID

    def apply(self, state: State) -> None:
        given = state.course.edges + 1
        state.set_course(edges=given)
        state.edges[self.target, self.edge] = Edge(self.target, self.edge, self.kind, self.tags, given)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.by)} gives {state.title(self.target)} an edge: {self.edge}{_kind(self.kind)}."


def _kind(kind: EdgeKind) -> str:
    return "" if kind is EdgeKind.OTHER else f" ({kind})"


class RaceCreated(Event[State]):
    """A race has been created."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-1", "DW-RACE-4")

    race: UUID
    name: str
    creators: tuple[UUID, ...]
    home: Place
    tier: Tier
    alignment: int

    def apply(self, state: State) -> None:
        x, y = self.home.at
        state.races[self.race] = Race(self.race, self.name, x, y, self.tier, self.alignment, creators=self.creators)
        state.territory[self.race, x, y] = Territory(self.race, x, y)

    def sentence(self, state: State) -> str:
        verb = "create" if len(self.creators) > 1 else "creates"
        return f"{listing(state.title(god) for god in self.creators)} {verb} the race {self.name}."


class RaceUpgraded(Event[State]):
    """A race has risen by one tier."""

    rules: ClassVar[tuple[str, ...]] = ("DW-RACE-2",)

    race: UUID
    tier: Tier

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], tier=self.tier)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.race)} are {self.tier} now."


class SubraceCreated(Event[State]):
    """A people has branched off its parents."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SUB-1", "DW-SUB-2")

    race: UUID
    name: str
    creator: UUID
    parents: tuple[UUID, ...]
    home: Place
    alignment: int
    edge_number: int
    """How many edges it will inherit."""
    pickers: tuple[UUID, ...]
    """Who picks them, in rotation."""

    def apply(self, state: State) -> None:
        x, y = self.home.at
        state.races[self.race] = Race(
            self.race,
            self.name,
            x,
            y,
            Tier.MORTAL,
            self.alignment,
            creators=(self.creator,),
            parents=self.parents,
        )
        state.territory[self.race, x, y] = Territory(self.race, x, y)

    def sentence(self, state: State) -> str:
        parents = listing(state.title(parent) for parent in self.parents)
        return f"{self.name} branch off {parents}; {state.title(self.creator)} has created them."


class EdgePicked(Event[State]):
    """A subrace inherits an edge."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SUB-3",)

    race: UUID
    edge: str
    kind: EdgeKind
    tags: tuple[EdgeTag, ...]
    given: int
    """Its age: when it was first given, to a forebear."""
    by: UUID

    def apply(self, state: State) -> None:
        state.edges[self.race, self.edge] = Edge(self.race, self.edge, self.kind, self.tags, self.given)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.by)} picks {self.edge} for {state.title(self.race)}."


class AllianceMade(Event[State]):
    """A race, or a city, and another race are allied."""

    rules: ClassVar[tuple[str, ...]] = ("DW-CMDR-3",)

    alliance: UUID
    parties: tuple[UUID, ...]
    """The race or city that sought it, and the race that it was made with."""

    def apply(self, state: State) -> None:
        one, other = self.parties
        state.alliances[self.alliance] = Alliance(self.alliance, one, other)

    def sentence(self, state: State) -> str:
        return f"{listing(state.title(party) for party in self.parties)} are allied."


def end_alliances(state: State, *parties: UUID) -> None:
    """The alliances of a race, or of a city, end; for the events that it is extinct or razed (DW-MIR-5)."""
    for alliance in list(state.alliances.values()):
        if alliance.one in parties or alliance.other in parties:
            state.alliances[alliance.id] = replace(alliance, ended=True)
