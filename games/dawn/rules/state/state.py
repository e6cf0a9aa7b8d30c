"""The state of Dawn: course, gods, purses, map, peoples, what is open; and what every chapter reads."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar
from uuid import UUID

from core.names import is_among
from games.dawn.rules.state.constants import BOT_WAIT, LEAST_GODS
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.records import (
    Advance,
    Alliance,
    Army,
    Avatar,
    City,
    Conflict,
    Course,
    Edge,
    God,
    Mark,
    Motion,
    Order,
    Power,
    Race,
    Region,
    Square,
    Territory,
    War,
)
from games.dawn.rules.state.schema_types import AdvanceKind, Asked, Life, Price, Step
from games.dawn.rules.state.seating import check_place
from games.dawn.rules.state.wording import STEPS
from games.engine.artifacts.state import ArtifactState, HolderKind
from games.engine.economy.purses import Hold, Purse, purse_of
from games.engine.economy.trade_offers import Exchange
from games.engine.errors import Refused
from games.engine.game_state import Prompt, Seat
from games.engine.kernel import Actor
from games.engine.phases import other_step
from games.engine.prompts.prompt import innermost_in
from games.engine.prompts.questions import row_of
from games.engine.state import Rows, singleton, table

LANE = "turn"
At = tuple[int, int]
"""A square's key: column, row."""


