"""The end of a century (section 6, step 14): sacrifices, what ends with it, and the boxes of the dead."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games.gods2.rules.cascade.events import RaceDestroyed
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.century.calculation import worksheet
from games.gods2.rules.century.end import end_events
from games.gods2.rules.century.events import ActivityClosed
from games.gods2.rules.century.worksheet_events import WorksheetOpened
from games.gods2.rules.effects.events import DisasterStruck
from games.gods2.rules.effects.sacrifices import sacrifice_size
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.history.events import HistoryEntered
from games.gods2.rules.mana.counts import deaths
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.value_types import Held, Place, Target
from games.gods2.rules.units.events import UnitsDied, UnitsStarved
from games.gods2.rules.war.events import WarAverted, WarFought
from games.gods2.rules.workings.events import ModificationEnded, ModificationFired
from tests.playbook import event_like, of_kind
from tests.rules.gods2.era import ANA, endow, two_peoples
from tests.rules.gods2.strikes import deaths_by_race, deaths_by_square, kill, let, pack_of
from tests.rules.gods2.worlds import earth_of, happen, id_of, race, units_of

NORSE = id_of("Norse")
RITES = "sacrificial_rites"


@pytest.mark.rule("G2-DIS-5", "G2-AMB-61")
@pytest.mark.parametrize(("units", "dead"), [(0, 0), (1, 1), (20, 1), (21, 2), (40, 2)])
def test_a_sacrifice_is_rounded_up_once(units: int, dead: int) -> None:
    assert sacrifice_size(units, 5) == dead


@pytest.mark.rule("G2-SEQ-2", "G2-DIS-5", "G2-RES-5", "G2-HREC-2")
def test_every_race_with_the_rites_sacrifices_from_its_fullest_square_and_nothing_prevents_it() -> None:
    norse = race("Norse", {(0, 0): 2, (0, 1): 3, (0, 2): 1}, knowledges=[RITES], attributes=["survivor_race"])
    elves = race("Elves", {(0, 4): 1})
    state = earth_of(["PPPPP"], norse, elves, features=[("fountain_of_youth", (0, 1))])
    events = happen(state, end_events)
    assert deaths_by_race(events) == {str(NORSE): (1, 1, "sacrifice")}
    assert deaths_by_square(events) == {(0, 1): 1}
    assert not of_kind(events, DisasterStruck)
    (entry,) = of_kind(events, HistoryEntered)
    assert (entry.kind, entry.cause) == ("end", f"knowledge:{RITES}")


@pytest.mark.rule("G2-SEQ-2", "G2-POP-5")
def test_a_race_may_sacrifice_itself() -> None:
    state = earth_of(["P"], race("Norse", {(0, 0): 1}, knowledges=[RITES]))
    events = happen(state, end_events)
    assert of_kind(events, UnitsDied, RaceDestroyed) == [
        event_like(UnitsDied, race=NORSE, units=1),
        event_like(RaceDestroyed, race=NORSE),
    ]


@pytest.mark.rule("G2-SEQ-2", "G2-CALC-1")
def test_sacrifices_come_after_the_wars_and_before_the_worksheet() -> None:
    book, dwarves, elves = two_peoples()
    endow(book, ANA, 20, "DE", "GEN")
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=("tribal_law",))
    book.when(CastPower(power="teach_sacrificial_rites", targets=(Target(race=dwarves),)), by=ANA)
    book.wait(timedelta(minutes=21))
    book.when(CastPower(power="order_war", targets=(Target(race=dwarves), Target(race=elves))), by=ANA)
    events = book.wait(timedelta(minutes=5))
    last = [e for e in events if isinstance(e, WarFought | WarAverted | UnitsDied | ActivityClosed | WorksheetOpened)]
    kinds = [e.box if isinstance(e, UnitsDied) else type(e) for e in last]
    assert kinds[0] in (WarFought, WarAverted)
    assert kinds[-3:] == ["sacrifice", ActivityClosed, WorksheetOpened] and kinds.count("sacrifice") == 1
    assert [line.count for line in last[-1].lines if line.box == "sacrifice"] == [1]


@pytest.mark.rule("G2-W74", "G2-AMB-62", "G2-CALC-1", "G2-RES-11")
def test_each_death_is_counted_once_and_every_fitting_source_finds_it() -> None:
    norse = race("Norse", {(0, c): 3 for c in range(13)}, "barbarian")
    state = earth_of(["P" * 13], norse)
    let(state, kill("race", "count", 6), codes=["Bfe"], race=norse)
    let(state, kill("race", "count", 4), codes=["Gf"], race=norse)
    let(state, kill("race", "count", 3), codes=["G"], race=norse)
    let(state, {"op": "sacrifice", "pct": 7}, race=norse)
    happen(state, lambda s, _: iter([in_war({12: 2, 11: 2, 10: 1})]))
    boxes = {line.box: line.count for line in worksheet(state) if line.box is not None}
    assert boxes == {"fire+earth": 6, "fire": 4, "global": 3, "war": 5, "sacrifice": 2}
    counted = {wanted: deaths(state, wanted) for wanted in ("fire", "earth", "fire,earth", "war", "all")}
    assert counted == {"fire": 10, "earth": 6, "fire,earth": 10, "war": 5, "all": 20}


def in_war(columns: dict[int, int]) -> UnitsDied:
    """Norse who die in a war, by column."""
    lost = tuple(Held(square=Place(x=x, y=0), units=units) for x, units in columns.items())
    total = sum(columns.values())
    return UnitsDied(race=NORSE, losses=lost, counted=total, units=total, box="war")


@pytest.mark.rule("G2-W85", "G2-CALC-1", "G2-LIM-4")
def test_the_boxes_hold_every_unit_that_was_there_and_is_no_more() -> None:
    norse = race("Norse", {**{(0, c): 3 for c in range(6)}, (0, 6): 1, (0, 8): 1}, "barbarian")
    state = earth_of(["PPPPPPPPMM"], norse)
    grew = happen(state, lambda s, ctx: grow(s, ctx, NORSE))
    let(state, {"op": "units_add", "amount": 3, "scope": "race"}, race=norse)
    settled = happen(state, lambda s, ctx: settle(s, ctx, "test"))
    happen(state, lambda s, _: iter([in_war({0: 2, 1: 2})]))
    assert [e.gained for e in of_kind(grew, RaceGrew)] == [5]
    assert [e.units for e in of_kind([*grew, *settled], UnitsStarved)] == [2]
    assert state.board.units_of(NORSE) == 22
    assert sum(line.count for line in state.lines.values() if line.kind == "box") == 20 + 5 + 3 - 22


@pytest.mark.rule("G2-MOD-3", "G2-MOD-5", "G2-SEQ-2")
def test_what_waits_for_the_centurys_end_comes_after_the_sacrifices() -> None:
    famine = {"codes": ["Mv", "Bn"], "effects": [kill("race", "count", 2, on="century_end")]}
    norse = race("Norse", {(0, 0): 3, (0, 1): 3}, "barbarian", knowledges=[RITES])
    omen = {"codes": ["Mv"], "effects": [{"op": "stat_add", "stat": "aggression", "amount": 1, "on": "disaster_hit"}]}
    state = earth_of(["PP"], norse, packs=pack_of(famine=famine, omen=omen))
    for place, power in enumerate(("famine", "omen"), start=1):
        state.modifications[id_of(power)] = Modification(id_of(power), NORSE, power, ModStatus.DORMANT, place, 1)
    events = happen(state, end_events)
    assert of_kind(events, UnitsDied, ModificationFired, DisasterStruck, ModificationEnded) == [
        event_like(UnitsDied, box="sacrifice", units=1),
        event_like(ModificationFired, trigger="century_end"),
        event_like(DisasterStruck, elements=("nature",)),
        event_like(ModificationFired, trigger="disaster_hit"),
        event_like(UnitsDied, box="nature", units=2),
        event_like(ModificationEnded, power="famine"),
        event_like(ModificationEnded, power="omen"),
    ]
    assert sum(units_of(state, NORSE).values()) == 3
