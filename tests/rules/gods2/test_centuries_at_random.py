"""Whole centuries on random small Earths, whose gods and GM do whatever is legal (section 6).

After every act and every wait the invariants hold. After every century each death is in a box, what was earned and
carried is paid or carried on, a race in turmoil has given nothing, and the log leads to the same state. A short form of
few examples; `FAULTS=full` plays five thousand.
"""

import os
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.insight.domains import Choices, Domain, Flag, ListOf, Range
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter, legal_commands_for
from games.engine.kernel import Actor, Command, Event, Issuer
from games.gods2.rules import RULESET
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.century.worksheet_events import CenturyClosed, WorksheetClosed, WorksheetCorrected
from games.gods2.rules.effects.events import UnitsAdded
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.mana.events import ManaPaid, PoolPaid
from games.gods2.rules.pantheon.turmoil_events import TurmoilStarted
from games.gods2.rules.setup.events import RaceDefined
from games.gods2.rules.state.invariants import violations
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.value_types import CityAt, CityKindName, Held, Place
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from tests import forms
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, begin, define, set_up, shares, units
from tests.rules.gods2.joint import replays_alike

FULL = os.environ.get("FAULTS") == "full"
PARTS = 10 if FULL else 1
"""Tests among which the examples are divided, so that several processes look for them."""
EXAMPLES = 5000 // PARTS if FULL else 12 if forms.SHORT else 25
ACTS, CENTURIES = 16, 3
SIDE = 6
SPHERES = ("FE", "NA", "SE", "SI", "CW", "CK", "LB", "WA", "CH", "DE", "FJ", "LI", "LS")
LORE: dict[str, tuple[str, ...]] = {
    "primitive": (),
    "barbarian": ("tribal_law", "toolmaking", "agriculture"),
    "warriors": ("tribal_law", "toolmaking", "archery", "fire_keeping", "pottery", "metalworking", "iron_weapons"),
    "civilized": ("tribal_law", "toolmaking", "agriculture", "civilization", "writing", "philosophy"),
    "conquerors": (
        "tribal_law",
        "toolmaking",
        "agriculture",
        "civilization",
        "writing",
        "fire_keeping",
        "pottery",
        "metalworking",
        "iron_weapons",
        "tactics",
        "archery",
    ),
}
NATURES = ("sea_folk", "snow_folk", "warlike", "greedy", "fragile", "survivor_race", "mountain_folk", "winged")
KINDS: tuple[CityKindName, ...] = ("city", "great")
FAITHS: tuple[dict[str, float], ...] = ({"a": 60, "b": 40}, {"b": 50, "diabolism": 50}, {"c": 100}, {"atheism": 100})


def people(book: Playbook, chance: Random, name: str, ground: Mapping[tuple[int, int], str]) -> None:
    """A random race on the squares of this ground that it can live on."""
    lore = chance.choice(list(LORE))
    civilized = "civilization" in LORE[lore]
    most = dict(zip("PFDMIW", (5, 3, 3, 2, 0, 0) if civilized else (3, 3, 2, 1, 1, 0), strict=True))
    if lore == "primitive":
        most = dict.fromkeys(most, 1) | {"W": 0}
    held = tuple(
        Held(square=Place(x=x, y=y), units=chance.randint(1, most[t])) for (x, y), t in ground.items() if most[t]
    )
    if held:
        cities = (CityAt(square=held[0].square, kind=chance.choice(KINDS)),) if civilized else ()
        attributes = (chance.choice(NATURES),)
        pantheon = shares(**chance.choice(FAITHS))
        define(book, name, held, attributes=attributes, knowledges=LORE[lore], cities=cities, pantheon=pantheon)


def earth(chance: Random) -> Playbook:
    """A random Earth with up to three races; its gods have all cards and plenty of mana."""
    rows = tuple("".join(chance.choice("PPPPFDMIW") for _ in range(SIDE)) for _ in range(SIDE))
    options = Gods2Options(
        century_seconds=60, plan=(16,), starting_mana=300, war_delay_seconds=chance.choice((0, 300)),
        adjacency=chance.choice((4, 8)), cold_pole=chance.choice(("north", "south")), previews=chance.random() < 0.3,
    )  # fmt: skip
    book = set_up(rows, options, cards={seat: dict.fromkeys(SPHERES, 6) for seat in (ANA, BEN, CLEO)})
    squares = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    chance.shuffle(squares)
    for k, name in enumerate(("Norse", "Picts", "Gauls")[: chance.randint(1, 3)]):
        people(
            book, chance, name, {(x, y): rows[y][x] for x, y in sorted(squares[k * 9 : k * 9 + chance.randint(2, 9)])}
        )
    if not book.state.races:
        define(book, "Huns", units(*[(x, y, 1) for x, y in squares if rows[y][x] in "PFDM"][:1]))
    return begin(book)


def value_of(domain: Domain, chance: Random) -> Any:
    """A value of a domain; None where it is free."""
    match domain:
        case Choices(values) if values:
            return chance.choice(values)
        case Range(int(low), int(high)):
            return chance.randint(low, high)
        case Flag():
            return chance.random() < 0.5
        case ListOf(of) if (value := value_of(of, chance)) is not None:
            return [value]
    return None


