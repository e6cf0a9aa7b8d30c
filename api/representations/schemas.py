"""The shapes of answers that are no rows of a model: for OpenAPI, and for the tests.

Views build plain dictionaries; a test validates each against its shape, strictly, so that neither can drift.
The reason for the length of this file: it is one list, to be read side by side.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, WithJsonSchema

from games.engine.game_state import Role, Status
from games.engine.model import Model
from games.storage.board_store import SquareShape

ANY_EVENT = "GameEvent"
"""The component that stands for every event of every ruleset; `api.rest.schema_components` makes it."""

EventJson = Annotated[dict[str, Any], WithJsonSchema({"x-component": ANY_EVENT})]
JsonSchema = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": True})]


class Shape(Model):
    """What the shapes have in common: exact fields."""


class SeatShape(Shape):
    """A place at the table."""

    id: UUID
    role: Role
    name: str
    user: UUID | None
    """Who holds it; null when it is empty or played by a bot."""
    bot: str
    """The policy that plays it; empty for none."""


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
    """Who may or must act now, as far as you may know it; empty while the clock stands still, and at the end."""
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


class GameDetail(GameShape):
    """A game, and how the viewer stands to it."""

    options: dict[str, Any]
    """What was chosen when it was opened; the ruleset's options schema says what each means."""
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
    """What the state of every game begins with; `api.representations.state_schemas` adds the parts of its ruleset."""

    ruleset: str
    """The ruleset's slug."""
    cursor: str
    """Where this state stands in the log, for this viewer."""
    at: datetime
    """The server's time."""
    game: GameDetail


class RollShape(Shape):
    """A die of an event."""

    label: str
    """What it is bound to: `<rewinds>/<use>`."""
    index: int
    sides: int
    value: int
    source: Literal["server", "entered", "test"]
    rule: str


class AnyEvent(Shape):
    """An event of any type; each is one of `GameEvent`, which only `events/` spells out."""

    cursor: str
    """Right after this event: the next `after`, the id in the stream."""
    type: str
    """`<ruleset>.<Class>`: which event of `GameEvent` it is."""
    at: datetime
    """The game's time."""
    rules: list[str]
    """Ids of the rules it follows."""
    rolls: list[RollShape]
    """Its dice."""
    text: str
    """One sentence for the chronicle; empty to stay silent."""
    by: str
    """`deadline`, `clock` or `bot`; empty when somebody acted."""
    on_behalf_of: UUID | None
    """The absent seat that a game-master acted for."""
    undone: bool
    """Whether a rewind undid it."""
    data: dict[str, Any]
    """Its own fields."""


class EventPage(Shape):
    """Events in their order."""

    results: list[EventJson]
    start: str
    """Before the first of them: the next `before`."""
    cursor: str
    """Behind the last of them: the next `after`."""
    more: bool
    """Whether more are there already: later ones, or earlier ones where `before` or `last` was asked."""


class CommandDone(Shape):
    """What a command did, as far as the viewer may see it."""

    cursor: str
    """Where the viewer stands now: the next `expected` and `after`."""
    at: datetime
    """The game's time of the command."""
    replayed: bool
    """Whether this is the answer to an earlier request with the same Idempotency-Key."""
    events: list[AnyEvent]


class CommandDryRun(Shape):
    """What a command would do now. Nothing of it was stored; its dice are others than the real ones."""

    dry_run: Literal[True]
    cursor: str
    at: datetime
    events: list[AnyEvent]


class RefusalShape(Shape):
    """Why something is barred."""

    code: str
    detail: str
    rules: list[str]
    facts: dict[str, Any]


class StepShape(Shape):
    """One source of a number, and what it does to the value before it."""

    kind: str
    """Where it comes from: attribute, knowledge, modification, feature, level, city, base, rule ..."""
    key: str
    """Which one."""
    name: str
    rule: str
    """Id of the rule that lets it count."""
    does: Literal["add", "multiply", "set", "bound", "round_up"]
    """What the amount does: it is added, multiplies, takes the place; a bound and a rounding add what is missing."""
    amount: int
    amount_over: int
    """The amount is `amount` / `amount_over`, exactly."""
    value: int
    value_over: int
    """The value after this step is `value` / `value_over`, exactly."""


def _says_nothing(value: Any) -> bool:
    """Whether a member of a short listing may be left out."""
    return value in (None, False, "", [], {})


