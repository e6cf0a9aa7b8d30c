"""A ruleset: what one game is made of. The registry finds it as `games.<game>.rules.RULESET`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, Self, cast
from uuid import UUID

from pydantic import Field

from games.engine.attacks import Attacks
from games.engine.board.board import Square
from games.engine.board.reach import Reach, nobody_reaches
from games.engine.bots import Policy
from games.engine.course import Course
from games.engine.errors import Refused
from games.engine.game_state import GameInfo, GameState, Role, S, Seat, anybody_may_write
from games.engine.insight.breakdown import Breakdown, nothing_broken_down
from games.engine.insight.cards import Deck
from games.engine.insight.charts import Chapters, Chart, TreeOf
from games.engine.insight.event_pages import EventPages
from games.engine.kernel import Command, Event, Hook, Issuer, nothing_follows
from games.engine.members import Members, unique
from games.engine.message_options import MessageOptions
from games.engine.policies import refuse_gaps
from games.engine.post_options import PostOptions, require_needed_options, require_time_zone

TABLE = Members.of("games.engine", "lifecycle", "prompts", "timer", "bots")
"""What every game has."""
ARTIFACTS = Members.of("games.engine", "artifacts")
"""What a game whose world has artifacts takes in beside it; its state is an `artifacts.state.ArtifactState`."""


class Options(MessageOptions, PostOptions):
    """The choices made when a game is opened; a ruleset extends them."""

    spectator_delay: int = Field(default=0, ge=0, le=3600, exclude_if=lambda seconds: seconds == 0)
    """By how many seconds the game's screen is behind, for events whose players see it."""

    @classmethod
    def of(cls, state: GameState) -> Self:
        """The choices of this game."""
        return cls.from_text(state.info.options)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The choices of a game from their canonical JSON."""
        return cast("Self", _parse(cls, text))

    def check(self, state: Any) -> None:
        """Refuse a choice that this new game cannot be opened with (`zone.unknown`, `option.alone`).

        The shapes are checked already.
        """
        require_time_zone(self)
        require_needed_options(self)


@lru_cache(maxsize=256)
def _parse(options: type[Options], text: str) -> Options:
    """Options from their canonical JSON, once for each text."""
    return options.model_validate_json(text)


@dataclass(frozen=True, slots=True)
class Overview:
    """What somebody asks before choosing a game; its numbers come from the constants of the rules."""

    players: str
    """Who sits at it, and how many: `2 to 10 gods`."""
    length: str
    secrets: Mapping[str, type[Event]] = field(default_factory=dict)
    """What is told to some alone, with an event of it that not everybody reads."""


def nothing_violated(_: GameState) -> Iterable[str]:
    """The invariants of a game whose rows always fit together."""
    return ()


@dataclass(frozen=True)
class Ruleset(Generic[S]):
    """One game: its options, its state, its commands, events and bots."""

    slug: str
    title: str
    summary: str
    options: type[Options]
    state: Callable[[GameInfo], S]
    own: Members
    """Its commands and events; those of every game (`TABLE`) are added, and what it takes in."""
    overview: Overview
    takes: tuple[Members, ...] = ()
    """What it takes in of the engine beside `TABLE`: `ARTIFACTS`."""
    start: Hook[S] = nothing_follows
    """What follows the start besides what the course of the game says; it refuses while something is missing."""
    end_setup: Hook[S] = nothing_follows
    """What follows the end of the set-up, where the start leads into one."""
    course: Course[Any] = field(default_factory=Course)
    """Who is asked what, what silence means, and what follows by itself."""
    violations: Callable[[S], Iterable[str]] = nothing_violated
    """What cannot be in a state, a sentence each; asked after every correction of rows."""
    message_rule: Callable[[S, Seat, Seat], Refused | None] = anybody_may_write
    """Why a player may not write to another alone (state, sender, receiver); None where they may."""
    attacks: Attacks = field(default_factory=dict)
    """Which of its events attack which seats, for what players are told; most attack nobody."""
    policies: Mapping[str, Policy[S]] = field(default_factory=dict)
    """The bots that play a player's seat, by name."""
    gm_policies: Mapping[str, Policy[S]] = field(default_factory=dict)
    """The bots that play a game-master's seat: they see and act as a GM."""
    breakdowns: Callable[[S, UUID | None, Square | None], Iterable[Breakdown]] = nothing_broken_down
    """The numbers of one subject (a race, a character), or of all, as a viewer may see them; on a square if given."""
    reaches: Callable[[S, UUID | None], Iterable[Reach]] = nobody_reaches
    """The squares that one subject borders, or each, as a viewer may see them."""
    chapters: Chapters[S] | None = None
    """What a game is divided into: centuries, ages; none where a game is one piece."""
    charts: Mapping[str, Chart[S]] = field(default_factory=dict)
    """The charts of a game by name; those at the ends of chapters are drawn where there are chapters."""
    trees: Mapping[str, TreeOf[S]] = field(default_factory=dict)
    """The trees of a game by name, of a state as a viewer may see it; of one subject, or of all."""
    cards: Mapping[str, Deck[S]] = field(default_factory=dict)
    """The cards of a game by kind: of its characters, of its artifacts."""
    pages: EventPages[S] = field(default_factory=EventPages)
    """What the pages of a live event show of it."""

    def __post_init__(self) -> None:
        """Check what the game is made of.

        Raises ValueError where its course is not whole, a policy has no word on a question of it, or what attacks is
        no event of it.
        """
        self.course.require_whole(self.commands, self.options)
        for role, policies in ((Role.PLAYER, self.policies), (Role.GM, self.gm_policies)):
            refuse_gaps(policies, role, self.course.questions.values())
        if unknown := [each.__name__ for each in self.attacks if each not in self.events.values()]:
            raise ValueError(f"{self.slug} has no events {', '.join(unknown)}: nothing attacks by them.")

    @property
    def of_engine(self) -> tuple[Members, ...]:
        """What it has from the engine: that of every game, and what it takes in."""
        return (TABLE, *self.takes)

    @cached_property
    def commands(self) -> dict[str, type[Command]]:
        """Every command by its kebab name, the ruleset's own first."""
        found = {
            c.slug(): c for c in unique((*self.own.commands, *(c for each in self.of_engine for c in each.commands)))
        }
        return {**self.course.commands, **found}

    @cached_property
    def open_commands(self) -> dict[str, type[Command]]:
        """The commands people may issue: what a schema shows."""
        return {name: c for name, c in self.commands.items() if c.issuers - {Issuer.CLOCK}}

    @cached_property
    def events(self) -> dict[str, type[Event]]:
        """Every event class by its name."""
        return {e.__name__: e for e in unique((*self.own.events, *(e for each in self.of_engine for e in each.events)))}

    def new_state(self, game: UUID) -> S:
        """The state of a game in which nothing has happened yet."""
        state = self.state(GameInfo(id=game, ruleset=self.slug))
        bots = {Role.PLAYER: sorted(self.policies), Role.GM: sorted(self.gm_policies)}
        state.set_bots(bots, stand_in=next(iter(self.policies), ""))
        state.follow_course(self.course)
        state.set_invariants(self.violations)
        state.set_message_rule(self.message_rule)
        return state
