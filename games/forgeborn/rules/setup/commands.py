"""The commands of the set-up: options, the map, the Smiths (section 12); and what the start brings."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field, ValidationError

from games.engine.errors import Refused
from games.engine.insight.domains import NOT_BLANK, Case, Choices, Domain, Fields, FreeText, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import CONDUCTORS, Reason
from games.engine.lifecycle.seating import Name
from games.engine.prompts.prompt import answer, owner_for
from games.engine.wording import capital, phrase
from games.forgeborn.rules.conflict.offers import at_most
from games.forgeborn.rules.realm.drop import DICE, require_drop
from games.forgeborn.rules.realm.edits import edit
from games.forgeborn.rules.realm.events import MapDieEntered
from games.forgeborn.rules.realm.realm import key_of
from games.forgeborn.rules.realm.rows import realm_of
from games.forgeborn.rules.setup.events import GameConfigured, MapEdited, SmithNamed, SmithWritten
from games.forgeborn.rules.setup.rules import accept_map, build_map, drop_map, map_built, require_map
from games.forgeborn.rules.setup.smiths import require_smith_dice
from games.forgeborn.rules.setup.values import AddedWay, EnteredDie, MovedDie, NewWay, Number, Route, WayEnds
from games.forgeborn.rules.state.constants import (
    LEAST_FIXED_DRAGON,
    LEAST_SIDE,
    MOST_FACES,
    MOST_FIXED_DRAGON,
    MOST_NAME,
    MOST_ROUNDS,
    MOST_SIDE,
    MOST_TEXT,
)
from games.forgeborn.rules.state.names import require_free_name
from games.forgeborn.rules.state.options import LONGEST, ForgebornOptions, options_of
from games.forgeborn.rules.state.records import Nameplate
from games.forgeborn.rules.state.schema_types import Asked, DropBy, Pace, Referee, Size, Step, Text, WayKind
from games.forgeborn.rules.state.sheet import MapDie, Point
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.rules import require_place

NULLABLE = ("dragon_fixed", "round_limit", "setup_seconds", "turn_seconds", "answer_seconds")
"""Options of which null is a choice: none."""
MOST_DICE = MOST_FACES // Size.D4
"""Dice of a Smith, all of them d4."""
SUM_OF_FACES = f"Any dice are good whose faces come to {MOST_FACES}; the schema says how many of the largest fit."
DEFINED = '"defined"'


class ConfigureGame(Enumerable[State]):
    """Change options before the start, and name the seat that begins; what is not named stays as it is."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-SET-5", "FB-SET-6")

    width: Number | None = None
    """The width of the sheet: 100 to 2000."""
    height: Number | None = None
    """Its height: 100 to 2000."""
    dragon_fixed: Number | None = None
    """The Power of the Dragon: 12 to 30; null for the die."""
    first_seat: UUID | None = None
    """The player's seat that begins; null for the dice."""
    drop: DropBy | None = None
    """Who drops the dice of the map: service, or table."""
    referee: Referee | None = None
    """person, or none."""
    round_limit: Number | None = None
    """The last round if the Dragon still stands: 1 to 200; null for none."""
    pace: Pace | None = None
    """live, or by_post."""
    setup_seconds: Number | None = None
    """The window for the map, and for Smiths: 1 second to 30 days; null for that of the pace."""
    turn_seconds: Number | None = None
    """The window of a turn; null for that of the pace."""
    answer_seconds: Number | None = None
    """The window of every other question; null for that of the pace."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.LOBBY)
        options = self._options(state)
        options.check(state)
        first = self.first_seat if "first_seat" in self.model_fields_set else state.course.first_seat
        if first is not None and first not in {seat.id for seat in state.players()}:
            raise Refused("seat.missing", "The seat that begins is a player's.", rules=("FB-SET-2", "FB-SET-6"))
        yield GameConfigured(options=options, first_seat=first)

    def _options(self, state: State) -> ForgebornOptions:
        """The options as they would be. Raises `config.range`."""
        named = self.model_dump(include=self.model_fields_set - {"first_seat"})
        changes = {name: value for name, value in named.items() if value is not None or name in NULLABLE}
        try:
            return ForgebornOptions.model_validate({**options_of(state).model_dump(), **changes})
        except ValidationError as wrong:
            first = wrong.errors()[0]
            name = str(first["loc"][0])
            raise Refused(
                "config.range",
                f"{capital(phrase(name))}: {first['msg']}, not {changes[name]}.",
                rules=("FB-SET-6",),
                option=name,
                value=changes[name],
            ) from wrong

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.LOBBY)
        side, seconds, chosen = Range(LEAST_SIDE, MOST_SIDE), Range(1, LONGEST), options_of(state)
        domains: dict[str, Domain] = {
            "width": side,
            "height": side,
            "dragon_fixed": Range(LEAST_FIXED_DRAGON, MOST_FIXED_DRAGON),
            "first_seat": Choices.of(seat.id for seat in state.players()),
            "drop": Choices.of(drop.value for drop in DropBy),
            "referee": Choices.of(referee.value for referee in Referee),
            "round_limit": Range(1, MOST_ROUNDS),
            "pace": Choices.of(pace.value for pace in Pace),
            "setup_seconds": seconds,
            "turn_seconds": seconds,
            "answer_seconds": seconds,
        }
        table, service = Choices((DropBy.TABLE.value,)), Choices((DropBy.SERVICE.value,))
        none, person = Choices((Referee.NONE.value,)), Choices((Referee.PERSON.value,))
        cases = (
            Case({"drop": table}, {"referee": person}, required=("referee",) * (chosen.referee is Referee.NONE)),
            Case({"referee": none}, {"drop": service}, required=("drop",) * (chosen.drop is DropBy.TABLE)),
        )
        yield LegalCommand(cls.slug(), domains, cases=cases)


class DropDice(Enumerable[State]):
    """Let the service drop the dice of the map, where the table was to do it."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-1", "FB-MAP-2")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _require_undropped(state)
        yield from drop_map(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _require_undropped(state)
        yield LegalCommand(cls.slug())


class EnterMap(Enumerable[State]):
    """Enter a real drop: the fifteen dice in the order d12, d10, three d8, four d4, six d6. They may lie close."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-3",)

    entries: tuple[EnteredDie, ...] = Field(max_length=40)
    """What each die shows, and where it lies."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        self._require_table(state)
        names = [*DICE, *(f"die {number}" for number in range(len(DICE), len(self.entries)))]
        entered = [MapDie(name, e.sides, e.face, Point(e.x, e.y)) for name, e in zip(names, self.entries, strict=False)]
        for die in require_drop(entered, options_of(state)):
            yield MapDieEntered.of(die)
        yield from build_map(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        cls._require_table(state)
        chosen = options_of(state)
        dice = [
            Fields(
                {
                    "sides": Choices((sides,)),
                    "face": Range(1, sides),
                    "x": Range(0, chosen.width - 1),
                    "y": Range(0, chosen.height - 1),
                }
            )
            for sides in DICE.values()
        ]
        entries = ListOf(dice[-1], low=len(dice), high=len(dice), unique=False, first=tuple(dice))
        yield LegalCommand(cls.slug(), {"entries": entries})

    @staticmethod
    def _require_table(state: State) -> None:
        """Refuse (`phase.closed`, `map.dropped`) unless the table drops the dice, and has not yet."""
        state.require(Step.MAP)
        if options_of(state).drop is DropBy.SERVICE:
            raise Refused(
                "map.dropped", "The service drops the dice in this game; edit-map moves them.", rules=("FB-MAP-3",)
            )
        _require_undropped(state)


class EditMap(Enumerable[State]):
    """Change the map before it is accepted: move dice, then remove ways, then add ways.

    Moved dice build it anew by the rules, and earlier edits of ways are gone. An added way may cross the range. Every
    place must be reached, and the Forest keeps one way, a Trail.

    Its legal entry is `partial`: which edits leave it so is more than a schema says.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-3", "FB-AMB-61")

    moves: tuple[MovedDie, ...] = Field(default=(), max_length=40)
    """Dice that lie elsewhere from now on."""
    remove: tuple[WayEnds, ...] = Field(default=(), max_length=100)
    """Ways that fall away."""
    add: tuple[NewWay, ...] = Field(default=(), max_length=100)
    """Ways that are added."""
    reason: Reason = ""
    """Why; it must be said."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.MAP)
        require_map(state)
        realm = edit(
            realm_of(state),
            {move.die: Point(move.x, move.y) for move in self.moves},
            [(_key(state, way.from_), _key(state, way.to)) for way in self.remove],
            [(_key(state, way.from_), _key(state, way.to), way.kind) for way in self.add],
        )
        if not self.reason.strip():
            raise Refused("reason.missing", "Say why the map is changed.", rules=("FB-MAP-3",))
        yield MapEdited(
            moves=self.moves,
            removed=tuple(Route(a=way.from_, b=way.to) for way in self.remove),
            added=tuple(AddedWay(a=way.from_, b=way.to, kind=way.kind) for way in self.add),
            reason=self.reason,
        )
        yield map_built(state, ctx, realm)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.MAP)
        require_map(state)
        chosen, places = options_of(state), Choices.of(state.places)
        die = Fields(
            {
                "die": Choices.of(DICE),
                "x": Range(0, chosen.width - 1),
                "y": Range(0, chosen.height - 1),
            }
        )
        ends: dict[str, Domain] = {"from": places, "to": places}
        domains: dict[str, Domain] = {
            "moves": ListOf(die),
            "remove": ListOf(Fields(ends)),
            "add": ListOf(Fields({**ends, "kind": Choices.of(kind.value for kind in WayKind)})),
            "reason": FreeText(low=1, high=MOST_TEXT, pattern=NOT_BLANK),
        }
        yield LegalCommand(cls.slug(), domains, required=("reason",), partial=True)


class AcceptMap(Enumerable[State]):
    """Accept the map; the Smiths follow."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    rules: ClassVar[tuple[str, ...]] = ("FB-MAP-3",)

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.MAP)
        require_map(state)
        yield from accept_map(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.MAP)
        require_map(state)
        yield LegalCommand(cls.slug())


class DefineSmith(Enumerable[State]):
    """Define your Master Smith: a name, and dice with 72 faces at most; unspent faces are lost.

    Name and description are public at once, the dice when all are in; until then you may define them anew.
    """

    rules: ClassVar[tuple[str, ...]] = ("FB-SET-3", "FB-AMB-30")

    name: Name
    """What they are called; no other Smith is."""
    text: Text = ""
    """Who they are."""
    dice: tuple[Size, ...] = Field(max_length=200)
    """Their dice, each by its faces: 4, 6, 8, 10 or 12."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        asked, seat = _smith_asked(state, ctx.actor)
        require_smith_dice(self.dice)
        others = [plate.name for plate in state.nameplates.values() if plate.seat != seat]
        require_free_name(self.name, others, "Smith")
        dice = tuple(sorted(self.dice))
        yield SmithWritten(seat=seat, name=self.name, text=self.text, dice=dice)
        if state.nameplates.get(seat) != Nameplate(seat, self.name, self.text):
            yield SmithNamed(seat=seat, name=self.name, text=self.text)
        yield from answer(state, ctx, asked, DEFINED)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _, seat = _smith_asked(state, actor)
        others = (plate.name for plate in state.nameplates.values() if plate.seat != seat)
        domains: dict[str, Domain] = {
            "name": FreeText(low=1, high=MOST_NAME).but(others),
            "text": FreeText(high=MOST_TEXT),
            "dice": ListOf(Choices.of(map(int, Size)), low=1, high=MOST_DICE, unique=False),
        }
        cases = at_most({size: MOST_FACES // size for size in Size})
        yield LegalCommand(cls.slug(), domains, facts={"faces": MOST_FACES}, cases=cases, note=SUM_OF_FACES)


def _require_undropped(state: State) -> None:
    """Refuse (`phase.closed`, `map.dropped`) unless the dice of the map are still to fall."""
    state.require(Step.MAP)
    if state.dice:
        raise Refused(
            "map.dropped", "The dice of the map lie on the sheet already; edit-map moves them.", rules=("FB-MAP-3",)
        )


def _key(state: State, place: UUID) -> str:
    """The key of a place on the map. Raises `place.missing`."""
    found = require_place(state, place)
    return key_of(found.kind, found.number)


def _smith_asked(state: State, actor: Actor) -> tuple[UUID, UUID]:
    """(the question for Smiths, the seat that answers it). Raises `phase.closed`, `prompt.not_yours`."""
    state.require(Step.SMITHS)
    asked = state.question(Asked.SMITHS)
    if asked is None:
        raise RuntimeError("Smiths are defined, and nobody is asked for one")
    owner_for(state, state.prompts[asked], actor)
    return asked, state.seat(actor.acting_seat).id
