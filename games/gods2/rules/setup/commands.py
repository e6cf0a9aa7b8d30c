"""Setting up (section 12.1 of the rulebook): configure the game, lay the map, define gods and races.

`configure-game` comes first: it pins the pack that everything is checked against. Races are fixed once the era runs.
"""

from collections.abc import Iterator
from copy import copy
from typing import Annotated, Any, ClassVar
from uuid import UUID

from pydantic import Field

from core.letter_map import MapFault, read_rows
from core.names import is_same_name
from games.engine.audience import PUBLIC
from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.domains import Choices, Domain, FreeText, ListOf, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.seating import Name
from games.engine.model import IN_ORDER
from games.engine.state import Rows
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.geometry.adjacency import feature_fits
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.growth.order import ask_order
from games.gods2.rules.mana.events import AT_START, ManaGained
from games.gods2.rules.pantheon.orders import SHARING, check_shares
from games.gods2.rules.setup.events import (
    CardsSet,
    EraPrepared,
    FeatureAdded,
    GameConfigured,
    GodDefined,
    MapSet,
    PackPinned,
    RaceDefined,
)
from games.gods2.rules.setup.newcomers import level_of
from games.gods2.rules.setup.race_domains import SETTLERS, people, settlers
from games.gods2.rules.setup.sphere_cards import cards_domain, check_cards
from games.gods2.rules.state.constants import COLUMNS, ROWS, TERRAIN_NAMES, TERRAINS
from games.gods2.rules.state.options import Gods2Options, no_pack, options_domain, options_of
from games.gods2.rules.state.records import ATHEISM, WHOLE, City, CityKind, GodKind, Level, Phase, Race
from games.gods2.rules.state.shares import share_list
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import MAX_SIDE, CardOf, Cell, CityAt, Held, Place, ShareOf

Keys = Annotated[tuple[Annotated[str, Field(max_length=60)], ...], Field(max_length=100)]