def command_of(candidate: LegalCommand, chance: Random) -> Command | None:
    """A command with values of a legal command's domains; None where it wants more than its domains say."""
    kind = RULESET.commands[candidate.command]
    chosen = {
        n: v
        for n, d in candidate.arguments.items()
        if n not in {"parts", "split"}
        if (v := value_of(d, chance)) is not None
    }
    for row in (chosen, {n: v if isinstance(v, list | tuple) else [v] for n, v in chosen.items()}):
        try:
            return kind.model_validate(row)
        except ValidationError:
            continue
    return None


def act(book: Playbook, chance: Random) -> None:
    """A god or the GM issues a legal command; a refusal changes nothing."""
    actor = chance.choice((Actor(Issuer.SEAT, seat=ANA), Actor(Issuer.SEAT, seat=BEN), GM))
    kinds = [k for k in RULESET.commands.values() if actor.role in k.issuers]
    kind = CastPower if CastPower in kinds and chance.random() < 0.6 else chance.choice(kinds)
    about = chance.choice(sorted(book.state.pack.powers)) if kind is CastPower else ""
    legal = [o for o in legal_commands_for(book.state, [kind], actor, LegalCommandFilter(about=about)) if o.legal]
    command = command_of(chance.choice(legal), chance) if legal else None
    if command is None:
        return
    before = dump(book.state) if chance.random() < 0.2 else None
    try:
        book.when(command, by=actor)
    except Refused:
        assert before is None or dump(book.state) == before


def sound(book: Playbook) -> None:
    """Nothing in the state is what cannot be."""
    assert violations(book.state) == []
    assert all(purse.balance >= 0 for purse in book.state.purses.values())


def check_units(events: list[Event], before: int, after: int) -> None:
    """Every unit of a century is accounted for, and every death is in a box (W85)."""
    came = sum(e.gained for e in of_kind(events, RaceGrew))
    came += sum(h.units for e in of_kind(events, UnitsAdded, RaceDefined) for h in e.placed)
    gone = sum(e.units for e in of_kind(events, UnitsDied, UnitsStarved))
    assert before + came - gone == after
    corrected = sum(e.count - e.before for e in of_kind(events, WorksheetCorrected) if e.line.startswith("box:"))
    for sheet in of_kind(events, WorksheetClosed):
        assert sum(line.count for line in sheet.lines if line.box is not None) == gone + corrected
    for closed in of_kind(events, CenturyClosed):
        assert closed.summary.deaths == gone + corrected


def check_payments(events: list[Event], carried: dict[UUID | None, Decimal]) -> None:
    """Paid and carried are earned and carried before; a race that was in turmoil has no worshippers."""
    for e in of_kind(events, ManaPaid, PoolPaid):
        who = getattr(e, "seat", None)
        assert e.amount + Decimal(e.carried) == Decimal(e.earned) + carried.get(who, Decimal(0))
        assert 0 <= Decimal(e.carried) < 1
        carried[who] = Decimal(e.carried)
    troubled = {str(e.race) for e in of_kind(events, TurmoilStarted)}
    amended = {e.line for e in of_kind(events, WorksheetCorrected)}
    for sheet in of_kind(events, WorksheetClosed):
        for line in sheet.lines:
            if str(line.race) in troubled and f"race:{line.race}" not in amended:
                assert line.count == 0


@pytest.mark.rule("G2-W85", "G2-CALC-1", "G2-CITY-8", "G2-CITY-10", "G2-LIM-4", "G2-MANA-5", "G2-PAN-1", "G2-TURM-2")
@pytest.mark.parametrize("part", range(PARTS))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(chance=st.randoms(use_true_random=False))
def test_every_invariant_holds_whatever_gods_and_game_masters_do(chance: Random, part: int) -> None:
    book = earth(chance)
    carried: dict[UUID | None, Decimal] = {}
    start = 0
    count = 0
    for _ in range(CENTURIES):
        century = book.state.era.century
        for _ in range(ACTS):
            act(book, chance)
            sound(book)
            if chance.random() < 0.3:
                book.wait(timedelta(seconds=chance.randint(1, 9)))
                sound(book)
        # What begins the next century belongs to it: look at the log up to the century's end.
        for _ in range(200):
            if book.state.era.century != century or book.state.era.phase is Phase.FINISHED or book.state.era.creation:
                break
            book.wait(timedelta(seconds=1))
        sound(book)
        events = [h.event for h in book.log]
        # Each century on its own: a game-master may end several at once.
        ends = [k + 1 for k, e in enumerate(events) if isinstance(e, CenturyClosed) and k >= start]
        if not ends:
            break
        for end in ends:
            own, later = events[start:end], events[end:]
            since = int(book.state.board.units.sum()) - balance(later)
            check_units(own, count, since)
            check_payments(own, carried)
            start, count = end, since
    assert replays_alike(book)


def balance(events: list[Event]) -> int:
    """How many more units there are after these events."""
    came = sum(e.gained for e in of_kind(events, RaceGrew))
    came += sum(h.units for e in of_kind(events, UnitsAdded, RaceDefined) for h in e.placed)
    return came - sum(e.units for e in of_kind(events, UnitsDied, UnitsStarved))
