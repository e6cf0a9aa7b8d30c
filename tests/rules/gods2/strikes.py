"""Powers and effects let loose on small earths: cast by a god with all cards, or straight from their data."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from games.engine.board.board import Square
from games.engine.kernel import Context, Event
from games.gods2.rules.casting.rules import carry_out_casting, prepare_casting
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.effects.triggers import run_with_triggers
from games.gods2.rules.pack.operations import read_operation
from games.gods2.rules.pack.pack import Pack, build
from games.gods2.rules.state.records import Cards, God, Purse
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Place, Target
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.workings.context import Working
from tests.dice import Planted
from tests.playbook import of_kind
from tests.rules.gods2.era import ANA
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.worlds import People, happen

Spot = tuple[int, int]


def pack_of(attributes: Mapping[str, Iterable[str]] | None = None, **powers: Mapping[str, Any]) -> dict[int, Pack]:
    """The default pack with more attributes, by their resistance codes, and more powers."""
    raw = raw_pack(1)
    for key, codes in (attributes or {}).items():
        resists = [{"op": "resist", "code": code} for code in codes]
        raw["attributes"].append({"id": key, "name": key, "cost": 1, "origin": "test", "effects": resists})
    for key, more in powers.items():
        raw["powers"].append(
            {"id": key, "sphere": "FE", "level": 1, "name": key.title(), "kind": "history", "cost": 1,
             "target": "race", "origin": "test", **more}
        )  # fmt: skip
    return {2: build(2, raw)}


def able(state: State, power: str) -> God:
    """A god with mana and cards enough for a power."""
    god, sphere = God(ANA, "Ashkar"), state.pack.powers[power].sphere
    state.gods[ANA], state.purses[ANA] = god, Purse(ANA, 100)
    state.cards[ANA, sphere] = Cards(ANA, sphere, 6)
    return god


def cast(
    state: State, power: str, race: People | None = None, *, at: Iterable[Spot] = (), city: UUID | None = None,
    times: int = 1, dice: Iterable[Planted] = (),
) -> list[Event]:  # fmt: skip
    """A god casts a power, so many times: on a race, a city, squares by (row, column), or the whole Earth."""
    god = able(state, power)
    targets: tuple[Target, ...] = ()
    if race is not None or city is not None or at:
        squares = tuple(Place.of(Square(*spot)) for spot in at)
        targets = (Target(race=None if race is None else race.id, squares=squares, city=city),)

    def carry_out(state: State, ctx: Context) -> Iterator[Event]:
        for _ in range(times):
            casting = prepare_casting(state, (god,), power, targets)
            yield from carry_out_casting(state, ctx, casting, (PartOf(seat=ANA, amount=casting.price.amount),))

    return happen(state, carry_out, dice)


def let(
    state: State, *effects: Mapping[str, Any], codes: Iterable[str] = (), race: People | None = None,
    at: Iterable[Spot] = (), earth: bool = False,
) -> list[Event]:  # fmt: skip
    """Effects work as those of one working with these codes; nothing is settled."""
    working = Working(
        cause="test",
        perform=perform,
        codes=tuple(codes),
        races=() if race is None else (race.id,),
        squares=tuple(Square(*spot) for spot in at),
        earth=earth,
    )
    given = [read_operation(effect) for effect in effects]
    return happen(state, lambda s, ctx: run_with_triggers(s, ctx, perform(s, ctx, working, given)))


def kill(scope: str, mode: str = "count", amount: int | None = None, **more: Any) -> dict[str, Any]:
    """An effect that kills."""
    return {"op": "kill", "scope": scope, "mode": mode, "amount": amount, **more}


def deaths_by_race(events: Iterable[Event]) -> dict[str, tuple[int, int, str]]:
    """Deaths by race as counted, dead, box."""
    return {str(e.race): (e.counted, e.units, e.box) for e in of_kind(list(events), UnitsDied)}


def deaths_by_square(events: Iterable[Event]) -> dict[Spot, int]:
    """Deaths by (row, column)."""
    return {(h.square.y, h.square.x): h.units for e in of_kind(list(events), UnitsDied) for h in e.losses}


def only(events: list) -> tuple[int, int, str]:
    """Counted, dead, box of the one race that lost units; all 0 when nobody did."""
    found = deaths_by_race(events)
    assert len(found) <= 1
    return next(iter(found.values()), (0, 0, ""))