class LegalCommandShape(Shape):
    """One thing that the viewer may do, or why it is barred. With `legal=1` members that say nothing are left out."""

    command: str
    legal: bool
    quits: bool = Field(default=False, exclude_if=_says_nothing)
    """Whether it ends your part in the game: leaving, giving up."""
    partial: bool = Field(default=False, exclude_if=_says_nothing)
    """Whether the schema cannot say all: what it admits may still be refused."""
    body: JsonSchema | None = Field(alias="schema")
    """The JSON Schema (2020-12) of the command's body: what is accepted now. `#/$defs/...` are those of the answer.

    Choices are `const`, `enum`, or `oneOf` with `title`; `x-more` counts those that are not listed. Null where it is
    barred whatever its arguments.
    """
    price: int | None = Field(default=None, exclude_if=_says_nothing)
    barred: RefusalShape | None = Field(default=None, exclude_if=_says_nothing)
    note: str = Field(default="", exclude_if=_says_nothing)
    steps: list[StepShape] = Field(default=[], exclude_if=_says_nothing)
    """How the price came about: the base, factors, the rounding. Not with `legal=1`."""
    facts: dict[str, Any] = Field(default={}, exclude_if=_says_nothing)
    """What you have and the command asks for: cards, mana, level. Not with `legal=1`."""


class LegalCommandList(Shape):
    """What the viewer may do now."""

    cursor: str
    results: list[LegalCommandShape]
    definitions: JsonSchema = Field(alias="$defs")
    """What the schemas of several entries share: read an entry's `schema` together with it."""


class OddShape(Shape):
    """An amount and how likely it is."""

    amount: int
    chance: int
    chance_over: int
    """The chance is `chance` / `chance_over`, exactly."""


class ProspectShape(Shape):
    """One thing that may happen."""

    what: str
    """`deaths`, `knowledge_lost`, `city_lost`, `squares_vacated`, `modification` ..."""
    race: UUID | None
    key: str
    """Which one: a knowledge, a cause of death, a terrain, a power."""
    low: int
    high: int
    odds: list[OddShape]
    """By amount, the least first; the chances add up to 1."""
    squares: list[SquareShape]
    """Where it may happen."""


class ForecastShape(Shape):
    """What a command would do now. Nothing was rolled, paid or stored."""

    cursor: str
    price: int | None
    steps: list[StepShape]
    """How the price came about."""
    exact: bool
    """Whether every way the dice may fall was played through; else the odds are those of `cases` drawings."""
    cases: int
    prospects: list[ProspectShape]
    hidden: list[str]
    """What could matter and is not yours to know, or is not decided yet."""
    barred: RefusalShape | None
    """What you lack now: cards, mana."""


class BreakdownShape(Shape):
    """A number of a race, step by step; the last step ends in the value that the rules use."""

    race: UUID
    stat: str
    role: str | None
    """`attacker` or `defender`; null: in neither role."""
    member: str | None
    """The seat whose number it is, where it is not the race's alone."""
    square: SquareShape | None
    """Where it holds; null: everywhere."""
    unit: str
    """What is counted."""
    value: int
    value_over: int
    """The value is `value` / `value_over`, exactly."""
    steps: list[StepShape]


class BreakdownList(Shape):
    """The numbers of races with their sources, as this viewer may see them."""

    cursor: str
    results: list[BreakdownShape]


class HeldShape(Shape):
    """Squares within reach that belong to one other."""

    holder: UUID
    squares: list[SquareShape]


class ReachShape(Shape):
    """The squares that a race borders, its own left out, by row and column."""

    subject: UUID
    """The race."""
    free: list[SquareShape]
    """Nobody's, and it could settle there."""
    barren: list[SquareShape]
    """Nobody's, and it could not stay there."""
    held: list[HeldShape]
    """Those of others, by holder: whom it is in contact with and could attack."""


class ReachList(Shape):
    """The squares that races border, as this viewer may see them."""

    cursor: str
    """The position for which this holds."""
    results: list[ReachShape]


class RewindPreviewEventShape(Shape):
    """An event behind a moment, which a rewind to that moment would undo."""

    number: int
    """Which event it is of those that game-masters may read; `rewind` goes back to the end of its command."""
    type: str
    at: datetime
    text: str
    by: str
    stays: bool
    """Whether it stays in force all the same: who sits where."""


class RewindPreviewShape(Shape):
    """What a rewind would undo, the latest first."""

    cursor: str
    """The position for which this holds: the `expected` of the rewind."""
    to: int
    """The event whose command would stand last; 0: the latest events of all."""
    moment: datetime | None
    """When that was."""
    count: int
    results: list[RewindPreviewEventShape]
    more: bool


class DieShape(Shape):
    """One die that was rolled."""

    cursor: str
    """Of the event that used it."""
    event: str
    """The type of that event."""
    at: datetime
    label: str
    """What it is bound to: `<rewinds>/<use>`."""
    index: int
    sides: int
    value: int
    source: Literal["server", "entered", "test"]
    rule: str
    undone: bool
    """Whether a rewind undid it."""


class DicePage(Shape):
    """The dice that the viewer may see, and what is needed to check them."""

    game: UUID
    """Part of each die's message: HMAC-SHA256(secret, "game:label:index:try")."""
    commitment: str
    secret: str | None
    """In hexadecimal; null until it is shown at the end of the game."""
    results: list[DieShape]
    cursor: str
    more: bool