class SetupCommand(Enumerable[State], abstract=True):
    """A command of the host before the game begins."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.HOST, Issuer.GM})

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require_setup()
        yield LegalCommand(cls.slug())


class ConfigureGame(SetupCommand):
    """Settle the options and the data pack; the first thing to do, and repeatable until races are defined."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2", "G2-KNOW-7")

    options: Gods2Options | None = None
    """The settings; those the game was opened with when absent."""
    pack_version: int | None = Field(default=None, ge=1)
    """The data pack; that of the options when absent, else the newest."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Phase.SETUP)
        if state.races or state.features:
            raise Refused(
                "config.range",
                "Map and races were checked against the pack in force; open a new game instead.",
                rules=("G2-SET-1",),
            )
        packs = state.packs
        options = self.options or options_of(state)
        options.check(state)
        version = self.pack_version or options.pack_version or max(packs)
        if version not in packs:
            raise no_pack(state, version)
        yield GameConfigured(options=options)
        yield PackPinned(pack_version=version, digest=packs[version].digest)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Phase.SETUP)
        if state.races or state.features:
            raise Refused("config.range", "Map and races were checked against the pack in force.", rules=("G2-SET-1",))
        versions = Choices.of(sorted(state.packs))
        yield LegalCommand(cls.slug(), {"options": options_domain(versions), "pack_version": versions})


SIZES = "Other sizes are good as well, and features of squares, in `cells`."


class SetMap(SetupCommand):
    """Lay the map: terrain and features of every square, before any race is defined."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MAP-1", "G2-MAP-2", "G2-MAP-7")
    takes_long: ClassVar[bool] = True

    width: int = Field(default=0, ge=0, le=MAX_SIDE)
    """Columns; 0: as many as the rows have letters, 20 where there are `cells`."""
    height: int = Field(default=0, ge=0, le=MAX_SIDE)
    """Rows; 0: as many as there are, 30 where there are `cells`."""
    cells: tuple[Cell, ...] = Field(default=(), max_length=MAX_SIDE * MAX_SIDE)
    """Every square, row by row from the north-west."""
    rows: tuple[Annotated[str, Field(max_length=MAX_SIDE)], ...] = Field(
        default=(), max_length=MAX_SIDE, json_schema_extra=IN_ORDER
    )
    """In place of `cells`: a text for each row, a letter for each square: P, F, D, M, I, W."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require_setup()
        if state.races:
            raise _bad_map("races stand on the present one")
        if bool(self.cells) is bool(self.rows):
            raise _bad_map("give either cells or rows")
        rows = self._laid_rows()
        width = self.width or (len(rows[0]) if rows else COLUMNS)
        height = self.height or (len(rows) if rows else ROWS)
        if self.cells and len(self.cells) != width * height:
            raise _bad_map(f"{width} x {height} squares need as many cells, {len(self.cells)} were given")
        if rows and (len(rows), len(rows[0])) != (height, width):
            raise _bad_map(f"{height} rows of {width} letters are needed, there are {len(rows)} of {len(rows[0])}")
        found = list(self._features(state.pack.features, width))
        yield MapSet(width=width, height=height, cells=self.cells, rows=rows)
        for square, kind in found:
            yield FeatureAdded(feature=ctx.mint(PUBLIC), kind=kind, square=Place.of(square), cause="map")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require_setup()
        if state.races:
            raise _bad_map("races stand on the present one")
        row = FreeText(low=COLUMNS, high=COLUMNS, pattern=f"^[{''.join(TERRAINS)}]*$")
        rows = ListOf(row, low=ROWS, high=ROWS, unique=False)
        size: dict[str, Domain] = {"width": Choices((COLUMNS,)), "height": Choices((ROWS,))}
        yield LegalCommand(cls.slug(), {**size, "rows": rows}, required=("width", "height", "rows"), note=SIZES)

    def _laid_rows(self) -> tuple[str, ...]:
        """The rows in large letters. Raises `map.invalid` with row and column."""
        try:
            return read_rows(self.rows, TERRAIN_NAMES) if self.rows else ()
        except MapFault as fault:
            raise Refused("map.invalid", fault.message, rules=("G2-MAP-1",), **fault.facts) from fault

    def _features(self, known: Any, width: int) -> Iterator[tuple[Square, str]]:
        for place, cell in enumerate(self.cells):
            for kind in cell.features:
                square = Square(*divmod(place, width))
                if kind not in known or known[kind].code == "Fc":
                    raise _bad_map(f"there is no feature {kind}; cities come with their races")
                if not feature_fits(known[kind].terrains, cell.terrain):
                    raise _bad_map(
                        f"{known[kind].name} does not stand on {cell.terrain} at {square.column}, {square.row}"
                    )
                yield square, kind


class DefineGod(SetupCommand):
    """Say which god, demon or spirit a player's seat is, with cards and mana."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-2", "G2-MANA-1")

    seat: UUID
    """A player's seat."""
    name: Name
    """The god's name."""
    kind: GodKind = GodKind.GOD
    """A god, a demon or a spirit."""
    cards: tuple[CardOf, ...] = Field(default=(), max_length=40)
    """The god's sphere cards."""
    amount: int | None = Field(default=None, ge=0, le=100_000)
    """The god's mana; the setting's starting mana when absent."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require_setup()
        seat = state.seat(self.seat)
        if seat.role is not Role.PLAYER or seat.id in state.gods:
            raise Refused(
                "god.invalid", f"{seat.name} is no player's seat, or plays a god already.", rules=("G2-PAN-2",)
            )
        if any(is_same_name(g.name, self.name) for g in state.gods.values()):
            raise Refused(
                "god.invalid", f"Another god is called {self.name}; choose another name.", rules=("G2-NAME-1",)
            )
        check_cards(state, self.cards)
        amount = options_of(state).starting_mana if self.amount is None else self.amount
        yield GodDefined(seat=seat.id, name=self.name, kind=self.kind)
        yield CardsSet(seat=seat.id, cards=self.cards)
        yield ManaGained(seat=seat.id, amount=amount, balance=amount, cause=AT_START)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require_setup()
        seats = Choices.of(s.id for s in state.seats_of(Role.PLAYER) if s.id not in state.gods)
        if not seats.values:
            raise Refused("god.invalid", "Every player's seat plays a god already.", rules=("G2-PAN-2",))
        kinds = Choices.of(k.value for k in GodKind)
        name = FreeText().but(god.name for god in state.gods.values())
        given: dict[str, Domain] = {"seat": seats, "name": name, "kind": kinds, "cards": cards_domain(state)}
        yield LegalCommand(cls.slug(), {**given, "amount": Range(low=0)})


class DefineRace(SetupCommand):
    """Put a people on the Earth, with its culture, its gods, its units and cities; in a second Creation as well.

    How many units a square holds follows from all of this together.

    One of its legal entries is `partial`, for that is more than a schema says.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-ATTR-1", "G2-PAN-1", "G2-CITY-8", "G2-LIM-1", "G2-CREA-1")

    name: Name
    """The people's name, in the plural."""
    attributes: Keys = ()
    """What the people is like; entries of the pack."""
    knowledges: Keys = ()
    """What the people knows; entries of the pack, which give the cultural level."""
    pantheon: tuple[ShareOf, ...] = Field(default=(), max_length=40)
    """Shares in hundredths of a percent, 10 000 in all; atheism alone when empty."""
    placed: tuple[Held, ...] = Field(min_length=1, max_length=10_000)
    """Units by square."""
    cities: tuple[CityAt, ...] = Field(default=(), max_length=1_000)
    """Cities of a civilized people, on squares with units."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        require_creation(state)
        state.require_map()
        pantheon = check_shares(state, self.pantheon or (ShareOf(member=ATHEISM, share=WHOLE),))
        self._check_culture(state)
        level = level_of(state, self.knowledges)
        self._check_cities(level)
        race = ctx.mint(PUBLIC)
        self._check_places(state, race, level)
        yield RaceDefined(
            race=race,
            name=self.name,
            attributes=tuple(sorted(self.attributes)),
            knowledges=tuple(sorted(self.knowledges)),
            level=level,
            pantheon=share_list(pantheon),
            placed=self.placed,
            cities=self.cities,
        )
        for city in self.cities:
            kind = CityKind(city.kind)
            yield CityFounded(city=ctx.mint(PUBLIC), race=race, square=city.square, kind=kind, cause="start")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        require_creation(state)
        state.require_map()
        yield LegalCommand(cls.slug(), people(state), note=SHARING, partial=True)
        if (certain := settlers(state)) is not None:
            yield LegalCommand(cls.slug(), certain, note=SETTLERS)

    def _check_culture(self, state: State) -> None:
        if any(is_same_name(r.name, self.name) for r in state.races.values()):
            raise Refused(
                "name.taken", f"Another race is called {self.name}; choose another name.", rules=("G2-NAME-1",)
            )
        for keys, known in ((self.attributes, state.pack.attributes), (self.knowledges, state.pack.knowledges)):
            unknown = [key for key in keys if key not in known]
            if unknown or len(set(keys)) < len(keys):
                raise _bad_race(self.name, f"the pack has no {', '.join(unknown)}, or a key stands twice")

    def _check_cities(self, level: Level) -> None:
        held, sites = {h.square for h in self.placed if h.units}, [c.square for c in self.cities]
        if (level is Level.CIVILIZED) is not bool(sites):
            raise _bad_race(self.name, "a civilized race owns a city at least, and no other race owns one")
        if not set(sites) <= held or len(set(sites)) < len(sites):
            raise _bad_race(self.name, "a city stands where units of its race stand, one on a square")

    def _check_places(self, state: State, race: UUID, level: Level) -> None:
        squares = [h.square.square for h in self.placed]
        if len(set(squares)) < len(squares) or not all(h.units for h in self.placed):
            raise _bad_race(self.name, "each square is named once, with one unit at least")
        for square in squares:
            if not state.board.holds(square):
                raise Refused(
                    "square.off_map", f"{square.column}, {square.row} is not on the map.", rules=("G2-MAP-1",)
                )
            if state.board.people_at(square) is not None:
                raise Refused(
                    "square.taken", f"Another race lives at {square.column}, {square.row}.", rules=("G2-MAP-6",)
                )
        room = limits(self._probe(state, race, level), race)
        for held in self.placed:
            most = int(room[held.square.square])
            if held.units > most:
                raise Refused(
                    "square.full",
                    f"{self.name}: {held.square.x}, {held.square.y} holds {most} units of them, not {held.units}.",
                    rules=("G2-LIM-1",),
                    limit=most,
                )

    def _probe(self, state: State, race: UUID, level: Level) -> State:
        """A state in which the race is there already, to ask for its limits."""
        probe = copy(state)
        probe.races, probe.cities = Rows(state.races), Rows(state.cities)
        probe.races.load(race, Race(race, self.name, self.attributes, self.knowledges, level))
        for k, city in enumerate(self.cities):
            probe.cities.load(UUID(int=k), City(UUID(int=k), race, city.square.square, CityKind(city.kind)))
        return probe


def require_creation(state: State) -> None:
    """Refuse (`race.fixed`) when races are fixed: after the set-up, but for a second Creation (G2-CREA-1)."""
    if state.era.phase is Phase.CREATION:
        state.require(Phase.CREATION)
        return
    if state.era.phase is not Phase.SETUP:
        raise Refused(
            "race.fixed", "Era Centrum has begun; races are fixed. Amend corrects them.", rules=("G2-ATTR-1",)
        )
    state.require_setup()


def start(state: State, ctx: Context) -> Iterator[Event]:
    """The host's start ends the set-up."""
    yield EraPrepared()
    yield from ask_order(state, ctx)


def _bad_map(why: str) -> Refused:
    return Refused("map.invalid", f"This map cannot be laid: {why}.", rules=("G2-MAP-1",))


def _bad_race(name: str, why: str) -> Refused:
    return Refused("race.invalid", f"{name} cannot be defined: {why}.", rules=("G2-ATTR-1", "G2-CITY-8"))
