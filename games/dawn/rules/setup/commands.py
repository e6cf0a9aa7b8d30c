"""Setting up (section 1 of the rulebook): options, gods, the map, the start."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from core.letter_map import MapFault, read_rows
from core.names import is_same_name
from games.dawn.rules.setup.events import GameConfigured, GameStarted, GodDefined, MapSet, SeatDropped, SetupOpened
from games.dawn.rules.state.constants import ADVISED_ASPECTS, LEAST_GODS, LEAST_SIDE, MOST_ASPECTS, MOST_GODS, ROUNDS
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.schema_types import (
    MAX_SIDE,
    Asked,
    Cell,
    Ethical,
    Moral,
    Pace,
    Preset,
    Step,
    Terrain,
    Text,
)
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.rules import finish_game, start_round
from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.game_state import Role, Seat
from games.engine.insight.domains import Choices, Flag, FreeText, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import CONDUCTORS
from games.engine.lifecycle.seating import Name
from games.engine.model import IN_ORDER
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row

MOST_CELLS = MAX_SIDE * MAX_SIDE
LETTERS = {
    "P": Terrain.PLAINS,
    "F": Terrain.FOREST,
    "D": Terrain.DESERT,
    "M": Terrain.MOUNTAINS,
    "I": Terrain.ICE,
    "W": Terrain.OCEAN,
}
"""The terrains of a map of letters."""
LONGEST_ASPECT = 80
ASPECT = FreeText(low=1, high=LONGEST_ASPECT, pattern=r"^\S(.*\S)?$")


class ConfigureGame(Enumerable[State]):
    """Settle the number of gods, the two options and the deadlines, before the start."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("DW-SET-7",)

    seats: int = Field(le=1_000_000)
    """The most gods: 2 to 10, and no fewer than sit here."""
    free_alignment: bool = False
    """Whether a race may be created with any alignment."""
    open_challenge: bool = False
    """Whether every power may be challenged."""
    deadlines: Pace = Pace.LIVE
    """`live` or `post`."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.SETUP)
        least = max(LEAST_GODS, len(state.players()))
        if not least <= self.seats <= MOST_GODS:
            raise Refused(
                "config.range",
                f"There are {least} to {MOST_GODS} seats for gods here, not {self.seats}.",
                rules=("DW-SET-1", "DW-SET-7"),
                low=least,
                high=MOST_GODS,
            )
        yield GameConfigured(
            seats=self.seats,
            free_alignment=self.free_alignment,
            open_challenge=self.open_challenge,
            deadlines=self.deadlines,
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.SETUP)
        flag = Flag()
        yield LegalCommand(
            cls.slug(),
            {
                "seats": Range(low=max(LEAST_GODS, len(state.players())), high=MOST_GODS),
                "free_alignment": flag,
                "open_challenge": flag,
                "deadlines": Choices.of(p.value for p in Pace),
            },
        )


class DefineGod(Enumerable[State]):
    """Say which god you are; again until the start."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-2",)

    name: Name
    """The god's name, unique in the game."""
    portfolio: tuple[Annotated[str, Field(max_length=1000)], ...] = Field(max_length=100)
    """1 to 5 aspects, 2 or 3 are advised."""
    moral: Moral
    """`good`, `neutral` or `evil`."""
    ethical: Ethical | None = None
    """`lawful`, `neutral` or `chaotic`, if you like."""
    text: Text = ""
    """History, looks, relations, as you like."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        seat = self._seat(state, ctx.actor)
        if not 1 <= len(self.portfolio) <= MOST_ASPECTS or not all(
            a.strip() == a and 0 < len(a) <= LONGEST_ASPECT for a in self.portfolio
        ):
            raise Refused(
                "god.invalid",
                f"A portfolio has 1 to {MOST_ASPECTS} aspects of 1 to {LONGEST_ASPECT} characters.",
                rules=self.rules,
                most=MOST_ASPECTS,
            )
        if any(is_same_name(g.name, self.name) and g.id != seat.id for g in state.gods.values()):
            raise Refused("god.invalid", f"Another god is called {self.name}; choose another name.", rules=self.rules)
        asked = state.question(Asked.SETUP)
        warned = () if len(self.portfolio) in ADVISED_ASPECTS else ("portfolio.advised",)
        yield GodDefined(
            seat=seat.id,
            name=self.name,
            portfolio=self.portfolio,
            moral=self.moral,
            ethical=self.ethical,
            words=self.text,
            warnings=warned,
            setup_prompt=asked if asked is not None and reader(seat.id) in state.prompts[asked].owners else None,
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        seat = cls._seat(state, actor)
        yield LegalCommand(
            cls.slug(),
            {
                "name": FreeText().but(god.name for god in state.gods.values() if god.id != seat.id),
                "portfolio": ListOf(ASPECT, low=1, high=MOST_ASPECTS, unique=False),
                "moral": Choices.of(m.value for m in Moral),
                "ethical": Choices.of(e.value for e in Ethical),
                "text": FreeText(),
            },
        )

    @staticmethod
    def _seat(state: State, actor: Actor) -> Seat:
        """The player's seat that says who it is. Raises `phase.closed`, `seat.missing`."""
        state.require(Step.SETUP)
        seat = state.seat(actor.acting_seat)
        if seat.role is not Role.PLAYER:
            raise Refused("seat.missing", f"{seat.name} is no god's seat.", rules=("DW-SET-1",))
        return seat


