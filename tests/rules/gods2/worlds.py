"""Small earths for the tests of The Gods II: rows of terrain letters, races with their units, acts with their events.

Every act is folded a second time from its events, so each test proves that the log gives the same state.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5
from weakref import WeakKeyDictionary

import numpy as np

from games.engine.audience import Audience
from games.engine.board.board import Board, Square
from games.engine.dice import DiceSource, SecretDice, Tray
from games.engine.game_state import GameInfo, Status, dump
from games.engine.kernel import CLOCK, Context, Event, apply_events, fold
from games.gods2.pack import pack_files
from games.gods2.rules.course import COURSE
from games.gods2.rules.pack.pack import Pack
from games.gods2.rules.state.constants import number
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.records import (
    ATHEISM,
    WHOLE,
    City,
    CityKind,
    Feature,
    Level,
    Phase,
    Race,
    Share,
    War,
    WarKind,
)
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf
from games.gods2.rules.war.battle import Forecast, footing, outcome
from tests.dice import GivenDice, Planted

GAME = UUID("5a5a5a5a-0000-4000-8000-000000000001")
RULEBOOK = 1
"""The pack whose numbers the rulebook's tables and examples have."""
DAWN = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
HEADS: WeakKeyDictionary[State, dict[Audience, int]] = WeakKeyDictionary()
"""How many events each earth has: the ids of later acts differ from those of earlier ones."""
KNOWN = {Level.PRIMITIVE: (), Level.BARBARIAN: ("tribal_law",), Level.CIVILIZED: ("civilization",)}


@dataclass(frozen=True)
class People:
    """A race to put on an earth."""

    name: str
    units: Mapping[tuple[int, int], int]
    level: Level = Level.PRIMITIVE
    attributes: tuple[str, ...] = ()
    knowledges: tuple[str, ...] = ()
    cities: Mapping[tuple[int, int], CityKind] = field(default_factory=dict)
    floor: Level = Level.PRIMITIVE
    faith: tuple[ShareOf, ...] = (ShareOf(member=ATHEISM, share=WHOLE),)
    number: int = 0
    """Its id, where the order of ids matters; from its name where it is 0."""

    @property
    def id(self) -> UUID:
        return UUID(int=self.number) if self.number else id_of(self.name)


def id_of(name: str) -> UUID:
    """The id of a thing in the tests."""
    return uuid5(GAME, name)


def race(
    name: str,
    units: Mapping[tuple[int, int], int],
    level: str = "primitive",
    *,
    attributes: Iterable[str] = (),
    knowledges: Iterable[str] = (),
    cities: Mapping[tuple[int, int], CityKind] | None = None,
    floor: str = "primitive",
    faith: tuple[ShareOf, ...] = (ShareOf(member=ATHEISM, share=WHOLE),),
    number: int = 0,
) -> People:
    """A race; its level is given by tribal law or civilization. A civilized one has a city on its first square.

    units: by (row, column). faith: its pantheon, as `era.shares` makes it. number: its id, where their order matters.
    """
    at = Level(level)
    built = {next(iter(units)): CityKind.CITY} if cities is None and at is Level.CIVILIZED else cities or {}
    known = tuple(sorted({*KNOWN[at], *knowledges}))
    return People(name, units, at, tuple(attributes), known, built, Level(floor), faith, number)