class ChronicleLine(Shape):
    """One sentence of the chronicle."""

    cursor: str
    type: str
    at: datetime
    text: str
    rules: list[str]
    undone: bool
    """Whether a rewind undid it."""
    event: str
    """The event's number in its stream, as `public/12`."""
    century: int | None
    """The century in which it happened, 0 before the first; null where a game is not divided into centuries."""


class ChroniclePage(Shape):
    """What happened, in sentences."""

    results: list[ChronicleLine]
    cursor: str
    more: bool


class ChartInList(Shape):
    """A chart that can be asked for."""

    name: str
    """Its part of the address."""
    title: str
    unit: str
    about: Literal["nobody", "anybody", "race"]
    """Whether `race` must be left out, may be given, or must be given."""


class TreeInList(Shape):
    """A tree that can be asked for."""

    name: str
    """Its part of the address."""


class CardInList(Shape):
    """A card that can be asked for."""

    id: UUID
    """Its part of the address."""
    name: str


class DeckShape(Shape):
    """The cards of one kind that this viewer may see."""

    kind: str
    """Its part of the address."""
    title: str
    cards: list[CardInList]


class Pictures(Shape):
    """The charts, trees and cards of a game, and its century."""

    word: str | None
    """The unit in which the game is divided, such as `Century`; null for a game in one piece."""
    century: int
    """The last one that has begun; 0 before the first."""
    charts: list[ChartInList]
    trees: list[TreeInList]
    cards: list[DeckShape]


class MomentShape(Shape):
    """The end of a century, or now; in a chart at events right after one of them."""

    century: int
    """0: right before the first."""
    ended: bool
    """Whether it is over; the last moment is now while it is not."""
    event: str | None = None
    """The number of the event, as the chronicle has it; left out of the end of a century."""
    label: str = ""
    """What the event is called among the others, at most some six characters; left out of the end of a century."""


class ChartRow(Shape):
    """The values of one race, god or member."""

    key: str
    name: str
    amounts: list[int | None]
    """One for each moment; null where there was none. The value is amount / over."""


class ChartShape(Shape):
    """A chart, as this viewer may know it."""

    name: str
    title: str
    unit: str
    race: UUID | None
    over: int
    """A value is amount / over, exactly."""
    moments: list[MomentShape]
    rows: list[ChartRow]
    """By the last amount, most first."""


class TreeNode(Shape):
    """A node of a tree."""

    key: str
    name: str
    level: int
    """From 1: the length of the longest chain that leads to it."""
    code: str
    prerequisites: list[str]
    """Keys of what must be there before."""
    asks: list[str]
    """What else must hold, in words."""


class TreeEdge(Shape):
    """An edge of a tree."""

    source: str
    """What is needed."""
    target: str
    """What needs it."""


class TreeStanding(Shape):
    """How far a race has come: each key of the tree stands in one of the three lists."""

    race: UUID
    name: str
    known: list[str]
    next: list[str]
    """What it can have next."""
    locked: list[str]


class TreeShape(Shape):
    """A tree, as this viewer may know it."""

    name: str
    title: str
    nodes: list[TreeNode]
    edges: list[TreeEdge]
    races: list[TreeStanding]


class RulesetShape(Shape):
    """A game that can be played here."""

    slug: str
    title: str
    summary: str
    has_rulebook: bool
    resources: list[str]
    """Its own rows, as in `/api/v1/<slug>/<resource>/`."""


class RulesetDetail(RulesetShape):
    """A ruleset with the schema of its options."""

    options: JsonSchema
    """JSON Schema of `options` when a game is opened."""
    bots: list[str]
    """The policies that may play a player's seat."""
    gm_bots: list[str]
    """The policies that may play a game-master's seat."""
    commands: list[str]


class RulesetList(Shape):
    """The rulesets that are installed."""

    results: list[RulesetShape]


class RuleShape(Shape):
    """A numbered rule."""

    id: str
    chapter: str
    text: str


class RuleList(Shape):
    """The rulebook as built, rule by rule."""

    results: list[RuleShape]


class CommandShape(Shape):
    """A command that people may issue."""

    name: str
    """Its part of the address."""
    type: str
    """Its class, as the log and GraphQL name it."""
    description: str
    issuers: list[Literal["seat", "host", "gm"]]
    rules: list[str]
    """Ids of the rules it follows."""
    while_paused: bool
    """Whether it is taken while the game's clock stands still."""
    refusals: list[str]
    """The codes with which its rules may refuse it, beside those of every command."""
    body: JsonSchema
    """JSON Schema of the body."""
    example: JsonSchema | None
    """A body as it was played; null where there is none."""


class CommandNow(CommandShape):
    """A command of a game, and what the viewer may do with it now."""

    cursor: str
    """The position for which this holds."""
    legal: list[LegalCommandShape]
    """As `legal-commands/` lists it: what may be done, or what bars it; empty where it lists no such command."""
    definitions: JsonSchema = Field(alias="$defs")
    """What the schemas of several entries share."""


class CommandList(Shape):
    """The commands of a ruleset."""

    results: list[CommandShape]