class SetMap(Enumerable[State]):
    """Set the starting map: an ocean, or every square row by row, as cells or as letters."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("DW-SET-3", "DW-SET-4")
    takes_long: ClassVar[bool] = True

    width: int = Field(default=0, ge=0, le=1_000_000)
    """Columns, 4 to 64; 0: as many as the rows have letters."""
    height: int = Field(default=0, ge=0, le=1_000_000)
    """Rows, 4 to 64; 0: as many as there are."""
    preset: Preset | None = None
    """`all_ocean`; none where cells or rows are given."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MOST_CELLS)
    """Width x height squares, row by row from the north-west."""
    rows: tuple[Annotated[str, Field(max_length=MAX_SIDE)], ...] = Field(
        default=(), max_length=MAX_SIDE, json_schema_extra=IN_ORDER
    )
    """In place of `cells`: a text for each row, a letter for each square: P, F, D, M, I, and W for ocean."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.SETUP)
        if sum((self.preset is not None, bool(self.cells), bool(self.rows))) != 1:
            raise self._bad_map("Give one of these: preset, cells, rows.")
        rows = self._laid_rows()
        width = self.width or (len(rows[0]) if rows else 0)
        height = self.height or len(rows)
        if not (LEAST_SIDE <= width <= MAX_SIDE and LEAST_SIDE <= height <= MAX_SIDE):
            raise self._bad_map(
                f"A side has {LEAST_SIDE} to {MAX_SIDE} squares, not {width} x {height}.", low=LEAST_SIDE
            )
        if rows and (len(rows[0]), len(rows)) != (width, height):
            raise self._bad_map(
                f"{height} rows of {width} letters are needed; there are {len(rows)} of {len(rows[0])}."
            )
        cells = self.cells or tuple(Cell(terrain=LETTERS[letter]) for row in rows for letter in row)
        need = 0 if self.preset else width * height
        if len(cells) != need:
            raise self._bad_map(f"This map needs {need} cells; there are {len(cells)}.", need=need, have=len(cells))
        yield MapSet(width=width, height=height, cells=cells)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.SETUP)
        side = Range(low=LEAST_SIDE, high=MAX_SIDE)
        arguments = {"width": side, "height": side, "preset": Choices.of(p.value for p in Preset)}
        note = "Or every square, in `cells` or `rows`."
        yield LegalCommand(cls.slug(), arguments, required=("width", "height", "preset"), note=note)

    def _laid_rows(self) -> tuple[str, ...]:
        """The rows in large letters. Raises `map.invalid` with row and column."""
        try:
            return read_rows(self.rows, LETTERS) if self.rows else ()
        except MapFault as fault:
            raise self._bad_map(fault.message, **fault.facts) from fault

    def _bad_map(self, message: str, **facts: int) -> Refused:
        return Refused("map.invalid", message, rules=self.rules, **facts)


def begin_game(state: State, ctx: Context) -> Iterator[Event]:
    """End the set-up: the first round begins, or the game closes unplayed (DW-SET-8)."""
    asked = state.open_prompt(Asked.SETUP)
    if asked is not None:
        yield from close(state, asked.id, "settled")
    if len(state.gods) < LEAST_GODS:
        yield from finish_game(state, "unplayed")
        return
    for seat in state.players():
        if seat.id not in state.gods:
            yield SeatDropped(seat=seat.id)
    course = state.course
    yield GameStarted(
        seats=tuple(sorted(state.gods)),
        free_alignment=course.free_alignment,
        open_challenge=course.open_challenge,
        deadlines=course.deadlines,
        commitment=state.info.commitment,
    )
    yield from start_round(state, ctx, 1, 1, ROUNDS)


def start(state: State, ctx: Context) -> Iterator[Event]:
    """The host's start ends the lobby: gods are defined, the map is drawn."""
    chosen = DawnOptions.of(state)
    yield SetupOpened(
        seats=chosen.seats,
        width=chosen.width,
        height=chosen.height,
        free_alignment=chosen.free_alignment,
        open_challenge=chosen.open_challenge,
        deadlines=chosen.deadlines,
    )
    yield from ask_row(state, ctx, Asked.SETUP)
