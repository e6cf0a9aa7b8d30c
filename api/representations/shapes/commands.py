"""The shapes of commands: what they are, which are legal, what they would do and have done."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from api.representations.shapes.log import AnyEvent
from api.representations.shapes.numbers import StepShape
from api.representations.shapes.shape import JsonSchema, Shape
from games.storage.board_store import SquareShape


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


class BatchDone(Shape):
    """What commands did that were issued together."""

    results: list[CommandDone]
    """What each did, in their order."""


class BatchDryRun(Shape):
    """What commands would do together now."""

    results: list[CommandDryRun]


class RefusalShape(Shape):
    """Why something is barred."""

    code: str
    detail: str
    rules: list[str]
    facts: dict[str, Any]


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
    """Whether the schema cannot say all: what it admits may still be refused. The command's description says why, or in
    a short menu `x-more` in a `not`: so many names that others have are left out there; the command alone lists all.
    """
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
    subject: UUID | None
    """To whom it happens, such as a race or a character; null: to nobody."""
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
    """Whether everybody may issue it while the game's clock stands still; a game-master may issue what is theirs."""
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
