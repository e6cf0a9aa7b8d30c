"""What the pages of a live event show of a ruleset: panels of its desk, the standings and the contests of its screen.

Plain values, nothing is drawn: the frame of a page knows no game. A ruleset names functions of the state as somebody
may see it, so no secret reaches a page whose viewer may not know it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic, TypeAlias
from uuid import UUID

from games.engine.game_state import GameState, Role, S, S_contra
from games.engine.insight.chronicle import Story
from games.engine.kernel import Event


@dataclass(frozen=True, slots=True)
class Countdown:
    """A moment that a page counts down to; while it is frozen there is what is `left`, and no `due`."""

    due: datetime | None
    left: timedelta | None = None


Cell: TypeAlias = str | int | Countdown
Holdings: TypeAlias = Mapping[str, str | int]
"""What a seat has, by what it is called, the most needed first."""


@dataclass(frozen=True, slots=True)
class Action:
    """A command that a line of a panel offers.

    values: arguments that are settled. Where they are all that the command has it is issued at once, unless it `asks`;
    else a form asks for the others, those too that may be left out.
    """

    command: str
    values: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """What stands on its button; the command's name where it is empty."""
    asks: bool = False
    initial: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that a form begins with and that may be changed there: JSON values."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a panel, a cell for each of its columns."""

    cells: tuple[Cell, ...]
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A table of a page. Raises ValueError where a line has another number of cells than there are columns."""

    key: str
    """Its name in the page, the same at all times."""
    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    actions: tuple[Action, ...] = ()
    """What may be done beside what a line offers."""
    empty: str = ""
    """What is said where there is no line; without it such a panel is left out."""

    def __post_init__(self) -> None:
        if any(len(line.cells) != len(self.columns) for line in self.lines):
            raise ValueError(f"the panel {self.key} has {len(self.columns)} columns, and a line with others")

    @property
    def all_actions(self) -> tuple[Action, ...]:
        """What it offers, its lines' actions last."""
        return (*self.actions, *(action for line in self.lines for action in line.actions))

    @property
    def is_shown(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.lines or self.actions or self.empty)


@dataclass(frozen=True, slots=True)
class ContestSide:
    """One side of a contest: who it is, and what stands beside its name."""

    name: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """Something that is fought out before everybody's eyes: a war, a bid, a check, a conflict."""

    title: str
    sides: tuple[ContestSide, ...]
    countdown: Countdown | None = None
    """Until it is decided; None where it is, or where no time is set."""
    prospect: str = ""
    """How it would end as things stand, where that can be said; "" else."""
    outcome: str = ""
    """How it ended; "" while it is open."""


@dataclass(frozen=True, slots=True)
class Accent:
    """The colour of a ruleset on its pages, "#rrggbb": on light ground and on dark."""

    light: str
    dark: str


class FaceKind(StrEnum):
    """What somebody is, as their emblem shows it."""

    PEOPLE = "people"
    GOD = "god"
    HERO = "hero"


@dataclass(frozen=True, slots=True)
class Face:
    """Somebody whom a game tells of. name: as sentences and tables call them; key: by which they have their colour.

    trait: words of what they stand for, as everybody may know them; "" for none.
    """

    kind: FaceKind
    name: str
    key: UUID
    trait: str = ""


class HighlightKind(StrEnum):
    """What happened at a place of the picture."""

    MARCH = "march"
    """From the first place to the last."""
    CONTEST = "contest"
    WON = "won"
    LOST = "lost"
    BUILT = "built"
    RUIN = "ruin"


@dataclass(frozen=True, slots=True)
class Highlight:
    """What of an event is marked on the picture of a game, while it is new. places: as the game's drawing calls them;
    a square is its column and row, `3,1`."""

    kind: HighlightKind
    places: tuple[str, ...]


def no_panels(state: GameState) -> Iterable[Panel]:
    """Nothing of its own."""
    return ()


def no_exhibits(state: GameState) -> Mapping[UUID, Panel]:
    """No question shows more than its words."""
    return {}


def no_standings(state: GameState) -> Panel:
    """Nobody is ahead of anybody."""
    return Panel("standings", "Standings", (), ())


def no_holdings(state: GameState, seat: UUID) -> Holdings:
    """Nothing that is counted."""
    return {}


def no_contests(state: GameState) -> Iterable[Contest]:
    """Nothing is fought out."""
    return ()


def no_faces(state: GameState) -> Iterable[Face]:
    """Nobody is told of by name."""
    return ()


def no_highlights(state: GameState, event: Event) -> Iterable[Highlight]:
    """Nothing is marked."""
    return ()


def nobody(state: GameState) -> Iterable[str]:
    """Nobody wins."""
    return ()


@dataclass(frozen=True, slots=True)
class EventPages(Generic[S_contra]):
    """What a ruleset gives to the pages of an event; each takes a state as its viewer may see it."""

    desk: Callable[[S_contra], Iterable[Panel]] = no_panels
    """Of the desk, for who leads the game."""
    exhibits: Callable[[S_contra], Mapping[UUID, Panel]] = no_exhibits
    """Of the desk: what an open question shows besides its words, by the question's id."""
    standings: Callable[[S_contra], Panel] = no_standings
    """Of the screen: who is how far, the first in front."""
    contests: Callable[[S_contra], Iterable[Contest]] = no_contests
    """Of the screen: those that are open, the next one first, then the last that was decided."""
    holdings: Callable[[S_contra, UUID], Holdings] = no_holdings
    """Of a seat and of the desk: what a player's seat has, as far as it may be known."""
    faces: Callable[[S_contra], Iterable[Face]] = no_faces
    """Who has an emblem."""
    highlights: Callable[[S_contra, Any], Iterable[Highlight]] = no_highlights
    """What a public event marks on the picture, of the state after it."""
    winners: Callable[[S_contra], Iterable[str]] = nobody
    """Who has won a game that is over, by their names; nobody where nobody wins."""
    story: Story[S_contra] = field(default_factory=Story)
    """What the chronicle tells, and how; where it names no event, the sentences of all of them."""
    headlines: tuple[type[Event], ...] = ()
    """The public events that a chapter is best told by, the most telling kind first."""
    finished_by: tuple[type[Event], ...] = ()
    """The public events whose sentence says how a game has ended."""
    accent: Accent = Accent("#1f4f8f", "#9cc4ff")
    """Of the clock, of the main button, of the edge of what is asked."""
    main_chart: str = ""
    """The chart that says who is ahead, by its name; "" where none does."""


def holdings_panel(state: S, pages: EventPages[S]) -> Panel:
    """What every player's seat has, a line for each: a table for who leads the game."""
    seats = sorted(state.seats_of(Role.PLAYER), key=lambda seat: (seat.name, seat.id))
    held = [(seat.name, pages.holdings(state, seat.id)) for seat in seats]
    labels = tuple(dict.fromkeys(label for _, holdings in held for label in holdings))
    lines = tuple(Line((name, *(found.get(label, "") for label in labels))) for name, found in held if found)
    return Panel("holdings", "What the seats have", ("Seat", *labels), lines)