class State(ArtifactState):
    """A game of Dawn of Worlds."""

    holding_tables: ClassVar[Mapping[HolderKind, str]] = {
        HolderKind.DEITY: "gods",
        HolderKind.RACE: "races",
        HolderKind.CITY: "cities",
    }

    courses: Rows[UUID, Course] = table(Course, amendable=True)
    course = singleton(courses)
    """The course of the game."""
    gods: Rows[UUID, God] = table(God, amendable=True)
    purses: Rows[UUID, Purse] = table(Purse, key="seat", amendable=True)
    holds: Rows[tuple[UUID, UUID], Hold] = table(Hold, key=("undertaking", "seat"))
    regions: Rows[UUID, Region] = table(Region, amendable=True)
    squares: Rows[At, Square] = table(Square, key=("x", "y"), amendable=True)
    races: Rows[UUID, Race] = table(Race, amendable=True)
    territory: Rows[tuple[UUID, int, int], Territory] = table(Territory, key=("race", "x", "y"), amendable=True)
    cities: Rows[UUID, City] = table(City, amendable=True)
    edges: Rows[tuple[UUID, str], Edge] = table(Edge, key=("target", "name"), amendable=True)
    armies: Rows[UUID, Army] = table(Army, amendable=True)
    orders: Rows[UUID, Order] = table(Order, amendable=True, over={"dissolved": (True,)})
    avatars: Rows[UUID, Avatar] = table(Avatar, amendable=True)
    alliances: Rows[UUID, Alliance] = table(Alliance, amendable=True, over={"ended": (True,)})
    marks: Rows[tuple[Price, UUID], Mark] = table(Mark, key=("price", "target"))
    powers: Rows[UUID, Power] = table(Power, hidden=("asking", "settled", "refusers", "withdrawn", "worked"))
    """How far the service has come with an open power is hidden; what is public of it has events of its own."""
    conflicts: Rows[UUID, Conflict] = table(Conflict)
    wars: Rows[UUID, War] = table(War)
    motions: Rows[UUID, Motion] = table(Motion)
    offers: Rows[UUID, Exchange] = table(Exchange)
    advances: Rows[tuple[UUID, AdvanceKind, str], Advance] = table(Advance, key=("seat", "kind", "about"))
    steps = STEPS
    thinking_time = BOT_WAIT

    def set_course(self, **changes: Any) -> None:
        """Change the course of the game."""
        self.course = replace(self.course, **changes)

    def set_power(self, power: UUID, **changes: Any) -> None:
        """Change an open power."""
        self.powers[power] = replace(self.powers[power], **changes)

    # -- who may act ------------------------------------------------------------------------------------------------

    @property
    def chapter(self) -> int:
        course = self.course
        return 0 if course.step in (Step.LOBBY, Step.SETUP) else course.age

    def stage_marks(self) -> tuple[Any, ...]:
        return (self.course.rounds, self.course.active)

    @property
    def step(self) -> str:
        return self.course.step

    def step_refusal(self, steps: tuple[str, ...]) -> Refused:
        return other_step(STEPS, self.step, steps, rules=("DW-SET-7",) if steps == (Step.SETUP,) else ())

    def require_startable(self) -> None:
        """Refuse (`seats.few`) a start with fewer than two players (DW-SET-1)."""
        if len(self.players()) < LEAST_GODS:
            raise Refused("seats.few", f"{LEAST_GODS} gods at least must have joined.", rules=("DW-SET-1",))

    def require_ready(self) -> None:
        """Refuse (`game.not_ready`) a start with fewer than two gods (DW-SET-8)."""
        if len(self.gods) < LEAST_GODS:
            raise Refused(
                "game.not_ready",
                f"{LEAST_GODS} gods at least must be defined; there are {len(self.gods)}.",
                rules=("DW-SET-8",),
                need=LEAST_GODS,
                have=len(self.gods),
            )

    def acting(self, actor: Actor) -> God:
        """The god of the acting seat. Raises `seat.missing`."""
        return self.god(self.seat(actor.acting_seat).id)

    def god(self, seat: UUID) -> God:
        """The god of a seat. Raises `seat.missing`."""
        if seat not in self.gods:
            raise Refused("seat.missing", "There is no god at this seat.")
        return self.gods[seat]

    def active(self, actor: Actor) -> God:
        """The active god, who may use powers now. Raises `turn.not_yours`, `prompt.open`."""
        self.require(Step.TURN)
        god = self.acting(actor)
        self.require_turn(god.id)
        return god

    def require_turn(self, seat: UUID, *, publicly: bool = False) -> None:
        """Refuse (`turn.not_yours`, `prompt.open`) all but the active god, while no question is open in their turn."""
        self.require(Step.TURN)
        if self.course.active != seat:
            raise Refused(
                "turn.not_yours",
                f"It is not the turn of {self.god(seat).name}; wait until the others have ended.",
                rules=("DW-TRN-1",),
            )
        self.require_quiet()

    def require_no_conflict(self) -> None:
        """Refuse (`conflict.open`) while a Divine Conflict is open: no points move except its bids (DW-PTS-6)."""
        if self.conflicts:
            raise Refused(
                "conflict.open", "A Divine Conflict is being fought; wait for its end.", rules=("DW-PTS-6", "DW-DC-6")
            )

    def require_quiet(self) -> None:
        """Refuse (`prompt.open`) while something is open inside the turn: a question, or the bids of a conflict."""
        if (inner := self.inner()) is not None:
            raise Refused(
                "prompt.open",
                f"A question is open inside this turn: {row_of(self, inner.kind).about}. It comes first.",
                rules=("DW-DC-6",),
            )

    def inner(self) -> Prompt | None:
        """The innermost question inside the turn; None while the active god is free to act."""
        prompt = innermost_in(self, LANE)
        return None if prompt is None or prompt.kind == Asked.TURN else prompt

    def open_prompt(self, kind: Asked) -> Prompt | None:
        """The open question of a kind; there is one at most."""
        return next((p for p in self.prompts.values() if p.kind == kind), None)

    # -- gods and points --------------------------------------------------------------------------------------------

    def has_left(self, seat: UUID) -> bool:
        """Whether a god has left: nobody sits at the seat (DW-AMB-37)."""
        here = self.seats[seat]
        return here.user is None and not here.bot

    def playing(self) -> list[God]:
        """The gods who are in the game, in seat order; all of them while nobody is left, for the clock to go on."""
        every = sorted(self.gods.values(), key=lambda g: g.id)
        return [g for g in every if not self.has_left(g.id)] or every

    def in_turn_order(self, seats: Any) -> list[UUID]:
        """Seats by the turn order of this round; those without a place in it last, by id."""
        order = {seat: place for place, seat in enumerate(self.course.order)}
        return sorted(seats, key=lambda s: (order.get(s, len(order)), s))

    def present(self, seats: Any) -> list[UUID]:
        """Those of the seats whose gods are in the game, in turn order; nobody twice."""
        return self.in_turn_order({s for s in seats if s in self.gods and not self.has_left(s)})

    def require_pair(self, one: UUID, other: UUID) -> None:
        """Refuse two gods of whom neither is the active one (`pair.inactive`), or who are not two (`seat.missing`)."""
        self.god(other)
        if one == other or self.has_left(other):
            raise Refused("seat.missing", "Name another god who is in the game.")
        if self.course.active not in (one, other):
            raise Refused(
                "pair.inactive", "One of the two must be the god whose turn it is.", rules=("DW-PTS-2", "DW-DC-1")
            )

    def partners(self, seat: UUID) -> list[UUID]:
        """Whom a god may deal with now: everybody on their own turn, else the active god."""
        others = [g.id for g in self.playing() if g.id != seat and not self.has_left(g.id)]
        return others if self.course.active == seat else [s for s in others if s == self.course.active]

    def balance(self, seat: UUID) -> int:
        """The points of a god that are free."""
        return purse_of(self.purses, seat).balance

    def inability_to_hold(self, kind: HolderKind, holder: Any) -> str:
        """Races that are extinct hold nothing (DW-ART-1)."""
        return f"{holder.name} are extinct" if isinstance(holder, Race) and holder.life is Life.EXTINCT else ""

    # -- the world --------------------------------------------------------------------------------------------------

    def square(self, at: At) -> Square:
        """The square at (x, y). Raises `square.off_map`."""
        found = self.squares.get(at)
        if found is None:
            course = self.course
            raise Refused(
                "square.off_map",
                f"({at[0]}, {at[1]}) is not on the map; it goes from (0, 0) to "
                f"({course.width - 1}, {course.height - 1}).",
                rules=("DW-SET-3",),
            )
        return found

    def neighbours(self, at: At) -> list[At]:
        """The squares that share an edge with one (DW-SET-6), by row and column."""
        x, y = at
        return [n for n in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)) if n in self.squares]

    def are_connected(self, squares: Any) -> bool:
        """Whether squares form one edge-connected set (DW-LAND-1, DW-MIR-1)."""
        left = set(squares)
        edge = [left.pop()] if left else []
        while edge:
            found = [n for n in self.neighbours(edge.pop()) if n in left]
            left.difference_update(found)
            edge.extend(found)
        return not left

    def race(self, race: UUID) -> Race:
        """A race that lives. Raises `race.missing`, `race.extinct`."""
        found = self.races.get(race)
        if found is None:
            raise Refused("race.missing", "There is no such race.")
        if found.life is Life.EXTINCT:
            raise Refused("race.extinct", f"{found.name} are extinct.", rules=("DW-MIR-5",))
        return found

    def living_races(self) -> list[Race]:
        """The races that are not extinct, by name."""
        return sorted((r for r in self.races.values() if r.life is not Life.EXTINCT), key=lambda r: r.name)

    def city(self, city: UUID) -> City:
        """A city. Raises `city.missing`."""
        if city not in self.cities:
            raise Refused("city.missing", "There is no such city; it may have been razed.")
        return self.cities[city]

    def people(self, target: UUID) -> Race:
        """The race that a target is, or that owns it when it is a city. Raises `target.missing`, `race.extinct`."""
        if target in self.cities:
            return self.race(self.cities[target].race)
        if target not in self.races:
            raise Refused("target.missing", "There is no such race or city.")
        return self.race(target)

    def title(self, target: UUID | None) -> str:
        """The name of whatever has one."""
        for rows in (self.gods, self.races, self.cities, self.orders, self.avatars, self.regions, self.seats):
            named: Any = rows.get(target) if target is not None else None
            if named is not None:
                return str(named.name)
        return "nobody"

    def require_free_name(self, name: str, rows: Rows[UUID, Any]) -> None:
        """Refuse (`name.taken`) a name that is the same as another's of the kind."""
        if is_among(name, (row.name for row in rows.values())):
            raise Refused("name.taken", f"{name} is taken; choose another name.", rules=("DW-NAME-1",))

    def names_in(self, rows: Rows[UUID, Any]) -> list[str]:
        """The names that are taken of a kind."""
        return [row.name for row in rows.values()]

    def land_of(self, race: UUID) -> set[At]:
        """The territory of a race."""
        return {(t.x, t.y) for t in self.territory.values() if t.race == race}

    def edges_of(self, target: UUID) -> list[Edge]:
        """The edges of a race or a city, oldest first."""
        return sorted((e for e in self.edges.values() if e.target == target), key=lambda e: e.given)

    def armies_in(self, city: UUID) -> list[Army]:
        """The armies of a city by id."""
        return sorted((a for a in self.armies.values() if a.city == city), key=lambda a: a.id)

    def city_at(self, at: At) -> City | None:
        """The city on a square; there is one at most (DW-RACE-5)."""
        return next((c for c in self.cities.values() if (c.x, c.y) == at), None)

    def avatars_at(self, at: At) -> list[Avatar]:
        """The living avatars on a square by id."""
        return sorted((a for a in self.avatars.values() if a.alive and (a.x, a.y) == at), key=lambda a: a.id)

    # -- what the table asks ----------------------------------------------------------------------------------------

    def joining(self, seat: Seat) -> None:
        course = self.course
        most = DawnOptions.of(self).seats if course.step is Step.LOBBY else course.seats
        check_place(seat, course.step, len(self.players()), most)