def earth_of(
    rows: Iterable[str],
    *peoples: People,
    features: Iterable[tuple[str, tuple[int, int]]] = (),
    phase: Phase = Phase.OPEN,
    century: int = 1,
    packs: Mapping[int, Pack] | None = None,
) -> State:
    """An earth of these rows of letters with these races, in the first century."""
    lines = [row.replace(" ", "") for row in rows]
    state = State(GameInfo(id=GAME, ruleset="gods2", status=Status.RUNNING, last_at=DAWN), packs or pack_files())
    state.set_invariants(violations)
    state.follow_course(COURSE)
    state.board = Board(len(lines[0]), len(lines))
    state.board.lay(np.array([[number(t) for t in line] for line in lines], dtype=np.int8))
    state.set_era(phase=phase, century=century, pack_version=max(packs) if packs else RULEBOOK)
    for people in peoples:
        state.races[people.id] = Race(
            people.id,
            people.name,
            attributes=people.attributes,
            knowledges=people.knowledges,
            level=people.level,
            floor=people.floor,
        )
        for share in people.faith:
            state.shares[people.id, share.member] = Share(people.id, share.member, share.share)
        for (row, column), units in people.units.items():
            state.board.put(Square(row, column), people.id, units)
        for (row, column), kind in people.cities.items():
            city = id_of(f"city {row} {column}")
            state.cities[city] = City(city, people.id, Square(row, column), kind)
    for kind, (row, column) in features:
        feature = id_of(f"{kind} {row} {column}")
        state.features[feature] = Feature(feature, Square(row, column), kind)
    return state


def plant_war(state: State, attacker: People, defender: People, kind: WarKind = WarKind.GOD) -> UUID:
    """A war between two races, declared and due now."""
    count = len(state.wars) + 1
    war = id_of(f"war {count}")
    state.wars[war] = War(war, state.era.century, count, attacker.id, defender.id, kind, DAWN, due=DAWN)
    return war


def twin_of(state: State) -> State:
    """A copy that shares nothing which changes."""
    twin = State(state.info, state.packs)
    twin.set_invariants(violations)
    for name, rows in state.rows():
        for key, record in rows.items():
            getattr(twin, name).load(key, record)
    twin.board = state.board.copy()
    return twin


def context(dice: DiceSource) -> Context:
    """A context of the clock with these dice."""
    return Context(
        game=GAME,
        now=DAWN,
        actor=CLOCK,
        tray=Tray(dice),
        id_secret=b"ids of the tests",
        commands={},
    )


def happen(
    state: State, deed: Callable[[State, Context], Iterator[Event]], dice: Iterable[Planted] | None = ()
) -> list[Event]:
    """Carry out an act; its events. Folding them from their JSON must lead to the same state.

    dice: planted with `tests.dice.d`, all must be used; None for the dice of a fixed secret.
    """
    given = GivenDice(dice or ())
    ctx = context(given if dice is not None else SecretDice(b"secret of the tests", str(GAME)))
    ctx.heads = HEADS.setdefault(state, {})
    twin = twin_of(state)
    events = [h.event for h in apply_events(state, deed(state, ctx), ctx)]
    assert given.is_exhausted(), "fewer dice were rolled than given"
    reread = [type(e).model_validate_json(e.model_dump_json()) for e in events]
    assert dump(fold(twin, ((e, DAWN) for e in reread))) == dump(state)
    return events


def forecast(state: State, attacker: UUID, defender: UUID) -> Forecast:
    """The exact outcome of a war between two races, before any diplomacy; changes nothing (G2-WAR-2 to 7)."""
    return outcome(state, footing(state, attacker, "attacker"), footing(state, defender, "defender"))


def units_of(state: State, people: People | UUID) -> dict[tuple[int, int], int]:
    """The units of a race by (row, column)."""
    own = state.board.own(people if isinstance(people, UUID) else people.id)
    return {(int(r), int(c)): int(state.board.units[r, c]) for r, c in zip(*np.nonzero(own), strict=True)}


def row_major(width: int, first: int, count: int) -> dict[tuple[int, int], int]:
    """One unit on each of `count` squares, counted row by row from `first`."""
    return {divmod(i, width): 1 for i in range(first, first + count)}


def movements(events: Iterable[Any]) -> list[tuple[tuple[int, int], tuple[int, int], int]]:
    """The movements of events as ((row, column), (row, column), units)."""
    return [
        ((m.from_square.y, m.from_square.x), (m.to_square.y, m.to_square.x), m.units)
        for e in events
        for m in getattr(e, "moves", ())
    ]
