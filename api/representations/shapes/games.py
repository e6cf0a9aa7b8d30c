"""The shapes of games, and of what is owed at a table: seats, timers, prompts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from api.representations.shapes.shape import Shape
from games.engine.game_state import Role, Status
from games.engine.message_options import Press


class SeatShape(Shape):
    """A place at the table."""

    id: UUID
    role: Role
    name: str
    user: UUID | None
    """Who holds it; null when it is empty or played by a bot."""
    bot: str
    """The policy that plays it; empty for none."""
    is_claimable: bool
    """Whether a bot keeps it for anybody who takes it by `join`."""


class ChapterShape(Shape):
    """The chapter that a game is in."""

    word: str
    """What the rulebook calls one: `century`, `age`, `turn`."""
    number: int
    """Its number from 1; 0 before the first."""


class WaitingShape(Shape):
    """A seat that may or must act now."""

    seat: UUID | None
    """The seat; null for the game-masters."""
    must: bool
    """Whether it owes an answer to a question; else it may act without being asked."""
    due: datetime | None
    """Until when; null without a deadline, or where that is not yours to know."""


class LifeShape(Shape):
    """Where a game is, and who is waited for; the stream sends it with `life=1`."""

    status: Status
    """`lobby`, `setup` (where the ruleset has one), `running`, `finished`."""
    chapter: ChapterShape | None
    """The chapter it is in; null where the ruleset has none."""
    step: str
    """The phase or question it is in, a word of its rulebook."""
    waiting_for: list[WaitingShape]
    """Who may or must act now, as far as you may know it; in a pause who is asked in a vote, nobody at the end."""
    paused_at: datetime | None
    """Since when its clock stands still."""


class GameShape(LifeShape):
    """A game in a list."""

    id: UUID
    ruleset: str
    """Slug, as in `/rulesets/`."""
    name: str
    is_public: bool
    """Whether people without a seat may watch and join."""
    world: UUID | None
    """The world it is played in; null until there is a map."""
    created_at: datetime


class MessagesShape(Shape):
    """What holds for messages between the seats of a game; read it before you write there."""

    press: Press
    """Whom players may write to: anybody (`open`), only everybody at once (`public`), or no other player (`none`)."""
    gm_reads_messages: bool
    """Whether game-masters read every message; else those alone that are for them, for everybody, or reported."""
    sentences: tuple[str, ...]
    """The same for people, with what the ruleset adds."""


class GameDetail(GameShape):
    """A game, and how the viewer stands to it."""

    options: dict[str, Any]
    """What was chosen when it was opened; the ruleset's options schema says what each means."""
    messages: MessagesShape
    """Who may write to whom, and what the game-masters read of it."""
    rewinds: int
    """How often it went on from an earlier moment."""
    commitment: str
    """SHA-256 of the dice secret, in hexadecimal; the secret itself is shown at the end (`dice/`)."""
    my_seats: list[SeatShape]
    """The seats of the asker."""
    acting_seat: UUID | None
    """The seat that commands of this viewer are for."""
    as_gm: bool
    """Whether a game-master's view was asked for."""
    cursor: str
    """How far this viewer could have read the log by now."""


class GameList(Shape):
    """A page of games."""

    results: list[GameShape]
    next: str | None
    """Address of the page after this one; null at the end."""
    previous: str | None
    """Address of the page before this one; null at the beginning."""


class SeatList(Shape):
    """The seats of a game."""

    results: list[SeatShape]


class TimerShape(Shape):
    """What the clock will do, and when."""

    key: str
    does: str
    """The command that the clock will issue."""
    subject: UUID | None
    """What it is about: a prompt, a war."""
    due: datetime | None
    """When; null while it is frozen."""
    due_in: float | None
    """Seconds until then, or what is left while it is frozen; never below 0."""
    frozen: bool
    """Whether it stands still: an inner question is open, or the game is paused."""


class TimerList(Shape):
    """The timers that this viewer may see, the earliest first."""

    at: datetime
    """The server's time."""
    results: list[TimerShape]


class PromptShape(Shape):
    """An open question."""

    id: UUID
    kind: str
    lane: str
    """Lanes run side by side; in a lane the innermost open prompt comes first."""
    depth: int
    parent: UUID | None
    owners: list[str]
    """Who owes an answer: `gm` or `seat:<id>`."""
    rule: str
    """How it settles: first, unanimous, majority, all."""
    answered_by: list[str]
    """The commands that answer it."""
    question: str
    subject: UUID | None
    choices: list[str]
    silence: str
    """What happens when nobody answers."""
    threshold: int
    """The yes votes that carry a majority."""
    sealed: bool
    """Whether answers stay hidden until all are in."""
    opened_at: datetime
    due: datetime | None
    due_in: float | None
    frozen: bool
    answerable: bool
    """Whether it is the innermost of its lane, so that an answer is taken now."""
    asks_me: bool
    """Whether one of the viewer's seats (or the game-master, for a viewer who looks as one) is an owner."""
    answered: bool
    """Whether the viewer's answer is in already; some may be changed until the prompt closes."""


class PromptList(Shape):
    """What the viewer is asked."""

    at: datetime
    results: list[PromptShape]


class GameStateHead(Shape):
    """What the state of every game begins with; `state_schemas` adds the parts of its ruleset."""

    ruleset: str
    """The ruleset's slug."""
    cursor: str
    """Where this state stands in the log, for this viewer."""
    at: datetime
    """The server's time."""
    game: GameDetail
