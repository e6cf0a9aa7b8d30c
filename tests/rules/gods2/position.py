"""A position of The Gods II: planted by events with chosen ids, so that its log leads to it and tests can name things.

    book = position(
        ("PPPP", "PPPP"),
        race("Dwarves", {(0, 0): 1}, faith=shares(a=60, b=40)),
        race("Elves", {(0, 3): 3}, "civilized", number=7),
        gods=(deity(ANA, mana=50, cards={"WA": 3}), deity(BEN, GodKind.DEMON)),
    )

A century stands open: nobody has grown in it, no war is declared, no die was rolled, both its timers run. From there
`book.when(...)` issues commands and `book.wait(...)` lets time pass; `told_again(book)` is what the log alone leads to.

Ids: a god's is its seat; a race's its `number`, else `id_of(name)`; a city's `id_of("city 0 3")`, a feature's
`id_of("river 0 3")`, by row and column. To try a pure function on a map without gods, a clock or a log, take
`worlds.earth_of`; to play the set-up itself, `era.set_up`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.kernel import Event
from games.engine.lifecycle.gm_commands import Started
from games.engine.timer import TimerSet
from games.gods2.rules import RULESET
from games.gods2.rules.calendar.events import SessionOpened
from games.gods2.rules.calendar.rules import activity_key, end_key
from games.gods2.rules.century.commands import CloseActivity, OpenNextCentury
from games.gods2.rules.century.events import CenturyOpened, GrowthEnded, GrowthOrdered
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.declarations.events import BoardOpened
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.mana.rules import take_factors
from games.gods2.rules.pack.pack import Pack
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
from games.gods2.rules.state.options import Gods2Options, activity_margin
from games.gods2.rules.state.records import GodKind
from games.gods2.rules.state.value_types import CardOf, CityAt, Held, Place
from tests.playbook import Playbook, state_from_log
from tests.rules.gods2.era import ANA, BEN, CLEO, NAMES, fresh
from tests.rules.gods2.worlds import People, id_of


@dataclass(frozen=True)
class Deity:
    """A god, demon or spirit to put into a position."""

    seat: UUID
    kind: GodKind = GodKind.GOD
    mana: int = 20
    cards: Mapping[str, int] = field(default_factory=dict)


def deity(seat: UUID, kind: GodKind = GodKind.GOD, *, mana: int = 20, cards: Mapping[str, int] | None = None) -> Deity:
    """Who plays a seat, with so much mana and so many cards by sphere."""
    return Deity(seat, kind, mana, cards or {})


THREE_GODS = (deity(ANA), deity(BEN), deity(CLEO))


def position(
    rows: Sequence[str],
    *peoples: People,
    gods: Iterable[Deity] = THREE_GODS,
    features: Iterable[tuple[str, tuple[int, int]]] = (),
    century: int = 1,
    options: Gods2Options | None = None,
    packs: Mapping[int, Pack] | None = None,
) -> Playbook:
    """A map with its peoples and gods, in an open century of the first session; before that session where it is 0.

    rows: a letter a square. features: by kind and (row, column). packs: in place of those of the rulebook.
    """
    book = Playbook(RULESET, fresh())
    if packs is not None:
        book.state._packs = dict(packs)
    book.plant(*_table(rows, options or Gods2Options(), book.state.packs))
    book.plant(*(event for each in gods for event in _god(each)))
    book.plant(
        *(
            FeatureAdded(feature=id_of(f"{kind} {row} {column}"), kind=kind, square=Place(x=column, y=row), cause="map")
            for kind, (row, column) in features
        ),
        *(event for people in peoples for event in _race(people)),
        Started(),
        EraPrepared(),
    )
    if century:
        book.plant(*take_factors(book.state, 1))
        book.plant(*_open(book, century))
    assert book.state.invariants() is None
    return book


def replay(book: Playbook) -> Any:
    """What the log alone leads to."""
    again = fresh()
    again._packs = book.state.packs
    return state_from_log(book.log, again)


def _table(rows: Sequence[str], options: Gods2Options, packs: Mapping[int, Pack]) -> Iterator[Event]:
    version = options.pack_version or min(packs)  # the first pack has the rulebook's numbers
    yield GameConfigured(options=options)
    yield PackPinned(pack_version=version, digest=packs[version].digest)
    yield MapSet(width=len(rows[0]), height=len(rows), rows=tuple(rows))


def _god(each: Deity) -> Iterator[Event]:
    yield GodDefined(seat=each.seat, name=NAMES[each.seat], kind=each.kind)
    yield CardsSet(seat=each.seat, cards=tuple(CardOf(sphere=s, count=n) for s, n in each.cards.items()))
    yield ManaGained(seat=each.seat, amount=each.mana, balance=each.mana, cause="start")


def _race(people: People) -> Iterator[Event]:
    cities = tuple(CityAt(square=Place(x=x, y=y), kind=kind) for (y, x), kind in people.cities.items())
    yield RaceDefined(
        race=people.id,
        name=people.name,
        attributes=people.attributes,
        knowledges=people.knowledges,
        level=people.level,
        pantheon=people.faith,
        placed=tuple(Held(square=Place(x=x, y=y), units=units) for (y, x), units in people.units.items()),
        cities=cities,
    )
    for city in cities:
        key = id_of(f"city {city.square.y} {city.square.x}")
        yield CityFounded(city=key, race=people.id, square=city.square, kind=city.kind, cause="start")


def _open(book: Playbook, century: int) -> Iterator[Event]:
    ends = book.now + timedelta(seconds=book.state.era.century_seconds)
    closes = ends - timedelta(seconds=activity_margin(book.state))
    yield SessionOpened(session=1, century=century, count=book.state.era.plan[0])
    yield CenturyOpened(century=century, starts_at=book.now, activity_ends_at=closes, ends_at=ends)
    yield TimerSet.of(activity_key(century), closes, CloseActivity(century=century), shown=PUBLIC)
    yield TimerSet.of(end_key(century), ends, OpenNextCentury(century=century), shown=PUBLIC)
    yield GrowthOrdered(century=century, races=())
    yield GrowthEnded(century=century)
    yield BoardOpened(century=century, dues=())
