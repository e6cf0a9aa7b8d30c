"""A ruleset: what one game is made of. The registry finds it as `games.<game>.rules.RULESET`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from uuid import UUID

from games.engine.board.board import Square
from games.engine.board.reach import Reach, nobody_reaches
from games.engine.bots import BOT_COMMANDS, BOT_EVENTS, Policy
from games.engine.game_state import GameInfo, GameState
from games.engine.insight.breakdown import Breakdown, nothing_broken_down
from games.engine.insight.charts import Chapters, Chart, LineOf, TreeOf
from games.engine.kernel import Command, Context, Event, Issuer
from games.engine.lifecycle.amend import Amend, Amended
from games.engine.lifecycle.gm_commands import CONDUCT_COMMANDS, CONDUCT_EVENTS
from games.engine.lifecycle.seating import SEATING_COMMANDS, SEATING_EVENTS
from games.engine.model import Model
from games.engine.prompts.manual_dice import HAND_COMMANDS, HAND_EVENTS
from games.engine.prompts.prompt import PROMPT_EVENTS
from games.engine.timer import TIMER_EVENTS

TABLE_COMMANDS: tuple[type[Command], ...] = (
    *SEATING_COMMANDS,
    *CONDUCT_COMMANDS,
    Amend,
    *BOT_COMMANDS,
    *HAND_COMMANDS,
)
TABLE_EVENTS: tuple[type[Event], ...] = (
    *SEATING_EVENTS,
    *CONDUCT_EVENTS,
    *TIMER_EVENTS,
    *PROMPT_EVENTS,
    *BOT_EVENTS,
    *HAND_EVENTS,
    Amended,
)


class Options(Model):
    """The choices made when a game is opened; a ruleset extends them."""

    def check(self, state: Any) -> None:
        """Refuse a choice that this new game cannot be opened with. The shapes are checked already."""


@dataclass(frozen=True)
class Ruleset:
    """One game: its options, its state, its commands, events and bots. The table's own are added."""

    slug: str
    title: str
    summary: str
    options: type[Options]
    state: Callable[[GameInfo], GameState]
    own_commands: tuple[type[Command], ...]
    own_events: tuple[type[Event], ...]
    starting: Callable[[Any, Context], Iterator[Event]]
    """What follows the start; it refuses while something is lacking."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    breakdowns: Callable[[Any, UUID | None, Square | None], Iterable[Breakdown]] = nothing_broken_down
    """The numbers of one race, or of all, as a viewer may see them; on a square where one is given."""
    reaches: Callable[[Any, UUID | None], Iterable[Reach]] = nobody_reaches
    """The squares that one race borders, or each, as a viewer may see them."""
    chapters: Chapters | None = None
    """What a game is divided into: centuries, ages; none where a game is one piece."""
    charts: Mapping[str, Chart] = field(default_factory=dict)
    """The charts of a game by name; they are drawn where there are chapters."""
    trees: Mapping[str, TreeOf] = field(default_factory=dict)
    """The trees of a game by name, of a state as a viewer may see it; of one race, or of all."""
    line: LineOf | None = None
    """The line of places that a game is played on, where it has no map of squares."""

    settled_by: Mapping[str, str] = field(default_factory=dict)
    """Kinds of questions without a deadline of their own -> the command of the clock that settles them.

    Its timer is their deadline; of several that of the question's own subject.
    """

    @cached_property
    def commands(self) -> dict[str, type[Command]]:
        """Every command by its kebab name, the ruleset's own first."""
        return {c.slug(): c for c in (*self.own_commands, *TABLE_COMMANDS)}

    @cached_property
    def open_commands(self) -> dict[str, type[Command]]:
        """The commands people may issue: what a schema shows."""
        return {name: c for name, c in self.commands.items() if c.issuers - {Issuer.CLOCK}}

    @cached_property
    def events(self) -> dict[str, type[Event]]:
        """Every event class by its name."""
        return {e.__name__: e for e in (*self.own_events, *TABLE_EVENTS)}

    def new_state(self, game: UUID) -> Any:
        """The state of a game in which nothing has happened yet."""
        return self.state(GameInfo(id=game, ruleset=self.slug))
